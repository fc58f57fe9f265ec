//! Maps in the text format of the program Domination (`.map`, and `.cards` for missions):
//! read and written.
//!
//! ```text
//! ; a comment
//! name Two shores
//! [continents]
//! West 2 red
//! East 2 #0072b2
//! [countries]
//! 1 Old_Harbour 1 40 50
//! 2 New_Harbour 2 90 50
//! [borders]
//! 1 2
//! 2 1
//! ```
//!
//! Numbers begin at 1. An underscore in a name is a space. Pictures, which the section
//! `[files]` names, are left aside.

use std::fmt::Write as _;

use crate::ids::MAX_TERRITORIES;
use crate::map::{ContinentSpec, MapSpec, TerritorySpec};
use crate::map_fault::{MapError, MapFault};

/// The colours that have names there.
const COLORS: [(&str, &str); 13] = [
    ("black", "#000000"),
    ("blue", "#0000ff"),
    ("cyan", "#00ffff"),
    ("darkgray", "#404040"),
    ("gray", "#808080"),
    ("green", "#00ff00"),
    ("lightgray", "#c0c0c0"),
    ("magenta", "#ff00ff"),
    ("orange", "#ffc800"),
    ("pink", "#ffafaf"),
    ("red", "#ff0000"),
    ("white", "#ffffff"),
    ("yellow", "#ffff00"),
];

/// Continents of a mission in a `.cards` file.
const MISSION_CONTINENTS: usize = 3;

/// What to do about a border that is listed in one direction alone. Domination has such
/// borders; maps here do not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneWay {
    /// It stays, and the map is refused when it is validated.
    Keep,
    /// It leads both ways.
    Widen,
}

impl MapSpec {
    /// Reads a `.map` file; `name` is used if it has none of its own.
    ///
    /// ```
    /// use hegemon_core::{Map, MapSpec, OneWay};
    /// let text = "[continents]\nAll 1 red\n[countries]\n1 A 1 0 0\n2 B 1 9 0\n[borders]\n1 2\n2 1\n";
    /// let spec = MapSpec::from_domination(text, "pair", OneWay::Keep).expect("well formed");
    /// assert_eq!(Map::new(spec).expect("valid").n_connections(), 1);
    /// ```
    ///
    /// # Errors
    ///
    /// If a line is not of the format; the message has its number.
    pub fn from_domination(text: &str, name: &str, one_way: OneWay) -> Result<MapSpec, MapError> {
        let mut reader = Reader::new(name);
        for (number, line) in lines(text) {
            reader.line(line).map_err(|reason| at(number, &reason))?;
        }
        reader.finish(one_way).map_err(|reason| whole(&reason))
    }

    /// Takes the missions that ask for continents from a `.cards` file. Others, which every
    /// map has, are not data of a map.
    ///
    /// # Errors
    ///
    /// As [`MapSpec::from_domination`].
    pub fn add_domination_missions(&mut self, cards: &str) -> Result<(), MapError> {
        let mut is_missions = false;
        for (number, line) in lines(cards) {
            if line.starts_with('[') {
                is_missions = line == "[missions]";
            } else if is_missions {
                let mission = self.mission(line).map_err(|reason| at(number, &reason))?;
                self.missions.extend(mission);
            }
        }
        Ok(())
    }

    /// The mission of a line: whom to destroy, what to occupy, up to three continents.
    fn mission(&self, line: &str) -> Result<Option<Vec<String>>, String> {
        let words: Vec<&str> = line.split_whitespace().collect();
        let continents = words
            .get(3..3 + MISSION_CONTINENTS)
            .ok_or("a mission has a player, two numbers and three continents")?;
        let is_of_continents = words[..3].iter().all(|&word| word == "0");
        let wanted = continents.iter().filter(|&&word| word != "0");
        let wanted = wanted
            .map(|&word| match word {
                "*" => Ok("*".to_owned()),
                _ => {
                    let number = index(word, self.continents.len(), "continent")?;
                    Ok(self.continents[number].name.clone())
                }
            })
            .collect::<Result<Vec<String>, String>>()?;
        Ok((is_of_continents && !wanted.is_empty()).then_some(wanted))
    }

    /// The map as a `.map` file. Positions become whole numbers, spaces underscores.
    pub fn to_domination(&self) -> String {
        let mut text = format!(
            "; written by hegemon\n\nname {}\n\n[continents]\n",
            self.name
        );
        for continent in &self.continents {
            let ContinentSpec { name, bonus, color } = continent;
            let _ = writeln!(text, "{} {bonus} {color}", joined(name));
        }
        text += "\n[countries]\n";
        let number = |wanted: &str, mut names: Box<dyn Iterator<Item = &String> + '_>| {
            names.position(|name| name == wanted).map_or(0, |n| n + 1)
        };
        let continents = || Box::new(self.continents.iter().map(|continent| &continent.name));
        let territories = || Box::new(self.territories.iter().map(|territory| &territory.name));
        for (n, territory) in (1..).zip(&self.territories) {
            let [x, y] = territory.position.map(f64::round);
            let continent = number(&territory.continent, continents());
            let _ = writeln!(text, "{n} {} {continent} {x} {y}", joined(&territory.name));
        }
        text += "\n[borders]\n";
        for (n, territory) in (1..).zip(&self.territories) {
            let _ = write!(text, "{n}");
            for neighbor in &territory.connections {
                let _ = write!(text, " {}", number(neighbor, territories()));
            }
            text.push('\n');
        }
        text
    }
}

/// The lines that say something, with their numbers.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    // Editors of Windows begin a file with a mark that says UTF-8.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let trimmed = (1..).zip(text.lines().map(str::trim));
    trimmed.filter(|(_, line)| !line.is_empty() && !line.starts_with(';'))
}

fn at(number: usize, reason: &str) -> MapError {
    whole(&format!("line {number}: {reason}"))
}

fn whole(reason: &str) -> MapError {
    MapError {
        faults: vec![MapFault::Syntax(reason.to_owned())],
    }
}

/// A name without spaces, as a word of a line.
fn joined(name: &str) -> String {
    name.replace(' ', "_")
}

/// The index of a number that begins at 1.
fn index(word: &str, n: usize, what: &str) -> Result<usize, String> {
    match word.parse::<usize>() {
        Ok(number) if (1..=n).contains(&number) => Ok(number - 1),
        _ => Err(format!("there is no {what} {word:.20}; there are {n}")),
    }
}

fn color(word: &str) -> Result<String, String> {
    let named = COLORS
        .iter()
        .find(|(name, _)| word.eq_ignore_ascii_case(name));
    let digits = word.strip_prefix('#').or(word.strip_prefix("0x"));
    let is_hex = |digits: &&str| digits.len() == 6 && digits.bytes().all(|b| b.is_ascii_hexdigit());
    match (named, digits.filter(is_hex)) {
        (Some((_, color)), _) => Ok((*color).to_owned()),
        (None, Some(digits)) => Ok(format!("#{}", digits.to_ascii_lowercase())),
        (None, None) => Err(format!("\"{word:.20}\" is not a colour")),
    }
}

#[derive(Clone, Copy)]
enum Section {
    Head,
    Ignored,
    Continents,
    Countries,
    Borders,
}

/// A file that is being read.
struct Reader {
    spec: MapSpec,
    section: Section,
    /// By territory, the indices of its neighbours.
    borders: Vec<Vec<usize>>,
}

impl Reader {
    fn new(name: &str) -> Reader {
        Reader {
            spec: MapSpec {
                name: name.to_owned(),
                continents: Vec::new(),
                territories: Vec::new(),
                missions: Vec::new(),
            },
            section: Section::Head,
            borders: Vec::new(),
        }
    }

    fn line(&mut self, line: &str) -> Result<(), String> {
        match line {
            "[continents]" => self.section = Section::Continents,
            "[countries]" => self.section = Section::Countries,
            "[borders]" => self.section = Section::Borders,
            _ if line.starts_with('[') => self.section = Section::Ignored,
            _ => {
                let words: Vec<&str> = line.split_whitespace().collect();
                return match self.section {
                    Section::Head => self.head(line),
                    Section::Ignored => Ok(()),
                    Section::Continents => self.continent(&words),
                    Section::Countries => self.country(&words),
                    Section::Borders => self.border(&words),
                };
            }
        }
        Ok(())
    }

    /// Before the first section: the name, and other words that say nothing of play.
    fn head(&mut self, line: &str) -> Result<(), String> {
        if let Some(name) = line.strip_prefix("name ") {
            name.trim().clone_into(&mut self.spec.name);
        }
        Ok(())
    }

    fn continent(&mut self, words: &[&str]) -> Result<(), String> {
        let [name, bonus, color_word] = words else {
            return Err("a continent has a name, a bonus and a colour".to_owned());
        };
        let bonus = bonus.parse().map_err(|_| {
            format!(
                "the bonus {bonus:.20} is not a whole number from 0 to {}",
                u16::MAX
            )
        })?;
        self.spec.continents.push(ContinentSpec {
            name: name.replace('_', " "),
            bonus,
            color: color(color_word)?,
        });
        Ok(())
    }

    fn country(&mut self, words: &[&str]) -> Result<(), String> {
        let [number, name, continent, x, y] = words else {
            return Err("a country has a number, a name, a continent, x and y".to_owned());
        };
        if number.parse() != Ok(self.spec.territories.len() + 1) {
            return Err("countries are numbered from 1 in their order".to_owned());
        }
        if self.spec.territories.len() == MAX_TERRITORIES {
            return Err(format!("at most {MAX_TERRITORIES} countries are possible"));
        }
        let continent = index(continent, self.spec.continents.len(), "continent")?;
        let place = |word: &str| {
            word.parse::<i32>()
                .map(f64::from)
                .map_err(|_| format!("{word:.20} is not a coordinate"))
        };
        self.spec.territories.push(TerritorySpec {
            name: name.replace('_', " "),
            continent: self.spec.continents[continent].name.clone(),
            connections: Vec::new(),
            position: [place(x)?, place(y)?],
        });
        self.borders.push(Vec::new());
        Ok(())
    }

    fn border(&mut self, words: &[&str]) -> Result<(), String> {
        let n = self.borders.len();
        let numbers = words.iter().map(|word| index(word, n, "country"));
        let numbers = numbers.collect::<Result<Vec<usize>, String>>()?;
        if let [from, to @ ..] = &numbers[..] {
            let borders = &mut self.borders[*from];
            // Each pair may be wrong, but no map has as many borders.
            if borders.len() + to.len() > 2 * MAX_TERRITORIES {
                return Err(format!("country {} has too many borders", from + 1));
            }
            borders.extend(to);
        }
        Ok(())
    }

    fn finish(mut self, one_way: OneWay) -> Result<MapSpec, String> {
        if self.spec.territories.is_empty() {
            return Err("it has no [countries]".to_owned());
        }
        if one_way == OneWay::Widen {
            for from in 0..self.borders.len() {
                for to in self.borders[from].clone() {
                    if !self.borders[to].contains(&from) {
                        self.borders[to].push(from);
                    }
                }
            }
        }
        let names = self.spec.territories.iter().map(|t| t.name.clone());
        let names: Vec<String> = names.collect();
        for (territory, borders) in self.spec.territories.iter_mut().zip(&self.borders) {
            territory.connections = borders.iter().map(|&to| names[to].clone()).collect();
        }
        Ok(self.spec)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::map::Map;

    const SHORES: &str = "\
; two shores and a ferry\r
name Two Shores

[files]
pic shores.jpg

[continents]
West 2 red
Far_East 3 0x0072B2
[countries]
1 Old_Harbour 1 40 50
2 Hill 1 20 30
3 New-Harbour 2 90 50
[borders]
1 2 3
2 1
3 1
";

    fn read(text: &str) -> Result<MapSpec, MapError> {
        MapSpec::from_domination(text, "unnamed", OneWay::Keep)
    }

    #[test]
    fn a_file_is_a_map() {
        let spec = read(SHORES).expect("well formed");
        assert_eq!(spec.name, "Two Shores");
        assert_eq!(spec.continents[1].name, "Far East");
        assert_eq!(spec.continents[1].color, "#0072b2");
        assert_eq!(spec.territories[0].name, "Old Harbour");
        assert_eq!(spec.territories[0].position, [40.0, 50.0]);
        assert_eq!(spec.territories[0].connections, ["Hill", "New-Harbour"]);
        let map = Map::new(spec).expect("valid");
        assert_eq!((map.n_territories(), map.n_connections()), (3, 2));
    }

    #[test]
    fn shipped_maps_are_written_and_read_back() {
        for name in Map::builtin_names() {
            let map = Map::builtin(name).expect(name);
            let mut again = read(&map.spec().to_domination()).expect(name);
            again.missions.clone_from(&map.spec().missions);
            assert_eq!(Map::new(again).expect(name).hash(), map.hash(), "{name}");
        }
    }

    #[test]
    fn a_one_way_border_is_kept_or_widened() {
        let text = SHORES.replace("\n3 1\n", "\n3\n");
        let kept = Map::new(read(&text).expect("well formed")).expect_err("one way");
        assert!(
            kept.to_string().contains("not the other way round"),
            "{kept}"
        );
        let widened = MapSpec::from_domination(&text, "x", OneWay::Widen).expect("well formed");
        assert_eq!(Map::new(widened).expect("valid").n_connections(), 2);
    }

    #[test]
    fn missions_for_continents_are_taken() {
        let mut spec = read(SHORES).expect("well formed");
        let cards = "[cards]\nCannon 1\nwildcard\n[missions]\n0 0 0 1 2 0 Take both.\n\
                     0 0 0 2 * 0 Take two.\n0 2 1 0 0 0 Occupy.\n1 2 1 0 0 0 Destroy.\n";
        spec.add_domination_missions(cards).expect("well formed");
        assert_eq!(spec.missions, [["West", "Far East"], ["Far East", "*"]]);
        Map::new(spec.clone()).expect("valid");
        let error = spec.add_domination_missions("[missions]\n0 0 0 3 0 0 Take.\n");
        let error = error.expect_err("no third continent").to_string();
        assert!(error.contains("line 2: there is no continent 3"), "{error}");
    }

    #[test]
    fn a_mark_of_the_encoding_is_no_part_of_the_first_line() {
        let text = format!(
            "\u{feff}{}",
            SHORES.replace("; two shores and a ferry\r\n", "")
        );
        assert_eq!(read(&text).expect("well formed").name, "Two Shores");
    }

    #[test]
    fn far_too_much_is_refused_where_it_begins() {
        let countries: String = (1..=1000).map(|n| format!("{n} T{n} 1 0 0\n")).collect();
        let text = format!("[continents]\nAll 1 red\n[countries]\n{countries}");
        let error = read(&text).expect_err("too many").to_string();
        assert!(error.contains("line 132: at most 128 countries"), "{error}");
        let text = SHORES.replace("\n2 1\n", &format!("\n2{}\n", " 1".repeat(1000)));
        let error = read(&text).expect_err("too many").to_string();
        assert!(error.contains("line 16: country 2 has too many"), "{error}");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let cases = [
            (("West 2 red", "West red"), "line 8: a continent has"),
            (("West 2 red", "West -2 red"), "line 8: the bonus -2 is not"),
            (
                ("West 2 red", "West 2 reddish"),
                "\"reddish\" is not a colour",
            ),
            (
                ("1 Old_Harbour 1 40 50", "1 Old Harbour 1 40 50"),
                "line 11: a country has",
            ),
            (
                ("1 Old_Harbour 1 40", "7 Old_Harbour 1 40"),
                "numbered from 1",
            ),
            (
                ("1 Old_Harbour 1 40", "1 Old_Harbour 3 40"),
                "no continent 3; there are 2",
            ),
            (("40 50", "forty 50"), "forty is not a coordinate"),
            (("2 1\n3 1", "2 9\n3 1"), "line 16: there is no country 9"),
            (("[countries]", "[lands]"), "there is no country 1"),
        ];
        for ((old, new), sentence) in cases {
            assert!(SHORES.contains(old), "{old}");
            let error = read(&SHORES.replacen(old, new, 1))
                .expect_err(new)
                .to_string();
            assert!(error.contains(sentence), "{new}: {error}");
        }
    }
}

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
    /// If lines are not of the format: all of them, each with its number.
    pub fn from_domination(text: &str, name: &str, one_way: OneWay) -> Result<MapSpec, MapError> {
        let mut reader = Reader::new(name);
        for (number, line) in lines(text) {
            reader.faults.number = number;
            reader.line(line);
        }
        reader.finish(one_way)
    }

    /// Takes the missions that ask for continents from a `.cards` file. Others, which every
    /// map has, are not data of a map.
    ///
    /// # Errors
    ///
    /// As [`MapSpec::from_domination`].
    pub fn add_domination_missions(&mut self, cards: &str) -> Result<(), MapError> {
        let (mut is_missions, mut missions) = (false, Vec::new());
        let mut faults = LineFaults::default();
        for (number, line) in lines(cards) {
            if line.starts_with('[') {
                is_missions = line == "[missions]";
            } else if is_missions {
                faults.number = number;
                missions.extend(faults.taken(self.mission(line)).flatten());
            }
        }
        faults.none()?;
        self.missions.append(&mut missions);
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

/// Most faults that are named: a text of another kind has one in every line.
const MAX_NAMED: usize = 100;

/// The faults of the lines of a file, as they are read.
#[derive(Default)]
struct LineFaults {
    /// The line that is being read.
    number: usize,
    named: Vec<MapFault>,
    n_more: usize,
}

impl LineFaults {
    /// The line has this fault.
    fn add(&mut self, reason: String) {
        self.push(MapFault::Line {
            number: self.number,
            reason,
        });
    }

    fn push(&mut self, fault: MapFault) {
        match self.named.len() < MAX_NAMED {
            true => self.named.push(fault),
            false => self.n_more += 1,
        }
    }

    /// What was read; nothing of a faulty part.
    fn taken<T>(&mut self, read: Result<T, String>) -> Option<T> {
        read.map_err(|reason| self.add(reason)).ok()
    }

    /// Refuses a file with faults.
    fn none(mut self) -> Result<(), MapError> {
        if self.n_more > 0 {
            self.named.push(MapFault::More(self.n_more));
        }
        match self.named.is_empty() {
            true => Ok(()),
            false => Err(MapError { faults: self.named }),
        }
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

/// A file that is being read. What is faulty counts on all the same, since other lines mean
/// it by its number.
struct Reader {
    spec: MapSpec,
    section: Section,
    /// By territory, the indices of its neighbours.
    borders: Vec<Vec<usize>>,
    /// The number of the last country as it was written.
    last_number: usize,
    /// Of this section it was said that it comes too early.
    is_early: bool,
    faults: LineFaults,
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
            last_number: 0,
            is_early: false,
            faults: LineFaults::default(),
        }
    }

    fn line(&mut self, line: &str) {
        if line.starts_with('[') {
            self.is_early = false;
            self.section = match line {
                "[continents]" => Section::Continents,
                "[countries]" => Section::Countries,
                "[borders]" => Section::Borders,
                _ => Section::Ignored,
            };
            return;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        match self.section {
            Section::Head => self.head(line),
            Section::Ignored => {}
            Section::Continents => self.continent(&words),
            Section::Countries => self.country(&words),
            Section::Borders => self.border(&words),
        }
    }

    /// Before the first section: the name, and other words that say nothing of play.
    fn head(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("name ") {
            name.trim().clone_into(&mut self.spec.name);
        }
    }

    /// Says once of a section that what its lines mean by number is not there.
    fn too_early(&mut self, section: &str, needed: &str) {
        if !self.is_early {
            self.faults
                .add(format!("{section} has no {needed} before it"));
        }
        self.is_early = true;
    }

    fn continent(&mut self, words: &[&str]) {
        let mut continent = ContinentSpec {
            name: words[0].replace('_', " "),
            bonus: 0,
            color: String::new(),
        };
        if let [_, bonus, color_word] = words {
            let bonus = bonus.parse().map_err(|_| {
                format!(
                    "the bonus {bonus:.20} is not a whole number from 0 to {}",
                    u16::MAX
                )
            });
            continent.bonus = self.faults.taken(bonus).unwrap_or_default();
            continent.color = self.faults.taken(color(color_word)).unwrap_or_default();
        } else {
            let reason = "a continent has a name, a bonus and a colour";
            self.faults.add(reason.to_owned());
        }
        self.spec.continents.push(continent);
    }

    fn country(&mut self, words: &[&str]) {
        let n_before = self.borders.len();
        let following = self.last_number.saturating_add(1);
        let number = words[0].parse().unwrap_or(following);
        self.last_number = number;
        if n_before == MAX_TERRITORIES {
            let reason = format!("at most {MAX_TERRITORIES} countries are possible");
            self.faults.add(reason);
        }
        self.borders.push(Vec::new());
        if n_before >= MAX_TERRITORIES {
            return;
        }
        let [number_word, name, continent, x, y] = words else {
            let reason = "a country has a number, a name, a continent, x and y";
            return self.faults.add(reason.to_owned());
        };
        // A number that is left out is one fault, not one of each country that follows.
        let is_next = number == n_before + 1 || number == following;
        if !is_next || number_word.parse::<usize>().is_err() {
            let reason = "countries are numbered from 1 in their order";
            self.faults.add(reason.to_owned());
        }
        let continent = self.continent_of(continent);
        let [x, y] = [x, y].map(|word| {
            let place = word.parse::<i32>().map(f64::from);
            let place = place.map_err(|_| format!("{word:.20} is not a coordinate"));
            self.faults.taken(place).unwrap_or_default()
        });
        self.spec.territories.push(TerritorySpec {
            name: name.replace('_', " "),
            continent,
            connections: Vec::new(),
            position: [x, y],
        });
    }

    /// The name of the continent that a country names by its number.
    fn continent_of(&mut self, word: &str) -> String {
        let continents = &self.spec.continents;
        if continents.is_empty() {
            self.too_early("[countries]", "[continents]");
            return String::new();
        }
        let found = index(word, continents.len(), "continent");
        let found = found.map(|idx| continents[idx].name.clone());
        self.faults.taken(found).unwrap_or_default()
    }

    fn border(&mut self, words: &[&str]) {
        let n = self.borders.len().max(self.last_number);
        if n == 0 {
            return self.too_early("[borders]", "[countries]");
        }
        let numbers = words.iter().map(|word| index(word, n, "country"));
        let numbers = numbers.filter_map(|number| self.faults.taken(number));
        let numbers: Vec<usize> = numbers.collect();
        let [from, to @ ..] = &numbers[..] else {
            return;
        };
        let Some(borders) = self.borders.get_mut(*from) else {
            return;
        };
        // Each pair may be wrong, but no map has as many borders.
        if borders.len() + to.len() > 2 * MAX_TERRITORIES {
            let reason = format!("country {} has too many borders", from + 1);
            return self.faults.add(reason);
        }
        borders.extend(to);
    }

    fn finish(mut self, one_way: OneWay) -> Result<MapSpec, MapError> {
        if self.borders.is_empty() && !self.is_early {
            let reason = "it has no [countries]".to_owned();
            self.faults.push(MapFault::Syntax(reason));
        }
        self.faults.none()?;
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
            (
                ("[countries]", "[lands]"),
                "line 15: [borders] has no [countries] before it",
            ),
            (
                ("[continents]", "[parts]"),
                "line 11: [countries] has no [continents] before it",
            ),
            (
                ("2 Hill 1 20 30\n", ""),
                "line 12: countries are numbered from 1",
            ),
        ];
        for ((old, new), sentence) in cases {
            assert!(SHORES.contains(old), "{old}");
            let error = read(&SHORES.replacen(old, new, 1))
                .expect_err(new)
                .to_string();
            assert!(error.contains(sentence), "{new}: {error}");
        }
    }

    #[test]
    fn all_faults_are_told_at_once_and_each_once() {
        let text = SHORES
            .replace("West 2 red", "West -2 reddish")
            .replace("2 Hill 1 20 30", "2 Green Hill 1 20 30")
            .replace("90 50", "ninety 50")
            .replace("\n2 1\n", "\n2 1 9\n");
        let error = read(&text).expect_err("five faults").to_string();
        let lines = error.lines();
        let begins: Vec<&str> = lines.map(|line| &line[..line.len().min(28)]).collect();
        assert_eq!(
            begins,
            [
                "line 8: the bonus -2 is not ",
                "line 8: \"reddish\" is not a c",
                "line 12: a country has a num",
                "line 13: ninety is not a coo",
                "line 16: there is no country",
            ]
        );
        let mut spec = read(SHORES).expect("well formed");
        let cards = "[missions]\n0 0 0 1 2 0 Take.\n0 0\n0 0 0 3 * 0 Take.\n";
        let error = spec.add_domination_missions(cards).expect_err("two faults");
        assert_eq!(error.faults.len(), 2, "{error}");
        assert!(spec.missions.is_empty());
    }

    #[test]
    fn a_text_of_another_kind_has_no_endless_list_of_faults() {
        let text = format!("[continents]\n{}", "one two three four\n".repeat(1000));
        let error = read(&text).expect_err("no map").to_string();
        assert_eq!(error.lines().count(), MAX_NAMED + 1);
        assert!(error.ends_with("and 901 more"), "{error}");
    }
}

//! Exhaustive counts of play, from the data files of `tests/perft/`.
//!
//! A file names map, rules and players, then positions with the counts of
//! decisions, chances and terminals at some depths:
//!
//! ```text
//! map triangle3
//! rules sampling
//! with battle.commitment = "choice"
//! players 2
//! position board=a3b1b1 phase=attack player=0 round=1
//! perft 3 decisions 10 chances 4 terminals 0
//! ```
//!
//! `with` lines change the preset by TOML; `position start` is the state before
//! anything has happened. `#` starts a comment. Where the independent twin at
//! the end of this file knows the rules, it must count the same.

mod common;

use std::path::Path;
use std::sync::Arc;

use common::{game, position, preset};
use hegemon_core::{Game, Perft, Rules, State, perft, perft_while};

#[derive(Default)]
struct Reader {
    map: String,
    rules: Option<Rules>,
    n_players: usize,
    state: Option<State>,
}

impl Reader {
    fn game(&self) -> Arc<Game> {
        let rules = self.rules.clone().expect("a rules line");
        game(&self.map, rules, self.n_players)
    }

    /// Reads one line; returns a count to check.
    fn read(&mut self, line: &str) -> Option<(u32, Perft)> {
        let (key, value) = line.split_once(' ').expect("a key and a value");
        match key {
            "map" => self.map = value.to_owned(),
            "rules" => self.rules = Some(preset(value)),
            "with" => {
                let rules = self.rules.as_ref().expect("rules before with");
                self.rules = Some(changed(rules, value));
            }
            "players" => self.n_players = value.parse().expect("a number of players"),
            "position" if value == "start" => self.state = Some(self.game().start()),
            "position" => self.state = Some(position(&self.game(), value)),
            "perft" => return Some(read_count(value)),
            _ => panic!("unknown line: {line}"),
        }
        None
    }
}

/// Rules with one value changed by a line of TOML.
fn changed(rules: &Rules, line: &str) -> Rules {
    let mut table: toml::Table = toml::from_str(&rules.to_toml()).expect("rules as TOML");
    merge(&mut table, toml::from_str(line).expect("a line of TOML"));
    Rules::from_toml(&toml::to_string(&table).expect("TOML again")).expect(line)
}

fn merge(table: &mut toml::Table, change: toml::Table) {
    for (key, value) in change {
        match (table.get_mut(&key), value) {
            // A table with one key is an enum's variant: replaced as a whole.
            (Some(toml::Value::Table(old)), toml::Value::Table(new)) if old.len() > 1 => {
                merge(old, new);
            }
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

fn read_count(text: &str) -> (u32, Perft) {
    let words: Vec<&str> = text.split_whitespace().collect();
    let number = |n: usize| words[n].parse().expect("a number");
    assert_eq!(
        [words[1], words[3], words[5]],
        ["decisions", "chances", "terminals"]
    );
    let count = Perft {
        decisions: number(2),
        chances: number(4),
        terminals: number(6),
    };
    (words[0].parse().expect("a depth"), count)
}

/// Checks every count of a file; returns how many there were.
fn check_file(path: &Path, faults: &mut Vec<String>) -> usize {
    let text = std::fs::read_to_string(path).expect("a perft file");
    let mut reader = Reader::default();
    let mut n_counts = 0;
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some((depth, expected)) = reader.read(line) {
            let state = reader.state.as_ref().expect("a position line");
            let mut check = |who: &str, found: Perft| {
                if found != expected {
                    let Perft {
                        decisions,
                        chances,
                        terminals,
                    } = found;
                    faults.push(format!(
                        "{}:{}: {who} perft {depth} decisions {decisions} chances {chances} terminals {terminals}",
                        path.display(),
                        n + 1,
                    ));
                }
            };
            check("engine", perft(state, depth));
            if twin::plays(state) {
                check("twin", twin::count(state, depth));
            }
            n_counts += 1;
        }
    }
    n_counts
}

#[test]
fn a_count_that_may_be_stopped_is_the_same_or_none() {
    let start = game("triangle3", preset("sampling"), 2).start();
    let all = perft(&start, 4);
    assert_eq!(perft_while(&start, 4, |_| true), Some(all));
    let stopped = perft_while(&start, 4, |count| count.chances < all.chances / 2);
    assert_eq!(stopped, None);
}

#[test]
fn counts_are_as_in_the_files() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/perft");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("tests/perft")
        .map(|entry| entry.expect("a file").path())
        .collect();
    paths.sort();
    let mut faults = Vec::new();
    let n_counts: usize = paths.iter().map(|path| check_file(path, &mut faults)).sum();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(n_counts >= 30, "{n_counts} counts");
}

/// An independent, slow and plain implementation of turns without cards: two
/// players and up, dice by one exchange, no neutral, won by conquest. It takes
/// only names and connections from the map, and shares no code with the engine.
mod twin {
    use super::*;
    use hegemon_core::rules::{Attack, Commitment, Fortify, Occupy, Placement, Start, Victory};

    /// Whether the twin knows these rules and this phase.
    pub(super) fn plays(state: &State) -> bool {
        let rules = state.game().rules();
        !rules.has_cards()
            && rules.battle.attack == Attack::Roll
            && rules.victory == Victory::Conquest
            && rules.placement == Placement::Even
            && rules.start == Start::Deal
            && rules.fortify != Fortify::ManyAdjacent
            && rules.income.growth == 0
            && rules.end.turn_limit.is_none()
            && rules.end.early_stop.is_none()
            && state.game().n_players() == 2
            && !state.game().has_neutral()
            && matches!(
                state.phase().name(),
                "first" | "deal" | "reinforce" | "attack" | "fortify"
            )
    }

    #[derive(Clone, Copy, PartialEq)]
    enum NaivePhase {
        First,
        Deal,
        Place(u32),
        Attack,
        Dice { from: usize, to: usize, n: u32 },
        Occupy { from: usize, to: usize, least: u32 },
        Fortify,
        Won,
    }

    #[derive(Clone)]
    struct NaiveState {
        /// Owner and armies; owner 9 is nobody.
        land: Vec<(usize, u32)>,
        player: usize,
        first: usize,
        step: NaivePhase,
    }

    pub(super) fn count(state: &State, depth: u32) -> Perft {
        let map = state.game().map();
        let land = map
            .territories()
            .map(|t| {
                let owner = state.board().owner(t);
                let owner = if owner.is_seat() { owner.index() } else { 9 };
                (owner, state.board().armies(t))
            })
            .collect();
        let step = match state.phase().name() {
            "first" => NaivePhase::First,
            "deal" => NaivePhase::Deal,
            "reinforce" => NaivePhase::Place(state.to_place()),
            "attack" => NaivePhase::Attack,
            _ => NaivePhase::Fortify,
        };
        let table = NaiveState {
            land,
            player: state.player().index(),
            first: state.first_player().index(),
            step,
        };
        let mut total = Perft::default();
        walk(state.game(), &table, depth, &mut total);
        total
    }

    fn walk(game: &Game, table: &NaiveState, depth: u32, total: &mut Perft) {
        if table.step == NaivePhase::Won {
            total.terminals += 1;
            return;
        }
        if depth == 0 {
            return;
        }
        let next = successors(game, table);
        let is_chance = matches!(
            table.step,
            NaivePhase::First | NaivePhase::Deal | NaivePhase::Dice { .. }
        );
        let edges = next.len() as u64;
        *(if is_chance {
            &mut total.chances
        } else {
            &mut total.decisions
        }) += edges;
        for table in &next {
            walk(game, table, depth - 1, total);
        }
    }

    fn joined(game: &Game, a: usize, b: usize) -> bool {
        let spec = &game.map().spec().territories;
        spec[a].connections.contains(&spec[b].name)
    }

    /// Whether a way through land of one owner leads from `a` to `b`.
    fn linked(game: &Game, land: &[(usize, u32)], a: usize, b: usize) -> bool {
        let mut seen = vec![a];
        let mut n = 0;
        while n < seen.len() {
            for t in 0..land.len() {
                if !seen.contains(&t) && land[t].0 == land[a].0 && joined(game, seen[n], t) {
                    seen.push(t);
                }
            }
            n += 1;
        }
        seen.contains(&b)
    }

    fn begin_turn(game: &Game, table: &mut NaiveState) {
        let income = game.rules().income;
        let mine = |t: usize| table.land[t].0 == table.player;
        let n = (0..table.land.len()).filter(|&t| mine(t)).count() as u32;
        let mut armies = (n / u32::from(income.divisor)).max(u32::from(income.minimum));
        let spec = game.map().spec();
        for continent in &spec.continents {
            let whole = (0..table.land.len())
                .filter(|&t| spec.territories[t].continent == continent.name)
                .all(mine);
            if whole {
                armies += u32::from(continent.bonus);
            }
        }
        table.step = if armies > 0 {
            NaivePhase::Place(armies)
        } else {
            NaivePhase::Attack
        };
    }

    fn successors(game: &Game, table: &NaiveState) -> Vec<NaiveState> {
        let n = table.land.len();
        let mut next = Vec::new();
        let mut add = |change: &dyn Fn(&mut NaiveState)| {
            let mut copy = table.clone();
            change(&mut copy);
            next.push(copy);
        };
        let mine = |t: usize| table.land[t].0 == table.player;
        match table.step {
            NaivePhase::Won => {}
            NaivePhase::First => {
                for seat in 0..2 {
                    add(&|x| {
                        (x.first, x.player, x.step) = (seat, seat, NaivePhase::Deal);
                    });
                }
            }
            NaivePhase::Deal => {
                let free: Vec<usize> = (0..n).filter(|&t| table.land[t].0 == 9).collect();
                for &t in &free {
                    add(&|x| {
                        let dealt = n - free.len();
                        x.land[t] = ((table.first + dealt) % 2, 1);
                        if free.len() == 1 {
                            spread(game, x);
                            begin_turn(game, x);
                        }
                    });
                }
            }
            NaivePhase::Place(armies) => {
                for t in (0..n).filter(|&t| mine(t)) {
                    for k in 1..=armies {
                        add(&|x| {
                            x.land[t].1 += k;
                            x.step = if k == armies {
                                NaivePhase::Attack
                            } else {
                                NaivePhase::Place(armies - k)
                            };
                        });
                    }
                }
            }
            NaivePhase::Attack => {
                for from in (0..n).filter(|&t| mine(t)) {
                    for to in (0..n).filter(|&t| !mine(t) && joined(game, from, t)) {
                        let most = (table.land[from].1 - 1)
                            .min(u32::from(game.rules().battle.dice.attacker_max));
                        let least = if game.rules().battle.commitment == Commitment::Choice {
                            1
                        } else {
                            most.max(1)
                        };
                        for dice in least..=most {
                            add(&|x| x.step = NaivePhase::Dice { from, to, n: dice });
                        }
                    }
                }
                add(&|x| {
                    x.step = NaivePhase::Fortify;
                    if game.rules().fortify == Fortify::None {
                        pass(game, x);
                    }
                });
            }
            NaivePhase::Dice { from, to, n: dice } => {
                let rule = game.rules().battle.dice;
                let armies = table.land[to].1;
                let limit = if armies >= rule.defender_second_from {
                    u32::from(rule.defender_max)
                } else {
                    1
                };
                let compared = dice.min(armies.min(limit));
                for lost in 0..=compared {
                    add(&|x| {
                        x.land[from].1 -= lost;
                        x.land[to].1 -= compared - lost;
                        x.step = NaivePhase::Attack;
                        if x.land[to].1 == 0 {
                            x.land[to].0 = x.player;
                            let least = if game.rules().battle.occupy == Occupy::One {
                                1
                            } else {
                                dice
                            };
                            x.step = NaivePhase::Occupy { from, to, least };
                        }
                    });
                }
            }
            NaivePhase::Occupy { from, to, least } => {
                for k in least..table.land[from].1 {
                    add(&|x| {
                        x.land[from].1 -= k;
                        x.land[to].1 += k;
                        let won = x.land.iter().all(|&(owner, _)| owner == x.player);
                        x.step = if won {
                            NaivePhase::Won
                        } else {
                            NaivePhase::Attack
                        };
                    });
                }
            }
            NaivePhase::Fortify => {
                for from in (0..n).filter(|&t| mine(t)) {
                    for to in (0..n).filter(|&t| mine(t) && t != from) {
                        let may = match game.rules().fortify {
                            Fortify::OneAdjacent => joined(game, from, to),
                            _ => linked(game, &table.land, from, to),
                        };
                        for k in (1..table.land[from].1).filter(|_| may) {
                            add(&|x| {
                                x.land[from].1 -= k;
                                x.land[to].1 += k;
                                pass(game, x);
                            });
                        }
                    }
                }
                add(&|x| pass(game, x));
            }
        }
        next
    }

    fn pass(game: &Game, table: &mut NaiveState) {
        table.player = 1 - table.player;
        begin_turn(game, table);
    }

    /// One army after another in map order, until all initial armies stand.
    fn spread(game: &Game, table: &mut NaiveState) {
        table.player = table.first;
        for seat in 0..2 {
            let own: Vec<usize> = (0..table.land.len())
                .filter(|&t| table.land[t].0 == seat)
                .collect();
            for n in 0..game.initial_armies() as usize - own.len() {
                table.land[own[n % own.len()]].1 += 1;
            }
        }
    }
}

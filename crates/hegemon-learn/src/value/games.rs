//! The games that the value learns from.

use std::ops::ControlFlow;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use hegemon_arena::{GameSetup, Observer, play_game, run_blocks};
use hegemon_bots::{Grants, Spec};
use hegemon_core::{Event, MAX_PLAYERS, Phase, PlayerId, Rng, State, mix};
use hegemon_eval::value::{Beholder, ValueInputs};

use super::population::{TableKind, draw_game};
use super::rows::{Label, Rows};

/// Games to be made.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// Seed of everything.
    pub seed: u64,
    pub tables: Vec<TableKind>,
    /// Who sits at them.
    pub field: Vec<Spec>,
    /// Players of whom at least one is at every table, if there are any.
    pub withheld: Vec<Spec>,
    /// Who sits in a seat of every game besides, if anybody.
    pub champion: Option<ChampionSeats>,
    /// The chance that the beginning of a turn becomes a row, and any other decision.
    pub keep: [f64; 2],
}

/// The champion's seats at the tables.
#[derive(Clone, Debug)]
pub struct ChampionSeats {
    /// The champion on the map that has a net of its own.
    pub classic: Spec,
    /// The champion on every other map.
    pub any: Spec,
    /// The chance that a seat is another champion's, besides the first.
    pub more: f64,
}

/// Plays the games with these numbers; `take` gets the rows of each, in order, and says
/// whether to go on.
pub fn make_rows(
    plan: &GamePlan,
    games: Range<u64>,
    n_threads: usize,
    grants: &Grants,
    stop: &AtomicBool,
    mut take: impl FnMut(Rows) -> ControlFlow<()>,
) {
    let work = |n: u64| plan.play(n, grants);
    run_blocks(n_threads, games, stop, work, |_, rows| take(rows));
}

impl GamePlan {
    fn play(&self, n: u64, grants: &Grants) -> Rows {
        let seed = mix(mix(self.seed) ^ mix(n + 1));
        let mut rng = Rng::from_seed(seed);
        let (table, game) = draw_game(&self.tables, &mut rng);
        let is_classic = game.map().name().starts_with("classic");
        let (specs, champions) = self.seats(game.n_players(), is_classic, &mut rng);
        let mut keeper = Keeper {
            rng: Rng::from_seed(mix(seed ^ 1)),
            keep: self.keep,
            champions,
            last: None,
            kept: Vec::new(),
        };
        let setup = GameSetup {
            game,
            specs: &specs,
            deal_seed: mix(seed ^ 2),
            seed: mix(seed ^ 3),
            grants,
            start: None,
            deal: None,
        };
        let mut rows = Rows::default();
        let Ok(played) = play_game(&setup, &mut keeper) else {
            return rows;
        };
        for (inputs, mover, begins_turn) in &keeper.kept {
            let label = Label {
                game: n as u32,
                table: table as u8,
                n_players: game.n_players() as u8,
                is_classic,
                begins_turn: *begins_turn,
                has_champion: champions != 0,
            };
            let mut target = [0.0; MAX_PLAYERS];
            for (place, share) in target.iter_mut().enumerate().take(game.n_players()) {
                let seat = PlayerId::new((mover.index() + place) % game.n_players());
                *share = played.score(seat) as f32;
            }
            rows.push(inputs, &target, label);
        }
        rows
    }

    /// Who sits where, and the champion's seats as bits.
    fn seats(&self, n_players: usize, is_classic: bool, rng: &mut Rng) -> (Vec<&Spec>, u8) {
        let field = &self.field;
        // Now a mixed table, now one with few kinds of players.
        let n_kinds = 1 + rng.below(field.len().min(n_players + 2) as u32) as usize;
        let kinds: Vec<&Spec> = (0..n_kinds)
            .map(|_| &field[rng.below(field.len() as u32) as usize])
            .collect();
        let mut specs: Vec<&Spec> = (0..n_players)
            .map(|_| kinds[rng.below(n_kinds as u32) as usize])
            .collect();
        if !self.withheld.is_empty() {
            for (seat, spec) in specs.iter_mut().enumerate() {
                if seat == 0 || rng.chance(0.5) {
                    *spec = &self.withheld[rng.below(self.withheld.len() as u32) as usize];
                }
            }
            rng.shuffle(&mut specs);
        }
        let mut champions = 0;
        if let Some(seats) = &self.champion {
            let champion = if is_classic {
                &seats.classic
            } else {
                &seats.any
            };
            let first = rng.below(n_players as u32) as usize;
            for (seat, spec) in specs.iter_mut().enumerate() {
                if seat == first || rng.chance(seats.more) {
                    *spec = champion;
                    champions |= 1 << seat;
                }
            }
        }
        (specs, champions)
    }
}

/// Keeps some positions of a game.
struct Keeper {
    rng: Rng,
    keep: [f64; 2],
    champions: u8,
    last: Option<(u32, PlayerId)>,
    kept: Vec<(ValueInputs, PlayerId, bool)>,
}

impl Observer for Keeper {
    fn on_event(&mut self, before: &State, event: Event) {
        if !matches!(event, Event::Move(_)) || before.phase() == Phase::Claim {
            return;
        }
        let turn = (before.round(), before.player());
        let begins_turn = self.last != Some(turn);
        self.last = Some(turn);
        let [turns, others] = self.keep;
        if !self.rng.chance(if begins_turn { turns } else { others }) {
            return;
        }
        let inputs = ValueInputs::new(before, self.beholder(before));
        self.kept.push((inputs, before.player(), begins_turn));
    }
}

impl Keeper {
    /// Now the eyes of a player in the game, now nobody's; the champions are known now
    /// and then only.
    fn beholder(&mut self, state: &State) -> Beholder {
        let alive: Vec<PlayerId> = state.alive().collect();
        let is_champion = |p: &PlayerId| self.champions >> p.index() & 1 == 1;
        let champion = alive.iter().copied().find(is_champion);
        let any = alive[self.rng.below(alive.len() as u32) as usize];
        let viewer = match champion {
            Some(champion) if self.rng.chance(0.6) => Some(champion),
            _ if self.rng.chance(0.25) => None,
            _ => Some(any),
        };
        Beholder {
            viewer,
            champions: if self.rng.chance(0.1) {
                0
            } else {
                self.champions
            },
        }
    }
}

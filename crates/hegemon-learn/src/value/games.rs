//! The games that the value learns from.

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

use hegemon_arena::{Fixture, Observer, play_fixture, run_blocks};
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
    /// How many games.
    pub n_games: u64,
    /// The tables.
    pub tables: Vec<TableKind>,
    /// Who sits at them.
    pub field: Vec<Spec>,
    /// Players of whom at least one is at every table, marked as withheld.
    pub withheld: Vec<Spec>,
    /// Who sits in a seat of every game besides, if anybody, and the chance that each
    /// other seat is another of the same.
    pub champion: Option<(Spec, f64)>,
    /// The chance that the beginning of a turn becomes a row, and any other decision.
    pub keep: [f64; 2],
}

/// What was made: rows that know the classic map, and rows that know none.
#[derive(Clone, Debug)]
pub struct MadeRows {
    /// Rows of the classic map with its territories.
    pub classic: Rows,
    /// Rows of all maps without territories.
    pub any: Rows,
    /// Games played.
    pub n_games: u64,
}

/// Territories of the map that has a net of its own.
pub(super) const CLASSIC_TERRITORIES: usize = 42;

/// Plays the games and keeps rows of them.
pub fn make_rows(plan: &GamePlan, n_threads: usize, grants: &Grants, stop: &AtomicBool, mut tell: impl FnMut(u64)) -> MadeRows {
    let mut made = MadeRows {
        classic: Rows::new(CLASSIC_TERRITORIES),
        any: Rows::new(0),
        n_games: 0,
    };
    let work = |n: u64| plan.play(n, grants);
    run_blocks(n_threads, 0..plan.n_games, stop, work, |_, (classic, any)| {
        made.classic.append(classic);
        made.any.append(any);
        made.n_games += 1;
        if made.n_games.is_multiple_of(1000) {
            tell(made.n_games);
        }
        ControlFlow::Continue(())
    });
    made
}

impl GamePlan {
    fn play(&self, n: u64, grants: &Grants) -> (Rows, Rows) {
        let seed = mix(mix(self.seed) ^ mix(n + 1));
        let mut rng = Rng::from_seed(seed);
        let (table, game) = draw_game(&self.tables, &mut rng);
        let (specs, champions) = self.seats(game.n_players(), &mut rng);
        let mut keeper = Keeper {
            rng: Rng::from_seed(mix(seed ^ 1)),
            keep: self.keep,
            champions,
            last: None,
            kept: Vec::new(),
        };
        let fixture = Fixture {
            game,
            specs: &specs,
            deal_seed: mix(seed ^ 2),
            seed: mix(seed ^ 3),
            grants,
            start: None,
        };
        let (mut classic, mut any) = (Rows::new(CLASSIC_TERRITORIES), Rows::new(0));
        let Ok(played) = play_fixture(&fixture, &mut keeper) else {
            return (classic, any);
        };
        let knows_map = game.map().name().starts_with("classic");
        for (inputs, mover, begins_turn) in &keeper.kept {
            let label = Label {
                game: n as u32,
                table: table as u8,
                n_players: game.n_players() as u8,
                begins_turn: *begins_turn,
                is_withheld: !self.withheld.is_empty(),
                has_champion: champions != 0,
            };
            let mut target = [0.0; MAX_PLAYERS];
            for (place, share) in target.iter_mut().enumerate().take(game.n_players()) {
                let seat = PlayerId::new((mover.index() + place) % game.n_players());
                *share = played.score(seat) as f32;
            }
            any.push(inputs, &target, label);
            if knows_map {
                classic.push(inputs, &target, label);
            }
        }
        (classic, any)
    }

    /// Who sits where, and the champion's seats as bits.
    fn seats(&self, n_players: usize, rng: &mut Rng) -> (Vec<&Spec>, u8) {
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
            for seat in 0..n_players {
                if seat == 0 || rng.chance(0.5) {
                    specs[seat] = &self.withheld[rng.below(self.withheld.len() as u32) as usize];
                }
            }
            rng.shuffle(&mut specs);
        }
        let mut champions = 0;
        if let Some((champion, more)) = &self.champion {
            let seat = rng.below(n_players as u32) as usize;
            for (n, spec) in specs.iter_mut().enumerate() {
                if n == seat || rng.chance(*more) {
                    *spec = champion;
                    champions |= 1 << n;
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
            champions: if self.rng.chance(0.1) { 0 } else { self.champions },
        }
    }
}

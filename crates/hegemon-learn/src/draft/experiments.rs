//! The experiments of paper 002 and their controls.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hegemon_arena::stats::{Moments, share_ci95};
use hegemon_arena::{
    Contest, ContestError, ContestReport, Fixture, Observer, deal_seed, game_seed, play_fixture,
    run_blocks, seat_orders,
};
use hegemon_bots::{Spec, SpecError};
use hegemon_core::{Game, Move, Phase, PlayerId, State};
use hegemon_eval::draft::DraftEvaluator;

use super::{DraftTrainError, paper_game};

/// How the bots of a match-up are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The bot drafts and Quo plays on: what the paper's tournament compared.
    Drafters,
    /// The bot drafts and plays.
    Complete,
}

/// A match-up of three of the paper, with the wins of 300 games that it reports.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchUp {
    /// The bots; `uct` is Quo with the UCT drafter.
    pub bots: [&'static str; 3],
    /// Wins of 300 in the paper.
    pub paper: [f64; 3],
    /// Wins of 300 of the original agents, as the reference has them for the
    /// drafters' reading.
    pub drafters: [f64; 3],
    /// The same for complete bots without cards, where known.
    pub complete: Option<[f64; 3]>,
}

const fn match_up(
    bots: [&'static str; 3],
    paper: [f64; 3],
    drafters: [f64; 3],
    complete: Option<[f64; 3]>,
) -> MatchUp {
    MatchUp {
        bots,
        paper,
        drafters,
        complete,
    }
}

/// Table 2 of the paper; spec lux_bots 10.1 and 10.3.
pub const TABLE_2: [MatchUp; 10] = [
    match_up(
        ["quo", "evil-pixie", "killbot"],
        [105.0, 90.0, 105.0],
        [90.0, 101.0, 110.0],
        Some([32.0, 197.0, 72.0]),
    ),
    match_up(
        ["quo", "evil-pixie", "boscoe"],
        [126.0, 128.0, 46.0],
        [131.0, 126.0, 43.0],
        Some([40.0, 240.0, 20.0]),
    ),
    match_up(
        ["quo", "killbot", "boscoe"],
        [67.0, 185.0, 48.0],
        [66.0, 192.0, 43.0],
        Some([144.0, 141.0, 15.0]),
    ),
    match_up(
        ["evil-pixie", "killbot", "boscoe"],
        [63.0, 181.0, 56.0],
        [66.0, 192.0, 43.0],
        Some([146.0, 132.0, 23.0]),
    ),
    match_up(
        ["uct", "quo", "evil-pixie"],
        [190.0, 54.0, 56.0],
        [172.0, 60.0, 69.0],
        Some([114.0, 38.0, 148.0]),
    ),
    match_up(
        ["uct", "quo", "killbot"],
        [181.0, 60.0, 59.0],
        [175.0, 63.0, 63.0],
        Some([117.0, 60.0, 123.0]),
    ),
    match_up(
        ["uct", "evil-pixie", "killbot"],
        [190.0, 51.0, 59.0],
        [173.0, 63.0, 65.0],
        Some([95.0, 149.0, 56.0]),
    ),
    match_up(
        ["uct", "quo", "boscoe"],
        [234.0, 53.0, 13.0],
        [241.0, 47.0, 13.0],
        None,
    ),
    match_up(
        ["uct", "evil-pixie", "boscoe"],
        [254.0, 36.0, 10.0],
        [238.0, 51.0, 12.0],
        None,
    ),
    match_up(
        ["uct", "killbot", "boscoe"],
        [230.0, 68.0, 2.0],
        [237.0, 58.0, 6.0],
        Some([192.0, 98.0, 10.0]),
    ),
];

/// The spec of a bot in a reading.
pub fn spec_in(reading: Reading, bot: &str) -> String {
    match (reading, bot) {
        (_, "uct" | "greedy" | "random") => format!("quo(draft={bot})"),
        (Reading::Drafters, _) => format!("quo(draft={bot})"),
        (Reading::Complete, _) => bot.to_owned(),
    }
}

/// How large an experiment is and on what.
#[derive(Clone, Copy, Debug)]
pub struct Size<'a> {
    /// At least so many games a match-up.
    pub n_games: u64,
    /// Seed of everything.
    pub seed: u64,
    /// Worker threads.
    pub n_threads: usize,
    /// Stops early.
    pub stop: &'a AtomicBool,
}

/// Plays a match-up of Table 2.
///
/// # Errors
///
/// If a bot cannot be built.
pub fn play_match_up(
    match_up: &MatchUp,
    reading: Reading,
    size: &Size<'_>,
) -> Result<ContestReport, DraftTrainError> {
    let specs = match_up.bots.map(|bot| spec_in(reading, bot));
    contest(&paper_game(3)?, &specs, size)
}

/// Plays any match.
///
/// # Errors
///
/// If a spec cannot be used.
pub fn contest(
    game: &Arc<Game>,
    specs: &[String],
    size: &Size<'_>,
) -> Result<ContestReport, DraftTrainError> {
    let specs = specs
        .iter()
        .map(|text| text.parse())
        .collect::<Result<Vec<Spec>, _>>()?;
    let contest = Contest {
        game: Arc::clone(game),
        specs,
        n_games: size.n_games,
        seed: size.seed,
        n_threads: size.n_threads,
        records: None,
    };
    contest.run(size.stop, |_| {}).map_err(|error| match error {
        ContestError::Spec(error) => error.into(),
        other => DraftTrainError::Params(other.to_string()),
    })
}

/// How a drafter did in Figure 5(a).
#[derive(Clone, Debug, PartialEq)]
pub struct DrafterScore {
    /// Its spec.
    pub spec: String,
    /// Mean share that the evaluator gives to its drafts, with a 95 % interval.
    pub evaluation: (f64, [f64; 2]),
    /// Share of the games won, with a 95 % interval.
    pub wins: (f64, [f64; 2]),
}

/// Figure 5(a) of the paper, for any specs: the mean evaluation of the drafts,
/// and the share of the wins. One seat order each per block.
///
/// # Errors
///
/// If a spec cannot be used.
pub fn drafter_scores(
    specs: &[String],
    evaluator: &DraftEvaluator,
    size: &Size<'_>,
) -> Result<Vec<DrafterScore>, DraftTrainError> {
    let game = paper_game(specs.len())?;
    let parsed = specs
        .iter()
        .map(|text| text.parse())
        .collect::<Result<Vec<Spec>, _>>()?;
    let orders = seat_orders(specs.len());
    let n_blocks = size.n_games.div_ceil(orders.len() as u64);
    let mut moments = vec![(Moments::default(), Moments::default()); specs.len()];
    let mut failure: Option<SpecError> = None;
    run_blocks(
        size.n_threads,
        0..n_blocks,
        size.stop,
        |block| drafter_block(&game, &parsed, evaluator, size.seed, block),
        |_, sums| match sums {
            Ok(sums) => {
                for (moments, (evaluation, wins)) in moments.iter_mut().zip(sums) {
                    moments.0.push(evaluation);
                    moments.1.push(wins);
                }
                ControlFlow::Continue(())
            }
            Err(error) => {
                failure = Some(error);
                ControlFlow::Break(())
            }
        },
    );
    if let Some(error) = failure {
        return Err(error.into());
    }
    let estimate = |moments: &Moments| {
        let interval = share_ci95(moments);
        (moments.mean().unwrap_or(0.0), [interval.low, interval.high])
    };
    let scores = specs
        .iter()
        .zip(&moments)
        .map(|(spec, (evaluation, wins))| DrafterScore {
            spec: spec.clone(),
            evaluation: estimate(evaluation),
            wins: estimate(wins),
        });
    Ok(scores.collect())
}

/// One block of Figure 5(a): for each spec the mean evaluation of its drafts and
/// its share of the wins over all seat orders.
///
/// # Errors
///
/// If a spec cannot be used.
pub fn drafter_block(
    game: &Arc<Game>,
    specs: &[Spec],
    evaluator: &DraftEvaluator,
    seed: u64,
    block: u64,
) -> Result<Vec<(f64, f64)>, SpecError> {
    let orders = seat_orders(specs.len());
    let deal_seed = deal_seed(seed, "drafters", block);
    let mut sums = vec![(0.0, 0.0); specs.len()];
    for (n, order) in orders.iter().enumerate() {
        let seated: Vec<Spec> = order.iter().map(|&p| specs[p].clone()).collect();
        let fixture = Fixture {
            game,
            specs: &seated,
            deal_seed,
            seed: game_seed(deal_seed, n as u64),
        };
        let mut claims = Claims::new(game);
        let played = play_fixture(&fixture, &mut claims)?;
        let shares = evaluator.shares(&claims.owners);
        for (seat, &player) in order.iter().enumerate() {
            let rank = claims.rank(PlayerId::new(seat));
            sums[player].0 += shares[rank] / orders.len() as f64;
            sums[player].1 += played.score[PlayerId::new(seat)] / orders.len() as f64;
        }
    }
    Ok(sums)
}

/// Notes who claims what, in the order of play.
struct Claims {
    owners: Vec<PlayerId>,
    first: usize,
    n_players: usize,
}

impl Claims {
    fn new(game: &Game) -> Claims {
        Claims {
            owners: vec![PlayerId::NOBODY; game.map().n_territories()],
            first: 0,
            n_players: game.n_players(),
        }
    }

    fn rank(&self, seat: PlayerId) -> PlayerId {
        PlayerId::new((seat.index() + self.n_players - self.first) % self.n_players)
    }
}

impl Observer for Claims {
    fn on_move(&mut self, before: &State, mv: Move) {
        if let (Phase::Claim, Move::Claim { territory }) = (before.phase(), mv) {
            self.first = before.first_player().index();
            self.owners[territory.index()] = self.rank(before.player());
        }
    }
}

//! Hints: the best few plans of a decision, with the reason.

use hegemon_bots::{Forecast, Guess, Judge, Judged};
use hegemon_core::{Game, Move, Node, State};
use serde::Serialize;

use crate::level::Level;
use crate::words::action_words;

/// Chances below this are not mentioned.
const RARE: f64 = 0.1;

/// Plans are compared at least this many at a time, however few are asked for.
const LEAST_COMPARED: usize = 6;

/// Plans whose chances differ by no more than this are level: half of what a round costs, so
/// that the shorter way to win stays the better one.
const LEVEL_CHANCE: f64 = 0.0005;

/// The best plans of a decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hints {
    /// Seat that decides.
    pub seat: usize,
    /// Chance to win by seat, by rollouts, with standard errors.
    pub chances: Vec<f64>,
    /// See `chances`.
    pub errors: Vec<f64>,
    /// The best first.
    pub plans: Vec<Hint>,
}

/// A plan: what to do now, and what is expected of the rest of the turn.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hint {
    /// Moves in the notation of records.
    pub moves: Vec<String>,
    /// The same in words.
    pub words: String,
    /// Chance to win if the turn goes on well.
    pub chance: f64,
    /// Its standard error.
    pub error: f64,
    /// Armies lost in the turn, on average.
    pub losses: f64,
    /// Armies that the others lose in it.
    pub kills: f64,
    /// Why, in a sentence.
    pub why: String,
}

/// The best `n_plans` plans at a decision. None if the state waits for no decision.
pub fn hints(
    judge: &Judge,
    state: &State,
    guess: &Guess,
    level: Level,
    n_plans: usize,
    seed: u64,
) -> Option<Hints> {
    let Node::Decision(seat) = state.node() else {
        return None;
    };
    let looks = level.hint_looks(n_plans.max(LEAST_COMPARED));
    let verdict = judge.judge(state, guess, None, looks, seed)?;
    let rollouts = judge.rollouts(state, guess, looks.compare, seed);
    let n_players = state.game().n_players();
    let mut plans: Vec<&Judged> = verdict.plans.iter().collect();
    favour_outlook(state.game(), &mut plans);
    Some(Hints {
        seat: seat.index(),
        chances: rollouts.chances.as_slice()[..n_players].to_vec(),
        errors: rollouts.errors.as_slice()[..n_players].to_vec(),
        plans: plans
            .into_iter()
            .take(n_plans)
            .map(|plan| Hint::of(state, plan))
            .collect(),
    })
}

/// Puts the plans that are level with the first one in the order of what is seen to come of
/// them. Where a game is all but won or lost, all chances are alike, and a player still wants
/// to hear of the plan that makes sense.
fn favour_outlook(game: &Game, plans: &mut [&Judged]) {
    let Some(best) = plans.first().copied() else {
        return;
    };
    let is_level = |plan: &&Judged| best.chance - plan.chance <= LEVEL_CHANCE;
    let n_level = plans.iter().take_while(|plan| is_level(plan)).count();
    plans[..n_level]
        .sort_by(|a, b| outlook(game, &b.forecast).total_cmp(&outlook(game, &a.forecast)));
}

/// What comes of a plan, roughly in armies.
fn outlook(game: &Game, forecast: &Forecast) -> f64 {
    let bonus = |continent| f64::from(game.bonus(continent, 1));
    let held = forecast.continents.iter();
    let broken = forecast.broken.iter();
    let eliminated = forecast.eliminated.iter();
    100.0 * forecast.won
        + 10.0 * eliminated.map(|(_, p)| p).sum::<f64>()
        + held.map(|c| c.held * bonus(c.continent)).sum::<f64>()
        + broken.map(|(_, c, p)| p * bonus(*c)).sum::<f64>()
        + 5.0 * forecast.kept
        + forecast.kills
        - forecast.losses
}

impl Hint {
    fn of(state: &State, plan: &Judged) -> Hint {
        Hint {
            moves: plan.action.moves().iter().map(Move::to_string).collect(),
            words: action_words(state, &plan.action),
            chance: plan.chance,
            error: plan.error,
            losses: plan.forecast.losses,
            kills: plan.forecast.kills,
            why: reason(state.game(), &plan.forecast),
        }
    }
}

/// The reason in a sentence, of what the looks saw.
fn reason(game: &Game, forecast: &Forecast) -> String {
    let percent = |p: f64| format!("{:.0} %", 100.0 * p);
    let map = game.map();
    let mut parts = Vec::new();
    if forecast.won >= RARE {
        parts.push(format!("wins at once: {}", percent(forecast.won)));
    }
    for (seat, p) in forecast.eliminated.iter().filter(|(_, p)| *p >= RARE) {
        let who = seat.index() + 1;
        parts.push(format!("eliminates player {who}: {}", percent(*p)));
    }
    for found in forecast.continents.iter().filter(|c| c.taken >= RARE) {
        parts.push(format!(
            "takes {}: {}, holds it until the next turn {}, +{} a turn",
            map.continent_name(found.continent),
            percent(found.taken),
            percent(found.held),
            game.bonus(found.continent, 1),
        ));
    }
    let broken = forecast.broken.iter().filter(|(.., p)| *p >= RARE);
    for (seat, continent, p) in broken.clone() {
        parts.push(format!(
            "breaks {} of player {}: {}",
            map.continent_name(*continent),
            seat.index() + 1,
            percent(*p)
        ));
    }
    if parts.is_empty() {
        let mut taken: Vec<_> = forecast.taken.iter().filter(|(_, p)| *p >= RARE).collect();
        taken.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (territory, p) in taken.iter().take(2) {
            let name = map.territory_name(*territory);
            parts.push(format!("takes {name}: {}", percent(*p)));
        }
    }
    if parts.is_empty() {
        parts.push("takes nothing".to_owned());
    }
    if broken.count() == 0 && forecast.won < 0.5 {
        parts.push("breaks nobody".to_owned());
    }
    if forecast.won < 0.5 {
        let kept = percent(forecast.kept);
        parts.push(format!("loses no ground until the next turn: {kept}"));
    }
    parts.join("; ")
}

//! Hints: the best few plans of a decision, with the reason.

use hegemon_bots::search::RiskAction;
use hegemon_bots::{Forecast, Guess, Inquiry, Judge, Judged, Judgement, Looks};
use hegemon_core::{Game, Node, State};
use serde::Serialize;

use crate::game_analysis::{SkillPoint, moves_of};
use crate::level::Level;
use crate::outlook::{favour_outlook, telling};
use crate::words::action_words;

/// Chances below this are not mentioned.
const RARE: f64 = 0.1;

/// Own continents of which a reason speaks, the least safe ones.
const MOST_GUARDED: usize = 2;

/// Plans are compared at least this many at a time, however few are asked for.
pub(crate) const LEAST_COMPARED: usize = 6;

/// The best plans of a decision.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hints {
    /// Seat that decides.
    pub seat: usize,
    /// Chance to win by seat if bots play on for everybody, by rollouts. A plan starts with a
    /// chosen move, so the best ones are mostly above that.
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
    let verdict = verdict(judge, state, guess, None, looks, seed)?;
    let rollouts = judge.rollouts(state, guess, looks.compare, seed);
    let n_players = state.game().n_players();
    let mut plans: Vec<&Judged> = verdict.plans.iter().collect();
    favour_outlook(state, &mut plans);
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

/// What was done in a state, judged in the way of a hint: each plan is given the rest of the
/// turn that makes the most of it, and the better plan is the one that a hint tells first. None
/// if the state waits for no decision, or if there was no time.
pub(crate) fn second_opinion(
    judge: &Judge,
    state: &State,
    guess: &Guess,
    action: &RiskAction,
    looks: Looks,
    seed: u64,
) -> Option<SkillPoint> {
    let verdict = verdict(judge, state, guess, Some(action), looks, seed)?;
    let skill = SkillPoint::of(state, action, &verdict)?;
    let named = told_first(state, &verdict.plans);
    Some(match named.filter(|plan| plan.action != *action) {
        Some(plan) => skill.naming(state, &plan.action),
        None => skill,
    })
}

/// The plan that a hint tells first.
fn told_first<'a>(state: &State, plans: &'a [Judged]) -> Option<&'a Judged> {
    let mut plans: Vec<&Judged> = plans.iter().collect();
    favour_outlook(state, &mut plans);
    plans.into_iter().next()
}

fn verdict(
    judge: &Judge,
    state: &State,
    guess: &Guess,
    chosen: Option<&RiskAction>,
    looks: Looks,
    seed: u64,
) -> Option<Judgement> {
    let also = &telling(state);
    let inquiry = Inquiry { chosen, also };
    judge.judge(state, guess, inquiry, looks, seed)
}

impl Hint {
    fn of(state: &State, plan: &Judged) -> Hint {
        Hint {
            moves: moves_of(&plan.action),
            words: action_words(state, &plan.action),
            chance: plan.chance,
            error: plan.error,
            losses: plan.forecast.losses,
            kills: plan.forecast.kills,
            why: reason(state.game(), state.round() + 1, &plan.forecast),
        }
    }
}

/// The reason in a sentence, of what the looks saw. Continents pay next in the round `pays`.
fn reason(game: &Game, pays: u32, forecast: &Forecast) -> String {
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
            game.bonus(found.continent, pays),
        ));
    }
    let mut guarded = forecast.guarded.clone();
    guarded.sort_by(|a, b| a.1.total_cmp(&b.1));
    for (continent, p) in guarded.iter().take(MOST_GUARDED) {
        let name = map.continent_name(*continent);
        parts.push(format!("holds {name} until the next turn: {}", percent(*p)));
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

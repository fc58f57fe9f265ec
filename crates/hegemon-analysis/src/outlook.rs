//! The order of plans whose chances are level: by what is seen to come of them, counted
//! roughly in armies.

use hegemon_bots::search::{RiskAction, candidates};
use hegemon_bots::{Forecast, Judged};
use hegemon_core::{ContinentId, Move, Phase, State, TerritoryId};

use crate::campaign::law_at;

/// What a won game counts.
const WIN: f64 = 100.0;
/// What a player who is out counts.
const ELIMINATION: f64 = 10.0;
/// What it counts that no ground is lost until the next turn.
const KEPT: f64 = 5.0;
/// What a card counts.
const CARD: f64 = 1.0;
/// What an army counts that stands where it can fight, and not behind the lines.
const AT_THE_FRONT: f64 = 0.1;
/// What each further part of a placement costs: of two plans that do the same, the one
/// that is said more briefly is better.
const PART: f64 = 0.5;

/// Forces beyond this are counted in groups of armies, which changes little and keeps hints
/// quick.
const LARGEST: u32 = 100;

/// How many attacks are compared for what they do by themselves.
const N_TELLING: usize = 2;

/// Puts the plans that are level with the first one in the order of what comes of them.
/// Where a game is all but won or lost all chances are alike, and the order of attacks in
/// one turn often matters little to them; a player still wants to hear first of what the
/// turn is about.
pub(crate) fn favour_outlook(state: &State, plans: &mut Vec<&Judged>) {
    let (level, rest): (Vec<&Judged>, Vec<&Judged>) = plans.iter().partition(|plan| plan.is_level);
    let level = level.into_iter().map(|plan| (outlook(state, plan), plan));
    let mut level: Vec<(f64, &Judged)> = level.collect();
    level.sort_by(|a, b| b.0.total_cmp(&a.0));
    *plans = level.into_iter().map(|(_, plan)| plan).collect();
    plans.extend(rest);
}

/// What comes of a plan: in the whole turn and until the next one, and of its first action
/// alone. So of plans that come to the same, the one that does it at once is better.
pub(crate) fn outlook(state: &State, plan: &Judged) -> f64 {
    of_turn(state, &plan.forecast) + of_action(state, &plan.action)
}

fn of_turn(state: &State, forecast: &Forecast) -> f64 {
    let bonus = |continent| next_bonus(state, continent);
    let held = forecast.continents.iter();
    let guarded = forecast.guarded.iter();
    let broken = forecast.broken.iter();
    let eliminated = forecast.eliminated.iter();
    WIN * forecast.won
        + ELIMINATION * eliminated.map(|(_, p)| p).sum::<f64>()
        + held.map(|c| c.held * bonus(c.continent)).sum::<f64>()
        + guarded.map(|(c, p)| p * bonus(*c)).sum::<f64>()
        + broken.map(|(_, c, p)| p * bonus(*c)).sum::<f64>()
        + KEPT * forecast.kept
        + forecast.kills
        - forecast.losses
}

/// What a continent pays at the next turn: bonuses may grow from round to round.
fn next_bonus(state: &State, continent: ContinentId) -> f64 {
    f64::from(state.game().bonus(continent, state.round() + 1))
}

/// The attacks that do most by themselves, whatever looks at them say.
pub(crate) fn telling(state: &State) -> Vec<RiskAction> {
    let is_attack = |action: &RiskAction| matches!(action, RiskAction::Play(Move::Attack { .. }));
    let attacks = candidates(state).into_iter().filter(is_attack);
    let mut attacks: Vec<(f64, RiskAction)> = attacks
        .map(|action| (of_action(state, &action), action))
        .filter(|(worth, _)| *worth > 0.0)
        .collect();
    attacks.sort_by(|a, b| b.0.total_cmp(&a.0));
    let most = attacks.into_iter().take(N_TELLING);
    most.map(|(_, action)| action).collect()
}

/// What an action does by itself, or what it makes possible in the same turn.
fn of_action(state: &State, action: &RiskAction) -> f64 {
    if let RiskAction::Play(Move::Attack { from, to, .. }) = action {
        return of_attack(state, *from, *to);
    }
    if state.phase() == Phase::Setup {
        return 0.0;
    }
    let mut after = state.clone();
    for mv in action.moves() {
        after.play_unchecked(mv);
    }
    match action {
        RiskAction::Recruit(allocation) => {
            let n_parts = allocation.placed().len().max(1);
            best_attack(&after) - PART * (n_parts - 1) as f64
        }
        RiskAction::Play(Move::Occupy { .. }) => best_attack(&after) + at_the_front(&after, state),
        RiskAction::Play(Move::Fortify { .. }) => at_the_front(&after, state),
        RiskAction::Play(_) => 0.0,
    }
}

/// What the best attack is worth by itself.
fn best_attack(state: &State) -> f64 {
    let (board, map) = (state.board(), state.game().map());
    let mut best = 0.0_f64;
    for from in board.frontier(map, state.player()) {
        if board.armies(from) < 2 {
            continue;
        }
        for to in board.enemy_neighbors(map, from) {
            best = best.max(of_attack(state, from, to));
        }
    }
    best
}

/// What an attack to the end is worth by itself, by its exact odds.
fn of_attack(state: &State, from: TerritoryId, to: TerritoryId) -> f64 {
    let board = state.board();
    let (fighters, defenders) = (board.armies(from).saturating_sub(1), board.armies(to));
    let scale = fighters.max(defenders).div_ceil(LARGEST).max(1);
    if fighters < scale {
        return -f64::from(fighters);
    }
    let ends = law_at(state, to).distribution(fighters / scale, (defenders / scale).max(1));
    let losses = ends.expected_losses().0 * f64::from(scale);
    ends.win() * of_conquest(state, to) - losses
}

/// What it is worth to conquer a territory.
fn of_conquest(state: &State, territory: TerritoryId) -> f64 {
    let (game, board, me) = (state.game(), state.board(), state.player());
    let (map, owner) = (game.map(), board.owner(territory));
    let continent = map.continent_of(territory);
    let bonus = next_bonus(state, continent);
    let mut worth = 1.0;
    if owner.is_seat() && board.n_owned(owner) == 1 {
        let is_last = state.alive().count() == 2;
        worth += if is_last { WIN } else { ELIMINATION };
    }
    if owner.is_seat() && board.owns_continent(map, owner, continent) {
        worth += bonus;
    }
    let mut after = board.owned(me);
    after.insert(territory);
    if (map.continent(continent).territories - after).is_empty() {
        worth += bonus;
    }
    if game.rules().has_cards() && !state.has_conquered() {
        worth += CARD;
    }
    worth
}

fn at_the_front(after: &State, before: &State) -> f64 {
    let (board, me) = (after.board(), before.player());
    let front = board.frontier(after.game().map(), me);
    let armies: u32 = front.iter().map(|t| board.armies(t)).sum();
    AT_THE_FRONT * f64::from(armies)
}

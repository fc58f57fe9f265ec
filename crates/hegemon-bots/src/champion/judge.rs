//! The champion's search as a judge: what the candidates of a decision are worth, how
//! sure that is, and what is expected to come of them.
//!
//! A judgement has two stages. Halving finds the best candidates; then these and the
//! move that was made are tried again in worlds of their own, all in the same ones. The
//! numbers of a verdict come from the second stage alone, so that whoever was lucky in
//! the first is not flattered.

use std::sync::Arc;

use hegemon_core::{ByPlayer, Event, Game, Move, Node, PlayerId, Rng, State, TerritoryId, View};
use hegemon_eval::value::Beholder;
use hegemon_search::{Domain as _, Stop};

use super::beliefs::Beliefs;
use super::bot::{ChampionParams, LookSetting};
use super::forecast::{Forecast, ForecastTally, OwnTurn};
use super::look::{Candidate, Front, LookSeats, Stride, Then};
use super::stand_in::StandIn;
use crate::bot::Seating;
use crate::loader::Grants;
use crate::registry;
use crate::search::{RiskAction, RiskGame, Trial, halve};
use crate::spec::SpecError;

/// The champion as a judge. Of two ways to win the shorter one is better by a hair, so
/// that what is said stays a chance to win. Forecasts are about the next turn, so looks
/// go there and no further, whatever the champion does at the table.
const JUDGE: &str = "champion(discount=0.999,horizon=1,goals=off)";

/// Plans whose chances differ by no more than this are level: half of what makes an
/// inaccuracy, and less than the error of the value itself.
const LEVEL_CHANCE: f64 = 0.01;

/// Looks that confirm a way to go on, for each one that found it.
const LOOKS_TO_CONFIRM: u32 = 4;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Looks {
    /// Looks a candidate to find the best ones, on average.
    pub find: u32,
    /// Looks at each way to go on after those that are compared; with 0 they go on as
    /// they were found.
    pub follow: u32,
    /// Looks at each of those that are compared in the end.
    pub compare: u32,
    /// The comparison goes on to this many looks, unless no other one is level with the best.
    pub most: u32,
    /// How many are compared, the move that was made not counted.
    pub finalists: usize,
}

/// What is asked about a decision.
#[derive(Clone, Copy, Debug, Default)]
pub struct Inquiry<'a> {
    /// The move that was made, if one was.
    pub chosen: Option<&'a RiskAction>,
    /// Candidates that are compared in the end whatever the first looks at them say.
    pub also: &'a [RiskAction],
}

/// Who sits where: for each seat the chance of each suspect.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess(Vec<Vec<f64>>);

/// Guesses who sits where from the moves of a game.
pub struct Watch(Beliefs);

impl Watch {
    /// Learns from an event; `before` is the state before it.
    pub fn observe(&mut self, before: &State, event: Event) {
        if let Event::Move(mv) = event {
            self.0.observe(View::of_mover(before), mv);
        }
    }

    /// What is believed now.
    pub fn guess(&self) -> Guess {
        Guess(self.0.posteriors())
    }
}

/// A candidate and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    /// What is done.
    pub action: RiskAction,
    /// Chance to win.
    pub chance: f64,
    /// Standard error of the chance.
    pub error: f64,
    /// Whether it is level with the best of those compared: not behind by more than a point
    /// of chance, by two standard errors of the difference in the same worlds.
    pub is_level: bool,
    /// What comes of it.
    pub forecast: Forecast,
}

/// What is said about a decision.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// The candidates that were compared, the best first; none twice.
    pub plans: Vec<Judged>,
    /// The best one found: its number in `plans`.
    pub best: usize,
    /// The move that was made, if one was given.
    pub chosen: Option<Judged>,
    /// Chance of the best one found minus that of the move made, in the same worlds. It
    /// is below zero where the worlds of the comparison favour the move.
    pub loss: f64,
    /// Standard error of the loss.
    pub loss_error: f64,
}

/// Chances by short rollouts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rollouts {
    /// Mean chance by seat.
    pub chances: ByPlayer<f64>,
    /// Its standard error.
    pub errors: ByPlayer<f64>,
}

/// Judges the decisions of one game.
pub struct Judge {
    game: Arc<Game>,
    /// The champion in every seat.
    seats: Vec<ChampionParams>,
}

impl Judge {
    /// A judge of games like this one, who stops when told to.
    ///
    /// # Errors
    ///
    /// If a bot of the portfolio cannot play the game.
    pub fn new(game: &Arc<Game>, stop: &Stop) -> Result<Judge, SpecError> {
        let spec = JUDGE.parse()?;
        let settings = registry::settings(&spec)?;
        let mut grants = Grants::sealed();
        grants.stop = stop.clone();
        let params = |seat| {
            let seating = Seating {
                game,
                seat,
                seed: 0,
                grants: &grants,
            };
            super::params(&settings, &seating)
        };
        Ok(Judge {
            game: Arc::clone(game),
            seats: game.seats().map(params).collect::<Result<_, _>>()?,
        })
    }

    fn suspects(&self) -> &[StandIn] {
        &self.seats[0].suspects.players
    }

    /// Somebody who has seen nothing yet.
    pub fn watch(&self, seed: u64) -> Watch {
        let rng = Rng::from_seed(seed);
        Watch(Beliefs::new(&self.seats[0].suspects, self.seats.len(), rng))
    }

    /// What is believed of players of whom nothing was seen.
    pub fn strangers(&self) -> Guess {
        self.watch(0).guess()
    }

    /// The chance to win by the net for every seat, as seen by somebody who sees no cards.
    pub fn chances(&self, state: &State) -> ByPlayer<f64> {
        let net = &self.seats[0].lookout.value;
        net.chances(state, Beholder::default())
    }

    /// Judges the decision of a state through the eyes of the player to move. None
    /// without a candidate, or if it was stopped before any comparison.
    pub fn judge(
        &self,
        state: &State,
        guess: &Guess,
        inquiry: Inquiry<'_>,
        looks: Looks,
        seed: u64,
    ) -> Option<Judgement> {
        let decision = JudgedDecision {
            judge: self,
            params: &self.seats[state.player().index()],
            view: View::of_mover(state),
            guess,
        };
        decision.judge(inquiry, looks, &mut Rng::from_seed(seed))
    }

    /// The chances of a state by rollouts to the mover's next turn and the net there. Everybody
    /// plays on as the guess says, the mover too. What the mover does not see is drawn anew for
    /// each rollout.
    pub fn rollouts(&self, state: &State, guess: &Guess, n: u32, seed: u64) -> Rollouts {
        if let Some(result) = state.result() {
            return Rollouts {
                chances: result.score,
                errors: ByPlayer::default(),
            };
        }
        let lookout = &self.seats[state.player().index()].lookout;
        let mut rng = Rng::from_seed(seed);
        let mut sums = ByPlayer::<Sum>::default();
        for _ in 0..n.max(1) {
            let (table, seed) = (self.draw_table(guess, &mut rng), rng.word());
            let mut end = View::of_mover(state).sample_state(&mut rng);
            let round = end.round();
            let seated = self.seated(&table, state.player());
            lookout.play_on(&mut end, &seated, seed, Stride::Turn, |state| {
                lookout.reach.is_reached(state, lookout.me, round)
            });
            let chances = self.chances(&end);
            for seat in self.game.seats() {
                sums[seat].add(chances[seat]);
            }
        }
        Rollouts {
            chances: ByPlayer::from_fn(|seat| sums[seat].mean()),
            errors: ByPlayer::from_fn(|seat| sums[seat].error()),
        }
    }

    /// How often a player still owns each own territory when its next turn begins, of `n`
    /// rollouts. A turn under way is ended first, with no more than the rules ask for. What the
    /// player does not see is drawn anew for each rollout.
    pub fn holds(
        &self,
        state: &State,
        seat: PlayerId,
        guess: &Guess,
        n: u32,
        seed: u64,
    ) -> Vec<(TerritoryId, u32)> {
        let own = state.board().owned(seat);
        let mut held: Vec<(TerritoryId, u32)> = own.iter().map(|t| (t, 0)).collect();
        let lookout = &self.seats[seat.index()].lookout;
        let mut rng = Rng::from_seed(seed);
        for _ in 0..n {
            let (table, seed) = (self.draw_table(guess, &mut rng), rng.word());
            let mut end = View::new(state, seat).sample_state(&mut rng);
            self.end_turn(&mut end, seat, &mut rng);
            let seated = self.seated(&table, seat);
            lookout.play_on(&mut end, &seated, seed, Stride::Turn, |state| {
                state.player() == seat
            });
            for (territory, n) in &mut held {
                *n += u32::from(end.board().owner(*territory) == seat);
            }
        }
        held
    }

    /// Ends the turn of a seat, if it has it.
    fn end_turn(&self, state: &mut State, seat: PlayerId, rng: &mut Rng) {
        let mut player = None;
        while state.player() == seat {
            match state.node() {
                Node::Terminal => return,
                Node::Chance => state.resolve_sampled(rng),
                Node::Decision(_) if state.is_legal(Move::End) => state.play_unchecked(Move::End),
                Node::Decision(_) => {
                    let base = &self.seats[seat.index()].portfolio[0];
                    player = player.or_else(|| base.player(&self.game, seat, rng));
                    let mv = player
                        .as_mut()
                        .and_then(|player| player.choose(View::of_mover(state), rng));
                    match mv.filter(|mv| state.is_legal(*mv)) {
                        Some(mv) => state.play_unchecked(mv),
                        None => return,
                    }
                }
            }
        }
    }

    fn draw_table(&self, guess: &Guess, rng: &mut Rng) -> Vec<&StandIn> {
        let draw = |chances: &Vec<f64>| &self.suspects()[super::beliefs::draw(chances, rng)];
        guess.0.iter().map(draw).collect()
    }

    fn seated<'a>(&self, table: &'a [&'a StandIn], mover: PlayerId) -> LookSeats<'a> {
        LookSeats {
            then: Then::Rest,
            follower: table[mover.index()],
            base: table[mover.index()],
            rivals: table,
        }
    }
}

/// A decision that is judged.
struct JudgedDecision<'a> {
    judge: &'a Judge,
    params: &'a ChampionParams,
    view: View<'a>,
    guess: &'a Guess,
}

impl JudgedDecision<'_> {
    fn judge(&self, inquiry: Inquiry<'_>, looks: Looks, rng: &mut Rng) -> Option<Judgement> {
        let Inquiry { chosen, also } = inquiry;
        let state = self.view.sample_state(rng);
        let mut all = self.params.candidates(&state, rng);
        if let Some(action) = chosen {
            // The move is judged with whoever makes the most of it, as all others are.
            for follower in 0..self.params.portfolio.len() {
                let candidate = Candidate {
                    action: action.clone(),
                    then: Then::Rest,
                    follower,
                };
                if !all.contains(&candidate) {
                    all.push(candidate);
                }
            }
        }
        let named = all.clone();
        let (mut finalists, made) = self.find(all, chosen, looks, rng);
        for action in also {
            let is_known = known(&finalists, action).is_some();
            let found = named.iter().find(|c| c.action == *action);
            finalists.extend(found.filter(|_| !is_known).cloned());
        }
        let fronts = finalists.iter();
        let fronts = fronts.filter_map(|c| Some((front(&c.action)?, c.follower)));
        let fronts: Vec<(Front, usize)> = fronts.collect();
        let finalists = finalists.into_iter();
        let finalists = finalists.map(|c| self.follow(c, &fronts, looks.follow, rng));
        let finalists: Vec<Candidate> = finalists.collect();
        // The move that was made is given as good a rest of the turn as the others.
        let made = made.map(|made| match known(&finalists, &made.action) {
            Some(n) => finalists[n].clone(),
            None => self.follow(made, &fronts, looks.follow, rng),
        });
        self.compare(finalists, made, looks, rng)
    }

    /// The best candidates, the best first, one for each action, and the best way to go
    /// on after the move that was made.
    fn find(
        &self,
        all: Vec<Candidate>,
        chosen: Option<&RiskAction>,
        looks: Looks,
        rng: &mut Rng,
    ) -> (Vec<Candidate>, Option<Candidate>) {
        let total = u64::from(looks.find) * all.len() as u64;
        let mut made = all.iter().find(|c| Some(&c.action) == chosen).cloned();
        let mut trials: Vec<Trial<Candidate>> = all.into_iter().map(Trial::new).collect();
        // Better ones later.
        let mut ranked: Vec<Candidate> = Vec::new();
        halve(&mut trials, total, 2, |trials, each| {
            for _ in 0..each {
                let setting = self.setting(rng);
                for trial in &mut *trials {
                    let value = self.look(&trial.action, &setting);
                    if self.params.lookout.stop.is_raised() {
                        return false;
                    }
                    trial.add(value);
                }
            }
            // Who comes through later rounds is ranked by those.
            ranked.retain(|known| trials.iter().all(|trial| trial.action != *known));
            let mut round: Vec<&Trial<Candidate>> = trials.iter().collect();
            round.sort_by(|a, b| a.mean().total_cmp(&b.mean()));
            ranked.extend(round.iter().map(|trial| trial.action.clone()));
            let of_move = trials.iter().filter(|t| Some(&t.action.action) == chosen);
            let best = of_move.max_by(|a, b| a.mean().total_cmp(&b.mean()));
            made = best.map(|t| t.action.clone()).or(made.take());
            true
        });
        let winner = trials.into_iter().next().map(|trial| trial.action);
        let rest = ranked.into_iter().rev();
        let mut finalists: Vec<Candidate> = Vec::new();
        for candidate in winner.into_iter().chain(rest) {
            let is_known = known(&finalists, &candidate.action).is_some();
            if !is_known && finalists.len() < looks.finalists.max(1) {
                finalists.push(candidate);
            }
        }
        (finalists, made)
    }

    /// The same action with the best rest of the turn. Halving finds the best way; it is taken if
    /// it is better than the one that was found in other worlds too, by a standard error.
    fn follow(
        &self,
        found: Candidate,
        fronts: &[(Front, usize)],
        n_looks: u32,
        rng: &mut Rng,
    ) -> Candidate {
        if n_looks == 0 {
            return found;
        }
        let ways = self.ways(&found, fronts);
        let total = u64::from(n_looks) * ways.len() as u64;
        let mut trials: Vec<Trial<Candidate>> = ways.into_iter().map(Trial::new).collect();
        halve(&mut trials, total, 2, |trials, each| {
            for _ in 0..each {
                let setting = self.setting(rng);
                for trial in &mut *trials {
                    trial.add(self.look(&trial.action, &setting));
                }
            }
            !self.params.lookout.stop.is_raised()
        });
        let best = trials.swap_remove(0).action;
        let is_better = best != found && self.is_better(&best, &found, n_looks, rng);
        if is_better { best } else { found }
    }

    /// Whether a candidate is better than another one by a standard error.
    fn is_better(&self, a: &Candidate, b: &Candidate, n_looks: u32, rng: &mut Rng) -> bool {
        let mut better = Sum::default();
        for _ in 0..n_looks * LOOKS_TO_CONFIRM {
            let setting = self.setting(rng);
            better.add(self.look(a, &setting) - self.look(b, &setting));
        }
        better.mean() > better.error() && !self.params.lookout.stop.is_raised()
    }

    /// The ways to go on after an action, first the one that was found: nothing more than the
    /// attack that was begun, another bot that plays on, and another one of the best attacks,
    /// after which its own bot or that of the action plays on.
    fn ways(&self, found: &Candidate, fronts: &[(Front, usize)]) -> Vec<Candidate> {
        let with = |then, follower| Candidate {
            action: found.action.clone(),
            then,
            follower,
        };
        let own = front(&found.action);
        let mut ways = vec![found.clone(), with(Then::Hold(own), found.follower)];
        let others = (0..self.params.portfolio.len()).filter(|n| *n != found.follower);
        ways.extend(others.map(|follower| with(Then::Rest, follower)));
        let next = fronts.iter().filter(|_| own.is_some());
        for &(other, its_own) in next.filter(|(other, _)| Some(*other) != own) {
            ways.push(with(Then::Attack(other), found.follower));
            if its_own != found.follower {
                ways.push(with(Then::Attack(other), its_own));
            }
        }
        ways
    }

    fn setting(&self, rng: &mut Rng) -> LookSetting {
        let reach = self.params.lookout.reach;
        LookSetting::draw(self.view, &self.guess.0, reach, rng)
    }

    fn look(&self, candidate: &Candidate, setting: &LookSetting) -> f64 {
        let suspects = self.judge.suspects();
        let rivals: Vec<&StandIn> = setting.rivals.iter().map(|n| &suspects[*n]).collect();
        let lookout = &self.params.lookout;
        let table = self.table(candidate, &rivals);
        lookout.look(setting, &candidate.action, &table)
    }

    fn table<'t>(&'t self, candidate: &Candidate, rivals: &'t [&'t StandIn]) -> LookSeats<'t> {
        LookSeats {
            then: candidate.then,
            follower: &self.params.portfolio[candidate.follower],
            base: &self.params.portfolio[0],
            rivals,
        }
    }

    /// The same look with what came of it.
    fn watched_look(
        &self,
        candidate: &Candidate,
        setting: &LookSetting,
        tally: &mut ForecastTally,
    ) -> f64 {
        let suspects = self.judge.suspects();
        let rivals: Vec<&StandIn> = setting.rivals.iter().map(|n| &suspects[*n]).collect();
        let (lookout, world) = (&self.params.lookout, &setting.world);
        let mut state = world.clone();
        let mut turn = OwnTurn::begin(world, lookout.me);
        RiskGame::new(world.game()).play(&mut state, &candidate.action);
        let round = state.round();
        let table = self.table(candidate, &rivals);
        lookout.play_on(
            &mut state,
            &table,
            setting.seed,
            Stride::Decision,
            |state| {
                turn.see(state);
                lookout.reach.is_reached(state, lookout.me, round)
            },
        );
        turn.see(&state);
        tally.add(world, &turn, &state);
        lookout.worth(&state, world.round())
    }

    fn compare(
        &self,
        finalists: Vec<Candidate>,
        made: Option<Candidate>,
        looks: Looks,
        rng: &mut Rng,
    ) -> Option<Judgement> {
        let best_action = finalists.first()?.action.clone();
        let mut rows: Vec<Finalist> = finalists.into_iter().map(Finalist::new).collect();
        // The way to go on after the move is another candidate, unless it is the same.
        let made_row = made.map(|made| {
            let known = rows
                .iter()
                .position(|row| row.candidate.action == made.action);
            known.unwrap_or_else(|| {
                rows.push(Finalist::new(made));
                rows.len() - 1
            })
        });
        let mut difference = Sum::default();
        let mut worlds: Vec<Vec<f64>> = Vec::new();
        let each = looks.compare.max(2);
        for n in 0..looks.most.max(each) {
            if n > 0 && n % each == 0 {
                let n_level = level_with_best(&worlds).into_iter().filter(|is| *is);
                if n_level.count() <= 1 {
                    break;
                }
            }
            let setting = self.setting(rng);
            let mut values = Vec::with_capacity(rows.len());
            for row in &mut rows {
                values.push(self.watched_look(&row.candidate, &setting, &mut row.tally));
            }
            if self.params.lookout.stop.is_raised() {
                break;
            }
            for (row, value) in rows.iter_mut().zip(&values) {
                row.value.add(*value);
            }
            if let Some(made) = made_row {
                difference.add(values[0] - values[made]);
            }
            worlds.push(values);
        }
        if rows.first()?.value.n < 2 {
            return None;
        }
        let rows = rows.into_iter().zip(level_with_best(&worlds));
        let mut plans: Vec<Judged> = rows
            .map(|(row, is_level)| row.judged(is_level, self.view))
            .collect();
        let chosen = made_row.map(|made| plans[made].clone());
        plans.sort_by(|a, b| b.chance.total_cmp(&a.chance));
        let best = plans.iter().position(|plan| plan.action == best_action)?;
        Some(Judgement {
            plans,
            best,
            chosen,
            loss: difference.mean(),
            loss_error: difference.error(),
        })
    }
}

/// The place of the candidate with this action.
fn known(candidates: &[Candidate], action: &RiskAction) -> Option<usize> {
    candidates.iter().position(|c| c.action == *action)
}

/// The front of an attack.
fn front(action: &RiskAction) -> Option<Front> {
    match action {
        RiskAction::Play(Move::Attack { from, to, .. }) => Some((*from, *to)),
        _ => None,
    }
}

/// Which of those compared are level with the best of them; `worlds` has the values of all in
/// each world.
fn level_with_best(worlds: &[Vec<f64>]) -> Vec<bool> {
    let mean = |n: usize| {
        let mut values = Sum::default();
        worlds.iter().for_each(|world| values.add(world[n]));
        values.mean()
    };
    let n_rows = worlds.first().map_or(0, Vec::len);
    let Some(best) = (0..n_rows).max_by(|a, b| mean(*a).total_cmp(&mean(*b))) else {
        return Vec::new();
    };
    let is_level = |n: usize| {
        let mut gap = Sum::default();
        worlds
            .iter()
            .for_each(|world| gap.add(world[best] - world[n]));
        gap.mean() - 2.0 * gap.error() <= LEVEL_CHANCE
    };
    (0..n_rows).map(is_level).collect()
}

/// A candidate in the comparison.
struct Finalist {
    candidate: Candidate,
    value: Sum,
    tally: ForecastTally,
}

impl Finalist {
    fn new(candidate: Candidate) -> Finalist {
        Finalist {
            candidate,
            value: Sum::default(),
            tally: ForecastTally::default(),
        }
    }

    fn judged(self, is_level: bool, view: View<'_>) -> Judged {
        Judged {
            is_level,
            action: self.candidate.action,
            chance: self.value.mean(),
            error: self.value.error(),
            forecast: self.tally.forecast(view),
        }
    }
}

/// Sums of a number that is drawn again and again.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    n: u32,
    sum: f64,
    squares: f64,
}

impl Sum {
    fn add(&mut self, x: f64) {
        self.n += 1;
        self.sum += x;
        self.squares += x * x;
    }

    fn mean(&self) -> f64 {
        self.sum / f64::from(self.n.max(1))
    }

    /// Standard error of the mean.
    fn error(&self) -> f64 {
        let n = f64::from(self.n);
        if self.n < 2 {
            return 0.0;
        }
        let variance = (self.squares - self.sum * self.sum / n) / (n - 1.0);
        (variance.max(0.0) / n).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::level_with_best;

    #[test]
    fn plans_are_level_until_one_is_behind_for_certain() {
        // The second is behind by two points in every world, the third by as much on average
        // with a wide spread, the fourth by half a point.
        let world = |n: u32| {
            let best = 0.5 + 0.1 * f64::from(n % 3);
            let spread = if n.is_multiple_of(2) { 0.3 } else { -0.3 };
            vec![best, best - 0.02, best - 0.02 + spread, best - 0.005]
        };
        let worlds: Vec<Vec<f64>> = (0..60).map(world).collect();
        assert_eq!(level_with_best(&worlds), [true, false, true, true]);
        assert!(level_with_best(&[]).is_empty());
    }
}

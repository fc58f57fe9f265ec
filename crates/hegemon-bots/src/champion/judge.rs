//! The champion's search as a judge: what the candidates of a decision are worth, how
//! sure that is, and what is expected to come of them.
//!
//! A judgement has two stages. Halving finds the best candidates; then these and the
//! move that was made are tried again in worlds of their own, all in the same ones. The
//! numbers of a verdict come from the second stage alone, so that whoever was lucky in
//! the first is not flattered.

use std::sync::Arc;

use hegemon_core::{
    ByPlayer, ContinentId, Event, Game, Move, Node, PlayerId, Rng, State, TerritoryId, View,
};
use hegemon_eval::value::Beholder;
use hegemon_search::{Domain as _, Stop};

use super::beliefs::Beliefs;
use super::bot::{ChampionParams, LookSetting};
use super::look::{Candidate, LookSeats, Stride};
use super::stand_in::StandIn;
use crate::bot::Seating;
use crate::loader::Grants;
use crate::registry;
use crate::search::{RiskAction, RiskGame, Trial, halve};
use crate::spec::SpecError;

/// The champion as a judge. Of two ways to win the shorter one is better by a hair, so
/// that what is said stays a chance to win. Forecasts are about the next turn, so looks
/// go there and no further, whatever the champion does at the table.
const JUDGE: &str = "champion(discount=0.999,horizon=1)";

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Looks {
    /// Looks a candidate to find the best ones, on average.
    pub find: u32,
    /// Looks at each of those that are compared in the end.
    pub compare: u32,
    /// How many are compared, the move that was made not counted.
    pub finalists: usize,
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

/// What is expected to come of an action, over all looks at it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Forecast {
    /// Armies lost in the rest of the turn, on average.
    pub losses: f64,
    /// Armies that the others lose in it.
    pub kills: f64,
    /// Territories more at the end of the turn.
    pub gained: f64,
    /// Chance to own these at the end of the turn, of territories that others own now.
    pub taken: Vec<(TerritoryId, f64)>,
    /// Continents that may become one's own in this turn.
    pub continents: Vec<ContinentForecast>,
    /// Chance to break a continent of another player, which then has none of its bonus.
    pub broken: Vec<(PlayerId, ContinentId, f64)>,
    /// Chance that a player is out at the end of the turn.
    pub eliminated: Vec<(PlayerId, f64)>,
    /// Chance that the game is won in this turn.
    pub won: f64,
    /// Chance to own as many territories at the next turn as at the end of this one.
    pub kept: f64,
}

/// A continent that may become one's own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ContinentForecast {
    /// Which.
    pub continent: ContinentId,
    /// Chance to own it at the end of the turn.
    pub taken: f64,
    /// Chance to own it then and still at the beginning of the next turn.
    pub held: f64,
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
        chosen: Option<&RiskAction>,
        looks: Looks,
        seed: u64,
    ) -> Option<Judgement> {
        let decision = JudgedDecision {
            judge: self,
            params: &self.seats[state.player().index()],
            view: View::of_mover(state),
            guess,
        };
        decision.judge(chosen, looks, &mut Rng::from_seed(seed))
    }

    /// The chances of a state by rollouts to the mover's next turn and the net there.
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
            let mut end = state.clone();
            let round = end.round();
            let seated = self.seated(&table, state.player());
            lookout.play_on(&mut end, &seated, seed, Stride::Turn, |state| {
                lookout.is_reached(state, round)
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
    /// rollouts. A turn under way is ended first, with no more than the rules ask for.
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
            let mut end = state.clone();
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
    fn judge(&self, chosen: Option<&RiskAction>, looks: Looks, rng: &mut Rng) -> Option<Judgement> {
        let state = self.view.sample_state(rng);
        let mut all = self.params.candidates(&state, rng);
        if let Some(action) = chosen {
            // The move is judged with whoever makes the most of it, as all others are.
            for follower in 0..self.params.portfolio.len() {
                let candidate = Candidate {
                    action: action.clone(),
                    follower,
                };
                if !all.contains(&candidate) {
                    all.push(candidate);
                }
            }
        }
        let (finalists, made) = self.find(all, chosen, looks, rng);
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
                let setting = LookSetting::draw(self.view, &self.guess.0, rng);
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
            let is_known = finalists.iter().any(|c| c.action == candidate.action);
            if !is_known && finalists.len() < looks.finalists.max(1) {
                finalists.push(candidate);
            }
        }
        (finalists, made)
    }

    fn look(&self, candidate: &Candidate, setting: &LookSetting) -> f64 {
        let suspects = self.judge.suspects();
        let rivals: Vec<&StandIn> = setting.rivals.iter().map(|n| &suspects[*n]).collect();
        let lookout = &self.params.lookout;
        let table = self.table(candidate, &rivals);
        lookout.look(&setting.world, &candidate.action, &table, setting.seed)
    }

    fn table<'t>(&'t self, candidate: &Candidate, rivals: &'t [&'t StandIn]) -> LookSeats<'t> {
        LookSeats {
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
                lookout.is_reached(state, round)
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
        for _ in 0..looks.compare.max(2) {
            let setting = LookSetting::draw(self.view, &self.guess.0, rng);
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
        }
        if rows.first()?.value.n < 2 {
            return None;
        }
        let mut plans: Vec<Judged> = rows.into_iter().map(|row| row.judged(self.view)).collect();
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

    fn judged(self, view: View<'_>) -> Judged {
        Judged {
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

/// The own turn within a look.
struct OwnTurn {
    me: PlayerId,
    armies: u32,
    others: u32,
    losses: u32,
    kills: u32,
    /// The state when the turn ended.
    end: Option<State>,
}

impl OwnTurn {
    fn begin(world: &State, me: PlayerId) -> OwnTurn {
        let (armies, others) = strengths(world, me);
        OwnTurn {
            me,
            armies,
            others,
            losses: 0,
            kills: 0,
            end: None,
        }
    }

    /// Sees the state before a decision, and the last state. Between two decisions
    /// armies are lost in one battle, or come by one trade.
    fn see(&mut self, state: &State) {
        if self.end.is_some() {
            return;
        }
        let is_over = state.player() != self.me || state.node() == Node::Terminal;
        let (armies, others) = strengths(state, self.me);
        self.losses += self.armies.saturating_sub(armies);
        self.kills += self.others.saturating_sub(others);
        (self.armies, self.others) = (armies, others);
        if is_over {
            self.end = Some(state.clone());
        }
    }
}

/// Armies of a player, with those to be placed in this turn, and of all others.
fn strengths(state: &State, me: PlayerId) -> (u32, u32) {
    let board = state.board();
    let to_place = if state.player() == me {
        state.to_place()
    } else {
        0
    };
    let others = state.alive().filter(|p| *p != me);
    let others = others.map(|p| board.total_armies(p)).sum::<u32>();
    let neutral = board.total_armies(PlayerId::NEUTRAL);
    (board.total_armies(me) + to_place, others + neutral)
}

/// Counts of what came of an action.
#[derive(Clone, Debug, Default)]
struct ForecastTally {
    n: u32,
    losses: u64,
    kills: u64,
    gained: i64,
    won: u32,
    kept: u32,
    taken: Vec<u32>,
    continents: Vec<(u32, u32)>,
    broken: Vec<u32>,
    eliminated: ByPlayer<u32>,
}

impl ForecastTally {
    fn add(&mut self, world: &State, turn: &OwnTurn, last: &State) {
        let end = turn.end.as_ref().unwrap_or(last);
        let (map, me) = (world.game().map(), turn.me);
        self.n += 1;
        self.losses += u64::from(turn.losses);
        self.kills += u64::from(turn.kills);
        let (before, after) = (world.board().owned(me), end.board().owned(me));
        self.gained += after.len() as i64 - before.len() as i64;
        self.won += u32::from(end.score(me) > 0.0);
        self.kept += u32::from(last.board().n_owned(me) >= after.len());
        self.taken.resize(map.n_territories(), 0);
        for territory in after - before {
            self.taken[territory.index()] += 1;
        }
        self.continents.resize(map.continents().len(), (0, 0));
        self.broken.resize(map.continents().len(), 0);
        for continent in map.continents() {
            let owns = |state: &State| state.board().owns_continent(map, me, continent);
            let counts = &mut self.continents[continent.index()];
            if owns(end) && !owns(world) {
                counts.0 += 1;
                counts.1 += u32::from(owns(last));
            }
            if let Some(owner) = owner_of(world, continent).filter(|owner| *owner != me) {
                let is_broken = !end.board().owns_continent(map, owner, continent);
                self.broken[continent.index()] += u32::from(is_broken);
            }
        }
        for seat in world.alive().filter(|seat| *seat != me) {
            self.eliminated[seat] += u32::from(!end.is_alive(seat));
        }
    }

    fn forecast(&self, view: View<'_>) -> Forecast {
        let n = f64::from(self.n.max(1));
        let share = |count: u32| f64::from(count) / n;
        let map = view.map();
        let continents = map.continents().zip(&self.continents);
        let continents = continents.filter(|(_, (taken, _))| *taken > 0);
        let broken = map.continents().zip(&self.broken).filter(|(_, n)| **n > 0);
        let owner = |c| {
            view.game()
                .seats()
                .find(|p| view.board().owns_continent(map, *p, c))
        };
        let taken = map.territories().zip(&self.taken).filter(|(_, n)| **n > 0);
        let seats = view
            .game()
            .seats()
            .filter(|seat| self.eliminated[*seat] > 0);
        Forecast {
            losses: self.losses as f64 / n,
            kills: self.kills as f64 / n,
            gained: self.gained as f64 / n,
            taken: taken.map(|(t, count)| (t, share(*count))).collect(),
            continents: continents
                .map(|(continent, (taken, held))| ContinentForecast {
                    continent,
                    taken: share(*taken),
                    held: share(*held),
                })
                .collect(),
            broken: broken
                .filter_map(|(c, count)| Some((owner(c)?, c, share(*count))))
                .collect(),
            eliminated: seats.map(|s| (s, share(self.eliminated[s]))).collect(),
            won: share(self.won),
            kept: share(self.kept),
        }
    }
}

/// The player who owns all of a continent.
fn owner_of(state: &State, continent: ContinentId) -> Option<PlayerId> {
    let map = state.game().map();
    let mut alive = state.alive();
    alive.find(|seat| state.board().owns_continent(map, *seat, continent))
}

//! A whole game: the chances after every event, luck, skill, and totals.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicUsize, Ordering};

use hegemon_bots::search::{Allocation, RiskAction};
use hegemon_bots::{Guess, Inquiry, Judge, Judgement, Rollouts, SpecError, Stop};
use hegemon_core::{ByPlayer, Event, Move, Node, Phase, PlayerId, State, TerritoryId, mix};
use hegemon_record::{GameRecord, RecordError, Replay};
use serde::Serialize;
use thiserror::Error;

use crate::curve::{self, RolledPoint};
use crate::hint::second_opinion;
use crate::level::Level;
use crate::luck::{LuckKind, LuckLaw, LuckSums};
use crate::skill::{Mark, TurnChance, accuracy};
use crate::words::{action_words, event_words};

/// A game analysed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameAnalysis {
    /// Map of the game.
    pub map: String,
    /// Specs by seat.
    pub players: Vec<String>,
    /// How thorough it is.
    pub level: Level,
    /// Seed of all samples.
    pub seed: u64,
    /// Decisions of the game between two moves or more.
    pub n_decisions: usize,
    /// How many of them were judged; fewer if the analysis was stopped.
    pub n_judged: usize,
    /// One point for each event, the deal of the board as one.
    pub points: Vec<Point>,
    /// By seat.
    pub totals: Vec<PlayerTotals>,
}

/// The game after an event.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Point {
    /// Number of events up to here.
    pub n_events: usize,
    /// Round of the event; 0 in the setup.
    pub round: u32,
    /// Seat whose turn it was.
    pub seat: usize,
    /// The event as in the record; "deal" for the whole deal.
    pub event: String,
    /// The event in words.
    pub words: String,
    /// Chance to win by seat after the event.
    pub chances: Vec<f64>,
    /// Standard errors of the chances, where they are means of rollouts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub errors: Option<Vec<f64>>,
    /// What chance decided, and the luck by seat in win chance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub luck: Option<(LuckKind, Vec<f64>)>,
    /// How good the decision was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skill: Option<SkillPoint>,
}

/// How good a decision was.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SkillPoint {
    /// Win chance that it gave away: that of the best candidate found minus its own. Below
    /// zero by chance.
    pub loss: f64,
    /// Standard error of the loss.
    pub error: f64,
    /// Win chance of the decision.
    pub chance: f64,
    /// The mark, if it was bad.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mark: Option<Mark>,
    /// What was done, in words; a placement as a whole.
    pub done: String,
    /// The moves of the best candidate found.
    pub best: Vec<String>,
    /// The same in words.
    pub best_words: String,
    /// Whether a bot decided for the player, at least in part: it is none of the player's
    /// decisions.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_stand_in: bool,
    /// What was done.
    #[serde(skip)]
    pub(crate) action: RiskAction,
}

impl SkillPoint {
    /// The verdict on an action. None without one.
    pub(crate) fn of(state: &State, action: &RiskAction, verdict: &Judgement) -> Option<Self> {
        let best = &verdict.plans[verdict.best].action;
        Some(SkillPoint {
            loss: verdict.loss,
            error: verdict.loss_error,
            chance: verdict.chosen.as_ref()?.chance,
            mark: Mark::of(verdict.loss, verdict.loss_error),
            done: action_words(state, action),
            best: moves_of(best),
            best_words: action_words(state, best),
            by_stand_in: false,
            action: action.clone(),
        })
    }

    /// The same with another plan named as the best one.
    pub(crate) fn naming(self, state: &State, best: &RiskAction) -> Self {
        SkillPoint {
            best: moves_of(best),
            best_words: action_words(state, best),
            ..self
        }
    }
}

/// The moves of an action in the notation of records.
pub(crate) fn moves_of(action: &RiskAction) -> Vec<String> {
    action.moves().iter().map(Move::to_string).collect()
}

/// Totals of a player.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerTotals {
    /// Seat.
    pub seat: usize,
    /// Spec.
    pub player: String,
    /// Share of the win.
    pub result: f64,
    /// Luck of the dice, of the cards and of the deal, in win chance.
    pub dice_luck: f64,
    /// See `dice_luck`.
    pub cards_luck: f64,
    /// See `dice_luck`.
    pub deal_luck: f64,
    /// The result without all luck: an unbiased estimate of what the play was worth.
    pub adjusted: f64,
    /// Decisions judged; those of a bot that stood in count for nobody.
    pub decisions: usize,
    /// Win chance given away, summed up.
    pub loss: f64,
    /// Its standard error.
    pub loss_error: f64,
    /// Of the chance to win that was there, the share that the decisions kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// Inaccuracies, errors, blunders.
    pub inaccuracies: usize,
    /// See `inaccuracies`.
    pub errors: usize,
    /// See `inaccuracies`.
    pub blunders: usize,
}

/// Why a record cannot be analysed.
#[derive(Debug, Error)]
pub enum AnalysisError {
    /// The record does not replay.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The game cannot be judged.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It was stopped before the luck of the game was known.
    #[error("the analysis was stopped before it had seen the whole game")]
    Stopped,
}

/// How to analyse.
#[derive(Clone, Debug)]
pub struct AnalysisParams {
    /// How thorough.
    pub level: Level,
    /// Threads that judge; the answer does not depend on it.
    pub n_threads: usize,
    /// Seed of all samples.
    pub seed: u64,
    /// Ends the judging; what is there by then is the answer.
    pub stop: Stop,
    /// Numbers of the events of the record that are moves of bots for people, from 0.
    pub stand_ins: BTreeSet<usize>,
}

/// Work that is left for the second pass: a decision to judge, or a point to roll out.
struct Task {
    point: usize,
    state: State,
    guess: Guess,
    kind: TaskKind,
}

enum TaskKind {
    Decision { done: RiskAction, by_stand_in: bool },
    Rollouts(u32),
}

impl Task {
    fn n_rollouts(&self) -> u32 {
        match self.kind {
            TaskKind::Rollouts(n) => n,
            TaskKind::Decision { .. } => 0,
        }
    }
}

enum Answer {
    Skill(SkillPoint),
    Chances(Rollouts),
}

/// Analyses a record. `progress` is told how many of how many tasks are done.
///
/// # Errors
///
/// If the record does not replay to its end, or it was stopped on the way there.
pub fn analyze(
    record: &GameRecord,
    params: &AnalysisParams,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Result<GameAnalysis, AnalysisError> {
    record.verify()?;
    let mut pass = FirstPass::new(record, params)?;
    pass.run()?;
    let FirstPass {
        judge,
        mut points,
        tasks,
        sums,
        ..
    } = pass;
    let n_decisions = tasks
        .iter()
        .filter(|task| matches!(task.kind, TaskKind::Decision { .. }))
        .count();
    let answers = work(&judge, &tasks, params, progress);
    let mut n_judged = 0;
    let mut rolled = Vec::new();
    for (task, answer) in tasks.iter().zip(answers) {
        let point = &mut points[task.point];
        match answer {
            Some(Answer::Skill(skill)) => {
                n_judged += 1;
                point.skill = Some(skill);
            }
            Some(Answer::Chances(said)) => {
                let net = &point.chances;
                let by_seat =
                    [said.chances, said.errors].map(|all| all.as_slice()[..net.len()].to_vec());
                rolled.push(RolledPoint::new(
                    task.point,
                    task.n_rollouts(),
                    net,
                    by_seat,
                ));
            }
            None => {}
        }
    }
    curve::correct(&mut points, &rolled);
    let header = &record.header;
    let totals = header.players.iter().enumerate();
    Ok(GameAnalysis {
        map: header.map.clone(),
        players: header.players.clone(),
        level: params.level,
        seed: params.seed,
        n_decisions,
        n_judged,
        totals: totals
            .map(|(seat, player)| totals_of(seat, player, record.end.score[seat], &sums, &points))
            .collect(),
        points,
    })
}

/// Walks through the record: chances by the net, luck, and the work that is left.
struct FirstPass<'a> {
    record: &'a GameRecord,
    params: &'a AnalysisParams,
    judge: Judge,
    law: LuckLaw,
    sums: LuckSums,
    points: Vec<Point>,
    tasks: Vec<Task>,
}

impl<'a> FirstPass<'a> {
    fn new(record: &'a GameRecord, params: &'a AnalysisParams) -> Result<Self, AnalysisError> {
        let replay = Replay::new(record)?;
        let game = replay.state().game();
        Ok(FirstPass {
            record,
            params,
            judge: Judge::new(game, &params.stop)?,
            law: LuckLaw::new(game),
            sums: if record.header.position.is_some() {
                LuckSums::midway()
            } else {
                LuckSums::new()
            },
            points: Vec::new(),
            tasks: Vec::new(),
        })
    }

    fn run(&mut self) -> Result<(), AnalysisError> {
        let mut replay = Replay::new(self.record)?;
        let mut watch = self.judge.watch(self.params.seed);
        // The rest of a placement that was judged as a whole.
        let mut n_placing = 0;
        let mut is_dealt = false;
        loop {
            if self.params.stop.is_raised() {
                return Err(AnalysisError::Stopped);
            }
            let before = replay.state().clone();
            let n_before = replay.position();
            let Some(event) = replay.step()? else {
                return Ok(());
            };
            let luck = self.sums.add(&self.law, &before, event);
            let is_decision = matches!(event, Event::Move(_));
            if is_decision && !is_dealt {
                is_dealt = true;
                self.add_deal(&before, n_before, luck);
            }
            if !is_dealt {
                continue;
            }
            let guess = watch.guess();
            if is_decision && n_placing == 0 && before.n_legal_moves() > 1 {
                let (action, n_moves) = self.action_at(&before, n_before);
                n_placing = n_moves;
                if let Some(done) = action {
                    let stand_ins = &self.params.stand_ins;
                    let kind = TaskKind::Decision {
                        done,
                        by_stand_in: stand_ins
                            .range(n_before..n_before + n_moves)
                            .next()
                            .is_some(),
                    };
                    self.tasks.push(Task {
                        point: self.points.len(),
                        state: before.clone(),
                        guess: guess.clone(),
                        kind,
                    });
                }
            }
            n_placing = n_placing.saturating_sub(usize::from(is_decision));
            let luck = luck.filter(|_| !is_decision);
            self.add_point(&before, event, replay.state(), luck, &guess, n_before + 1);
            watch.observe(&before, event);
        }
    }

    fn chances(&self, state: &State) -> Vec<f64> {
        let n_players = state.game().n_players();
        self.law.chances(state).as_slice()[..n_players].to_vec()
    }

    fn add_deal(
        &mut self,
        dealt: &State,
        n_events: usize,
        luck: Option<(LuckKind, ByPlayer<f64>)>,
    ) {
        self.points.push(Point {
            n_events,
            round: 0,
            seat: dealt.player().index(),
            event: "deal".to_owned(),
            words: "the board is dealt".to_owned(),
            chances: self.chances(dealt),
            errors: None,
            luck: luck.map(|luck| by_seat(luck, dealt)),
            skill: None,
        });
    }

    fn add_point(
        &mut self,
        before: &State,
        event: Event,
        after: &State,
        luck: Option<(LuckKind, ByPlayer<f64>)>,
        guess: &Guess,
        n_events: usize,
    ) {
        let is_new_turn = after.node() != Node::Terminal
            && after.round() > 0
            && (after.player() != before.player() || after.round() != before.round());
        let level = self.params.level;
        let n_rollouts = if is_new_turn {
            level.rollouts_a_turn()
        } else {
            level.rollouts_an_event()
        };
        if n_rollouts > 0 && after.node() != Node::Terminal {
            self.tasks.push(Task {
                point: self.points.len(),
                state: after.clone(),
                guess: guess.clone(),
                kind: TaskKind::Rollouts(n_rollouts),
            });
        }
        self.points.push(Point {
            n_events,
            round: before.round(),
            seat: before.player().index(),
            event: event.to_string(),
            words: event_words(before, event),
            chances: self.chances(after),
            errors: None,
            luck: luck.map(|luck| by_seat(luck, before)),
            skill: None,
        });
    }

    /// The action that begins with an event of the record, and how many moves it has. None
    /// if the record ends within it.
    fn action_at(&self, before: &State, first: usize) -> (Option<RiskAction>, usize) {
        let events = self.record.events[first..].iter().map(|(event, _)| *event);
        let mut moves = events.map_while(|event| match event {
            Event::Move(mv) => Some(mv),
            Event::Outcome(_) => None,
        });
        if !matches!(before.phase(), Phase::Setup | Phase::Reinforce) {
            return (moves.next().map(RiskAction::Play), 1);
        }
        let mut left = if before.to_place() > 0 {
            before.to_place()
        } else {
            before.neutral_to_place()
        };
        let mut placed: Vec<(TerritoryId, u32)> = Vec::new();
        for (n, mv) in moves.enumerate() {
            let Move::Place { territory, armies } = mv else {
                break;
            };
            match placed.iter_mut().find(|(known, _)| *known == territory) {
                Some((_, sum)) => *sum += armies,
                None => placed.push((territory, armies)),
            }
            left = left.saturating_sub(armies);
            if left == 0 {
                let allocation = Allocation::new(placed);
                return (Some(RiskAction::Recruit(allocation)), n + 1);
            }
        }
        (None, 1)
    }
}

fn by_seat((kind, luck): (LuckKind, ByPlayer<f64>), state: &State) -> (LuckKind, Vec<f64>) {
    (kind, luck.as_slice()[..state.game().n_players()].to_vec())
}

/// Does the tasks on several threads; the answers are in the order of the tasks.
fn work(
    judge: &Judge,
    tasks: &[Task],
    params: &AnalysisParams,
    progress: &(dyn Fn(usize, usize) + Sync),
) -> Vec<Option<Answer>> {
    let next = AtomicUsize::new(0);
    let n_done = AtomicUsize::new(0);
    let answers: Mutex<Vec<Option<Answer>>> = Mutex::new(tasks.iter().map(|_| None).collect());
    std::thread::scope(|scope| {
        let worker = || {
            while !params.stop.is_raised() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                let Some(task) = tasks.get(number) else {
                    return;
                };
                let answer = answer(judge, task, params, number);
                // A task that was cut short has no honest answer.
                if params.stop.is_raised() {
                    return;
                }
                let mut answers = answers.lock().unwrap_or_else(PoisonError::into_inner);
                answers[number] = answer;
                drop(answers);
                progress(n_done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
            }
        };
        for _ in 1..params.n_threads {
            scope.spawn(worker);
        }
        worker();
    });
    answers.into_inner().unwrap_or_else(PoisonError::into_inner)
}

fn answer(judge: &Judge, task: &Task, params: &AnalysisParams, number: usize) -> Option<Answer> {
    let seed = mix(params.seed ^ mix(number as u64 + 1));
    let Task { state, guess, .. } = task;
    match &task.kind {
        TaskKind::Rollouts(n) => {
            let rollouts = judge.rollouts(state, guess, *n, seed);
            Some(Answer::Chances(rollouts))
        }
        TaskKind::Decision { done, by_stand_in } => {
            let looks = params.level.looks();
            let inquiry = Inquiry {
                chosen: Some(done),
                also: &[],
            };
            let verdict = judge.judge(state, guess, inquiry, looks, seed)?;
            let quick = SkillPoint::of(state, done, &verdict)?;
            // Of thousands of quick judgements some are harsh by chance, or did not see how
            // the move goes on best. So a mark is given by a second one, in new worlds.
            let second_looks = params.level.second_looks().filter(|_| quick.mark.is_some());
            let skill = match second_looks {
                Some(looks) => second_opinion(judge, state, guess, done, looks, mix(seed))?,
                None => quick,
            };
            Some(Answer::Skill(SkillPoint {
                by_stand_in: *by_stand_in,
                ..skill
            }))
        }
    }
}

/// The verdicts on what a seat decided itself.
fn own_skills(points: &[Point], seat: usize) -> impl Iterator<Item = (&Point, &SkillPoint)> {
    let own = points.iter().filter(move |point| point.seat == seat);
    let judged = own.filter_map(|point| Some((point, point.skill.as_ref()?)));
    judged.filter(|(_, skill)| !skill.by_stand_in)
}

/// What the decisions of each turn of a seat kept and gave away, those of a bot that stood in
/// aside. The setup is one turn.
pub fn turn_chances(points: &[Point], seat: usize) -> Vec<TurnChance> {
    let mut turns: Vec<(u32, TurnChance)> = Vec::new();
    for (point, skill) in own_skills(points, seat) {
        if turns.last().is_none_or(|(round, _)| *round != point.round) {
            turns.push((point.round, TurnChance::default()));
        }
        if let Some((_, turn)) = turns.last_mut() {
            turn.kept = skill.chance;
            turn.lost += skill.loss;
        }
    }
    turns.into_iter().map(|(_, turn)| turn).collect()
}

fn totals_of(
    seat: usize,
    player: &str,
    result: f64,
    sums: &LuckSums,
    points: &[Point],
) -> PlayerTotals {
    let id = PlayerId::new(seat);
    let [dice_luck, cards_luck, deal_luck] = LuckKind::ALL.map(|kind| sums.of(kind)[id]);
    let judged: Vec<&SkillPoint> = own_skills(points, seat).map(|(_, skill)| skill).collect();
    let marked = |mark| judged.iter().filter(|s| s.mark == Some(mark)).count();
    let variance: f64 = judged.iter().map(|skill| skill.error * skill.error).sum();
    PlayerTotals {
        seat,
        player: player.to_owned(),
        result,
        dice_luck,
        cards_luck,
        deal_luck,
        adjusted: result - dice_luck - cards_luck - deal_luck,
        decisions: judged.len(),
        loss: judged.iter().map(|skill| skill.loss).sum(),
        loss_error: variance.sqrt(),
        accuracy: accuracy(turn_chances(points, seat)),
        inaccuracies: marked(Mark::Inaccuracy),
        errors: marked(Mark::Error),
        blunders: marked(Mark::Blunder),
    }
}

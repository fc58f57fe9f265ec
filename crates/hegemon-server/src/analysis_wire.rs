//! What analyses look like on the wire.

use hegemon_analysis::{
    CampaignOdds, CostlyDecision, GameAnalysis, Hints, Level, LuckKind, Mark, Point, PuzzleEntry,
    SkillPoint, Threat,
};
use hegemon_core::{Node, PlayerId, Rules, State, Termination};
use serde::{Deserialize, Serialize};

use crate::store::SavedGame;

/// How thorough an analysis is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum AnalysisLevel {
    /// Some seconds for a long game.
    Fast,
    /// Up to a minute.
    #[default]
    Normal,
    /// Some minutes.
    Deep,
}

impl From<AnalysisLevel> for Level {
    fn from(level: AnalysisLevel) -> Level {
        match level {
            AnalysisLevel::Fast => Level::Fast,
            AnalysisLevel::Normal => Level::Normal,
            AnalysisLevel::Deep => Level::Deep,
        }
    }
}

impl From<Level> for AnalysisLevel {
    fn from(level: Level) -> AnalysisLevel {
        match level {
            Level::Fast => AnalysisLevel::Fast,
            Level::Normal => AnalysisLevel::Normal,
            Level::Deep => AnalysisLevel::Deep,
        }
    }
}

/// Where the analysis of a game stands.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum AnalysisState {
    /// Nobody has asked for it.
    None,
    /// It waits.
    Waiting {
        /// Games that come before it.
        n_before: usize,
    },
    /// It is worked on.
    Running {
        /// Steps done.
        n_done: usize,
        /// Steps in all; 0 while they are counted.
        n_steps: usize,
    },
    /// It is there.
    Done {
        /// The analysis.
        analysis: GameAnalysisDto,
    },
    /// It could not be done.
    Failed {
        /// Why, in a sentence.
        message: String,
    },
}

/// A game analysed.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "GameAnalysis"))]
pub(crate) struct GameAnalysisDto {
    /// How thorough it is.
    pub level: AnalysisLevel,
    /// Decisions of the game between two moves or more.
    pub n_decisions: usize,
    /// How many of them were judged; fewer if time was over.
    pub n_judged: usize,
    /// The game after each event, the deal being one.
    pub points: Vec<PointDto>,
    /// By seat.
    pub totals: Vec<TotalsDto>,
}

/// The game after an event.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "AnalysisPoint"))]
pub(crate) struct PointDto {
    /// Index of the event's frame in the replay.
    pub frame: usize,
    /// Whose turn it was.
    #[cfg_attr(test, schemars(with = "hegemon_core::PlayerId"))]
    pub seat: usize,
    /// Chance to win by seat.
    pub chances: Vec<f64>,
    /// Standard errors of the chances, where they are means of rollouts.
    pub errors: Option<Vec<f64>>,
    /// What chance brought.
    pub luck: Option<LuckDto>,
    /// How good the decision was.
    pub skill: Option<SkillDto>,
}

/// What chance brought.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct LuckDto {
    /// What it decided.
    #[cfg_attr(test, schemars(with = "LuckName"))]
    pub kind: LuckKind,
    /// Win chance above its mean, by seat.
    pub by_seat: Vec<f64>,
}

/// How good a decision was.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Skill"))]
pub(crate) struct SkillDto {
    /// Win chance that it gave away; below zero by chance.
    pub loss: f64,
    /// Standard error of the loss.
    pub error: f64,
    /// Win chance of the decision.
    pub chance: f64,
    /// The mark, if it was bad.
    #[cfg_attr(test, schemars(with = "Option<MarkName>"))]
    pub mark: Option<Mark>,
    /// What was done, in words.
    pub done: String,
    /// The moves of the best plan found.
    pub best: Vec<String>,
    /// The same in words.
    pub best_words: String,
    /// Whether a bot decided for the player, at least in part; then it counts for nobody.
    pub by_stand_in: bool,
}

/// Names of the marks, as they are described.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its schema is used")]
enum MarkName {
    Inaccuracy,
    Error,
    Blunder,
}

/// Kinds of luck, as they are described.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[schemars(rename_all = "kebab-case", inline)]
#[expect(dead_code, reason = "only its schema is used")]
enum LuckName {
    Dice,
    Cards,
    Deal,
}

/// Totals of a player.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(
    test,
    derive(schemars::JsonSchema),
    schemars(rename = "AnalysisTotals")
)]
pub(crate) struct TotalsDto {
    /// Share of the win.
    pub result: f64,
    /// Luck of the dice, in win chance.
    pub dice_luck: f64,
    /// Luck of the cards.
    pub cards_luck: f64,
    /// Luck of the deal.
    pub deal_luck: f64,
    /// The result without all luck.
    pub adjusted: f64,
    /// Decisions judged; those of a bot that stood in count for nobody.
    pub decisions: usize,
    /// Win chance given away, summed up.
    pub loss: f64,
    /// Its standard error.
    pub loss_error: f64,
    /// Of the chance to win that was there, the share that the decisions kept, from 0 to 1; none without a decision.
    pub accuracy: Option<f64>,
    /// Decisions that cost a little.
    pub inaccuracies: usize,
    /// Decisions that cost much.
    pub errors: usize,
    /// Decisions that cost very much.
    pub blunders: usize,
}

impl GameAnalysisDto {
    /// An analysis, with the frame of each event of the game.
    pub(crate) fn new(found: &GameAnalysis, frames: &[usize]) -> GameAnalysisDto {
        let frame = |n_events: usize| {
            let last = n_events.checked_sub(1);
            last.and_then(|last| frames.get(last)).copied().unwrap_or(0)
        };
        let points = found.points.iter();
        GameAnalysisDto {
            level: found.level.into(),
            n_decisions: found.n_decisions,
            n_judged: found.n_judged,
            points: points
                .map(|p| PointDto::new(p, frame(p.n_events)))
                .collect(),
            totals: found.totals.iter().map(TotalsDto::new).collect(),
        }
    }
}

impl PointDto {
    fn new(point: &Point, frame: usize) -> PointDto {
        PointDto {
            frame,
            seat: point.seat,
            chances: all_rounded(&point.chances),
            errors: point.errors.as_deref().map(all_rounded),
            luck: point.luck.as_ref().map(|(kind, by_seat)| LuckDto {
                kind: *kind,
                by_seat: all_rounded(by_seat),
            }),
            skill: point.skill.as_ref().map(SkillDto::new),
        }
    }
}

impl SkillDto {
    fn new(skill: &SkillPoint) -> SkillDto {
        SkillDto {
            loss: rounded(skill.loss),
            error: rounded(skill.error),
            chance: rounded(skill.chance),
            mark: skill.mark,
            done: skill.done.clone(),
            best: skill.best.clone(),
            best_words: skill.best_words.clone(),
            by_stand_in: skill.by_stand_in,
        }
    }
}

impl TotalsDto {
    fn new(totals: &hegemon_analysis::PlayerTotals) -> TotalsDto {
        TotalsDto {
            result: totals.result,
            dice_luck: rounded(totals.dice_luck),
            cards_luck: rounded(totals.cards_luck),
            deal_luck: rounded(totals.deal_luck),
            adjusted: rounded(totals.adjusted),
            decisions: totals.decisions,
            loss: rounded(totals.loss),
            loss_error: rounded(totals.loss_error),
            accuracy: totals.accuracy.map(rounded),
            inaccuracies: totals.inaccuracies,
            errors: totals.errors,
            blunders: totals.blunders,
        }
    }
}

/// Four decimals: nobody sees more, and a long game has many numbers.
fn rounded(x: f64) -> f64 {
    (x * 1e4).round() / 1e4
}

fn all_rounded(numbers: &[f64]) -> Vec<f64> {
    numbers.iter().copied().map(rounded).collect()
}

/// The analysis of a record that was sent.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "SentRecord"))]
pub(crate) struct SentRecordDto {
    /// Name under which `/api/games/{id}/analysis` answers for it.
    pub id: String,
}

/// A position with all that belongs to it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Position"))]
pub(crate) struct PositionDto {
    /// Name of the map.
    pub map: String,
    /// The rules.
    pub rules: Rules,
    /// Name of the preset, or `custom`.
    pub rules_name: String,
    /// Number of players.
    pub players: usize,
    /// The position as a line of text.
    pub text: String,
    /// What everybody sees of it.
    pub frame: crate::wire::AfterDto,
    /// What it waits for.
    pub waits_for: Awaited,
    /// Seats that have not lost.
    #[cfg_attr(test, schemars(with = "Vec<hegemon_core::PlayerId>"))]
    pub alive: Vec<usize>,
    /// Cards of who decides.
    pub cards: Vec<String>,
}

/// What a position waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Awaited {
    /// The decision of a player.
    Player,
    /// Dice or a card.
    Chance,
    /// Nothing: the game is over.
    Nothing,
}

impl Awaited {
    /// What a state waits for.
    pub(crate) fn of(state: &State) -> Awaited {
        match state.node() {
            _ if Termination::of(state).is_some() => Awaited::Nothing,
            Node::Decision(_) => Awaited::Player,
            Node::Chance => Awaited::Chance,
            Node::Terminal => Awaited::Nothing,
        }
    }
}

impl PositionDto {
    /// A position on the wire.
    pub(crate) fn new(state: &State) -> PositionDto {
        let game = state.game();
        let is_same = |name: &&str| Rules::preset(name).as_ref() == Some(game.rules());
        let name = Rules::PRESETS.into_iter().find(is_same).unwrap_or("custom");
        PositionDto {
            map: game.map().name().to_owned(),
            rules: game.rules().clone(),
            rules_name: name.to_owned(),
            players: game.n_players(),
            text: state.to_position(),
            frame: crate::narrator::after(state),
            waits_for: Awaited::of(state),
            alive: state.alive().map(PlayerId::index).collect(),
            cards: cards_of_mover(state),
        }
    }
}

/// Cards of who decides; none where nobody does.
fn cards_of_mover(state: &State) -> Vec<String> {
    match state.node() {
        Node::Decision(player) => state.hand(player).cards().map(|c| c.to_string()).collect(),
        _ => Vec::new(),
    }
}

/// The best plans of a decision.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Hints"))]
pub(crate) struct HintsDto {
    /// Who decides.
    #[cfg_attr(test, schemars(with = "hegemon_core::PlayerId"))]
    pub seat: usize,
    /// Chance to win by seat.
    pub chances: Vec<f64>,
    /// Standard errors of the chances.
    pub errors: Vec<f64>,
    /// The best first.
    pub plans: Vec<PlanDto>,
}

/// A plan.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Plan"))]
pub(crate) struct PlanDto {
    /// Its moves.
    pub moves: Vec<String>,
    /// The same in words.
    pub words: String,
    /// Chance to win.
    pub chance: f64,
    /// Its standard error.
    pub error: f64,
    /// Own armies lost in the turn, on average.
    pub losses: f64,
    /// Armies that the others lose in it.
    pub kills: f64,
    /// Why, in a sentence.
    pub why: String,
}

impl HintsDto {
    /// Hints on the wire.
    pub(crate) fn new(hints: Hints) -> HintsDto {
        let plan = |hint: hegemon_analysis::Hint| PlanDto {
            moves: hint.moves,
            words: hint.words,
            chance: rounded(hint.chance),
            error: rounded(hint.error),
            losses: rounded(hint.losses),
            kills: rounded(hint.kills),
            why: hint.why,
        };
        HintsDto {
            seat: hints.seat,
            chances: all_rounded(&hints.chances),
            errors: all_rounded(&hints.errors),
            plans: hints.plans.into_iter().map(plan).collect(),
        }
    }
}

/// What holds until a player's next turn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "Threat"))]
pub(crate) struct ThreatDto {
    /// Whose territories they are.
    #[cfg_attr(test, schemars(with = "hegemon_core::PlayerId"))]
    pub seat: usize,
    /// Rollouts that were played.
    pub n_rollouts: u32,
    /// By own territory.
    pub held: Vec<HeldDto>,
}

/// How often a territory held.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "HeldTerritory"))]
pub(crate) struct HeldDto {
    /// Which.
    #[cfg_attr(test, schemars(with = "hegemon_core::TerritoryId"))]
    pub territory: usize,
    /// Share of the rollouts in which it held.
    pub chance: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl ThreatDto {
    /// A threat map on the wire.
    pub(crate) fn new(seat: usize, threat: &Threat) -> ThreatDto {
        let held = |held: &hegemon_analysis::Held| HeldDto {
            territory: held.territory.index(),
            chance: rounded(held.chance),
            low: rounded(held.ci95[0]),
            high: rounded(held.ci95[1]),
        };
        ThreatDto {
            seat,
            n_rollouts: threat.n_rollouts,
            held: threat.held.iter().map(held).collect(),
        }
    }
}

/// A hint in a game against bots.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "GameHint"))]
pub(crate) struct GameHintDto {
    /// Number of the event that it came after.
    pub seq: u64,
    /// The best plans.
    pub hints: HintsDto,
    /// What holds if the turn ended now.
    pub threat: ThreatDto,
}

/// The odds of a campaign.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "CampaignOdds"))]
pub(crate) struct CampaignDto {
    /// Armies of the stack.
    pub armies: u32,
    /// Chance to take everything.
    pub chance: f64,
    /// Whether all orders and ways were tried; if not, the chance is a lower bound.
    pub is_exact: bool,
    /// The best order as long as battles end as they most often do.
    pub steps: Vec<StepDto>,
    /// Armies lost, on average.
    pub losses: f64,
    /// Chance by armies of the stack, from 0 up to those it has.
    pub by_armies: Vec<f64>,
    /// The fewest armies for the chance that was asked for, if one was.
    pub need: Option<u32>,
}

/// A conquest of a campaign.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema), schemars(rename = "CampaignStep"))]
pub(crate) struct StepDto {
    /// What is taken.
    #[cfg_attr(test, schemars(with = "hegemon_core::TerritoryId"))]
    pub territory: usize,
    /// Where from.
    #[cfg_attr(test, schemars(with = "hegemon_core::TerritoryId"))]
    pub from: usize,
    /// Its defenders.
    pub defenders: u32,
    /// Whether the stack moves on into it; else it stays and sends a garrison.
    pub moves_on: bool,
    /// Armies left behind, or sent in if the stack stays.
    pub garrison: u32,
    /// Chance that it falls in the campaign.
    pub taken: f64,
}

impl CampaignDto {
    /// Odds on the wire.
    pub(crate) fn new(odds: &CampaignOdds, need: Option<u32>) -> CampaignDto {
        let step = |step: &hegemon_analysis::CampaignStep| StepDto {
            territory: step.territory.index(),
            from: step.from.index(),
            defenders: step.defenders,
            moves_on: step.moves_on,
            garrison: step.garrison,
            taken: step.taken,
        };
        CampaignDto {
            armies: odds.armies,
            chance: odds.chance,
            is_exact: odds.is_exact,
            steps: odds.steps.iter().map(step).collect(),
            losses: odds.losses,
            by_armies: odds.by_armies.clone(),
            need,
        }
    }
}

/// A decision that cost much: what would have been better?
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Puzzle {
    /// Its name.
    pub id: String,
    /// The game of this server that it is from; none where it comes with the program.
    pub game: Option<String>,
    /// The frame of that game's replay in which the decision was made.
    pub frame: usize,
    /// The position.
    pub position: PositionDto,
    /// What was done, in words.
    pub done: String,
    /// The moves of the best plan found.
    pub best: Vec<String>,
    /// The same in words.
    pub best_words: String,
    /// Win chance of what was done.
    pub chance: f64,
    /// Win chance that it gave away.
    pub loss: f64,
    /// Standard error of the loss.
    pub error: f64,
}

impl Puzzle {
    /// The puzzle of a decision in a stored game.
    pub(crate) fn of_game(
        stored: &SavedGame,
        point: &PointDto,
        decision: &CostlyDecision<'_>,
    ) -> Puzzle {
        let skill = &decision.skill;
        Puzzle {
            id: format!("{}-{}", stored.id, point.frame),
            game: Some(stored.id.clone()),
            frame: point.frame,
            position: PositionDto::new(&decision.before),
            done: skill.done.clone(),
            best: skill.best.clone(),
            best_words: skill.best_words.clone(),
            chance: rounded(skill.chance),
            loss: rounded(skill.loss),
            error: rounded(skill.error),
        }
    }

    /// A puzzle that comes with the program.
    pub(crate) fn shipped(entry: &PuzzleEntry) -> Option<Puzzle> {
        let state = entry.state().ok()?;
        Some(Puzzle {
            id: entry.id.clone(),
            game: None,
            frame: 0,
            position: PositionDto::new(&state),
            done: entry.done.clone(),
            best: entry.best.clone(),
            best_words: entry.best_words.clone(),
            chance: entry.chance,
            loss: entry.loss,
            error: entry.error,
        })
    }
}

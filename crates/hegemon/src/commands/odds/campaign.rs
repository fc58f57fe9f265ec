//! Campaigns over a board, and how safe its territories are.

use anyhow::{anyhow, bail};
use clap::Args;
use hegemon_analysis::{Campaign, CampaignGoal, CampaignOdds, Held, threat};
use hegemon_bots::{Judge, Stop};
use hegemon_core::{Game, Map, PlayerId, State, TerritoryId};
use serde::Serialize;

use super::law::LawArgs;
use crate::inputs;
use crate::output::{self, Column, OutputArgs, percent, rounded};
use crate::values;

/// A position and what is asked about it.
#[derive(Debug, Args)]
pub(super) struct CampaignArgs {
    /// The board, as a position string; asks for --take or --threat
    #[arg(long, value_name = "TEXT", conflicts_with_all = ["fighters", "chain", "table"])]
    position: Option<String>,
    /// The map of the position: a name or a JSON file
    #[arg(long, value_name = "NAME|FILE", default_value = "classic", value_parser = values::map(), hide_possible_values = true)]
    map: String,
    /// Players of the position [default: all that it names]
    #[arg(long, value_name = "N", value_parser = values::players())]
    players: Option<usize>,
    /// Where the campaign begins [default: the largest stack of the player to move]
    #[arg(long, value_name = "NAME", requires = "position")]
    from: Option<String>,
    /// What it takes: a continent, a player's number, or territories in order
    #[arg(long, value_name = "WHAT", requires = "position")]
    take: Option<String>,
    /// Armies to leave in every territory of the campaign
    #[arg(long, value_name = "N", default_value_t = 1, requires = "take")]
    #[arg(value_parser = values::whole::<u32>(1..=1000))]
    garrison: u32,
    /// The chance that each own territory holds until the next turn, by rollouts
    #[arg(long, requires = "position", conflicts_with = "take")]
    threat: bool,
    /// Rollouts of --threat
    #[arg(long, value_name = "N", default_value_t = 1000, requires = "threat")]
    #[arg(value_parser = values::whole::<u32>(1..=1_000_000))]
    rollouts: u32,
    /// Seed of the rollouts
    #[arg(long, default_value_t = 1, requires = "threat", value_parser = values::seed())]
    seed: u64,
}

impl CampaignArgs {
    /// Whether anything about a position is asked.
    pub(super) fn is_asked(&self) -> bool {
        self.position.is_some()
    }

    /// Answers it.
    pub(super) fn run(
        &self,
        law: &LawArgs,
        need: Option<f64>,
        output: OutputArgs,
    ) -> anyhow::Result<()> {
        let text = self.position.as_deref().unwrap_or_default();
        let n_players = inputs::players_of(text, self.players)?;
        let game = Game::new(inputs::map(&self.map)?, law.rules()?, n_players)?;
        let state = inputs::position(&game, text)?;
        if self.threat {
            return output.print(&self.threat_answer(&state)?, ThreatAnswer::text);
        }
        let Some(take) = &self.take else {
            bail!("what is asked about the position? Give --take WHAT or --threat");
        };
        let from = match &self.from {
            Some(name) => territory(game.map(), name)?,
            None => largest_stack(&state)?,
        };
        let goal = goal(&state, take)?;
        let campaign = Campaign::new(&state, from, &goal, self.garrison)?;
        let campaign = match need {
            Some(chance) => campaign.clone().with_armies(campaign.armies_for(chance)?),
            None => campaign,
        };
        let answer = CampaignAnswer::of(&state, from, take, need, &campaign.odds()?);
        output.print(&answer, CampaignAnswer::text)
    }

    fn threat_answer(&self, state: &State) -> anyhow::Result<ThreatAnswer> {
        let judge = Judge::new(state.game(), &Stop::never())?;
        let seat = state.player();
        let strangers = judge.strangers();
        let threat = threat(
            &judge,
            state,
            seat,
            &strangers,
            self.rollouts,
            self.seed,
            &Stop::never(),
        );
        Ok(ThreatAnswer::of(
            state,
            threat.n_rollouts,
            self.seed,
            &threat.held,
        ))
    }
}

/// The territory with this name.
fn territory(map: &Map, name: &str) -> anyhow::Result<TerritoryId> {
    let same = |t: &TerritoryId| map.territory_name(*t).eq_ignore_ascii_case(name.trim());
    map.territories().find(same).ok_or_else(|| {
        let names: Vec<&str> = map.territories().map(|t| map.territory_name(t)).collect();
        let list = format!("hegemon maps show {}", map.name());
        anyhow!(inputs::unknown("territory", name, &names, &list))
    })
}

fn largest_stack(state: &State) -> anyhow::Result<TerritoryId> {
    let own = state.board().owned(state.player());
    let largest = own.iter().max_by_key(|t| state.board().armies(*t));
    largest.ok_or_else(|| anyhow!("the player to move owns nothing; give --from"))
}

/// A continent by its name, a player by its number from 1, or a route of territories.
fn goal(state: &State, text: &str) -> anyhow::Result<CampaignGoal> {
    let map = state.game().map();
    let mut continents = map.continents();
    let named = continents.find(|c| map.continent_name(*c).eq_ignore_ascii_case(text.trim()));
    if let Some(continent) = named {
        return Ok(CampaignGoal::Continent(continent));
    }
    if let Ok(number) = text.trim().parse::<usize>() {
        let n_players = state.game().n_players();
        if !(1..=n_players).contains(&number) {
            bail!("there is no player {number}; they are 1 to {n_players}");
        }
        return Ok(CampaignGoal::Player(PlayerId::new(number - 1)));
    }
    let route = text.split(',').map(|name| territory(map, name));
    Ok(CampaignGoal::Route(route.collect::<anyhow::Result<_>>()?))
}

#[derive(Serialize)]
struct CampaignAnswer {
    from: String,
    take: String,
    armies: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    need: Option<f64>,
    /// To six decimals and in full.
    win: f64,
    win_exact: f64,
    /// Whether all orders and ways were tried; if not, the chance is a lower bound.
    is_exact: bool,
    mean_losses: f64,
    steps: Vec<StepAnswer>,
    /// Chance by armies of the stack, from 0 on.
    by_armies: Vec<f64>,
}

#[derive(Serialize)]
struct StepAnswer {
    territory: String,
    from: String,
    defenders: u32,
    /// Whether the stack moves on into it.
    moves_on: bool,
    garrison: u32,
    taken: f64,
}

impl CampaignAnswer {
    fn of(
        state: &State,
        from: TerritoryId,
        take: &str,
        need: Option<f64>,
        odds: &CampaignOdds,
    ) -> CampaignAnswer {
        let map = state.game().map();
        let name = |t| map.territory_name(t).to_owned();
        let steps = odds.steps.iter().map(|step| StepAnswer {
            territory: name(step.territory),
            from: name(step.from),
            defenders: step.defenders,
            moves_on: step.moves_on,
            garrison: step.garrison,
            taken: step.taken,
        });
        CampaignAnswer {
            from: name(from),
            take: take.to_owned(),
            armies: odds.armies,
            need,
            win: rounded(odds.chance, 6),
            win_exact: odds.chance,
            is_exact: odds.is_exact,
            mean_losses: odds.losses,
            steps: steps.collect(),
            by_armies: odds.by_armies.clone(),
        }
    }

    fn text(&self) -> String {
        let CampaignAnswer {
            from, take, armies, ..
        } = self;
        let mut text = match self.need {
            Some(need) => format!(
                "{} for {take} takes {armies} armies in {from}\n\n",
                percent(need)
            ),
            None => format!("{armies} armies in {from} set out for {take}\n\n"),
        };
        let mut table = output::table([
            Column::Text("attack"),
            Column::Text("from"),
            Column::Number("defenders"),
            Column::Text("then"),
            Column::Number("taken"),
        ]);
        for step in &self.steps {
            let then = match step.moves_on {
                true => format!("move on, leave {}", step.garrison),
                false => format!("stay, send {}", step.garrison),
            };
            table.add_row(output::row([
                step.territory.clone(),
                step.from.clone(),
                step.defenders.to_string(),
                then,
                percent(step.taken),
            ]));
        }
        text += &output::table_text(&table);
        text.push('\n');
        let win = match self.is_exact {
            true => percent(self.win_exact),
            false => format!("at least {} (not all ways were tried)", percent(self.win)),
        };
        let mut facts = vec![
            ("all taken", win),
            ("mean losses", format!("{:.2} armies", self.mean_losses)),
            (
                "counted",
                "one stack that goes on; armies left behind attack no more".to_owned(),
            ),
        ];
        if self.armies > 1 && self.need.is_some() {
            let fewer = self.by_armies[self.armies as usize - 1];
            facts.push(("one fewer", percent(fewer)));
        }
        text + &output::facts(facts)
    }
}

#[derive(Serialize)]
struct ThreatAnswer {
    /// From 1.
    player: usize,
    rollouts: u32,
    seed: u64,
    /// The least safe first.
    territories: Vec<HeldAnswer>,
}

#[derive(Serialize)]
struct HeldAnswer {
    territory: String,
    armies: u32,
    held: f64,
    ci95: [f64; 2],
}

impl ThreatAnswer {
    fn of(state: &State, rollouts: u32, seed: u64, held: &[Held]) -> ThreatAnswer {
        let map = state.game().map();
        let answer = |held: &Held| HeldAnswer {
            territory: map.territory_name(held.territory).to_owned(),
            armies: state.board().armies(held.territory),
            held: held.chance,
            ci95: held.ci95,
        };
        let mut territories: Vec<HeldAnswer> = held.iter().map(answer).collect();
        territories.sort_by(|a, b| a.held.total_cmp(&b.held));
        ThreatAnswer {
            player: state.player().index() + 1,
            rollouts,
            seed,
            territories,
        }
    }

    fn text(&self) -> String {
        let mut table = output::table([
            Column::Text("territory"),
            Column::Number("armies"),
            Column::Number("holds"),
            Column::Number("95 %"),
        ]);
        for held in &self.territories {
            let [low, high] = held.ci95;
            table.add_row(output::row([
                held.territory.clone(),
                held.armies.to_string(),
                percent(held.held),
                format!("{:.1}-{:.1}", 100.0 * low, 100.0 * high),
            ]));
        }
        format!(
            "Chance of player {} to hold each territory until its next turn\n\n{}\n{}",
            self.player,
            output::table_text(&table),
            output::facts([("rollouts", format!("{}, seed {}", self.rollouts, self.seed))])
        )
    }
}

//! A training from nothing to nets: games of the population, nets, games of the
//! champion that plays with these nets, better nets, and so on.
//!
//! A run is a pure function of [`ValueTraining`], whatever the number of threads and
//! however often it was stopped: the nets of each generation and the champion's games
//! are kept in its folder; games of the population are quick and are played again.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_arena::{Program, write_whole};
use hegemon_bots::{Grants, Spec, SpecError};
use hegemon_core::{Game, Map, mix};
use hegemon_eval::value::{ValueCard, ValueFile};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::check::{CheckLine, check, check_lines};
use super::correction::fit_correction;
use super::fit::{FitParams, fit};
use super::games::{ChampionSeats, GamePlan, make_rows};
use super::population::{Population, TableKind};
use super::rows::{CLASSIC_TERRITORIES, Label, Rows};
use crate::checkpoint::{CheckpointError, claim, read_checkpoint, write_checkpoint};

/// What to train.
#[derive(Clone, Debug)]
pub struct ValueTraining {
    /// What decides the result.
    pub plan: ValuePlan,
    /// Worker threads; the result does not depend on it.
    pub n_threads: usize,
    /// What the players may reach; must let through the nets of the folder.
    pub grants: Grants,
    /// The command to name in the cards.
    pub command: String,
}

/// What decides the result of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct ValuePlan {
    /// Games of the population.
    pub games: u64,
    /// Games of the champion in each generation after the first.
    pub champion_games: u64,
    /// Generations after the first.
    pub generations: u32,
    /// Whether the champion plays its first games with the shipped nets; else nets are fitted
    /// for them to the games of the population.
    #[serde(default)]
    pub from_shipped: bool,
    /// Looks a candidate of the champion in its games.
    pub looks: u32,
    /// Passes over all rows.
    pub epochs: u32,
    /// Hidden units of the net that knows the classic map.
    pub classic_hidden: [usize; 2],
    /// Hidden units of the net that knows no map.
    pub any_hidden: [usize; 2],
    /// A bot left out everywhere, to be tested on.
    pub without: Option<String>,
    /// Seed of everything.
    pub seed: u64,
}

impl Default for ValuePlan {
    fn default() -> ValuePlan {
        ValuePlan {
            games: 400_000,
            champion_games: 8_000,
            generations: 2,
            from_shipped: false,
            looks: 5,
            epochs: 6,
            classic_hidden: [128, 32],
            any_hidden: [64, 32],
            without: None,
            seed: 1,
        }
    }
}

/// How far a run is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueProgress {
    /// After a game.
    Playing {
        generation: u32,
        /// Games so far.
        n_games: u64,
        /// Games planned.
        of: u64,
    },
    /// After a pass over the rows.
    Fitting {
        generation: u32,
        /// Which net.
        net: NetKind,
        /// Passes so far.
        n_epochs: u32,
        /// Mean log-loss.
        loss: f64,
    },
}

/// One of the two nets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NetKind {
    /// The one that knows the classic map.
    Classic,
    /// The one that knows no map.
    Any,
}

impl NetKind {
    /// Both.
    pub const ALL: [NetKind; 2] = [NetKind::Classic, NetKind::Any];

    /// The name in files.
    pub fn name(self) -> &'static str {
        match self {
            NetKind::Classic => "classic",
            NetKind::Any => "any",
        }
    }

    /// Whether it is asked at a table.
    pub(super) fn knows(self, table: &TableKind) -> bool {
        let is_classic = |game: &Arc<Game>| game.map().name().starts_with("classic");
        self == NetKind::Any || table.games.iter().all(is_classic)
    }
}

/// Why a training failed.
#[derive(Debug, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum ValueTrainError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    #[error("{}: {source}", path.display())]
    Net {
        path: PathBuf,
        source: hegemon_eval::WeightsError,
    },
    #[error("cannot write {}", path.display())]
    Io {
        path: PathBuf,
        source: std::io::Error,
    },
    #[error("there is no bot \"{0}\" in the population")]
    NoSuchBot(String),
}

/// What a training ended with.
#[derive(Clone, Debug)]
pub struct ValueTrained {
    /// The nets of the last generation with what the checks found; none if the run was
    /// stopped before its end.
    pub nets: Option<[(NetKind, Vec<CheckLine>); 2]>,
}

/// Champion games that are kept together.
const A_PART: u64 = 250;

/// Trains in a folder, or goes on there.
///
/// # Errors
///
/// If the folder cannot be used, or holds another training.
pub fn run(
    training: &ValueTraining,
    folder: &Path,
    stop: &AtomicBool,
    mut tell: impl FnMut(ValueProgress),
) -> Result<ValueTrained, ValueTrainError> {
    let _claim = claim(folder, &folder.join("training.lock"))?;
    let plan_file = folder.join("training.json");
    match read_checkpoint::<ValuePlan>(&plan_file)? {
        None => write_checkpoint(&plan_file, &training.plan)?,
        Some(plan) if plan == training.plan => {}
        Some(_) => {
            let reason = "the folder holds a training with other parameters";
            return Err(CheckpointError::content(&plan_file, reason).into());
        }
    }
    let workshop = Workshop {
        training,
        folder,
        stop,
        population: training.plan.population()?,
        tables: TableKind::all(),
    };
    let trained = workshop.run(&mut tell);
    match trained {
        Err(Ended::Stopped) => Ok(ValueTrained { nets: None }),
        Err(Ended::Failed(error)) => Err(error),
        Ok(nets) => Ok(ValueTrained { nets: Some(nets) }),
    }
}

impl ValuePlan {
    fn population(&self) -> Result<Population, ValueTrainError> {
        let mut population = Population::shipped();
        if let Some(name) = &self.without
            && !population.leave_out(name)
        {
            return Err(ValueTrainError::NoSuchBot(name.clone()));
        }
        Ok(population)
    }
}

/// Why a run did not come to its end.
enum Ended {
    Stopped,
    Failed(ValueTrainError),
}

impl<E: Into<ValueTrainError>> From<E> for Ended {
    fn from(error: E) -> Ended {
        Ended::Failed(error.into())
    }
}

/// A training under way.
struct Workshop<'a> {
    training: &'a ValueTraining,
    folder: &'a Path,
    stop: &'a AtomicBool,
    population: Population,
    tables: Vec<TableKind>,
}

/// What is kept of the games of the population, and of those of the champion.
pub(super) const KEEP: [f64; 2] = [0.06, 0.006];
const KEEP_CHAMPION: [f64; 2] = [0.2, 0.02];

type Tell<'t> = &'t mut dyn FnMut(ValueProgress);

impl Workshop<'_> {
    fn run(&self, tell: Tell<'_>) -> Result<[(NetKind, Vec<CheckLine>); 2], Ended> {
        let plan = &self.training.plan;
        let mut rows = None;
        for generation in 0..=plan.generations {
            let is_last = generation == plan.generations;
            if !is_last && self.has_nets(generation) {
                continue;
            }
            // The champion's games come first: they are kept when a run is stopped.
            let newest = match generation {
                0 => Rows::default(),
                _ => self.champion_rows(generation, tell)?,
            };
            // What earlier runs have played is needed once anything is left to be fitted.
            let rows = match &mut rows {
                Some(rows) => rows,
                None => {
                    let mut all = self.population_rows(tell)?;
                    for earlier in 1..generation {
                        all.append(self.champion_rows(earlier, tell)?);
                    }
                    rows.insert(all)
                }
            };
            rows.append(newest);
            let withheld = is_last.then(|| self.withheld_rows(tell)).transpose()?;
            for kind in NetKind::ALL {
                if is_last || !self.net_path(kind, generation).exists() {
                    self.fit(kind, generation, rows, withheld.as_ref(), tell)?;
                }
            }
        }
        let lines = |kind| -> Result<_, Ended> { Ok((kind, self.checked(kind)?)) };
        Ok([lines(NetKind::Classic)?, lines(NetKind::Any)?])
    }

    fn net_path(&self, kind: NetKind, generation: u32) -> PathBuf {
        let name = if generation == self.training.plan.generations {
            format!("value-{}.toml", kind.name())
        } else {
            format!("{}-{generation}.toml", kind.name())
        };
        self.folder.join(name)
    }

    /// Whether the champion can play with the nets of a generation.
    fn has_nets(&self, generation: u32) -> bool {
        let exists = |kind| self.net_path(kind, generation).exists();
        self.is_shipped(generation) || NetKind::ALL.into_iter().all(exists)
    }

    /// Whether the nets of a generation are those that the champion has anyway.
    fn is_shipped(&self, generation: u32) -> bool {
        generation == 0 && self.training.plan.from_shipped
    }

    fn plan(&self, generation: u32) -> GamePlan {
        let champion = |kind: NetKind| -> Spec {
            let before = generation.saturating_sub(1);
            let value = match self.is_shipped(before) {
                true => "auto".to_owned(),
                false => self.net_path(kind, before).display().to_string(),
            };
            let spec = format!(
                "champion(looks={},suspects={},value={value})",
                self.training.plan.looks,
                self.population.suspects(),
            );
            spec.parse().unwrap_or_else(|_| Spec::plain("champion"))
        };
        GamePlan {
            seed: mix(self.training.plan.seed ^ mix(u64::from(generation))),
            tables: match generation {
                0 => self.tables.clone(),
                _ => self
                    .tables
                    .iter()
                    .map(TableKind::without_slow_games)
                    .collect(),
            },
            field: match generation {
                0 => self.population.known.clone(),
                _ => self.population.among_champions(),
            },
            withheld: Vec::new(),
            champion: (generation > 0).then(|| ChampionSeats {
                classic: champion(NetKind::Classic),
                any: champion(NetKind::Any),
                more: 0.25,
            }),
            keep: if generation > 0 { KEEP_CHAMPION } else { KEEP },
        }
    }

    fn population_rows(&self, tell: Tell<'_>) -> Result<Rows, Ended> {
        self.play(&self.plan(0), self.training.plan.games, tell)
    }

    /// Games with players that no net has learned from.
    fn withheld_rows(&self, tell: Tell<'_>) -> Result<Rows, Ended> {
        let plan = GamePlan {
            seed: mix(self.training.plan.seed ^ mix(u64::MAX)),
            withheld: self.population.withheld.clone(),
            ..self.plan(0)
        };
        self.play(&plan, self.training.plan.games.div_ceil(10), tell)
    }

    fn play(&self, plan: &GamePlan, of: u64, tell: Tell<'_>) -> Result<Rows, Ended> {
        let ValueTraining {
            n_threads, grants, ..
        } = self.training;
        let (mut all, mut n_games) = (Rows::default(), 0u64);
        make_rows(plan, 0..of, *n_threads, grants, self.stop, |rows| {
            all.append(rows);
            n_games += 1;
            if n_games.is_multiple_of(100) {
                tell(ValueProgress::Playing {
                    generation: 0,
                    n_games,
                    of,
                });
            }
            ControlFlow::Continue(())
        });
        if n_games == of {
            Ok(all)
        } else {
            Err(Ended::Stopped)
        }
    }

    /// The champion's games of a generation, from the folder as far as they are there.
    /// Games that are missing are played in one go, so that nobody waits for the
    /// longest game of each part.
    fn champion_rows(&self, generation: u32, tell: Tell<'_>) -> Result<Rows, Ended> {
        let of = self.training.plan.champion_games;
        let path = |part: u64| self.folder.join(format!("games-{generation}-{part}.rows"));
        let read = |part| {
            fs::read(path(part))
                .ok()
                .and_then(|bytes| Rows::of_bytes(&bytes))
        };
        let mut all = Rows::default();
        let mut n_parts = 0;
        while let Some(rows) = (n_parts * A_PART < of).then(|| read(n_parts)).flatten() {
            all.append(rows);
            n_parts += 1;
        }
        let (mut n_games, mut part, mut failure) = (n_parts * A_PART, Rows::default(), None);
        let ValueTraining {
            n_threads, grants, ..
        } = self.training;
        let plan = self.plan(generation);
        let games = n_games.min(of)..of;
        make_rows(&plan, games, *n_threads, grants, self.stop, |rows| {
            part.append(rows);
            n_games += 1;
            if n_games.is_multiple_of(A_PART) || n_games == of {
                let rows = std::mem::take(&mut part);
                failure = self.write(&path(n_parts), &rows.to_bytes()).err();
                all.append(rows);
                n_parts += 1;
            }
            tell(ValueProgress::Playing {
                generation,
                n_games,
                of,
            });
            match failure {
                Some(_) => ControlFlow::Break(()),
                None => ControlFlow::Continue(()),
            }
        });
        match failure {
            Some(failure) => Err(failure),
            None if n_games < of => Err(Ended::Stopped),
            None => Ok(all),
        }
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Ended> {
        write_whole(path, bytes).map_err(|source| {
            Ended::Failed(ValueTrainError::Io {
                path: path.to_owned(),
                source,
            })
        })
    }

    fn fit(
        &self,
        kind: NetKind,
        generation: u32,
        rows: &Rows,
        withheld: Option<&Rows>,
        tell: Tell<'_>,
    ) -> Result<(), Ended> {
        let plan = &self.training.plan;
        let is_fit = |label: Label| kind == NetKind::Any || label.is_classic;
        let chosen = (0..rows.len() as u32).filter(|row| {
            let label = rows.label(*row as usize);
            is_fit(label) && !label.is_held_out()
        });
        let params = FitParams {
            hidden: match kind {
                NetKind::Classic => plan.classic_hidden,
                NetKind::Any => plan.any_hidden,
            },
            n_territories: match kind {
                NetKind::Classic => CLASSIC_TERRITORIES,
                NetKind::Any => 0,
            },
            // Nets that only make the next games need not be the best.
            epochs: match withheld {
                Some(_) => plan.epochs,
                None => plan.epochs.div_ceil(3),
            },
            seed: plan.seed,
            ..FitParams::default()
        };
        let mut heard = |n_epochs, loss| {
            tell(ValueProgress::Fitting {
                generation,
                net: kind,
                n_epochs,
                loss,
            });
            !self.stop.load(Ordering::Relaxed)
        };
        let chosen: Vec<u32> = chosen.collect();
        let weights = fit(rows, &chosen, &params, self.training.n_threads, &mut heard);
        let mut file = ValueFile {
            card: ValueCard::default(),
            territories: match kind {
                NetKind::Classic => classic_names(),
                NetKind::Any => Vec::new(),
            },
            weights: weights.ok_or(Ended::Stopped)?,
        }
        .rounded();
        // Nets that only make the next games need not be right to the point.
        if withheld.is_some() {
            let is_for_it = |row: &u32| {
                let label = rows.label(*row as usize);
                is_fit(label) && label.is_held_out() && !label.is_checked()
            };
            let held_out: Vec<u32> = (0..rows.len() as u32).filter(is_for_it).collect();
            file.weights.correction = Some(fit_correction(&file.weights, rows, &held_out));
        }
        file.card = self.card(kind, generation, rows, chosen.len());
        let lines = self.check(kind, &file, rows, withheld);
        file.card.held_out = lines.iter().map(ToString::to_string).collect();
        if let Some(path) = withheld.map(|_| self.checks_path(kind)) {
            write_checkpoint(&path, &lines)?;
        }
        self.write(&self.net_path(kind, generation), file.to_toml().as_bytes())
    }

    fn checks_path(&self, kind: NetKind) -> PathBuf {
        self.folder.join(format!("checks-{}.json", kind.name()))
    }

    fn checked(&self, kind: NetKind) -> Result<Vec<CheckLine>, Ended> {
        Ok(read_checkpoint(&self.checks_path(kind))?.unwrap_or_default())
    }

    fn card(&self, kind: NetKind, generation: u32, rows: &Rows, n_fitted: usize) -> ValueCard {
        let ValueTraining { plan, command, .. } = self.training;
        let mut data = vec![format!(
            "{} games of {} bots at {} kinds of tables, seed {}",
            plan.games,
            self.population.known.len(),
            self.tables.len(),
            plan.seed
        )];
        if generation > 0 {
            data.push(format!(
                "{} games of the champion in each of {generation} generations, {} looks{}",
                plan.champion_games,
                plan.looks,
                if plan.from_shipped {
                    ", the first with the nets shipped then"
                } else {
                    ""
                }
            ));
        }
        data.push(format!(
            "{n_fitted} of {} rows learned from, a tenth of the games held out; by half of these the chances are corrected, the others are checked",
            rows.len()
        ));
        ValueCard {
            about: match kind {
                NetKind::Classic => "Chances to win on the classic map.",
                NetKind::Any => "Chances to win on any map.",
            }
            .to_owned(),
            trained_by: command.clone(),
            program: Program::current().to_string(),
            data,
            held_out: Vec::new(),
            corrected: Vec::new(),
        }
    }

    /// What the net is worth where it has not learned: by table and number of players,
    /// by the point of a turn, and with players that were withheld.
    fn check(
        &self,
        kind: NetKind,
        file: &ValueFile,
        rows: &Rows,
        withheld: Option<&Rows>,
    ) -> Vec<CheckLine> {
        let fits = move |label: Label| kind == NetKind::Any || label.is_classic;
        let mut lines = check_lines(&file.weights, rows, &self.tables, |label| {
            fits(label) && label.is_checked()
        });
        if let Some(withheld) = withheld {
            let found = check(&file.weights, withheld, &[Box::new(fits)]);
            let line = |found| CheckLine::new("players withheld".to_owned(), found);
            lines.extend(found.iter().filter(|found| found.n_rows > 0).map(line));
        }
        lines
    }
}

fn classic_names() -> Vec<String> {
    let map = Map::builtin("classic").unwrap_or_else(|| unreachable!("shipped"));
    let name = |t| map.territory_name(t).to_owned();
    map.territories().map(name).collect()
}

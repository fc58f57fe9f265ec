//! The resources a spec needs, found by walking its tree with the declared
//! parameters: bots, files, programs, threads and the cost of a decision.
//! Nothing is built.

use crate::draft::drafter_info;
use crate::parameter::{Capability, Cost, Parameter};
use crate::registry::bot_info;
use crate::settings::{Setting, Settings};
use crate::spec::{Spec, SpecError};

/// Most threads of one bot, multiplied by those of nested bots.
pub const MAX_SPEC_THREADS: u64 = 256;

/// The resources a spec needs.
///
/// ```
/// use hegemon_bots::Demand;
/// let demand = |spec: &str| Demand::of(&spec.parse().expect("well formed")).expect("known");
/// assert_eq!(demand("rollout(base=cmd(./bot))").programs, ["./bot"]);
/// assert_eq!(demand("greedy(weights=a.toml)").files, ["a.toml"]);
/// assert!(demand("rollout(base=mcts)").cost > 1000.0 * demand("rollout").cost);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Demand {
    /// Names of all bots in it, drafters included.
    pub bots: Vec<&'static str>,
    /// Paths of files that it reads.
    pub files: Vec<String>,
    /// Command lines that it runs.
    pub programs: Vec<String>,
    /// Threads in use at the same time.
    pub n_threads: u64,
    /// Steps per decision, as an order of magnitude: a step is a decision in a
    /// playout, an evaluation or similar.
    pub cost: f64,
}

impl Demand {
    /// The resources a spec needs.
    ///
    /// # Errors
    ///
    /// If a bot or a parameter in it does not exist, or a value is wrong.
    pub fn of(spec: &Spec) -> Result<Demand, SpecError> {
        let info = bot_info(&spec.name)?;
        Demand::of_settings(
            info.name,
            &Settings::read(spec, info.name, info.parameters)?,
        )
    }

    fn of_drafter(spec: &Spec) -> Result<Demand, SpecError> {
        match drafter_info(&spec.name) {
            Some(info) => Demand::of_settings(
                info.name,
                &Settings::read(spec, info.name, info.parameters)?,
            ),
            None => Demand::of(spec),
        }
    }

    fn of_settings(name: &'static str, settings: &Settings<'_>) -> Result<Demand, SpecError> {
        let mut demand = Demand {
            bots: vec![name],
            files: Vec::new(),
            programs: Vec::new(),
            n_threads: 1,
            cost: budget(settings),
        };
        for (parameter, setting) in settings.iter() {
            demand.add(parameter, setting)?;
        }
        Ok(demand)
    }

    fn add(&mut self, parameter: &Parameter, setting: &Setting) -> Result<(), SpecError> {
        let size = size_of(setting);
        match parameter.cost {
            Cost::Times(steps) => self.cost *= (size.unwrap_or(1.0) * steps).max(1.0),
            Cost::Doubles => self.cost *= size.unwrap_or(0.0).exp2(),
            Cost::Threads => {
                let n_threads = size.unwrap_or(1.0) as u64;
                self.n_threads = self.n_threads.saturating_mul(n_threads.max(1));
            }
            Cost::None | Cost::Budget(_) | Cost::Decisions(_) => {}
        }
        match setting {
            Setting::Bot(spec) if parameter.is_drafter() => {
                let inner = Demand::of_drafter(spec)?;
                self.nest(parameter, vec![inner]);
            }
            Setting::Bot(spec) => self.nest(parameter, vec![Demand::of(spec)?]),
            Setting::Bots(specs) => {
                let inner = specs.iter().map(Demand::of).collect::<Result<_, _>>()?;
                self.nest(parameter, inner);
            }
            Setting::Weights(name) if parameter.capability(name) == Capability::File => {
                self.files.push(name.clone());
            }
            Setting::Command(line) => self.programs.push(line.clone()),
            _ => {}
        }
        Ok(())
    }

    /// Adds the bots of one parameter, of which one plays at a time.
    fn nest(&mut self, parameter: &Parameter, inner: Vec<Demand>) {
        let n_decisions = match parameter.cost {
            Cost::Decisions(n_decisions) => n_decisions,
            _ => 1.0,
        };
        let cost = inner.iter().map(|demand| demand.cost).fold(1.0, f64::max);
        let n_threads = inner.iter().map(|demand| demand.n_threads).max();
        self.cost *= n_decisions * cost;
        self.n_threads = self.n_threads.saturating_mul(n_threads.unwrap_or(1));
        for demand in inner {
            self.bots.extend(demand.bots);
            self.files.extend(demand.files);
            self.programs.extend(demand.programs);
        }
    }
}

/// The largest of the given budgets, or of the defaults if none is given.
fn budget(settings: &Settings<'_>) -> f64 {
    let steps = |(parameter, setting): (&Parameter, &Setting)| match parameter.cost {
        Cost::Budget(steps) => Some((settings.is_given(parameter.name), size_of(setting)? * steps)),
        _ => None,
    };
    let all: Vec<(bool, f64)> = settings.iter().filter_map(steps).collect();
    let any_given = all.iter().any(|(is_given, _)| *is_given);
    let counted = all.iter().filter(|(is_given, _)| *is_given == any_given);
    counted.map(|(_, steps)| *steps).fold(1.0, f64::max)
}

fn size_of(setting: &Setting) -> Option<f64> {
    match setting {
        Setting::Whole(value) => Some(*value as f64),
        Setting::Real(value) => Some(*value),
        _ => None,
    }
}

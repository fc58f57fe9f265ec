//! A fixed search whose speed can be measured from outside. This crate reads no
//! clock: the caller times [`SearchProbe::run`].

use std::sync::Arc;

use hegemon_core::{Game, Map, PlayerId, Rng, Rules, State};
use hegemon_search::{Budget, Mcts};

use super::mcts::MctsSetup;
use super::options;
use crate::bot::Seating;
use crate::loader::Grants;
use crate::registry::settings;
use crate::spec::{Spec, SpecError};

/// Work done by a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProbeEffort {
    /// Iterations made.
    pub iterations: u64,
    /// Nodes in the tree.
    pub nodes: usize,
    /// Bytes of the tree.
    pub bytes: usize,
}

/// A search from the first decision of a dealt game.
///
/// ```
/// use hegemon_bots::search::SearchProbe;
/// let probe = SearchProbe::mcts("mcts(k=20)", 1).expect("a spec");
/// let effort = probe.run(200);
/// assert_eq!(effort.iterations, 200);
/// assert!(effort.nodes > 200);
/// ```
pub struct SearchProbe {
    setup: MctsSetup,
    root: State,
}

impl SearchProbe {
    /// The search of an `mcts` spec on the classic map under the rules of Brand and
    /// Kroon 2014, with the deal of a seed.
    ///
    /// # Errors
    ///
    /// If the spec is wrong.
    pub fn mcts(spec: &str, seed: u64) -> Result<SearchProbe, SpecError> {
        let spec: Spec = spec.parse()?;
        let unsuitable = |reason: &str| SpecError::Unsuitable {
            bot: spec.name.clone(),
            reason: reason.to_owned(),
        };
        let map = Map::builtin("classic").ok_or_else(|| unsuitable("there is no map"))?;
        let rules = Rules::preset("sampling").ok_or_else(|| unsuitable("there are no rules"))?;
        let game: Arc<Game> =
            Game::new(map, rules, 2).map_err(|error| unsuitable(&error.to_string()))?;
        let seating = Seating {
            game: &game,
            seat: PlayerId::new(0),
            seed,
            grants: &Grants::sealed(),
        };
        let setup = options::mcts_setup(&settings(&spec)?, &seating, None)?;
        let root = game.deal(seed);
        Ok(SearchProbe { setup, root })
    }

    /// Searches with an empty tree for this many iterations.
    pub fn run(&self, iterations: u64) -> ProbeEffort {
        let MctsSetup {
            game,
            hooks,
            params,
            ..
        } = self.setup.clone();
        let mut mcts = Mcts::new(game, hooks, params, self.root.clone());
        let mut rng = Rng::stream(1, "probe");
        let report = mcts.search(Budget::Iterations(iterations), &mut rng);
        ProbeEffort {
            iterations: report.iterations,
            nodes: report.nodes,
            bytes: report.bytes,
        }
    }
}

//! Fast evaluation of many moves of one position.

use std::ops::RangeInclusive;

use hegemon_core::{Board, PlayerId, TerritoryId};

use crate::evaluator::Evaluator;
use crate::incremental_features::{Change, IncrementalFeatures};
use crate::schema::Stage;

/// Occupations tried after a conquest: both ends and evenly spaced values
/// between them.
const N_OCCUPATIONS: u32 = 5;

/// Evaluates, for one player, the results of many moves from one position.
///
/// Terms that depend only on owners, or on armies that the move does not
/// change, are computed once. A placement or fortification costs about a tenth
/// of a microsecond, an exchange of dice without conquest the same, a conquest
/// about as much as an evaluation from scratch.
///
/// ```
/// use hegemon_core::{Game, Map, Rules};
/// use hegemon_eval::{Batch, Evaluator, GameFacts, Stage, Weights};
/// use std::sync::Arc;
///
/// let map = Map::builtin("classic").expect("shipped");
/// let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
/// let mut state = game.deal(1);
/// let evaluator = Evaluator::new(
///     Arc::new(GameFacts::new(&game)),
///     &Weights::builtin("default").expect("shipped"),
/// );
/// let (player, armies) = (state.player(), state.to_place());
/// let territory = state.board().owned(player).first().expect("has territories");
/// let mut batch = Batch::new(&evaluator, state.board(), player);
/// let value = batch.place(&[(territory, armies)]);
/// state.play(hegemon_core::Move::Place { territory, armies }).expect("legal");
/// let again = evaluator.evaluate(state.board(), player, Stage::Move);
/// assert!((value - again).abs() < 1e-9);
/// ```
pub struct Batch<'a> {
    evaluator: &'a Evaluator,
    features: IncrementalFeatures,
    conquered: IncrementalFeatures,
    player: PlayerId,
    changes: Vec<Change>,
}

impl<'a> Batch<'a> {
    /// Prepares the shared terms of a position for one player.
    pub fn new(evaluator: &'a Evaluator, board: &Board, player: PlayerId) -> Batch<'a> {
        let mut features = IncrementalFeatures::default();
        features.read(evaluator.facts(), board);
        features.settle(evaluator.facts(), player);
        Batch {
            evaluator,
            features,
            conquered: IncrementalFeatures::default(),
            player,
            changes: Vec::new(),
        }
    }

    /// The value of the position as it is.
    pub fn unchanged(&self, stage: Stage) -> f64 {
        let raw = self.features.raw(self.evaluator.facts());
        self.evaluator.weigh(&raw, stage)
    }

    /// The value after armies were placed, no territory twice.
    pub fn place(&mut self, placed: &[(TerritoryId, u32)]) -> f64 {
        self.changes.clear();
        for &(territory, armies) in placed {
            let before = self.features.armies(territory);
            self.changes.push((territory, before + armies));
        }
        self.changed(Stage::Move)
    }

    /// The value after armies moved between two own territories.
    pub fn shift(&mut self, from: TerritoryId, to: TerritoryId, armies: u32, stage: Stage) -> f64 {
        self.changes.clear();
        let (source, target) = (self.features.armies(from), self.features.armies(to));
        self.changes.push((from, source - armies));
        self.changes.push((to, target + armies));
        self.changed(stage)
    }

    /// The value after both sides lost armies without a conquest.
    pub fn losses(&mut self, from: TerritoryId, to: TerritoryId, losses: (u32, u32)) -> f64 {
        self.changes.clear();
        let (source, target) = (self.features.armies(from), self.features.armies(to));
        self.changes.push((from, source - losses.0));
        self.changes.push((to, target - losses.1));
        self.changed(Stage::Attack)
    }

    /// The value after a conquest and the best of up to five occupations out of
    /// a range, with that occupation.
    pub fn conquest(
        &mut self,
        from: TerritoryId,
        to: TerritoryId,
        attacker_losses: u32,
        occupations: &RangeInclusive<u32>,
    ) -> (f64, u32) {
        let facts = self.evaluator.facts();
        let fewest = *occupations.start();
        let width = occupations.end() - fewest;
        self.conquered.copy_board(facts, &self.features);
        self.conquered.conquer(from, to, attacker_losses, fewest);
        self.conquered.settle(facts, self.player);
        let raw = self.conquered.raw(facts);
        let mut best = (self.evaluator.weigh(&raw, Stage::Attack), fewest);
        let left = self.conquered.armies(from);
        let n_steps = width.min(N_OCCUPATIONS - 1);
        for step in 1..=n_steps {
            let more = width * step / n_steps;
            let mut changes = [(from, left - more), (to, fewest + more)];
            let raw = self.conquered.raw_with(facts, &mut changes);
            let value = self.evaluator.weigh(&raw, Stage::Attack);
            if value > best.0 {
                best = (value, fewest + more);
            }
        }
        best
    }

    fn changed(&mut self, stage: Stage) -> f64 {
        let raw = self
            .features
            .raw_with(self.evaluator.facts(), &mut self.changes);
        self.evaluator.weigh(&raw, stage)
    }
}

//! Training the value: games of a wide population, then nets that say from a position
//! who wins, then games of the champion that plays with these nets, and so on.

mod check;
mod correction;
mod fit;
mod games;
mod population;
mod rows;
#[cfg(test)]
mod tests;
mod training;

pub use check::{CalibrationBin, CheckLine, IsWanted, ValueCheck, check};
pub use correction::{Corrected, CorrectionPlan, correct, fit_correction};
pub use fit::{FitParams, fit};
pub use games::{ChampionSeats, GamePlan, make_rows};
pub use population::{Population, TableKind};
pub use rows::{Label, Rows};
pub use training::{
    NetKind, ValuePlan, ValueProgress, ValueTrainError, ValueTrained, ValueTraining, run,
};

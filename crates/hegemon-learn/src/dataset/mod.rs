//! Data sets of games, one row for each phase of each turn: the features before
//! and after, the moves, and the result of the game (Lozano and Bratz 2012,
//! section 1.3). Files are CSV or, with the feature `parquet`, Parquet; neither
//! writing nor reading holds more than a few games in memory.
//!
//! ```
//! use hegemon_learn::dataset::{Columns, TurnPhase};
//! let columns = Columns::new(4);
//! assert!(columns.names().any(|name| name == "after_p0_armies"));
//! assert_eq!(TurnPhase::Attack.name(), "attack");
//! ```

mod chain;
mod collect;
mod csv_file;
mod fit;
#[cfg_attr(not(feature = "parquet"), path = "no_parquet.rs")]
mod parquet_file;
mod plot;
mod report;
mod row;
mod source;
#[cfg(test)]
mod tests;

pub use collect::RowCollector;
pub use fit::{FitWinShareError, WinShareFit, fit_win_share};
pub use plot::correlation_plot;
pub use report::{BANDS, CorrelationReport, FEATURE_GROUPS, FeatureCorrelation, correlations};
pub use row::{ColumnKind, Columns, Row, TurnPhase};
pub use source::{DatasetError, RowReader, RowWriter, play_row_range, play_rows, rows_of_record};

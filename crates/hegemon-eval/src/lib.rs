//! eval.

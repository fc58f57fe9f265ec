//! learn.

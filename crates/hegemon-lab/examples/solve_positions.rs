//! Draws small endings, solves them, and prints them as `data/positions.json`.
//!
//! `cargo run --release -p hegemon-lab --example solve_positions -- 40 1 > crates/hegemon-lab/data/positions.json`

use hegemon_lab::{LabError, SolvedSet};

#[allow(clippy::print_stdout, reason = "the program's output")]
fn main() -> Result<(), LabError> {
    let mut numbers = std::env::args().skip(1).map_while(|text| text.parse().ok());
    let (n_each, seed) = (numbers.next().unwrap_or(40), numbers.next().unwrap_or(1));
    let set = SolvedSet::draw(n_each as usize, seed)?;
    let text = serde_json::to_string_pretty(&set);
    println!(
        "{}",
        text.map_err(|error| LabError::Broken(error.to_string()))?
    );
    Ok(())
}

//! Exact odds of a battle to the end: `cargo run --example battle_odds -- 10 8`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use hegemon_core::battle::BattleLaw;

fn main() {
    let mut numbers = std::env::args().skip(1).map(|number| number.parse().ok());
    let mut next = |usual: u32| numbers.next().flatten().unwrap_or(usual);
    let (fighters, defenders) = (next(10), next(8));
    let law = BattleLaw::default();
    let (lost, destroyed) = law.expected_losses(fighters, defenders);
    println!("{fighters} attackers (one more stays behind) against {defenders}");
    println!(
        "  win        {:.4}",
        law.win_probability(fighters, defenders)
    );
    println!("  lose       {lost:.2} armies of {fighters} on average");
    println!("  destroy    {destroyed:.2} armies of {defenders} on average");
    match law.smallest_force(defenders, 0.9) {
        Ok(force) => println!("  {force} attackers win with 90 %"),
        Err(error) => println!("  {error}"),
    }
}

//! scratch
use hegemon_core::*;
use hegemon_bots::{policy::playout, rules::*};
fn main() {
    let game = Game::new(Map::builtin("classic").unwrap(), Rules::preset("sampling").unwrap(), 2).unwrap();
    let start = std::time::Instant::now();
    let n: u64 = std::env::args().nth(1).map_or(100000, |a| a.parse().unwrap());
    let mut rng = Rng::from_seed(1);
    let mut dec=0u64; let mut rounds=0u64;
    for i in 0..n {
        let mut s = game.deal(i);
        dec += playout(&mut s, &mut Simulation, &mut rng, 1_000_000) as u64;
        rounds += s.round() as u64;
    }
    let t=start.elapsed().as_secs_f64();
    println!("{} playouts/s, {} dec/game {} rounds", n as f64/t, dec/n, rounds as f64/n as f64);
}

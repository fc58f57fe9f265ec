#[path = "../../champion16/crates/hegemon-learn/src/value/mod.rs"]
#[allow(dead_code, unused_imports)]
mod value;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use hegemon_arena::{Fixture, play_fixture, run_blocks, seat_orders};
use hegemon_bots::{Bot, Command, Grants, LoadError, Loader, Seating, Spec, SpecError};
use hegemon_core::{Game, Map, PlayerId, Rules, mix};
use hegemon_eval::value::{ValueCard, ValueFile};
use value::*;

#[derive(Debug)]
struct Files;
impl Loader for Files {
    fn weights(&self, path: &str) -> Result<String, LoadError> {
        std::fs::read_to_string(path).map_err(|e| LoadError(e.to_string()))
    }
    fn program(&self, _: &Command, _: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> { unreachable!() }
}
fn cpu() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap();
    let f: Vec<&str> = text.rsplit(')').next().unwrap().split_whitespace().collect();
    (f[11].parse::<f64>().unwrap() + f[12].parse::<f64>().unwrap()) / 100.0
}
/// match MAP RULES GAMES SEED THREADS SECONDS spec...   share of the first
fn play_match(a: &[String]) {
    let (map, rules) = (&a[0], &a[1]);
    let (games, seed, threads): (u64, u64, usize) = (a[2].parse().unwrap(), a[3].parse().unwrap(), a[4].parse().unwrap());
    let seconds: f64 = a[5].parse().unwrap();
    let texts = &a[6..];
    let n = texts.len();
    let game = Game::new(Map::builtin(map).unwrap(), Rules::preset(rules).unwrap(), n).unwrap();
    let orders = seat_orders(n);
    let specs: Vec<Spec> = texts.iter().map(|t| t.parse().unwrap()).collect();
    let grants = Grants::with(Files);
    let per = orders.len() as u64;
    let n_blocks = games.div_ceil(per);
    let (start, c0) = (Instant::now(), cpu());
    let stop = AtomicBool::new(false);
    let mut done: Vec<(u64, f64, f64)> = vec![(0,0.0,0.0); n_blocks as usize];
    let work = |k: u64| {
        if start.elapsed().as_secs_f64() > seconds { return None; }
        let (block, g) = (k / per, k % per);
        let deal = mix(mix(seed).wrapping_add(block));
        let order = &orders[g as usize];
        let sp: Vec<&Spec> = order.iter().map(|&p| &specs[p]).collect();
        let seat = order.iter().position(|&p| p == 0).unwrap();
        let f = Fixture { game: &game, specs: &sp, deal_seed: deal, seed: mix(deal ^ mix(g + 1)), grants: &grants, start: None };
        let p = play_fixture(&f, &mut ()).unwrap();
        Some((p.score(PlayerId::new(seat)), p.rounds, format!("{:?}", p.termination)))
    };
    let mut terms = std::collections::BTreeMap::new();
    run_blocks(threads, 0..n_blocks * per, &stop, work, |k, r| {
        if let Some((s, r, t)) = r { let d = &mut done[(k / per) as usize]; d.0 += 1; d.1 += s; d.2 += f64::from(r); *terms.entry(t.chars().take(24).collect::<String>()).or_insert(0) += 1; }
        std::ops::ControlFlow::Continue(())
    });
    done.retain(|d| d.0 > 0);
    let ng: u64 = done.iter().map(|d| d.0).sum();
    let share = done.iter().map(|d| d.1).sum::<f64>() / ng as f64;
    let var = done.iter().map(|d| (d.1 - share * d.0 as f64).powi(2)).sum::<f64>() / (ng as f64).powi(2);
    let half = 196.0 * var.sqrt();
    println!("{:5.1} % ({:.1} to {:.1}) of {ng}, {:.2} cpu s a game, {:.1} rounds, {:.0} s, {rules} {}: {terms:?}", 100.0 * share, 100.0 * share - half, 100.0 * share + half, (cpu() - c0) / ng as f64,
        done.iter().map(|d| d.2).sum::<f64>() / ng as f64, start.elapsed().as_secs_f64(), texts.join(" "));
}
fn show(name: &str, c: &Check) {
    println!("  {name}: rows {} loss {:.4} equal {:.4} worst {:.3} mean {:.3}", c.n_rows, c.loss, c.equal_loss, c.worst(), c.mean_distance());
}
fn names() -> Vec<String> { let m = Map::builtin("classic").unwrap(); m.territories().map(|t| m.territory_name(t).to_owned()).collect() }
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args[0] == "match" { return play_match(&args[1..]); }
    // train OUT GAMES0 GAMES1 GENERATIONS SEED THREADS CHAMPION MORE EPOCHS
    let out = &args[1];
    let num = |n: usize| args[n].parse::<u64>().unwrap();
    let (g0, g1, gens, seed, threads) = (num(2), num(3), num(4), num(5), num(6) as usize);
    let champion = &args[7]; let more: f64 = args[8].parse().unwrap(); let epochs = num(9) as u32;
    let population = Population::shipped();
    let tables = TableKind::all();
    println!("tables {:?}", tables.iter().map(|t| (&t.name, t.games.len())).collect::<Vec<_>>());
    let grants = Grants::with(Files);
    let stop = AtomicBool::new(false);
    let mut all: Option<MadeRows> = None;
    let mut withheld: Option<MadeRows> = None;
    for generation in 0..=gens {
        let t = Instant::now();
        let champ = (generation > 0).then(|| (champion.replace('@', &format!("{out}/gen{}.toml", generation - 1)).parse::<Spec>().unwrap(), more));
        let plan = GamePlan { seed: mix(seed ^ mix(generation)), n_games: if generation == 0 { g0 } else { g1 }, tables: if generation == 0 { tables.clone() } else { tables.iter().filter(|t| t.name.starts_with("classic")).cloned().collect() },
            field: population.known.clone(), withheld: vec![], champion: champ.clone(), keep: if generation == 0 { [0.12, 0.01] } else { [0.25, 0.03] } };
        let made = make_rows(&plan, threads, &grants, &stop, |_| ());
        println!("generation {generation}: {} games, rows {} {} in {:.1} s", made.n_games, made.classic.len(), made.any.len(), t.elapsed().as_secs_f64());
        if generation == 0 {
            let plan = GamePlan { seed: mix(seed ^ 999), n_games: g0 / 10, withheld: population.withheld.clone(), champion: None, tables: tables.clone(), ..plan.clone() };
            let t = Instant::now();
            let made = make_rows(&plan, threads, &grants, &stop, |_| ());
            println!("withheld: {} games rows {} in {:.1} s", made.n_games, made.classic.len(), t.elapsed().as_secs_f64());
            withheld = Some(made);
        }
        all = Some(match all { None => made, Some(mut a) => { a.classic.append(made.classic); a.any.append(made.any); a } });
        let a = all.as_ref().unwrap();
        for (kind, rows, nt) in [("classic", &a.classic, 42), ("any", &a.any, 0)] {
            let t = Instant::now();
            let train: Vec<u32> = (0..rows.len() as u32).filter(|r| rows.label(*r as usize).game % 10 != 0).collect();
            let params = FitParams { epochs, seed, hidden: if kind == "any" { [64, 32] } else { [128, 32] }, ..FitParams::default() };
            let w = fit(rows, &train, nt, &params, threads, |e, l| println!("   epoch {e} loss {l:.4}"));
            let file = ValueFile { card: ValueCard::default(), territories: if nt > 0 { names() } else { vec![] }, weights: w }.rounded();
            println!(" {kind} fitted in {:.1} s", t.elapsed().as_secs_f64());
            let w = &file.weights;
            for (n, table) in tables.iter().enumerate().take(5) {
                for p in 2..=6u8 {
                    let c = check(w, rows, |l| l.game % 10 == 0 && l.table as usize == n && l.n_players == p && !l.has_champion);
                    if c.n_rows > 300 && (p == 2 || p == 4 || p == 6) { show(&format!("{} {p}p", table.name), &c); }
                }
            }
            show("all held out", &check(w, rows, |l| l.game % 10 == 0));
            show("turn starts", &check(w, rows, |l| l.game % 10 == 0 && l.begins_turn));
            show("mid turn", &check(w, rows, |l| l.game % 10 == 0 && !l.begins_turn));
            show("champion's", &check(w, rows, |l| l.game % 10 == 0 && l.has_champion));
            let x = withheld.as_ref().unwrap();
            let c = check(w, if kind == "any" { &x.any } else { &x.classic }, |_| true);
            show("withheld agents", &c);
            println!("    {:?}", c.calibration.iter().map(|b| format!("{}:{:.3}/{:.3}", b.n, b.said, b.happened)).collect::<Vec<_>>());
            std::fs::write(format!("{out}/{}gen{generation}.toml", if kind == "any" { "any-" } else { "" }), file.to_toml()).unwrap();
        }
    }
}

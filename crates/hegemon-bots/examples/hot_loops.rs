//! The program's hot loops, each alone: for profilers, and for the instruction
//! counts of `cargo xtask instructions`.
//!
//! `hot_loops NAME N` runs N units of the loop after a short warm-up, and
//! prints a number that depends on all of them. `hot_loops grid:T:P N` plays N
//! games of P players on a board of T territories and prints their turns.
#![allow(clippy::print_stdout, reason = "an example talks to who runs it")]

use std::process::ExitCode;
use std::sync::Arc;

use hegemon_bots::beam::{BeamPolicy, Characteristics};
use hegemon_bots::draft::{DraftBoard, UctDrafter, UctParams};
use hegemon_bots::policy::{Policy, playout};
use hegemon_bots::rules::{Baseline, Simulation};
use hegemon_bots::search::SearchProbe;
use hegemon_bots::{Bot, Grants, Seating, Spec, build};
use hegemon_core::rules::InitialArmies;
use hegemon_core::{
    ContinentSpec, Game, Map, MapSpec, Move, Node, Phase, PlayerId, Rng, Rules, State, Streams,
    TerritorySpec, View,
};
use hegemon_eval::draft::{DraftEvaluator, DraftWeights};

/// Does one unit of work with a seed; the result depends on the work.
type Unit = Box<dyn FnMut(u64) -> u64>;

/// Prepares a loop.
type Prepare = fn() -> Unit;

/// The loops by name.
const LOOPS: [(&str, Prepare); 9] = [
    ("deals", deals),
    ("playouts", playouts),
    ("bare_games", bare_games),
    ("mcts_100_iterations", mcts),
    ("draft_100_simulations", draft),
    ("lux_games", lux_games),
    ("champion_decisions", || decisions("champion(looks=1)")),
    ("goal_uct_decisions", || decisions("goal-uct")),
    ("evolution_games", evolution_games),
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let asked = match args.as_slice() {
        [name, n] => unit_of(name).zip(n.parse().ok()),
        _ => None,
    };
    let Some((mut unit, n)) = asked else {
        println!("usage: hot_loops NAME N, where NAME is grid:TERRITORIES:PLAYERS or one of:");
        LOOPS.iter().for_each(|(name, _)| println!("  {name}"));
        return ExitCode::FAILURE;
    };
    for seed in 0..4 {
        unit(seed);
    }
    println!("{}", measured(&mut unit, n));
    ExitCode::SUCCESS
}

fn unit_of(name: &str) -> Option<Unit> {
    if let Some(size) = name.strip_prefix("grid:") {
        let (territories, players) = size.split_once(':')?;
        return Some(grid_games(territories.parse().ok()?, players.parse().ok()?));
    }
    let (_, prepare) = LOOPS.iter().find(|(known, _)| *known == name)?;
    Some(prepare())
}

/// The measured part.
#[inline(never)]
fn measured(unit: &mut Unit, n: u64) -> u64 {
    (0..n).fold(0, |sum: u64, seed| sum.wrapping_add(unit(seed)))
}

fn game(map: &str, rules: &str, n_players: usize) -> Arc<Game> {
    let map = Map::builtin(map).expect("the map ships with the program");
    let rules = Rules::preset(rules).expect("the preset ships with the program");
    Game::new(map, rules, n_players).expect("they fit together")
}

fn deals() -> Unit {
    let game = game("classic", "sampling", 2);
    Box::new(move |seed| game.deal(seed).board().hash())
}

fn playouts() -> Unit {
    let game = game("classic", "sampling", 2);
    let mut rng = Rng::from_seed(1);
    Box::new(move |seed| {
        let mut state = game.deal(seed);
        playout(&mut state, &mut Simulation, &mut rng, u32::MAX);
        state.board().hash()
    })
}

fn bare_games() -> Unit {
    let game = game("classic", "sampling", 2);
    let mut rng = Rng::from_seed(1);
    Box::new(move |seed| {
        let mut state = game.deal(seed);
        loop {
            match state.node() {
                Node::Decision(player) if player == PlayerId::new(0) => {
                    Baseline.play_on(&game, &mut state, u32::MAX, &mut rng);
                }
                Node::Decision(_) => {
                    Simulation.play_on(&game, &mut state, u32::MAX, &mut rng);
                }
                Node::Chance => state.resolve_sampled(&mut rng),
                Node::Terminal => return state.board().hash(),
            }
        }
    })
}

fn mcts() -> Unit {
    let probe = SearchProbe::mcts("mcts(k=20)", 1).expect("a spec");
    Box::new(move |_| probe.run(100).nodes as u64)
}

fn draft() -> Unit {
    let map = Map::builtin("classic-lux").expect("the map ships with the program");
    let weights = DraftWeights::builtin("draft-authors").expect("shipped");
    let evaluator = DraftEvaluator::new(&map, 3, weights, true).expect("for this map");
    let params = UctParams {
        n_simulations: 100,
        ..UctParams::default()
    };
    let board = DraftBoard {
        owners: vec![PlayerId::NOBODY; map.n_territories()],
        mover: PlayerId::new(0),
        n_players: 3,
    };
    let mut rng = Rng::from_seed(1);
    // One tree that grows, as in the 3,000 simulations of a pick.
    let mut drafter = UctDrafter::new(evaluator, params);
    Box::new(move |_| {
        let pick = drafter.search(board.clone(), &mut rng);
        pick.map_or(0, |territory| territory.index() as u64)
    })
}

fn lux_games() -> Unit {
    let game = game("classic-lux", "draft", 3);
    let hard = ["killbot", "quo", "evil-pixie", "boscoe"].map(Spec::plain);
    Box::new(move |seed| {
        let seats = game.seats().zip(0..);
        let mut bots: Vec<_> = seats
            .map(|(seat, n)| seated(&game, &hard[((seed + n) % 4) as usize], seat, seed))
            .collect();
        let mut streams = Streams::new(seed);
        let mut state = game.start();
        loop {
            match state.node() {
                Node::Decision(player) => {
                    let bot = &mut bots[player.index()];
                    let mv = bot.choose(View::of_mover(&state)).expect("never forfeits");
                    state.play(mv).expect("a legal move");
                }
                Node::Chance => streams.resolve(&mut state),
                Node::Terminal => return state.board().hash(),
            }
        }
    })
}

/// Decisions of a bot in the midst of games of three Lux bots.
fn decisions(spec: &str) -> Unit {
    let game = game("classic-lux", "lux", 3);
    let spec: Spec = spec.parse().expect("a spec");
    // Bots remember what they planned, so there is one for every decision; to build them is not
    // what is measured.
    let prepared = (0..32).map(|seed| {
        let state = midgame(&game, seed % 16);
        (seated(&game, &spec, state.player(), seed), state)
    });
    let mut prepared: Vec<_> = prepared.collect();
    Box::new(move |_| {
        let (mut bot, state) = prepared.pop().expect("no more than 32 are asked for");
        let mv = bot.choose(View::of_mover(&state)).expect("never forfeits");
        hegemon_core::fnv1a(mv.to_string().as_bytes())
    })
}

/// A decision from the fifth round on with more than one legal move, a later one for each seed.
fn midgame(game: &Arc<Game>, seed: u64) -> State {
    let specs = ["killbot", "quo", "evil-pixie"].map(Spec::plain);
    let mut bots: Vec<_> = game
        .seats()
        .zip(&specs)
        .map(|(seat, spec)| seated(game, spec, seat, seed))
        .collect();
    let mut streams = Streams::new(seed);
    let mut state = game.start();
    let mut n_left = 1 + 3 * seed;
    loop {
        match state.node() {
            Node::Decision(player) => {
                if state.round() >= 4 && state.legal_moves().len() > 1 {
                    n_left -= 1;
                    if n_left == 0 {
                        return state;
                    }
                }
                let bot = &mut bots[player.index()];
                let mv = bot.choose(View::of_mover(&state)).expect("never forfeits");
                state.play(mv).expect("a legal move");
            }
            Node::Chance => streams.resolve(&mut state),
            Node::Terminal => return midgame(game, seed + 16),
        }
    }
}

fn seated(game: &Arc<Game>, spec: &Spec, seat: PlayerId, seed: u64) -> Box<dyn Bot> {
    let grants = Grants::sealed();
    let seating = Seating {
        game,
        seat,
        seed,
        grants: &grants,
    };
    build(spec, &seating).expect("it plays these rules")
}

/// Games of four agents as in the evolution of `beam`.
fn evolution_games() -> Unit {
    let game = game("classic", "beam", 4);
    let weights = Characteristics::INITIAL;
    Box::new(move |seed| {
        let mut seats = BeamSeats([(); 4].map(|()| BeamPolicy::new(&weights, &game)));
        let mut state = game.start();
        let mut rng = Rng::stream(seed, "beam game");
        playout(&mut state, &mut seats, &mut rng, 200_000);
        state.board().hash()
    })
}

/// An agent in each seat.
struct BeamSeats([BeamPolicy; 4]);

impl Policy for BeamSeats {
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        self.0[view.seat().index()].choose(view, rng)
    }
}

/// Games with `simulation` in all seats on a grid with rows of eight.
fn grid_games(n_territories: usize, n_players: usize) -> Unit {
    let mut rules = Rules::preset("sampling").expect("the preset ships with the program");
    rules.players = [2, 6];
    let armies = u16::try_from(3 * n_territories.div_ceil(n_players)).expect("few");
    rules.initial_armies = InitialArmies::ByPlayers([armies; 5]);
    let map = Map::new(grid(n_territories)).expect("a sound map");
    let game = Game::new(map, rules, n_players).expect("they fit together");
    let mut rng = Rng::from_seed(1);
    Box::new(move |seed| {
        let (mut state, mut n_turns) = (game.deal(seed), 0);
        while let Node::Decision(_) = state.node() {
            n_turns += u64::from(state.phase() == Phase::Reinforce);
            Simulation.play_on(&game, &mut state, u32::MAX, &mut rng);
        }
        n_turns
    })
}

fn grid(n_territories: usize) -> MapSpec {
    const WIDTH: usize = 8;
    let name = |t: usize| format!("t{t}");
    let continent = |t: usize| format!("row {}", t / WIDTH);
    let territory = |t: usize| {
        let beside = [
            (!t.is_multiple_of(WIDTH)).then(|| t - 1),
            (!(t + 1).is_multiple_of(WIDTH)).then_some(t + 1),
            t.checked_sub(WIDTH),
            Some(t + WIDTH),
        ];
        let beside = beside.into_iter().flatten().filter(|&n| n < n_territories);
        TerritorySpec {
            name: name(t),
            continent: continent(t),
            connections: beside.map(name).collect(),
            position: [(t % WIDTH) as f64, (t / WIDTH) as f64],
        }
    };
    MapSpec {
        name: "grid".to_owned(),
        continents: (0..n_territories)
            .step_by(WIDTH)
            .map(|t| ContinentSpec {
                name: continent(t),
                bonus: 2,
                color: "#000000".to_owned(),
            })
            .collect(),
        territories: (0..n_territories).map(territory).collect(),
        missions: Vec::new(),
    }
}

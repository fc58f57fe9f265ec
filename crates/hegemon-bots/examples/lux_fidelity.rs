//! The Lux bots against the reference of the original bots
//! (docs/spec/lux.md 13): win shares with joint 95 % intervals, and behavioural
//! fingerprints.
//!
//! `cargo run --release -p hegemon-bots --example lux_fidelity -- [games] [words]`
//! plays that number of games for each seat order (default 1000). Words choose
//! tables (`a1`, `a2`, `d`, `own`, `checks`; all without one); with `rolls`
//! single exchanges are played, so that they can be counted.
#![allow(clippy::print_stdout)]

use std::sync::Arc;

use hegemon_bots::lux::{LUX_BOTS, LuxBot, LuxKind, LuxOptions};
use hegemon_bots::policy::Policy;
use hegemon_core::rules::{Attack, Start};
use hegemon_core::{
    Game, Map, Move, Node, Phase, PlayerId, Rng, Rules, State, Streams, TerritorySet, View,
};

use LuxKind::{Angry, Boscoe, Cluster, EvilPixie, Killbot, Quo};

const MAX_ROUNDS: u32 = 500;

/// Plays a table: games a seat order, and whether by single exchanges.
type TablePrinter = fn(u32, bool);

fn main() {
    let mut args = std::env::args().skip(1);
    let n_games = args.next().and_then(|arg| arg.parse().ok()).unwrap_or(1000);
    let words: Vec<String> = args.collect();
    let rolls = words.iter().any(|word| word == "rolls");
    let tables: [(&str, TablePrinter); 5] = [
        ("a1", table_a1),
        ("a2", table_a2),
        ("d", table_d),
        ("own", spec_10_3),
        ("checks", spec_checks),
    ];
    let is_named = |name: &str| words.iter().any(|word| word == name);
    let all = !tables.iter().any(|(name, _)| is_named(name));
    for (_, table) in tables.iter().filter(|(name, _)| all || is_named(name)) {
        table(n_games, rolls);
    }
}

// ---- playing ---------------------------------------------------------------

/// How the games of a table are played.
#[derive(Clone, Copy)]
struct Setting {
    map: &'static str,
    start: Start,
    has_cards: bool,
    growth: u8,
    options: LuxOptions,
    /// Whether the third seat gets two armies more.
    has_supplement: bool,
    /// Whether the bots only draft and Quo plays on.
    only_drafts: bool,
    rolls: bool,
}

impl Setting {
    fn game(&self, n_players: usize) -> Arc<Game> {
        let mut rules =
            Rules::preset(if self.has_cards { "lux" } else { "draft" }).expect("shipped");
        rules.start = self.start;
        rules.income.growth = self.growth;
        if self.rolls {
            rules.battle.attack = Attack::Roll;
        }
        Game::new(Map::builtin(self.map).expect("shipped"), rules, n_players).expect("a game")
    }
}

/// What each bot did, by batch of games, for standard errors.
type Log = Vec<[Deeds; LUX_BOTS.len()]>;

const N_BATCHES: usize = 20;

fn new_log() -> Log {
    vec![[Deeds::default(); LUX_BOTS.len()]; N_BATCHES]
}

/// What a bot did in all its turns.
#[derive(Clone, Copy, Default)]
struct Deeds {
    turns: u64,
    conquests: u64,
    orders: u64,
    rolls: u64,
    attacking_turns: u64,
    conquering_turns: u64,
    placed: u64,
    targets: u64,
    fortifications: u64,
    fortified: u64,
    territories: u64,
    income: u64,
    eliminations: u64,
}

struct GameEnd {
    winner: Option<usize>,
    rounds: u32,
}

/// Plays one game and adds what the seats did.
fn play(
    game: &Arc<Game>,
    setting: &Setting,
    kinds: &[LuxKind],
    seed: u64,
    deeds: &mut [Deeds],
) -> GameEnd {
    let mut state = game.deal(seed);
    let mut streams = Streams::new(seed);
    let mut rng = Rng::stream(seed, "bots");
    let seat = |&kind: &LuxKind| LuxBot::new(kind, setting.options);
    let mut drafters: Vec<LuxBot> = kinds.iter().map(seat).collect();
    let mut bots: Vec<LuxBot> = if setting.only_drafts {
        kinds.iter().map(|_| seat(&Quo)).collect()
    } else {
        drafters.clone()
    };
    let mut turn = Turn::default();
    let mut is_supplemented = !setting.has_supplement;
    loop {
        match state.node() {
            Node::Terminal => break,
            Node::Chance => {
                let outcome = streams.draw(&state);
                state.resolve_unchecked(outcome);
            }
            Node::Decision(_) if state.round() > MAX_ROUNDS => break,
            Node::Decision(player) => {
                if !is_supplemented && state.phase() == Phase::Setup {
                    is_supplemented = true;
                    state = supplement(game, &state);
                }
                let is_draft = setting.only_drafts && state.phase() == Phase::Claim;
                let seated = if is_draft { &mut drafters } else { &mut bots };
                let mv = seated[player.index()].choose(View::of_mover(&state), &mut rng);
                turn.note(&state, mv, &mut deeds[player.index()]);
                state.play(mv).expect("the bots play by the rules");
            }
        }
    }
    let winner = (0..kinds.len()).find(|&seat| state.score(PlayerId::new(seat)) > 0.5);
    for (seat, deeds) in deeds.iter_mut().enumerate() {
        let seats = game.seats().filter_map(|loser| state.elimination(loser));
        deeds.eliminations += seats.filter(|e| e.by.index() == seat).count() as u64;
    }
    GameEnd {
        winner,
        rounds: state.round(),
    }
}

/// Two more armies for the third seat.
fn supplement(game: &Arc<Game>, state: &State) -> State {
    let text = state.to_position();
    let reserve = format!("reserve=2x{}", state.reserve(PlayerId::new(2)));
    let more = format!("reserve=2x{}", state.reserve(PlayerId::new(2)) + 2);
    State::from_position(game, &text.replace(&reserve, &more)).expect("still a position")
}

/// The progress of a turn.
#[derive(Default)]
struct Turn {
    round: u32,
    player: Option<PlayerId>,
    has_attacked: bool,
    has_conquered: bool,
    targets: TerritorySet,
    order: Option<(hegemon_core::TerritoryId, hegemon_core::TerritoryId)>,
}

impl Turn {
    fn note(&mut self, state: &State, mv: Move, deeds: &mut Deeds) {
        if state.round() == 0 {
            return;
        }
        let player = state.player();
        if self.round != state.round() || self.player != Some(player) {
            *self = Turn {
                round: state.round(),
                player: Some(player),
                ..Turn::default()
            };
            deeds.turns += 1;
            deeds.territories += state.board().n_owned(player) as u64;
            deeds.income += u64::from(state.income(player));
        }
        match mv {
            Move::Place { territory, armies } => {
                deeds.placed += u64::from(armies);
                deeds.targets += u64::from(!self.targets.contains(territory));
                self.targets.insert(territory);
            }
            Move::Attack { from, to, .. } => {
                deeds.attacking_turns += u64::from(!self.has_attacked);
                self.has_attacked = true;
                deeds.rolls += 1;
                deeds.orders += u64::from(self.order != Some((from, to)));
                self.order = Some((from, to));
                self.targets = TerritorySet::EMPTY;
            }
            Move::Occupy { .. } => {
                deeds.conquests += 1;
                deeds.conquering_turns += u64::from(!self.has_conquered);
                self.has_conquered = true;
                self.order = None;
            }
            Move::Fortify { armies, .. } => {
                deeds.fortifications += 1;
                deeds.fortified += u64::from(armies);
            }
            _ => {}
        }
    }
}

/// Wins by bot and by seat, and the rounds, of all seat orders of a match-up.
struct MatchUp {
    /// The seat orders, as indices of the bots, with the wins by seat.
    orders: Vec<(Vec<usize>, Vec<u32>, f64)>,
    n_each: u32,
}

impl MatchUp {
    fn run(setting: &Setting, kinds: &[LuxKind], n_each: u32, log: &mut Log) -> MatchUp {
        let game = setting.game(kinds.len());
        let mut seed = 1_000_000 * kinds.iter().fold(0, |n, &kind| n * 31 + kind as u64);
        let mut orders = Vec::new();
        for order in permutations(kinds.len()) {
            let seated: Vec<LuxKind> = order.iter().map(|&i| kinds[i]).collect();
            let mut wins = vec![0; kinds.len()];
            let mut rounds = 0u64;
            for number in 0..n_each as usize {
                seed += 1;
                let mut by_seat = vec![Deeds::default(); kinds.len()];
                let end = play(&game, setting, &seated, seed, &mut by_seat);
                end.winner.into_iter().for_each(|seat| wins[seat] += 1);
                rounds += u64::from(end.rounds);
                for (kind, done) in seated.iter().zip(&by_seat) {
                    log[number % N_BATCHES][*kind as usize].add(done);
                }
            }
            orders.push((order, wins, rounds as f64 / f64::from(n_each)));
        }
        MatchUp { orders, n_each }
    }

    fn wins_of(&self, bot: usize) -> u32 {
        let of_order = |(order, wins, _): &(Vec<usize>, Vec<u32>, f64)| {
            order
                .iter()
                .position(|&b| b == bot)
                .map_or(0, |seat| wins[seat])
        };
        self.orders.iter().map(of_order).sum()
    }

    fn n_games(&self) -> f64 {
        f64::from(self.n_each) * self.orders.len() as f64
    }

    fn rounds(&self) -> f64 {
        self.orders.iter().map(|order| order.2).sum::<f64>() / self.orders.len() as f64
    }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..n {
        for rest in permutations(n - 1) {
            let mut order = vec![first];
            order.extend(rest.iter().map(|&i| if i >= first { i + 1 } else { i }));
            all.push(order);
        }
    }
    all
}

impl Deeds {
    fn add(&mut self, other: &Deeds) {
        self.turns += other.turns;
        self.conquests += other.conquests;
        self.orders += other.orders;
        self.rolls += other.rolls;
        self.attacking_turns += other.attacking_turns;
        self.conquering_turns += other.conquering_turns;
        self.placed += other.placed;
        self.targets += other.targets;
        self.fortifications += other.fortifications;
        self.fortified += other.fortified;
        self.territories += other.territories;
        self.income += other.income;
        self.eliminations += other.eliminations;
    }

    /// The columns of the reference, from conquests a turn to income a turn.
    fn columns(&self) -> [f64; 13] {
        let turns = self.turns as f64;
        let each = |n: u64| n as f64 / turns;
        [
            each(self.conquests),
            each(self.orders),
            each(self.rolls),
            each(self.attacking_turns),
            each(self.conquering_turns),
            self.conquests as f64 / self.orders as f64,
            each(self.placed),
            each(self.targets),
            self.placed as f64 / self.targets as f64,
            each(self.fortifications),
            each(self.fortified),
            each(self.territories),
            each(self.income),
        ]
    }
}

// ---- comparing -------------------------------------------------------------

/// Counts cells inside and outside their intervals.
#[derive(Default)]
struct Tally {
    n_cells: u32,
    n_outside: u32,
}

impl Tally {
    /// One cell: our share and the reference's in percent, with its games.
    fn cell(&mut self, ours: f64, n_ours: f64, reference: f64, n_reference: f64) -> String {
        let variance = |share: f64, n: f64| share * (1.0 - share) / n;
        let spread = (variance(ours, n_ours) + variance(reference, n_reference)).sqrt();
        let half = 1.96 * spread.max(0.5 / n_reference);
        let is_outside = (ours - reference).abs() > half;
        self.n_cells += 1;
        self.n_outside += u32::from(is_outside);
        let mark = if is_outside { "!" } else { " " };
        format!(
            "{:5.1} ({:5.1} ±{:4.1}){mark}",
            100.0 * ours,
            100.0 * reference,
            100.0 * half
        )
    }

    fn report(&self) {
        println!(
            "-> {} of {} cells outside the joint 95 % interval",
            self.n_outside, self.n_cells
        );
    }
}

fn names(kinds: impl Iterator<Item = LuxKind>) -> String {
    let names: Vec<&str> = kinds.map(LuxKind::name).collect();
    names.join(" / ")
}

/// A row of win shares: ours (reference ± joint half width).
fn compare(
    tally: &mut Tally,
    played: &MatchUp,
    kinds: &[LuxKind],
    reference: &[f64],
    n_reference: f64,
) {
    let cells: Vec<String> = (0..kinds.len())
        .map(|bot| {
            let ours = f64::from(played.wins_of(bot)) / played.n_games();
            tally.cell(
                ours,
                played.n_games(),
                reference[bot] / n_reference,
                n_reference,
            )
        })
        .collect();
    println!(
        "{:36} {}  rounds {:.1}",
        names(kinds.iter().copied()),
        cells.join(" "),
        played.rounds()
    );
}

/// The columns of a bot and their standard errors, by the jackknife.
fn fingerprint(log: &Log, kind: LuxKind) -> ([f64; 13], [f64; 13]) {
    let without = |skipped: usize| {
        let mut sum = Deeds::default();
        let kept = log
            .iter()
            .enumerate()
            .filter(|(batch, _)| *batch != skipped);
        kept.for_each(|(_, deeds)| sum.add(&deeds[kind as usize]));
        sum.columns()
    };
    let all = without(N_BATCHES);
    let parts: Vec<[f64; 13]> = (0..N_BATCHES).map(without).collect();
    let n = N_BATCHES as f64;
    let error = |i: usize| {
        let squares: f64 = parts.iter().map(|part| (part[i] - all[i]).powi(2)).sum();
        (squares * (n - 1.0) / n).sqrt()
    };
    (all, std::array::from_fn(error))
}

fn print_deeds(log: &Log, reference: &[(LuxKind, [f64; 13])], rolls: bool) {
    const COLUMNS: [&str; 13] = [
        "conq/t",
        "orders/t",
        "rolls/t",
        "att",
        "conq",
        "won",
        "placed/t",
        "targets/t",
        "arm/targ",
        "fort/t",
        "fortified",
        "terr",
        "income",
    ];
    println!("fingerprint: ours / reference - 1 in percent, ± our standard error");
    println!(
        "{:10} {}",
        "",
        COLUMNS.map(|name| format!("{name:>10}")).join(" ")
    );
    for (kind, expected) in reference {
        let (ours, errors) = fingerprint(log, *kind);
        let cells: Vec<String> = (0..13)
            .map(|i| match i {
                2 if !rolls => format!("{:>10}", "-"),
                _ => {
                    let off = 100.0 * (ours[i] / expected[i] - 1.0);
                    let mark = if off.abs() > 5.0 { "!" } else { " " };
                    format!("{off:+5.1}±{:3.1}{mark}", 100.0 * errors[i] / expected[i])
                }
            })
            .collect();
        println!("{:10} {}", kind.name(), cells.join(" "));
    }
}

// ---- the tables ------------------------------------------------------------

const NOT_CALLED: LuxOptions = LuxOptions {
    cards_phase_without_cards: false,
    later_sdk: false,
    border_force: None,
    kin: 0,
};

const CALLED: LuxOptions = LuxOptions {
    cards_phase_without_cards: true,
    ..NOT_CALLED
};

const TRIPLES: [[LuxKind; 3]; 4] = [
    [Quo, EvilPixie, Killbot],
    [Quo, EvilPixie, Boscoe],
    [Quo, Killbot, Boscoe],
    [EvilPixie, Killbot, Boscoe],
];

fn a2(has_supplement: bool, rolls: bool) -> Setting {
    Setting {
        map: "classic",
        start: Start::Draft,
        has_cards: false,
        growth: 0,
        options: NOT_CALLED,
        has_supplement,
        only_drafts: false,
        rolls,
    }
}

/// The reading of Gibson, Desai and Zhao 2010 that reproduces their table.
fn table_a1(n_games: u32, rolls: bool) {
    println!(
        "\nA1, Lux numbering, flat: the bot drafts, Quo plays: win % ours (reference ± joint)"
    );
    let setting = Setting {
        map: "classic-lux",
        only_drafts: true,
        ..a2(false, rolls)
    };
    let shares = [[31.9, 31.2, 36.9], [44.5, 42.3, 13.3], [21.7, 63.0, 15.3]];
    let mut log = new_log();
    let mut tally = Tally::default();
    for (kinds, reference) in TRIPLES.iter().zip(&shares) {
        let result = MatchUp::run(&setting, kinds, n_games, &mut log);
        compare(
            &mut tally,
            &result,
            kinds,
            &reference.map(|share| share * 12.0),
            1200.0,
        );
    }
    tally.report();
}

/// Both tables of A2; the reference counts its fingerprint over both.
fn table_a2(n_games: u32, rolls: bool) {
    println!("\nA2, team numbering, seat supplement: win % ours (reference ± joint)");
    let mut log = new_log();
    let wins = [
        [153., 1251., 396.],
        [501., 1035., 264.],
        [389., 904., 507.],
        [670., 616., 514.],
    ];
    let played = a2_triples(&a2(true, rolls), n_games, &wins, &mut log);
    a2_orders(n_games, &played);
    println!("\nA2, team numbering, flat: win % ours (reference ± joint)");
    let wins = [
        [154., 1252., 394.],
        [534., 1027., 239.],
        [357., 959., 484.],
        [678., 657., 465.],
    ];
    a2_triples(&a2(false, rolls), n_games, &wins, &mut log);
    print_deeds(&log, &A2_FINGERPRINT, rolls);
}

fn a2_triples(
    setting: &Setting,
    n_games: u32,
    wins: &[[f64; 3]; 4],
    log: &mut Log,
) -> Vec<MatchUp> {
    let mut tally = Tally::default();
    let mut played = Vec::new();
    for (kinds, reference) in TRIPLES.iter().zip(wins) {
        let result = MatchUp::run(setting, kinds, n_games, log);
        compare(&mut tally, &result, kinds, reference, 1800.0);
        played.push(result);
    }
    tally.report();
    played
}

fn a2_orders(n_games: u32, played: &[MatchUp]) {
    let mut tally = Tally::default();
    for (order, shares, rounds) in A2_ORDERS {
        let is_triple = |kinds: &[LuxKind; 3]| order.iter().all(|kind| kinds.contains(kind));
        let Some(triple) = TRIPLES.iter().position(is_triple) else {
            continue;
        };
        let is_this = |o: &&(Vec<usize>, Vec<u32>, f64)| {
            o.0.iter()
                .zip(order)
                .all(|(&i, kind)| TRIPLES[triple][i] == kind)
        };
        let found = played[triple].orders.iter().find(is_this);
        let Some((_, wins, our_rounds)) = found else {
            continue;
        };
        let n = f64::from(n_games);
        let cells: Vec<String> = wins
            .iter()
            .zip(shares)
            .map(|(&w, share)| tally.cell(f64::from(w) / n, n, share / 100.0, 300.0))
            .collect();
        let names = names(order.into_iter());
        println!(
            "{names:36} {}  rounds {our_rounds:.1} ({rounds})",
            cells.join(" ")
        );
    }
    tally.report();
}

fn table_d(n_games: u32, rolls: bool) {
    println!("\nD, two players, dealt: win % of the first as seat 1, as seat 2, in all");
    let setting = Setting {
        start: Start::Deal,
        ..a2(false, rolls)
    };
    let mut log = new_log();
    let mut tally = Tally::default();
    for (first, second, as_first, as_second) in D_PAIRS {
        let played = MatchUp::run(&setting, &[first, second], 3 * n_games, &mut log);
        let n = f64::from(played.n_each);
        let (a, b) = (
            f64::from(played.orders[0].1[0]) / n,
            f64::from(played.orders[1].1[1]) / n,
        );
        let cells = [
            tally.cell(a, n, as_first / 500.0, 500.0),
            tally.cell(b, n, as_second / 500.0, 500.0),
            tally.cell(
                f64::midpoint(a, b),
                2.0 * n,
                (as_first + as_second) / 1000.0,
                1000.0,
            ),
        ];
        println!(
            "{:24} {}  rounds {:.1}",
            names([first, second].into_iter()),
            cells.join(" "),
            played.rounds()
        );
    }
    tally.report();
    print_deeds(&log, &D_FINGERPRINT, rolls);
}

fn spec_10_3(n_games: u32, rolls: bool) {
    let columns: [(&str, bool, u8, [[f64; 3]; 4]); 3] = [
        (
            "cards off, p=0",
            false,
            0,
            [
                [32., 197., 72.],
                [40., 240., 20.],
                [144., 141., 15.],
                [146., 132., 23.],
            ],
        ),
        (
            "cards on, p=5",
            true,
            5,
            [
                [64., 146., 90.],
                [77., 130., 93.],
                [110., 148., 42.],
                [114., 131., 55.],
            ],
        ),
        (
            "cards on, p=0",
            true,
            0,
            [
                [63., 140., 98.],
                [105., 112., 83.],
                [120., 143., 37.],
                [101., 145., 54.],
            ],
        ),
    ];
    for (name, has_cards, growth, wins) in columns {
        println!("\nreference games, Lux numbering, {name}: win % ours (reference ± joint)");
        let setting = Setting {
            map: "classic-lux",
            has_cards,
            growth,
            options: CALLED,
            ..a2(false, rolls)
        };
        let mut log = new_log();
        let mut tally = Tally::default();
        for (kinds, reference) in TRIPLES.iter().zip(&wins) {
            let result = MatchUp::run(&setting, kinds, n_games, &mut log);
            compare(
                &mut tally,
                &result,
                kinds,
                &reference.map(|w| w * 4.0),
                1200.0,
            );
        }
        tally.report();
    }
}

fn spec_checks(n_games: u32, rolls: bool) {
    println!("\nreference games, 600-game checks, cards on, p=5");
    use LuxKind::{Bort, Communist, Pixie, Shaft, Stinky, Trotsky, Yakool};
    let checks = [
        ([Cluster, Shaft, Yakool], [58., 77., 166.]),
        ([Angry, Communist, Stinky], [151., 130., 20.]),
        ([Pixie, Trotsky, Bort], [129., 99., 73.]),
        ([Angry, Cluster, Quo], [85., 148., 68.]),
    ];
    let setting = Setting {
        map: "classic-lux",
        has_cards: true,
        growth: 5,
        options: CALLED,
        ..a2(false, rolls)
    };
    let mut log = new_log();
    let mut tally = Tally::default();
    for (kinds, reference) in checks {
        let result = MatchUp::run(&setting, &kinds, n_games, &mut log);
        compare(
            &mut tally,
            &result,
            &kinds,
            &reference.map(|w| w * 2.0),
            600.0,
        );
    }
    tally.report();
}

#[rustfmt::skip]
const A2_ORDERS: [([LuxKind; 3], [f64; 3], f64); 24] = [
    ([Quo, EvilPixie, Killbot], [15.0, 67.3, 17.7], 14.3),
    ([Quo, Killbot, EvilPixie], [13.0, 51.0, 36.0], 14.2),
    ([EvilPixie, Quo, Killbot], [99.7, 0.3, 0.0], 9.2),
    ([EvilPixie, Killbot, Quo], [90.3, 9.0, 0.7], 17.1),
    ([Killbot, EvilPixie, Quo], [46.7, 51.7, 1.7], 14.5),
    ([Killbot, Quo, EvilPixie], [14.3, 12.7, 73.0], 20.8),
    ([Quo, EvilPixie, Boscoe], [58.7, 32.0, 9.3], 17.6),
    ([Quo, Boscoe, EvilPixie], [31.3, 1.3, 67.3], 18.3),
    ([EvilPixie, Quo, Boscoe], [73.7, 11.3, 15.0], 18.2),
    ([EvilPixie, Boscoe, Quo], [48.3, 32.3, 19.3], 24.1),
    ([Boscoe, EvilPixie, Quo], [11.3, 80.0, 8.7], 17.9),
    ([Boscoe, Quo, EvilPixie], [6.0, 42.3, 51.7], 19.0),
    ([Quo, Killbot, Boscoe], [27.7, 59.3, 13.0], 18.6),
    ([Quo, Boscoe, Killbot], [23.3, 28.7, 48.0], 19.5),
    ([Killbot, Quo, Boscoe], [62.0, 8.0, 30.0], 14.3),
    ([Killbot, Boscoe, Quo], [31.7, 67.3, 1.0], 10.8),
    ([Boscoe, Killbot, Quo], [13.0, 74.7, 12.3], 13.4),
    ([Boscoe, Quo, Killbot], [12.3, 50.3, 37.3], 19.9),
    ([EvilPixie, Killbot, Boscoe], [79.3, 20.3, 0.3], 19.6),
    ([EvilPixie, Boscoe, Killbot], [16.0, 54.7, 29.3], 17.7),
    ([Killbot, EvilPixie, Boscoe], [47.0, 9.0, 44.0], 15.3),
    ([Killbot, Boscoe, EvilPixie], [64.3, 6.7, 29.0], 18.2),
    ([Boscoe, Killbot, EvilPixie], [49.3, 38.0, 12.7], 19.7),
    ([Boscoe, EvilPixie, Killbot], [4.0, 73.3, 22.7], 19.7),
];

#[rustfmt::skip]
const A2_FINGERPRINT: [(LuxKind, [f64; 13]); 4] = [
    (Boscoe, [1.876, 2.454, 4.98, 0.747, 0.696, 0.764, 5.74, 1.82, 3.15, 0.31, 1.13, 11.83, 5.74]),
    (EvilPixie, [2.757, 3.893, 7.88, 0.909, 0.857, 0.708, 9.63, 2.86, 3.37, 1.30, 3.40, 17.32, 9.63]),
    (Killbot, [2.429, 3.160, 6.11, 0.796, 0.742, 0.768, 8.30, 2.55, 3.25, 0.32, 1.00, 16.10, 8.30]),
    (Quo, [1.335, 1.888, 3.61, 0.539, 0.494, 0.707, 5.99, 2.07, 2.89, 0.35, 1.10, 10.62, 5.99]),
];

#[rustfmt::skip]
const D_PAIRS: [(LuxKind, LuxKind, f64, f64); 15] = [
    (Angry, Quo, 474., 178.),
    (Angry, Killbot, 458., 164.),
    (Angry, Boscoe, 462., 99.),
    (Angry, EvilPixie, 348., 68.),
    (Angry, Cluster, 408., 157.),
    (Quo, Killbot, 361., 66.),
    (Quo, Boscoe, 338., 30.),
    (Quo, EvilPixie, 258., 14.),
    (Quo, Cluster, 325., 78.),
    (Killbot, Boscoe, 375., 44.),
    (Killbot, EvilPixie, 281., 24.),
    (Killbot, Cluster, 357., 89.),
    (Boscoe, EvilPixie, 372., 64.),
    (Boscoe, Cluster, 448., 135.),
    (EvilPixie, Cluster, 467., 219.),
];

#[rustfmt::skip]
const D_FINGERPRINT: [(LuxKind, [f64; 13]); 6] = [
    (Angry, [4.457, 5.139, 8.56, 0.997, 0.983, 0.867, 11.42, 1.00, 11.42, 2.23, 9.75, 22.89, 11.42]),
    (Boscoe, [3.940, 5.371, 8.54, 0.953, 0.931, 0.733, 9.64, 2.98, 3.23, 1.22, 4.39, 18.38, 9.64]),
    (Cluster, [4.061, 5.678, 8.79, 0.946, 0.925, 0.715, 9.72, 3.26, 2.98, 1.41, 5.32, 18.77, 9.72]),
    (EvilPixie, [4.543, 6.783, 10.06, 0.991, 0.968, 0.670, 11.29, 4.10, 2.76, 1.14, 1.97, 21.95, 11.29]),
    (Killbot, [3.707, 4.835, 7.74, 0.923, 0.899, 0.767, 10.03, 3.08, 3.26, 0.65, 2.34, 19.18, 10.03]),
    (Quo, [3.176, 4.490, 6.92, 0.818, 0.804, 0.707, 8.94, 2.92, 3.06, 1.25, 5.37, 17.24, 8.94]),
];

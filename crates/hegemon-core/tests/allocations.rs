//! Play allocates nothing: neither moves nor chance nor copies of a state.
#![allow(
    unsafe_code,
    reason = "an allocator can only be counted by an allocator, whose trait is unsafe"
)]

mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::Arc;

use common::{game, preset};
use hegemon_core::{Card, Game, Move, Node, Phase, Rng, State};

/// The system allocator, counting the allocations of each thread.
struct Counting;

thread_local! {
    static N_ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // A thread being torn down no longer has a counter.
        let _ = N_ALLOCATIONS.try_with(|n| n.set(n.get() + 1));
        // SAFETY: the caller keeps the contract.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn n_allocations(work: impl FnOnce()) -> u64 {
    let before = N_ALLOCATIONS.with(Cell::get);
    work();
    N_ALLOCATIONS.with(Cell::get) - before
}

/// A scripted move: all armies to the first frontier, attack from there while
/// two are left, move in with all.
fn scripted(state: &State) -> Move {
    let (board, map) = (state.board(), state.game().map());
    match state.phase() {
        Phase::Reinforce | Phase::Setup => {
            let armies = state.to_place();
            let frontier = board.frontier(map, state.player());
            let territory = frontier.first().expect("somebody else is left");
            Move::Place { territory, armies }
        }
        Phase::Attack => {
            let Some(from) = state.last() else {
                return Move::End;
            };
            let target = board.enemy_neighbors(map, from).first();
            match target {
                Some(to) if board.armies(from) > 2 => {
                    let with = *state.attack_range(from).end();
                    Move::Attack { from, to, with }
                }
                _ => Move::End,
            }
        }
        Phase::Occupy => {
            let (from, _) = state.front().expect("an occupation has a front");
            Move::Occupy {
                armies: board.armies(from) - 1,
            }
        }
        Phase::Claim => {
            let free = board.owned(hegemon_core::PlayerId::NOBODY);
            Move::Claim {
                territory: free.first().expect("a claim has something to claim"),
            }
        }
        Phase::Trade => first_trade(state),
        _ => Move::End,
    }
}

/// The first set of the hand, its bonus on the first territory that may get it.
fn first_trade(state: &State) -> Move {
    let mut first = None;
    state
        .hand(state.player())
        .for_each_set(|cards| first = first.or(Some(cards)));
    let cards = first.expect("who may trade holds a set");
    let is_mine = |card: &Card| match card {
        Card::Territory(t) if state.board().owner(*t) == state.player() => Some(*t),
        _ => None,
    };
    let bonus = cards.iter().find_map(is_mine);
    let once = state.game().rules().cards.bonus_once;
    Move::Trade {
        cards,
        bonus: bonus.filter(|_| once),
    }
}

/// Plays from the start state for at most `max_edges`; returns how far it got.
fn play_out(start: &State, rng: &mut Rng, max_edges: u32) -> u32 {
    let mut state = start.clone();
    for edge in 0..max_edges {
        match state.node() {
            Node::Decision(_) => {
                let mv = scripted(&state);
                assert!(state.is_legal(mv));
                state.play_unchecked(mv);
            }
            Node::Chance => state.resolve_sampled(rng),
            Node::Terminal => return edge,
        }
        black_box(state.hash64());
    }
    max_edges
}

fn playouts(game: &Arc<Game>, starts: &[State]) -> u32 {
    let mut rng = Rng::stream(1, "dice");
    let mut n_edges = 0;
    for start in starts {
        n_edges += play_out(start, &mut rng, 3_000);
    }
    black_box(game);
    n_edges
}

#[test]
fn the_counter_counts() {
    assert_eq!(n_allocations(|| drop(black_box(Box::new(1)))), 1);
    assert_eq!(n_allocations(|| ()), 0);
}

#[test]
fn playouts_of_the_sampling_preset_allocate_nothing() {
    let game = game("classic", preset("sampling"), 2);
    let starts: Vec<State> = (0..20).map(|seed| game.deal(seed)).collect();
    // No warm-up: single exchanges read compile-time tables.
    let mut n_edges = 0;
    let n = n_allocations(|| n_edges = playouts(&game, &starts));
    assert!(n_edges > 2_000, "{n_edges} edges");
    assert_eq!(n, 0, "allocations in {n_edges} edges");
}

#[test]
fn other_presets_allocate_nothing_once_warm() {
    for (name, n_players) in [("lux", 3), ("draft", 3), ("beam", 4), ("classic", 4)] {
        let game = game("classic", preset(name), n_players);
        let starts: Vec<State> = (0..10).map(|seed| game.deal(seed)).collect();
        // The first time fills the tables of whole battles.
        let n_edges = playouts(&game, &starts);
        assert!(n_edges > 1_000, "{name}: {n_edges} edges");
        let n = n_allocations(|| assert_eq!(playouts(&game, &starts), n_edges));
        assert_eq!(n, 0, "{name}: allocations in {n_edges} edges");
    }
}

#[test]
fn a_copy_allocates_nothing() {
    let game = game("classic", preset("classic"), 6);
    let state = game.deal(1);
    let n = n_allocations(|| {
        for _ in 0..100 {
            black_box(state.clone());
        }
    });
    assert_eq!(n, 0);
}

//! Exhaustive counts of play, for tests of the rules.

use crate::moves::Outcome;
use crate::state::{Node, State};

/// Number of edges of each kind within a depth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// Moves of players.
    pub decisions: u64,
    /// Outcomes of chance.
    pub chances: u64,
    /// Ends of games, counted once per path.
    pub terminals: u64,
}

/// Counts all lines of play of `depth` edges, decisions and chance alike.
///
/// ```
/// use hegemon_core::{Game, Map, Rules, perft};
/// let map = Map::builtin("triangle3").expect("shipped");
/// let game = Game::new(map, Rules::preset("sampling").expect("shipped"), 2).expect("a game");
/// let count = perft(&game.start(), 2);
/// assert_eq!(count.chances, 2 + 2 * 3, "who is first, then which territory is dealt");
/// ```
pub fn perft(state: &State, depth: u32) -> Perft {
    let mut count = Perft::default();
    // It never stops early.
    let _ = count_below(state, depth, &mut count, &mut |_| true);
    count
}

/// The same for counts that take long: `go_on` hears now and then what was
/// counted so far, and the count is `None` once it says no.
pub fn perft_while(
    state: &State,
    depth: u32,
    mut go_on: impl FnMut(&Perft) -> bool,
) -> Option<Perft> {
    let mut count = Perft::default();
    count_below(state, depth, &mut count, &mut go_on).map(|()| count)
}

/// Edges left below which nobody is told: asking costs more than counting.
const QUIET_DEPTH: u32 = 2;

fn count_below(
    state: &State,
    depth: u32,
    count: &mut Perft,
    go_on: &mut impl FnMut(&Perft) -> bool,
) -> Option<()> {
    if depth >= QUIET_DEPTH && !go_on(count) {
        return None;
    }
    match state.node() {
        Node::Terminal => count.terminals += 1,
        _ if depth == 0 => {}
        Node::Decision(_) => {
            for mv in state.legal_moves() {
                count.decisions += 1;
                let mut next = state.clone();
                next.play_unchecked(mv);
                count_below(&next, depth - 1, count, go_on)?;
            }
        }
        Node::Chance => {
            let mut outcomes: Vec<Outcome> = Vec::new();
            state.for_each_outcome(|outcome, _| outcomes.push(outcome));
            for outcome in outcomes {
                count.chances += 1;
                let mut next = state.clone();
                next.resolve_unchecked(outcome);
                count_below(&next, depth - 1, count, go_on)?;
            }
        }
    }
    Some(())
}

//! What must hold at every node and along every edge of every game.

use std::collections::BTreeSet;

use hegemon_core::rules::Victory;
use hegemon_core::{
    Board, Card, Move, MoveGroup, N_OWNERS, Node, Outcome, Phase, PlayerId, Rng, State,
    TerritoryId, TerritorySet, View,
};

use super::mover::{garbage_move, garbage_outcome, near_miss};

/// Long lists of moves are checked for notation in this many places only.
const MAX_NOTATIONS: usize = 200;

/// Checks a node by itself.
pub(crate) fn check_node(state: &State, rng: &mut Rng) {
    check_identity(state);
    check_board(state);
    check_cards(state);
    match state.node() {
        Node::Decision(player) => {
            assert_eq!(player, state.player());
            assert!(state.is_alive(player));
            check_moves(state, rng);
            assert_eq!(state.chance_total(), 0);
        }
        Node::Chance => {
            check_no_moves(state, rng);
            check_outcomes(state, rng);
        }
        Node::Terminal => {
            check_no_moves(state, rng);
            assert_eq!(state.chance_total(), 0);
            check_result(state);
        }
    }
    if state.node() != Node::Terminal {
        assert!(state.result().is_none());
        assert!(state.game().seats().all(|p| state.score(p) == 0.0));
    }
    let seat = PlayerId::new(rng.below(state.game().n_players() as u32) as usize);
    check_view(state, seat, rng);
}

/// Clone, text and hash.
fn check_identity(state: &State) {
    let copy = state.clone();
    assert_eq!(copy, *state);
    assert_eq!(copy.hash64(), state.hash64());
    assert_eq!(state.hash64(), state.recompute_hash64());
    let text = state.to_position();
    let again = State::from_position(state.game(), &text)
        .unwrap_or_else(|error| panic!("{error} in {text}"));
    assert_eq!(again, *state, "{text}");
    assert_eq!(again.hash64(), state.hash64(), "{text}");
    assert_eq!(again.last(), state.last(), "{text}");
    assert_eq!(again.to_position(), text);
}

/// Owners partition the map; totals are the sums; only the territory that is
/// just being occupied is empty.
fn check_board(state: &State) {
    let (board, map) = (state.board(), state.game().map());
    let mut owned = [TerritorySet::EMPTY; N_OWNERS];
    let mut totals = [0; N_OWNERS];
    let conquered = (state.phase() == Phase::Occupy).then(|| state.front().expect("a front").1);
    for t in map.territories() {
        let owner = board.owner(t);
        owned[owner.index()].insert(t);
        totals[owner.index()] += board.armies(t);
        let empty = owner == PlayerId::NOBODY || conquered == Some(t);
        assert_eq!(board.armies(t) == 0, empty, "{}", state.to_position());
    }
    for index in 0..N_OWNERS {
        let owner = PlayerId::new(index);
        assert_eq!(board.owned(owner), owned[index]);
        assert_eq!(board.total_armies(owner), totals[index]);
    }
    let supply = u32::from(state.game().rules().supply);
    let most = supply.max(state.game().initial_armies());
    for p in state.game().seats() {
        assert!(board.total_armies(p) <= most);
        if state.round() > 0 && state.phase() != Phase::Occupy {
            assert_eq!(state.is_alive(p), !board.owned(p).is_empty());
        }
        assert_eq!(state.is_alive(p), state.elimination(p).is_none());
    }
}

/// Every card is in one place.
fn check_cards(state: &State) {
    let rules = state.game().rules();
    let mut n_cards = state.discard().len();
    let mut seen = state.discard();
    for p in state.game().seats() {
        let hand = state.hand(p);
        assert!(
            !hand.territories.intersects(seen.territories),
            "a card twice"
        );
        seen.extend(hand);
        n_cards += hand.len();
    }
    if !rules.has_cards() {
        assert_eq!(n_cards, 0);
        return;
    }
    let all = state.game().map().n_territories() + usize::from(rules.cards.wild);
    assert!(seen.wilds <= rules.cards.wild);
    let deck = state.deck();
    if n_cards < all {
        assert_eq!(deck.len(), all - n_cards);
        assert!(!deck.territories.intersects(seen.territories));
    } else {
        assert_eq!(deck, state.discard(), "an empty deck is the discard pile");
    }
    assert!(!rules.cards.return_at_once || state.discard().is_empty());
}

fn check_moves(state: &State, rng: &mut Rng) {
    let moves = state.legal_moves();
    assert!(!moves.is_empty(), "{}", state.to_position());
    assert_eq!(moves.len(), state.n_legal_moves());
    let grouped: usize = state.legal_groups().iter().map(MoveGroup::n_moves).sum();
    assert_eq!(grouped, moves.len());
    let set: BTreeSet<Move> = moves.iter().copied().collect();
    assert_eq!(set.len(), moves.len(), "a move listed twice");
    for &mv in &moves {
        assert!(state.is_legal(mv), "{mv} in {}", state.to_position());
    }
    let by_number: Vec<Move> = state
        .legal_groups()
        .iter()
        .flat_map(|group| (0..=group.n_moves()).map_while(|n| group.nth(n)))
        .collect();
    assert_eq!(by_number, moves);
    // Notations are unique because each parses back to its own move.
    let step = moves.len().div_ceil(MAX_NOTATIONS);
    for mv in moves.iter().step_by(step) {
        assert_eq!(mv.to_string().parse(), Ok(*mv));
    }
    for _ in 0..12 {
        let candidate = if rng.chance(0.5) {
            garbage_move(state, rng)
        } else {
            near_miss(state, *rng.pick(&moves).expect("not empty"), rng)
        };
        let legal = state.is_legal(candidate);
        assert_eq!(
            legal,
            set.contains(&candidate),
            "{candidate} in {}",
            state.to_position()
        );
        if !legal {
            let mut same = state.clone();
            assert!(same.play(candidate).is_err());
            assert_eq!(same, *state);
        }
    }
}

fn check_no_moves(state: &State, rng: &mut Rng) {
    assert!(state.legal_moves().is_empty());
    assert_eq!(state.n_legal_moves(), 0);
    assert!(!state.is_legal(Move::End));
    for _ in 0..4 {
        let candidate = garbage_move(state, rng);
        assert!(
            !state.is_legal(candidate),
            "{candidate} in {}",
            state.to_position()
        );
    }
    if state.node() == Node::Terminal {
        for _ in 0..4 {
            assert!(!state.is_possible(garbage_outcome(state, rng)));
        }
    }
}

fn check_outcomes(state: &State, rng: &mut Rng) {
    let mut outcomes: BTreeSet<Outcome> = BTreeSet::new();
    let mut sum: u128 = 0;
    state.for_each_outcome(|outcome, weight| {
        assert!(weight > 0, "{outcome}");
        assert!(
            state.is_possible(outcome),
            "{outcome} in {}",
            state.to_position()
        );
        assert_eq!(outcome.to_string().parse(), Ok(outcome));
        assert!(outcomes.insert(outcome), "{outcome} listed twice");
        sum += u128::from(weight);
    });
    assert_eq!(
        sum,
        u128::from(state.chance_total()),
        "{}",
        state.to_position()
    );
    for _ in 0..3 {
        let drawn = state.sample(rng);
        assert!(
            outcomes.contains(&drawn),
            "{drawn} in {}",
            state.to_position()
        );
    }
    for _ in 0..6 {
        let candidate = garbage_outcome(state, rng);
        let possible = state.is_possible(candidate);
        if possible != outcomes.contains(&candidate) {
            // Only ends of long battles that round to no weight at all.
            assert!(possible && state.phase() == Phase::Battle && outcomes.len() > 20);
        }
        if !possible {
            let mut same = state.clone();
            assert!(same.resolve(candidate).is_err());
            assert_eq!(same, *state);
        }
    }
}

fn check_result(state: &State) {
    let result = state.result().expect("the game is over");
    let seats = state.game().seats();
    let sum: f64 = result.score.as_slice().iter().sum();
    assert!((sum - 1.0).abs() < 1e-12, "scores sum to {sum}");
    for p in seats.clone() {
        assert_eq!(result.score[p], state.score(p));
        let won = result.score[p] > 0.0;
        assert_eq!(won, result.place[p] == 1, "winners and only they are first");
        assert!(!won || state.is_alive(p), "nobody wins who is out");
        // A place is one more than the number of players with a better one.
        let better = seats
            .clone()
            .filter(|&q| result.place[q] < result.place[p])
            .count();
        assert_eq!(usize::from(result.place[p]), better + 1);
        for q in seats.clone() {
            match (state.elimination(p), state.elimination(q)) {
                (None, Some(_)) => assert!(result.place[p] < result.place[q]),
                (Some(a), Some(b)) if a.order > b.order => {
                    assert!(result.place[p] < result.place[q]);
                }
                _ => {}
            }
        }
    }
}

/// A sampled state is legal and looks the same from the seat.
fn check_view(state: &State, seat: PlayerId, rng: &mut Rng) {
    let view = View::new(state, seat);
    let sampled = view.sample_state(rng);
    assert_eq!(sampled.board(), state.board());
    assert_eq!(sampled.hand(seat), state.hand(seat));
    assert_eq!(sampled.mission(seat), state.mission(seat));
    assert_eq!(sampled.discard(), state.discard());
    assert_eq!(sampled.deck().len(), state.deck().len());
    assert_eq!(sampled.phase(), state.phase());
    for p in state.game().seats() {
        assert_eq!(sampled.hand(p).len(), state.hand(p).len());
        assert_eq!(view.n_cards(p), state.hand(p).len());
        assert_eq!(sampled.mission(p).is_some(), state.mission(p).is_some());
        for q in state.game().seats().filter(|&q| q != p) {
            assert!(sampled.mission(p).is_none() || sampled.mission(p) != sampled.mission(q));
        }
    }
    check_identity(&sampled);
    check_cards(&sampled);
    if state.player() == seat {
        assert_eq!(sampled.legal_moves(), state.legal_moves());
        assert_eq!(view.legal_moves(), state.legal_moves());
    } else {
        assert!(view.legal_moves().is_empty());
    }
}

/// Checks the edge of a move: armies change only as the move says.
pub(crate) fn check_move_edge(before: &State, mv: Move, after: &State) {
    let mut expected = Ledger::of(before.board());
    match mv {
        Move::Claim { territory } => expected.claim(territory, before.player()),
        Move::Place { territory, armies } => {
            expected.armies[territory.index()] += i64::from(armies);
        }
        Move::Occupy { armies } => {
            let (from, to) = before.front().expect("a front");
            expected.shift(from, to, armies);
        }
        Move::Fortify { from, to, armies } => expected.shift(from, to, armies),
        Move::Trade { cards, bonus } => return check_trade(before, cards, bonus, after),
        Move::Attack { .. } | Move::Capital { .. } | Move::End => {}
    }
    check_ledger(before, &expected, after);
    if let (Move::Place { armies, .. }, Phase::Reinforce) = (mv, before.phase()) {
        let over = after.phase() == Phase::Over;
        assert!(over || before.to_place() == after.to_place() + armies);
    }
}

/// A trade pays its worth and its bonus, and never more than the supply.
fn check_trade(before: &State, cards: [Card; 3], bonus: Option<TerritoryId>, after: &State) {
    let (rules, player) = (before.game().rules(), before.player());
    let mut expected = Ledger::of(before.board());
    let supply = i64::from(rules.supply);
    let held = i64::from(before.board().total_armies(player) + before.to_place());
    let mut left = (supply - held).max(0);
    for card in cards {
        if let Card::Territory(t) = card {
            let pays = if rules.cards.bonus_once {
                bonus == Some(t)
            } else {
                true
            };
            if pays && before.board().owner(t) == player {
                let armies = left.min(i64::from(rules.cards.territory_bonus));
                expected.armies[t.index()] += armies;
                left -= armies;
            }
        }
    }
    check_ledger(before, &expected, after);
    let worth = i64::from(rules.cards.scheme.set_worth(cards, before.n_traded()));
    if after.phase() != Phase::Over {
        let gained = i64::from(after.to_place()) - i64::from(before.to_place());
        assert_eq!(gained, worth.min(left), "{}", before.to_position());
    }
    assert_eq!(after.n_traded(), before.n_traded() + 1);
    assert_eq!(after.hand(player).len() + 3, before.hand(player).len());
}

/// Checks the edge of an outcome in the same way.
pub(crate) fn check_outcome_edge(before: &State, outcome: Outcome, after: &State) {
    let mut expected = Ledger::of(before.board());
    match outcome {
        Outcome::Battle {
            attacker_losses,
            defender_losses,
        } => {
            let (from, to) = before.front().expect("a front");
            expected.armies[from.index()] -= i64::from(attacker_losses);
            expected.armies[to.index()] -= i64::from(defender_losses);
            if expected.armies[to.index()] == 0 {
                expected.owner[to.index()] = before.player();
            }
            assert!(after.board().armies(from) > 0, "an army stays behind");
        }
        Outcome::Deal(t) => expected.claim(t, after.board().owner(t)),
        Outcome::Scatter(t) => expected.armies[t.index()] += 1,
        Outcome::First(_) | Outcome::Mission(_) | Outcome::Draw(_) => {}
    }
    check_ledger(before, &expected, after);
    if let Outcome::Draw(card) = outcome {
        assert!(after.hand(before.player()).contains(card));
        assert_eq!(
            after.hand(before.player()).len(),
            before.hand(before.player()).len() + 1
        );
        let n_held: usize = before.game().seats().map(|p| before.hand(p).len()).sum();
        let cards = &before.game().rules().cards;
        let all = before.game().map().n_territories() + usize::from(cards.wild);
        if n_held + before.discard().len() == all {
            assert!(
                after.discard().is_empty(),
                "an empty deck takes the discard pile"
            );
        } else {
            assert_eq!(
                after.discard(),
                before.discard(),
                "a deck with cards does not"
            );
        }
    }
}

/// Owners and armies that a board should have.
struct Ledger {
    owner: Vec<PlayerId>,
    armies: Vec<i64>,
}

impl Ledger {
    fn of(board: &Board) -> Ledger {
        let all = (0..hegemon_core::MAX_TERRITORIES).map(TerritoryId::new);
        Ledger {
            owner: all.clone().map(|t| board.owner(t)).collect(),
            armies: all.map(|t| i64::from(board.armies(t))).collect(),
        }
    }

    fn claim(&mut self, t: TerritoryId, owner: PlayerId) {
        assert_eq!(self.owner[t.index()], PlayerId::NOBODY);
        self.owner[t.index()] = owner;
        self.armies[t.index()] += 1;
    }

    fn shift(&mut self, from: TerritoryId, to: TerritoryId, armies: u32) {
        self.armies[from.index()] -= i64::from(armies);
        self.armies[to.index()] += i64::from(armies);
    }
}

/// The board is as expected. In the setup some edges also end in placing what
/// is automatic (spread evenly, the neutral's rest): there nothing may be
/// taken away, and the first turn starts with exactly the initial armies.
fn check_ledger(before: &State, expected: &Ledger, after: &State) {
    let game = after.game();
    for t in game.map().territories() {
        assert_eq!(after.board().owner(t), expected.owner[t.index()]);
        let armies = i64::from(after.board().armies(t));
        if before.round() > 0 {
            assert_eq!(
                armies,
                expected.armies[t.index()],
                "{}",
                before.to_position()
            );
        } else {
            assert!(armies >= expected.armies[t.index()]);
        }
    }
    let placing = matches!(
        after.phase(),
        Phase::Scatter | Phase::Setup | Phase::Mission
    );
    if after.round() == 0 && placing {
        for p in game.seats() {
            let batch = if after.player() == p {
                after.to_place()
            } else {
                0
            };
            let all = after.board().total_armies(p) + after.reserve(p) + batch;
            assert_eq!(all, game.initial_armies());
        }
    }
    if before.round() == 0 && after.round() == 1 {
        for p in game.seats() {
            assert_eq!(after.board().total_armies(p), game.initial_armies());
            assert_eq!(after.reserve(p), 0);
            let named = matches!(game.rules().victory, Victory::Capitals { .. });
            assert_eq!(after.capital(p).is_some(), named);
            assert_eq!(
                after.mission(p).is_some(),
                game.rules().victory == Victory::Missions
            );
        }
        if game.has_neutral() {
            let neutral = after.board().total_armies(PlayerId::NEUTRAL);
            assert_eq!(neutral, game.initial_armies());
        }
    }
}

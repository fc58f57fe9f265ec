//! Who the others may be: for each seat a distribution over suspects, learned from
//! what everybody can see.
//!
//! Each suspect is asked what it would do where the seat had to move; whoever would
//! have done what was done becomes more likely. "Unknown" stands for a player that
//! is like none of them: it plays each move as some suspect or other.

use std::sync::Arc;

use hegemon_core::{Move, Phase, PlayerId, Rng, View};

use super::stand_in::{Player, StandIn};

/// The chance that a suspect plays what it is expected to play: bots draw lots, and
/// a fresh one does not remember what the real one does.
const HIT: f64 = 0.8;
/// The chance that it plays some other given move.
const MISS: f64 = 0.05;
/// What is left of old evidence with each new move, so that somebody who changes is
/// found out.
const MEMORY: f64 = 0.98;
/// The share of a seat that is always unknown.
const UNKNOWN: f64 = 0.1;

/// What is believed of every seat.
pub(super) struct Beliefs {
    suspects: Arc<[StandIn]>,
    seats: Vec<Seat>,
    rng: Rng,
}

struct Seat {
    /// Logarithms of the likelihoods of the suspects, and last of the unknown.
    evidence: Vec<f64>,
    /// The suspects as players who follow the game while they agree with it.
    followers: Vec<Option<Player>>,
}

impl Beliefs {
    pub(super) fn new(suspects: Arc<[StandIn]>, n_players: usize, rng: Rng) -> Beliefs {
        let seat = |_| Seat {
            evidence: vec![0.0; suspects.len() + 1],
            followers: suspects.iter().map(|_| None).collect(),
        };
        Beliefs {
            seats: (0..n_players).map(seat).collect(),
            suspects: Arc::clone(&suspects),
            rng,
        }
    }

    /// Learns from a move of another player; `before` is what I saw before it.
    pub(super) fn observe(&mut self, before: View<'_>, mv: Move) {
        if !tells_something(before.phase(), mv) {
            return;
        }
        // The others' cards are drawn: they are not mine to know.
        let state = before.sample_state(&mut self.rng);
        let (game, seat) = (before.game(), before.player());
        let Seat {
            evidence,
            followers,
        } = &mut self.seats[seat.index()];
        let (mut sum, n) = (0.0, self.suspects.len());
        for ((suspect, follower), evidence) in
            self.suspects.iter().zip(followers).zip(&mut *evidence)
        {
            if follower.is_none() {
                *follower = suspect.player(game, seat, &mut self.rng);
            }
            let guess = follower
                .as_mut()
                .and_then(|player| player.choose(View::of_mover(&state), &mut self.rng));
            let is_hit = guess.is_some_and(|guess| is_same(guess, mv));
            if !is_hit {
                *follower = None;
            }
            let chance = if is_hit { HIT } else { MISS };
            sum += chance;
            *evidence = MEMORY * *evidence + libm::log(chance);
        }
        evidence[n] = MEMORY * evidence[n] + libm::log(sum / n.max(1) as f64);
    }

    /// The chance of each suspect in a seat; the share of the unknown is spread over
    /// all.
    pub(super) fn posterior(&self, seat: PlayerId) -> Vec<f64> {
        let evidence = &self.seats[seat.index()].evidence;
        let largest = evidence.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut weights: Vec<f64> = evidence.iter().map(|e| libm::exp(e - largest)).collect();
        let total: f64 = weights.iter().sum();
        let unknown = weights.pop().unwrap_or(0.0);
        let n = weights.len().max(1) as f64;
        let spread = UNKNOWN + (1.0 - UNKNOWN) * unknown / total;
        let known: f64 = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        for weight in &mut weights {
            *weight = (1.0 - spread) * *weight / known + spread / n;
        }
        weights
    }
}

/// Whether suspects can be told apart by such a move. Trades show cards that were
/// hidden, and claims of a draft depend on plans that a fresh bot has not made.
fn tells_something(phase: Phase, mv: Move) -> bool {
    match phase {
        Phase::Reinforce => matches!(mv, Move::Place { .. }),
        Phase::Attack | Phase::Fortify => true,
        _ => false,
    }
}

/// Whether two moves show the same intention: numbers of armies may differ.
fn is_same(a: Move, b: Move) -> bool {
    match (a, b) {
        (Move::Place { territory: a, .. }, Move::Place { territory: b, .. }) => a == b,
        (Move::Attack { from, to, .. }, Move::Attack { from: f, to: t, .. })
        | (Move::Fortify { from, to, .. }, Move::Fortify { from: f, to: t, .. }) => {
            (from, to) == (f, t)
        }
        (a, b) => a == b,
    }
}

/// A place drawn by weights that sum to one.
pub(super) fn draw(weights: &[f64], rng: &mut Rng) -> usize {
    let mut left = rng.unit();
    for (n, weight) in weights.iter().enumerate() {
        left -= weight;
        if left < 0.0 {
            return n;
        }
    }
    weights.len().saturating_sub(1)
}

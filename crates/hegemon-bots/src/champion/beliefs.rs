//! Who the others may be: for each seat a distribution over suspects, learned from
//! what everybody can see.
//!
//! Each suspect is asked what it would do where the seat had to move; whoever would
//! have done what was done becomes more likely. "Unknown" stands for a player that
//! is like none of them: it plays each move as some suspect or other.

use std::sync::Arc;

use hegemon_core::{Move, Phase, PlayerId, Rng, View};

use super::stand_in::StandInPlayer;
use super::suspects::Suspects;

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
/// How much what was seen of the other seats tells about one.
const COPIES: f64 = 0.5;
/// The share of moves that the most likely suspect foretells of itself, at the least: the
/// quick bots foretell 78 % and more of their own, and at most half of a searching bot's.
const FORETOLD: f64 = 0.65;
/// Moves that are taken as foretold before any was seen.
const BENEFIT: f64 = 4.0;

/// What is believed of every seat.
pub(super) struct Beliefs {
    suspects: Arc<Suspects>,
    seats: Vec<Seat>,
    rng: Rng,
}

struct Seat {
    /// Logarithms of the likelihoods of the suspects, and last of the unknown.
    evidence: Vec<f64>,
    /// The suspects as players who follow the game while they agree with it.
    followers: Vec<Option<StandInPlayer>>,
    /// Moves that told something.
    n_seen: u32,
    /// How many of them each suspect foretold; old ones fade.
    foretold: Vec<f64>,
    /// All of them, faded in the same way.
    seen: f64,
}

impl Beliefs {
    pub(super) fn new(suspects: &Arc<Suspects>, n_players: usize, rng: Rng) -> Beliefs {
        let seat = |_| Seat {
            evidence: vec![0.0; suspects.players.len() + 1],
            followers: suspects.players.iter().map(|_| None).collect(),
            n_seen: 0,
            foretold: vec![0.0; suspects.players.len()],
            seen: 0.0,
        };
        Beliefs {
            seats: (0..n_players).map(seat).collect(),
            suspects: Arc::clone(suspects),
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
            n_seen,
            foretold,
            seen,
        } = &mut self.seats[seat.index()];
        *n_seen += 1;
        *seen = MEMORY * *seen + 1.0;
        let (mut sum, n) = (0.0, self.suspects.players.len());
        let memories = followers.iter_mut().zip(foretold).zip(&mut *evidence);
        for (suspect, ((follower, foretold), evidence)) in
            self.suspects.players.iter().zip(memories)
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
            *foretold = MEMORY * *foretold + f64::from(u8::from(is_hit));
            let chance = if is_hit { HIT } else { MISS };
            sum += chance;
            *evidence = MEMORY * *evidence + libm::log(chance);
        }
        evidence[n] = MEMORY * evidence[n] + libm::log(sum / n.max(1) as f64);
    }

    /// The chance of each suspect in each seat; the share of the unknown is spread as if
    /// nothing had been seen. Who sits in one seat may well sit in another, so that what was seen of the
    /// others counts a little.
    pub(super) fn posteriors(&self) -> Vec<Vec<f64>> {
        let unseen = self.unseen();
        let alone: Vec<Vec<f64>> = self
            .seats
            .iter()
            .map(|seat| seat.chances(&unseen))
            .collect();
        let joint = |(place, seat): (usize, &Seat)| {
            let others = alone.iter().enumerate().zip(&self.seats);
            let others = others.filter(|((other, _), seat)| *other != place && seat.n_seen > 0);
            let others: Vec<&Vec<f64>> = others.map(|((_, chances), _)| chances).collect();
            let prior: Vec<f64> = (unseen.iter().enumerate())
                .map(|(n, &unseen)| {
                    let sum: f64 = others.iter().map(|chances| chances[n]).sum();
                    let seen = sum + unseen * (self.seats.len() - others.len()) as f64;
                    (1.0 - COPIES) * unseen + COPIES * seen / self.seats.len() as f64
                })
                .collect();
            spread(seat.chances(&prior), &self.suspects.prior)
        };
        self.seats.iter().enumerate().map(joint).collect()
    }

    /// Whether a player is like none of the suspects: not even the most likely one would
    /// have played most of what was seen.
    pub(super) fn is_stranger(&self, player: PlayerId) -> bool {
        let seat = &self.seats[player.index()];
        let chances = seat.chances(&self.unseen());
        let likelier = |a: &usize, b: &usize| chances[*a].total_cmp(&chances[*b]);
        let likeliest = (0..seat.foretold.len()).max_by(likelier);
        let foretold = likeliest.map_or(0.0, |n| seat.foretold[n]);
        (foretold + BENEFIT) < FORETOLD * (seat.seen + BENEFIT)
    }

    /// The chance of each suspect, and last of the unknown, before anything was seen.
    fn unseen(&self) -> Vec<f64> {
        let prior = &self.suspects.prior;
        let unknown = 1.0 / (prior.len() + 1) as f64;
        let known = prior.iter().map(|chance| chance * (1.0 - unknown));
        known.chain([unknown]).collect()
    }
}

impl Seat {
    /// The chance of each suspect, and last of the unknown.
    fn chances(&self, prior: &[f64]) -> Vec<f64> {
        let largest = self
            .evidence
            .iter()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let weight = |(e, prior): (&f64, &f64)| prior * libm::exp(e - largest);
        let weights: Vec<f64> = self.evidence.iter().zip(prior).map(weight).collect();
        let total = weights.iter().sum::<f64>().max(f64::MIN_POSITIVE);
        weights.into_iter().map(|weight| weight / total).collect()
    }
}

/// Chances of the suspects without the unknown, whose share goes to all as expected.
fn spread(mut chances: Vec<f64>, prior: &[f64]) -> Vec<f64> {
    let unknown = chances.pop().unwrap_or(0.0);
    let spread = UNKNOWN + (1.0 - UNKNOWN) * unknown;
    let known = (1.0 - unknown).max(f64::MIN_POSITIVE);
    for (chance, prior) in chances.iter_mut().zip(prior) {
        *chance = (1.0 - spread) * *chance / known + spread * prior;
    }
    chances
}

/// Whether suspects can be told apart by such a move. Trades show cards that were
/// hidden, and how many armies move in depends on what was planned before.
fn tells_something(phase: Phase, mv: Move) -> bool {
    match phase {
        Phase::Claim | Phase::Setup | Phase::Attack | Phase::Fortify => true,
        _ => matches!(mv, Move::Place { .. }),
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

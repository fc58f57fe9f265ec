//! Double elimination in games of four.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};

use hegemon_core::Rng;

use super::tables::SEATS;

/// Losses after which an agent is out.
const MAX_LOSSES: u8 = 2;
/// Rounds after which a tournament without further losses ends.
const MAX_ROUNDS: u32 = 64;

/// The result of a tournament.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    /// Losses of each agent; two and it is out.
    pub losses: Vec<u8>,
    /// Games that counted.
    pub n_games: u64,
}

impl Standings {
    /// The agents still in, by number.
    pub fn survivors(&self) -> Vec<usize> {
        (0..self.losses.len())
            .filter(|&agent| self.losses[agent] < MAX_LOSSES)
            .collect()
    }

    fn n_left(&self) -> usize {
        self.losses.iter().filter(|&&n| n < MAX_LOSSES).count()
    }

    fn with_losses(&self, losses: u8) -> Vec<usize> {
        (0..self.losses.len())
            .filter(|&agent| self.losses[agent] == losses)
            .collect()
    }
}

/// Receives which players (by seat) lose a game of a round, in order, and says
/// whether to go on.
pub(crate) type Lost<'a> = &'a mut dyn FnMut(usize, [bool; SEATS]) -> ControlFlow<()>;

/// Plays a round: the number of its first game, the players of its games.
pub(crate) trait PlayRound: Fn(u64, &[Vec<usize>], Lost<'_>) {}

impl<F: Fn(u64, &[Vec<usize>], Lost<'_>)> PlayRound for F {}

/// Plays until at most `n_keep` agents are left; `None` if stopped before.
///
/// Reading: in each round the unbeaten play among themselves and the once beaten
/// among themselves, drawn at random. The tournament ends with the game that
/// leaves few enough, so that "approximately 64" of 256 remain; the round is not
/// finished. A shared win is not a loss for those who share it.
pub(crate) fn double_elimination(
    n_agents: usize,
    n_keep: usize,
    rng: &mut Rng,
    stop: &AtomicBool,
    play: &impl PlayRound,
) -> Option<Standings> {
    let mut standings = Standings {
        losses: vec![0; n_agents],
        n_games: 0,
    };
    for _ in 0..MAX_ROUNDS {
        if standings.n_left() <= n_keep {
            break;
        }
        let games = draw(&standings, rng);
        let first = standings.n_games;
        play(first, &games, &mut |game, lost| {
            standings.n_games += 1;
            let players = games[game].iter();
            for (&agent, _) in players.zip(lost).filter(|(_, lost)| *lost) {
                standings.losses[agent] += 1;
            }
            if standings.n_left() <= n_keep {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        if stop.load(Ordering::Relaxed) {
            return None;
        }
    }
    Some(standings)
}

/// The games of a round, both brackets.
fn draw(standings: &Standings, rng: &mut Rng) -> Vec<Vec<usize>> {
    let mut brackets = vec![standings.with_losses(0), standings.with_losses(1)];
    // Two agents alone in their brackets play each other.
    if brackets.iter().all(|bracket| bracket.len() < 2) {
        brackets = vec![standings.survivors()];
    }
    let mut games = Vec::new();
    for mut bracket in brackets.into_iter().filter(|bracket| bracket.len() > 1) {
        rng.shuffle(&mut bracket);
        games.extend(fours(&bracket));
    }
    games
}

/// Games of four; if the count is not a multiple, the last games have fewer,
/// but never one player.
fn fours(agents: &[usize]) -> Vec<Vec<usize>> {
    let n_games = agents.len().div_ceil(SEATS);
    let n_short = n_games * SEATS - agents.len();
    let mut games = Vec::with_capacity(n_games);
    let mut rest = agents;
    for game in 0..n_games {
        // The empty seats, spread over the last games.
        let left = n_games - game;
        let size = if left <= n_short.min(n_games) {
            let seats_left = rest.len();
            seats_left / left
        } else {
            SEATS
        };
        let (players, others) = rest.split_at(size);
        games.push(players.to_vec());
        rest = others;
    }
    games
}

/// Games of a tournament in which every game has one winner.
pub fn games_per_tournament(n_agents: usize, n_keep: usize) -> u64 {
    let never = AtomicBool::new(false);
    let first_wins = one_by_one(|players| std::array::from_fn(|s| s > 0 && s < players.len()));
    let mut rng = Rng::from_seed(0);
    double_elimination(n_agents, n_keep, &mut rng, &never, &first_wins)
        .map_or(0, |standings| standings.n_games)
}

/// Rounds of games decided by their players alone.
fn one_by_one(lost: impl Fn(&[usize]) -> [bool; SEATS]) -> impl PlayRound {
    move |_: u64, games: &[Vec<usize>], consume: Lost<'_>| {
        for (number, players) in games.iter().enumerate() {
            if consume(number, lost(players)).is_break() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_four_players_and_nobody_is_alone() {
        for n in 2..200usize {
            let agents: Vec<usize> = (0..n).collect();
            let games = fours(&agents);
            assert_eq!(games.concat(), agents);
            assert!(
                games.iter().all(|game| (2..=SEATS).contains(&game.len())),
                "{n}"
            );
            let n_short = games.iter().filter(|game| game.len() < SEATS).count();
            assert!(n_short <= 3, "{n}");
            assert!(!n.is_multiple_of(4) || n_short == 0, "{n}");
        }
    }

    #[test]
    fn counts_of_the_paper() {
        // 64 games leave 64 unbeaten; 16 and 48 leave 112; 4 and 12 more leave 64.
        assert_eq!(games_per_tournament(256, 64), 64 + 64 + 4 + 16);
        let never = AtomicBool::new(false);
        let first_wins = one_by_one(|players| {
            let best = players.iter().min().copied();
            std::array::from_fn(|s| players.get(s).is_some_and(|&p| Some(p) != best))
        });
        let mut rng = Rng::from_seed(3);
        let standings = double_elimination(256, 64, &mut rng, &never, &first_wins);
        let standings = standings.expect("not stopped");
        assert_eq!(standings.survivors().len(), 64);
        assert!(standings.survivors().contains(&0), "the best never loses");
        assert_eq!(standings.losses[0], 0);
        assert!(standings.losses.iter().all(|&n| n <= MAX_LOSSES));
    }

    #[test]
    fn ends_for_every_size_and_if_nobody_ever_loses() {
        let never = AtomicBool::new(false);
        for n in 2..40 {
            let n_keep = (n / 4).max(1);
            assert!(games_per_tournament(n, n_keep) > 0);
        }
        let shared = one_by_one(|_| [false; SEATS]);
        let mut rng = Rng::from_seed(1);
        let standings = double_elimination(8, 2, &mut rng, &never, &shared).expect("it ends");
        assert_eq!(standings.survivors().len(), 8);
    }
}

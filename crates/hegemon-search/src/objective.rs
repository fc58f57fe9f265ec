//! What each player is assumed to maximise: max^n, paranoid, offensive, MP-Mix.
//!
//! Luckhardt and Irani 1986 (max^n); Sturtevant and Korf 2000 (paranoid);
//! Zuckerman, Felner and Kraus 2009, Zuckerman and Felner 2011 (the directed
//! offensive strategy and MP-Mix, which switches by the leader's margin).

use crate::params::{OpponentModel, Target};
use crate::values::{Player, Values};

/// An opponent model settled for one search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Objective {
    /// Each player maximises its own value.
    MaxN,
    /// The named player maximises its value, all others minimise it.
    Paranoid(Player),
    /// `root` minimises the value of `target`, the others play max^n.
    Offensive {
        /// The player that attacks.
        root: Player,
        /// The player attacked.
        target: Player,
    },
}

impl Objective {
    /// Settles a model for a root player; `lead` gives the evaluation of the
    /// root state and is called only if the model needs it.
    pub fn settle(
        model: OpponentModel,
        root: Player,
        n_players: usize,
        lead: impl FnOnce() -> Values,
    ) -> Objective {
        match model {
            OpponentModel::MaxN => Objective::MaxN,
            OpponentModel::Paranoid => Objective::Paranoid(root),
            OpponentModel::Offensive(Target::Player(target)) if target == root => Objective::MaxN,
            OpponentModel::Offensive(Target::Player(target)) => {
                Objective::Offensive { root, target }
            }
            OpponentModel::Offensive(Target::Leader) => {
                match leader(&lead(), n_players, Some(root)) {
                    Some((target, _)) => Objective::Offensive { root, target },
                    None => Objective::MaxN,
                }
            }
            OpponentModel::MpMix { defend, attack } => match leader(&lead(), n_players, None) {
                Some((first, margin)) if first == root && margin >= defend => {
                    Objective::Paranoid(root)
                }
                Some((first, margin)) if first != root && margin >= attack => {
                    Objective::Offensive {
                        root,
                        target: first,
                    }
                }
                _ => Objective::MaxN,
            },
        }
    }

    /// The score of `values`, in `[0, 1]`, for the player who chooses.
    #[inline]
    pub fn score(self, chooser: Player, values: &Values) -> f64 {
        match self {
            Objective::Paranoid(root) if chooser != root => 1.0 - values[root],
            Objective::Offensive { root, target } if chooser == root => 1.0 - values[target],
            _ => values[chooser],
        }
    }
}

/// The player with the highest value (the first on ties) and its margin over
/// the next, optionally leaving one player out.
fn leader(values: &Values, n_players: usize, except: Option<Player>) -> Option<(Player, f64)> {
    let mut ranked: Vec<Player> = (0..n_players as u8)
        .map(Player)
        .filter(|&player| Some(player) != except)
        .collect();
    ranked.sort_by(|&a, &b| values[b].total_cmp(&values[a]));
    let first = *ranked.first()?;
    let second = ranked.get(1).map_or(0.0, |&player| values[player]);
    Some((first, values[first] - second))
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: Player = Player(0);
    const B: Player = Player(1);

    fn mix(values: [f64; 3]) -> Objective {
        let model = OpponentModel::MpMix {
            defend: 0.2,
            attack: 0.3,
        };
        Objective::settle(model, A, 3, || Values::new(&values))
    }

    #[test]
    fn mp_mix_switches_by_the_leaders_margin() {
        assert_eq!(mix([0.6, 0.3, 0.1]), Objective::Paranoid(A));
        assert_eq!(mix([0.4, 0.35, 0.25]), Objective::MaxN);
        assert_eq!(
            mix([0.2, 0.6, 0.2]),
            Objective::Offensive { root: A, target: B }
        );
        assert_eq!(mix([0.3, 0.4, 0.3]), Objective::MaxN);
    }

    #[test]
    fn scores_follow_the_model() {
        let values = Values::new(&[0.5, 0.3, 0.2]);
        assert_eq!(Objective::MaxN.score(B, &values), 0.3);
        assert_eq!(Objective::Paranoid(A).score(A, &values), 0.5);
        assert_eq!(Objective::Paranoid(A).score(B, &values), 0.5);
        let offensive = Objective::Offensive { root: A, target: B };
        assert_eq!(offensive.score(A, &values), 0.7);
        assert_eq!(offensive.score(Player(2), &values), 0.2);
    }

    #[test]
    fn the_leader_is_sought_among_the_others() {
        let model = OpponentModel::Offensive(Target::Leader);
        let settled = Objective::settle(model, A, 3, || Values::new(&[0.6, 0.3, 0.1]));
        assert_eq!(settled, Objective::Offensive { root: A, target: B });
    }
}

//! Cached answers about battles.

use super::cache::LawCache;
use super::exchange::Losses;
use super::force::{self, Rows};
use super::law::BattleLaw;
use super::rollout;
use super::weights::WeightedLaw;
use crate::Rng;
use crate::narrow::{high_half, low_half};
use std::borrow::Cow;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Whole battles up to this many armies on each side are drawn from a table.
pub(super) const MAX_DRAWN: u32 = 96;
/// Win probabilities up to this many armies on each side are read from a table.
pub(super) const MAX_WINS: u32 = 256;
/// Forces against up to this many defenders are read from a table.
const MAX_FORCES: u32 = 512;
/// Forces against more defenders that are remembered.
const N_RECENT: usize = 256;

/// The tables of the most recently used laws: a program uses a handful. Evicted
/// tables live as long as they are in use.
static TABLES: LawCache<BattleTable> = LawCache::new(16);

/// The law of battle as a table, filled as it is used and shared by all threads.
///
/// Get it once with [`BattleTable::for_law`] and keep it: nothing after that
/// takes a lock. Every answer depends on the query alone, never on earlier
/// ones.
///
/// # Examples
///
/// ```
/// use hegemon_core::{Rng, battle::{BattleLaw, BattleTable}};
///
/// let table = BattleTable::for_law(BattleLaw::default());
/// assert!(table.win(6, 5) > 0.5);
/// assert_eq!(table.force_for_even(5), 5);
/// let mut rng = Rng::from_seed(1);
/// let losses = table.sample(6, 5, &mut rng);
/// assert!(losses.attacker == 6 || losses.defender == 5);
/// ```
#[derive(Debug)]
pub struct BattleTable {
    law: BattleLaw,
    battles: Box<[OnceLock<WeightedLaw>]>,
    wins: OnceLock<Box<[f64]>>,
    forces: OnceLock<Box<[u32]>>,
    beaten: OnceLock<Box<[u32]>>,
    recent: RecentForces,
}

/// Forces against many defenders, in one word each so that no lock is needed: the
/// defenders above, the force below. A playout among huge armies asks for the same
/// few of them again and again.
#[derive(Debug)]
struct RecentForces(Box<[AtomicU64]>);

impl Default for RecentForces {
    fn default() -> RecentForces {
        RecentForces((0..N_RECENT).map(|_| AtomicU64::new(0)).collect())
    }
}

impl RecentForces {
    fn get_or_compute(&self, defenders: u32, compute: impl FnOnce() -> u32) -> u32 {
        let slot = &self.0[defenders as usize % N_RECENT];
        let known = slot.load(Ordering::Relaxed);
        if high_half(known) == defenders {
            return low_half(known);
        }
        let force = compute();
        slot.store(
            u64::from(defenders) << 32 | u64::from(force),
            Ordering::Relaxed,
        );
        force
    }
}

impl BattleTable {
    /// The table of this law. Takes a lock: ask once and keep the answer.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleTable};
    /// let law = BattleLaw::default();
    /// assert_eq!(BattleTable::for_law(law).win(2, 1), BattleTable::for_law(law).win(2, 1));
    /// ```
    pub fn for_law(law: BattleLaw) -> Arc<BattleTable> {
        TABLES.value(law, || BattleTable::new(law))
    }

    fn new(law: BattleLaw) -> BattleTable {
        let n_battles = (MAX_DRAWN * MAX_DRAWN) as usize;
        BattleTable {
            law,
            battles: (0..n_battles).map(|_| OnceLock::new()).collect(),
            wins: OnceLock::new(),
            forces: OnceLock::new(),
            beaten: OnceLock::new(),
            recent: RecentForces::default(),
        }
    }

    /// The law this is the table of.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleTable};
    /// let law = BattleLaw::default();
    /// assert_eq!(BattleTable::for_law(law).law(), law);
    /// ```
    pub fn law(&self) -> BattleLaw {
        self.law
    }

    /// The probability that the attacker takes the territory.
    ///
    /// Up to 256 armies on each side this is one lookup; beyond, it is
    /// [`BattleLaw::win_probability`] each time.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleTable};
    /// let law = BattleLaw::default();
    /// let table = BattleTable::for_law(law);
    /// assert_eq!(table.win(20, 20), law.win_probability(20, 20));
    /// ```
    #[inline]
    pub fn win(&self, fighters: u32, defenders: u32) -> f64 {
        if fighters.max(defenders) > MAX_WINS {
            return self.law.win_probability(fighters, defenders);
        }
        let wins = self.wins.get_or_init(|| all_wins(self.law));
        wins[(fighters * (MAX_WINS + 1) + defenders) as usize]
    }

    /// The fewest fighters that win with a probability strictly above one half.
    ///
    /// Up to 512 defenders this is one lookup; beyond, it is computed, which takes
    /// milliseconds, and remembered for a while.
    ///
    /// # Panics
    ///
    /// If not even [`MAX_FIGHTERS`](super::MAX_FIGHTERS) suffice, which takes
    /// tens of thousands of defenders.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleTable};
    /// let table = BattleTable::for_law(BattleLaw::default());
    /// let forces: Vec<u32> = (1..=10).map(|d| table.force_for_even(d)).collect();
    /// assert_eq!(forces, [2, 3, 4, 5, 5, 6, 7, 8, 9, 10]);
    /// ```
    #[inline]
    pub fn force_for_even(&self, defenders: u32) -> u32 {
        if defenders > MAX_FORCES {
            return self.recent.get_or_compute(defenders, || {
                let force = force::above_even(self.law, defenders);
                force.expect("no player owns enough armies for this battle")
            });
        }
        self.forces()[defenders as usize]
    }

    /// The inverse: the most defenders that are beaten with a probability above
    /// one half, by fighters from 0 on, for loops that ask often. Beyond the
    /// table, and under laws where one more defender can make winning easier, use
    /// [`BattleTable::force_for_even`].
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleTable};
    /// let table = BattleTable::for_law(BattleLaw::default());
    /// assert_eq!(table.beaten()[..8], [0, 0, 1, 2, 3, 5, 6, 7]);
    /// ```
    #[inline]
    pub fn beaten(&self) -> &[u32] {
        self.beaten.get_or_init(|| force::inverse(self.forces()))
    }

    #[inline]
    fn forces(&self) -> &[u32] {
        self.forces
            .get_or_init(|| force::all_above_even(self.law, MAX_FORCES))
    }

    /// The law of what is left after a fight to the end, with integer weights.
    ///
    /// ```
    /// use hegemon_core::battle::{BattleLaw, BattleTable};
    /// let law = BattleLaw::default();
    /// let table = BattleTable::for_law(law);
    /// assert_eq!(*table.outcomes(7, 5), law.outcomes(7, 5));
    /// ```
    pub fn outcomes(&self, fighters: u32, defenders: u32) -> Cow<'_, WeightedLaw> {
        match self.battle(fighters, defenders) {
            Some(law) => Cow::Borrowed(law),
            None => Cow::Owned(self.law.outcomes(fighters, defenders)),
        }
    }

    /// Fights to the end and returns the losses.
    ///
    /// Up to 96 armies on each side this is one word of `rng` and one search in
    /// the weights of [`BattleTable::outcomes`]. Bigger battles follow the same
    /// law round by round; balanced ones are computed and drawn with one word. A
    /// side without armies draws nothing.
    ///
    /// ```
    /// use hegemon_core::{Rng, battle::{BattleLaw, BattleTable}};
    /// let table = BattleTable::for_law(BattleLaw::default());
    /// let mut rng = Rng::from_seed(7);
    /// let losses = table.sample(500, 1, &mut rng);
    /// assert_eq!(losses.defender, 1);
    /// ```
    #[inline]
    pub fn sample(&self, fighters: u32, defenders: u32, rng: &mut Rng) -> Losses {
        let Some(law) = self.battle(fighters, defenders) else {
            return rollout::battle(self.law, fighters, defenders, 0, rng);
        };
        let end = law.draw(rng);
        Losses {
            attacker: fighters - end.fighters,
            defender: defenders - end.defenders,
        }
    }

    /// Fights until a side is eliminated or at most `reserve` fighters are left
    /// (see [`BattleLaw::distribution_until`]) and returns the losses.
    ///
    /// Without a reserve this is [`BattleTable::sample`]; with one the battle is
    /// fought round by round, or computed and drawn if it is balanced.
    ///
    /// ```
    /// use hegemon_core::{Rng, battle::{BattleLaw, BattleTable}};
    /// let table = BattleTable::for_law(BattleLaw::default());
    /// let losses = table.sample_until(20, 20, 10, &mut Rng::from_seed(7));
    /// assert!(losses.defender == 20 || (10..=11).contains(&losses.attacker));
    /// ```
    pub fn sample_until(
        &self,
        fighters: u32,
        defenders: u32,
        reserve: u32,
        rng: &mut Rng,
    ) -> Losses {
        if reserve == 0 {
            return self.sample(fighters, defenders, rng);
        }
        rollout::battle(self.law, fighters, defenders, reserve, rng)
    }

    /// Fights one round, with one draw for each pair of groups that meets, and
    /// returns the losses; see [`BattleLaw::round`]. A side without armies draws
    /// nothing.
    ///
    /// ```
    /// use hegemon_core::{Rng, battle::{BattleLaw, BattleTable}};
    /// let table = BattleTable::for_law(BattleLaw::default());
    /// let losses = table.sample_round(6, 5, &mut Rng::from_seed(7));
    /// assert_eq!(losses.attacker + losses.defender, 2);
    /// ```
    #[inline]
    pub fn sample_round(&self, fighters: u32, defenders: u32, rng: &mut Rng) -> Losses {
        if fighters == 0 || defenders == 0 {
            return Losses::default();
        }
        rollout::round(self.law, fighters, defenders, rng)
    }

    /// The cell of a battle; `None` outside the table.
    #[inline]
    fn battle(&self, fighters: u32, defenders: u32) -> Option<&WeightedLaw> {
        if fighters.min(defenders) == 0 || fighters.max(defenders) > MAX_DRAWN {
            return None;
        }
        let cell = &self.battles[((fighters - 1) * MAX_DRAWN + defenders - 1) as usize];
        Some(cell.get_or_init(|| self.law.outcomes(fighters, defenders)))
    }
}

fn all_wins(law: BattleLaw) -> Box<[f64]> {
    let mut rows = Rows::new(law, MAX_WINS);
    let mut wins = Vec::with_capacity((MAX_WINS as usize + 1).pow(2));
    for _ in 0..=MAX_WINS {
        wins.extend(rows.row().iter().map(|&win| law.shaped_win(win)));
        rows.advance();
    }
    wins.into()
}

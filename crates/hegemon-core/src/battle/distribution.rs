//! Distributions of battle outcomes.

/// One possible outcome of a battle.
///
/// ```
/// use hegemon_core::battle::BattleEnd;
/// let won = BattleEnd { fighters: 3, defenders: 0, probability: 0.25 };
/// assert!(won.is_win());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BattleEnd {
    /// Fighters left.
    pub fighters: u32,
    /// Defenders left.
    pub defenders: u32,
    /// The probability of this outcome; never zero.
    pub probability: f64,
}

impl BattleEnd {
    /// Whether the territory was conquered.
    ///
    /// ```
    /// use hegemon_core::battle::BattleEnd;
    /// assert!(!BattleEnd { fighters: 0, defenders: 1, probability: 1.0 }.is_win());
    /// ```
    pub fn is_win(&self) -> bool {
        self.defenders == 0
    }
}

/// The distribution of a battle's outcomes.
///
/// Outcomes are ordered from the best for the attacker to the best for the
/// defender: victories by fighters left, downwards; then the others by
/// defenders left, upwards, and among equals by fighters left, downwards.
/// Outcomes that cannot happen are absent.
///
/// # Examples
///
/// ```
/// use hegemon_core::battle::BattleLaw;
///
/// let law = BattleLaw::default().distribution(3, 2);
/// assert!((law.probability(3, 0) - 1445.0 / 3888.0).abs() < 1e-15);
/// assert!((law.win() - 6610505.0 / 10077696.0).abs() < 1e-15);
/// assert_eq!(law.outcomes().len(), 5);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    fighters: u32,
    defenders: u32,
    outcomes: Vec<BattleEnd>,
}

impl Distribution {
    pub(super) fn new(fighters: u32, defenders: u32, outcomes: Vec<BattleEnd>) -> Distribution {
        Distribution {
            fighters,
            defenders,
            outcomes,
        }
    }

    /// All outcomes, from the best for the attacker to the best for the
    /// defender.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let law = BattleLaw::default().distribution(2, 1);
    /// assert_eq!(law.outcomes()[0].fighters, 2);
    /// ```
    pub fn outcomes(&self) -> &[BattleEnd] {
        &self.outcomes
    }

    /// The probability that exactly these forces are left.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let law = BattleLaw::default().distribution(1, 1);
    /// assert!((law.probability(0, 1) - 7.0 / 12.0).abs() < 1e-15);
    /// assert_eq!(law.probability(1, 1), 0.0);
    /// ```
    pub fn probability(&self, fighters: u32, defenders: u32) -> f64 {
        let same = |o: &&BattleEnd| (o.fighters, o.defenders) == (fighters, defenders);
        self.outcomes
            .iter()
            .find(same)
            .map_or(0.0, |o| o.probability)
    }

    /// The probability of conquering the territory.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let law = BattleLaw::default().distribution(2, 2);
    /// assert!((law.win() - 235.0 / 648.0).abs() < 1e-15);
    /// ```
    pub fn win(&self) -> f64 {
        let wins = self.outcomes.iter().filter(|o| o.is_win());
        // An empty sum would be -0.
        wins.fold(0.0, |sum, o| sum + o.probability)
    }

    /// The mean number of fighters and defenders lost.
    ///
    /// ```
    /// use hegemon_core::battle::BattleLaw;
    /// let (attacker, defender) = BattleLaw::default().distribution(3, 2).expected_losses();
    /// assert!((attacker - 1.406).abs() < 5e-4 && (defender - 1.438).abs() < 5e-4);
    /// ```
    pub fn expected_losses(&self) -> (f64, f64) {
        let mean = |lost: fn(&Distribution, &BattleEnd) -> u32| {
            let terms = self.outcomes.iter();
            terms
                .map(|o| f64::from(lost(self, o)) * o.probability)
                .sum()
        };
        (
            mean(|law, o| law.fighters - o.fighters),
            mean(|law, o| law.defenders - o.defenders),
        )
    }
}

/// Sorts outcomes into the order of [`Distribution`].
pub(super) fn sort(outcomes: &mut [BattleEnd]) {
    outcomes.sort_by_key(|o| (o.defenders, std::cmp::Reverse(o.fighters)));
}

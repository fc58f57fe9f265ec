//! Tables 2 and 3 of Gillenwater 2022 as data: the 29 numbers that make an
//! agent.

use std::fmt;
use std::ops::{Index, IndexMut};

use hegemon_core::Rng;

/// How many characteristics an agent has.
pub const N_CHARACTERISTICS: usize = 29;

/// Adjustments by which drawn numbers may lie off.
const DRAWN_STEPS: f64 = 2.0;

/// What a characteristic is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
    /// Where armies are placed.
    Placement,
    /// What is attacked, and for how long.
    Attack,
    /// Where armies move, and how many.
    Movement,
    /// Whom and what an attack prefers.
    Preference,
}

impl Category {
    /// All categories, in the order of the paper.
    pub const ALL: [Category; 4] = [
        Category::Placement,
        Category::Attack,
        Category::Movement,
        Category::Preference,
    ];

    /// The category as one word.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Placement => "placement",
            Category::Attack => "attack",
            Category::Movement => "movement",
            Category::Preference => "preference",
        }
    }

    /// Its characteristics, in the order of the paper.
    pub fn keys(self) -> impl Iterator<Item = Key> + Clone {
        Key::all().filter(move |key| key.data().category == self)
    }
}

/// A row of tables 2 and 3.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Characteristic {
    pub category: Category,
    /// Its name within the category.
    pub name: &'static str,
    /// The paper's hand-made value.
    pub initial: f64,
    /// The step of one mutation, times the multiplier.
    pub adjustment: f64,
    /// Lower limit.
    pub lower: f64,
    /// Upper limit.
    pub upper: f64,
    /// Description from table 2, in our terms.
    pub description: &'static str,
}

impl Characteristic {
    /// The value within the limits.
    pub fn clamp(&self, value: f64) -> f64 {
        value.clamp(self.lower, self.upper)
    }

    /// The name with its category: `placement.enemy-adjacent`.
    pub fn full_name(&self) -> String {
        format!("{}.{}", self.category.name(), self.name)
    }
}

/// Names one of the characteristics; the number is its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(u8);

impl Key {
    /// All, in the order of the paper.
    pub fn all() -> impl ExactSizeIterator<Item = Key> + Clone {
        (0..N_CHARACTERISTICS as u8).map(Key)
    }

    /// The characteristic in this row.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    pub const fn new(row: usize) -> Key {
        assert!(row < N_CHARACTERISTICS);
        Key(row as u8)
    }

    /// The characteristic of this category and name.
    pub fn find(category: &str, name: &str) -> Option<Key> {
        Key::all().find(|key| key.data().category.name() == category && key.data().name == name)
    }

    /// Its row.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its data.
    pub const fn data(self) -> &'static Characteristic {
        &CHARACTERISTICS[self.index()]
    }
}

const NONE: f64 = f64::INFINITY;

const fn row(
    category: Category,
    name: &'static str,
    [initial, adjustment, lower, upper]: [f64; 4],
    description: &'static str,
) -> Characteristic {
    Characteristic {
        category,
        name,
        initial,
        adjustment,
        lower,
        upper,
        description,
    }
}

macro_rules! characteristics {
    ($($category:ident { $($key:ident $name:literal $numbers:expr, $text:literal;)* })*) => {
        /// Tables 2 and 3.
        pub const CHARACTERISTICS: [Characteristic; N_CHARACTERISTICS] = [
            $($(row(Category::$category, $name, $numbers, $text),)*)*
        ];

        #[allow(clippy::upper_case_acronyms, non_camel_case_types)]
        enum CharacteristicNumber { $($($key,)*)* }

        impl Key {
            $($(#[doc = $text] pub const $key: Key = Key(CharacteristicNumber::$key as u8);)*)*
        }
    };
}

characteristics! {
    Placement {
        PLACE_ANYWHERE "anywhere" [5.0, 1.0, -NONE, NONE],
            "placing an army anywhere";
        PLACE_ENEMY_ADJACENT "enemy-adjacent" [5.0, 1.0, -NONE, NONE],
            "placing an army next to a territory of another player";
        PLACE_ALLY_ADJACENT "ally-adjacent" [5.0, 1.0, -NONE, NONE],
            "placing an army next to a territory of the same player";
        PLACE_BORDER_ADJACENT "border-adjacent" [5.0, 1.0, -NONE, NONE],
            "placing an army next to a territory of a different continent";
        PLACE_CONNECTION_BIAS "connection-bias" [1.0, 0.25, -NONE, NONE],
            "placing an army on a territory with many connections; value per connection";
        PLACE_BIAS_MULTIPLIER "placement-bias-multiplier" [0.85, 0.05, 0.0, 1.0],
            "placing an army where armies are already; value^(armies on the territory)";
    }
    Attack {
        ATTACK_ANYWHERE "anywhere" [5.0, 1.0, -NONE, NONE],
            "attacking anywhere";
        ATTACK_ALLY_ADJACENT "ally-adjacent" [5.0, 1.0, -NONE, NONE],
            "attacking a territory next to another territory of the attacker";
        ATTACK_BORDER_ADJACENT "border-adjacent" [5.0, 1.0, -NONE, NONE],
            "attacking a territory on the border of a different continent";
        ATTACK_CAPTURE_CONTINENT "capture-continent" [5.0, 1.0, -NONE, NONE],
            "attacking a territory whose conquest completes a continent";
        ATTACK_DESTROY_BIAS "destroy-bias" [1.0, 0.1, -NONE, NONE],
            "estimated defending armies destroyed; value per army";
        ATTACK_REMAIN_BIAS "remain-bias" [-1.0, 0.1, -NONE, NONE],
            "estimated attacking armies destroyed; value per army";
        ATTACK_SAFE_THRESHOLD "safe-threshold" [0.95, 0.05, 0.0, 1.0],
            "least estimated chance of success of a safe attack; below it is risky";
        ATTACK_MINIMAL_SUCCESS "minimal-success-chance" [0.5, 0.05, 0.0, 1.0],
            "least estimated chance of success of a viable attack";
        ATTACK_MINIMAL_REMAINING "minimal-remaining-percent" [0.1, 0.05, 0.0, 1.0],
            "share of the armies at the start at which an attack is called off";
    }
    Movement {
        MOVE_ANYWHERE "anywhere" [5.0, 1.0, -NONE, NONE],
            "moving armies anywhere";
        MOVE_ENEMY_ADJACENT "enemy-adjacent" [5.0, 1.0, -NONE, NONE],
            "moving armies next to a territory of another player";
        MOVE_ALLY_ADJACENT "ally-adjacent" [5.0, 1.0, -NONE, NONE],
            "moving armies next to a territory of the same player";
        MOVE_BORDER_ADJACENT "border-adjacent" [5.0, 1.0, -NONE, NONE],
            "moving armies next to a territory of a different continent";
        MOVE_BIGGER_TERRITORY "bigger-territory" [5.0, 1.0, -NONE, NONE],
            "moving armies onto a territory with more armies";
        MOVE_SMALLER_TERRITORY "smaller-territory" [5.0, 1.0, -NONE, NONE],
            "moving armies onto a territory with fewer armies";
        MOVE_CONNECTION_BIAS "connection-bias" [1.0, 0.25, -NONE, NONE],
            "moving armies onto a territory with many connections; value per connection";
        MOVE_BASE_RATE "base-transfer-rate" [0.5, 0.05, -NONE, NONE],
            "share of the armies to move as a rule";
        MOVE_RISKY_RATE "risky-transfer-rate" [0.3, 0.05, -NONE, NONE],
            "share of the armies to move if the movement is risky";
        MOVE_SAFE_RATE "safe-transfer-rate" [0.7, 0.05, -NONE, NONE],
            "share of the armies to move if the movement is safe";
    }
    Preference {
        PREFER_LARGER "larger" [1.0, 0.25, -NONE, NONE],
            "preference for attacking larger players";
        PREFER_SMALLER "smaller" [1.0, 0.25, -NONE, NONE],
            "preference for attacking smaller players";
        PREFER_RISKY "risky" [1.0, 0.25, -NONE, NONE],
            "preference for risky actions";
        PREFER_SAFE "safe" [1.0, 0.25, -NONE, NONE],
            "preference for safe actions";
    }
}

/// The values of one agent.
#[derive(Clone, Copy, PartialEq)]
pub struct Characteristics(pub [f64; N_CHARACTERISTICS]);

impl Characteristics {
    /// The paper's hand-made values: the initial agent.
    pub const INITIAL: Characteristics = {
        let mut values = [0.0; N_CHARACTERISTICS];
        let mut row = 0;
        while row < N_CHARACTERISTICS {
            values[row] = CHARACTERISTICS[row].initial;
            row += 1;
        }
        Characteristics(values)
    };

    /// Numbers drawn at random around these: a style of play for every seed.
    pub fn drawn_around(self, seed: u64) -> Characteristics {
        let mut rng = Rng::stream(seed, "style");
        let mut drawn = self;
        for key in Key::all() {
            let step = key.data().adjustment;
            drawn[key] += DRAWN_STEPS * step * (2.0 * rng.unit() - 1.0);
        }
        drawn.clamped()
    }

    /// The same with every value within its limits.
    pub fn clamped(mut self) -> Characteristics {
        for key in Key::all() {
            self[key] = key.data().clamp(self[key]);
        }
        self
    }
}

impl Default for Characteristics {
    fn default() -> Characteristics {
        Characteristics::INITIAL
    }
}

impl Index<Key> for Characteristics {
    type Output = f64;

    #[inline]
    fn index(&self, key: Key) -> &f64 {
        &self.0[key.index()]
    }
}

impl IndexMut<Key> for Characteristics {
    #[inline]
    fn index_mut(&mut self, key: Key) -> &mut f64 {
        &mut self.0[key.index()]
    }
}

impl fmt::Debug for Characteristics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = Key::all().map(|key| (key.data().full_name(), self[key]));
        f.debug_map().entries(named).finish()
    }
}

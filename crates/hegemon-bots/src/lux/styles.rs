//! The bots as combinations of shared pieces (docs/spec/lux.md 7): what one
//! inherits from another in the original is here `..PARENT`.

use super::attack::{Aim, AttackStep, Growth, Hook, Visit};
use super::draft::Draft;
use super::fortify::Fortifying;
use super::move_in::MoveIn;
use super::place::Placing;
use AttackStep::{
    CardAttack, Continents, ExpandOrFill, FollowPlans, HogWild, Jabs, KillPlayer, Once,
    OuterHogWild, Raid, Repeat, Root, SplitIfAhead, Stalemate, Strikes, SweepIfIdle,
    TakeOutPlayers, TriplePacks,
};

/// A bot of the Lux SDK.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum LuxKind {
    /// Section 7.1.
    Angry,
    /// Section 7.2.
    Stinky,
    /// Section 7.3.
    Communist,
    /// Section 7.4.
    Trotsky,
    /// Section 7.5.
    Cluster,
    /// Section 7.6.
    Shaft,
    /// Section 7.7.
    Quo,
    /// Section 7.8.
    Yakool,
    /// Section 7.9.
    Boscoe,
    /// Section 7.10.
    Bort,
    /// Section 7.11.
    Pixie,
    /// Section 7.12.
    EvilPixie,
    /// Section 7.13.
    BetterPixie,
    /// Section 7.14.
    Vulture,
    /// Section 7.15.
    Killbot,
    /// Section 7.
    Boring,
    /// Section 7.
    Empty,
}

/// Name, description and source of a bot.
#[derive(Clone, Copy, Debug)]
pub struct LuxInfo {
    /// Which bot.
    pub kind: LuxKind,
    /// Its name in spec strings.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// Where it is specified.
    pub source: &'static str,
}

const fn info(
    kind: LuxKind,
    name: &'static str,
    about: &'static str,
    source: &'static str,
) -> LuxInfo {
    LuxInfo {
        kind,
        name,
        about,
        source,
    }
}

/// All bots, in the order of the specification.
pub const LUX_BOTS: [LuxInfo; 17] = [
    info(
        LuxKind::Angry,
        "angry",
        "all armies where most enemies are, attacks whatever is weaker",
        "Lux SDK, Angry (docs/spec/lux.md 7.1)",
    ),
    info(
        LuxKind::Stinky,
        "stinky",
        "random front, attacks weak neighbours once around",
        "Lux SDK, Stinky (docs/spec/lux.md 7.2)",
    ),
    info(
        LuxKind::Communist,
        "communist",
        "keeps all armies level, one attack a turn on the weakest neighbour",
        "Lux SDK, Communist (docs/spec/lux.md 7.3)",
    ),
    info(
        LuxKind::Trotsky,
        "trotsky",
        "a communist that spreads over target continents",
        "Lux SDK, Trotsky (docs/spec/lux.md 7.4)",
    ),
    info(
        LuxKind::Cluster,
        "cluster",
        "grows one connected cluster from its best continent",
        "Lux SDK, Cluster (docs/spec/lux.md 7.5)",
    ),
    info(
        LuxKind::Shaft,
        "shaft",
        "a cluster that advances its front only where that shortens it",
        "Lux SDK, Shaft (docs/spec/lux.md 7.6)",
    ),
    info(
        LuxKind::Quo,
        "quo",
        "a careful cluster that keeps its borders short (hard)",
        "Lux SDK, Quo (docs/spec/lux.md 7.7)",
    ),
    info(
        LuxKind::Yakool,
        "yakool",
        "a cluster that turns on a dominant player",
        "Lux SDK, Yakool (docs/spec/lux.md 7.8)",
    ),
    info(
        LuxKind::Boscoe,
        "boscoe",
        "a patient cluster that turns on a dominant player (hard)",
        "Lux SDK, Boscoe (docs/spec/lux.md 7.9)",
    ),
    info(
        LuxKind::Bort,
        "bort",
        "a boscoe that expands once a turn",
        "Lux SDK, Bort (docs/spec/lux.md 7.10)",
    ),
    info(
        LuxKind::Pixie,
        "pixie",
        "takes and holds the continents that it can afford",
        "Lux SDK, Pixie (docs/spec/lux.md 7.11)",
    ),
    info(
        LuxKind::EvilPixie,
        "evil-pixie",
        "a pixie that breaks continents and kills the weak (hard)",
        "Lux SDK, EvilPixie (docs/spec/lux.md 7.12)",
    ),
    info(
        LuxKind::BetterPixie,
        "better-pixie",
        "a pixie that weighs routes and hostile clusters",
        "Lux SDK, BetterPixie (docs/spec/lux.md 7.13)",
    ),
    info(
        LuxKind::Vulture,
        "vulture",
        "hunts players that it can kill in one turn, else a cluster",
        "Lux SDK, Vulture (docs/spec/lux.md 7.14)",
    ),
    info(
        LuxKind::Killbot,
        "killbot",
        "hunts players that it can kill in one turn, else a better-pixie (hard)",
        "Lux SDK, Killbot (docs/spec/lux.md 7.15)",
    ),
    info(
        LuxKind::Boring,
        "boring",
        "all armies on one random territory, never attacks",
        "Lux SDK, Boring (docs/spec/lux.md 7)",
    ),
    info(
        LuxKind::Empty,
        "empty",
        "does nothing at all",
        "Lux SDK, Empty (docs/spec/lux.md 7)",
    ),
];

impl LuxKind {
    /// The facts of this bot.
    pub fn info(self) -> &'static LuxInfo {
        &LUX_BOTS[self as usize]
    }

    /// The bot's name in spec strings.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// The bot with this name.
    ///
    /// ```
    /// use hegemon_bots::lux::LuxKind;
    /// assert_eq!(LuxKind::named("evil-pixie"), Some(LuxKind::EvilPixie));
    /// assert_eq!(LuxKind::named("EvilPixie"), None);
    /// ```
    pub fn named(name: &str) -> Option<LuxKind> {
        LUX_BOTS
            .iter()
            .find(|info| info.name == name)
            .map(|info| info.kind)
    }

    #[inline]
    pub(super) fn style(self) -> &'static Style {
        match self {
            LuxKind::Angry => &ANGRY,
            LuxKind::Stinky => &STINKY,
            LuxKind::Communist => &COMMUNIST,
            LuxKind::Trotsky => &TROTSKY,
            LuxKind::Cluster => &CLUSTER,
            LuxKind::Shaft => &SHAFT,
            LuxKind::Quo => &QUO,
            LuxKind::Yakool => &YAKOOL,
            LuxKind::Boscoe => &BOSCOE,
            LuxKind::Bort => &BORT,
            LuxKind::Pixie => &PIXIE,
            LuxKind::EvilPixie => &EVIL_PIXIE,
            LuxKind::BetterPixie => &BETTER_PIXIE,
            LuxKind::Vulture => &VULTURE,
            LuxKind::Killbot => &KILLBOT,
            LuxKind::Boring => &BORING,
            LuxKind::Empty => &EMPTY,
        }
    }
}

/// What a bot is made of.
#[derive(Debug)]
pub(super) struct Style {
    pub(super) draft: Draft,
    /// Whether it trades a set whenever it can, once a turn; all trade when
    /// they must.
    pub(super) trades: bool,
    /// Whether it first places against a dominant player.
    pub(super) breaks_dominant: bool,
    /// Whether it first looks for a player to kill in this turn.
    pub(super) hunts: bool,
    pub(super) placing: Placing,
    pub(super) attack: &'static [AttackStep],
    /// How much a card attack moves in.
    pub(super) hook: Hook,
    pub(super) move_in: MoveIn,
    pub(super) fortify: Fortifying,
}

/// The attack of a hunter that placed to kill.
pub(super) const KILL: &[AttackStep] = &[FollowPlans, OuterHogWild];

const EMPTY: Style = Style {
    draft: Draft::Random,
    trades: false,
    breaks_dominant: false,
    hunts: false,
    placing: Placing::Nowhere,
    attack: &[],
    hook: Hook::General,
    move_in: MoveIn::Communist,
    fortify: Fortifying::Nothing,
};

const BORING: Style = Style {
    placing: Placing::Anywhere,
    ..EMPTY
};

const ANGRY: Style = Style {
    draft: Draft::SmallestEachTime,
    placing: Placing::MostEnemies,
    attack: &[Strikes],
    move_in: MoveIn::Angry,
    fortify: Fortifying::Angry,
    ..EMPTY
};

const STINKY: Style = Style {
    placing: Placing::RandomFront,
    attack: &[Jabs],
    move_in: MoveIn::Stinky,
    ..EMPTY
};

const COMMUNIST: Style = Style {
    draft: Draft::Smallest,
    placing: Placing::Level,
    attack: &[Raid(Aim::Strangers), HogWild, Stalemate],
    move_in: MoveIn::Communist,
    fortify: Fortifying::Level,
    ..EMPTY
};

const TROTSKY: Style = Style {
    draft: Draft::SmallestOnce,
    trades: true,
    placing: Placing::LevelTargets,
    attack: &[Raid(Aim::Targets), HogWild, Stalemate],
    move_in: MoveIn::Trotsky,
    fortify: Fortifying::Trotsky,
    ..COMMUNIST
};

const CLUSTER: Style = Style {
    draft: Draft::Largest,
    placing: Placing::Cluster,
    attack: &[
        Root,
        Repeat(Growth::EasyExpand),
        Once(Growth::FillOut),
        Repeat(Growth::EasyExpand),
        Repeat(Growth::Consolidate),
        Repeat(Growth::SplitUp),
        HogWild,
        Stalemate,
    ],
    move_in: MoveIn::Cluster,
    fortify: Fortifying::Cluster,
    ..EMPTY
};

const SHAFT: Style = Style {
    draft: Draft::Smallest,
    attack: &[
        Root,
        ExpandOrFill,
        Repeat(Growth::Consolidate),
        SweepIfIdle,
        HogWild,
        Stalemate,
    ],
    ..CLUSTER
};

const QUO: Style = Style {
    trades: true,
    attack: &[
        Root,
        ExpandOrFill,
        Repeat(Growth::Consolidate),
        SweepIfIdle,
        CardAttack(1),
        HogWild,
        Stalemate,
    ],
    hook: Hook::Half,
    ..SHAFT
};

const YAKOOL: Style = Style {
    breaks_dominant: true,
    attack: &[
        KillPlayer,
        Root,
        TriplePacks,
        SplitIfAhead,
        CardAttack(1),
        HogWild,
        Stalemate,
    ],
    ..CLUSTER
};

const BOSCOE: Style = Style {
    trades: true,
    attack: &[
        KillPlayer,
        Root,
        TriplePacks,
        CardAttack(1),
        HogWild,
        Stalemate,
    ],
    hook: Hook::Nothing,
    ..YAKOOL
};

const BORT: Style = Style {
    attack: &[
        KillPlayer,
        Root,
        ExpandOrFill,
        Repeat(Growth::Consolidate),
        CardAttack(1),
        HogWild,
        Stalemate,
    ],
    hook: Hook::Half,
    ..BOSCOE
};

const PIXIE: Style = Style {
    draft: Draft::Smallest,
    placing: Placing::Pixie,
    attack: &[Continents(Visit::Storm), CardAttack(1), HogWild, Stalemate],
    move_in: MoveIn::Pixie,
    fortify: Fortifying::Pixie,
    ..EMPTY
};

const EVIL_PIXIE: Style = Style {
    trades: true,
    breaks_dominant: true,
    placing: Placing::EvilPixie,
    attack: &[
        KillPlayer,
        Continents(Visit::StormAndTakeOut),
        TakeOutPlayers,
        CardAttack(5),
        HogWild,
        Stalemate,
    ],
    fortify: Fortifying::EvilPixie,
    ..PIXIE
};

const BETTER_PIXIE: Style = Style {
    draft: Draft::SmallestOnce,
    trades: true,
    placing: Placing::BetterPixie,
    attack: &[
        Continents(Visit::Campaign),
        Continents(Visit::TakeOut),
        CardAttack(1),
        HogWild,
        Stalemate,
    ],
    move_in: MoveIn::BetterPixie,
    fortify: Fortifying::BetterPixie,
    ..EMPTY
};

const VULTURE: Style = Style {
    trades: true,
    hunts: true,
    ..CLUSTER
};

const KILLBOT: Style = Style {
    hunts: true,
    ..BETTER_PIXIE
};

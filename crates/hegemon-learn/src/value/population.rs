//! Who plays the games that the value learns from, and at which tables.

use std::sync::Arc;

use hegemon_bots::{Spec, met_in_training};
use hegemon_core::{Game, Map, Rng, Rules};

/// Players to learn from, and players kept apart to test on.
#[derive(Clone, Debug)]
pub struct Population {
    /// Those that may be met in training.
    pub known: Vec<Spec>,
    /// Those that may not: a third of the styles.
    pub withheld: Vec<Spec>,
    /// Searching agents, which only sit beside the champion: their games take as long as its
    /// own.
    searching: Vec<Spec>,
}

/// Rounds after which a game is ended where the rules go on for ever.
const MAX_ROUNDS: u32 = 100;

/// Territories of the largest map on which the champion makes games to learn from.
const MAX_CHAMPION_TERRITORIES: usize = 50;

/// Suspects of the champion in its games; more of them only cost time.
const MAX_SUSPECTS: usize = 18;

/// Random styles of `beam`; every third is withheld.
const N_STYLES: usize = 24;

/// Players to learn from besides the quick bots that the champion knows.
const ERRATIC: [&str; 5] = [
    "fickle(bots=killbot)",
    "fickle(bots=quo+boscoe+evil-pixie,errs=0.02)",
    "fickle(bots=cluster+better-pixie,errs=0.1)",
    "fickle(bots=beam+killbot+yakool,errs=0.01)",
    "greedy(samples=50)",
];

/// Quick forms of the searching agents; the base is named, so that it can be left out.
const SEARCHING: [&str; 3] = [
    "goal-uct(base=killbot,iters=8,ahead=4)",
    "mcts-tuned(iters=60)",
    "rollout(playouts=1)",
];

/// How often each of them is in the field there: most games should be quick ones.
const EACH_SEARCHING: usize = 4;

const WITHHELD: [&str; 8] = [
    "shaft",
    "vulture",
    "bort",
    "trotsky",
    "stinky",
    "beam(weights=initial)",
    "fickle(bots=shaft+vulture,errs=0.02)",
    "fickle(bots=bort+killbot+trotsky,errs=0.05)",
];

impl Population {
    /// The population of the shipped nets.
    pub fn shipped() -> Population {
        let spec =
            |name: &str| -> Spec { name.parse().unwrap_or_else(|_| unreachable!("well formed")) };
        let mut known: Vec<Spec> = met_in_training().chain(ERRATIC).map(spec).collect();
        let mut withheld: Vec<Spec> = WITHHELD.iter().map(|name| spec(name)).collect();
        for style in 1..=N_STYLES {
            let drawn = spec(&format!("beam(style={style})"));
            if style % 3 == 0 {
                withheld.push(drawn);
            } else {
                known.push(drawn);
            }
        }
        Population {
            known,
            withheld,
            searching: SEARCHING.iter().map(|name| spec(name)).collect(),
        }
    }

    /// Those who sit beside the champion in its games: all that may be met, and searching agents.
    pub(super) fn among_champions(&self) -> Vec<Spec> {
        let often = |spec| std::iter::repeat_n(spec, EACH_SEARCHING);
        let searching = self.searching.iter().flat_map(often);
        self.known.iter().chain(searching).cloned().collect()
    }

    /// Whom the champion suspects in its games: the quick ones of those that may be met.
    pub(super) fn suspects(&self) -> String {
        let is_quick = |spec: &&Spec| !["greedy", "fickle"].contains(&spec.name.as_str());
        let names: Vec<String> = self
            .known
            .iter()
            .filter(is_quick)
            .take(MAX_SUSPECTS)
            .map(ToString::to_string)
            .collect();
        names.join("+")
    }

    /// Takes a bot out of the population, wherever its name is part of a spec. Whether
    /// there was such a bot.
    pub fn leave_out(&mut self, name: &str) -> bool {
        let n = self.known.len() + self.withheld.len();
        let plays = |spec: &Spec| {
            let text = spec.to_string();
            let mut words = text.split(|c: char| !c.is_alphanumeric() && c != '-');
            words.any(|word| word == name)
        };
        self.known.retain(|spec| !plays(spec));
        self.withheld.retain(|spec| !plays(spec));
        self.searching.retain(|spec| !plays(spec));
        self.known.len() + self.withheld.len() < n
    }
}

/// A kind of table: a map and rules, with games for each number of players.
#[derive(Clone, Debug)]
pub struct TableKind {
    /// Map and rules in words.
    pub name: String,
    /// How often it is drawn.
    pub weight: u32,
    /// The game for each number of players that the rules allow.
    pub games: Vec<Arc<Game>>,
}

impl TableKind {
    /// The games of a shipped map and preset; none if they do not go together.
    pub fn shipped(map: &str, rules: &str, weight: u32) -> Option<TableKind> {
        let made = |n| {
            let mut rules = Rules::preset(rules)?;
            // A stalemate teaches nothing and costs more than a thousand other games.
            rules.end.round_cap = MAX_ROUNDS;
            Game::new(Map::builtin(map)?, rules, n).ok()
        };
        let games: Vec<Arc<Game>> = (2..=6).filter_map(made).collect();
        (!games.is_empty()).then(|| TableKind {
            name: format!("{map}/{rules}"),
            weight,
            games,
        })
    }

    /// The same table, never drawn if the champion would take minutes over a game there.
    pub(super) fn without_slow_games(&self) -> TableKind {
        let is_slow = |game: &Arc<Game>| game.map().n_territories() > MAX_CHAMPION_TERRITORIES;
        TableKind {
            weight: if self.games.iter().any(is_slow) {
                0
            } else {
                self.weight
            },
            ..self.clone()
        }
    }

    /// All tables of the shipped nets: the classic map in every preset, and each other
    /// reference map in two.
    pub fn all() -> Vec<TableKind> {
        let classic = [
            ("lux", 8),
            ("classic", 5),
            ("draft", 4),
            ("sampling", 3),
            ("beam", 4),
        ];
        let classic = classic
            .into_iter()
            .filter_map(|(rules, weight)| TableKind::shipped("classic", rules, weight));
        let others = Map::REFERENCE
            .into_iter()
            .filter(|name| !name.starts_with("classic"))
            .flat_map(|map| ["lux", "classic"].map(|rules| TableKind::shipped(map, rules, 1)))
            .flatten();
        classic.chain(others).collect()
    }
}

/// One of the kinds, and a number of players.
pub(super) fn draw_game<'a>(kinds: &'a [TableKind], rng: &mut Rng) -> (usize, &'a Arc<Game>) {
    let total: u32 = kinds.iter().map(|kind| kind.weight).sum();
    let mut left = rng.below(total.max(1));
    let mut chosen = 0;
    for (n, kind) in kinds.iter().enumerate() {
        chosen = n;
        if left < kind.weight {
            break;
        }
        left -= kind.weight;
    }
    let games = &kinds[chosen].games;
    (chosen, &games[rng.below(games.len() as u32) as usize])
}

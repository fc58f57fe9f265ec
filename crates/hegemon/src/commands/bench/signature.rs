//! One number that changes exactly when play changes.
//!
//! Every bot plays itself on every map, under every preset and a few rules that
//! no preset has, with every number of players. Every state reached is folded
//! into the number. It does not prove that play is right, or unchanged where
//! these games do not go.

use std::sync::Arc;

use anyhow::bail;
use hegemon_arena::{Observer, Seeds, play};
use hegemon_bots::{Bot, Forfeit, ForfeitKind, Grants, Seating, Spec, SpecError, build};
use hegemon_core::rules::{Attack, Victory};
use hegemon_core::{
    Event, Game, MAX_PLAYERS, Map, Move, Rules, State, Termination, View, fnv1a, mix,
};

/// A bot of the signature.
struct SignaturePlayer {
    /// Its spec, with a budget so small that a move takes almost no time.
    spec: &'static str,
    /// Moves of a seat after which a game is stopped.
    max_moves: u32,
    /// Moves of a seat that `simulation` makes first, in half of the games: a
    /// bot with few moves would otherwise only see the setup.
    skip: u32,
}

impl SignaturePlayer {
    /// A fast bot, which plays many moves.
    const fn fast(spec: &'static str) -> SignaturePlayer {
        SignaturePlayer {
            spec,
            max_moves: 400,
            skip: 0,
        }
    }

    /// A bot that searches.
    const fn slow(spec: &'static str) -> SignaturePlayer {
        SignaturePlayer {
            spec,
            max_moves: 2,
            skip: 40,
        }
    }
}

/// All deterministic bots. New ones go to the end, so that the numbers of the
/// others stay comparable.
const PLAYERS: [SignaturePlayer; 31] = [
    SignaturePlayer::fast("random"),
    SignaturePlayer::fast("simulation"),
    SignaturePlayer::fast("baseline"),
    SignaturePlayer::slow("mcts(k=4,iters=8,cap=200)"),
    SignaturePlayer::slow("mcts-baseline(k=4,iters=8,cap=200)"),
    SignaturePlayer::slow("emm(depth=2,width=3,samples=5)"),
    SignaturePlayer::slow("greedy(samples=10)"),
    SignaturePlayer::slow("rollout(playouts=2,cap=200)"),
    SignaturePlayer::fast("beam"),
    SignaturePlayer::fast("angry"),
    SignaturePlayer::fast("stinky"),
    SignaturePlayer::fast("communist"),
    SignaturePlayer::fast("trotsky"),
    SignaturePlayer::fast("cluster"),
    SignaturePlayer::fast("shaft"),
    SignaturePlayer::fast("quo"),
    SignaturePlayer::fast("yakool"),
    SignaturePlayer::fast("boscoe"),
    SignaturePlayer::fast("bort"),
    SignaturePlayer::fast("pixie"),
    SignaturePlayer::fast("evil-pixie"),
    SignaturePlayer::fast("better-pixie"),
    SignaturePlayer::fast("vulture"),
    SignaturePlayer::fast("killbot"),
    SignaturePlayer::fast("boring"),
    SignaturePlayer::fast("empty"),
    SignaturePlayer::fast("drafted(base=baseline,draft=uct(sims=20))"),
    SignaturePlayer::slow("mcts-tuned(iters=8)"),
    SignaturePlayer::slow("goal-uct(iters=8,ahead=2)"),
    SignaturePlayer::slow("champion(looks=1)"),
    SignaturePlayer::fast("fickle(bots=killbot+quo)"),
];

/// A change of rules.
type Change = fn(&mut Rules);

/// Rules that no preset covers: the boxed game with a change.
const VARIANTS: [(&str, Change); 2] = [
    ("missions", |rules| rules.victory = Victory::Missions),
    ("capitals", |rules| {
        rules.victory = Victory::Capitals {
            hold: 2,
            extra_die: true,
        };
        rules.battle.attack = Attack::BalancedBlitz;
    }),
];

/// How every bot played.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Signature {
    by_player: Vec<u64>,
}

impl Signature {
    /// Plays all games.
    ///
    /// # Errors
    ///
    /// If a bot cannot be built or does not play legally.
    pub(super) fn compute() -> anyhow::Result<Signature> {
        let games = games();
        let played = PLAYERS.iter().map(|player| fold_player(player, &games));
        Ok(Signature {
            by_player: played.collect::<anyhow::Result<_>>()?,
        })
    }

    /// The number: 32 bits, short enough for the last line of a commit.
    pub(super) fn number(&self) -> u32 {
        shorten(self.by_player.iter().fold(0, |sum, &play| mix(sum ^ play)))
    }

    /// The number of each bot alone, by its spec.
    pub(super) fn by_bot(&self) -> impl Iterator<Item = (&'static str, u32)> {
        PLAYERS
            .iter()
            .map(|player| player.spec)
            .zip(self.by_player.iter().map(|&n| shorten(n)))
    }
}

fn shorten(number: u64) -> u32 {
    (number >> 32) as u32
}

/// All games with their seeds. A seed depends on the game alone, so that adding
/// a map or preset does not change the other games. Maps are the reference maps.
fn games() -> Vec<(Arc<Game>, u64)> {
    let mut games = Vec::new();
    for (name, rules) in all_rules() {
        for map in Map::references() {
            for n_players in 2..=MAX_PLAYERS {
                // Not every preset and map allows every number of players.
                if let Ok(game) = Game::new(map.clone(), rules.clone(), n_players) {
                    let label = format!("{name}/{}/{n_players}", map.name());
                    games.push((game, fnv1a(label.as_bytes())));
                }
            }
        }
    }
    games
}

fn all_rules() -> Vec<(&'static str, Rules)> {
    let preset = |name| Rules::preset(name).map(|rules| (name, rules));
    let variant = |(name, change): (_, Change)| {
        let mut rules = Rules::preset("classic")?;
        change(&mut rules);
        Some((name, rules))
    };
    let presets = Rules::PRESETS.into_iter().filter_map(preset);
    presets
        .chain(VARIANTS.into_iter().filter_map(variant))
        .collect()
}

fn fold_player(player: &SignaturePlayer, games: &[(Arc<Game>, u64)]) -> anyhow::Result<u64> {
    let spec: Spec = player.spec.parse()?;
    let mut fold = Fold(0);
    for (game, seed) in games {
        let mut bots = match seat(player, &spec, game, *seed) {
            Ok(bots) => bots,
            Err(SpecError::Unsuitable { .. }) => continue,
            Err(error) => return Err(error.into()),
        };
        let played = play(game.start(), &mut bots, Seeds::of(*seed), &mut fold);
        match (played.termination, played.message) {
            (Termination::Forfeit { .. }, Some(message)) if message != Limited::MESSAGE => {
                bail!("{spec} forfeits: {message}");
            }
            _ => fold.add(played.hash),
        }
    }
    Ok(fold.0)
}

fn seat(
    player: &SignaturePlayer,
    spec: &Spec,
    game: &Arc<Game>,
    seed: u64,
) -> Result<Vec<Box<dyn Bot>>, SpecError> {
    let skip = if seed.is_multiple_of(2) {
        0
    } else {
        player.skip
    };
    let grants = Grants::sealed();
    let seats = game.seats().map(|seat| {
        let seating = Seating {
            game,
            seat,
            seed,
            grants: &grants,
        };
        Ok(Box::new(Limited {
            opening: build(&Spec::plain("simulation"), &seating)?,
            skip,
            bot: build(spec, &seating)?,
            max_moves: player.max_moves,
        }) as Box<dyn Bot>)
    });
    seats.collect()
}

/// Folds every state reached.
struct Fold(u64);

impl Fold {
    fn add(&mut self, hash: u64) {
        self.0 = mix(self.0 ^ hash);
    }
}

impl Observer for Fold {
    fn on_event(&mut self, before: &State, _event: Event) {
        self.add(before.hash64());
    }
}

/// A bot that takes over after `skip` moves of another and forfeits after its
/// own limit, which stops the game.
struct Limited {
    opening: Box<dyn Bot>,
    skip: u32,
    bot: Box<dyn Bot>,
    max_moves: u32,
}

impl Limited {
    const MESSAGE: &str = "enough moves for the signature";
}

impl Bot for Limited {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        if let Some(left) = self.skip.checked_sub(1) {
            self.skip = left;
            return self.opening.choose(view);
        }
        let Some(left) = self.max_moves.checked_sub(1) else {
            let message = Limited::MESSAGE.to_owned();
            return Err(Forfeit {
                kind: ForfeitKind::Timeout,
                message,
            });
        };
        self.max_moves = left;
        self.bot.choose(view)
    }
}

#[cfg(test)]
mod tests {
    use hegemon_bots::bots;

    use super::*;

    /// A bot that is another program has no fixed play.
    const EXTERNAL: [&str; 1] = ["cmd"];

    #[test]
    fn every_bot_takes_part() {
        let specs = PLAYERS.map(|player| player.spec.parse::<Spec>().expect(player.spec).name);
        for info in bots().filter(|info| !EXTERNAL.contains(&info.name)) {
            assert!(
                specs.iter().any(|name| name == info.name),
                "{} is not in PLAYERS; add it at the end",
                info.name
            );
        }
    }

    #[test]
    fn every_rule_and_map_takes_part() {
        let games = games();
        for (name, rules) in all_rules() {
            assert!(
                games.iter().any(|(game, _)| *game.rules() == rules),
                "{name}"
            );
        }
        for map in Map::REFERENCE {
            assert!(
                games.iter().any(|(game, _)| game.map().name() == map),
                "{map}"
            );
        }
    }
}

//! A player that is hard to read: it plays each turn as one of several bots, and
//! errs now and then. Made to train and test those who watch their rivals.

use hegemon_core::{Move, Rng, View};

use crate::bot::{Bot, Forfeit, Seating};
use crate::parameter::Parameter;
use crate::policy::Policy as _;
use crate::registry::{self, BotInfo};
use crate::rules::Random;

/// The bot's entry in the registry.
pub(crate) const INFO: BotInfo = BotInfo {
    name: "fickle",
    about: "plays each turn as one of several bots, and errs now and then",
    source: "our own",
    parameters: &[
        Parameter::bots("bots", "killbot", "the bots, one drawn for each turn"),
        Parameter::real("errs", "0.05", (0.0, 1.0), "chance of a random move"),
    ],
    build: |settings, seating| {
        let specs = settings.bots("bots").unwrap_or_default();
        let bots = specs.iter().map(|spec| registry::build(spec, seating));
        Ok(Box::new(Fickle::new(
            bots.collect::<Result<_, _>>()?,
            settings.real("errs"),
            seating,
        )))
    },
};

struct Fickle {
    bots: Vec<Box<dyn Bot>>,
    errs: f64,
    rng: Rng,
    /// The round and who plays it.
    turn: Option<(u32, usize)>,
}

impl Fickle {
    fn new(bots: Vec<Box<dyn Bot>>, errs: f64, seating: &Seating<'_>) -> Fickle {
        Fickle {
            bots,
            errs,
            // Another stream than that of the bots inside.
            rng: Rng::stream(seating.rng().word(), "fickle"),
            turn: None,
        }
    }
}

impl Bot for Fickle {
    fn choose(&mut self, view: View<'_>) -> Result<Move, Forfeit> {
        let (mut round, mut player) = self.turn.unwrap_or((u32::MAX, 0));
        if round != view.round() {
            round = view.round();
            player = self.rng.below(self.bots.len() as u32) as usize;
            self.turn = Some((round, player));
        }
        let mv = self.bots[player].choose(view)?;
        if self.rng.chance(self.errs) {
            return Ok(Random.choose(view, &mut self.rng));
        }
        Ok(mv)
    }
}

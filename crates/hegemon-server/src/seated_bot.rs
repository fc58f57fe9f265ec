//! A bot at a table.

use hegemon_bots::{Bot, Demand, Grants, Seating, Spec, Stop, build};
use hegemon_core::{PlayerId, View};

use hegemon_arena::seat_seed;

use crate::company::STAND_IN;
use crate::game_card::GameCard;
use crate::offers::Offers;
use crate::session::Witnessed;

/// Nodes that a bot's trees may have together, some 150 bytes each.
const MAX_NODES: usize = 50_000;

/// A bot with the handle that stops it.
pub(crate) struct SeatedBot {
    /// The bot, built with this handle.
    pub bot: Box<dyn Bot>,
    /// What has happened since it was last told.
    pub untold: Vec<Witnessed>,
    /// Ends its thoughts.
    pub stop: Stop,
    /// Threads that it starts for a thought, itself included.
    pub n_threads: usize,
    /// Steps of a thought, see [`Demand::cost`].
    pub cost: f64,
}

impl SeatedBot {
    /// The bot of a seat; where a person sits, the one that stands in.
    ///
    /// # Errors
    ///
    /// If it cannot be built, or the host does not offer it any more.
    pub(crate) fn build(
        card: &GameCard,
        player: PlayerId,
        offers: &Offers,
    ) -> Result<SeatedBot, String> {
        let seat = &card.stored.seats[player.index()];
        if let Some(name) = &seat.host_bot {
            let spec = offers.bot(name).ok_or("the host does not offer it now")?;
            return SeatedBot::of(card, player, spec, offers.grants().clone());
        }
        let text = match seat.is_person() {
            true => STAND_IN,
            false => seat.spec.as_deref().unwrap_or_default(),
        };
        let spec: Spec = text.parse().map_err(|error| format!("{error}"))?;
        // Anybody may have asked for this bot: no file, no program.
        SeatedBot::of(card, player, &spec, Grants::sealed())
    }

    fn of(
        card: &GameCard,
        player: PlayerId,
        spec: &Spec,
        grants: Grants,
    ) -> Result<SeatedBot, String> {
        let demand = Demand::of(spec).map_err(|error| error.to_string())?;
        let grants = Grants {
            stop: Stop::new(),
            max_nodes: Some(MAX_NODES),
            ..grants
        };
        let seating = Seating {
            game: &card.game,
            seat: player,
            seed: seat_seed(card.stored.header.seed, player),
            grants: &grants,
        };
        let bot = build(spec, &seating).map_err(|error| error.to_string())?;
        Ok(SeatedBot {
            bot,
            untold: Vec::new(),
            stop: grants.stop,
            n_threads: usize::try_from(demand.n_threads).unwrap_or(usize::MAX),
            cost: demand.cost,
        })
    }

    /// Tells the bot in this seat what has happened.
    pub(crate) fn hear(&mut self, seat: PlayerId) {
        for told in std::mem::take(&mut self.untold) {
            if self.stop.is_raised() {
                return;
            }
            let (before, event) = &*told;
            if self.bot.observes() && before.is_alive(seat) && event.is_seen_by(seat, before) {
                self.bot.observe(View::new(before, seat), *event);
            }
        }
    }
}

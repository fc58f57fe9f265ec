//! The game loop. All games between bots are played here.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use arrayvec::ArrayVec;
use hegemon_bots::rules::RulePolicy;
use hegemon_bots::{
    Bot, Forfeit, Grants, PolicyBot, Seating, Seats, Spec, SpecError, Watched, build, legal_choice,
    play_on, tell_all,
};
use hegemon_core::battle::Losses;
use hegemon_core::{
    Event, Game, MAX_PLAYERS, Move, Node, Phase, PlayerId, Rng, State, Streams, Termination,
    TerritoryId, View,
};

use crate::meter::GameUnderWay;
use crate::played::Played;

/// A game that is about to be played.
#[derive(Clone, Copy, Debug)]
pub struct GameSetup<'a, P = Spec> {
    /// Map, rules and number of players.
    pub game: &'a Arc<Game>,
    /// Players by seat.
    pub specs: &'a [&'a P],
    /// Seed of the deal.
    pub deal_seed: u64,
    /// Seed of dice, cards and bots.
    pub seed: u64,
    /// The resources the bots may use.
    pub grants: &'a Grants,
    /// The initial state, if not before the deal.
    pub start: Option<&'a State>,
    /// The deal, if other games have the same start and the same seed of the deal.
    pub deal: Option<&'a SharedDeal>,
}

/// A deal of several games: made once, and copied by those whose bots and observer need not see how
/// it was made. Those are games in which each seat has a policy that plays whole turns; games of
/// other bots make the same deal for themselves.
#[derive(Debug, Default)]
pub struct SharedDeal(OnceLock<Dealt>);

#[derive(Debug)]
struct Dealt {
    seed: u64,
    state: State,
    streams: Streams,
}

impl SharedDeal {
    /// The state after the deal, and the streams of a game from there on.
    fn of_game(&self, seeds: Seeds, start: impl FnOnce() -> State) -> (State, Streams) {
        let dealt = self.0.get_or_init(|| {
            let (mut state, mut streams) = (start(), seeds.streams());
            // Dice and cards are of each game.
            let is_deal = |state: &State| !matches!(state.phase(), Phase::Battle | Phase::Draw);
            while state.node() == Node::Chance && is_deal(&state) {
                streams.resolve(&mut state);
            }
            Dealt {
                seed: seeds.deal,
                state,
                streams,
            }
        });
        debug_assert_eq!(
            dealt.seed, seeds.deal,
            "a deal is shared by games of its seed"
        );
        (dealt.state.clone(), dealt.streams.with_dice_of(seeds.game))
    }
}

/// Something that can take a seat.
pub trait Entrant {
    /// The name in every table.
    fn spec(&self) -> &Spec;

    /// Builds the bot.
    ///
    /// # Errors
    ///
    /// If it cannot play this game.
    fn seat(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError>;

    /// The equivalent policy, if its turns can be played in one loop.
    fn rule_policy(&self) -> Option<RulePolicy> {
        None
    }
}

impl Entrant for Spec {
    fn spec(&self) -> &Spec {
        self
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        build(self, seating)
    }

    fn rule_policy(&self) -> Option<RulePolicy> {
        RulePolicy::of(self)
    }
}

/// A player that others use too.
impl<P: Entrant> Entrant for &P {
    fn spec(&self) -> &Spec {
        (**self).spec()
    }

    fn seat(&self, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        (**self).seat(seating)
    }

    fn rule_policy(&self) -> Option<RulePolicy> {
        (**self).rule_policy()
    }
}

/// Observes every event of a game before it is applied.
pub trait Observer {
    /// How much it needs to see of bots whose turns can be played in one loop.
    const SIGHT: Sight = Sight::Events;

    /// A player moves, or chance decides.
    fn on_event(&mut self, _before: &State, _event: Event) {}
    /// A run of attacks on a territory begins, by single exchanges of dice.
    fn on_assault(&mut self, _before: &State, _to: TerritoryId) {}
    /// Called with the losses of each exchange of such a run and the forces
    /// before it.
    fn on_losses(&mut self, _fighters: u32, _defenders: u32, _losses: Losses) {}
}

/// What an observer needs to see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sight {
    /// Every move and every outcome.
    Events,
    /// The dice of attacks, in runs where possible.
    Dice,
    Nothing,
}

/// No observer.
impl Observer for () {
    const SIGHT: Sight = Sight::Nothing;
}

/// Builds the bots of a game setup and plays it.
///
/// # Errors
///
/// If a spec cannot be built for this game.
pub fn play_game<P: Entrant>(
    setup: &GameSetup<'_, P>,
    observer: &mut impl Observer,
) -> Result<Played, SpecError> {
    if let Some(mut policies) = setup.rule_policies() {
        return Ok(play_policies(setup, &mut policies, observer));
    }
    let seats = (0..).zip(setup.specs);
    let mut bots = seats
        .map(|(seat, player)| player.seat(&setup.seating(seat)))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(play(setup.start(), &mut bots, setup.seeds(), observer))
}

impl<P: Entrant> GameSetup<'_, P> {
    fn seeds(&self) -> Seeds {
        Seeds {
            deal: self.deal_seed,
            game: self.seed,
        }
    }

    fn start(&self) -> State {
        self.start.cloned().unwrap_or_else(|| self.game.start())
    }

    fn seating(&self, seat: usize) -> Seating<'_> {
        let seat = PlayerId::new(seat);
        Seating {
            game: self.game,
            seat,
            seed: seat_seed(self.seed, seat),
            grants: self.grants,
        }
    }

    /// The policies of all seats, if every seat has one.
    fn rule_policies(&self) -> Option<ArrayVec<PolicyBot<RulePolicy>, MAX_PLAYERS>> {
        let mut seats = ArrayVec::new();
        for (seat, player) in self.specs.iter().enumerate() {
            let policy = player.rule_policy()?;
            seats.push(PolicyBot::new(policy, &self.seating(seat)));
        }
        Some(seats)
    }
}

/// The seed given to a bot. A one-way function of the game's seed, from which a
/// bot could compute the coming dice.
pub fn seat_seed(seed: u64, seat: PlayerId) -> u64 {
    let mut message = [0; 9];
    message[..8].copy_from_slice(&seed.to_le_bytes());
    message[8] = seat.index() as u8;
    let mut word = [0; 8];
    word.copy_from_slice(&blake3::hash(&message).as_bytes()[..8]);
    u64::from_le_bytes(word)
}

/// The seeds of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seeds {
    /// Of the deal.
    pub deal: u64,
    /// Of dice, cards and bots.
    pub game: u64,
}

impl Seeds {
    /// One seed for everything.
    pub fn of(seed: u64) -> Seeds {
        Seeds {
            deal: seed,
            game: seed,
        }
    }

    fn streams(self) -> Streams {
        Streams::with_dice(self.deal, self.game)
    }
}

/// Plays a state to its end; a bot that fails forfeits.
pub fn play(
    mut state: State,
    bots: &mut [Box<dyn Bot>],
    seeds: Seeds,
    observer: &mut impl Observer,
) -> Played {
    let _game = GameUnderWay::begin();
    let mut seats = EventSeats {
        movers: &mut *bots,
        streams: seeds.streams(),
        observer,
    };
    let (n_moves, forfeit) = play_on(&mut state, &mut seats, |_, _| false);
    let (termination, message) = match forfeit {
        Some((seat, Forfeit { kind, message })) => {
            (Termination::Forfeit { seat, kind }, Some(message))
        }
        None => (Termination::of(&state).expect(STOPPED), None),
    };
    let played = Played::of(&state, termination, seeds.game).expect(STOPPED);
    let played = match message {
        Some(message) => played.with_message(&message),
        None => played,
    };
    if let Some(result) = state.result() {
        bots.iter_mut().for_each(|bot| bot.game_over(&result));
    }
    Played { n_moves, ..played }
}

const STOPPED: &str = "the loop goes on until the game stops";

/// The same for policies: they cannot fail and their moves are legal by
/// contract, as in a playout, so moves are checked only in debug builds.
fn play_policies<P: Entrant, O: Observer>(
    setup: &GameSetup<'_, P>,
    policies: &mut [PolicyBot<RulePolicy>],
    observer: &mut O,
) -> Played {
    let _game = GameUnderWay::begin();
    let seeds = setup.seeds();
    let in_runs = match O::SIGHT {
        Sight::Events => false,
        Sight::Dice => setup.game.has_plain_rolls(),
        Sight::Nothing => true,
    };
    let (state, n_moves) = if in_runs {
        let start = || setup.start();
        let (mut state, streams) = match setup.deal {
            Some(deal) => deal.of_game(seeds, start),
            None => (start(), seeds.streams()),
        };
        let mut seats = PolicyRuns {
            game: setup.game,
            policies,
            streams,
            observer,
        };
        let (n_moves, _) = play_on(&mut state, &mut seats, |_, _| false);
        (state, n_moves)
    } else {
        let mut state = setup.start();
        let mut seats = EventSeats {
            movers: policies,
            streams: seeds.streams(),
            observer,
        };
        let (n_moves, _) = play_on(&mut state, &mut seats, |_, _| false);
        (state, n_moves)
    };
    let termination = Termination::of(&state).expect(STOPPED);
    let played = Played::of(&state, termination, seeds.game).expect(STOPPED);
    Played { n_moves, ..played }
}

/// The players by seat.
trait Movers {
    type Failure;

    fn choose(&mut self, player: PlayerId, state: &State) -> Result<Move, Self::Failure>;

    /// Tells of an event before it happens.
    fn tell(&mut self, _before: &State, _event: Event) {}
}

impl Movers for [Box<dyn Bot>] {
    type Failure = Forfeit;

    #[inline(always)]
    fn choose(&mut self, player: PlayerId, state: &State) -> Result<Move, Forfeit> {
        legal_choice(&mut *self[player.index()], state)
    }

    #[inline(always)]
    fn tell(&mut self, before: &State, event: Event) {
        tell_all(self, before, event);
    }
}

impl Movers for [PolicyBot<RulePolicy>] {
    type Failure = Infallible;

    #[inline(always)]
    fn choose(&mut self, player: PlayerId, state: &State) -> Result<Move, Infallible> {
        let mv = self[player.index()].policy_move(View::new(state, player));
        debug_assert!(state.is_legal(mv), "{mv} in {}", state.to_position());
        Ok(mv)
    }
}

/// A game event by event.
struct EventSeats<'a, M: ?Sized, O> {
    movers: &'a mut M,
    streams: Streams,
    observer: &'a mut O,
}

impl<M: Movers + ?Sized, O: Observer> Seats for EventSeats<'_, M, O> {
    type Failure = M::Failure;

    #[inline(always)]
    fn decide(&mut self, player: PlayerId, state: &mut State, _: u32) -> Result<u32, M::Failure> {
        let mv = self.movers.choose(player, state)?;
        self.movers.tell(state, Event::Move(mv));
        self.observer.on_event(state, Event::Move(mv));
        state.play_unchecked(mv);
        Ok(1)
    }

    #[inline(always)]
    fn chance(&mut self, state: &mut State) {
        let outcome = self.streams.draw(state);
        self.movers.tell(state, Event::Outcome(outcome));
        self.observer.on_event(state, Event::Outcome(outcome));
        state.resolve_unchecked(outcome);
    }
}

/// Policies without an observer of single events: whole turns at a time.
struct PolicyRuns<'a, O> {
    game: &'a Game,
    policies: &'a mut [PolicyBot<RulePolicy>],
    streams: Streams,
    observer: &'a mut O,
}

impl<O: Observer> Seats for PolicyRuns<'_, O> {
    type Failure = Infallible;

    #[inline(always)]
    fn decide(&mut self, player: PlayerId, state: &mut State, _: u32) -> Result<u32, Infallible> {
        let dice = self.streams.dice();
        let mut watched = ObservedDice {
            dice,
            observer: self.observer,
        };
        Ok(self.policies[player.index()].play_on(self.game, state, &mut watched))
    }

    #[inline(always)]
    fn chance(&mut self, state: &mut State) {
        self.streams.resolve(state);
    }
}

struct ObservedDice<'a, O> {
    dice: &'a mut Rng,
    observer: &'a mut O,
}

impl<O: Observer> Watched for ObservedDice<'_, O> {
    #[inline]
    fn dice(&mut self) -> &mut Rng {
        self.dice
    }

    #[inline]
    fn on_assault(&mut self, before: &State, to: TerritoryId) {
        self.observer.on_assault(before, to);
    }

    #[inline]
    fn on_losses(&mut self, fighters: u32, defenders: u32, losses: Losses) {
        self.observer.on_losses(fighters, defenders, losses);
    }
}

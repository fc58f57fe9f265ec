//! A Lux bot as a policy: the phases of the engine mapped to the calls of the
//! original (docs/spec/lux.md 3, 4).

use hegemon_core::{Move, Phase, Rng, TerritoryId, View};

use super::attack::{AttackInterpreter, Fought, Order};
use super::memory::Memory;
use super::place::Muster;
use super::scene::Scene;
use super::styles::{LuxKind, Style};
use super::{cards, draft, fortify, move_in, place};
use crate::policy::Policy;
use crate::rules::pieces::pick;

/// Options of a Lux bot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LuxOptions {
    /// Whether the cards phase is called when there are no cards. It only
    /// resets the memory of a dominant player (docs/spec/lux.md 3.4: yes).
    pub cards_phase_without_cards: bool,
    /// Whether EvilPixie has the repaired helper of later SDKs instead of the
    /// one of 2009.
    pub later_sdk: bool,
    /// EvilPixie's border force; drawn from 7 to 21 by default.
    pub border_force: Option<u8>,
    /// Seats whose players are of the same kind, as bits: a Communist spares
    /// them.
    pub kin: u8,
}

impl Default for LuxOptions {
    fn default() -> LuxOptions {
        LuxOptions {
            cards_phase_without_cards: true,
            later_sdk: false,
            border_force: None,
            kin: 0,
        }
    }
}

/// A bot of the Lux SDK. One instance plays one seat of one game.
///
/// ```
/// use hegemon_bots::lux::{LuxBot, LuxKind, LuxOptions};
/// use hegemon_bots::policy::Policy;
/// use hegemon_core::{Game, Map, Rng, Rules, View};
/// let map = Map::builtin("classic-lux").expect("shipped");
/// let game = Game::new(map, Rules::preset("draft").expect("shipped"), 3).expect("a game");
/// let state = game.deal(1);
/// let mut quo = LuxBot::new(LuxKind::Quo, LuxOptions::default());
/// let mv = quo.choose(View::of_mover(&state), &mut Rng::from_seed(1));
/// assert_eq!(mv.to_string(), "c0", "Australia first");
/// ```
#[derive(Clone, Debug)]
pub struct LuxBot {
    kind: LuxKind,
    options: LuxOptions,
    memory: Memory,
    interpreter: AttackInterpreter,
    /// The current order of the attack phase.
    pending: Option<Order>,
    /// Pending placements or fortifications, the next one last.
    orders: Vec<Move>,
    /// Armies in `orders`, to detect a plan that no longer fits.
    n_planned: u32,
    /// The round of the last turn seen, and what was done in it.
    round: u32,
    is_attacking: bool,
    is_fortifying: bool,
    is_trading: bool,
}

impl LuxBot {
    /// A bot at the start of a game.
    pub fn new(kind: LuxKind, options: LuxOptions) -> LuxBot {
        LuxBot {
            kind,
            options,
            memory: Memory::default(),
            interpreter: AttackInterpreter::idle(),
            pending: None,
            orders: Vec::new(),
            n_planned: 0,
            round: 0,
            is_attacking: false,
            is_fortifying: false,
            is_trading: false,
        }
    }

    /// Which bot it is.
    pub fn kind(&self) -> LuxKind {
        self.kind
    }

    fn style(&self) -> &'static Style {
        self.kind.style()
    }

    fn draw_border_force(&mut self, rng: &mut Rng) {
        if self.kind == LuxKind::EvilPixie && self.memory.border_force == 0 {
            let drawn = || 7 + rng.below(15);
            self.memory.border_force = self.options.border_force.map_or_else(drawn, u32::from);
        }
    }

    fn begin_turn(&mut self, view: View<'_>) {
        self.round = view.round();
        self.pending = None;
        self.orders.clear();
        self.n_planned = 0;
        self.is_attacking = false;
        self.is_fortifying = false;
        self.is_trading = false;
        if view.game().rules().has_cards() || self.options.cards_phase_without_cards {
            self.memory.must_kill = None;
        }
    }

    fn claim(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        let scene = Scene::new(view);
        match draft::choose(self.style().draft, &scene, &mut self.memory.goal, rng) {
            Some(territory) => Move::Claim { territory },
            None => Move::End,
        }
    }

    /// The bot's own cards phase trades one set at most; then the engine
    /// trades as long as it must.
    fn trade(&mut self, view: View<'_>) -> Move {
        let is_first = !self.is_trading;
        self.is_trading = true;
        if is_first {
            self.memory.must_kill = None;
        }
        let must_trade = view.is_mid_turn()
            || view.hand().len() >= usize::from(view.game().rules().cards.forced_from);
        let trades = must_trade || (is_first && self.style().trades);
        match cards::best_trade(view) {
            Some(trade) if trades => trade,
            _ => Move::End,
        }
    }

    fn place(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        self.is_trading = false;
        if view.to_place() == 0 {
            return place_neutral(view);
        }
        if self.n_planned != view.to_place() {
            self.draw_border_force(rng);
            let is_setup = view.phase() == Phase::Setup;
            let mut muster = Muster::new(view);
            let (style, later_sdk) = (self.style(), self.options.later_sdk);
            place::plan(
                style,
                later_sdk,
                &mut muster,
                &mut self.memory,
                is_setup,
                rng,
            );
            muster.finish(&mut self.orders, rng);
            self.n_planned = view.to_place();
            self.memory.has_placed |= !is_setup;
        }
        let next = self.orders.pop();
        if let Some(Move::Place { armies, .. }) = next {
            self.n_planned -= armies;
        }
        next.unwrap_or(Move::End)
    }

    fn attack(&mut self, view: View<'_>) -> Move {
        self.is_trading = false;
        let scene = Scene::new(view);
        let mut fought = None;
        if let Some(order) = self.pending {
            fought = ended(&scene, order);
            if fought.is_none() {
                return attack_move(view, order);
            }
        }
        if !self.is_attacking {
            self.is_attacking = true;
            self.interpreter
                .start(self.style(), self.options.kin, &scene, &mut self.memory);
        }
        self.pending = self.interpreter.next(&scene, &mut self.memory, fought);
        self.pending
            .map_or(Move::End, |order| attack_move(view, order))
    }

    fn occupy(&self, view: View<'_>) -> Move {
        let (fewest, most) = (view.fewest_to_occupy(), view.most_to_occupy());
        let Some((from, to)) = view.front() else {
            return Move::End;
        };
        let wished = self.pending.and_then(|order| order.move_in);
        let scene = Scene::new(view);
        let rule = self.style().move_in;
        let armies = move_in::choose(rule, &scene, &self.memory, wished, from, to);
        Move::Occupy {
            armies: armies.min(most).max(fewest),
        }
    }

    fn fortify(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        if !self.is_fortifying {
            self.is_fortifying = true;
            fortify::plan(self.style().fortify, view, &mut self.orders, rng);
        }
        while let Some(order) = self.orders.pop() {
            if view.is_legal(order) {
                return order;
            }
        }
        Move::End
    }
}

impl Policy for LuxBot {
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        if self.round != view.round() {
            self.begin_turn(view);
        }
        match view.phase() {
            Phase::Claim => self.claim(view, rng),
            Phase::Setup | Phase::Reinforce => self.place(view, rng),
            Phase::Trade => self.trade(view),
            Phase::Attack => self.attack(view),
            Phase::Occupy => self.occupy(view),
            Phase::Fortify => self.fortify(view, rng),
            Phase::Capital => capital(view, rng),
            _ => Move::End,
        }
    }
}

/// How an order ended; `None` if it must be repeated, under rules where an
/// attack is a single exchange.
fn ended(scene: &Scene<'_>, order: Order) -> Option<Fought> {
    if scene.is_mine(order.to) {
        Some(Fought::Conquered)
    } else if scene.armies(order.from) < 2 {
        Some(Fought::Exhausted)
    } else {
        None
    }
}

fn attack_move(view: View<'_>, Order { from, to, .. }: Order) -> Move {
    Move::Attack {
        from,
        to,
        with: *view.attack_range(from).end(),
    }
}

/// Lux has no capitals: the territory with the fewest enemies around, the
/// strongest on ties.
fn capital(view: View<'_>, rng: &mut Rng) -> Move {
    let (board, map) = (view.board(), view.map());
    let own = board.owned(view.seat());
    let worth = |&t: &TerritoryId| {
        let n_enemies = board.enemy_neighbors(map, t).len();
        (std::cmp::Reverse(n_enemies), board.armies(t))
    };
    let territory = own.iter().max_by_key(worth).or_else(|| pick(own, rng));
    territory.map_or(Move::End, |territory| Move::Capital { territory })
}

/// Lux has no neutral army: where it blocks the opponent most and me least.
fn place_neutral(view: View<'_>) -> Move {
    let (board, map) = (view.board(), view.map());
    let (own, neutral) = (
        board.owned(view.seat()),
        board.owned(hegemon_core::PlayerId::NEUTRAL),
    );
    let worth = |&t: &TerritoryId| {
        let around = map.neighbors(t) - neutral;
        (around - own).len() as i32 - (around & own).len() as i32
    };
    match neutral.iter().max_by_key(worth) {
        Some(territory) => Move::Place {
            territory,
            armies: view.neutral_to_place(),
        },
        None => Move::End,
    }
}

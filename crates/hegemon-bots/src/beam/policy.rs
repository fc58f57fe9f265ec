//! The agent: 29 numbers that score the possible moves.

use std::sync::Arc;

use arrayvec::ArrayVec;
use hegemon_core::battle::approximate::FoldedBattles;
use hegemon_core::rules::Fortify;
use hegemon_core::{
    Card, Game, MAX_TERRITORIES, Map, Move, MoveGroup, Phase, PlayerId, Rng, TerritoryId,
    TerritorySet, View,
};
use wide::f64x4;

use super::characteristics::{Characteristics, Key};
use crate::policy::Policy;
use crate::rules::pieces::TiePicker;

/// Powers of the placement bias multiplier that are kept.
const N_POWERS: usize = 64;

/// An agent of Gillenwater 2022 in one seat of one game.
///
/// The paper has one line per characteristic and no formulas. Our reading is
/// stated at each score below. Ties are always broken at random, because the
/// numbering of the map is arbitrary.
///
/// ```
/// use hegemon_bots::beam::{BeamPolicy, Characteristics};
/// use hegemon_bots::policy::Policy;
/// use hegemon_core::{Game, Map, Rng, Rules, View};
/// let map = Map::builtin("classic").expect("shipped");
/// let game = Game::new(map, Rules::preset("beam").expect("shipped"), 4).expect("a game");
/// let state = game.deal(1);
/// let mut agent = BeamPolicy::new(&Characteristics::INITIAL, &game);
/// let mv = agent.choose(View::of_mover(&state), &mut Rng::from_seed(1));
/// assert!(state.is_legal(mv));
/// ```
#[derive(Clone, Debug)]
pub struct BeamPolicy {
    values: Characteristics,
    estimates: Arc<FoldedBattles>,
    capital_estimates: Option<Arc<FoldedBattles>>,
    scenery: Scenery,
    /// Powers of the placement bias multiplier by armies.
    powers: [f64; N_POWERS],
    /// The current attack.
    assault: Option<Assault>,
    /// Where armies were moved away from in this fortify phase.
    moved: TerritorySet,
}

/// The parts of scores that are constant during a game.
#[derive(Clone, Debug)]
struct Scenery {
    /// `anywhere + border_adjacent*[touches another continent] +
    /// connection_bias*degree`, for placement and for movement.
    placement: [f64; MAX_TERRITORIES],
    movement: [f64; MAX_TERRITORIES],
    /// Territories that touch another continent.
    borders: TerritorySet,
}

impl Scenery {
    fn new(values: &Characteristics, map: &Map) -> Scenery {
        let mut scenery = Scenery {
            placement: [0.0; MAX_TERRITORIES],
            movement: [0.0; MAX_TERRITORIES],
            borders: TerritorySet::EMPTY,
        };
        for territory in map.territories() {
            let continent = map.continent(map.continent_of(territory)).territories;
            let is_border = !continent.is_superset(map.neighbors(territory));
            if is_border {
                scenery.borders.insert(territory);
            }
            let degree = map.neighbor_list(territory).len() as f64;
            let score = |anywhere, border, connection| {
                values[anywhere] + flag(is_border) * values[border] + degree * values[connection]
            };
            scenery.placement[territory.index()] = score(
                Key::PLACE_ANYWHERE,
                Key::PLACE_BORDER_ADJACENT,
                Key::PLACE_CONNECTION_BIAS,
            );
            scenery.movement[territory.index()] = score(
                Key::MOVE_ANYWHERE,
                Key::MOVE_BORDER_ADJACENT,
                Key::MOVE_CONNECTION_BIAS,
            );
        }
        scenery
    }
}

/// An attack that continues until it succeeds or costs too much.
#[derive(Clone, Copy, Debug)]
struct Assault {
    from: TerritoryId,
    to: TerritoryId,
    /// Called off at this many fighters or fewer.
    floor: f64,
}

#[inline]
fn flag(is_so: bool) -> f64 {
    f64::from(u8::from(is_so))
}

/// The best item so far, ties broken at random.
struct Best<T> {
    score: f64,
    item: Option<T>,
    ties: TiePicker,
}

impl<T> Best<T> {
    /// Empty; only items that score more than `score` count.
    fn above(score: f64) -> Best<T> {
        Best {
            score,
            item: None,
            ties: TiePicker::default(),
        }
    }

    #[inline]
    fn offer(&mut self, score: f64, item: T, rng: &mut Rng) {
        if score > self.score {
            self.score = score;
            self.item = Some(item);
            self.ties.restart();
        } else if score == self.score && self.item.is_some() && self.ties.replaces(rng) {
            self.item = Some(item);
        }
    }
}

impl Policy for BeamPolicy {
    #[inline]
    fn choose(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        match view.phase() {
            Phase::Claim => self.claim(view, rng),
            Phase::Setup | Phase::Reinforce => self.place(view, rng),
            Phase::Attack => self.attack(view, rng),
            Phase::Occupy => self.occupy(view),
            Phase::Fortify => self.fortify(view, rng),
            Phase::Trade => self.trade(view),
            _ => self.capital(view, rng),
        }
    }
}

impl BeamPolicy {
    /// The agent at the start of a game.
    pub fn new(values: &Characteristics, game: &Game) -> BeamPolicy {
        let capital = || FoldedBattles::for_law(game.capital_battles().law());
        let mut powers = [1.0; N_POWERS];
        for armies in 1..N_POWERS {
            powers[armies] = powers[armies - 1] * values[Key::PLACE_BIAS_MULTIPLIER];
        }
        BeamPolicy {
            values: *values,
            estimates: FoldedBattles::for_law(game.battles().law()),
            capital_estimates: game.has_extra_die().then(capital),
            scenery: Scenery::new(values, game.map()),
            powers,
            assault: None,
            moved: TerritorySet::EMPTY,
        }
    }

    // ---- placement -------------------------------------------------------

    /// `placement_bias_multiplier^armies`.
    #[inline]
    fn crowding(&self, armies: u32) -> f64 {
        match self.powers.get(armies as usize) {
            Some(&power) => power,
            None => libm::pow(self.values[Key::PLACE_BIAS_MULTIPLIER], f64::from(armies)),
        }
    }

    /// Reading: `anywhere + enemy_adjacent*[another player holds a neighbour] +
    /// ally_adjacent*[the player holds a neighbour] + border_adjacent*[touches
    /// another continent] + connection_bias*degree`, before crowding.
    #[inline]
    fn placement_score(&self, view: View<'_>, territory: TerritoryId) -> f64 {
        let neighbors = view.map().neighbors(territory);
        let own = view.board().owned(view.seat());
        let free = view.board().owned(PlayerId::NOBODY);
        let has_enemy = !(own | free).is_superset(neighbors);
        self.scenery.placement[territory.index()]
            + flag(has_enemy) * self.values[Key::PLACE_ENEMY_ADJACENT]
            + flag(own.intersects(neighbors)) * self.values[Key::PLACE_ALLY_ADJACENT]
    }

    /// Reading: a claim is the placement of an army on a territory that is
    /// still empty.
    fn claim(&self, view: View<'_>, rng: &mut Rng) -> Move {
        let mut best = Best::above(f64::NEG_INFINITY);
        for territory in view.board().owned(PlayerId::NOBODY) {
            best.offer(self.placement_score(view, territory), territory, rng);
        }
        let fallback = || TerritoryId::new(0);
        let territory = best.item.unwrap_or_else(fallback);
        Move::Claim { territory }
    }

    /// Reading: armies go one at a time to the best score, which is multiplied
    /// by `placement_bias_multiplier^(armies there)`. All that go to the same
    /// territory as the first are placed at once: the others end up in the same
    /// places in any order.
    fn place(&self, view: View<'_>, rng: &mut Rng) -> Move {
        if view.to_place() == 0 {
            return place_neutral(view, rng);
        }
        let board = view.board();
        let mut places = Places::default();
        let mut first = Best::above(f64::NEG_INFINITY);
        for territory in board.owned(view.seat()) {
            let score = self.placement_score(view, territory);
            let now = score * self.crowding(board.armies(territory));
            first.offer(now, territory, rng);
            places.push(territory, now);
        }
        let first = first.item.unwrap_or_else(|| TerritoryId::new(0));
        let armies = match places.position(first) {
            Some(at) => self.share(view, &mut places, at),
            None => view.to_place(),
        };
        Move::Place {
            territory: first,
            armies,
        }
    }

    /// How many of the armies go to the same place as the first; ties go to the
    /// earlier place here.
    fn share(&self, view: View<'_>, places: &mut Places, first: usize) -> u32 {
        let n_armies = view.to_place();
        let mut n_added = [0u16; MAX_TERRITORIES];
        let mut next = first;
        for placed in 1..=n_armies {
            let (territory, before) = (places.territories[next], places.now[next]);
            n_added[next] += 1;
            let armies = view.board().armies(territory) + u32::from(n_added[next]);
            let now = self.placement_score(view, territory) * self.crowding(armies);
            places.now[next] = now;
            // A score that does not fall stays the best to the last army.
            if now >= before {
                let rest = if next == first { n_armies - placed } else { 0 };
                return u32::from(n_added[first]) + rest;
            }
            next = places.best(next);
        }
        n_added[first].into()
    }

    /// Reading: none, the paper has no capitals. The strongest territory.
    fn capital(&self, view: View<'_>, rng: &mut Rng) -> Move {
        let mut best = Best::above(f64::NEG_INFINITY);
        for territory in view.board().owned(view.seat()) {
            let armies = view.board().armies(territory);
            best.offer(f64::from(armies), territory, rng);
        }
        let territory = best.item.unwrap_or_else(|| TerritoryId::new(0));
        Move::Capital { territory }
    }

    /// Reading: none, the paper has no cards. The most valuable set at once,
    /// the bonus where an army would be placed.
    fn trade(&self, view: View<'_>) -> Move {
        let scheme = &view.game().rules().cards.scheme;
        let bonus_score = |bonus: Option<TerritoryId>| {
            bonus.map_or(0.0, |territory| self.placement_score(view, territory))
        };
        let worth = |cards: [Card; 3]| scheme.set_worth(cards, view.n_traded());
        let mut best: Option<(u32, f64, Move)> = None;
        view.for_each_group(|group| {
            if let MoveGroup::Trade(mv @ Move::Trade { cards, bonus }) = group {
                let (worth, score) = (worth(cards), bonus_score(bonus));
                if best.is_none_or(|(most, top, _)| (worth, score) > (most, top)) {
                    best = Some((worth, score, mv));
                }
            }
            std::ops::ControlFlow::Continue(())
        });
        best.map_or(Move::End, |(_, _, mv)| mv)
    }

    // ---- attack ----------------------------------------------------------

    fn attack(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        self.moved = TerritorySet::EMPTY;
        let board = view.board();
        if let Some(assault) = self.assault {
            let fighters = board.armies(assault.from).saturating_sub(1);
            let goes_on = board.owner(assault.from) == view.seat()
                && board.owner(assault.to) != view.seat()
                && fighters > 0
                && f64::from(fighters) > assault.floor;
            if goes_on {
                return order(view, assault.from, assault.to);
            }
            self.assault = None;
        }
        // Reading: a called-off attack may be chosen again if it is still the
        // best; calling it off means re-evaluating, not giving up.
        let Some((from, to)) = self.best_attack(view, rng) else {
            return Move::End;
        };
        let fighters = f64::from(board.armies(from) - 1);
        self.assault = Some(Assault {
            from,
            to,
            floor: fighters * self.values[Key::ATTACK_MINIMAL_REMAINING],
        });
        order(view, from, to)
    }

    /// The viable attack with the best positive score.
    fn best_attack(&self, view: View<'_>, rng: &mut Rng) -> Option<(TerritoryId, TerritoryId)> {
        let (board, map) = (view.board(), view.map());
        let own = board.owned(view.seat());
        let mut best = Best::above(0.0);
        for from in own {
            let armies = board.armies(from);
            if armies < 2 {
                continue;
            }
            for to in map.neighbors(from) - own {
                let score = self.attack_score(view, from, to, armies - 1);
                if let Some(score) = score {
                    best.offer(score, (from, to), rng);
                }
            }
        }
        best.item
    }

    /// Reading: `anywhere + ally_adjacent*[the target touches an own territory
    /// besides the source] + border_adjacent*[the target touches another
    /// continent] + capture_continent*[conquest completes a continent] +
    /// destroy_bias*E[defenders lost] + remain_bias*E[attackers lost]`, times
    /// `larger` or `smaller` by whether the target's owner has more or fewer
    /// territories than the player (neither if equal), times `safe` if the
    /// chance of success reaches `safe_threshold`, else `risky`. `None` if the
    /// chance is below `minimal_success_chance`. Chances and losses are those
    /// of a fight to the end.
    #[inline]
    fn attack_score(
        &self,
        view: View<'_>,
        from: TerritoryId,
        to: TerritoryId,
        fighters: u32,
    ) -> Option<f64> {
        let (board, map, values) = (view.board(), view.map(), &self.values);
        let defenders = board.armies(to);
        let estimates = self.estimates_at(view, to);
        let win = estimates.win(fighters, defenders);
        if win < values[Key::ATTACK_MINIMAL_SUCCESS] {
            return None;
        }
        let own = board.owned(view.seat());
        let others = own - TerritorySet::of(from);
        let has_ally = others.intersects(map.neighbors(to));
        let continent = map.continent(map.continent_of(to)).territories;
        let completes = (own | TerritorySet::of(to)).is_superset(continent);
        let (lost, destroyed) = estimates.losses(fighters, defenders);
        let score = values[Key::ATTACK_ANYWHERE]
            + flag(has_ally) * values[Key::ATTACK_ALLY_ADJACENT]
            + flag(self.scenery.borders.contains(to)) * values[Key::ATTACK_BORDER_ADJACENT]
            + flag(completes) * values[Key::ATTACK_CAPTURE_CONTINENT]
            + destroyed * values[Key::ATTACK_DESTROY_BIAS]
            + lost * values[Key::ATTACK_REMAIN_BIAS];
        let theirs = board.n_owned(board.owner(to));
        let size = match theirs.cmp(&own.len()) {
            std::cmp::Ordering::Greater => values[Key::PREFER_LARGER],
            std::cmp::Ordering::Less => values[Key::PREFER_SMALLER],
            std::cmp::Ordering::Equal => 1.0,
        };
        let risk = if win >= values[Key::ATTACK_SAFE_THRESHOLD] {
            values[Key::PREFER_SAFE]
        } else {
            values[Key::PREFER_RISKY]
        };
        Some(score * size * risk)
    }

    #[inline]
    fn estimates_at(&self, view: View<'_>, target: TerritoryId) -> &FoldedBattles {
        let is_capital = || view.game().seats().any(|p| view.capital(p) == Some(target));
        match &self.capital_estimates {
            Some(estimates) if is_capital() => estimates,
            _ => &self.estimates,
        }
    }

    // ---- movement --------------------------------------------------------

    /// Reading: the placement score with the numbers of movement, plus
    /// `bigger_territory` or `smaller_territory` if the destination has more or
    /// fewer armies than the source.
    #[inline]
    fn movement_score(&self, view: View<'_>, from: TerritoryId, to: TerritoryId) -> f64 {
        let (board, values) = (view.board(), &self.values);
        let neighbors = view.map().neighbors(to);
        let own = board.owned(view.seat());
        let size = match board.armies(to).cmp(&board.armies(from)) {
            std::cmp::Ordering::Greater => values[Key::MOVE_BIGGER_TERRITORY],
            std::cmp::Ordering::Less => values[Key::MOVE_SMALLER_TERRITORY],
            std::cmp::Ordering::Equal => 0.0,
        };
        self.scenery.movement[to.index()]
            + flag(!own.is_superset(neighbors)) * values[Key::MOVE_ENEMY_ADJACENT]
            + flag(own.intersects(neighbors)) * values[Key::MOVE_ALLY_ADJACENT]
            + size
    }

    /// How many of `most` armies leave a territory.
    ///
    /// Reading: a movement is safe if no enemy touches the source, risky if one
    /// that does has at least as many armies as the source, and neither ("base")
    /// otherwise; the rate is a share of the armies that may leave.
    fn transfer(&self, view: View<'_>, from: TerritoryId, most: u32) -> u32 {
        let board = view.board();
        let enemies = board.enemy_neighbors(view.map(), from);
        let armies = board.armies(from);
        let rate = if enemies.is_empty() {
            Key::MOVE_SAFE_RATE
        } else if enemies.iter().any(|enemy| board.armies(enemy) >= armies) {
            Key::MOVE_RISKY_RATE
        } else {
            Key::MOVE_BASE_RATE
        };
        let share = (self.values[rate] * f64::from(most)).round();
        share.clamp(0.0, f64::from(most)) as u32
    }

    /// Reading: into a territory whose movement score is not positive only the
    /// fewest move; else the transfer rate decides, as far as the rules allow.
    fn occupy(&mut self, view: View<'_>) -> Move {
        self.assault = None;
        let (fewest, most) = (view.fewest_to_occupy(), view.most_to_occupy());
        let armies = match view.front() {
            Some((from, to)) if self.movement_score(view, from, to) > 0.0 => {
                self.transfer(view, from, most)
            }
            _ => 0,
        };
        Move::Occupy {
            armies: armies.clamp(fewest, most),
        }
    }

    /// Reading: the best positive score of a destination; of several sources
    /// the one from which most armies can leave. Where the rules allow many
    /// moves, each source is used once.
    fn fortify(&mut self, view: View<'_>, rng: &mut Rng) -> Move {
        self.assault = None;
        let (board, map) = (view.board(), view.map());
        let own = board.owned(view.seat());
        let rule = view.game().rules().fortify;
        let mut best = Best::above(0.0);
        let mut most_leaving = 0;
        for from in own - self.moved {
            let mut most = board.armies(from).saturating_sub(1);
            if rule == Fortify::ManyAdjacent {
                most = most.min(view.moveable(from));
            }
            if most == 0 {
                continue;
            }
            let targets = match rule {
                Fortify::OneConnected => board.region(map, from) - TerritorySet::of(from),
                _ => map.neighbors(from) & own,
            };
            for to in targets {
                let score = self.movement_score(view, from, to);
                if score > best.score {
                    most_leaving = most;
                } else if score == best.score {
                    match most.cmp(&most_leaving) {
                        std::cmp::Ordering::Less => continue,
                        std::cmp::Ordering::Equal => {}
                        std::cmp::Ordering::Greater => {
                            most_leaving = most;
                            best.item = Some((from, to, most));
                            best.ties.restart();
                            continue;
                        }
                    }
                }
                best.offer(score, (from, to, most), rng);
            }
        }
        let Some((from, to, most)) = best.item else {
            return Move::End;
        };
        self.moved.insert(from);
        match self.transfer(view, from, most) {
            0 => Move::End,
            armies => Move::Fortify { from, to, armies },
        }
    }
}

/// Where armies may go, in the order of the map.
struct Places {
    territories: ArrayVec<TerritoryId, MAX_TERRITORIES>,
    /// The scores after crowding; there are no more in the last vector.
    now: [f64; MAX_TERRITORIES],
}

impl Default for Places {
    fn default() -> Places {
        Places {
            territories: ArrayVec::new(),
            now: [f64::NEG_INFINITY; MAX_TERRITORIES],
        }
    }
}

impl Places {
    #[inline]
    fn push(&mut self, territory: TerritoryId, now: f64) {
        self.now[self.territories.len()] = now;
        self.territories.push(territory);
    }

    fn position(&self, territory: TerritoryId) -> Option<usize> {
        self.territories.iter().position(|&t| t == territory)
    }

    /// The place with the best score: `at` if no other has a better one, else the first.
    #[inline]
    fn best(&self, at: usize) -> usize {
        let (vectors, _) = self.now.as_chunks::<4>();
        let vectors = &vectors[..self.territories.len().div_ceil(4)];
        let mut best = f64x4::splat(self.now[at]);
        for &vector in vectors {
            best = best.fast_max(f64x4::new(vector));
        }
        let best = best.to_array().into_iter().fold(self.now[at], f64::max);
        if best == self.now[at] {
            return at;
        }
        let first = self.now[..self.territories.len()]
            .iter()
            .position(|&now| now == best);
        first.unwrap_or(at)
    }
}

/// Attacks with all that may attack.
#[inline]
fn order(view: View<'_>, from: TerritoryId, to: TerritoryId) -> Move {
    Move::Attack {
        from,
        to,
        with: *view.attack_range(from).end(),
    }
}

/// Reading: none, the paper has no neutral army. Placed to block the other
/// players.
fn place_neutral(view: View<'_>, rng: &mut Rng) -> Move {
    let (board, map) = (view.board(), view.map());
    let neutral = board.owned(PlayerId::NEUTRAL);
    let own = board.owned(view.seat());
    let mut best = Best::above(f64::NEG_INFINITY);
    for territory in neutral {
        let enemies = map.neighbors(territory) - own - neutral;
        let allies = map.neighbors(territory) & own;
        let score = enemies.len() as f64 - allies.len() as f64;
        best.offer(score, territory, rng);
    }
    Move::Place {
        territory: best.item.unwrap_or_else(|| TerritoryId::new(0)),
        armies: view.neutral_to_place(),
    }
}

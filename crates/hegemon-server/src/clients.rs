//! Who asks, and how much each may have.
//!
//! A client is an address. Several people may share one, and on loopback
//! everybody does: so whoever has a seat's token is not counted with the
//! others. Where a client has too many seats open, one that has been silent for
//! a minute gives way to the new one: that of the game that has come the least
//! far, and among such the one that was silent the longest. Where none is
//! silent, the new one is refused: nobody who plays loses a place. Whoever
//! leaves a seat after a while is waited for as long: a page that is loaded
//! again finds its place.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::limits::{Bucket, Limits};

/// Clients that are remembered. Beyond, strangers share one account.
const MAX_CLIENTS: usize = 4096;
/// A client that has nothing open and was silent this long is forgotten.
const FORGET: Duration = Duration::from_secs(120);

/// Pages send a sign of life three times as often. A client that was silent for longer
/// may lose its place.
pub(crate) const SILENCE: Duration = Duration::from_secs(60);

/// A seat that was open this long keeps a claim on its place when it is left. A client that
/// opens many seats briefly, one after another, gets no claims.
const SETTLED: Duration = Duration::from_secs(10);

/// Where requests come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Client(IpAddr);

impl Client {
    /// All who come when too many are remembered.
    const STRANGERS: Client = Client(IpAddr::V4(Ipv4Addr::UNSPECIFIED));

    /// The client at an address. A network of IPv6 is one client: whoever has
    /// one address of it has all.
    pub(crate) fn new(address: IpAddr) -> Client {
        Client(match address.to_canonical() {
            IpAddr::V6(address) => {
                let network = u128::from(address) >> 64 << 64;
                IpAddr::V6(Ipv6Addr::from(network))
            }
            address => address,
        })
    }

    /// Whether it is the machine that the server runs on.
    pub(crate) fn is_this_machine(self) -> bool {
        match self.0 {
            IpAddr::V4(address) => address.is_loopback(),
            // The network of `::1`.
            IpAddr::V6(network) => network.is_unspecified(),
        }
    }
}

impl fmt::Display for Client {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What a client may have a limited number of at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stake {
    /// A socket that only watches.
    Watcher,
    /// A game of bots alone that is not over.
    BotGame,
    /// A record, a replay or odds in the works.
    Labour,
    /// A byte of a record that is being sent.
    Upload,
    /// A bot of the host at a table.
    HostBot,
}

/// How many kinds of stakes there are.
const N_STAKES: usize = 5;

/// The account of one client.
#[derive(Debug)]
struct Account {
    requests: Bucket,
    new_games: Bucket,
    n_held: [usize; N_STAKES],
    seats: Vec<Arc<SeatSocket>>,
    /// Seats that were left; with those that are open they are no more than
    /// there are places.
    claims: Vec<Claim>,
    seen: Instant,
}

/// A seat that was left a short while ago and keeps its place.
#[derive(Debug)]
struct Claim {
    seat: SeatId,
    /// When it was first opened without a longer pause since.
    since: Instant,
    left: Instant,
}

/// A seat of a stored game: the game's number, and which seat.
pub(crate) type SeatId = (i64, usize);

/// A socket with a seat.
#[derive(Debug)]
struct SeatSocket {
    seat: SeatId,
    /// When the seat was first opened without a longer pause since.
    since: Instant,
    /// The round that the game has come to, and when the page was last heard.
    worth: Mutex<(u32, Instant)>,
    /// Why it must leave.
    reason: OnceLock<Eviction>,
    leave: Notify,
}

/// Why a socket with a seat must leave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Eviction {
    /// The seat was opened by another socket of the client.
    Replaced,
    /// It was silent, and another seat needs the place.
    Silent,
}

impl SeatSocket {
    fn send_away(&self, reason: Eviction) {
        // The first reason is as good as the second.
        let _ = self.reason.set(reason);
        self.leave.notify_one();
    }
}

/// The accounts of all clients.
#[derive(Debug)]
pub(crate) struct Clients {
    limits: Limits,
    accounts: Mutex<BTreeMap<Client, Account>>,
}

impl Clients {
    /// No clients yet.
    pub(crate) fn new(limits: Limits) -> Arc<Clients> {
        Arc::new(Clients {
            limits,
            accounts: Mutex::default(),
        })
    }

    /// Whether one more request may be answered.
    pub(crate) fn may_ask(&self, client: Client) -> bool {
        self.with(client, |account| account.requests.take())
    }

    /// Whether one more game may be made.
    pub(crate) fn may_make_game(&self, client: Client) -> bool {
        self.with(client, |account| account.new_games.take())
    }

    /// One more of something, unless the client has as many as it may.
    pub(crate) fn hold(self: &Arc<Clients>, client: Client, stake: Stake) -> Option<HeldStake> {
        let (clients, n) = (Arc::clone(self), 0);
        let mut held = HeldStake {
            clients,
            client: self.with_account(client, |client, _| client),
            stake,
            n,
        };
        held.grow(1).then_some(held)
    }

    fn most(&self, stake: Stake) -> usize {
        match stake {
            Stake::Watcher => self.limits.watchers_per_client,
            Stake::BotGame => self.limits.bot_games_per_client,
            Stake::Labour => self.limits.labours_per_client,
            Stake::Upload => self.limits.uploads_per_client,
            Stake::HostBot => self.limits.host_bots_per_client,
        }
    }

    /// A place for a socket with a seat in a game that has come to this round.
    /// Whoever had the same seat leaves; where the client has too many, one that is
    /// silent does. `None` if none is.
    pub(crate) fn sit_down(
        self: &Arc<Clients>,
        client: Client,
        seat: SeatId,
        round: u32,
    ) -> Option<SeatPlace> {
        let most = self.limits.seats_per_client;
        let (client, socket) = self.with_account(client, |client, account| {
            let since = account.make_way(seat, most)?;
            let socket = Arc::new(SeatSocket {
                seat,
                since,
                worth: Mutex::new((round, Instant::now())),
                reason: OnceLock::new(),
                leave: Notify::new(),
            });
            account.seats.push(Arc::clone(&socket));
            Some((client, socket))
        })?;
        Some(SeatPlace {
            clients: Arc::clone(self),
            client,
            socket,
        })
    }

    fn with<T>(&self, client: Client, job: impl FnOnce(&mut Account) -> T) -> T {
        self.with_account(client, |_, account| job(account))
    }

    fn with_account<T>(&self, client: Client, job: impl FnOnce(Client, &mut Account) -> T) -> T {
        let mut accounts = held(&self.accounts);
        if !accounts.contains_key(&client) && accounts.len() >= MAX_CLIENTS {
            accounts.retain(|_, account| !account.is_forgotten());
        }
        let client = if accounts.contains_key(&client) || accounts.len() < MAX_CLIENTS {
            client
        } else {
            Client::STRANGERS
        };
        let account = accounts
            .entry(client)
            .or_insert_with(|| Account::new(&self.limits));
        account.seen = Instant::now();
        job(client, account)
    }
}

impl Account {
    fn new(limits: &Limits) -> Account {
        Account {
            requests: Bucket::new(limits.requests),
            new_games: Bucket::new(limits.new_games_per_client),
            n_held: [0; N_STAKES],
            seats: Vec::new(),
            claims: Vec::new(),
            seen: Instant::now(),
        }
    }

    /// Makes way for a seat and says since when it has been open; `None` if
    /// there is no place for it.
    fn make_way(&mut self, seat: SeatId, most: usize) -> Option<Instant> {
        let mut since = Instant::now();
        let is_same = |socket: &mut Arc<SeatSocket>| socket.seat == seat;
        for replaced in self.seats.extract_if(.., is_same) {
            since = since.min(replaced.since);
            replaced.send_away(Eviction::Replaced);
        }
        self.claims.retain(|claim| claim.left.elapsed() <= SILENCE);
        for claim in self.claims.extract_if(.., |claim| claim.seat == seat) {
            since = since.min(claim.since);
        }
        if self.seats.len() + self.claims.len() < most {
            return Some(since);
        }
        let seats = self.seats.iter().enumerate();
        let worths = seats.map(|(idx, socket)| (*held(&socket.worth), idx));
        let silent = worths.filter(|((_, heard), _)| heard.elapsed() > SILENCE);
        let (_, idx) = silent.min()?;
        self.seats.swap_remove(idx).send_away(Eviction::Silent);
        Some(since)
    }

    /// A socket leaves; one that was sent away has left already.
    fn leave(&mut self, left: &Arc<SeatSocket>) {
        let n_before = self.seats.len();
        self.seats.retain(|socket| !Arc::ptr_eq(socket, left));
        if self.seats.len() < n_before && left.since.elapsed() >= SETTLED {
            self.claims.push(Claim {
                seat: left.seat,
                since: left.since,
                left: Instant::now(),
            });
        }
    }

    fn is_forgotten(&self) -> bool {
        self.n_held == [0; N_STAKES] && self.seats.is_empty() && self.seen.elapsed() > FORGET
    }
}

/// Something that a client holds; given back when dropped.
#[derive(Debug)]
pub(crate) struct HeldStake {
    clients: Arc<Clients>,
    client: Client,
    stake: Stake,
    n: usize,
}

impl HeldStake {
    /// Holds `n` more; false, and no more, if those are too many.
    pub(crate) fn grow(&mut self, n: usize) -> bool {
        let (stake, most) = (self.stake as usize, self.clients.most(self.stake));
        let has_grown = self.clients.with(self.client, |account| {
            let all = &mut account.n_held[stake];
            let fits = most.saturating_sub(*all) >= n;
            if fits {
                *all += n;
            }
            fits
        });
        if has_grown {
            self.n += n;
        }
        has_grown
    }
}

impl Drop for HeldStake {
    fn drop(&mut self) {
        let stake = self.stake as usize;
        self.clients
            .with(self.client, |account| account.n_held[stake] -= self.n);
    }
}

/// The place of a socket with a seat; given back when dropped.
#[derive(Debug)]
pub(crate) struct SeatPlace {
    clients: Arc<Clients>,
    client: Client,
    socket: Arc<SeatSocket>,
}

impl SeatPlace {
    /// The page said something, and the game is in this round.
    pub(crate) fn heard(&self, round: u32) {
        *held(&self.socket.worth) = (round, Instant::now());
    }

    /// Waits until the place is wanted by another.
    pub(crate) async fn is_wanted(&self) -> Eviction {
        self.socket.leave.notified().await;
        // The reason is there before the word.
        *self.socket.reason.get().unwrap_or(&Eviction::Silent)
    }
}

impl Drop for SeatPlace {
    fn drop(&mut self) {
        self.clients
            .with(self.client, |account| account.leave(&self.socket));
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // Accounts are changed in single steps.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Rate;

    fn client(n: u32) -> Client {
        Client::new(IpAddr::V4(Ipv4Addr::from(0x0a00_0000 + n)))
    }

    #[test]
    fn a_network_of_ipv6_is_one_client() {
        let of = |text: &str| Client::new(text.parse().expect("an address"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:1"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
    }

    #[test]
    fn what_one_client_took_another_can_still_have() {
        let limits = Limits {
            watchers_per_client: 2,
            ..Limits::default()
        };
        let clients = Clients::new(limits);
        let watch = |n| clients.hold(client(n), Stake::Watcher);
        let taken = [watch(1), watch(1)];
        assert!(taken.iter().all(Option::is_some));
        assert!(watch(1).is_none() && watch(2).is_some());
        drop(taken);
        assert!(watch(1).is_some(), "given back");
    }

    /// Seats of one client, two at most.
    fn two_seats() -> (Arc<Clients>, impl Fn(i64, u32) -> Option<SeatPlace>) {
        let limits = Limits {
            seats_per_client: 2,
            ..Limits::default()
        };
        let clients = Clients::new(limits);
        let own = Arc::clone(&clients);
        let sit = move |game, round| own.sit_down(client(1), (game, 0), round);
        (clients, sit)
    }

    impl SeatPlace {
        /// As if the page had said nothing for this long.
        fn keep_silent(&self, time: Duration) {
            held(&self.socket.worth).1 -= time;
        }
    }

    #[tokio::test]
    async fn the_silent_seat_of_the_game_that_came_the_least_far_gives_way() {
        let (clients, sit) = two_seats();
        let [first, second] = [(1, 7), (2, 2)].map(|(game, round)| sit(game, round));
        let (first, second) = (first.expect("room"), second.expect("room"));
        first.keep_silent(3 * SILENCE);
        second.keep_silent(2 * SILENCE);
        let third = sit(3, 1).expect("a place that was silent");
        assert_eq!(second.is_wanted().await, Eviction::Silent);
        drop(second);
        let n_seats = || clients.with(client(1), |account| account.seats.len());
        assert_eq!(n_seats(), 2);
        third.keep_silent(SILENCE / 2);
        let _fourth = sit(4, 1).expect("a place that was silent");
        assert_eq!(first.is_wanted().await, Eviction::Silent);
    }

    /// Opening many seats in a circle once ended the sockets of those who play
    /// at the same address.
    #[tokio::test]
    async fn a_seat_that_is_heard_does_not_give_way() {
        let (_, sit) = two_seats();
        let honest = sit(1, 1).expect("room");
        let _own = sit(2, 50).expect("room");
        for game in 3..100 {
            assert!(sit(game, 50).is_none(), "the new one is refused");
        }
        honest.keep_silent(2 * SILENCE);
        honest.heard(1);
        assert!(sit(3, 50).is_none());
        // Who opens a seat again needs no other place.
        let again = sit(1, 1).expect("its own place");
        assert_eq!(honest.is_wanted().await, Eviction::Replaced);
        drop(honest);
        assert!(sit(3, 50).is_none(), "the place is taken");
        drop(again);
        assert!(sit(3, 50).is_some(), "given back");
    }

    /// Somebody who waited for a place took that of a page that was loaded
    /// again.
    #[test]
    fn a_seat_that_is_left_is_waited_for() {
        let (clients, sit) = two_seats();
        let _other = sit(1, 1).expect("room");
        drop(sit(2, 1).expect("room"));
        drop(sit(3, 1).expect("nobody waits for who was there shortly"));
        // As if the third had been open for a while.
        let claim = |left| Claim {
            seat: (3, 0),
            since: left - SETTLED,
            left,
        };
        clients.with(client(1), |account| {
            account.claims.push(claim(Instant::now()));
        });
        assert!(sit(4, 1).is_none(), "the place is kept");
        let again = sit(3, 1).expect("its own place");
        drop(again);
        assert!(sit(4, 1).is_none(), "also when it is loaded once more");
        clients.with(client(1), |account| {
            let long_ago = Instant::now() - SILENCE - Duration::from_secs(1);
            account.claims = vec![claim(long_ago)];
        });
        assert!(sit(4, 1).is_some(), "but not for ever");
    }

    #[test]
    fn ever_new_clients_do_not_fill_the_memory() {
        let limits = Limits {
            requests: Rate {
                burst: 10.0,
                per_second: 0.0,
            },
            ..Limits::default()
        };
        let clients = Clients::new(limits);
        let n_asked = (0..3 * MAX_CLIENTS as u32)
            .filter(|&n| clients.may_ask(client(n)))
            .count();
        assert!(held(&clients.accounts).len() <= MAX_CLIENTS + 1);
        assert!(n_asked <= MAX_CLIENTS + 10, "strangers share an account");
    }
}

//! Who asks, and how much each may have.
//!
//! A client is an address. Several people may share one, and on loopback
//! everybody does: so whoever has a seat's token is not counted with the
//! others. Where a client has too many seats open, that of the game that has
//! come the least far gives way to the new one, and among such the one that was
//! silent the longest: a game that people play is worth more than an empty one.

use std::collections::BTreeMap;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Notify;

use crate::limits::{Bucket, Limits};

/// Clients that are remembered. Beyond, strangers share one account.
const MAX_CLIENTS: usize = 4096;
/// Who has nothing open and was silent for so long is forgotten.
const FORGET: Duration = Duration::from_secs(120);

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
}

/// The account of one client.
#[derive(Debug)]
struct Account {
    requests: Bucket,
    new_games: Bucket,
    n_held: [usize; 3],
    seats: Vec<Arc<SeatSocket>>,
    seen: Instant,
}

/// A socket with a seat.
#[derive(Debug)]
struct SeatSocket {
    /// The round that the game has come to, and when the player last moved.
    worth: Mutex<(u32, Instant)>,
    leave: Notify,
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
    pub(crate) fn hold(self: &Arc<Clients>, client: Client, stake: Stake) -> Option<Held> {
        let most = match stake {
            Stake::Watcher => self.limits.watchers_per_client,
            Stake::BotGame => self.limits.bot_games_per_client,
            Stake::Labour => self.limits.labours_per_client,
        };
        let client = self.with_account(client, |client, account| {
            let n = &mut account.n_held[stake as usize];
            (*n < most).then(|| {
                *n += 1;
                client
            })
        })?;
        let clients = Arc::clone(self);
        Some(Held {
            clients,
            client,
            stake,
        })
    }

    /// A place for a socket with a seat in a game that has come to this round.
    /// Where the client has too many, the least worthy is asked to leave.
    pub(crate) fn sit_down(self: &Arc<Clients>, client: Client, round: u32) -> SeatPlace {
        let socket = Arc::new(SeatSocket {
            worth: Mutex::new((round, Instant::now())),
            leave: Notify::new(),
        });
        let client = self.with_account(client, |client, account| {
            if account.seats.len() >= self.limits.seats_per_client {
                let worth = |socket: &Arc<SeatSocket>| *held(&socket.worth);
                let seats = account.seats.iter().enumerate();
                if let Some((idx, _)) = seats.min_by_key(|(_, socket)| worth(socket)) {
                    account.seats.swap_remove(idx).leave.notify_one();
                }
            }
            account.seats.push(Arc::clone(&socket));
            client
        });
        SeatPlace {
            clients: Arc::clone(self),
            client,
            socket,
        }
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
            n_held: [0; 3],
            seats: Vec::new(),
            seen: Instant::now(),
        }
    }

    fn is_forgotten(&self) -> bool {
        self.n_held == [0; 3] && self.seats.is_empty() && self.seen.elapsed() > FORGET
    }
}

/// Something that a client holds; given back when dropped.
#[derive(Debug)]
pub(crate) struct Held {
    clients: Arc<Clients>,
    client: Client,
    stake: Stake,
}

impl Drop for Held {
    fn drop(&mut self) {
        let stake = self.stake as usize;
        self.clients
            .with(self.client, |account| account.n_held[stake] -= 1);
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
    /// The player moved, and the game is in this round.
    pub(crate) fn moved(&self, round: u32) {
        *held(&self.socket.worth) = (round, Instant::now());
    }

    /// Waits until the place is wanted by another.
    pub(crate) async fn is_wanted(&self) {
        self.socket.leave.notified().await;
    }
}

impl Drop for SeatPlace {
    fn drop(&mut self) {
        self.clients.with(self.client, |account| {
            let others = |socket: &Arc<SeatSocket>| !Arc::ptr_eq(socket, &self.socket);
            account.seats.retain(others);
        });
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

    #[tokio::test]
    async fn the_seat_of_the_game_that_came_the_least_far_gives_way() {
        let limits = Limits {
            seats_per_client: 2,
            ..Limits::default()
        };
        let clients = Clients::new(limits);
        let [first, second] = [7, 1].map(|round| clients.sit_down(client(1), round));
        second.moved(2);
        let third = clients.sit_down(client(1), 9);
        second.is_wanted().await;
        drop(second);
        let n_seats = || clients.with(client(1), |account| account.seats.len());
        assert_eq!(n_seats(), 2);
        first.moved(9);
        let _fourth = clients.sit_down(client(1), 1);
        third.is_wanted().await;
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

//! What the host offers besides what is shipped: programs as opponents, maps, and
//! records to look at. Nothing on these lists comes from a request, but maps that
//! were sent.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hegemon_bots::{Grants, Spec};
use hegemon_core::{Map, MapSpec};
use hegemon_protocol::ErrorLog;

use crate::clients::Client;

/// Maps that were sent, at most; the oldest makes room. Games have copies of
/// their own.
const MAX_SENT: usize = 16;

/// The same of one client, whose own oldest makes room.
const MAX_SENT_PER_CLIENT: usize = 4;

/// A bot that the host offers under a name.
#[derive(Clone, Debug)]
pub struct HostBot {
    /// How it is chosen.
    pub name: String,
    /// What plays; it is never shown.
    pub spec: Spec,
}

/// What the host offers.
#[derive(Clone, Debug)]
pub struct HostOffers {
    /// Programs, or any other bots.
    pub bots: Vec<HostBot>,
    /// What they may reach.
    pub grants: Grants,
    /// What they write to their error output.
    pub log: ErrorLog,
    pub maps: Vec<MapSpec>,
    /// Files of records.
    pub records: Vec<PathBuf>,
}

impl Default for HostOffers {
    fn default() -> HostOffers {
        HostOffers {
            bots: Vec::new(),
            grants: Grants::sealed(),
            log: ErrorLog::default(),
            maps: Vec::new(),
            records: Vec::new(),
        }
    }
}

/// The lists of a running server.
#[derive(Debug)]
pub(crate) struct Offers {
    host: HostOffers,
    /// Maps that are shipped, and those of the host. All maps are read once:
    /// they are listed more often than they are played.
    maps: Vec<Map>,
    /// The oldest first.
    sent: Mutex<Vec<SentMap>>,
}

/// A map that was sent.
#[derive(Debug)]
struct SentMap {
    map: Map,
    /// Who may change it.
    sender: Client,
}

impl Offers {
    /// What the host offers, and no map that was sent.
    pub(crate) fn new(host: HostOffers) -> Offers {
        let shipped = Map::builtin_names().filter_map(Map::builtin);
        let of_host = host
            .maps
            .iter()
            .filter_map(|map| Map::new(map.clone()).ok());
        Offers {
            maps: shipped.chain(of_host).collect(),
            host,
            sent: Mutex::default(),
        }
    }

    /// Names of the host's bots.
    pub(crate) fn bot_names(&self) -> impl Iterator<Item = &str> {
        self.host.bots.iter().map(|bot| bot.name.as_str())
    }

    /// The bot of the host with this name.
    pub(crate) fn bot(&self, name: &str) -> Option<&Spec> {
        let bot = self.host.bots.iter().find(|bot| bot.name == name)?;
        Some(&bot.spec)
    }

    /// What the host's bots may reach.
    pub(crate) fn grants(&self) -> &Grants {
        &self.host.grants
    }

    /// What the host's programs wrote to their error output.
    pub(crate) fn log(&self) -> &ErrorLog {
        &self.host.log
    }

    /// Files of records.
    pub(crate) fn records(&self) -> &[PathBuf] {
        &self.host.records
    }

    /// What is to be said of each map.
    pub(crate) fn each_map<T>(&self, say: impl Fn(&Map) -> T) -> Vec<T> {
        let sent = self.held();
        let all = self.maps.iter().chain(sent.iter().map(|sent| &sent.map));
        all.map(say).collect()
    }

    /// The map with this name.
    pub(crate) fn map(&self, name: &str) -> Option<Map> {
        let sent = self.held();
        let mut all = self.maps.iter().chain(sent.iter().map(|sent| &sent.map));
        all.find(|map| map.name() == name).cloned()
    }

    /// Adds a map that a client sent.
    ///
    /// # Errors
    ///
    /// If another map has its name, but for the case of its letters.
    pub(crate) fn add_map(&self, map: Map, sender: Client) -> Result<(), String> {
        let name = map.name().to_lowercase();
        let has_name = |known: &Map| known.name().to_lowercase() == name;
        let mut sent = self.held();
        let is_others = |known: &SentMap| known.sender != sender && has_name(&known.map);
        if self.maps.iter().any(has_name) || sent.iter().any(is_others) {
            let name = map.name();
            return Err(format!(
                "There is a map \"{name}\" already; give yours another name."
            ));
        }
        // Who sends a map again has changed it.
        sent.retain(|known| !has_name(&known.map));
        let is_own = |known: &SentMap| known.sender == sender;
        let own = sent.iter().filter(|known| is_own(known)).count();
        let oldest = if own >= MAX_SENT_PER_CLIENT {
            sent.iter().position(is_own)
        } else {
            (sent.len() >= MAX_SENT).then_some(0)
        };
        oldest.map(|place| sent.remove(place));
        sent.push(SentMap { map, sender });
        Ok(())
    }

    fn held(&self) -> MutexGuard<'_, Vec<SentMap>> {
        // The list is changed in single steps.
        self.sent.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Map {
        let mut spec = Map::builtin("duel6").expect("shipped").spec().clone();
        spec.name = name.to_owned();
        Map::new(spec).expect("valid")
    }

    fn client(n: u8) -> Client {
        Client::new([10, 0, 0, n].into())
    }

    fn with_ours() -> Offers {
        Offers::new(HostOffers {
            maps: vec![named("ours").spec().clone()],
            ..HostOffers::default()
        })
    }

    #[test]
    fn maps_that_were_sent_are_few_and_hide_no_other() {
        let offers = with_ours();
        for taken in ["classic", "ours", "Classic", "OURS"] {
            assert!(offers.add_map(named(taken), client(1)).is_err(), "{taken}");
        }
        for n in 0..3 * MAX_SENT {
            let sender = client((n / MAX_SENT_PER_CLIENT) as u8);
            offers
                .add_map(named(&format!("map {n}")), sender)
                .expect("free");
        }
        assert_eq!(offers.held().len(), MAX_SENT);
        assert!(offers.map("map 40").is_some() && offers.map("map 1").is_none());
        assert!(offers.map("ours").is_some() && offers.map("classic").is_some());
    }

    /// One client once pushed out, or changed, the maps of all others.
    #[test]
    fn who_sends_maps_takes_none_away_from_others() {
        let offers = with_ours();
        offers.add_map(named("Ann's"), client(1)).expect("free");
        offers.add_map(named("Ann's"), client(1)).expect("changed");
        for name in ["Ann's", "ann's"] {
            assert!(offers.add_map(named(name), client(2)).is_err(), "{name}");
        }
        for n in 0..3 * MAX_SENT {
            let sent = offers.add_map(named(&format!("map {n}")), client(2));
            sent.expect("free");
        }
        assert!(offers.map("Ann's").is_some());
        assert_eq!(offers.held().len(), 1 + MAX_SENT_PER_CLIENT);
    }
}

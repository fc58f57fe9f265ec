//! What the host offers besides what is shipped: programs as opponents, maps, and
//! records to look at. Nothing on these lists comes from a request, but maps that
//! were sent.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hegemon_bots::{Grants, Spec};
use hegemon_core::{Map, MapSpec};
use hegemon_protocol::ErrorLog;

/// Maps that were sent, at most; the oldest makes room. Games have copies of
/// their own.
const MAX_SENT: usize = 16;

/// A bot that the host offers under a name.
#[derive(Clone, Debug)]
pub struct HostBot {
    /// How it is chosen.
    pub name: String,
    /// What plays; nobody else hears of it.
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
    /// Maps.
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
    sent: Mutex<Vec<MapSpec>>,
}

impl Offers {
    /// What the host offers, and no map that was sent.
    pub(crate) fn new(host: HostOffers) -> Offers {
        Offers {
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

    /// Names of all maps.
    pub(crate) fn map_names(&self) -> Vec<String> {
        let shipped = Map::builtin_names().map(str::to_owned);
        let host = self.host.maps.iter().map(|map| map.name.clone());
        let sent = self
            .held()
            .iter()
            .map(|map| map.name.clone())
            .collect::<Vec<_>>();
        shipped.chain(host).chain(sent).collect()
    }

    /// The map with this name.
    pub(crate) fn map(&self, name: &str) -> Option<Map> {
        let sent = self.held();
        let mut all = self.host.maps.iter().chain(sent.iter());
        let of_host = || Map::new(all.find(|map| map.name == name)?.clone()).ok();
        Map::builtin(name).or_else(of_host)
    }

    /// Adds a map that was sent.
    ///
    /// # Errors
    ///
    /// If another map has its name.
    pub(crate) fn add_map(&self, map: &Map) -> Result<(), String> {
        let is_taken = |known: &MapSpec| known.name == map.name();
        if Map::builtin(map.name()).is_some() || self.host.maps.iter().any(is_taken) {
            let name = map.name();
            return Err(format!(
                "There is a map \"{name}\" already; give yours another name."
            ));
        }
        let mut sent = self.held();
        // Who sends a map again has changed it.
        sent.retain(|known| known.name != map.name());
        if sent.len() == MAX_SENT {
            sent.remove(0);
        }
        sent.push(map.spec().clone());
        Ok(())
    }

    fn held(&self) -> MutexGuard<'_, Vec<MapSpec>> {
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

    #[test]
    fn maps_that_were_sent_are_few_and_hide_no_other() {
        let offers = Offers::new(HostOffers {
            maps: vec![named("ours").spec().clone()],
            ..HostOffers::default()
        });
        for taken in ["classic", "ours"] {
            assert!(offers.add_map(&named(taken)).is_err(), "{taken}");
        }
        for n in 0..3 * MAX_SENT {
            offers.add_map(&named(&format!("map {n}"))).expect("free");
        }
        offers.add_map(&named("map 40")).expect("sent again");
        assert_eq!(offers.held().len(), MAX_SENT);
        assert!(offers.map("map 40").is_some() && offers.map("map 1").is_none());
        assert!(offers.map("ours").is_some() && offers.map("classic").is_some());
    }
}

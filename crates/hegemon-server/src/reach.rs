//! Where others can reach this server.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};

use serde::Serialize;

/// Where others can reach the server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Reach {
    /// Whether it listens to this machine alone.
    pub is_local: bool,
    /// Addresses for others, best first, such as `http://192.168.1.5:4272`.
    pub addresses: Vec<String>,
}

/// One address of each network that people have at home, and one of the world.
const DESTINATIONS: [&str; 4] = [
    "192.168.0.1:9",
    "10.0.0.1:9",
    "172.16.0.1:9",
    "203.0.113.1:9",
];

impl Reach {
    /// How a server that listens at `local` and was given these names is reached.
    pub(crate) fn of(local: SocketAddr, names: &[String]) -> Reach {
        let ip = local.ip().to_canonical();
        let own: Vec<IpAddr> = match ip {
            ip if ip.is_loopback() => Vec::new(),
            ip if ip.is_unspecified() => own_addresses(),
            ip => vec![ip],
        };
        let port = local.port();
        let named = names.iter().map(|name| match name.contains(':') {
            true => format!("http://{name}"),
            false => format!("http://{name}:{port}"),
        });
        let by_number = own.iter().map(|ip| match ip {
            IpAddr::V4(ip) => format!("http://{ip}:{port}"),
            IpAddr::V6(ip) => format!("http://[{ip}]:{port}"),
        });
        Reach {
            is_local: ip.is_loopback(),
            addresses: named.chain(by_number).collect(),
        }
    }
}

/// Addresses of this machine for others, those first from which it would talk to them.
fn own_addresses() -> Vec<IpAddr> {
    let mut found = outward();
    // Only Linux has this file; elsewhere the routes must do.
    let table = std::fs::read_to_string("/proc/net/fib_trie").unwrap_or_default();
    for ip in local_addresses(&table) {
        if !found.contains(&ip) {
            found.push(ip);
        }
    }
    found
}

/// The machine's own addresses in the routes that Linux tells, without loopback: an address is
/// on one line, and on the next that it is one of ours.
fn local_addresses(table: &str) -> Vec<IpAddr> {
    let mut found = Vec::new();
    let mut last: Option<Ipv4Addr> = None;
    for line in table.lines().map(str::trim) {
        if let Some(address) = line.strip_prefix("|-- ") {
            last = address.parse().ok();
        } else if let Some(ip) = last
            && line == "/32 host LOCAL"
            && !ip.is_loopback()
            && !found.contains(&IpAddr::V4(ip))
        {
            found.push(IpAddr::V4(ip));
        }
    }
    found
}

/// Addresses from which this machine would talk to others. Nothing is sent: the
/// system is asked for a route alone.
fn outward() -> Vec<IpAddr> {
    let mut found = Vec::new();
    for destination in DESTINATIONS {
        let route = || {
            let socket = UdpSocket::bind("0.0.0.0:0").ok()?;
            socket.connect(destination).ok()?;
            Some(socket.local_addr().ok()?.ip())
        };
        if let Some(ip) = route()
            && !ip.is_loopback()
            && !ip.is_unspecified()
            && !found.contains(&ip)
        {
            found.push(ip);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(local: &str, names: &[&str]) -> Reach {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        Reach::of(local.parse().expect("an address"), &names)
    }

    #[test]
    fn a_server_on_loopback_says_so() {
        for local in ["127.0.0.1:4272", "[::1]:4272"] {
            let reach = reach(local, &[]);
            assert!(reach.is_local && reach.addresses.is_empty(), "{local}");
        }
        let named = reach("127.0.0.1:4272", &["play.example.org:80"]);
        assert_eq!(named.addresses, ["http://play.example.org:80"]);
    }

    /// A second network at home was not listed once, if no route of [`DESTINATIONS`] led there.
    #[test]
    fn every_network_of_the_machine_is_listed() {
        let table = "Main:\n  +-- 0.0.0.0/0 3 0 5\n     |-- 0.0.0.0\n        /0 universe UNICAST\n\
                     Local:\n     +-- 127.0.0.0/8 2 0 2\n           |-- 127.0.0.1\n              /32 host LOCAL\n\
                     \n     |-- 10.7.0.255\n        /32 link BROADCAST\n        |-- 10.7.0.12\n           /32 host LOCAL\n\
                     \n        |-- 192.168.178.31\n           /32 host LOCAL\n        |-- 10.7.0.12\n           /32 host LOCAL\n";
        let expected: [IpAddr; 2] =
            ["10.7.0.12", "192.168.178.31"].map(|ip| ip.parse().expect("an address"));
        assert_eq!(local_addresses(table), expected);
        assert!(local_addresses("nonsense\n|-- x\n/32 host LOCAL").is_empty());
    }

    #[test]
    fn a_server_elsewhere_names_where() {
        let one = reach("192.168.1.5:80", &["den"]);
        assert_eq!(one.addresses, ["http://den:80", "http://192.168.1.5:80"]);
        let all = reach("0.0.0.0:4272", &[]);
        assert!(!all.is_local);
        for address in all.addresses {
            assert!(!address.contains("127.0.0.1") && address.ends_with(":4272"));
        }
    }
}

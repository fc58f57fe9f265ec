//! The web app: games between people and bots over HTTP and WebSocket, kept in
//! SQLite, with the page compiled in.
//!
//! One task owns each game; it stores what happened and then
//! shows it. Sockets pull what they have not sent yet. Bots think on threads of
//! their own. Rules are the engine's affair alone.
//!
//! *Invariant:* what was shown is stored.
//! *Invariant:* a browser sees the view of its seat, and events name no hidden
//! card.

mod analyses;
mod analysis_wire;
mod app;
mod arena;
mod bot_threads;
mod chronicle;
mod clients;
mod clock;
mod command;
mod company;
mod connections;
mod dice;
mod entry;
mod error;
mod game_card;
mod levels;
mod limits;
mod narrator;
mod new_game;
mod noticeboard;
mod offers;
mod origin;
mod packed;
mod page;
mod page_policy;
mod position;
mod reach;
mod reading;
mod refusals;
mod rematch;
mod routes;
mod seated_bot;
mod seats;
mod server;
mod session;
mod socket;
mod stakes;
mod store;
mod table;
mod tables;
mod wire;
mod workshop;

pub use app::Config;
pub use limits::{Limits, Rate};
pub use offers::{HostBot, HostOffers};
pub use server::{ServeError, Server, serve};
pub use store::{StoreError, is_store};

//! The bot protocol: messages, schema, documents, external bots.

mod asked;
#[cfg(unix)]
mod external;
mod schema;
mod table;
mod wire;

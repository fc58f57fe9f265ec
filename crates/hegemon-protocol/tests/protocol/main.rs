//! The bot protocol: messages, schema, documents, external bots.

#[cfg(unix)]
mod external;
mod schema;
mod table;
mod wire;

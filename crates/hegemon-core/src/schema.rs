//! JSON schemas of the numbers by which others name our things.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::ids::{
    ContinentId, MAX_CONTINENTS, MAX_PLAYERS, MAX_TERRITORIES, PlayerId, TerritoryId,
};

macro_rules! number {
    ($type:ty, $name:literal, $limit:expr, $about:literal) => {
        impl JsonSchema for $type {
            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!({
                    "description": $about,
                    "type": "integer",
                    "minimum": 0,
                    "maximum": $limit - 1,
                })
            }
        }
    };
}

number! {
    TerritoryId, "Territory", MAX_TERRITORIES,
    "Number of a territory in the map's list of territories."
}
number! {
    ContinentId, "Continent", MAX_CONTINENTS,
    "Number of a continent in the map's list of continents."
}
// Only seats are written: who owns a territory is a number of its own kind.
number! { PlayerId, "Seat", MAX_PLAYERS, "Number of a player, from 0." }

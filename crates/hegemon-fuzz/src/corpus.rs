//! Seed inputs: the files of `fuzz/corpus/TARGET/`, compiled in, and the
//! program's own output.

use hegemon_core::{Map, Rules};
use rust_embed::Embed;

use crate::engine::{position_seeds, record_seeds};

#[derive(Embed)]
#[folder = "../../fuzz/corpus"]
struct Files;

/// The seeds of a target, in a fixed order.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut names: Vec<_> = Files::iter()
        .filter(|name| name.split('/').next() == Some(target))
        .collect();
    names.sort();
    let files = names.iter().filter_map(|name| Files::get(name));
    let mut seeds: Vec<Vec<u8>> = files.map(|file| file.data.into_owned()).collect();
    seeds.extend(written(target));
    seeds
}

/// The program's own output: valid inputs in the current formats.
fn written(target: &str) -> Vec<Vec<u8>> {
    let texts = |texts: Vec<String>| texts.into_iter().map(String::into_bytes).collect();
    match target {
        "maps" => {
            let maps = Map::builtin_names().filter_map(Map::builtin);
            let both = |map: Map| [map.spec().to_json(), map.spec().to_domination()];
            texts(maps.flat_map(both).collect())
        }
        "rules" => {
            let presets = Rules::PRESETS.into_iter().filter_map(Rules::preset);
            texts(presets.flat_map(|r| [r.to_toml(), r.to_json()]).collect())
        }
        "specs" => texts(
            hegemon_bots::bots()
                .map(|bot| bot.name.to_owned())
                .collect(),
        ),
        "positions" => texts(position_seeds()),
        "records" => record_seeds(),
        "http" => {
            let upload = |record: Vec<u8>| [b"POST /api/replay\n".to_vec(), record].concat();
            record_seeds().into_iter().map(upload).collect()
        }
        _ => Vec::new(),
    }
}

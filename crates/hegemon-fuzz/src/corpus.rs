//! Inputs to begin with: the files of `fuzz/corpus/TARGET/`, compiled in.

use rust_embed::Embed;

#[derive(Embed)]
#[folder = "../../fuzz/corpus"]
struct Files;

/// The seeds of a target, in the order of their names.
pub fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut names: Vec<_> = Files::iter()
        .filter(|name| name.split('/').next() == Some(target))
        .collect();
    names.sort();
    let files = names.iter().filter_map(|name| Files::get(name));
    files.map(|file| file.data.into_owned()).collect()
}

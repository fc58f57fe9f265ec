//! What is there already, files and settings of a pool, is not replaced or passed over unasked.

mod common;

use std::fs;

use common::{Folder, refused, run};

#[test]
fn records_of_two_matches_are_not_mixed() {
    let folder = Folder::new("kept-records");
    let played = "match baseline simulation --rules sampling --games 2 --records r";
    run(&folder.0, played);
    refused(&folder.0, played, "has records of games already");
}

#[test]
fn maps_are_replaced_only_where_the_file_is_named() {
    let folder = Folder::new("kept-maps");
    run(&folder.0, "maps export ring24 --out ring.map");
    run(&folder.0, "maps import ring.map");
    refused(&folder.0, "maps import ring.map", "is there already");
    let onto_itself = "maps export ring.json --out ring.json";
    refused(&folder.0, onto_itself, "is the file that is read");
    run(&folder.0, "maps import ring.map --out ring.json");
}

#[test]
fn maps_of_domination_are_read_in_latin_1_and_written_with_a_mark() {
    let folder = Folder::new("kept-letters");
    let ascii = run(&folder.0, "maps export ring24");
    let latin: Vec<u8> = ascii
        .replace("Harbour", "H\u{e4}rbour")
        .chars()
        .map(|c| u8::try_from(u32::from(c)).expect("Latin-1"))
        .collect();
    fs::write(folder.0.join("latin.map"), latin).expect("writable");
    run(&folder.0, "maps import latin.map");
    let map = fs::read_to_string(folder.0.join("latin.json")).expect("UTF-8");
    assert!(map.contains("H\u{e4}rbour"), "{map}");
    let marked = run(&folder.0, "maps export latin.json");
    assert!(marked.starts_with('\u{feff}') && !ascii.starts_with('\u{feff}'));
}

#[test]
fn a_pool_keeps_its_settings() {
    let folder = Folder::new("kept-pool");
    run(&folder.0, "arena add quo killbot --rules lux --seed 4");
    refused(
        &folder.0,
        "arena add angry --players 3",
        "the pool was made with 2",
    );
    refused(
        &folder.0,
        "arena add angry --seed 5",
        "the pool was made with 4",
    );
    run(&folder.0, "arena add angry --players 2 --seed 4");
}

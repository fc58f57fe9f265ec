//! Writes the record of a game of random moves, replays it and prints its end;
//! given a file, verifies that file: `cargo run --example replay -- game.txt`.
#![allow(clippy::print_stdout, reason = "an example shows its result")]

use std::error::Error;

use hegemon_core::{Event, Game, Map, Node, Rng, Rules};
use hegemon_record::{GameRecord, Header, RecordEnd, RecordWriter};

fn main() -> Result<(), Box<dyn Error>> {
    let bytes = match std::env::args().nth(1) {
        Some(path) => std::fs::read(path)?,
        None => written()?,
    };
    let record = GameRecord::from_bytes(&bytes)?;
    let state = record.verify()?;
    println!("{} events, round {}", record.events.len(), state.round());
    println!("{}", record.end);
    Ok(())
}

fn written() -> Result<Vec<u8>, Box<dyn Error>> {
    let map = Map::builtin("duel6").ok_or("shipped with the crate")?;
    let mut rules = Rules::preset("lux").ok_or("shipped with the crate")?;
    rules.end.turn_limit = Some(5);
    let game = Game::new(map, rules, 3)?;
    let header = Header::new(&game, vec!["random".to_owned(); 3], 7);
    let mut streams = header.streams().ok_or("drawn from the seed")?;
    let mut mover = Rng::stream(7, "mover");
    let mut writer = RecordWriter::new(Vec::new(), &header)?;
    let mut state = game.start();
    while state.node() != Node::Terminal {
        let event = if state.node() == Node::Chance {
            Event::Outcome(streams.draw(&state))
        } else {
            let moves = state.legal_moves();
            Event::Move(*mover.pick(&moves).ok_or("a decision has a move")?)
        };
        writer.event(&state, event)?;
        state.apply(event)?;
    }
    let end = RecordEnd::of(&state).ok_or("the game is over")?;
    Ok(writer.finish(&end)?)
}

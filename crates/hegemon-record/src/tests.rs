//! Damaged and forged records are rejected.

use hegemon_core::{
    Ending, Event, ForfeitKind, Game, Map, Move, Node, Rng, Rules, State, Termination,
};

use crate::{
    Chance, GameRecord, Header, RecordEnd, RecordError, RecordFault, RecordWriter, Replay,
};

/// The record of a game of random moves, with the end that `stop` returns.
fn record(
    rules: &Rules,
    n_players: usize,
    chance: Chance,
    stop: impl Fn(&State, usize) -> Option<RecordEnd>,
) -> String {
    let map = Map::builtin("duel6").expect("shipped");
    let game = Game::new(map, rules.clone(), n_players).expect("rules fit");
    let mut header = Header::new(&game, vec!["random".to_owned(); n_players], 11);
    header.deal_seed = Some(5);
    let mut streams = header.streams().expect("a new game draws from its seed");
    header.chance = chance;
    let mut elsewhere = Rng::from_seed(3);
    let mut mover = Rng::from_seed(2);
    let mut writer = RecordWriter::new(Vec::new(), &header).expect("memory");
    let mut state = game.start();
    for n_events in 0.. {
        if let Some(end) = stop(&state, n_events) {
            let bytes = writer.finish(&end).expect("memory");
            return String::from_utf8(bytes).expect("text");
        }
        let event = match (state.node(), chance) {
            (Node::Decision(_), _) => {
                let moves = state.legal_moves();
                Event::Move(*mover.pick(&moves).expect("a decision has a move"))
            }
            (_, Chance::Streams) => Event::Outcome(streams.draw(&state)),
            (_, Chance::Elsewhere) => Event::Outcome(state.sample(&mut elsewhere)),
        };
        writer.event(&state, event).expect("memory");
        state.apply(event).expect("possible");
    }
    unreachable!("every game stops")
}

fn rules(turn_limit: Option<u32>) -> Rules {
    let mut rules = Rules::preset("lux").expect("shipped");
    rules.end.turn_limit = turn_limit;
    rules
}

/// A short game that its rules end.
fn short() -> String {
    record(&rules(Some(4)), 3, Chance::Streams, |state, _| {
        RecordEnd::of(state)
    })
}

fn verify(text: &str) -> Result<State, RecordError> {
    GameRecord::parse(text)?.verify()
}

/// The text with a matching checksum line, as a forger would add.
fn summed(text: &str) -> String {
    let mut sum = crate::sum::Sum::default();
    let told: Vec<&str> = text
        .lines()
        .filter(|line| !line.starts_with("sum "))
        .collect();
    told.iter().for_each(|line| sum.add(line));
    format!("{}\n{}\n", told.join("\n"), sum.line())
}

fn with_end(text: &str, end: &str) -> String {
    let lines = text.lines().map(|line| {
        let hash = line.split_once("hash=").map(|(_, hash)| hash);
        match hash.filter(|_| line.starts_with("end ")) {
            Some(hash) => format!("end {end} hash={hash}"),
            None => line.to_owned(),
        }
    });
    summed(&lines.collect::<Vec<_>>().join("\n"))
}

fn fault(text: &str) -> RecordFault {
    verify(text).expect_err("refused").fault
}

#[test]
fn a_record_as_it_was_written_is_accepted() {
    verify(&short()).expect("untouched");
    assert_eq!(summed(&short()), short());
    // A last empty line and the line ends of another system do no harm.
    verify(&format!("{}\n", short())).expect("a line feed more");
    verify(&short().replace('\n', "\r\n")).expect("other line ends");
}

#[test]
fn a_flipped_bit_anywhere_is_refused_with_its_line() {
    let text = short();
    for (n, byte) in text.bytes().enumerate() {
        let line = text.as_bytes()[..n].iter().filter(|&&b| b == b'\n').count() + 1;
        for bit in 0..8 {
            let mut bytes = text.clone().into_bytes();
            bytes[n] = byte ^ (1 << bit);
            let error = GameRecord::from_bytes(&bytes)
                .and_then(|record| record.verify())
                .expect_err("damaged");
            assert_eq!(error.line, line, "byte {n}, bit {bit}: {error}");
        }
    }
}

#[test]
fn a_line_lost_doubled_or_added_is_refused_where_it_is() {
    let text = short();
    let lines: Vec<&str> = text.lines().collect();
    for n in 2..lines.len() - 1 {
        let mut changed = lines.clone();
        changed.remove(n);
        assert!(verify(&changed.join("\n")).is_err(), "line {n} lost");
        let mut changed = lines.clone();
        changed.insert(n, "end");
        let error = verify(&changed.join("\n")).expect_err("a line too many");
        assert_eq!((error.line, error.fault), (n + 1, RecordFault::Damaged));
    }
    for blank in 0..3 {
        let after = format!("{text}{}p1x1\n", "\n".repeat(blank));
        let error = verify(&after).expect_err("a line after the checksum");
        let line = lines.len() + blank + 1;
        assert_eq!((error.line, error.fault), (line, RecordFault::AfterEnd));
    }
    let inside = summed(&format!("{text}p1x1\n"));
    assert_eq!(fault(&inside), RecordFault::AfterEnd);
    let cut = lines[..lines.len() - 1].join("\n");
    assert_eq!(fault(&cut), RecordFault::Truncated);
}

#[test]
fn a_rewritten_end_is_refused() {
    let text = short();
    for end in [
        "round-cap score=5,-3,1",
        "round-cap score=1,0,0",
        "forfeit:5:crash score=1,0,0",
        "forfeit:0:crash score=0,0.5,0.5",
        "conquest score=1,0,0",
        "turn-limit score=1,0",
        "turn-limit score=1,0,0,0",
        "turn-limit score=NaN,0,0",
        "turn-limit score=0.5,0.5,0",
    ] {
        let found = fault(&with_end(&text, end));
        let is_other = matches!(found, RecordFault::OtherEnd { .. });
        assert!(is_other, "{end}: {found}");
    }
    for end in [
        "forfeit:0: score=1,0,0",
        "forfeit:0:Crash score=1",
        "forfeit:0:tired score=1",
        "forfeit:99:crash score=1,0,0",
        "round-cap score=",
    ] {
        let found = fault(&with_end(&text, end));
        assert!(matches!(found, RecordFault::BadEnd(_)), "{end}: {found}");
    }
}

#[test]
fn a_forfeit_is_of_the_seat_to_move_and_shares_the_win() {
    let text = record(&rules(None), 3, Chance::Streams, |state, n| {
        let seat = state.player();
        let kind = ForfeitKind::Timeout;
        (n > 60).then(|| RecordEnd::by(state, Termination::Forfeit { seat, kind }))?
    });
    let state = verify(&text).expect("as it was");
    let Node::Decision(mover) = state.node() else {
        panic!("a forfeit is a decision that was not made");
    };
    let other = (mover.index() + 1) % 3;
    let mut shares = ["0.5"; 3];
    shares[mover.index()] = "0";
    let shares = shares.join(",");
    verify(&with_end(
        &text,
        &format!("forfeit:{}:crash score={shares}", mover.index()),
    ))
    .expect("the kind is beyond what a replay can know");
    for end in [
        format!("forfeit:{other}:timeout score={shares}"),
        format!("forfeit:{}:timeout score=1,1,1", mover.index()),
        format!("forfeit:{}:timeout score={shares},0", mover.index()),
        format!("round-cap score={shares}"),
    ] {
        let found = fault(&with_end(&text, &end));
        assert!(
            matches!(found, RecordFault::OtherEnd { .. }),
            "{end}: {found}"
        );
    }
}

#[test]
fn a_game_may_begin_with_a_position() {
    let map = Map::builtin("duel6").expect("shipped");
    let game = Game::new(map, rules(Some(4)), 2).expect("rules fit");
    let text = "board=a9b1b2b1b2b1 phase=attack player=0 round=3";
    let write = |position: &str| {
        let mut header = Header::new(&game, vec!["random".to_owned(); 2], 11);
        let mut streams = header.streams().expect("drawn from the seed");
        let mut state = State::from_position(&game, text).expect("a position");
        header.position = Some(position.to_owned());
        let mut writer = RecordWriter::new(Vec::new(), &header).expect("memory");
        let mut mover = Rng::from_seed(2);
        while state.node() != Node::Terminal {
            let event = match state.node() {
                Node::Chance => Event::Outcome(streams.draw(&state)),
                _ => Event::Move(*mover.pick(&state.legal_moves()).expect("a move")),
            };
            writer.event(&state, event).expect("memory");
            state.apply(event).expect("possible");
        }
        let end = RecordEnd::of(&state).expect("over");
        String::from_utf8(writer.finish(&end).expect("memory")).expect("text")
    };
    verify(&write(text)).expect("it replays from there");
    let elsewhere = text.replace("a9", "a2");
    assert!(
        verify(&write(&elsewhere)).is_err(),
        "other armies, another game"
    );
    for wrong in ["", "board=a1", "nonsense"] {
        let error = verify(&write(wrong)).expect_err("no position");
        assert_eq!(error.line, 2);
        assert!(matches!(error.fault, RecordFault::Header(_)), "{error}");
    }
}

#[test]
fn the_round_cap_must_have_been_reached() {
    // No attacks: the simplest game that never ends.
    let map = Map::builtin("line4").expect("shipped");
    let mut rules = Rules::preset("sampling").expect("shipped");
    rules.end.early_stop = None;
    const CAP: u32 = 12;
    let game = Game::new(map, rules, 2).expect("rules fit");
    let write = |rounds: u32, last: u32| {
        let mut rules = game.rules().clone();
        rules.end.round_cap = rounds;
        let game = Game::new(game.map().clone(), rules, 2).expect("rules fit");
        let mut header = Header::new(&game, vec!["idle".to_owned(); 2], 1);
        let mut streams = header.streams().expect("drawn from the seed");
        let mut state = game.start();
        header.rules.end.round_cap = CAP;
        let mut writer = RecordWriter::new(Vec::new(), &header).expect("memory");
        while state.round() <= last && state.node() != Node::Terminal {
            let event = match state.node() {
                Node::Chance => Event::Outcome(streams.draw(&state)),
                _ if state.is_legal(Move::End) => Event::Move(Move::End),
                _ => Event::Move(state.legal_moves()[0]),
            };
            writer.event(&state, event).expect("memory");
            state.apply(event).expect("possible");
        }
        let end = RecordEnd {
            termination: Termination::Rules(Ending::RoundCap),
            score: vec![0.5, 0.5],
            hash: state.hash64(),
        };
        String::from_utf8(writer.finish(&end).expect("memory")).expect("text")
    };
    let state = verify(&write(CAP, CAP)).expect("reached");
    assert_eq!(state.result().expect("over").ending, Ending::RoundCap);
    for text in [write(CAP, CAP - 1), write(CAP - 1, CAP - 1)] {
        let found = fault(&text);
        assert!(matches!(found, RecordFault::OtherEnd { .. }), "{found}");
    }
    // No events after the cap.
    assert!(matches!(
        fault(&write(CAP + 9, CAP + 9)),
        RecordFault::IllegalEvent(_)
    ));
    // Up to format 2 the game was at a decision when it was stopped.
    let old = |text: String| summed(&text.replacen("hegemon-record 3", "hegemon-record 2", 1));
    verify(&old(write(CAP + 1, CAP))).expect("broken off after the cap");
    let found = fault(&old(write(CAP + 1, CAP - 1)));
    assert!(matches!(found, RecordFault::OtherEnd { .. }), "{found}");
}

#[test]
fn chance_is_what_the_seed_brings_or_said_to_come_from_elsewhere() {
    let elsewhere = record(&rules(Some(4)), 3, Chance::Elsewhere, |state, _| {
        RecordEnd::of(state)
    });
    verify(&elsewhere).expect("it says so");
    let claimed = summed(&elsewhere.replace("\"elsewhere\"", "\"streams\""));
    assert!(matches!(fault(&claimed), RecordFault::OtherChance { .. }));
    let text = short();
    for (seed, other) in [
        ("\"seed\":11", "\"seed\":12"),
        ("\"deal_seed\":5", "\"deal_seed\":6"),
    ] {
        assert!(text.contains(seed), "{text}");
        let found = fault(&summed(&text.replace(seed, other)));
        assert!(matches!(found, RecordFault::OtherChance { .. }), "{found}");
    }
}

/// Records of the first format are still read: no checksum, no source of
/// chance; but the end is checked.
#[test]
fn the_first_format_is_still_read() {
    let text = short();
    let old: Vec<String> = text
        .lines()
        .filter(|line| !line.starts_with("sum "))
        .map(|line| line.replace("hegemon-record 3", "hegemon-record 1"))
        .map(|line| line.replace("\"chance\":\"streams\",", ""))
        .collect();
    let old = old.join("\n");
    let record = GameRecord::parse(&old).expect("readable");
    assert_eq!(record.header.chance, Chance::Elsewhere);
    record.verify().expect("replays");
    verify(&format!("{old}\n \n")).expect("blank lines at its end");
    let hash = old.rsplit_once("hash=").expect("an end").1;
    let end = old.lines().last().expect("an end");
    let forged = old.replace(end, &format!("end round-cap score=5,-3,0 hash={hash}"));
    assert!(matches!(fault(&forged), RecordFault::OtherEnd { .. }));
}

#[test]
fn a_later_format_is_named_and_not_read() {
    let later = short().replacen("hegemon-record 3", "hegemon-record 4", 1);
    let error = GameRecord::parse(&summed(&later)).expect_err("unknown");
    let fault = RecordFault::FutureVersion { found: 4, known: 3 };
    assert_eq!((error.line, error.fault), (1, fault));
}

#[test]
fn setup_is_one_line_and_so_is_every_turn() {
    let mut rules = Rules::preset("classic").expect("shipped");
    rules.end.turn_limit = Some(3);
    let text = record(&rules, 3, Chance::Streams, |state, _| RecordEnd::of(state));
    let parsed = GameRecord::parse(&text).expect("as written");
    let mut replay = Replay::new(&parsed).expect("a game");
    let mut turns = Vec::new();
    for &(_, line) in &parsed.events {
        let state = replay.state();
        let player = (state.round() > 0).then(|| state.player());
        turns.push((line, (state.round(), player)));
        replay.step().expect("possible");
    }
    assert!(turns.iter().filter(|(_, turn)| turn.0 == 0).count() > 9);
    for pair in turns.windows(2) {
        let ((line, turn), (next_line, next_turn)) = (pair[0], pair[1]);
        let step = usize::from(turn != next_turn);
        assert_eq!(next_line, line + step, "{turn:?}, {next_turn:?}");
    }
}

#[test]
fn an_outcome_where_a_move_is_due_is_refused() {
    let text = record(&rules(None), 3, Chance::Streams, |state, n| {
        let seat = state.player();
        let kind = ForfeitKind::Timeout;
        (n > 60).then(|| RecordEnd::by(state, Termination::Forfeit { seat, kind }))?
    });
    let lines: Vec<&str> = text.lines().collect();
    let mut forged = lines.clone();
    forged.insert(lines.len() - 2, "B0:1");
    let error = verify(&summed(&forged.join("\n"))).expect_err("no dice are thrown");
    assert_eq!(error.line, lines.len() - 1);
    assert!(
        matches!(error.fault, RecordFault::IllegalEvent(_)),
        "{error}"
    );
}

/// A short record with another second line.
fn with_header(change: impl Fn(&mut Header)) -> String {
    let text = short();
    let line = text.lines().nth(1).expect("a header");
    let mut header: Header = serde_json::from_str(line).expect("as written");
    change(&mut header);
    let changed = serde_json::to_string(&header).expect("plain values");
    summed(&text.replacen(line, &changed, 1))
}

#[test]
fn names_and_specs_without_measure_are_refused_in_line_2() {
    let name = |text: String| with_header(move |header| header.names = vec![text.clone()]);
    for text in [
        name("x".repeat(65)),
        name(String::new()),
        name("a\nb".to_owned()),
        with_header(|header| header.names = vec!["Ann".to_owned(); 4]),
        with_header(|header| header.players[0] = "x".repeat(4097)),
    ] {
        let error = verify(&text).expect_err("refused");
        assert_eq!(error.line, 2, "{error}");
        assert!(matches!(error.fault, RecordFault::Header(_)));
    }
    verify(&name("\u{e9}".repeat(64))).expect("long enough");
    verify(&with_header(|header| {
        header.names = vec!["Ann".to_owned(); 3];
    }))
    .expect("a name for every seat");
    let six = record(&rules(Some(4)), 6, Chance::Streams, |state, _| {
        RecordEnd::of(state)
    });
    verify(&six).expect("every seat is taken");
}

#[test]
fn a_record_says_where_its_chance_comes_from() {
    let record = short();
    let silent = record.replacen(r#","chance":"streams""#, "", 1);
    assert_ne!(silent, record);
    let error = GameRecord::parse(&summed(&silent)).expect_err("it says nothing");
    assert_eq!(error.line, 2);
    assert!(error.to_string().contains(r#"no "chance""#), "{error}");
}

/// Specs of a record go into tables and CSV files as they are.
#[test]
fn a_player_that_would_steer_a_terminal_is_refused() {
    let steering = with_header(|header| header.players[0] = "\u{1b}[2J".to_owned());
    let error = GameRecord::parse(&steering).expect_err("an escape sequence");
    assert_eq!(error.line, 2);
    let sentence = error.to_string();
    assert!(sentence.contains("no control characters"), "{sentence}");
}

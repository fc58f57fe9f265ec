//! Damaged files, absurd numbers and bad timing on the command line: one
//! sentence, an exit code, nothing lost and nothing left behind.
//! `docs/faults.md` lists them.

mod common;

use common::{Folder, hegemon, refused, run};

/// The formats of data sets that the program was built with.
fn dataset_kinds() -> impl Iterator<Item = &'static str> {
    ["csv", "parquet"]
        .into_iter()
        .filter(|kind| *kind != "parquet" || cfg!(feature = "parquet"))
}

#[test]
fn numbers_beyond_reason_are_refused() {
    let folder = Folder::new("numbers");
    for line in [
        "match baseline simulation",
        "sprt baseline simulation",
        "arena run",
        "lab run all",
        "dataset play baseline simulation --out x.csv",
        "train weights",
        "train draft",
        "train beam",
    ] {
        for threads in ["0", "100000", "-1"] {
            let line = format!("{line} --threads={threads}");
            refused(&folder.0, &line, "takes a whole number from 1 to 256, not");
        }
    }
    for line in [
        "match baseline simulation --games",
        "sprt baseline simulation --max-games",
        "arena run --games",
        "dataset play baseline simulation --out x.csv --games",
        "train weights --games",
    ] {
        for games in ["0", "18446744073709551615"] {
            let line = format!("{line} {games}");
            refused(&folder.0, &line, "takes a whole number from 1 to");
        }
    }
    for line in [
        "train beam --generations",
        "train draft --drafts",
        "train draft --games",
        "train draft --min-rows",
        "train draft --hidden",
        "train weights --batch",
        "train weights --turn-limit",
    ] {
        for n in ["0", "18446744073709551615", "4294967295000"] {
            refused(
                &folder.0,
                &format!("{line} {n}"),
                "takes a whole number from 1 to",
            );
        }
    }
    for n in ["3", "18446744073709551615"] {
        let line = format!("train beam --population {n}");
        refused(&folder.0, &line, "takes a whole number from 4 to");
    }
    let line = "train weights --match-games 18446744073709551615";
    refused(&folder.0, line, "takes a whole number from 0 to");
    for option in ["noise", "discount", "precision", "span", "r-end", "c-end"] {
        for x in ["nan", "inf", "-1", "1e300"] {
            let line = format!("train weights --{option}={x}");
            refused(&folder.0, &line, "a number from 0 to");
        }
    }
    for depth in ["0", "65", "100000", "4294967295"] {
        let line = format!("perft --map line4 --rules sampling --depth {depth}");
        refused(&folder.0, &line, "takes a whole number from 1 to 64");
    }
    // Within the limit, but still infeasible.
    let line = "perft --map line4 --rules sampling --seed 1 --depth 64";
    refused(&folder.0, line, "ask for --depth ");
    assert_eq!(std::fs::read_dir(&folder.0).expect("there").count(), 0);
}

#[test]
fn options_that_would_do_nothing_are_refused() {
    let folder = Folder::new("idle-options");
    for (line, words) in [
        (
            "calibrate killbot killbot --rules lux --games 4 --plot x.svg",
            "--strangers",
        ),
        ("hint --exam --plans 5", "--plans"),
        ("hint --exam --map ring24", "--map"),
        ("analyze x.hgr --puzzles x.json --json", "--json"),
        (
            "bench --seconds -1",
            "--seconds takes a number from 0.001 to 3600, not '-1'",
        ),
    ] {
        refused(&folder.0, line, words);
    }
    assert_eq!(folder.0.read_dir().expect("a folder").count(), 0);
}

#[test]
fn a_map_that_would_steer_the_terminal_is_refused_and_not_obeyed() {
    let folder = Folder::new("escapes");
    let map = |name: &str, field: &str| {
        format!(
            r##"{{"name":{name}, {field} "continents":[{{"name":"C","bonus":1,"color":"#808080"}}],
             "territories":[{{"name":"A","continent":"C","connections":["B"],"position":[0,0]}},
             {{"name":"B","continent":"C","connections":["A"],"position":[0,0]}}]}}"##
        )
    };
    let cases = [
        (
            "escape.json",
            map(r#""\u001b[2Jmine""#, ""),
            "cannot be a name",
        ),
        ("empty.json", map(r#""""#, ""), "cannot be a name"),
        (
            "field.json",
            map(r#""m""#, r#""\u001b]0;t\u0007":1,"#),
            "unknown field",
        ),
    ];
    for (file, text, words) in cases {
        std::fs::write(folder.0.join(file), text).expect("writable");
        refused(&folder.0, &format!("maps show {file}"), words);
    }
}

#[test]
fn a_failed_data_set_leaves_nothing_behind() {
    let folder = Folder::new("unfinished");
    run(
        &folder.0,
        "match baseline simulation --rules sampling --games 4 --records r",
    );
    let mut records: Vec<_> = std::fs::read_dir(folder.0.join("r"))
        .expect("made")
        .map(|entry| entry.expect("readable").path())
        .collect();
    records.sort();
    let last = records.last().expect("four records").clone();
    let text = std::fs::read_to_string(&last).expect("text");
    let spoilt = text.replacen("\nend ", "\nend  ", 1);
    assert_ne!(spoilt, text);
    std::fs::write(&last, spoilt).expect("writable");
    for kind in dataset_kinds() {
        let out = format!("games.{kind}");
        std::fs::write(folder.0.join(&out), "older").expect("writable");
        refused(&folder.0, &format!("dataset read r --out {out}"), "line ");
        assert_eq!(
            std::fs::read_to_string(folder.0.join(&out)).expect("there"),
            "older"
        );
    }
    let names: Vec<_> = std::fs::read_dir(&folder.0)
        .expect("there")
        .map(|entry| entry.expect("readable").file_name())
        .filter(|name| name.to_string_lossy().starts_with('.'))
        .collect();
    assert!(names.is_empty(), "{names:?}");
    std::fs::write(&last, text).expect("writable");
    run(&folder.0, "dataset read r --out games.csv");
}

/// SIGTERM once left the file under its unfinished name.
#[cfg(unix)]
#[test]
fn a_terminated_data_set_leaves_nothing_unfinished() {
    let folder = Folder::new("terminated");
    let arguments =
        "dataset play baseline simulation --rules sampling --games 1000000000 --threads 1";
    let arguments: Vec<&str> = arguments.split(' ').chain(["--out", "games.csv"]).collect();
    let mut child = hegemon(&folder.0, &arguments)
        .stdout(std::process::Stdio::null())
        .spawn()
        .expect("the program starts");
    let names = || {
        let files = std::fs::read_dir(&folder.0).expect("there");
        let names = files.map(|entry| entry.expect("readable").file_name());
        names.map(|name| name.to_string_lossy().into_owned())
    };
    for _ in 0..6000 {
        if names().next().is_some() {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    assert!(names().all(|name| name.starts_with('.')), "it has begun");
    common::signal(&child, "TERM");
    assert!(child.wait().expect("ends").success());
    let names: Vec<String> = names().collect();
    assert_eq!(names, ["games.csv"]);
}

/// A score of the wrong length once ended `dataset read` with a panic.
#[test]
fn a_record_with_a_rewritten_end_is_a_sentence() {
    let folder = Folder::new("rewritten");
    run(
        &folder.0,
        "match baseline simulation --rules sampling --games 2 --records r",
    );
    let path = std::fs::read_dir(folder.0.join("r"))
        .expect("made")
        .map(|entry| entry.expect("readable").path())
        .next()
        .expect("a record");
    let text = std::fs::read_to_string(&path).expect("text");
    // In the first format only the replay detects it.
    let old: Vec<String> = text
        .lines()
        .filter(|line| !line.starts_with("sum "))
        .map(|line| line.replace("hegemon-record 3", "hegemon-record 1"))
        .collect();
    for end in [
        "round-cap score=5,-3",
        "forfeit:5:crash score=1,0",
        "conquest score=1",
        "conquest score=1,0,0",
    ] {
        let lines = old.iter().map(|line| {
            let hash = line
                .split_once("hash=")
                .filter(|_| line.starts_with("end "));
            hash.map_or(line.clone(), |(_, hash)| format!("end {end} hash={hash}"))
        });
        let forged: Vec<String> = lines.collect();
        std::fs::write(&path, forged.join("\n")).expect("writable");
        refused(&folder.0, "dataset read r --out x.csv", "the end says");
    }
}

/// Headers once named the whole command line, so no two files were equal.
#[test]
fn files_are_equal_whatever_the_threads_and_their_names() {
    let dataset = "dataset play baseline simulation --rules sampling --games 6 --out {}.";
    let train = "train weights --rules sampling --games 16 --match-games 4 --out {}.toml";
    let mut commands = vec![(train.to_owned(), "toml")];
    commands.extend(dataset_kinds().map(|kind| (format!("{dataset}{kind}"), kind)));
    let folder = Folder::new("equal");
    for (command, kind) in commands {
        run(&folder.0, &(command.replace("{}", "a") + " --threads 1"));
        run(&folder.0, &(command.replace("{}", "b") + " --threads 3"));
        let read = |name: &str| std::fs::read(folder.0.join(format!("{name}.{kind}")));
        assert!(
            read("a").expect("made") == read("b").expect("made"),
            "{command}"
        );
    }
    let folders = [
        "train draft --bot angry --drafts 24 --games 2 --out {}",
        "train beam --population 8 --generations 2 --out {}",
    ];
    for (n, command) in folders.iter().enumerate() {
        let (a, b) = (format!("a{n}"), format!("b{n}"));
        run(&folder.0, &(command.replace("{}", &a) + " --threads 1"));
        run(&folder.0, &(command.replace("{}", &b) + " --threads 3"));
        for entry in std::fs::read_dir(folder.0.join(&a)).expect("made") {
            let path = entry.expect("readable").path();
            let twin = folder.0.join(&b).join(path.file_name().expect("a name"));
            let (one, other) = (std::fs::read(&path), std::fs::read(&twin));
            assert!(
                one.expect("there") == other.expect("there"),
                "{}",
                path.display()
            );
        }
    }
}

#[test]
fn a_damaged_pool_is_refused_checked_and_repaired() {
    let folder = Folder::new("pool");
    run(&folder.0, "arena add baseline simulation --rules sampling");
    run(&folder.0, "arena run --games 40");
    let expected = run(&folder.0, "arena export");
    assert!(run(&folder.0, "arena check").contains("40 games are sound"));
    let pool = rusqlite::Connection::open(folder.0.join("arena.db")).expect("a file");
    pool.execute("UPDATE results SET places = 12 WHERE id >> 3 = 3", [])
        .expect("sound SQL");
    drop(pool);
    for command in ["arena show", "arena export", "arena run --games 50"] {
        refused(&folder.0, command, "game 0.3.");
    }
    refused(&folder.0, "arena check", "is damaged in");
    run(&folder.0, "arena check arena.db --repair");
    assert_eq!(run(&folder.0, "arena export"), expected);
}

#[test]
fn a_foreign_file_stays_as_it_is_and_the_lab_has_one_writer() {
    let folder = Folder::new("lab-store");
    let foreign = folder.0.join("foreign.db");
    let other = rusqlite::Connection::open(&foreign).expect("writable");
    other
        .execute_batch("CREATE TABLE things (x)")
        .expect("sound SQL");
    drop(other);
    let bytes = std::fs::read(&foreign).expect("readable");
    refused(
        &folder.0,
        "lab run 003-policies --scale smoke --store foreign.db",
        "it is no store of the lab",
    );
    refused(
        &folder.0,
        "play --port 0 --store foreign.db",
        "is not a store of this program",
    );
    refused(
        &folder.0,
        "arena add baseline --store foreign.db",
        "is not a pool of this program",
    );
    assert_eq!(std::fs::read(&foreign).expect("readable"), bytes);
    assert!(!folder.0.join("foreign.db-wal").exists());
    run(
        &folder.0,
        "lab run 003-policies --scale smoke --store lab.db",
    );
    // Tables of other programs may have names of ours.
    let names = [
        "CREATE TABLE app (format); INSERT INTO app VALUES (1);",
        "CREATE TABLE app (id, format); CREATE TABLE games (id, title); INSERT INTO app VALUES (1, 1);",
        "CREATE TABLE lab (format); INSERT INTO lab VALUES (1);",
        "CREATE TABLE lab (id, format); CREATE TABLE cells (x); INSERT INTO lab VALUES (1, 1);",
    ];
    for (n, tables) in names.into_iter().enumerate() {
        let path = folder.0.join(format!("similar{n}.db"));
        let other = rusqlite::Connection::open(&path).expect("writable");
        other.execute_batch(tables).expect("sound SQL");
        drop(other);
        let bytes = std::fs::read(&path).expect("readable");
        for (command, words) in [
            ("play --port 0", "is not a store of this program"),
            (
                "lab run 003-policies --scale smoke",
                "it is no store of the lab",
            ),
            ("arena add baseline", "is not a pool of this program"),
        ] {
            let line = format!("{command} --store similar{n}.db");
            refused(&folder.0, &line, words);
        }
        assert_eq!(std::fs::read(&path).expect("readable"), bytes, "{tables}");
        assert!(!folder.0.join(format!("similar{n}.db-wal")).exists());
    }
    // Stores from before files were marked are the lab's, but the program of their cells
    // is unknown.
    let old = rusqlite::Connection::open(folder.0.join("old.db")).expect("a store");
    old.execute_batch(
        "CREATE TABLE lab (id INTEGER PRIMARY KEY CHECK (id = 1), format INTEGER NOT NULL);
         CREATE TABLE cells (experiment TEXT, scale TEXT, seed INTEGER, key TEXT, value TEXT,
                             seconds REAL, version TEXT);
         INSERT INTO lab VALUES (1, 1);",
    )
    .expect("writable");
    drop(old);
    refused(
        &folder.0,
        "lab run 003-policies --scale smoke --store old.db",
        "made before provenance",
    );
    let held = std::fs::File::open(folder.0.join("lab.db")).expect("there");
    held.try_lock().expect("nobody else has it");
    refused(
        &folder.0,
        "lab run 003-policies --scale smoke --store lab.db",
        "another process is computing cells for it",
    );
}

/// Both once wrote to one unfinished file.
#[test]
fn two_data_sets_of_one_name_do_not_mix() {
    let folder = Folder::new("two-sets");
    let line = "dataset play baseline simulation --rules sampling --games 300 --out x.csv --seed";
    let start = |seed: &str| {
        let arguments: Vec<&str> = line.split(' ').chain([seed]).collect();
        hegemon(&folder.0, &arguments).spawn().expect("it starts")
    };
    let mut both = [start("1"), start("2")];
    for child in &mut both {
        assert!(child.wait().expect("it ends").success());
    }
    let found = std::fs::read(folder.0.join("x.csv")).expect("written");
    let alone = ["1", "2"].map(|seed| {
        run(&folder.0, &format!("{line} {seed}"));
        std::fs::read(folder.0.join("x.csv")).expect("written")
    });
    assert!(alone.contains(&found), "it is one of the two");
    assert_eq!(std::fs::read_dir(&folder.0).expect("there").count(), 1);
}

/// What a killed match was writing is not a record.
#[test]
fn half_a_record_spoils_no_folder() {
    let folder = Folder::new("half-record");
    run(
        &folder.0,
        "match baseline simulation --rules sampling --games 2 --records r",
    );
    let half = folder.0.join("r/.unfinished-1-game.hgr");
    std::fs::write(half, "hegemon-record 3\n").expect("writable");
    run(&folder.0, "dataset read r --out x.csv");
}

#[test]
fn an_empty_file_becomes_a_pool_of_what_is_asked() {
    let folder = Folder::new("empty-pool");
    std::fs::write(folder.0.join("arena.db"), "").expect("writable");
    let text = run(&folder.0, "arena add baseline simulation");
    assert!(text.contains("2 added"), "{text}");
}

/// Library jargon, multi-line messages, and internal names.
#[test]
fn messages_are_one_plain_sentence() {
    let folder = Folder::new("sentences");
    let long = "a1".repeat(5000);
    for (file, text) in [
        ("empty.json", ""),
        ("empty.toml", ""),
        ("empty.csv", ""),
        ("empty.db", ""),
        ("open.toml", "kind = \"x\"\ny = ["),
        ("open.json", "{\"name\":"),
        ("wrong.json", "{\"name\":\n 5}"),
        ("wrong.toml", "kind = \"linear\"\nfoo = 3\n"),
    ] {
        std::fs::write(folder.0.join(file), text).expect("writable");
    }
    std::fs::write(folder.0.join("cut.json"), "{").expect("writable");
    std::fs::write(folder.0.join("latin1.json"), b"{\"name\": \"\xc9\"}").expect("writable");
    std::fs::create_dir(folder.0.join("records")).expect("writable");
    std::fs::write(folder.0.join("records/a.hgr"), "").expect("writable");
    let perft = "perft --map line4 --rules sampling";
    let mut cases = vec![
        (
            format!("{perft} --seed 1 --depth 64"),
            "more than a trillion steps",
        ),
        (format!("{perft} --position=board={long}"), "a1a1\"...; "),
        (
            format!("{perft} --position=x"),
            "cannot be read at \"x\"; the position has no board; the position has no phase",
        ),
        (format!("{perft} --position="), "the position is empty"),
        ("maps show empty.json".to_owned(), "a map: it is empty"),
        ("maps validate empty.json".to_owned(), "it is empty"),
        (
            "maps validate open.json".to_owned(),
            "ends too early at line 1 column 8",
        ),
        ("maps validate wrong.json".to_owned(), "at line 2 column 2"),
        (
            "maps validate latin1.json".to_owned(),
            "cannot read latin1.json: it is not text (UTF-8)",
        ),
        (
            "merge cut.json".to_owned(),
            "not a part of a match: it ends too early at line 1",
        ),
        ("dataset report empty.csv".to_owned(), "it is empty"),
        (
            "dataset read records --out x.csv".to_owned(),
            "the record is empty",
        ),
        (
            "dataset play random random --out none/x.csv".to_owned(),
            "none/x.csv: No such file",
        ),
        ("lab report --store empty.db".to_owned(), "it is empty"),
        ("arena show --store empty.db".to_owned(), "is empty"),
        (
            "train weights --games 4 --checkpoint empty.json".to_owned(),
            "it is empty",
        ),
    ];
    for bot in [
        "greedy(weights={}.toml)",
        "beam(weights={}.toml)",
        "goal-uct(eval=learned,weights={}.toml)",
        "quo(draft=uct(weights={}.toml))",
    ] {
        for (file, words) in [
            ("empty", "it is empty"),
            ("open", "at line 2 column"),
            ("wrong", "at line "),
        ] {
            let bot = bot.replace("{}", file);
            cases.push((format!("match {bot} random --rules sampling"), words));
        }
    }
    for (line, words) in cases {
        refused(&folder.0, &line, words);
        let arguments: Vec<&str> = line.split(' ').collect();
        let output = hegemon(&folder.0, &arguments).output().expect("it starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.len() < 400, "{line}: {errors}");
        for word in [".unfinished", "`", "EOF", "TOML", "invalid type", "struct"] {
            let is_hint = word == "`" && errors.contains("arena add");
            assert!(is_hint || !errors.contains(word), "{line}: {errors}");
        }
    }
}

/// The link was once replaced by a file, and the lock of a checkpoint was that
/// of the link.
#[cfg(unix)]
#[test]
fn links_are_written_through_and_lead_past_no_lock() {
    let folder = Folder::new("links");
    std::fs::create_dir(folder.0.join("far")).expect("writable");
    let names = ["x.csv", "w.toml", "c.json", "d.txt", "lab.db", "arena.db"];
    for name in names {
        let target = format!("far/{name}");
        std::os::unix::fs::symlink(target, folder.0.join(name)).expect("links");
    }
    let train = "train weights --rules sampling --games 8 --match-games 2";
    let draft = "train draft --bot angry --drafts 20 --games 1";
    let held = [
        ("far/c.json.lock", train, "c.json"),
        ("far/d.txt.lock", draft, "d.txt"),
    ];
    for (lock, line, checkpoint) in held {
        let held = std::fs::File::create(folder.0.join(lock)).expect("writable");
        held.try_lock().expect("nobody else has it");
        let line = format!("{line} --checkpoint {checkpoint}");
        refused(&folder.0, &line, "another process is training with");
    }
    for line in [
        "dataset play baseline simulation --rules sampling --games 2 --out x.csv".to_owned(),
        format!("{train} --checkpoint c.json --out w.toml"),
        format!("{draft} --checkpoint d.txt"),
        "lab run 003-policies --scale smoke --store lab.db".to_owned(),
        "arena add baseline --store arena.db".to_owned(),
    ] {
        run(&folder.0, &line);
        // And again where a file is there.
        run(&folder.0, &line);
    }
    for name in names {
        let link = std::fs::symlink_metadata(folder.0.join(name)).expect("there");
        assert!(link.is_symlink(), "{name}");
        let far = std::fs::symlink_metadata(folder.0.join("far").join(name));
        assert!(far.expect("written").is_file(), "{name}");
    }
}

#[test]
fn a_flipped_bit_in_a_data_set_is_found() {
    let folder = Folder::new("flipped");
    for kind in dataset_kinds() {
        let name = format!("rows.{kind}");
        let play = "dataset play baseline simulation --rules sampling --games 2 --out";
        run(&folder.0, &format!("{play} {name}"));
        run(&folder.0, &format!("dataset report {name}"));
        let path = folder.0.join(&name);
        let bytes = std::fs::read(&path).expect("written");
        let mut flipped = bytes.clone();
        flipped[bytes.len() / 2] ^= 1;
        std::fs::write(&path, flipped).expect("writable");
        for command in ["report", "fit"] {
            refused(&folder.0, &format!("dataset {command} {name}"), &name);
        }
    }
}

#[test]
fn a_damaged_cell_of_the_lab_is_named_and_computed_again() {
    let folder = Folder::new("damaged-cell");
    let line = "lab run 003-policies --scale smoke";
    let report = "lab report --scale smoke --out report";
    run(&folder.0, line);
    run(&folder.0, report);
    let store = || rusqlite::Connection::open(folder.0.join("lab.db")).expect("a store");
    let value = || -> String {
        let query = "SELECT value FROM cells ORDER BY key LIMIT 1";
        let found = store().query_row(query, [], |row| row.get(0));
        found.expect("a cell")
    };
    let expected = value();
    let change = "UPDATE cells SET value = replace(value, '1', '2')
                  WHERE key = (SELECT min(key) FROM cells)";
    assert_eq!(store().execute(change, []), Ok(1));
    assert_ne!(value(), expected);
    let words = "of 003-policies at --scale smoke --seed 1 is damaged";
    refused(&folder.0, report, words);
    let text = run(&folder.0, line);
    assert!(text.contains("1 computed"), "{text}");
    assert!(text.contains("was damaged"), "{text}");
    assert_eq!(value(), expected);
    run(&folder.0, report);
}

/// As root, a store or an output named after a device once replaced it.
#[cfg(unix)]
#[test]
fn only_plain_files_are_written() {
    let folder = Folder::new("places");
    run(
        &folder.0,
        "dataset play baseline simulation --rules sampling --games 2 --out rows.csv",
    );
    let pipe = |name: &str| {
        let mut mkfifo = std::process::Command::new("mkfifo");
        let made = mkfifo.arg(folder.0.join(name)).status();
        assert!(made.expect("mkfifo").success());
    };
    let device =
        |name: &str| std::os::unix::fs::symlink("/dev/null", folder.0.join(name)).expect("links");
    for kind in ["db", "csv", "parquet", "toml", "svg", "json"] {
        pipe(&format!("pipe.{kind}"));
        device(&format!("device.{kind}"));
        std::fs::create_dir(folder.0.join(format!("folder.{kind}"))).expect("writable");
    }
    let names = || {
        let entries = std::fs::read_dir(&folder.0).expect("there");
        let mut names: Vec<_> = entries
            .map(|entry| {
                let entry = entry.expect("readable");
                (entry.file_name(), entry.file_type().expect("readable"))
            })
            .collect();
        names.sort_by(|a, b| a.0.cmp(&b.0));
        names
    };
    let before = names();
    for place in ["pipe", "device", "folder"] {
        for line in [
            "arena add baseline --store {}.db",
            "arena show --store {}.db",
            "arena check {}.db",
            "lab run 003-policies --scale smoke --store {}.db",
            "lab report --store {}.db --out report",
            "play --port 0 --store {}.db",
            "dataset play baseline simulation --rules sampling --games 2 --out {}.csv",
            "dataset play baseline simulation --rules sampling --games 2 --out {}.parquet",
            "dataset report rows.csv --plot {}.svg",
            "dataset fit rows.csv --out {}.toml",
            "train weights --games 4 --out {}.toml",
            "train weights --games 4 --checkpoint {}.json",
            "train draft --drafts 2 --games 2 --checkpoint {}.json",
        ] {
            refused(&folder.0, &line.replace("{}", place), "not a file");
        }
    }
    for line in [
        "match baseline simulation --games 2 --records",
        "train draft --drafts 2 --games 2 --out",
        "train beam --out",
    ] {
        refused(
            &folder.0,
            &format!("{line} pipe.db"),
            "pipe.db: it is a device or a pipe",
        );
        refused(
            &folder.0,
            &format!("{line} rows.csv"),
            "rows.csv: it is a file, not a folder",
        );
    }
    assert_eq!(names(), before);
}

/// SQLite's own message is "unable to open database file".
#[cfg(unix)]
#[test]
fn a_store_in_a_closed_folder_is_a_sentence() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;

    let folder = Folder::new("closed");
    let line = "lab run 003-policies --scale smoke --store lab.db";
    run(&folder.0, line);
    let close = |mode| {
        let permissions = std::fs::Permissions::from_mode(mode);
        std::fs::set_permissions(&folder.0, permissions).expect("ours");
    };
    close(0o555);
    let is_root = std::fs::metadata("/proc/self").is_ok_and(|facts| facts.uid() == 0);
    for (line, words) in [
        (line, "cannot be written to"),
        (
            "lab report --scale smoke --store lab.db --out r",
            "cannot be written to",
        ),
        (
            "lab run 003-policies --scale smoke --store new.db",
            "Permission denied",
        ),
        ("arena add baseline --store new.db", "Permission denied"),
    ] {
        let mut command = hegemon(&folder.0, &line.split(' ').collect::<Vec<_>>());
        if is_root {
            // Root may write anywhere.
            command.uid(65_534).gid(65_534);
        }
        // If only root can access the program, this cannot be tested.
        let Ok(output) = command.output() else { break };
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!output.status.success(), "{line}");
        assert!(errors.contains(words), "{line}: {errors}");
        assert_eq!(errors.trim_end().lines().count(), 1, "{line}: {errors}");
    }
    close(0o755);
}

#[test]
fn a_second_training_on_one_checkpoint_is_refused() {
    let folder = Folder::new("two-trainings");
    let lines = [
        (
            "train weights --rules sampling --games 8 --match-games 2 --checkpoint c.json",
            "c.json.lock",
        ),
        (
            "train draft --bot angry --drafts 20 --games 1 --checkpoint d.txt",
            "d.txt.lock",
        ),
        (
            "train beam --population 4 --generations 1 --out b",
            "b/.lock",
        ),
    ];
    std::fs::create_dir(folder.0.join("b")).expect("writable");
    for (line, lock) in lines {
        let held = std::fs::File::create(folder.0.join(lock)).expect("writable");
        held.try_lock().expect("nobody else has it");
        refused(&folder.0, line, "another process is training with");
        drop(held);
        run(&folder.0, line);
    }
}

#[test]
fn a_damaged_checkpoint_of_a_training_is_a_sentence() {
    let folder = Folder::new("damaged-checkpoint");
    for (line, file, words) in [
        (
            "train weights --rules sampling --games 64 --match-games 2 --checkpoint c.json",
            "c.json",
            "it was damaged",
        ),
        (
            "train draft --bot angry --drafts 20 --games 1 --checkpoint d.txt",
            "d.txt",
            "is wrong",
        ),
    ] {
        run(&folder.0, line);
        let path = folder.0.join(file);
        let mut bytes = std::fs::read(&path).expect("written");
        let at = bytes.len() - 30;
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).expect("writable");
        refused(&folder.0, line, words);
    }
}

/// A build without Parquet says so before it plays, and how to get it.
#[cfg(not(feature = "parquet"))]
#[test]
fn a_program_without_parquet_says_how_to_get_it() {
    let folder = Folder::new("no-parquet");
    let command = "dataset play baseline simulation --rules sampling --games 6 --out a.parquet";
    refused(&folder.0, command, "--features parquet");
    assert!(!folder.0.join("a.parquet").exists());
}

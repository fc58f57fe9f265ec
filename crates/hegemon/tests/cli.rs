//! The program's output, as text and as JSON. Snapshots are renewed with
//! `INSTA_UPDATE=always cargo test -p hegemon`.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Runs the program in the folder of the test data, on a page of 80 columns.
fn hegemon(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hegemon"))
        .args(args)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data"))
        .env("COLUMNS", "80")
        .output()
        .expect("the program starts")
}

/// A line of arguments; no argument contains blanks.
fn run(line: &str) -> Output {
    hegemon(&line.split_whitespace().collect::<Vec<_>>())
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("text")
}

/// What a terminal shows for each line of arguments.
fn session(lines: &[&str]) -> String {
    let shown = lines.iter().map(|line| {
        let output = run(line);
        let code = match output.status.code() {
            Some(0) => String::new(),
            code => format!("(exit code {})\n", code.expect("not killed")),
        };
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        format!("$ hegemon {line}\n{out}{err}{code}")
    });
    shown.collect::<Vec<_>>().join("\n")
}

/// Runs a line that must succeed and parses what it prints.
fn json(line: &str) -> Value {
    let output = run(line);
    assert!(output.status.success(), "{line}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).expect(line)
}

#[test]
fn the_guide_is_short() {
    insta::assert_snapshot!("guide", session(&[""]));
}

#[test]
fn help_pages_fit_on_a_page_and_have_an_example() {
    let commands = [
        "",
        "play",
        "odds",
        "analyze",
        "hint",
        "analysis",
        "calibrate",
        "maps",
        "maps list",
        "maps show",
        "maps validate",
        "maps check",
        "maps import",
        "maps export",
        "rules",
        "rules list",
        "rules show",
        "bots",
        "lab",
        "lab list",
        "lab run",
        "lab report",
        "lab repeat",
        "perft",
        "bench",
        "doctor",
        "completions",
        "man",
    ];
    for command in commands {
        let line = format!("{command} --help");
        let shown = session(&[line.trim()]);
        for long in shown.lines().filter(|line| line.chars().count() > 80) {
            assert!(long.contains("hegemon completions"), "{line}: {long}");
        }
        assert!(shown.contains("Example"), "{line}");
        insta::assert_snapshot!(format!("help {command}").trim().replace(' ', "-"), shown);
    }
}

#[test]
fn commands_of_pools_data_sets_and_training_have_an_example() {
    for command in [
        "arena add",
        "arena run",
        "arena show",
        "arena export",
        "arena check",
        "dataset play",
        "dataset read",
        "dataset report",
        "dataset fit",
        "train",
    ] {
        let shown = session(&[&format!("{command} --help")]);
        assert!(shown.contains("Example: hegemon "), "{command}: {shown}");
    }
}

#[test]
fn every_bot_fits_on_a_page() {
    for bot in hegemon_bots::bots() {
        let shown = session(&[&format!("bots {}", bot.name)]);
        let long = shown.lines().find(|line| line.chars().count() > 80);
        assert_eq!(long, None, "{}", bot.name);
    }
}

#[test]
fn odds_of_battles() {
    insta::assert_snapshot!(
        "odds-battle",
        session(&[
            "odds 5 4",
            "odds 1 1 --full",
            "odds 8 6 --until 3 --full",
            "odds 5 4 --defender-two-from 3",
            "odds 30 15 --capital --battle balanced-blitz",
            "odds 12 10 --rules beam",
            "odds 0 3",
            "odds 3 0",
            "odds 1000 1000",
        ])
    );
}

#[test]
fn odds_of_chains_forces_and_tables() {
    insta::assert_snapshot!(
        "odds-more",
        session(&[
            "odds 20 --chain 3,2,5,1",
            "odds 20 --chain 3,2,5,1 --leave 1,2,1,1",
            "odds 4 --chain 1,1 --full",
            "odds --need 0.8 --against 10",
            "odds --need 80% --chain 3,2,5,1",
            "odds --table 10",
            "odds --table 3 --defender-two-from 3",
        ])
    );
}

/// One player in Siam, the other everywhere else on the classic map.
fn siam(armies: u32) -> String {
    let board: String = (0..42)
        .map(|t| match t {
            35 => format!("a{armies}"),
            _ => "b2".to_owned(),
        })
        .collect();
    format!("board={board} phase=attack player=0 round=3")
}

#[test]
fn odds_of_campaigns() {
    let position = siam(14);
    let odds = ["odds", "--rules", "lux", "--position", &position];
    let shown = |more: &[&str]| {
        let output = hegemon(&[&odds[..], more].concat());
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        format!("$ hegemon odds ... {}\n{out}{err}", more.join(" "))
    };
    let lines = [
        shown(&["--from", "Siam", "--take", "Australia"]),
        shown(&["--take", "Indonesia,New Guinea", "--garrison", "2"]),
        shown(&["--take", "Australia", "--need", "80%"]),
        shown(&["--take", "Austria"]),
        shown(&["--take", "7"]),
        shown(&["--take", "2"]),
        shown(&[]),
        shown(&["--threat", "--rollouts", "20"]),
    ];
    insta::assert_snapshot!("odds-campaign", lines.join("\n"));
}

#[test]
fn a_hint_is_json_with_reasons() {
    let output = hegemon(&[
        "hint",
        &siam(14),
        "--rules",
        "lux",
        "--level",
        "fast",
        "--json",
    ]);
    let hints: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let plan = &hints["plans"][0];
    for key in [
        "moves", "words", "chance", "error", "losses", "kills", "why",
    ] {
        assert!(!plan[key].is_null(), "{key}: {plan}");
    }
    let page = hegemon(&["hint", &siam(14), "--rules", "lux", "--level", "fast"]);
    for line in text(&page.stdout).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
}

#[test]
fn a_recorded_game_is_analysed() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("analyze");
    // `match` refuses a folder with the records of an earlier run.
    let _ = std::fs::remove_dir_all(&folder);
    let folder = folder.to_str().expect("text");
    let players = [
        "match", "killbot", "angry", "--rules", "lux", "--games", "2",
    ];
    let played = hegemon(&[&players[..], &["--adjust", "value", "--records", folder]].concat());
    assert!(played.status.success(), "{}", text(&played.stderr));
    let record = format!("{folder}/game-0000001.hgr");
    let page = hegemon(&["analyze", &record, "--level", "fast"]);
    for line in text(&page.stdout).lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let output = hegemon(&["analyze", &record, "--level", "fast", "--json"]);
    let analysis: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let adjusted = |n: usize| {
        analysis["totals"][n]["adjusted"]
            .as_f64()
            .expect("a number")
    };
    assert!((adjusted(0) + adjusted(1) - 1.0).abs() < 1e-3);
    assert_eq!(analysis["n_judged"], analysis["n_decisions"]);
}

#[test]
fn queries_are_answered_line_by_line() {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut program = Command::new(env!("CARGO_BIN_EXE_hegemon"))
        .args(["analysis", "--threads", "1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let query = serde_json::json!({
        "id": "a", "rules": "lux", "players": 2, "positions": [siam(9)], "level": "fast",
    });
    let mut input = program.stdin.take().expect("piped");
    writeln!(input, "{query}\nnonsense").expect("it reads");
    drop(input);
    let output = program.wait_with_output().expect("it ends");
    let mut kinds: Vec<String> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON")["kind"].to_string())
        .collect();
    kinds.sort();
    assert_eq!(kinds, ["\"done\"", "\"error\"", "\"position\""]);
}

#[test]
fn lists_and_sheets() {
    insta::assert_snapshot!(
        "lists",
        session(&[
            "maps list",
            "maps show duel6",
            "maps validate ../../../../maps/classic.json",
            "rules list",
            "rules show classic",
            "bots random",
            "perft --map triangle3 --rules sampling --seed 1 --depth 4",
            "perft --map triangle3 --rules sampling --set battle.attack=to-the-end --depth 5",
        ])
    );
}

#[test]
fn mistakes_are_sentences() {
    let lines = [
        "odds",
        "odds 5",
        "odds 5 x",
        "odds 5 -4",
        "odds 5 40000",
        "match baseline simulation --games x",
        "match baseline simulation --seed -1",
        "hint x --players 9",
        "sprt baseline simulation --elo0 much",
        "play --port 70000",
        "odds 5 4 --battle grups",
        "odds 5 4 --battle groups --capital",
        "odds 5 4 --chain 3,2",
        "odds 5 --chain 3,2 --leave 0",
        "odds 5 --chain 3,2 --leave 1,1,1",
        "odds --need 0.5",
        "odds --need 120% --against 3",
        "odds --need 1 --against 3",
        "odds --need 1 --chain 3,2",
        "odds 5 4 --rules clasic",
        "odds 5 4 --rules nonsense",
        "odds 5 4 --rules nothing.toml",
        "odds 5 4 --rules contradictory-rules.toml",
        "odds 5 4 --rules misspelt-rules.toml",
        "odds 5 4 --set batle.attack=groups",
        "odds 5 4 --set battle.atack=groups",
        "odds 5 4 --set battle.attack=war",
        "odds 5 4 --set victory={\"capitals\":{\"hold\":3}}",
        "odds 5 4 --set victory={\"capitals\":",
        "odds 5 4 --set victory",
        "maps show clasic",
        "maps show nonsense",
        "maps show faulty-map.json",
        "maps show misspelt-rules.toml",
        "rules show lx",
        "bots basline",
        "perft --map trangle3",
        "perft --rules sampling --players 3",
        "perft --map line4 --position x=3",
        "bench --seconds 0",
        "man odd",
        "mapps",
    ];
    for line in lines {
        let output = run(line);
        assert!(!output.status.success(), "{line}");
        assert_eq!(text(&output.stdout), "", "{line}");
        let sentence = text(&output.stderr);
        assert!(sentence.starts_with("error: "), "{line}: {sentence}");
        assert_eq!(sentence.lines().count(), 1, "{line}: {sentence}");
    }
    insta::assert_snapshot!("mistakes", session(&lines));
}

#[test]
fn a_spec_of_thousands_of_levels_is_a_sentence() {
    for n in [10, 100, 8000] {
        let spec = "rollout(base=".repeat(n) + "baseline" + &")".repeat(n);
        let output = hegemon(&["match", &spec, "baseline"]);
        assert_eq!(output.status.code(), Some(2), "{n} levels");
        let sentence = text(&output.stderr);
        assert!(sentence.starts_with("error: "), "{sentence}");
        assert_eq!(sentence.lines().count(), 1, "{sentence}");
        assert!(sentence.len() < 500, "{sentence}");
        assert!(sentence.contains("at most"), "{sentence}");
    }
}

#[test]
fn ranges_of_parameters_are_printed() {
    let output = run("bots emm");
    let sheet = text(&output.stdout);
    assert!(sheet.contains("1 to 10000"), "{sheet}");
    let sheet = json("bots emm --json");
    let range = |n: usize| sheet["parameters"][n]["range"].clone();
    assert_eq!(range(0), "1 to 100");
    assert_eq!(range(3), "paranoid, maxn, offensive, mpmix");
}

#[test]
fn all_faults_of_a_map_come_at_once() {
    insta::assert_snapshot!(
        "faulty-map",
        session(&[
            "maps validate faulty-map.json",
            "maps validate faulty-map.json --json"
        ])
    );
}

#[test]
fn win_has_six_decimals_and_all_of_them_elsewhere() {
    let output = run("odds 5 4 --json");
    assert!(text(&output.stdout).contains("\"win\": 0.638295,"));
    let exact = 1166853115687865.0 / 1828079220031488.0;
    let given = json("odds 5 4 --json")["win_exact"]
        .as_f64()
        .expect("a number");
    assert!((given - exact).abs() < 1e-15, "{given}");
    assert!(text(&run("odds 0 3 --json").stdout).contains("\"win\": 0.0,"));
}

#[test]
fn json_has_the_same_shape_always() {
    let shapes: [(&str, &[&str]); 11] = [
        (
            "odds 5 4 --full --json",
            &[
                "fighters",
                "defenders",
                "until",
                "law",
                "win",
                "win_exact",
                "expected_losses",
                "if_won",
                "if_not_won",
                "outcomes",
            ],
        ),
        (
            "odds 20 --chain 3,2,5,1 --full --json",
            &[
                "fighters",
                "law",
                "win",
                "win_exact",
                "mean_left",
                "chain",
                "survivors",
            ],
        ),
        (
            "odds --need 0.8 --against 10 --json",
            &[
                "need",
                "against",
                "law",
                "fighters",
                "armies",
                "win",
                "win_exact",
                "one_fewer",
            ],
        ),
        ("odds --table 2 --json", &["law", "win"]),
        (
            "maps list --json",
            &[
                "name",
                "territories",
                "connections",
                "continents",
                "missions",
            ],
        ),
        (
            "maps show line4 --json",
            &[
                "name",
                "hash",
                "connections",
                "continents",
                "territories",
                "missions",
            ],
        ),
        (
            "maps validate ../../../../maps/line4.json --json",
            &["file", "valid", "faults"],
        ),
        ("rules list --json", &["name", "players", "about"]),
        ("bots --json", &["name", "about", "source", "parameters"]),
        (
            "bots random --json",
            &["name", "about", "source", "parameters"],
        ),
        (
            "perft --map line4 --rules sampling --json",
            &["position", "interrupted", "depths"],
        ),
    ];
    for (line, keys) in shapes {
        let answer = json(line);
        let sheets = answer.as_array().cloned().unwrap_or_else(|| vec![answer]);
        for sheet in sheets {
            let fields = sheet.as_object().expect(line);
            let mut expected = keys.to_vec();
            expected.sort_unstable();
            assert_eq!(fields.keys().collect::<Vec<_>>(), expected, "{line}");
        }
    }
}

#[test]
fn rules_shown_can_be_used_again() {
    let folder = std::env::temp_dir().join(format!("hegemon-cli-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for (name, flags) in [("lux.toml", vec![]), ("lux.json", vec!["--json"])] {
        let shown = hegemon(&[&["rules", "show", "lux"], flags.as_slice()].concat()).stdout;
        let file = folder.join(name);
        std::fs::write(&file, &shown).expect("written");
        let file = file.to_str().expect("a plain name");
        let again = hegemon(&[&["rules", "show", file], flags.as_slice()].concat()).stdout;
        assert_eq!(text(&again), text(&shown));
    }
    std::fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn the_version_names_commit_and_signature() {
    let said = run("--version");
    let said = text(&said.stdout).trim();
    let signature = include_str!("../SIGNATURE").trim();
    assert!(
        said.starts_with(concat!("hegemon ", env!("CARGO_PKG_VERSION"), ", ")),
        "{said}"
    );
    assert!(said.contains("commit"), "{said}");
    assert!(
        said.ends_with(&format!(", signature {signature}")),
        "{said}"
    );
    let report = json("match baseline simulation --rules sampling --games 2 --json");
    assert_eq!(
        format!("hegemon {}", report["program"].as_str().expect("text")),
        said
    );
}

const SIGNATURE: &str = include_str!("../SIGNATURE");

#[test]
fn the_committed_signature_is_the_one_that_is_played() {
    let played = run("bench --signature");
    assert_eq!(
        text(&played.stdout),
        SIGNATURE,
        "play has changed: write the new number to crates/hegemon/SIGNATURE"
    );
}

#[test]
fn bench_gives_all_figures_and_the_signature() {
    let figures = json("bench --json --seconds 0.01");
    let names = [
        "playouts_per_s",
        "playouts_per_cpu_s",
        "games_per_s",
        "games_per_cpu_s",
    ];
    for name in names {
        assert!(
            figures[name].as_f64().is_some_and(|rate| rate > 0.0),
            "{name}"
        );
    }
    assert_eq!(figures["signature"].to_string(), SIGNATURE.trim());
}

#[test]
fn every_bot_is_listed() {
    let list = run("bots").stdout;
    for bot in json("bots --json").as_array().expect("a list") {
        let name = bot["name"].as_str().expect("a name");
        assert!(
            text(&list).lines().any(|line| line.starts_with(name)),
            "{name}"
        );
    }
}

#[test]
fn completions_and_manual_pages_are_made() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        assert!(
            text(&run(&format!("completions {shell}")).stdout).contains("chain"),
            "{shell}"
        );
    }
    assert!(text(&run("man odds").stdout).contains("\\-\\-chain"));
}

/// The pages that a page refers to as those of commands below it, and theirs.
fn manual_pages(words: &str, title: &str) -> Vec<(String, String)> {
    let page = text(&run(&format!("man {words}")).stdout).to_owned();
    let titles = page.lines().filter_map(|line| line.strip_suffix("(1)"));
    let below = format!("{title}-");
    let titles = titles.map(|line| line.replace('\\', ""));
    let names: Vec<String> = titles
        .filter_map(|line| Some(line.strip_prefix(&below)?.to_owned()))
        .collect();
    let inner = names.iter().flat_map(|name| {
        let words = format!("{words} {name}");
        manual_pages(words.trim(), &format!("{title}-{name}"))
    });
    let mut pages: Vec<(String, String)> = inner.collect();
    pages.push((words.to_owned(), page));
    pages
}

#[test]
fn every_command_has_a_manual_page_with_an_example() {
    let pages = manual_pages("", "hegemon");
    for words in ["", "odds", "arena add", "train beam", "maps import"] {
        assert!(pages.iter().any(|(known, _)| known == words), "{words}");
    }
    for (words, page) in &pages {
        let sections: Vec<&str> = page
            .lines()
            .filter_map(|l| l.strip_prefix(".SH "))
            .collect();
        for wanted in ["SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES"] {
            assert!(sections.contains(&wanted), "{words}: {sections:?}");
        }
        assert!(!sections.contains(&"EXTRA"), "{words}");
        assert!(!page.contains("help(1)"), "{words}");
        let (_, examples) = page.split_once(".SH EXAMPLES\n.nf\n").expect(words);
        let (examples, _) = examples.split_once("\n.fi").expect(words);
        assert!(examples.contains("hegemon "), "{words}: {examples}");
    }
    let (_, page) = pages
        .iter()
        .find(|(words, _)| words == "arena add")
        .expect("one");
    assert!(page.contains("[OPTIONS] <SPEC>"), "{page}");
    assert!(page.contains("hegemon\\-arena(1), hegemon(1)"), "{page}");
}

#[test]
fn the_shell_offers_names_and_files_stay_good_values() {
    for shell in ["bash", "fish", "zsh"] {
        let script = run(&format!("completions {shell}"));
        let script = text(&script.stdout);
        for name in ["triangle3", "sampling", "better-pixie", "002-tournament"] {
            // The generator for fish leaves out arguments without a dash.
            let is_left_out = shell == "fish" && name.starts_with('0');
            assert!(script.contains(name) || is_left_out, "{shell}: {name}");
        }
        let (files, names_alone) = match shell {
            "zsh" => ("duel6; _files}", "duel6)"),
            "fish" => ("-r -F -a \"classic\\t", "-r -f -a \"classic\\t"),
            _ => ("-o default", "-o nofiles"),
        };
        assert!(script.contains(files), "{shell}: {files}");
        assert!(!script.contains(names_alone), "{shell}: {names_alone}");
        assert!(
            !script.contains("'*::specs"),
            "options are offered after a spec"
        );
    }
    for line in ["maps show nowhere.json", "rules show nowhere.toml"] {
        let said = run(line);
        assert!(text(&said.stderr).contains("cannot read nowhere"), "{line}");
    }
    assert!(!text(&run("match --help").stdout).contains("possible values: classic"));
}

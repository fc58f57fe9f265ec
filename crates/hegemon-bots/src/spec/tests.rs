use super::*;

fn parsed(text: &str) -> Spec {
    text.parse().expect(text)
}

#[test]
fn what_is_printed_is_read_as_the_same_tree() {
    for text in [
        "baseline",
        "mcts(k=20,c=1.2)",
        "mcts(c=1e+5)",
        "quo(draft=uct(sims=3000,c=0.01))",
        "goal-uct(rivals=killbot+mcts(iters=5)+quo,goals=continent+deny)",
        "beam(weights=./a-b/c.toml)",
        "cmd(python3 bot.py --depth 3, -x)",
        "cmd(move-ms=5,game-ms=7: ./bot a=1: b)",
        "cmd(echo ')' ; ./bot)",
        "rollout(base=cmd(python3 bot.py (x)),playouts=3)",
    ] {
        let spec = parsed(text);
        assert_eq!(spec.to_string(), text);
        assert_eq!(parsed(&spec.to_string()), spec);
    }
}

#[test]
fn blanks_stand_between_words_and_never_inside() {
    let spaced = " rollout ( base = mcts ( k = 5 ) , playouts=20 ) ";
    assert_eq!(
        parsed(spaced),
        parsed("rollout(base=mcts(k=5),playouts=20)")
    );
    assert_eq!(parsed("rollout(base=quo())"), parsed("rollout(base=quo)"));
    for text in [
        "rollout(base=cm d(id))",
        "rollout(base=base line)",
        "mcts(k=2 0)",
        "mcts(k=2\u{a0}0)",
        "mcts(i ters=20)",
        "a b",
    ] {
        assert!(text.parse::<Spec>().is_err(), "{text:?}");
    }
    // Blanks do not hide a program.
    for text in ["rollout(base=cmd (id))", "rollout(base= cmd( id ))"] {
        let spec = parsed(text);
        let Some(Value::Spec(base)) = spec.value("base") else {
            panic!("{text}");
        };
        assert_eq!(base.name, "cmd");
        assert_eq!(base.value(""), Some(&Value::Command("id".to_owned())));
    }
}

/// Texts that differ a little from good ones.
#[test]
fn mutated_texts_are_refused_or_print_as_the_same_tree() {
    let good = include_str!("../registry/endless.txt");
    let mut texts: Vec<&str> = good.lines().collect();
    texts.push("cmd(move-ms=5,game-ms=7: ./bot a=1: b)");
    texts.push("goal-uct(goals=continent+deny,rivals=quo+cmd(x (y)))");
    let signs: Vec<char> = "()=,+: eE-.\\/x1\u{a0}\u{7}é".chars().collect();
    let mut rng = hegemon_core::Rng::from_seed(1);
    let mut n_read = 0;
    for _ in 0..200_000 {
        let mut text: Vec<char> = rng.pick(&texts).expect("some").chars().collect();
        for _ in 0..=rng.below(4) {
            let at = rng.below(text.len() as u32) as usize;
            let sign = *rng.pick(&signs).expect("some");
            match rng.below(3) {
                0 => text[at] = sign,
                1 => text.insert(at, sign),
                _ if text.len() > 1 => drop(text.remove(at)),
                _ => {}
            }
        }
        let text: String = text.into_iter().collect();
        let Ok(spec) = text.parse::<Spec>() else {
            continue;
        };
        n_read += 1;
        let again = spec.to_string().parse::<Spec>();
        assert_eq!(again.as_ref(), Ok(&spec), "{text:?} prints as {spec}");
        // Examining any spec terminates without a panic.
        let _ = crate::Demand::of(&spec);
    }
    assert!(n_read > 1000, "{n_read}");
}

#[test]
fn refuses_nonsense() {
    for text in [
        "",
        "(",
        "a(",
        "a)",
        "a(b)",
        "a(b=)",
        "a(=1)",
        "a(b=(1)",
        "a(b=1))",
        "a(b=1,)",
        "a(b=1)x",
        "a(b=c+)",
        "a(b=+c)",
        "a(b=/x(y=1))",
        "a(b=\u{7})",
        "cmd(",
        "rollout(base=cmd()",
    ] {
        assert!(text.parse::<Spec>().is_err(), "{text:?}");
    }
}

#[test]
fn lists_of_specs_are_split_at_commas_outside_brackets() {
    let specs = Spec::parse_list("quo, mcts(k=5,c=1), cmd(a, b)").expect("three");
    let names: Vec<String> = specs.iter().map(Spec::to_string).collect();
    assert_eq!(names, ["quo", "mcts(k=5,c=1)", "cmd(a, b)"]);
    assert!(Spec::parse_list("quo,").is_err());
}

fn nested(levels: usize) -> String {
    let mut text = "baseline".to_owned();
    for _ in 1..levels {
        text = format!("rollout(base={text})");
    }
    text
}

#[test]
fn a_spec_of_thousands_of_levels_is_one_sentence() {
    assert!(nested(MAX_SPEC_DEPTH).parse::<Spec>().is_ok());
    assert!(
        nested(MAX_SPEC_DEPTH + 1).parse::<Spec>().is_ok(),
        "a plain innermost bot is a word"
    );
    let message = |text: &str| {
        let error = text.parse::<Spec>().expect_err("refused").to_string();
        assert!(error.len() < 200 && !error.contains('\n'), "{error}");
        error
    };
    assert!(message(&nested(MAX_SPEC_DEPTH + 2)).contains("at most 8 deep"));
    assert!(message(&nested(200)).contains("at most 8 deep"));
    assert!(message(&nested(1000)).contains("at most 4096 bytes"));
    assert!(message(&nested(8000)).contains("at most 4096 bytes"));
    assert!(message(&"a(b=".repeat(1000)).contains("at most 8 deep"));
    assert!(message(&"(".repeat(4096)).contains("is not a bot spec"));
    assert!(message(&format!("cmd({})", "x".repeat(5000))).contains("4096 bytes"));
    let many = vec!["quo"; 300].join("+");
    assert!(message(&format!("goal-uct(rivals={many})")).contains("at most 256 values"));
}

/// Specs are printed in tables and written into files; a command line used to
/// keep control characters.
#[test]
fn control_characters_are_refused() {
    for text in [
        "baseline\u{1b}[2J",
        "cmd(./bot \u{1b}]0;title\u{7})",
        "cmd(./bot\n./other)",
        "rollout(base=cmd(./bot\0))",
        "mcts(k=5,\tc=1)",
        "greedy(weights=a\u{9b}31m)",
    ] {
        let error = text.parse::<Spec>().expect_err(text);
        assert_eq!(error, SpecError::Control);
        assert!(!error.to_string().contains(char::is_control));
    }
}

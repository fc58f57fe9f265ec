//! Changes of single rules, as `--set KEY=VALUE` makes them, and what each rule takes.

use anyhow::{anyhow, bail};
use hegemon_bots::nearest;
use hegemon_core::{Rules, json_fault, json_line_fault};
use serde_json::Value;

use crate::inputs::shell_word;

/// A rule that can be changed.
struct RuleForm {
    /// Its key.
    key: &'static str,
    /// What it takes, in words.
    takes: &'static str,
    /// A value of it.
    example: &'static str,
}

const fn form(key: &'static str, takes: &'static str, example: &'static str) -> RuleForm {
    RuleForm {
        key,
        takes,
        example,
    }
}

/// As they are printed by `hegemon rules show`. A test compares them with the rules.
const FORMS: [RuleForm; 31] = [
    form("players", "the fewest and the most players", "[2,4]"),
    form("start", "deal or draft", "deal"),
    form("first-player", "seat or random", "random"),
    form(
        "initial-armies",
        "lux, or by-players with the armies of games of 2, 3, 4, 5 and 6",
        r#"{"by-players":[40,35,30,25,20]}"#,
    ),
    form(
        "placement",
        "all-at-once, even, scatter, or round-robin with batch and merge-last",
        r#"{"round-robin":{"batch":1,"merge-last":false}}"#,
    ),
    form("neutral", "true or false", "false"),
    form(
        "fortify",
        "none, one-adjacent, one-connected or many-adjacent",
        "one-connected",
    ),
    form(
        "victory",
        "conquest, missions, or capitals with hold and extra-die",
        r#"{"capitals":{"hold":2,"extra-die":false}}"#,
    ),
    form("supply", "a number of armies", "30000"),
    form("income.divisor", "a number of territories", "3"),
    form("income.minimum", "a number of armies", "3"),
    form("income.growth", "a number of percent", "5"),
    form(
        "cards.scheme",
        "off, fixed with four values, progressive with values and step, or step with first and step",
        r#"{"progressive":{"values":[4,6,8,10,12,15],"step":5}}"#,
    ),
    form("cards.wild", "a number of cards", "2"),
    form("cards.territory-bonus", "a number of armies", "2"),
    form("cards.bonus-once", "true or false", "true"),
    form("cards.forced-from", "a number of cards", "5"),
    form("cards.capture", "true or false", "true"),
    form("cards.capture-forced-from", "a number of cards", "6"),
    form("cards.return-at-once", "true or false", "false"),
    form(
        "battle.attack",
        "roll, to-the-end, groups or balanced-blitz",
        "to-the-end",
    ),
    form("battle.commitment", "choice or maximum", "choice"),
    form("battle.dice.attacker-max", "a number of dice", "3"),
    form("battle.dice.defender-max", "a number of dice", "2"),
    form(
        "battle.dice.defender-second-from",
        "a number of armies",
        "3",
    ),
    form("battle.dice.ties-to-attacker", "true or false", "false"),
    form("battle.occupy", "dice-rolled or one", "dice-rolled"),
    form(
        "end.tie-breaks",
        "a list of territories and armies",
        r#"["territories","armies"]"#,
    ),
    form(
        "end.early-stop",
        "lead and after-actions",
        r#"{"lead":10,"after-actions":100}"#,
    ),
    form("end.round-cap", "a number of rounds", "500"),
    form("end.turn-limit", "a number of turns", "60"),
];

impl RuleForm {
    /// What the rule takes, with an example that can be typed.
    fn told(&self) -> String {
        let example = shell_word(&format!("{}={}", self.key, self.example));
        format!("{} takes {}, as in --set {example}", self.key, self.takes)
    }

    /// Whether a path is its key or leads into its value.
    fn is_at(&self, path: &str) -> bool {
        is_within(path, self.key)
    }
}

fn is_within(path: &str, outer: &str) -> bool {
    let rest = path.strip_prefix(outer);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// What may be set at a path: the rule there, those of a group, or those that were meant.
fn told(path: &str) -> String {
    if let Some(form) = FORMS.iter().find(|form| form.is_at(path)) {
        return form.told();
    }
    let group: Vec<&RuleForm> = FORMS.iter().filter(|f| is_within(f.key, path)).collect();
    if let [first, ..] = group[..] {
        let keys: Vec<&str> = group.iter().map(|form| form.key).collect();
        let first = shell_word(&format!("{}={}", first.key, first.example));
        return format!("{path} is {}, as in --set {first}", keys.join(", "));
    }
    let last = |key: &'static str| key.rsplit('.').next() == Some(path);
    let same_end = FORMS.iter().map(|form| form.key).find(|key| last(key));
    let near = same_end.map(str::to_owned);
    match near.or_else(|| nearest(path, FORMS.iter().map(|form| form.key))) {
        Some(near) => format!("there is no rule \"{path}\"; did you mean \"{near}\"?"),
        None => {
            format!("there is no rule \"{path}\"; 'hegemon rules show classic' prints them all")
        }
    }
}

/// The rules with a change `key.key=value`. The value is JSON, or a word. The rules may
/// contradict each other then, until the next change.
///
/// # Errors
///
/// If there is no such rule or it does not take the value; the sentence says what it takes.
pub(crate) fn changed(rules: &Rules, change: &str) -> anyhow::Result<Rules> {
    let Some((path, text)) = change.split_once('=') else {
        bail!("--set {change} has no value: {}", told(change));
    };
    let refused = |why: String| anyhow!("--set {change} makes no rules: {why}; {}", told(path));
    let mut tree = serde_json::to_value(rules)?;
    let value = value_of(text).map_err(&refused)?;
    if !insert(&mut tree, path, value) {
        bail!("--set {change} makes no rules: {}", told(path));
    }
    let changed: Rules = serde_json::from_value(tree.clone()).map_err(|error| {
        let fault = json_fault(text, &error);
        // What is expected is told in other words.
        let fault = fault.split(", expected ").next().unwrap_or_default();
        refused(fault.to_owned())
    })?;
    let made = serde_json::to_value(&changed)?;
    let parts = FORMS.iter().map(|form| {
        let [given, made] = [&tree, &made].map(|tree| at(tree, form.key));
        unknown_part(given?, made?)
    });
    match parts.flatten().next() {
        Some(part) => Err(refused(format!("no part is called \"{part}\""))),
        None => Ok(changed),
    }
}

/// A value as it was typed: JSON, or a word.
fn value_of(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).or_else(|error| match text.starts_with(['{', '[', '"']) {
        true => Err(json_line_fault(text, &error)),
        false => Ok(Value::from(text)),
    })
}

fn at<'a>(tree: &'a Value, path: &str) -> Option<&'a Value> {
    path.split('.').try_fold(tree, |node, key| node.get(key))
}

/// Puts a value where there is one, or where a rule may be. Of a group only the rules that are
/// given change.
fn insert(tree: &mut Value, path: &str, value: Value) -> bool {
    let is_group = FORMS
        .iter()
        .any(|form| is_within(form.key, path) && form.key != path);
    if let (true, Value::Object(rules)) = (is_group, &value) {
        let mut rules = rules.clone().into_iter();
        return rules.all(|(key, value)| insert(tree, &format!("{path}.{key}"), value));
    }
    let (parents, key) = match path.rsplit_once('.') {
        Some((parents, key)) => (Some(parents), key),
        None => (None, path),
    };
    let mut parents = parents.into_iter().flat_map(|parents| parents.split('.'));
    let node = parents.try_fold(tree, |node, key| node.get_mut(key));
    let fields = node.and_then(Value::as_object_mut);
    let is_known = FORMS
        .iter()
        .any(|form| form.is_at(path) || is_within(form.key, path));
    fields.is_some_and(|fields| {
        if is_known {
            fields.insert(key.to_owned(), value);
        }
        is_known
    })
}

/// A part of a value that the rules made of it do not have.
fn unknown_part<'a>(given: &'a Value, made: &Value) -> Option<&'a str> {
    let mut fields = given.as_object()?.iter();
    fields.find_map(|(key, part)| match made.get(key) {
        Some(made) => unknown_part(part, made),
        None => Some(key.as_str()),
    })
}

#[cfg(test)]
mod tests {
    use hegemon_core::rules::{Attack, Occupy};

    use super::*;

    fn classic() -> Rules {
        Rules::default()
    }

    #[test]
    fn every_rule_has_a_form_and_an_example_that_is_taken() {
        for (axis, words) in crate::reference::rules::words() {
            let form = FORMS.iter().find(|form| form.is_at(&axis)).expect(&axis);
            let inner = axis.strip_prefix(form.key).unwrap_or_default();
            let inner = inner.strip_prefix('.').map(str::to_owned);
            for word in words.into_iter().chain(inner) {
                assert!(form.takes.contains(&word), "{axis}: {word}");
            }
        }
        for form in &FORMS {
            let change = format!("{}={}", form.key, form.example);
            let taken = changed(&classic(), &change);
            assert!(taken.is_ok(), "{change}: {taken:?}");
        }
    }

    #[test]
    fn rules_are_changed_by_key() {
        let changes = [
            "battle.attack=groups",
            "battle.occupy=one",
            "end.turn-limit=70",
            "income={\"growth\":7}",
            "placement.round-robin.batch=4",
        ];
        let rules = changes
            .iter()
            .try_fold(classic(), |rules, change| changed(&rules, change));
        let rules = rules.expect("rules");
        assert_eq!(rules.battle.attack, Attack::Groups);
        assert_eq!(rules.battle.occupy, Occupy::One);
        assert_eq!(rules.end.turn_limit, Some(70));
        assert_eq!(rules.income.growth, 7);
        assert_eq!(rules.income.minimum, classic().income.minimum);
        let sampling = Rules::preset("sampling").expect("shipped");
        let group = r#"battle={"occupy":"one","dice":{"attacker-max":2}}"#;
        let changed = changed(&sampling, group).expect("rules");
        assert_eq!(changed.battle.occupy, Occupy::One);
        assert_eq!(changed.battle.dice.attacker_max, 2);
        assert_eq!(changed.battle.commitment, sampling.battle.commitment);
        assert_eq!(changed.battle.attack, sampling.battle.attack);
        assert_eq!(changed.cards, sampling.cards);
    }

    #[test]
    fn a_change_that_makes_no_rules_says_what_the_rule_takes() {
        let capitals = "victory takes conquest, missions, or capitals with hold and extra-die, \
                        as in --set 'victory={\"capitals\":{\"hold\":2,\"extra-die\":false}}'";
        let cases = [
            (
                "victory={\"capitals\":{\"hold\":3}}",
                ["there is no \"extra-die\"", capitals],
            ),
            (
                "victory={\"capitals\":{\"hold\":3,",
                ["it ends too early", capitals],
            ),
            (
                "victory={\"capitol\":{\"hold\":3}}",
                ["unknown value \"capitol\"; ", capitals],
            ),
            (
                "victory={\"capitals\":{\"hold\":3,\"extra-die\":true,\"dice\":2}}",
                ["no part is called \"dice\"", capitals],
            ),
            (
                "victory.capitals.hold=3",
                ["makes no rules: victory takes", capitals],
            ),
            ("victory=", ["it is empty", capitals]),
            ("victory", ["has no value", capitals]),
            (
                "placement.round-robin.size=3",
                ["no part is called \"size\"", "--set 'placement="],
            ),
            (
                "end.early-stop.lead=3",
                ["end.early-stop takes lead and", "as in --set 'end.early"],
            ),
            (
                "supply=many",
                ["there is the text \"many\"", "--set supply=30000"],
            ),
            (
                "battle.attack=war",
                ["unknown value \"war\"", "takes roll, to-the-end, groups or"],
            ),
            (
                "battle=5",
                [
                    "battle is battle.attack, battle.commitment",
                    "--set battle.attack=to",
                ],
            ),
            (
                "battle={\"ocupy\":\"one\"}",
                ["makes no rules: battle is battle.attack", "--set battle"],
            ),
            (
                "batle.attack=groups",
                ["no rule \"batle.attack\"", "mean \"battle.attack\"?"],
            ),
            (
                "turn-limit=9",
                ["no rule \"turn-limit\"", "mean \"end.turn-limit\"?"],
            ),
            (
                "xyzzy=9",
                ["no rule \"xyzzy\"", "'hegemon rules show classic'"],
            ),
        ];
        for (change, parts) in cases {
            let error = changed(&classic(), change).expect_err(change);
            let sentence = format!("{error:#}");
            assert!(
                sentence.starts_with(&format!("--set {change} ")),
                "{sentence}"
            );
            for part in parts {
                assert!(sentence.contains(part), "{sentence}");
            }
            assert!(!sentence.contains('\n'), "{sentence}");
        }
    }
}

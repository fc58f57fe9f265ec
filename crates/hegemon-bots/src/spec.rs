//! Spec strings: `name(key=value,key=value)`, a bot's name in every table.
//!
//! A text is parsed once, into a tree. All checks, counts, builds and prints
//! use the tree.

mod parse;
#[cfg(test)]
mod tests;

use std::fmt;

use thiserror::Error;

use crate::command::IDENTITY;

/// Most bytes of a spec's text.
pub const MAX_SPEC_BYTES: usize = 4096;
/// Most levels of nested bots, including the outermost.
pub const MAX_SPEC_DEPTH: usize = 8;
/// Most values in a spec.
pub const MAX_SPEC_VALUES: usize = 256;

/// Name of the bot that is a program: its brackets contain a command line.
pub(crate) const PROGRAM: &str = "cmd";

/// A parsed spec string.
///
/// ```
/// use hegemon_bots::{Spec, Value};
/// let spec: Spec = "rollout( base = mcts(k=5), playouts=20)".parse().expect("well formed");
/// assert_eq!(spec.name, "rollout");
/// let Some(Value::Spec(base)) = spec.value("base") else { panic!("a bot") };
/// assert_eq!(base.value("k"), Some(&Value::Word("5".to_owned())));
/// assert_eq!(spec.to_string(), "rollout(base=mcts(k=5),playouts=20)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spec {
    /// Name of the bot.
    pub name: String,
    /// Arguments in the order given.
    pub arguments: Vec<Argument>,
}

/// An argument of a spec.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Argument {
    /// Name of the parameter; empty for a command line.
    pub key: String,
    pub value: Value,
}

/// A value in a spec. What kind of value a parameter takes is declared with the
/// bot, see [`crate::Parameter`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A number, a word, or a bot without arguments, as it was written.
    Word(String),
    /// A bot with arguments.
    Spec(Spec),
    /// Words or bots joined by `+`.
    List(Vec<Value>),
    /// A command line, which may hold anything.
    Command(String),
}

/// A spec string that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum SpecError {
    #[error("\"{0}\" is not a bot spec such as name(key=value)")]
    Syntax(String),
    #[error("a bot spec has no control characters, not even in a command")]
    Control,
    #[error("a bot spec has at most {MAX_SPEC_BYTES} bytes, not {0}")]
    TooLong(usize),
    #[error("bots are nested at most {MAX_SPEC_DEPTH} deep, and this spec goes deeper")]
    TooDeep,
    #[error("a bot spec has at most {MAX_SPEC_VALUES} values, and this one has more")]
    TooManyValues,
    #[error("there is no bot \"{name}\"{}", suggestion(.nearest.as_deref()))]
    UnknownBot {
        name: String,
        nearest: Option<String>,
    },
    #[error("{bot} has no parameter \"{key}\"{}", suggestion(.nearest.as_deref()))]
    UnknownParameter {
        bot: String,
        key: String,
        nearest: Option<String>,
    },
    #[error("{bot} has the parameter \"{key}\" twice")]
    DuplicateParameter { bot: String, key: String },
    #[error("{bot}: {key}={value} is wrong: {expected}")]
    BadValue {
        bot: String,
        key: String,
        value: String,
        expected: String,
    },
    #[error("{0} asks for more than {MAX_SPEC_THREADS} threads", MAX_SPEC_THREADS = crate::demand::MAX_SPEC_THREADS)]
    TooManyThreads(String),
    #[error("{bot} cannot play this game: {reason}")]
    Unsuitable { bot: String, reason: String },
}

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or(String::new(), |name| format!("; did you mean \"{name}\"?"))
}

/// The known name that is nearest to a misspelt one, if any is near.
///
/// ```
/// assert_eq!(hegemon_bots::nearest("basline", ["random", "baseline"]), Some("baseline".into()));
/// assert_eq!(hegemon_bots::nearest("xyz", ["random", "baseline"]), None);
/// ```
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    known
        .into_iter()
        .map(|candidate| (strsim::jaro_winkler(name, candidate), candidate))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, candidate)| candidate.to_owned())
}

/// What tables call these bots: their titles, with a number where several share one.
///
/// ```
/// let specs = hegemon_bots::Spec::parse_list(
///     "cmd(as=\"my bot 1.2\": ./bot), cmd(as=\"it\": ./a), cmd(as=\"it\": ./b), quo",
/// );
/// let titles = hegemon_bots::titles(&specs.expect("four"));
/// assert_eq!(titles, ["my bot 1.2", "it #1", "it #2", "quo"]);
/// ```
pub fn titles(specs: &[Spec]) -> Vec<String> {
    numbered(specs, Spec::title)
}

/// The same for readers whom the command lines of programs do not concern: none is told.
///
/// ```
/// let specs = hegemon_bots::Spec::parse_list(
///     "cmd(as=\"it\": ./a --key 7), cmd(./a), cmd(./b), rollout(base=cmd(./b))",
/// );
/// let titles = hegemon_bots::public_titles(&specs.expect("four"));
/// assert_eq!(titles, ["it", "cmd(...) #1", "cmd(...) #2", "rollout(base=cmd(...))"]);
/// ```
pub fn public_titles(specs: &[Spec]) -> Vec<String> {
    numbered(specs, |spec| spec.without_commands().title())
}

fn numbered(specs: &[Spec], title: impl Fn(&Spec) -> String) -> Vec<String> {
    let plain: Vec<String> = specs.iter().map(title).collect();
    let mut known: Vec<(&Spec, String)> = Vec::new();
    for (spec, title) in specs.iter().zip(&plain) {
        if known.iter().any(|(other, _)| *other == spec) {
            continue;
        }
        let is_shared = specs
            .iter()
            .zip(&plain)
            .any(|(s, t)| s != spec && t == title);
        let is_free = |name: &String| !plain.contains(name) && known.iter().all(|(_, n)| n != name);
        let name = match is_shared {
            false => title.clone(),
            true => (1..)
                .map(|n| format!("{title} #{n}"))
                .find(is_free)
                .unwrap_or_default(),
        };
        known.push((spec, name));
    }
    let name = |spec: &Spec| known.iter().find(|(other, _)| *other == spec);
    let names = specs.iter().filter_map(name);
    names.map(|(_, name)| name.clone()).collect()
}

impl Spec {
    /// A spec without arguments.
    pub fn plain(name: &str) -> Spec {
        Spec {
            name: name.to_owned(),
            arguments: Vec::new(),
        }
    }

    /// The value of a parameter, if it is given.
    pub fn value(&self, key: &str) -> Option<&Value> {
        let mut arguments = self.arguments.iter();
        let found = arguments.find(|argument| argument.key == key)?;
        Some(&found.value)
    }

    /// What tables call the bot: the spec, or the name and version that a program is held to.
    pub fn title(&self) -> String {
        match self.value(IDENTITY) {
            Some(Value::Word(identity)) if self.name == PROGRAM => {
                identity.trim_matches('"').to_owned()
            }
            _ => self.to_string(),
        }
    }

    /// The spec without the name and version that a program is held to.
    #[must_use]
    pub fn without_identity(&self) -> Spec {
        let mut spec = self.clone();
        let is_kept = |argument: &Argument| self.name != PROGRAM || argument.key != IDENTITY;
        spec.arguments.retain(is_kept);
        spec
    }

    /// The spec without what its programs, and those of bots inside it, are started with.
    #[must_use]
    pub fn without_commands(&self) -> Spec {
        let mut spec = self.clone();
        for argument in &mut spec.arguments {
            argument.value.hide_commands();
        }
        spec
    }

    /// The error for a parameter's value.
    pub fn bad_value(&self, key: &str, expected: &str) -> SpecError {
        SpecError::BadValue {
            bot: self.name.clone(),
            key: key.to_owned(),
            value: self.value(key).map(Value::to_string).unwrap_or_default(),
            expected: expected.to_owned(),
        }
    }
}

impl Value {
    fn hide_commands(&mut self) {
        match self {
            Value::Word(_) => {}
            Value::Spec(spec) => *spec = spec.without_commands(),
            Value::List(values) => values.iter_mut().for_each(Value::hide_commands),
            Value::Command(line) => "...".clone_into(line),
        }
    }

    /// The bot that the value names, if it may be one.
    pub(crate) fn to_spec(&self) -> Option<Spec> {
        match self {
            Value::Word(name) if parse::is_name(name) => Some(Spec::plain(name)),
            Value::Spec(spec) => Some(spec.clone()),
            _ => None,
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.arguments.is_empty() {
            return Ok(());
        }
        f.write_str("(")?;
        for (n, argument) in self.arguments.iter().enumerate() {
            // A command line ends the list of its limits.
            f.write_str(match &argument.value {
                _ if n == 0 => "",
                Value::Command(_) => ": ",
                _ => ",",
            })?;
            argument.fmt(f)?;
        }
        f.write_str(")")
    }
}

impl fmt::Display for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.key.is_empty() {
            write!(f, "{}=", self.key)?;
        }
        self.value.fmt(f)
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Word(text) | Value::Command(text) => f.write_str(text),
            Value::Spec(spec) => spec.fmt(f),
            Value::List(parts) => {
                for (n, part) in parts.iter().enumerate() {
                    f.write_str(if n == 0 { "" } else { "+" })?;
                    part.fmt(f)?;
                }
                Ok(())
            }
        }
    }
}

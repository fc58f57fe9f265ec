//! The arguments of a spec as typed values, checked against the declared
//! parameters; or the declared defaults.

use crate::parameter::{Kind, Parameter};
use crate::spec::{Spec, SpecError, Value, nearest};

/// The settings that a builder reads.
///
/// A builder gets a parameter by name and kind; an undeclared one is a bug, and
/// panics.
#[derive(Clone, Debug)]
pub struct Settings<'a> {
    spec: &'a Spec,
    parameters: &'static [Parameter],
    values: Vec<Setting>,
}

/// The value of one parameter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Setting {
    Whole(u64),
    Real(f64),
    Word(&'static str),
    Words(Vec<&'static str>),
    Weights(String),
    Bot(Spec),
    Bots(Vec<Spec>),
    Text(String),
    Command(String),
}

impl<'a> Settings<'a> {
    /// Reads the arguments of a spec; `bot` is its name in errors.
    pub(crate) fn read(
        spec: &'a Spec,
        bot: &str,
        parameters: &'static [Parameter],
    ) -> Result<Settings<'a>, SpecError> {
        check_keys(spec, bot, parameters)?;
        let read = |parameter: &'static Parameter| {
            let value = match spec.value(parameter.name) {
                Some(value) => setting(parameter, value),
                None => setting_of_word(parameter, parameter.default),
            };
            value.ok_or_else(|| spec.bad_value(parameter.name, &parameter.expected()))
        };
        Ok(Settings {
            spec,
            parameters,
            values: parameters.iter().map(read).collect::<Result<_, _>>()?,
        })
    }

    /// The spec that was read.
    pub fn spec(&self) -> &'a Spec {
        self.spec
    }

    /// Whether a parameter is given.
    pub fn is_given(&self, key: &str) -> bool {
        self.spec.value(key).is_some()
    }

    /// A whole number.
    pub fn whole<T: TryFrom<u64>>(&self, key: &str) -> T {
        self.whole_or_word(key).unwrap_or_else(|| undeclared(key))
    }

    /// A whole number, or none where a word is given.
    pub(crate) fn whole_or_word<T: TryFrom<u64>>(&self, key: &str) -> Option<T> {
        match self.setting(key) {
            Setting::Whole(value) => Some(T::try_from(*value).unwrap_or_else(|_| undeclared(key))),
            _ => None,
        }
    }

    /// A number.
    pub fn real(&self, key: &str) -> f64 {
        self.real_or_word(key).unwrap_or_else(|| undeclared(key))
    }

    /// A number, or none where a word is given.
    pub(crate) fn real_or_word(&self, key: &str) -> Option<f64> {
        match self.setting(key) {
            Setting::Real(value) => Some(*value),
            _ => None,
        }
    }

    /// A word; empty where another value is given.
    pub fn word(&self, key: &str) -> &'static str {
        match self.setting(key) {
            Setting::Word(word) => word,
            _ => "",
        }
    }

    /// The meaning of a word.
    pub(crate) fn choice<T: Copy>(&self, key: &str, meanings: &[(&str, T)]) -> T {
        let word = self.word(key);
        let found = meanings.iter().find(|(known, _)| *known == word);
        found.map_or_else(|| undeclared(key), |(_, value)| *value)
    }

    /// Words joined by `+`, or a single word given instead.
    pub(crate) fn words(&self, key: &str) -> Vec<&'static str> {
        match self.setting(key) {
            Setting::Words(words) => words.clone(),
            Setting::Word(word) => vec![word],
            _ => undeclared(key),
        }
    }

    /// The name or path of weights; none where a word is given.
    pub(crate) fn weights(&self, key: &str) -> Option<&str> {
        match self.setting(key) {
            Setting::Weights(name) => Some(name),
            _ => None,
        }
    }

    /// A bot.
    pub(crate) fn declared_bot(&self, key: &str) -> &Spec {
        self.bot(key).unwrap_or_else(|| undeclared(key))
    }

    /// A bot; none where a word is given.
    pub(crate) fn bot(&self, key: &str) -> Option<&Spec> {
        match self.setting(key) {
            Setting::Bot(spec) => Some(spec),
            _ => None,
        }
    }

    /// Bots; none where a word is given.
    pub(crate) fn bots(&self, key: &str) -> Option<&[Spec]> {
        match self.setting(key) {
            Setting::Bots(specs) => Some(specs),
            _ => None,
        }
    }

    /// A text, if one is given.
    pub(crate) fn text(&self, key: &str) -> Option<&str> {
        match self.setting(key) {
            Setting::Text(text) => Some(text.as_str()).filter(|text| !text.is_empty()),
            _ => undeclared(key),
        }
    }

    /// A command line.
    pub(crate) fn command(&self) -> &str {
        match self.setting("") {
            Setting::Command(line) => line,
            _ => undeclared(""),
        }
    }

    /// The error for a parameter's value.
    pub(crate) fn bad_value(&self, key: &str, expected: &str) -> SpecError {
        self.spec.bad_value(key, expected)
    }

    /// All parameters with their values.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&'static Parameter, &Setting)> {
        self.parameters.iter().zip(&self.values)
    }

    fn setting(&self, key: &str) -> &Setting {
        let mut all = self.iter();
        let found = all.find(|(parameter, _)| parameter.name == key);
        found.map_or_else(|| undeclared(key), |(_, setting)| setting)
    }
}

fn undeclared<T>(key: &str) -> T {
    panic!("a builder asks for the parameter \"{key}\", which is not declared like that")
}

fn check_keys(spec: &Spec, bot: &str, parameters: &[Parameter]) -> Result<(), SpecError> {
    for (n, argument) in spec.arguments.iter().enumerate() {
        let key = &argument.key;
        if !parameters.iter().any(|known| known.name == key) {
            return Err(SpecError::UnknownParameter {
                bot: bot.to_owned(),
                key: key.clone(),
                nearest: nearest(key, parameters.iter().map(|known| known.name)),
            });
        }
        if spec.arguments[..n].iter().any(|other| other.key == *key) {
            return Err(SpecError::DuplicateParameter {
                bot: bot.to_owned(),
                key: key.clone(),
            });
        }
    }
    Ok(())
}

/// The typed value, or `None` if the parameter does not allow it.
fn setting(parameter: &Parameter, value: &Value) -> Option<Setting> {
    match (parameter.kind, value) {
        (_, Value::Word(word)) => setting_of_word(parameter, word),
        (Kind::Words(known), Value::List(parts)) => {
            let word = |part: &Value| match part {
                Value::Word(word) => find(known, word),
                _ => None,
            };
            parts
                .iter()
                .map(word)
                .collect::<Option<_>>()
                .map(Setting::Words)
        }
        (Kind::Bot | Kind::Drafter, value) => value.to_spec().map(Setting::Bot),
        (Kind::Bots, Value::List(parts)) => {
            let bots = parts.iter().map(Value::to_spec);
            bots.collect::<Option<_>>().map(Setting::Bots)
        }
        (Kind::Bots, value) => Some(Setting::Bots(vec![value.to_spec()?])),
        (Kind::Command, Value::Command(line)) => Some(Setting::Command(line.clone())),
        _ => None,
    }
}

fn setting_of_word(parameter: &Parameter, word: &str) -> Option<Setting> {
    if let Some(word) = find(parameter.words, word) {
        return Some(Setting::Word(word));
    }
    match parameter.kind {
        Kind::Whole(least, most) => {
            let number = word.parse().ok()?;
            (least..=most)
                .contains(&number)
                .then_some(Setting::Whole(number))
        }
        Kind::Real(least, most) => {
            let number = word.parse().ok()?;
            (least..=most)
                .contains(&number)
                .then_some(Setting::Real(number))
        }
        Kind::Word => None,
        Kind::Words(known) => Some(Setting::Words(vec![find(known, word)?])),
        Kind::Weights(_) => Some(Setting::Weights(word.to_owned())),
        Kind::Bot | Kind::Drafter => Value::Word(word.to_owned()).to_spec().map(Setting::Bot),
        Kind::Bots => Some(Setting::Bots(vec![Value::Word(word.to_owned()).to_spec()?])),
        Kind::Text if word.is_empty() => Some(Setting::Text(String::new())),
        Kind::Text => {
            let text = word.strip_prefix('"')?.strip_suffix('"')?;
            (!text.is_empty()).then(|| Setting::Text(text.to_owned()))
        }
        Kind::Command => Some(Setting::Command(word.to_owned())),
    }
}

fn find(known: &[&'static str], word: &str) -> Option<&'static str> {
    known.iter().copied().find(|known| *known == word)
}

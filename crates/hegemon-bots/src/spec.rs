//! Spec strings: `name(key=value,key=value)`, a bot's name in every table.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

/// A parsed spec string.
///
/// ```
/// use hegemon_bots::Spec;
/// let spec: Spec = "rollout(base=mcts(k=5), playouts=20)".parse().expect("well formed");
/// assert_eq!(spec.name, "rollout");
/// assert_eq!(spec.value("base"), Some("mcts(k=5)"));
/// assert_eq!(spec.to_string(), "rollout(base=mcts(k=5),playouts=20)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spec {
    /// Name of the bot.
    pub name: String,
    /// Parameters in the order given. A part without `=` has an empty key.
    pub parameters: Vec<(String, String)>,
}

/// A spec string that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[allow(missing_docs, reason = "each variant is explained by its message")]
pub enum SpecError {
    #[error("\"{0}\" is not a bot spec such as name(key=value)")]
    Syntax(String),
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

impl Spec {
    /// The specs of a list with commas between them.
    ///
    /// # Errors
    ///
    /// At the first that is not a spec.
    pub fn parse_list(text: &str) -> Result<Vec<Spec>, SpecError> {
        let parts = split_outside_brackets(text).unwrap_or_else(|| vec![text]);
        parts.into_iter().map(str::parse).collect()
    }

    /// A spec without parameters.
    pub fn plain(name: &str) -> Spec {
        Spec {
            name: name.to_owned(),
            parameters: Vec::new(),
        }
    }

    /// The value of a parameter, as text.
    pub fn value(&self, key: &str) -> Option<&str> {
        self.parameters
            .iter()
            .find(|(known, _)| known == key)
            .map(|(_, value)| value.as_str())
    }

    /// The value of a parameter, or `default` if it is not given.
    ///
    /// # Errors
    ///
    /// If the text is not such a value.
    pub fn parse_value<T: FromStr>(
        &self,
        key: &str,
        default: T,
        expected: &str,
    ) -> Result<T, SpecError> {
        match self.value(key) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| self.bad_value(key, expected)),
        }
    }

    /// A number within bounds, or `default` if it is not given.
    ///
    /// # Errors
    ///
    /// If the text is not a number or lies outside.
    pub fn number<T: FromStr + PartialOrd + fmt::Display + Copy>(
        &self,
        key: &str,
        default: T,
        bounds: std::ops::RangeInclusive<T>,
    ) -> Result<T, SpecError> {
        let expected = format!("a number from {} to {}", bounds.start(), bounds.end());
        let value = self.parse_value(key, default, &expected)?;
        if bounds.contains(&value) {
            Ok(value)
        } else {
            Err(self.bad_value(key, &expected))
        }
    }

    /// The error for a parameter's value.
    pub fn bad_value(&self, key: &str, expected: &str) -> SpecError {
        SpecError::BadValue {
            bot: self.name.clone(),
            key: key.to_owned(),
            value: self.value(key).unwrap_or_default().to_owned(),
            expected: expected.to_owned(),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.parameters.is_empty() {
            return Ok(());
        }
        let parts: Vec<String> = self
            .parameters
            .iter()
            .map(|(key, value)| {
                if key.is_empty() {
                    value.clone()
                } else {
                    format!("{key}={value}")
                }
            })
            .collect();
        write!(f, "({})", parts.join(","))
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let wrong = || SpecError::Syntax(text.to_owned());
        let text = text.trim();
        let (name, inside) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => (name, rest.strip_suffix(')').ok_or_else(wrong)?),
        };
        let is_name = |name: &str| {
            !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
        };
        if !is_name(name) {
            return Err(wrong());
        }
        // A command line is one value, commas and all.
        if name == "cmd" {
            let command = inside.trim();
            let parameters = vec![(String::new(), command.to_owned())];
            return Ok(Spec {
                name: name.to_owned(),
                parameters,
            });
        }
        let mut parameters = Vec::new();
        for part in split_outside_brackets(inside).ok_or_else(wrong)? {
            let (key, value) = part.split_once('=').ok_or_else(wrong)?;
            if !is_name(key.trim()) || value.trim().is_empty() {
                return Err(wrong());
            }
            parameters.push((key.trim().to_owned(), value.replace(' ', "")));
        }
        Ok(Spec {
            name: name.to_owned(),
            parameters,
        })
    }
}

/// Splits at commas that are not inside brackets.
fn split_outside_brackets(text: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0usize, 0);
    for (index, byte) in text.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth = depth.checked_sub(1)?,
            b',' if depth == 0 => {
                parts.push(&text[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    if !text.trim().is_empty() {
        parts.push(&text[start..]);
    }
    (depth == 0).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_and_prints() {
        for text in [
            "baseline",
            "mcts(k=20,c=1.2)",
            "quo(draft=uct(sims=3000,c=0.01))",
        ] {
            assert_eq!(text.parse::<Spec>().expect(text).to_string(), text);
        }
        let command: Spec = "cmd(python3 bot.py --depth 3, -x)"
            .parse()
            .expect("a command");
        assert_eq!(command.parameters[0].1, "python3 bot.py --depth 3, -x");
    }

    #[test]
    fn refuses_nonsense() {
        for text in [
            "", "(", "a(", "a)", "a(b)", "a(b=)", "a(=1)", "a b", "a(b=(1)", "a(b=1))",
        ] {
            assert!(text.parse::<Spec>().is_err(), "{text:?}");
        }
    }
}

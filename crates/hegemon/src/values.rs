//! Values of arguments: a wrong one gets a sentence of one form, and names that are known
//! are offered by the shell.

use std::ffi::OsStr;
use std::fmt;
use std::net::IpAddr;
use std::ops::RangeInclusive;
use std::sync::Arc;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use hegemon_bots::{Spec, SpecError};
use hegemon_core::{MAX_PLAYERS, Map, Rules};
use hegemon_lab::EXPERIMENTS;

/// How a value is read; a wrong one is none.
type ReadText<T> = dyn Fn(&str) -> Option<T> + Send + Sync;

/// Reads the value of an argument, and says what it takes if it is anything else.
#[derive(Clone)]
pub(crate) struct ValueReader<T> {
    /// What the argument takes, in words.
    what: String,
    read: Arc<ReadText<T>>,
}

impl<T> ValueReader<T> {
    fn new(what: String, read: impl Fn(&str) -> Option<T> + Send + Sync + 'static) -> Self {
        let read = Arc::new(read);
        ValueReader { what, read }
    }
}

impl<T> fmt::Debug for ValueReader<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl<T: Clone + Send + Sync + 'static> TypedValueParser for ValueReader<T> {
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, Error> {
        let read = value.to_str().and_then(|text| (self.read)(text));
        read.ok_or_else(|| {
            let name = arg.map_or_else(|| "an argument".to_owned(), name_of);
            let value = value.to_string_lossy();
            let sentence = format!("{name} takes {}, not '{value}'", self.what);
            command.clone().error(ErrorKind::ValueValidation, sentence)
        })
    }
}

/// What an argument is called where it is typed.
fn name_of(arg: &Arg) -> String {
    match arg.get_long() {
        Some(long) => format!("--{long}"),
        None => arg.to_string(),
    }
}

/// A whole number within limits.
pub(crate) fn whole<T: TryFrom<u64>>(range: RangeInclusive<u64>) -> ValueReader<T> {
    let what = format!("a whole number from {} to {}", range.start(), range.end());
    ValueReader::new(what, move |text| {
        let n = text.parse().ok().filter(|n| range.contains(n))?;
        T::try_from(n).ok()
    })
}

/// A number within limits.
pub(crate) fn number(range: RangeInclusive<f64>) -> ValueReader<f64> {
    let what = format!("a number from {} to {}", range.start(), range.end());
    ValueReader::new(what, move |text| {
        text.parse().ok().filter(|x| range.contains(x))
    })
}

/// A seed.
pub(crate) fn seed() -> ValueReader<u64> {
    whole(0..=u64::MAX)
}

/// A number of players.
pub(crate) fn players() -> ValueReader<usize> {
    whole(2..=MAX_PLAYERS as u64)
}

/// A number of games: at most more than a thousand years of them.
pub(crate) fn games() -> ValueReader<u64> {
    whole(1..=1_000_000_000_000)
}

/// A port.
pub(crate) fn port() -> ValueReader<u16> {
    whole(0..=u64::from(u16::MAX))
}

/// A factor: useful ones are near one.
pub(crate) fn factor() -> ValueReader<f64> {
    number(0.0..=1000.0)
}

/// How long something is measured.
pub(crate) fn seconds() -> ValueReader<f64> {
    number(0.001..=3600.0)
}

/// An address to listen on.
pub(crate) fn address() -> ValueReader<IpAddr> {
    let what = "an address in numbers, such as 127.0.0.1 or 0.0.0.0";
    ValueReader::new(what.to_owned(), |text| text.parse().ok())
}

/// Reads the value of an argument as another parser does; the names are what the shell
/// offers, and other values are as good. Help would list them as all that there are, so
/// their arguments have `hide_possible_values`.
#[derive(Clone)]
pub(crate) struct Named<P> {
    parser: P,
    names: fn() -> Vec<&'static str>,
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<P::Value, Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}

/// A map: a name, or a file.
pub(crate) fn map() -> Named<StringValueParser> {
    Named {
        parser: StringValueParser::new(),
        names: || Map::builtin_names().collect(),
    }
}

/// Rules: a preset, or a file.
pub(crate) fn rules() -> Named<StringValueParser> {
    Named {
        parser: StringValueParser::new(),
        names: || Rules::PRESETS.to_vec(),
    }
}

/// An experiment of the lab, or all of them.
pub(crate) fn experiment() -> Named<StringValueParser> {
    Named {
        parser: StringValueParser::new(),
        names: || {
            let names = EXPERIMENTS.iter().map(|experiment| experiment.name);
            names.chain(["all"]).collect()
        },
    }
}

fn bot_names() -> Vec<&'static str> {
    hegemon_bots::bots().map(|info| info.name).collect()
}

/// A bot by its name alone.
pub(crate) fn bot_name() -> Named<StringValueParser> {
    Named {
        parser: StringValueParser::new(),
        names: bot_names,
    }
}

/// How a spec is read.
type ReadSpec = fn(&str) -> Result<Spec, SpecError>;

/// A bot: its name, or a spec with parameters.
pub(crate) fn spec() -> Named<ReadSpec> {
    Named {
        parser: str::parse::<Spec>,
        names: bot_names,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read<T: Clone + Send + Sync + 'static>(
        reader: &ValueReader<T>,
        value: &str,
    ) -> Result<T, String> {
        let arg = Arg::new("games").long("games").value_name("N");
        let read = reader.parse_ref(&Command::new("hegemon"), Some(&arg), OsStr::new(value));
        read.map_err(|error| error.to_string())
    }

    #[test]
    fn counts_beyond_reason_are_refused_with_a_sentence() {
        for text in [
            "0",
            "-1",
            "1000000000001",
            "18446744073709551616",
            "two",
            "",
        ] {
            let said = read(&games(), text).expect_err(text);
            let sentence =
                format!("--games takes a whole number from 1 to 1000000000000, not '{text}'");
            assert!(said.contains(&sentence), "{said}");
        }
        assert_eq!(read(&games(), "1"), Ok(1));
        assert_eq!(read(&seed(), "18446744073709551615"), Ok(u64::MAX));
        for text in ["nan", "inf", "-0.1", "1e300", "x"] {
            let said = read(&factor(), text).expect_err(text);
            assert!(
                said.contains("takes a number from 0 to 1000, not"),
                "{said}"
            );
        }
        assert_eq!(read(&factor(), "0.5"), Ok(0.5));
    }

    #[test]
    fn an_argument_without_a_name_is_called_as_help_calls_it() {
        let arg = Arg::new("defenders").value_name("D");
        assert_eq!(name_of(&arg), "[D]");
        assert_eq!(name_of(&arg.required(true)), "<D>");
    }
}

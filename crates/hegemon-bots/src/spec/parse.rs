//! From text to tree.
//!
//! Blanks are allowed around names, brackets and signs, never inside a word.
//! Only a command line is kept verbatim.

use std::str::FromStr;

use super::{
    Argument, MAX_SPEC_BYTES, MAX_SPEC_DEPTH, MAX_SPEC_VALUES, PROGRAM, Spec, SpecError, Value,
};

/// Most characters of a text quoted in an error.
const EXCERPT: usize = 60;

/// Whether a word may be the name of a bot or parameter.
pub(super) fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_name_character)
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-'
}

fn is_word_character(c: char) -> bool {
    !c.is_whitespace() && !"(),=+".contains(c)
}

hegemon_core::by_notation!(Spec);

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Spec, SpecError> {
        let mut parser = Parser::new(text, true)?;
        let spec = parser.spec(1)?;
        parser.end()?;
        Ok(spec)
    }
}

impl Spec {
    /// The specs of a list with commas between them.
    ///
    /// # Errors
    ///
    /// At the first that is not a spec.
    pub fn parse_list(text: &str) -> Result<Vec<Spec>, SpecError> {
        let mut parser = Parser::new(text, false)?;
        let mut specs = vec![parser.spec(1)?];
        while parser.take(',') {
            specs.push(parser.spec(1)?);
        }
        parser.end()?;
        Ok(specs)
    }
}

struct Parser<'a> {
    text: &'a str,
    /// What is still to be read.
    rest: &'a str,
    n_values: usize,
    /// Whether the text is one spec. A command line then extends to its end,
    /// regardless of brackets.
    is_single: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, is_single: bool) -> Result<Parser<'a>, SpecError> {
        if text.len() > MAX_SPEC_BYTES {
            return Err(SpecError::TooLong(text.len()));
        }
        // Specs are printed in tables and written to files.
        if text.contains(char::is_control) {
            return Err(SpecError::Control);
        }
        Ok(Parser {
            text,
            rest: text,
            n_values: 0,
            is_single,
        })
    }

    fn wrong(&self) -> SpecError {
        let mut excerpt: String = self.text.trim().chars().take(EXCERPT).collect();
        if excerpt.len() < self.text.trim().len() {
            excerpt.push_str("...");
        }
        SpecError::Syntax(excerpt)
    }

    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    /// Consumes the sign if it is next; returns whether it was.
    fn take(&mut self, sign: char) -> bool {
        let is_next = self.peek() == Some(sign);
        if is_next {
            self.rest = &self.rest[sign.len_utf8()..];
        }
        is_next
    }

    fn expect(&mut self, sign: char) -> Result<(), SpecError> {
        if self.take(sign) {
            Ok(())
        } else {
            Err(self.wrong())
        }
    }

    fn end(&mut self) -> Result<(), SpecError> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.wrong()),
        }
    }

    /// Characters of one kind, at least one.
    fn run(&mut self, is_inside: impl Fn(char) -> bool) -> Result<&'a str, SpecError> {
        self.peek();
        let end = self.rest.find(|c| !is_inside(c));
        let (run, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        if run.is_empty() {
            return Err(self.wrong());
        }
        self.rest = rest;
        Ok(run)
    }

    fn spec(&mut self, depth: usize) -> Result<Spec, SpecError> {
        let name = self.run(is_name_character)?;
        self.spec_named(name, depth)
    }

    fn spec_named(&mut self, name: &str, depth: usize) -> Result<Spec, SpecError> {
        if depth > MAX_SPEC_DEPTH {
            return Err(SpecError::TooDeep);
        }
        let mut spec = Spec::plain(name);
        if !self.take('(') {
            return Ok(spec);
        }
        if name == PROGRAM {
            spec.arguments = self.command(depth)?;
            return Ok(spec);
        }
        if self.take(')') {
            return Ok(spec);
        }
        loop {
            let key = self.run(is_name_character)?.to_owned();
            self.expect('=')?;
            let value = self.value(depth)?;
            spec.arguments.push(Argument { key, value });
            if !self.take(',') {
                break;
            }
        }
        self.expect(')')?;
        Ok(spec)
    }

    fn count(&mut self) -> Result<(), SpecError> {
        self.n_values += 1;
        if self.n_values > MAX_SPEC_VALUES {
            return Err(SpecError::TooManyValues);
        }
        Ok(())
    }

    fn value(&mut self, depth: usize) -> Result<Value, SpecError> {
        let first = self.item(depth)?;
        if self.peek() != Some('+') {
            return Ok(first);
        }
        let mut parts = vec![first];
        while self.take('+') {
            // The list `1e +5` would print as the number `1e+5`.
            if matches!(parts.last(), Some(Value::Word(word)) if is_mantissa(word)) {
                return Err(self.wrong());
            }
            parts.push(self.item(depth)?);
        }
        Ok(Value::List(parts))
    }

    /// A word or a bot with arguments.
    fn item(&mut self, depth: usize) -> Result<Value, SpecError> {
        self.count()?;
        let word = self.word()?;
        if self.peek() == Some('(') {
            if !is_name(word) {
                return Err(self.wrong());
            }
            let spec = self.spec_named(word, depth + 1)?;
            if !spec.arguments.is_empty() {
                return Ok(Value::Spec(spec));
            }
        }
        Ok(Value::Word(word.to_owned()))
    }

    fn word(&mut self) -> Result<&'a str, SpecError> {
        let word = self.run(is_word_character)?;
        // The exponent of a number may have a sign.
        let digits = self.rest.strip_prefix('+').filter(|_| is_mantissa(word));
        let Some(digits) = digits.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
        else {
            return Ok(word);
        };
        let n_digits = digits.find(|c: char| !c.is_ascii_digit());
        let n_digits = n_digits.unwrap_or(digits.len());
        let start = self.text.len() - self.rest.len() - word.len();
        let end = start + word.len() + 1 + n_digits;
        self.rest = &self.text[end..];
        Ok(&self.text[start..end])
    }

    /// The inside of `cmd(...)`: `COMMAND`, or `key=value,key=value: COMMAND`.
    fn command(&mut self, depth: usize) -> Result<Vec<Argument>, SpecError> {
        let end = if depth == 1 && self.is_single {
            let end = self.rest.trim_end().len().checked_sub(1);
            end.filter(|&end| self.rest.trim_end().ends_with(')') && end < self.rest.len())
        } else {
            closing_bracket(self.rest)
        };
        let Some(end) = end else {
            return Err(self.wrong());
        };
        let inside = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        let mut arguments = Vec::new();
        let line = match split_unquoted(inside, ": ") {
            Some((limits, line)) if is_limits(limits) => {
                for (key, value) in limit_parts(limits).filter_map(|part| part.split_once('=')) {
                    self.count()?;
                    arguments.push(Argument {
                        key: key.trim().to_owned(),
                        value: Value::Word(value.trim().to_owned()),
                    });
                }
                line
            }
            _ => inside,
        };
        self.count()?;
        arguments.push(Argument {
            key: String::new(),
            value: Value::Command(line.trim().to_owned()),
        });
        Ok(arguments)
    }
}

/// Whether a word is a number up to the sign of its exponent.
fn is_mantissa(word: &str) -> bool {
    word.strip_suffix(['e', 'E'])
        .is_some_and(|mantissa| mantissa.parse::<f64>().is_ok())
}

/// The position of the bracket that closes one opened before the text.
fn closing_bracket(text: &str) -> Option<usize> {
    let mut n_open = 1usize;
    text.char_indices()
        .find(|(_, c)| {
            match c {
                '(' => n_open += 1,
                ')' => n_open -= 1,
                _ => {}
            }
            n_open == 0
        })
        .map(|(at, _)| at)
}

/// Whether the text before a colon is a list of limits, not part of a command.
fn is_limits(head: &str) -> bool {
    let is_key =
        |key: &str| !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'-');
    let is_value = |value: &str| match value.trim().strip_prefix('"') {
        Some(quoted) => quoted
            .strip_suffix('"')
            .is_some_and(|text| !text.contains('"')),
        None => !value.is_empty() && !value.contains(char::is_whitespace),
    };
    limit_parts(head).all(|part| {
        part.split_once('=')
            .is_some_and(|(key, value)| is_key(key.trim()) && is_value(value))
    })
}

/// The parts of a list of limits.
fn limit_parts(limits: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(limits);
    std::iter::from_fn(move || {
        let text = rest?;
        let (part, next) = match split_unquoted(text, ",") {
            Some((part, next)) => (part, Some(next)),
            None => (text, None),
        };
        rest = next;
        Some(part)
    })
}

/// The text before and after the first separator that is not between double quotes.
fn split_unquoted<'a>(text: &'a str, separator: &str) -> Option<(&'a str, &'a str)> {
    let is_outside = |at: &usize| text[..*at].bytes().filter(|&byte| byte == b'"').count() % 2 == 0;
    let mut places = text.match_indices(separator).map(|(at, _)| at);
    let at = places.find(is_outside)?;
    Some((&text[..at], &text[at + separator.len()..]))
}

//! Bot parameters: each is declared once, with its kind and range, its default,
//! the capabilities it needs and its cost.

use std::fmt;

/// A parameter of a bot.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in spec strings; empty for a command line.
    pub name: &'static str,
    /// Allowed values.
    pub kind: Kind,
    /// Additional allowed words.
    pub words: &'static [&'static str],
    /// Default value.
    pub default: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
    /// How it changes the cost of a decision.
    pub cost: Cost,
}

/// The values that a parameter takes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A whole number within bounds.
    Whole(u64, u64),
    /// A number within bounds.
    Real(f64, f64),
    /// One of the parameter's words.
    Word,
    /// Some of these words, joined by `+`.
    Words(&'static [&'static str]),
    /// Shipped weights by name, or a file by path.
    Weights(fn() -> Vec<&'static str>),
    Bot,
    /// Bots joined by `+`.
    Bots,
    /// A drafter, or a bot used only for the draft.
    Drafter,
    /// A text in double quotes.
    Text,
    /// A command line.
    Command,
}

/// The outside access that a value requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Nothing.
    None,
    /// It reads a file.
    File,
    /// It starts a program.
    Program,
}

/// How a parameter changes the cost of a decision. The costs of all parameters,
/// and of bots within bots, are multiplied.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cost {
    /// Not at all, or not much.
    None,
    /// This many steps for each unit.
    Times(f64),
    /// The same for one of several ways to state a budget: the given ones
    /// count, else the default.
    Budget(f64),
    /// Each unit doubles it.
    Doubles,
    /// The number of threads.
    Threads,
    /// The nested bot makes this many decisions for each step of the outer one.
    Decisions(f64),
}

impl Parameter {
    const fn new(
        name: &'static str,
        kind: Kind,
        default: &'static str,
        about: &'static str,
    ) -> Parameter {
        Parameter {
            name,
            kind,
            words: &[],
            default,
            about,
            cost: Cost::None,
        }
    }

    pub(crate) const fn whole(
        name: &'static str,
        default: &'static str,
        (least, most): (u64, u64),
        about: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Whole(least, most), default, about)
    }

    pub(crate) const fn real(
        name: &'static str,
        default: &'static str,
        (least, most): (f64, f64),
        about: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Real(least, most), default, about)
    }

    /// The first word is the default.
    pub(crate) const fn word(
        name: &'static str,
        words: &'static [&'static str],
        about: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Word, words[0], about).or(words)
    }

    pub(crate) const fn words(
        name: &'static str,
        words: &'static [&'static str],
        about: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Words(words), "all", about).or(&["all"])
    }

    pub(crate) const fn weights(
        name: &'static str,
        default: &'static str,
        shipped: fn() -> Vec<&'static str>,
        about: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Weights(shipped), default, about)
    }

    pub(crate) const fn bot(
        name: &'static str,
        default: &'static str,
        about: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Bot, default, about).costs(Cost::Decisions(1.0))
    }

    pub(crate) const fn bots(
        name: &'static str,
        default: &'static str,
        about: &'static str,
    ) -> Parameter {
        Parameter::new(name, Kind::Bots, default, about).costs(Cost::Decisions(1.0))
    }

    pub(crate) const fn drafter(default: &'static str, about: &'static str) -> Parameter {
        Parameter::new("draft", Kind::Drafter, default, about)
            .or(&["own"])
            .costs(Cost::Decisions(1.0))
    }

    /// A text that need not be given.
    pub(crate) const fn text(name: &'static str, about: &'static str) -> Parameter {
        Parameter::new(name, Kind::Text, "", about)
    }

    pub(crate) const fn command(about: &'static str) -> Parameter {
        Parameter::new("", Kind::Command, "", about)
    }

    /// Also allows these words.
    pub(crate) const fn or(self, words: &'static [&'static str]) -> Parameter {
        Parameter { words, ..self }
    }

    pub(crate) const fn costs(self, cost: Cost) -> Parameter {
        Parameter { cost, ..self }
    }

    /// Whether drafters are looked up before bots.
    pub(crate) fn is_drafter(&self) -> bool {
        matches!(self.kind, Kind::Drafter)
    }

    /// The outside access that this value requires.
    pub fn capability(&self, value: &str) -> Capability {
        match self.kind {
            Kind::Command => Capability::Program,
            Kind::Weights(shipped)
                if !self.words.contains(&value) && !shipped().contains(&value) =>
            {
                Capability::File
            }
            _ => Capability::None,
        }
    }

    /// The values that it takes, in words.
    pub fn range(&self) -> String {
        let kind = match self.kind {
            Kind::Whole(least, most) => format!("{least} to {most}"),
            Kind::Real(least, most) => format!("{least} to {most}"),
            Kind::Word => String::new(),
            Kind::Words(words) => format!("some of {}", words.join("+")),
            Kind::Weights(shipped) => format!("{}, or a file", shipped().join(", ")),
            Kind::Bot => "a bot".to_owned(),
            Kind::Bots => "bots joined by +".to_owned(),
            Kind::Drafter => "greedy(...), uct(...) or a bot".to_owned(),
            Kind::Text => "a text in double quotes".to_owned(),
            Kind::Command => "a command line".to_owned(),
        };
        match (self.words, kind.as_str()) {
            ([], _) => kind,
            (words, "") => words.join(", "),
            (words, kind) => format!("{}, or {kind}", words.join(", ")),
        }
    }

    /// The expected values, for errors.
    pub(crate) fn expected(&self) -> String {
        match self.kind {
            Kind::Whole(..) => format!("a whole number from {}", self.range_after_words()),
            Kind::Real(..) => format!("a number from {}", self.range_after_words()),
            Kind::Word => format!("one of {}", self.words.join(", ")),
            _ => self.range(),
        }
    }

    /// The bounds first, then the words.
    fn range_after_words(&self) -> String {
        let bounds = Parameter {
            words: &[],
            ..*self
        }
        .range();
        match self.words {
            [] => bounds,
            words => format!("{bounds}, or {}", words.join(" or ")),
        }
    }
}

impl fmt::Display for Capability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Capability::None => "nothing",
            Capability::File => "reads a file",
            Capability::Program => "starts a program",
        })
    }
}

//! Weights files of the repository that experiments use and the program does not build in by
//! name, so that a run needs no checkout.

use hegemon_bots::{Bot, Command, Grants, LoadError, Loader, Sealed, Seating, SpecError};

/// Path and text of every file.
const FILES: [(&str, &str); 4] = [
    (
        "weights/greedy-clop.toml",
        include_str!("../../hegemon-eval/weights/greedy-clop.toml"),
    ),
    (
        "weights/greedy-logistic.toml",
        include_str!("../../hegemon-eval/weights/greedy-logistic.toml"),
    ),
    (
        "weights/greedy-spsa.toml",
        include_str!("../../hegemon-eval/weights/greedy-spsa.toml"),
    ),
    (
        "weights/value-logistic.toml",
        include_str!("../../hegemon-eval/weights/value-logistic.toml"),
    ),
];

/// The text of the file with this path.
pub(crate) fn text(path: &str) -> Option<&'static str> {
    let found = FILES.iter().find(|(known, _)| *known == path);
    found.map(|(_, text)| *text)
}

/// What bots of experiments may access: these files, and no programs.
pub(crate) fn grants() -> Grants {
    Grants::with(ShippedFiles)
}

#[derive(Debug)]
struct ShippedFiles;

impl Loader for ShippedFiles {
    fn weights(&self, path: &str) -> Result<String, LoadError> {
        let missing = || LoadError(format!("the lab has no file \"{path}\""));
        text(path).map(str::to_owned).ok_or_else(missing)
    }

    fn program(&self, command: &Command, seating: &Seating<'_>) -> Result<Box<dyn Bot>, SpecError> {
        Sealed.program(command, seating)
    }
}

//! All that a release hands out, in one folder: program, completions, manual pages, book, wheel, checksums.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::files::{copy, write};
use crate::programs::Compiler;
use crate::{book, ci, files};

const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];

/// Files from the top of the repository that go with the program.
const BESIDE: [&str; 6] = [
    "README.md",
    "CHANGELOG.md",
    "LICENSE-MIT",
    "LICENSE-APACHE",
    "CITATION.cff",
    "docs/upgrading.md",
];

const SUMS: &str = "SHA256SUMS";

/// Programs that make the checksums: of Linux, of macOS.
const SUMMERS: [(&str, &[&str]); 2] = [("sha256sum", &[]), ("shasum", &["-a", "256"])];

/// How the program is linked.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Linkage {
    /// For musl, if the toolchain has the target: needs nothing of the system.
    Musl(String),
    /// With the C library of this system inside: needs nothing of the system either.
    Static(String),
    /// As `cargo build --release` does it: needs a C library as new as that of this system.
    Plain,
}

/// What was asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Options<'a> {
    out: Option<&'a str>,
    /// Linked as usual.
    is_plain: bool,
    /// A program that is built already.
    program: Option<&'a str>,
}

const USAGE: &str = "cargo xtask dist [--out FOLDER] [--plain | --program FILE]";

/// `cargo xtask dist`.
pub(crate) fn run(root: &Path, args: &[&str]) -> Result<(), String> {
    let options = Options::of(args)?;
    let out = match options.out {
        Some(folder) => root.join(folder),
        None => files::target(root).join("dist"),
    };
    let _ = fs::remove_dir_all(&out);
    let program = out.join("hegemon");
    let how = match options.program {
        Some(file) => {
            copy(&root.join(file), &program)?;
            "the program is the one that was given"
        }
        None => build(root, &program, options.is_plain)?,
    };
    texts_of_the_program(&program, &out)?;
    for name in BESIDE {
        let file = name.rsplit('/').next().unwrap_or(name);
        copy(&root.join(name), &out.join(file))?;
    }
    let book = book::make(root).and_then(|made| copy_folder(&made, &out.join("book")));
    let missing = [book, wheel(root, &out)]
        .into_iter()
        .filter_map(Result::err);
    let n_files = sums(&out)?;
    println!("dist: {n_files} files in {}; {how}", out.display());
    for sentence in missing {
        println!("dist: MISSING: {sentence}");
    }
    Ok(())
}

impl<'a> Options<'a> {
    fn of(args: &[&'a str]) -> Result<Options<'a>, String> {
        let mut options = Options::default();
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            match (*word, rest.as_slice().first()) {
                ("--plain", _) => options.is_plain = true,
                ("--out", Some(folder)) => options.out = Some(folder),
                ("--program", Some(file)) => options.program = Some(file),
                _ => return Err(format!("dist: `{word}` is not understood; it is `{USAGE}`")),
            }
            if *word != "--plain" {
                rest.next();
            }
        }
        Ok(options)
    }
}

impl Linkage {
    fn of_this_machine() -> Linkage {
        let Some(compiler) = Compiler::in_use() else {
            return Linkage::Plain;
        };
        let Some(machine) = compiler.host.strip_suffix("-linux-gnu") else {
            return Linkage::Plain;
        };
        let musl = format!("{machine}-linux-musl");
        if compiler.libraries.join(&musl).is_dir() && is_there("musl-gcc") {
            Linkage::Musl(musl)
        } else {
            Linkage::Static(compiler.host)
        }
    }

    fn sentence(&self) -> &'static str {
        match self {
            Linkage::Musl(_) => "the program is static (musl)",
            Linkage::Static(_) => "the program is static (the C library of this system is in it)",
            Linkage::Plain => "the program needs a C library as new as this system's",
        }
    }

    fn target(&self) -> Option<&str> {
        match self {
            Linkage::Musl(target) | Linkage::Static(target) => Some(target),
            Linkage::Plain => None,
        }
    }

    /// What `.cargo/config.toml` says for this processor, and how to link. The variable replaces the flags of that file.
    fn flags(&self) -> Option<&'static str> {
        match self {
            Linkage::Plain => None,
            _ if cfg!(target_arch = "x86_64") => {
                Some("-C target-cpu=x86-64-v3 -C target-feature=+crt-static")
            }
            _ => Some("-C target-feature=+crt-static"),
        }
    }
}

/// Builds the program with every format and puts it into its place; says how it is linked.
fn build(root: &Path, place: &Path, is_plain: bool) -> Result<&'static str, String> {
    let linkage = if is_plain {
        Linkage::Plain
    } else {
        Linkage::of_this_machine()
    };
    let line = "build --release --locked --package hegemon --features hegemon/parquet";
    let mut args: Vec<&str> = line.split(' ').collect();
    let mut built = files::target(root);
    if let Some(target) = linkage.target() {
        args.extend(["--target", target]);
        built.push(target);
    }
    let flags = linkage.flags().map(|flags| ("RUSTFLAGS", flags));
    ci::cargo(root, &args, flags.as_slice())?;
    copy(&built.join("release/hegemon"), place)?;
    Ok(linkage.sentence())
}

/// Completions and manual pages, printed by the program itself.
fn texts_of_the_program(program: &Path, out: &Path) -> Result<(), String> {
    for shell in SHELLS {
        let script = said(program, &["completions", shell])?;
        write(
            &out.join("completions").join(format!("hegemon.{shell}")),
            &script,
        )?;
    }
    manual_pages(program, &out.join("man"), "hegemon", &[])
}

/// The page of a command, given by its words, and those of the commands below it.
fn manual_pages(program: &Path, out: &Path, title: &str, words: &[&str]) -> Result<(), String> {
    let page = said(program, &[&["man"], words].concat())?;
    write(&out.join(format!("{title}.1")), &page)?;
    for name in subcommands(&page, title) {
        let words = [words, &[&name]].concat();
        manual_pages(program, out, &format!("{title}-{name}"), &words)?;
    }
    Ok(())
}

/// The commands below one that its manual page refers to, as `TITLE\-NAME(1)`.
fn subcommands(page: &str, title: &str) -> Vec<String> {
    let title = format!("{}\\-", title.replace('-', "\\-"));
    let lines = page.lines().filter_map(|line| line.strip_prefix(&title));
    lines
        .filter_map(|line| line.strip_suffix("(1)"))
        .map(|name| name.replace('\\', ""))
        .collect()
}

fn wheel(root: &Path, out: &Path) -> Result<(), String> {
    if !is_there("maturin") {
        return Err("wheel: maturin is not installed (`pip install maturin`)".to_owned());
    }
    let status = Command::new("maturin")
        .args(["build", "--release", "--locked", "--out"])
        .arg(out)
        .current_dir(root.join("python"))
        .status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("wheel: maturin ended with {status}")),
        Err(error) => Err(format!("wheel: cannot start maturin: {error}")),
    }
}

/// Writes the checksum of every file but that of the sums; returns how many files there are.
fn sums(out: &Path) -> Result<usize, String> {
    let mut paths = Vec::new();
    list(out, out, &mut paths)?;
    paths.sort();
    let (program, args) = SUMMERS
        .into_iter()
        .find(|(program, _)| is_there(program))
        .ok_or("dist: neither sha256sum nor shasum is installed")?;
    let output = Command::new(program)
        .args(args)
        .args(&paths)
        .current_dir(out)
        .output()
        .map_err(|error| format!("dist: cannot start {program}: {error}"))?;
    if !output.status.success() {
        return Err(format!("dist: {program} ended with {}", output.status));
    }
    write(&out.join(SUMS), &String::from_utf8_lossy(&output.stdout))?;
    Ok(paths.len() + 1)
}

fn list(top: &Path, folder: &Path, paths: &mut Vec<PathBuf>) -> Result<(), String> {
    for path in entries(folder)? {
        if path.is_dir() {
            list(top, &path, paths)?;
        } else {
            paths.push(path.strip_prefix(top).unwrap_or(&path).to_owned());
        }
    }
    Ok(())
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let fail = |error: std::io::Error| format!("cannot list {}: {error}", folder.display());
    let entries = fs::read_dir(folder).map_err(fail)?;
    entries
        .map(|entry| Ok(entry.map_err(fail)?.path()))
        .collect()
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), String> {
    for path in entries(from)? {
        let place = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy_folder(&path, &place)?;
        } else {
            copy(&path, &place)?;
        }
    }
    Ok(())
}

fn is_there(program: &str) -> bool {
    let status = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok()
}

fn said(program: &Path, args: &[&str]) -> Result<String, String> {
    let output = Command::new(program).args(args).output();
    let output =
        output.map_err(|error| format!("dist: cannot start {}: {error}", program.display()))?;
    if !output.status.success() {
        return Err(format!(
            "dist: `hegemon {}` ended with {}",
            args.join(" "),
            output.status
        ));
    }
    String::from_utf8(output.stdout).map_err(|error| format!("dist: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_understood_in_any_order() {
        let options = Options::of(&["--plain", "--out", "x"]).expect("good");
        assert!(options.is_plain && options.out == Some("x") && options.program.is_none());
        assert_eq!(Options::of(&["--out", "x", "--plain"]), Ok(options));
        assert!(Options::of(&["--fast"]).unwrap_err().contains("`--fast`"));
        assert!(Options::of(&["--out"]).unwrap_err().contains("`--out`"));
    }

    #[test]
    fn a_static_program_keeps_the_processor_of_the_configuration() {
        let flags = Linkage::Static("x86_64-unknown-linux-gnu".to_owned()).flags();
        let configured = include_str!("../../.cargo/config.toml");
        if cfg!(target_arch = "x86_64") {
            assert!(configured.contains("\"target-cpu=x86-64-v3\""));
            assert!(flags.is_some_and(|flags| flags.contains("target-cpu=x86-64-v3")));
        }
        assert_eq!(Linkage::Plain.flags(), None);
    }

    #[test]
    fn commands_are_read_from_the_manual_page() {
        let page = ".TP\nhegemon\\-check\\-bot(1)\nCheck\n.TP\nhegemon\\-odds(1)\n";
        assert_eq!(subcommands(page, "hegemon"), ["check-bot", "odds"]);
        let page = ".TP\nhegemon\\-arena\\-add(1)\nAdd\n.SH SEE ALSO\nhegemon(1)\n";
        assert_eq!(subcommands(page, "hegemon-arena"), ["add"]);
    }
}

//! Compares figures of `hegemon bench --json` with an earlier run.

use anyhow::{Context, bail, ensure};
use serde_json::{Map as JsonMap, Value};

use crate::output::{self, Column, grouped};

/// The end of the names of what is compared.
const SPEED: &str = "_per_cpu_s";

/// Whether a program can do this many in a second.
fn is_speed(value: &Value) -> bool {
    value
        .as_f64()
        .is_some_and(|speed| (1e-3..1e12).contains(&speed))
}

/// The figures of an earlier run.
pub(super) struct Earlier(JsonMap<String, Value>);

impl Earlier {
    /// Reads the output of `hegemon bench --json`.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is something else.
    pub(super) fn read(path: &str) -> anyhow::Result<Earlier> {
        Earlier::parse(&crate::inputs::read(path)?)
            .with_context(|| format!("{path} is not what `hegemon bench --json` prints"))
    }

    fn parse(text: &str) -> anyhow::Result<Earlier> {
        let fields: JsonMap<String, Value> = serde_json::from_str(text)?;
        fields.get("signature").context("it has no signature")?;
        let mut speeds = fields.iter().filter(|(field, _)| field.ends_with(SPEED));
        ensure!(speeds.clone().next().is_some(), "it has no speeds");
        if let Some((field, value)) = speeds.find(|(_, value)| !is_speed(value)) {
            bail!("{field} is no speed: {value}");
        }
        Ok(Earlier(fields))
    }

    /// A table of both runs' speeds by processor time, and whether play
    /// changed.
    pub(super) fn beside(&self, now: &JsonMap<String, Value>) -> String {
        let mut table = output::table([
            Column::Text("per CPU second"),
            Column::Number("before"),
            Column::Number("now"),
            Column::Number("ratio"),
        ]);
        for (name, before, now, ratio) in self.ratios(now) {
            table.add_row(output::row([
                name,
                grouped(before.round() as u64),
                grouped(now.round() as u64),
                format!("{ratio:.3}"),
            ]));
        }
        let play = if self.plays_the_same(now) {
            "play is as it was"
        } else {
            "play has changed: the signatures differ"
        };
        format!("{}\n{play}\n", output::table_text(&table))
    }

    pub(super) fn plays_the_same(&self, now: &JsonMap<String, Value>) -> bool {
        self.0.get("signature") == now.get("signature")
    }

    /// What both runs measured: name, before, now, now over before.
    pub(super) fn ratios(&self, now: &JsonMap<String, Value>) -> Vec<(String, f64, f64, f64)> {
        let figures = now.iter().filter_map(|(field, value)| {
            let name = field.strip_suffix(SPEED)?;
            let (before, now) = (self.0.get(field)?.as_f64()?, value.as_f64()?);
            Some((name.to_owned(), before, now, now / before))
        });
        figures.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(text: &str) -> JsonMap<String, Value> {
        serde_json::from_str(text).expect("an object")
    }

    #[test]
    fn common_figures_are_compared() {
        let old = r#"{"signature":7,"playouts_per_cpu_s":100.0,"gone_per_cpu_s":1.0}"#;
        let earlier = Earlier::parse(old).expect("figures");
        let now = fields(r#"{"signature":7,"playouts_per_cpu_s":150.0,"new_per_cpu_s":3.0}"#);
        let ratios = earlier.ratios(&now);
        assert_eq!(ratios, [("playouts".to_owned(), 100.0, 150.0, 1.5)]);
        assert!(earlier.beside(&now).contains("play is as it was"));
        let other = fields(r#"{"signature":8}"#);
        assert!(earlier.beside(&other).contains("play has changed"));
    }

    #[test]
    fn other_files_are_refused() {
        assert!(Earlier::parse("[1]").is_err());
        assert!(Earlier::parse(r#"{"playouts_per_cpu_s":1}"#).is_err());
        assert!(Earlier::parse(r#"{"signature":7,"playouts_per_s":1}"#).is_err());
        for nonsense in ["1e308", "1e-320", "0", "-5", "null", r#""fast""#] {
            let text = format!(r#"{{"signature":7,"playouts_per_cpu_s":{nonsense}}}"#);
            assert!(Earlier::parse(&text).is_err(), "{nonsense}");
        }
    }
}

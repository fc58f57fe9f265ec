//! Rewrites what is generated from types: the schemas of protocol and analysis, the API's description, the page's types.

use std::path::Path;

/// The files are written by the tests that otherwise compare them, built as for `ci`.
const WRITERS: [&str; 3] = [
    "--",
    "the_schema_is_what_the_types_say",
    "routes::openapi::",
];

/// `cargo xtask generate`.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    let build = crate::ci::with_all(&["test", "--workspace", "--tests"]);
    let args = [build.as_slice(), &WRITERS].concat();
    crate::ci::cargo(root, &args, &[("UPDATE_DOCS", "1")])?;
    println!(
        "generate: docs/protocol.schema.json, docs/analysis.schema.json, \
         crates/hegemon-server/openapi.json and web/src/lib/wire.ts are written; commit them with the change that they show"
    );
    Ok(())
}

//! Rewrites what is generated from types: the schemas of protocol and analysis, the API's description, the page's types,
//! the reference pages of the book, and the pictures of its theory.

use std::path::Path;

/// The files are written by the tests that otherwise compare them, built as for `ci`. The second run reads what the first writes.
const WRITERS: [&[&str]; 2] = [
    &[
        "--",
        "the_schema_is_what_the_types_say",
        "routes::openapi::",
    ],
    &["--", "reference::"],
];

/// `cargo xtask generate`.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    let build = crate::ci::with_all(&["test", "--workspace", "--tests"]);
    for writers in WRITERS {
        let args = [build.as_slice(), writers].concat();
        crate::ci::cargo(root, &args, &[("UPDATE_DOCS", "1")])?;
    }
    println!(
        "generate: docs/protocol.schema.json, docs/analysis.schema.json, docs/reference, docs/theory-*.svg, \
         crates/hegemon-server/openapi.json and web/src/lib/wire.ts are written; commit them with the change that they show"
    );
    Ok(())
}

//! Writes anew what is made of types: the schemas of protocol and analysis, the API's description, the page's types.

use std::path::Path;

/// Where the files are written: by the tests that otherwise compare them.
const WRITERS: [&str; 3] = [
    "test -p hegemon-protocol --test protocol -- --exact schema::the_schema_is_what_the_types_say",
    "test -p hegemon-analysis --lib -- --exact service::tests::the_schema_is_what_the_types_say",
    "test -p hegemon-server --lib -- routes::openapi::",
];

/// `cargo xtask generate`.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    for line in WRITERS {
        let args: Vec<&str> = line.split(' ').collect();
        crate::ci::cargo(root, &args, &[("UPDATE_DOCS", "1")])?;
    }
    println!(
        "generate: docs/protocol.schema.json, docs/analysis.schema.json, \
         crates/hegemon-server/openapi.json and web/src/lib/wire.ts are written; commit them with the change that they show"
    );
    Ok(())
}

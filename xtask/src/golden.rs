//! Rewrites the golden files of this version.

use std::path::Path;

/// `cargo xtask golden`: with every format that the program has.
pub(crate) fn write(root: &Path) -> Result<(), String> {
    let line =
        "test -p hegemon --features parquet --test golden -- --ignored --exact write_golden_files";
    let args: Vec<&str> = line.split(' ').collect();
    crate::ci::cargo(root, &args, &[])?;
    println!(
        "golden: written; commit the files with the change of format that they show. \
         A version that is out keeps its folder as it is."
    );
    Ok(())
}

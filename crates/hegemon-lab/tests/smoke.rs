//! Everything at the smallest scale, from the plan to the report.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use hegemon_lab::{
    EXPERIMENTS, Experiment, Format, Mixing, Report, ResultStore, RunSetting, Scale, run_cells,
};

#[test]
fn every_experiment_runs_and_says_what_it_comes_to() {
    let folder = match std::env::var_os("HEGEMON_LAB_SMOKE") {
        // To look at the report.
        Some(folder) => PathBuf::from(folder),
        None => std::env::temp_dir().join(format!("hegemon-lab-smoke-{}", std::process::id())),
    };
    std::fs::create_dir_all(&folder).expect("a folder");
    let store = ResultStore::open_or_create(&folder.join("lab.db")).expect("a store");
    let setting = RunSetting {
        scale: Scale::Smoke,
        seed: 5,
    };
    let all: Vec<&'static Experiment> = EXPERIMENTS.iter().collect();
    let stop = AtomicBool::new(false);
    let summary = run_cells(&all, setting, &store, Mixing::Refused, 2, &stop, |_| ());
    assert_eq!(summary.expect("all cells are sound").n_missing, 0);
    let report = Report::new(&store, setting, Mixing::Refused).expect("a report");
    report.write(&folder, Format::Both).expect("written");
    let page = report.html();
    assert!(!page.contains("NaN") && !page.contains("inf "));
    let findings = page
        .split("id=\"made\"")
        .next()
        .expect("findings come first");
    for experiment in &EXPERIMENTS {
        let link = format!("<li><a href=\"#{}\">", experiment.name);
        assert!(findings.contains(&link), "{} says nothing", experiment.name);
    }
    if std::env::var_os("HEGEMON_LAB_SMOKE").is_none() {
        std::fs::remove_dir_all(&folder).expect("removable");
    }
}

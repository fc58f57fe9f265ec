//! Which bots anybody may ask for from the page. What a spec asks for was found
//! by walking its tree; here it is allowed by list and by measure.

use hegemon_bots::Demand;

/// Bots and drafters that the page may use. A new bot is not among them until it
/// is named here.
const BOTS: &[&str] = &[
    "random",
    "simulation",
    "baseline",
    "mcts",
    "mcts-baseline",
    "mcts-tuned",
    "emm",
    "greedy",
    "rollout",
    "beam",
    "goal-uct",
    "champion",
    "drafted",
    "uct",
    "angry",
    "stinky",
    "communist",
    "trotsky",
    "cluster",
    "shaft",
    "quo",
    "yakool",
    "boscoe",
    "bort",
    "pixie",
    "evil-pixie",
    "better-pixie",
    "vulture",
    "killbot",
    "boring",
    "empty",
];

/// Steps of a thought, see [`Demand::cost`]: what a fast machine does in some
/// seconds.
const MAX_COST: f64 = 5e8;

/// Bots in a spec, those within others included: each takes memory and time to make.
const MAX_BOTS: usize = 40;

/// Threads of a thought.
const MAX_THREADS: u64 = 4;

/// Whether the page may use a bot that asks for this.
///
/// # Errors
///
/// With a sentence if it may not.
pub(crate) fn allow(demand: &Demand) -> Result<(), String> {
    if !demand.programs.is_empty() {
        return Err("Bots that start a program cannot be used from the page.".to_owned());
    }
    if !demand.files.is_empty() {
        return Err("Bots that read a file cannot be used from the page.".to_owned());
    }
    if let Some(name) = demand.bots.iter().find(|name| !is_listed(name)) {
        return Err(format!("The bot {name} cannot be used from the page."));
    }
    if demand.bots.len() > MAX_BOTS {
        return Err(format!(
            "The spec names {} bots, and the page allows {MAX_BOTS}.",
            demand.bots.len()
        ));
    }
    if demand.n_threads > MAX_THREADS {
        return Err(format!(
            "The bot asks for {} threads, and the page allows {MAX_THREADS}.",
            demand.n_threads
        ));
    }
    if demand.cost > MAX_COST {
        return Err("The bot thinks longer than the page allows.".to_owned());
    }
    Ok(())
}

/// Whether a bot may be used from the page at all.
pub(crate) fn is_listed(name: &str) -> bool {
    BOTS.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bot_is_listed_but_those_that_are_programs() {
        let unlisted: Vec<&str> = hegemon_bots::bots()
            .map(|info| info.name)
            .filter(|name| !is_listed(name))
            .collect();
        // It is made for training, and seats as many bots as it is told.
        assert_eq!(unlisted, ["fickle", "cmd"]);
    }

    #[test]
    fn a_champion_of_many_bots_or_looks_is_refused() {
        let many = vec!["killbot"; 50].join("+");
        for spec in [
            "champion(looks=1000000)".to_owned(),
            "champion(ms=3600000)".to_owned(),
            "champion(looks=100,horizon=1000)".to_owned(),
            "champion(portfolio=champion)".to_owned(),
            "champion(suspects=goal-uct)".to_owned(),
            format!("champion(portfolio={many})"),
            "champion(portfolio=fickle(bots=killbot))".to_owned(),
            "champion(looks=1,suspects=champion(looks=1))".to_owned(),
            "champion(looks=1,level=10,portfolio=champion(looks=1,level=10))".to_owned(),
        ] {
            let demand = Demand::of(&spec.parse().expect("a spec")).expect("known");
            assert!(allow(&demand).is_err(), "{spec}");
        }
        let usual = "champion(looks=48,portfolio=killbot+quo)";
        let demand = Demand::of(&usual.parse().expect("a spec")).expect("known");
        allow(&demand).expect(usual);
    }

    #[test]
    fn every_listed_bot_is_allowed_as_it_is() {
        for info in hegemon_bots::bots().filter(|info| is_listed(info.name)) {
            let demand = Demand::of(&hegemon_bots::Spec::plain(info.name)).expect("known");
            allow(&demand).expect(info.name);
        }
    }
}

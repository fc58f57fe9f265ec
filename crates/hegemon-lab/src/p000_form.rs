//! The two forms of Brand and Kroon 2014: as its text says, and as its program (version 1.1)
//! plays, with every difference of docs/spec/sampling.md 5.7 and 5.8 that our engine can express
//! as a switch.

use hegemon_core::rules::{EarlyStop, InitialArmies};

use crate::experiment::LabError;
use crate::matches::{MapAndRules, PROGRAM_MAP};

/// A difference: what it changes in the specs of the agents and in the rules.
#[derive(Debug)]
pub(crate) struct Switch {
    /// What it is, with its row of docs/spec/sampling.md 5.8.
    pub(crate) name: &'static str,
    /// Arguments of the tree searches.
    mcts: &'static [(&'static str, &'static str)],
    /// Arguments of EMM.
    emm: &'static [(&'static str, &'static str)],
    /// Arguments of the baseline player.
    baseline: &'static [(&'static str, &'static str)],
    /// Arguments of the simulation player, which also plays the playouts.
    simulation: &'static [(&'static str, &'static str)],
    /// Changes of the rules.
    rules: RuleChange,
    /// Whether the program has it; the others are ours or from a footnote.
    pub(crate) is_program: bool,
}

/// A change of map or rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleChange {
    None,
    LateDie,
    FortyArmies,
    LaterStop,
    Map,
}

/// Weights made by CLOP with our command, which the file names.
const CLOP: &str = "weights/greedy-clop.toml";

const PLAIN: Switch = Switch {
    name: "",
    mcts: &[],
    emm: &[],
    baseline: &[],
    simulation: &[],
    rules: RuleChange::None,
    is_program: true,
};

/// Every switch: those of the program, then others that explain our own settings.
pub(crate) static SWITCHES: [Switch; 17] = [
    Switch {
        name: "exploration times sqrt 2 (row 1)",
        mcts: &[("c", "1.697")],
        ..PLAIN
    },
    Switch {
        name: "squared chances in the search (row 2)",
        mcts: &[("chance", "squared")],
        emm: &[("chance", "squared")],
        ..PLAIN
    },
    Switch {
        name: "defender's second die from 3 armies (row 7)",
        rules: RuleChange::LateDie,
        ..PLAIN
    },
    Switch {
        name: "odds with one attacker too many, at most ten (row 8)",
        simulation: &[("odds", "program")],
        ..PLAIN
    },
    Switch {
        name: "border counts as bonuses, one connection missing (rows 9 and 11)",
        rules: RuleChange::Map,
        ..PLAIN
    },
    Switch {
        name: "attacks go on from the old source (row 12)",
        simulation: &[("active", "source")],
        ..PLAIN
    },
    Switch {
        name: "odd army to the destination (row 13)",
        baseline: &[("spare", "target")],
        simulation: &[("spare", "target")],
        ..PLAIN
    },
    Switch {
        name: "first of equal destinations (row 14)",
        baseline: &[("ties", "first")],
        simulation: &[("ties", "first")],
        ..PLAIN
    },
    Switch {
        name: "baseline's ratio before placement (row 15)",
        baseline: &[("ratio", "before")],
        ..PLAIN
    },
    Switch {
        name: "leaves for who is to move (row 20)",
        emm: &[("leaf", "mover")],
        ..PLAIN
    },
    Switch {
        name: "three plies of EMM (5.7)",
        emm: &[("depth", "3")],
        ..PLAIN
    },
    Switch {
        name: "weights of version 1.1 (1.5)",
        mcts: &[("weights", "paper-v1.1")],
        emm: &[("weights", "paper-v1.1")],
        ..PLAIN
    },
    Switch {
        name: "40 armies at the start (5.7)",
        rules: RuleChange::FortyArmies,
        ..PLAIN
    },
    Switch {
        name: "stop at a lead of 11 after 500 actions (5.7)",
        rules: RuleChange::LaterStop,
        ..PLAIN
    },
    Switch {
        name: "occupations searched (footnote 6)",
        mcts: &[("occupy", "search")],
        is_program: false,
        ..PLAIN
    },
    Switch {
        name: "discount of 2 % a turn (ours)",
        mcts: &[("discount", "0.98")],
        is_program: false,
        ..PLAIN
    },
    Switch {
        name: "our default weights (ours)",
        mcts: &[("weights", "default")],
        emm: &[("weights", "default")],
        is_program: false,
        ..PLAIN
    },
];

/// Differences that the engine cannot express, and why.
pub(crate) const NOT_EXPRESSED: &str = "Not expressed: when outcomes enter the tree, k near exhaustion and the sampling base of \
     manoeuvres (rows 3 to 5), the minimum after bonuses (row 10), the one-way connection (row 11), \
     the baseline's attack and manoeuvre inside MCTS Baseline (rows 16 and 17), the empty conquered \
     territory and the unsound pruning of EMM (rows 18 and 19), the defects of features 6, 7, 10 and 11 \
     (row 29). Rows 6, 20 for the order of samples, 23, 24 and 26 are as in our text form; rows 21, 22, \
     25, 27, 28 and 30 concern training, bounds or printing.";

/// The agents and the rules with some switches on. None is the form of the text: occupations
/// by evaluation, no discount, true probabilities, weights made by CLOP.
#[derive(Clone, Debug, Default)]
pub(crate) struct PaperForm {
    switches: Vec<&'static Switch>,
}

impl PaperForm {
    /// As the text says.
    pub(crate) fn text() -> PaperForm {
        PaperForm::default()
    }

    /// As the program plays.
    pub(crate) fn code() -> PaperForm {
        let switches = SWITCHES.iter().filter(|switch| switch.is_program);
        PaperForm {
            switches: switches.collect(),
        }
    }

    /// The text with one difference.
    pub(crate) fn with(switch: &'static Switch) -> PaperForm {
        PaperForm {
            switches: vec![switch],
        }
    }

    /// The spec of a tree search: its name, arguments of its own, and those of the form.
    pub(crate) fn tree_search(&self, name: &str, own: &[(&str, String)]) -> String {
        let mut arguments: Vec<(String, String)> = Vec::new();
        for (key, value) in own {
            set(&mut arguments, key, value);
        }
        for (key, value) in [("occupy", "eval"), ("discount", "1"), ("weights", CLOP)] {
            set(&mut arguments, key, value);
        }
        for (key, value) in self.switches.iter().flat_map(|switch| switch.mcts) {
            set(&mut arguments, key, value);
        }
        let playout = self.simulation();
        if playout != "simulation" {
            set(&mut arguments, "playout", &playout);
        }
        spec(name, &arguments)
    }

    /// The spec of EMM.
    pub(crate) fn emm(&self, own: &[(&str, &str)]) -> String {
        let mut arguments = Vec::new();
        set(&mut arguments, "weights", CLOP);
        for (key, value) in self.switches.iter().flat_map(|switch| switch.emm) {
            set(&mut arguments, key, value);
        }
        // A size that the scale asks for is more important.
        for (key, value) in own {
            set(&mut arguments, key, value);
        }
        spec("emm", &arguments)
    }

    /// The spec of the baseline player.
    pub(crate) fn baseline(&self) -> String {
        let mut arguments = Vec::new();
        for (key, value) in self.switches.iter().flat_map(|switch| switch.baseline) {
            set(&mut arguments, key, value);
        }
        spec("baseline", &arguments)
    }

    /// The spec of the simulation player.
    pub(crate) fn simulation(&self) -> String {
        let mut arguments = Vec::new();
        for (key, value) in self.switches.iter().flat_map(|switch| switch.simulation) {
            set(&mut arguments, key, value);
        }
        spec("simulation", &arguments)
    }

    /// Map and rules: two players, dealt, no cards; a lead of ten territories ends the game
    /// after a hundred actions.
    pub(crate) fn table(&self) -> Result<MapAndRules, LabError> {
        let has = |change| self.switches.iter().any(|switch| switch.rules == change);
        let map = if has(RuleChange::Map) {
            PROGRAM_MAP
        } else {
            "classic"
        };
        let (lead, after_actions) = if has(RuleChange::LaterStop) {
            (11, 500)
        } else {
            (10, 100)
        };
        let stop = EarlyStop {
            lead,
            after_actions,
        };
        let change =
            format!("end.early-stop={{\"lead\":{lead},\"after-actions\":{after_actions}}}");
        let mut table = MapAndRules::new(map, "sampling")?
            .with(&change, |rules| rules.end.early_stop = Some(stop));
        if has(RuleChange::LateDie) {
            let change = "battle.dice.defender-second-from=3";
            table = table.with(change, |rules| rules.battle.dice.defender_second_from = 3);
        }
        if has(RuleChange::FortyArmies) {
            let change = "initial-armies={\"by-players\":[40,40,40,40,40]}";
            let forty = InitialArmies::ByPlayers([40; 5]);
            table = table.with(change, |rules| rules.initial_armies = forty);
        }
        Ok(table)
    }
}

/// Sets an argument, in the place where it was first set.
fn set(arguments: &mut Vec<(String, String)>, key: &str, value: &str) {
    match arguments.iter_mut().find(|(known, _)| known == key) {
        Some((_, old)) => value.clone_into(old),
        None => arguments.push((key.to_owned(), value.to_owned())),
    }
}

fn spec(name: &str, arguments: &[(String, String)]) -> String {
    if arguments.is_empty() {
        return name.to_owned();
    }
    let arguments: Vec<String> = arguments.iter().map(|(k, v)| format!("{k}={v}")).collect();
    format!("{name}({})", arguments.join(","))
}

#[cfg(test)]
mod tests {
    use hegemon_bots::{Spec, check};

    use super::*;

    #[test]
    fn every_form_can_be_played() {
        let forms = SWITCHES.iter().map(PaperForm::with);
        for form in forms.chain([PaperForm::text(), PaperForm::code()]) {
            let game = form.table().and_then(|table| table.game(2)).expect("rules");
            for text in [
                form.tree_search("mcts", &[("k", "20".to_owned())]),
                form.tree_search("mcts-baseline", &[]),
                form.emm(&[]),
                form.baseline(),
                form.simulation(),
            ] {
                let spec: Spec = text.parse().expect("a spec");
                check(&spec, &game, &crate::shipped_files::grants())
                    .unwrap_or_else(|e| panic!("{text}: {e}"));
            }
        }
    }

    #[test]
    fn every_switch_changes_something_and_the_code_has_all_of_the_program() {
        let said = |form: &PaperForm| {
            let rules = format!("{:?}", form.table().expect("rules"));
            [
                form.tree_search("mcts", &[]),
                form.emm(&[]),
                form.baseline(),
                form.simulation(),
                rules,
            ]
        };
        let text = said(&PaperForm::text());
        for switch in &SWITCHES {
            assert_ne!(said(&PaperForm::with(switch)), text, "{}", switch.name);
        }
        let code = PaperForm::code();
        assert!(code.switches.len() >= 14);
        let mcts = code.tree_search("mcts", &[("k", "5".to_owned())]);
        assert!(
            mcts.contains("chance=squared") && mcts.contains("playout=simulation("),
            "{mcts}"
        );
    }
}

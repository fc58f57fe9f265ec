//! The findings of section III of Gillenwater 2022, checked on our histories.

use hegemon_bots::beam::Key;

use super::history::History;

/// The end of a run: its last tenth.
const END: [f64; 2] = [0.9, 1.0];
/// The middle of a run.
const MIDDLE: [f64; 2] = [0.4, 0.6];
/// Tolerance of "near", for chances.
const NEAR: f64 = 0.1;

/// A finding of the paper and how to check it.
#[derive(Clone, Copy, Debug)]
pub struct Finding {
    /// Its category in the paper.
    pub category: &'static str,
    /// What was found.
    pub text: &'static str,
    /// The paper's number.
    pub paper: &'static str,
    /// The number we check.
    pub number: &'static str,
    measure: fn(&History) -> f64,
    agrees: fn(f64) -> bool,
}

/// A finding with the results of our runs.
#[derive(Clone, Debug)]
pub struct FindingRow {
    pub finding: &'static Finding,
    /// The number of each run.
    pub values: Vec<f64>,
    /// Runs that agree.
    pub n_agree: usize,
}

impl FindingRow {
    /// Mean over runs.
    pub fn mean(&self) -> f64 {
        self.values.iter().sum::<f64>() / self.values.len().max(1) as f64
    }

    /// Smallest and largest of the runs.
    pub fn spread(&self) -> (f64, f64) {
        let fold = |pick: fn(f64, f64) -> f64, start| self.values.iter().copied().fold(start, pick);
        (
            fold(f64::min, f64::INFINITY),
            fold(f64::max, f64::NEG_INFINITY),
        )
    }

    /// Whether the runs agree with the paper: all, some or none.
    pub fn verdict(&self) -> &'static str {
        match self.n_agree {
            0 => "no",
            n if n == self.values.len() => "yes",
            _ => "mixed",
        }
    }
}

fn end(history: &History, key: Key) -> f64 {
    history.level(key, END[0], END[1])
}

fn change(history: &History, key: Key) -> f64 {
    end(history, key) - key.data().initial
}

macro_rules! moved {
    ($category:literal, $text:literal, $paper:literal, $key:ident, $agrees:expr) => {
        Finding {
            category: $category,
            text: $text,
            paper: $paper,
            number: "end minus initial value",
            measure: |history| change(history, Key::$key),
            agrees: $agrees,
        }
    };
}

macro_rules! ends {
    ($category:literal, $text:literal, $paper:literal, $key:ident, $agrees:expr) => {
        Finding {
            category: $category,
            text: $text,
            paper: $paper,
            number: "value at the end",
            measure: |history| end(history, Key::$key),
            agrees: $agrees,
        }
    };
}

macro_rules! differs {
    ($category:literal, $text:literal, $paper:literal, $number:literal, $more:ident, $less:ident) => {
        Finding {
            category: $category,
            text: $text,
            paper: $paper,
            number: $number,
            measure: |history| end(history, Key::$more) - end(history, Key::$less),
            agrees: |difference| difference > 0.0,
        }
    };
}

const FINDINGS: [Finding; 22] = [
    moved!(
        "placement",
        "armies are placed next to enemies",
        "up",
        PLACE_ENEMY_ADJACENT,
        |x| x > 0.0
    ),
    moved!(
        "placement",
        "not among one's own territories",
        "down",
        PLACE_ALLY_ADJACENT,
        |x| x < 0.0
    ),
    moved!(
        "placement",
        "not on the border of a continent",
        "down",
        PLACE_BORDER_ADJACENT,
        |x| x < 0.0
    ),
    moved!(
        "placement",
        "on territories with few connections",
        "down",
        PLACE_CONNECTION_BIAS,
        |x| x < 0.0
    ),
    ends!(
        "placement",
        "armies are concentrated",
        "\"remarkably high\" (limit 1)",
        PLACE_BIAS_MULTIPLIER,
        |x| x >= 0.85
    ),
    moved!(
        "attack",
        "attacking anywhere is good",
        "up",
        ATTACK_ANYWHERE,
        |x| x > 0.0
    ),
    moved!(
        "attack",
        "targets next to other own territories",
        "somewhat up",
        ATTACK_ALLY_ADJACENT,
        |x| x > 0.0
    ),
    moved!(
        "attack",
        "targets on borders of continents",
        "up",
        ATTACK_BORDER_ADJACENT,
        |x| x > 0.0
    ),
    Finding {
        category: "attack",
        text: "own armies count more than the enemy's",
        paper: "slightly",
        number: "-(remain bias) - destroy bias",
        measure: |history| {
            -end(history, Key::ATTACK_REMAIN_BIAS) - end(history, Key::ATTACK_DESTROY_BIAS)
        },
        agrees: |difference| difference > 0.0,
    },
    ends!(
        "attack",
        "an attack is safe from",
        "0.75",
        ATTACK_SAFE_THRESHOLD,
        |x| (x - 0.75).abs() <= NEAR
    ),
    ends!(
        "attack",
        "an attack is viable from",
        "0.45 (0.2 to 0.6 on the way)",
        ATTACK_MINIMAL_SUCCESS,
        |x| (x - 0.45).abs() <= NEAR
    ),
    ends!(
        "attack",
        "attacks are called off early at the end",
        "up to 0.975",
        ATTACK_MINIMAL_REMAINING,
        |x| x >= 0.5
    ),
    Finding {
        category: "attack",
        text: "... earlier than in the middle of the run",
        paper: "0.1 to 0.3, then \"a strong uptick\"",
        number: "end minus middle",
        measure: |history| {
            let key = Key::ATTACK_MINIMAL_REMAINING;
            end(history, key) - history.level(key, MIDDLE[0], MIDDLE[1])
        },
        agrees: |difference| difference > 0.0,
    },
    moved!(
        "movement",
        "armies move next to enemies",
        "up",
        MOVE_ENEMY_ADJACENT,
        |x| x > 0.0
    ),
    moved!(
        "movement",
        "not among one's own territories",
        "down",
        MOVE_ALLY_ADJACENT,
        |x| x < 0.0
    ),
    differs!(
        "movement",
        "rather to smaller than to bigger territories",
        "smaller",
        "smaller minus bigger",
        MOVE_SMALLER_TERRITORY,
        MOVE_BIGGER_TERRITORY
    ),
    moved!(
        "movement",
        "to territories with many connections",
        "up",
        MOVE_CONNECTION_BIAS,
        |x| x > 0.0
    ),
    ends!(
        "movement",
        "as many as the rules allow: base",
        "at least 1",
        MOVE_BASE_RATE,
        |x| x >= 0.95
    ),
    ends!(
        "movement",
        "as many as the rules allow: risky",
        "at least 1",
        MOVE_RISKY_RATE,
        |x| x >= 0.95
    ),
    ends!(
        "movement",
        "as many as the rules allow: safe",
        "at least 1",
        MOVE_SAFE_RATE,
        |x| x >= 0.95
    ),
    differs!(
        "preference",
        "larger opponents are attacked",
        "larger",
        "larger minus smaller",
        PREFER_LARGER,
        PREFER_SMALLER
    ),
    differs!(
        "preference",
        "safe actions are preferred",
        "safe",
        "safe minus risky",
        PREFER_SAFE,
        PREFER_RISKY
    ),
];

/// Every finding with the results of these runs.
pub fn findings(histories: &[History]) -> Vec<FindingRow> {
    let row = |finding: &'static Finding| {
        let values: Vec<f64> = histories.iter().map(finding.measure).collect();
        let n_agree = values.iter().filter(|&&x| (finding.agrees)(x)).count();
        FindingRow {
            finding,
            values,
            n_agree,
        }
    };
    static ALL: [Finding; FINDINGS.len()] = FINDINGS;
    ALL.iter().map(row).collect()
}

/// The findings as a Markdown table.
pub fn findings_table(rows: &[FindingRow]) -> String {
    let mut text = String::from(
        "| finding | paper | we look at | ours: mean (spread) | runs that agree | agrees |\n\
         |---|---|---|---|---|---|\n",
    );
    for row in rows {
        let finding = row.finding;
        let (low, high) = row.spread();
        text += &format!(
            "| {}: {} | {} | {} | {:.2} ({:.2} to {:.2}) | {} of {} | {} |\n",
            finding.category,
            finding.text,
            finding.paper,
            finding.number,
            row.mean(),
            low,
            high,
            row.n_agree,
            row.values.len(),
            row.verdict(),
        );
    }
    text
}

//! Sequential halving (Karnin, Koren and Somekh 2013): all candidates are tried
//! equally often, then the better part of them, until one is left.

/// A candidate and what its trials gave.
#[derive(Clone, Debug)]
pub(crate) struct Trial<A> {
    pub(crate) action: A,
    n: u32,
    sum: f64,
}

impl<A> Trial<A> {
    pub(crate) fn new(action: A) -> Trial<A> {
        Trial {
            action,
            n: 0,
            sum: 0.0,
        }
    }

    /// Counts what one trial gave.
    pub(crate) fn add(&mut self, value: f64) {
        self.n += 1;
        self.sum += value;
    }

    pub(crate) fn mean(&self) -> f64 {
        self.sum / f64::from(self.n.max(1))
    }
}

/// Spends about `total` trials; one candidate in `divisor` survives a round. `round`
/// tries each of the candidates that are left as often as it is told, and says
/// whether to go on. The best comes first; of equal ones the one that came first.
pub(crate) fn halve<A>(
    trials: &mut Vec<Trial<A>>,
    total: u64,
    divisor: usize,
    mut round: impl FnMut(&mut [Trial<A>], u64) -> bool,
) {
    let divisor = divisor.max(2);
    let n_rounds = n_rounds(trials.len(), divisor);
    while trials.len() > 1 {
        let each = (total / (n_rounds * trials.len() as u64)).max(1);
        let goes_on = round(trials, each);
        // Stable, so that the first wins ties.
        trials.sort_by(|a, b| b.mean().total_cmp(&a.mean()));
        if !goes_on {
            return;
        }
        trials.truncate(trials.len().div_ceil(divisor));
    }
}

fn n_rounds(n_candidates: usize, divisor: usize) -> u64 {
    let (mut left, mut rounds) = (n_candidates, 0);
    while left > 1 {
        left = left.div_ceil(divisor);
        rounds += 1;
    }
    rounds.max(1)
}

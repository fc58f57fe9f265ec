//! An attack under way.

use hegemon_core::{Move, View};

/// An attack that was chosen by a search, and how it stood then. It goes on without
/// another search while it stands no worse, which halves the searches of a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Assault {
    mv: Move,
    attackers: u32,
    defenders: u32,
}

impl Assault {
    /// The assault that a move begins; none if it is not an attack.
    pub(super) fn begun_by(mv: Move, view: View<'_>) -> Option<Assault> {
        let (attackers, defenders) = forces(mv, view)?;
        Some(Assault {
            mv,
            attackers,
            defenders,
        })
    }

    /// The same attack once more, if the odds are at least what they were.
    pub(super) fn again(self, view: View<'_>) -> Option<Move> {
        let (attackers, defenders) = forces(self.mv, view)?;
        let is_no_worse = u64::from(attackers) * u64::from(self.defenders)
            >= u64::from(self.attackers) * u64::from(defenders);
        (view.is_legal(self.mv) && is_no_worse).then_some(self.mv)
    }
}

fn forces(mv: Move, view: View<'_>) -> Option<(u32, u32)> {
    match mv {
        Move::Attack { from, to, .. } => Some((view.board().armies(from), view.board().armies(to))),
        _ => None,
    }
}

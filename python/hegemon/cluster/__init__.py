"""Jobs on many machines: blocks of games as Ray tasks.

The unit is a block (of training a draft or a game, of the lab a cell), which is a pure
function of its number and the seed. A task that is lost
with its worker or its machine is played again, every result is counted once, and the whole is
that of one machine to the last digit. `python -m hegemon.cluster --help` is the command.
"""

from hegemon.cluster.jobs import arena, dataset, lab, match, train_beam, train_draft
from hegemon.cluster.tasks import Tasks

__all__ = ["Tasks", "arena", "dataset", "lab", "match", "train_beam", "train_draft"]

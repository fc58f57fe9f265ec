"""A tour of the package, cell by cell (`# %%` are cells of a notebook in most editors).

Example: python python/examples/tour.py
"""

# %% A game, a state, its moves
import numpy as np

import hegemon

game = hegemon.Game("classic", "lux", players=3)
state = game.deal(seed=7)
print(state)
for move in state.legal_moves()[:3]:
    print(move, "=", state.describe(move))

# In a notebook, `state` alone shows the board; here it goes to a text.
print(len(state._repr_svg_()), "characters of SVG")

# %% Odds are exact
print(hegemon.odds(10, 8))
print(hegemon.chain_odds(12, [3, 2, 2]))
print("to take 8 with 80 %:", hegemon.smallest_force(8, 0.8), "fighters")

# %% A bot of the registry, and one of our own in a few lines


@hegemon.bot
def bold(view: hegemon.View) -> hegemon.Move:
    """Place all on one front, attack while the surplus is two or more, move in with all."""
    moves, armies, owners = view.legal_moves(), view.armies, view.owners
    attacks = [m for m in moves if m.kind == "attack"]
    if attacks:
        best = max(attacks, key=lambda m: (armies[m.source] - armies[m.target], m.armies))
        return best if armies[best.source] - armies[best.target] > 1 else hegemon.Move.end()
    if moves[0].kind == "occupy":
        return moves[-1]
    if moves[0].kind == "place":
        spots = {m.target for m in moves if m.target is not None}
        near = {t: view.map.neighbors(t) for t in spots}
        fronts = {t for t in spots if any(owners[n] != view.seat for n in near[t])}
        return max(moves, key=lambda m: (m.target in fronts, m.armies, armies[m.target]))
    return hegemon.Move.end() if hegemon.Move.end() in moves else moves[0]


print(hegemon.Bot("quo").choose(state, seed=1))
report = hegemon.match([bold, "random"], rules="sampling", games=20, seed=1)
print(report)

# %% A record is replayed to the same end
record = hegemon.play(["quo", "killbot", "boscoe"], rules="lux", seed=3)
print(record, record.verify().result)

# %% What the champion's net thinks of the positions of that game
value = hegemon.Value("classic")
for position in record.states()[:: max(1, len(record) // 5)]:
    print(np.round(value.chances(position), 2))

# %% Thousands of games at once, in arrays
env = hegemon.VecEnv(256, rules="lux", players=3, seed=1)
for _ in range(100):
    observations, masks, rewards, dones = env.step(env.sample())
print(observations.shape, masks.shape, "games ended:", int(dones.sum()))
nodes, table = env.nodes, env.globals
print("as a graph:", nodes.shape, table.shape, env.encoding.edges.shape)

"""A masked PPO on hegemon.VecEnv: learns to beat `random`, then `simulation`.

One learner plays many games at once, in every seat in turn, against bots of the registry. The
reward is the result of the game, and what territories are gained and lost on the way (a
potential, which does not change what is best).

Arrays cross between NumPy and PyTorch by DLPack: it copies nothing, and needs no build of one
for a version of the other.

Example: python python/examples/ppo.py --minutes 10 --svg curve.svg --table curve.md
         python python/examples/ppo.py --small
"""

from __future__ import annotations

import argparse
import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

import hegemon

RIVALS = ("random", "simulation")
# Updates between two trials.
EVERY = 40

# A trial: what was used up before it, and the share of games won against each rival.
Point = dict[str, float | int | str]


def shared(array: NDArray[Any]) -> torch.Tensor:
    """Show an array of the batch as a tensor, in the same memory."""
    # Older versions pass no truth values by DLPack.
    if array.dtype == np.bool_:
        return torch.from_dlpack(array.view(np.uint8)).view(torch.bool)
    return torch.from_dlpack(array)


class Policy(nn.Module):  # type: ignore[misc]
    """Two hidden layers, with a head for the actions and one for the value."""

    def __init__(self, n_inputs: int, n_actions: int, width: int = 128) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(n_inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU()
        )
        self.actions = nn.Linear(width, n_actions)
        self.value = nn.Linear(width, 1)
        nn.init.orthogonal_(self.actions.weight, 0.01)

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Give the distribution of legal actions, and the value."""
        hidden = self.body(observations)
        logits = self.actions(hidden).masked_fill(~masks, -1e9)
        return torch.distributions.Categorical(logits=logits), self.value(hidden).squeeze(-1)


@dataclass
class Settings:
    """What the training is made of."""

    n_games: int = 256
    n_steps: int = 64
    n_epochs: int = 3
    minibatch: int = 2048
    discount: float = 0.999
    trace: float = 0.95
    clip: float = 0.2
    entropy: float = 0.005
    rate: float = 5e-4
    shaping: float = 1.0


@dataclass
class Rollout:
    """What was seen and done in the steps of one update."""

    observations: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    chances: torch.Tensor
    values: torch.Tensor
    rewards: NDArray[np.float32]
    ends: NDArray[np.bool_]


@dataclass
class Learner:
    """A policy that plays and learns."""

    game: hegemon.Game
    settings: Settings
    seed: int
    n_steps: int = 0
    curve: list[Point] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Make the net."""
        torch.manual_seed(self.seed)
        encoding = hegemon.Encoding.of(self.game)
        self.policy = Policy(encoding.size, encoding.n_actions)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=self.settings.rate)
        names = encoding.global_names
        self.lands = [names.index(f"player {n} territories") for n in range(2)]

    def batch(self, rival: str, n: int, seed: int) -> hegemon.VecEnv:
        """Deal games against a rival."""
        return hegemon.VecEnv(
            n, map=self.game.map, rules=self.game.rules, opponents=[rival], seed=seed
        )

    def potential(self, env: hegemon.VecEnv) -> NDArray[np.float32]:
        """Give the lead in territories, from -1 to 1."""
        mine, theirs = self.lands
        lead: NDArray[np.float32] = env.globals[:, mine] - env.globals[:, theirs]
        return lead

    def play(self, env: hegemon.VecEnv) -> Rollout:
        """Play some steps in all games."""
        settings = self.settings
        seen, rewards, ends = [], [], []
        for _ in range(settings.n_steps):
            # The arrays of the batch are shared with PyTorch and copied once, to be kept.
            observations = shared(env.observations).clone()
            masks = shared(env.masks).clone()
            with torch.no_grad():
                distribution, values = self.policy(observations, masks)
                actions = distribution.sample()
                chances = distribution.log_prob(actions)
            before = self.potential(env)
            _, _, reward, done = env.step(np.from_dlpack(actions))
            after = np.where(done, 0.0, self.potential(env))
            rewards.append(reward + settings.shaping * (settings.discount * after - before))
            ends.append(done.copy())
            seen.append((observations, masks, actions, chances, values))
        self.n_steps += settings.n_steps * len(env)
        observations, masks, actions, chances, values = (
            torch.stack(part) for part in zip(*seen, strict=True)
        )
        gained = np.stack(rewards).astype(np.float32)
        return Rollout(observations, masks, actions, chances, values, gained, np.stack(ends))

    def advantages(self, rollout: Rollout, last: torch.Tensor) -> torch.Tensor:
        """Estimate how much better each action was than expected."""
        settings = self.settings
        values: NDArray[Any] = np.from_dlpack(rollout.values)
        following: NDArray[Any] = np.from_dlpack(last)
        result, trail = np.zeros_like(values), np.zeros_like(following)
        for n in reversed(range(len(values))):
            goes_on = ~rollout.ends[n]
            surprise = rollout.rewards[n] + settings.discount * following * goes_on - values[n]
            trail = surprise + settings.discount * settings.trace * goes_on * trail
            result[n], following = trail, values[n]
        return torch.from_dlpack(result)

    def learn(self, env: hegemon.VecEnv) -> None:
        """Play some steps and improve the policy by them."""
        settings = self.settings
        rollout = self.play(env)
        with torch.no_grad():
            _, last = self.policy(shared(env.observations), shared(env.masks))
        advantages = self.advantages(rollout, last)
        flat = [
            part.flatten(0, 1)
            for part in (
                rollout.observations,
                rollout.masks,
                rollout.actions,
                rollout.chances,
                advantages,
                advantages + rollout.values,
            )
        ]
        for _ in range(settings.n_epochs):
            for chosen in torch.randperm(len(flat[0])).split(settings.minibatch):
                self.improve(*(part[chosen] for part in flat))

    def improve(
        self,
        observations: torch.Tensor,
        masks: torch.Tensor,
        actions: torch.Tensor,
        chances: torch.Tensor,
        advantages: torch.Tensor,
        targets: torch.Tensor,
    ) -> None:
        """Take one step of the optimizer."""
        distribution, values = self.policy(observations, masks)
        ratio = (distribution.log_prob(actions) - chances).exp()
        scaled = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        clip = self.settings.clip
        gain = torch.min(ratio * scaled, ratio.clamp(1 - clip, 1 + clip) * scaled).mean()
        error = (values - targets).square().mean()
        loss = 0.5 * error - gain - self.settings.entropy * distribution.entropy().mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.optimizer.step()

    def share(self, rival: str, n: int, seed: int) -> tuple[float, float]:
        """Give the share of games won, and half the width of its 95 % interval.

        The first game of every slot counts, so that short games do not count more often.
        """
        env = self.batch(rival, n, seed)
        shares = np.full(n, np.nan)
        while np.isnan(shares).any():
            with torch.no_grad():
                distribution, _ = self.policy(shared(env.observations), shared(env.masks))
            _, _, reward, done = env.step(np.from_dlpack(distribution.sample()))
            new = done & np.isnan(shares)
            shares[new] = (reward[new] + 1) / 2
        # Two wins and two defeats more, without which none of n would be known exactly.
        middle = (float(shares.sum()) + 2) / (n + 4)
        return float(shares.mean()), 1.96 * float(np.sqrt(middle * (1 - middle) / (n + 4)))


@dataclass
class Budget:
    """What training may use: it ends with the first of the two."""

    minutes: float
    steps: float = float("inf")
    start: float = field(default_factory=time.monotonic)

    def used(self) -> float:
        """Give the minutes since the start."""
        return (time.monotonic() - self.start) / 60

    def is_spent(self, learner: Learner) -> bool:
        """Say whether nothing is left."""
        return self.used() > self.minutes or learner.n_steps >= self.steps


def trial(learner: Learner, n: int, used: float) -> Point:
    """Measure the learner against both rivals."""
    point: Point = {
        "steps": learner.n_steps,
        "minutes": round(used, 2),
        "processor_minutes": round(time.process_time() / 60, 2),
        "games": n,
    }
    for rival in RIVALS:
        share, half = learner.share(rival, n, 10**6)
        point[rival], point[f"{rival}_ci95"] = round(share, 4), round(half, 4)
    print(json.dumps(point), flush=True)
    return point


def train(learner: Learner, budget: Budget, n_trial: int, goal: float) -> None:
    """Learn against `random` until it is beaten, then against both rivals."""
    n_games = learner.settings.n_games
    envs = [learner.batch(RIVALS[0], n_games, 1)]
    n_updates = 0
    while True:
        is_last = budget.is_spent(learner)
        if n_updates % EVERY == 0 or is_last:
            point = trial(learner, 4 * n_trial if is_last else n_trial, budget.used())
            learner.curve.append(point)
            if float(point[RIVALS[0]]) >= goal and len(envs) == 1:
                envs.append(learner.batch(RIVALS[1], n_games, 2))
        if is_last:
            return
        # Once random is beaten, three of four updates are against the stronger rival.
        learner.learn(envs[-1] if n_updates % 4 else envs[0])
        n_updates += 1


def table(curve: list[Point]) -> str:
    """Write the curve as a table in Markdown."""
    heads = ["steps", "minutes", "of a processor", *(f"won against `{r}`" for r in RIVALS), "games"]
    rows = [heads, ["---"] * len(heads)]
    for point in curve:
        shares = [
            f"{100 * float(point[rival]):.1f} % ± {100 * float(point[f'{rival}_ci95']):.1f}"
            for rival in RIVALS
        ]
        times = [f"{point['minutes']:.1f}", f"{point['processor_minutes']:.1f}"]
        rows.append([f"{point['steps']:,}", *times, *shares, str(point["games"])])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def svg(curve: list[Point]) -> str:
    """Draw the shares over the steps."""
    width, height, left, top = 640, 320, 60, 20
    most = max(float(point["steps"]) for point in curve) or 1.0
    colors = {"random": "#0072b2", "simulation": "#d55e00"}
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 100} {height + 60}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect x="{left}" y="{top}" width="{width - left}" height="{height - top}" '
        'fill="none" stroke="#999"/>',
    ]
    for tenth in range(0, 11, 2):
        y = height - (height - top) * tenth / 10
        lines.append(f'<text x="{left - 8}" y="{y + 4}" text-anchor="end">{tenth * 10} %</text>')
    for rival, color in colors.items():
        spots = [
            (
                left + (width - left) * float(point["steps"]) / most,
                height - (height - top) * float(point[rival]),
            )
            for point in curve
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        lines.append(
            f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"/>'
            f'<text x="{width + 6}" y="{spots[-1][1] + 4:.1f}" fill="{color}">{rival}</text>'
        )
    lines.append(
        f'<text x="{width / 2}" y="{height + 40}" text-anchor="middle">share of games won over '
        f"{most:,.0f} steps of training</text></svg>"
    )
    return "\n".join(lines) + "\n"


def limited(name: str, turns: int) -> hegemon.Rules:
    """Give rules under which a game ends after this many rounds; most territories win.

    Players who act at random would go on for thousands of steps.
    """
    rules = json.loads(hegemon.Rules(name).to_json())
    rules["end"]["turn-limit"] = turns
    return hegemon.Rules.from_json(json.dumps(rules))


def main() -> None:
    """Train, print the curve and draw it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0, help="how long to train at most")
    parser.add_argument("--steps", type=float, default=float("inf"), help="of the games, at most")
    parser.add_argument("--map", default="classic")
    parser.add_argument("--rules", default="sampling", help="rules for two players")
    parser.add_argument("--turns", type=int, default=30, help="rounds after which a game ends")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trial", type=int, default=256, help="games of a trial")
    parser.add_argument("--goal", type=float, default=0.9, help="share at which random is beaten")
    parser.add_argument("--threads", type=int, default=1, help="of PyTorch")
    parser.add_argument("--svg", type=Path, help="draw the curve into this file")
    parser.add_argument("--table", type=Path, help="write the curve as Markdown into this file")
    parser.add_argument("--small", action="store_true", help="a few updates on a small map")
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    settings = Settings()
    if arguments.small:
        arguments.map, arguments.steps, arguments.trial = "duel6", 150_000, 64
        settings = Settings(n_games=64)
    game = hegemon.Game(arguments.map, limited(arguments.rules, arguments.turns), 2)
    learner = Learner(game, settings, arguments.seed)
    budget = Budget(arguments.minutes, arguments.steps)
    train(learner, budget, arguments.trial, arguments.goal)
    if arguments.svg:
        arguments.svg.write_text(svg(learner.curve))
    if arguments.table:
        arguments.table.write_text(table(learner.curve))


if __name__ == "__main__":
    main()

"""An open laboratory for computer Risk.

>>> import hegemon
>>> state = hegemon.Game("classic", "lux", players=3).deal(seed=7)
>>> state.phase, len(state.legal_moves())
('setup', 56)
>>> hegemon.match(["baseline", "random"], rules="sampling", games=20).games
20

The environments for learners are `hegemon.env` (PettingZoo), `hegemon.gym_env` (Gymnasium),
`hegemon.VecEnv` (many games in one call) and `hegemon.spiel` (the interface of OpenSpiel).
"""

from hegemon import lab
from hegemon._hegemon import (
    Bot,
    ChainOdds,
    Chance,
    Game,
    HegemonError,
    IllegalMoveError,
    Map,
    Move,
    Odds,
    Record,
    Rules,
    State,
    Value,
    View,
    __version__,
    chain_odds,
    odds,
    play,
    registry,
    rollouts,
    smallest_force,
)
from hegemon.analysis import Analysis, CampaignOdds, Hints, analyze, campaign, hint, threat
from hegemon.bots import PythonBot, bot, serve
from hegemon.datasets import dataset, read_dataset
from hegemon.encoding import Encoding
from hegemon.environments import env, gym_env, gym_vector_env, raw_env
from hegemon.reports import MatchReport, Rating, SprtReport, Standing
from hegemon.runs import match, pool, rate, sprt, standing
from hegemon.training import (
    BeamReport,
    BeamTerms,
    DraftReport,
    DraftTerms,
    train_beam,
    train_draft,
)
from hegemon.vector import VecEnv

__all__ = [
    "Analysis",
    "BeamReport",
    "BeamTerms",
    "Bot",
    "CampaignOdds",
    "ChainOdds",
    "Chance",
    "DraftReport",
    "DraftTerms",
    "Encoding",
    "Game",
    "HegemonError",
    "Hints",
    "IllegalMoveError",
    "Map",
    "MatchReport",
    "Move",
    "Odds",
    "PythonBot",
    "Rating",
    "Record",
    "Rules",
    "SprtReport",
    "Standing",
    "State",
    "Value",
    "VecEnv",
    "View",
    "__version__",
    "analyze",
    "bot",
    "campaign",
    "chain_odds",
    "dataset",
    "env",
    "gym_env",
    "gym_vector_env",
    "hint",
    "lab",
    "match",
    "odds",
    "play",
    "pool",
    "rate",
    "raw_env",
    "read_dataset",
    "registry",
    "rollouts",
    "serve",
    "smallest_force",
    "sprt",
    "standing",
    "threat",
    "train_beam",
    "train_draft",
]

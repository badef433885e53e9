"""The network that scores candidates by their features, in torch; `ttr_env.bots.scorer` is the same, compiled.

Decisions have different numbers of candidates. Those of many decisions lie in one long array, so that nothing is
computed for places where there is none.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import nn

from ttr_env.agents import policy_file
from ttr_env.agents import scorer as files
from ttr_env.agents.champion import network_for
from ttr_env.bots.features.columns import ACTION, HIDDEN, STATE, Column, names
from ttr_env.bots.likeness import map_like
from ttr_env.bots.scorer import WEIGHTS
from ttr_env.engine.scratch import aligned
from ttr_env.learning.torch_parts import IMPOSSIBLE, as_array, stack
from ttr_env.maps import Map

_DRAW_TICKETS = names(ACTION).index("draw_tickets")


class Decisions(NamedTuple):
    """Some decisions and their candidates."""

    states: torch.Tensor  # [decisions, columns]
    hidden: torch.Tensor | None  # [decisions, columns]: for a critic that is told more
    actions: torch.Tensor  # [candidates, columns], those of all decisions
    owners: torch.Tensor  # [candidates]: whose they are
    places: torch.Tensor  # [candidates]: the how-manieth of its decision
    urges: torch.Tensor | None = None  # [decisions]: added to the score of drawing tickets


class Scorer(nn.Module):
    """What state and action contribute is added up, and two small layers make a score of it."""

    def __init__(self, first: int = 64, second: int = 32) -> None:
        super().__init__()
        self.state = nn.Linear(len(STATE), first)
        self.action = nn.Linear(len(ACTION), first, bias=False)
        self.second = nn.Linear(first, second)
        self.score = nn.Linear(second, 1, bias=False)
        nn.init.normal_(self.score.weight, std=0.01)  # at first all candidates are about as good

    def blindfold(self, groups: Collection[str]) -> None:
        """Keep it from reading the columns of these groups, to see what they are worth."""
        blindfold(self.state, STATE, groups)
        blindfold(self.action, ACTION, groups)

    def forward(self, decisions: Decisions) -> torch.Tensor:
        """Log-probabilities [decisions, most candidates]; where there is no candidate, it is impossible."""
        first = self.state(decisions.states).index_select(0, decisions.owners) + self.action(decisions.actions)
        scores = self.score(torch.relu(self.second(torch.relu(first)))).squeeze(1)
        if decisions.urges is not None:
            scores = scores + decisions.urges[decisions.owners] * decisions.actions[:, _DRAW_TICKETS]
        width = int(decisions.places.max()) + 1
        table = scores.new_full((len(decisions.states), width), IMPOSSIBLE)
        table = table.index_put((decisions.owners, decisions.places), scores)
        return table.log_softmax(dim=1)

    def write(self, weights: np.ndarray) -> None:
        """Copy the network into one compiled one (`ttr_env.bots.scorer.WEIGHTS`)."""
        first, second = self.second.in_features, self.second.out_features
        weights["first_units"], weights["second_units"] = first, second
        weights["state"][:, :first] = as_array(self.state.weight).T
        weights["action"][:, :first] = as_array(self.action.weight).T
        weights["first_bias"][:first] = as_array(self.state.bias)
        weights["second"][:first, :second] = as_array(self.second.weight).T
        weights["second_bias"][:second] = as_array(self.second.bias)
        weights["score"][:second] = as_array(self.score.weight)[0]

    def read(self, weights: np.ndarray) -> None:
        """Take over a compiled network of the same size."""
        first, second = self.second.in_features, self.second.out_features
        given = int(weights["first_units"]), int(weights["second_units"])
        if given != (first, second):
            raise ValueError(f"a network to start from must have layers of {first} and {second}, not of {given}")
        with torch.no_grad():
            self.state.weight.copy_(torch.from_numpy(weights["state"][:, :first].T.copy()))
            self.action.weight.copy_(torch.from_numpy(weights["action"][:, :first].T.copy()))
            self.state.bias.copy_(torch.from_numpy(weights["first_bias"][:first].copy()))
            self.second.weight.copy_(torch.from_numpy(weights["second"][:first, :second].T.copy()))
            self.second.bias.copy_(torch.from_numpy(weights["second_bias"][:second].copy()))
            self.score.weight.copy_(torch.from_numpy(weights["score"][None, :second].copy()))

    def compiled(self, temperature: float = 0.0) -> np.ndarray:
        """The network as it is now, compiled: an array of one."""
        weights = aligned(1, WEIGHTS)
        weights[0]["temperature"] = temperature
        self.write(weights[0])
        return weights


def blindfold(layer: nn.Linear, columns: Sequence[Column], groups: Collection[str]) -> None:
    """Keep a layer from reading columns of some groups: their weights are 0, and learning leaves them so.

    >>> layer = nn.Linear(len(STATE), 4)
    >>> blindfold(layer, STATE, ["plan"])
    >>> layer(torch.ones(1, len(STATE))).sum().backward()
    >>> plan = [column.group == "plan" for column in STATE]
    >>> bool((layer.weight[:, plan] == 0).all() and (layer.weight.grad[:, plan] == 0).all())
    True
    """
    unread = torch.tensor([column.group in groups for column in columns])
    if not unread.any():
        return  # without a hook gradients need not be copied
    with torch.no_grad():
        layer.weight[:, : len(columns)][:, unread] = 0.0
    rest = torch.zeros(layer.in_features - len(columns), dtype=torch.bool)  # what a critic is told beside the state
    mask = torch.cat([unread, rest])
    layer.weight.register_hook(lambda gradient: gradient.masked_fill(mask, 0.0))


class Critic(nn.Module):
    """What a position is worth, by its state and, if it may know them, by hidden facts."""

    def __init__(self, layers: list[int], knows_hidden: bool) -> None:
        super().__init__()
        self.knows_hidden = knows_hidden
        self.layers = stack(len(STATE) + (len(HIDDEN) if knows_hidden else 0), layers, "relu")
        self.value = nn.Linear(layers[-1], 1)

    def blindfold(self, groups: Collection[str]) -> None:
        """Keep it from reading the columns of these groups."""
        first = next(part for part in self.layers if isinstance(part, nn.Linear))
        blindfold(first, STATE, groups)

    def forward(self, states: torch.Tensor, hidden: torch.Tensor | None) -> torch.Tensor:
        """The values [decisions]."""
        if self.knows_hidden:
            assert hidden is not None
            states = torch.cat([states, hidden], dim=1)
        return self.value(self.layers(states)).squeeze(1)


def to_start_from(name: str, map: Map) -> np.ndarray:
    """The weights of a policy file, or of the champion for a map (`ttr_env.bots.scorer.WEIGHTS`)."""
    network = network_for(map_like(map)) if name == "champion" else policy_file.load_scorer(name)
    weights: np.ndarray = network.weights()[0]
    return weights


def action_log_probs(scorer: Scorer, seen: Mapping[str, torch.Tensor], num_actions: int) -> torch.Tensor:
    """Log-probabilities [decisions, actions] by observations of `features="actions"`; only candidates are possible.

    Where nobody is to move there are no candidates, and all actions are as likely: somebody asks, and nobody acts.
    """
    index = seen["index"].long()
    owners, slots = (index >= 0).nonzero(as_tuple=True)
    table = seen["state"].new_full((len(index), num_actions), IMPOSSIBLE)
    if len(owners):
        scored = scorer(Decisions(seen["state"], None, seen["actions"][owners, slots], owners, slots))
        table = table.index_put((owners, index[owners, slots]), scored[owners, slots])
    return table.log_softmax(dim=1)


def as_policy(scorer: Scorer, **described: Any) -> files.Scorer:
    """The network as a policy file holds it; a critic is no part of it: `appraisal` finds what positions are worth.

    `described` are `about` and `games` of `ttr_env.agents.scorer.Scorer`.
    """
    return files.Scorer.of_weights(scorer.compiled(), **described)

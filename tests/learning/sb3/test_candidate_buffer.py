"""Candidates kept without gaps: the same learning as with SB3's own buffer."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from sb3_contrib import MaskablePPO

from ttr_env.learning.sb3 import CandidateBuffer, LearnerVecEnv, ScoringPolicy


def make(buffer: Any, **options: Any) -> MaskablePPO:
    env = LearnerVecEnv(games=8, opponents={"greedy": 1.0}, features="actions", seed=3, **options)
    return MaskablePPO(ScoringPolicy, env, n_steps=40, batch_size=64, n_epochs=2, seed=1, rollout_buffer_class=buffer)


@pytest.mark.parametrize("options", [{}, {"critic": "hidden"}])
def test_it_learns_what_sb3s_own_buffer_learns(options: dict[str, Any]) -> None:
    plain, ragged = (make(buffer, **options) for buffer in (None, CandidateBuffer))
    before = [value.clone() for value in plain.policy.parameters()]
    for model in (plain, ragged):
        np.random.seed(5)  # noqa: NPY002 - SB3 shuffles by it
        torch.manual_seed(5)
        model.learn(640)
    for start, one, other in zip(before, plain.policy.parameters(), ragged.policy.parameters(), strict=True):
        assert torch.allclose(one, other, atol=2e-4) and not torch.allclose(start, one, atol=2e-4)


def test_only_what_the_mask_allows_is_kept() -> None:
    model = make(CandidateBuffer)
    model.learn(320)
    buffer = model.rollout_buffer
    seen = model.env.reset()  # type: ignore[union-attr]
    buffer.reset()
    masks = np.zeros((8, int(model.action_space.n)), bool)  # type: ignore[attr-defined]
    allowed = seen["index"][:, [1, 3]]
    np.put_along_axis(masks, allowed, True, axis=1)
    zeros, numbers = np.zeros(8), torch.zeros(8)
    for _ in range(buffer.buffer_size):
        buffer.add(seen, allowed[:, 1], zeros, zeros, numbers, numbers, action_masks=masks)
    buffer.compute_returns_and_advantage(numbers, zeros)
    samples = next(iter(buffer.get(8)))
    assert (
        samples.actions.tolist() == [1] * 8 and samples.observations.owners.tolist() == np.repeat(range(8), 2).tolist()
    )
    shown = {seen["actions"][row, 3].tobytes() for row in range(8)}
    assert {row.numpy().tobytes() for row in samples.observations.actions[1::2]} <= shown


def test_what_it_cannot_keep_is_refused() -> None:
    box = gymnasium.spaces.Dict({"state": gymnasium.spaces.Box(0, 1, (3,))})
    with pytest.raises(ValueError, match='observations of features="actions" are needed'):
        CandidateBuffer(4, box, gymnasium.spaces.Discrete(5))
    model = make(CandidateBuffer)
    seen, zeros = model.env.reset(), np.zeros(8)  # type: ignore[union-attr]
    with pytest.raises(ValueError, match="an action is no candidate; a ScoringPolicy is needed"):
        model.rollout_buffer.add(seen, np.full(8, 615), zeros, zeros, torch.zeros(8), torch.zeros(8))

"""Learning with Stable-Baselines3."""

from ttr_env.learning.sb3.candidate_buffer import CandidateBuffer
from ttr_env.learning.sb3.scoring_policy import ScoringPolicy
from ttr_env.learning.sb3.selfplay_env import SelfPlayEnv
from ttr_env.learning.sb3.selfplay_ppo import SelfPlayPPO
from ttr_env.learning.sb3.vec_env import LearnerVecEnv

__all__ = ["CandidateBuffer", "LearnerVecEnv", "ScoringPolicy", "SelfPlayEnv", "SelfPlayPPO"]

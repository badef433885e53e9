"""The extra `rllib` is enough: nothing of it needs Stable-Baselines3."""

import pytest

from tests.helpers.without import run_without

CODE = """
import importlib, pkgutil
import ttr_env.learning.rllib as package
for module in pkgutil.iter_modules(package.__path__, "ttr_env.learning.rllib."):
    importlib.import_module(module.name)
from ttr_env.learning import conclusion, configs, finishing, run_folder
from ttr_env.learning.rllib import settings, trainer
chosen = settings.read(configs.find("rllib"), ["workers.env_runners=0"])
print(trainer.make_config(chosen).num_epochs)
"""


@pytest.mark.slow
def test_everything_of_rllib_is_imported_without_sb3() -> None:
    pytest.importorskip("ray")
    done = run_without(("stable_baselines3", "sb3_contrib", "threadpoolctl"), CODE)
    assert done.returncode == 0 and done.stdout == "2\n", done.stderr

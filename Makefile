# `make` alone lists what there is to do. Every target that runs something first brings the environment up to date.

# Settings, to be changed on the command line. EXTRAS are those of pyproject.toml, separated by commas (dev,train).
# WORKERS is how many processes share the tests (0: none but pytest's own). ARGS is passed on by `test`,
# `interop`, `openenv`, `bench`, `train`, `soak`, `fuzz`, `cluster` and `matrix`; CONFIG says what `train` trains,
# MINUTES how long `soak` takes, GAMES how many `text` plays on each map, PATIENCE after how many seconds a test has hung.
PYTHON  ?= python3
VENV    ?= .venv
EXTRAS  ?= dev,train,rllib,web,data,docs
WORKERS ?= 2
ARGS    ?=
CONFIG  ?= quickstart
MINUTES ?= 10
GAMES   ?= 1000
PATIENCE ?= 900

IN_VENV := $(VENV)/bin/python
STAMP   := $(VENV)/.installed-$(EXTRAS)
INTEROP := $(VENV)-interop
AGILERL := $(VENV)-agilerl
OPENENV := $(VENV)-openenv

.DEFAULT_GOAL := help
.PHONY: help setup test browser check coverage interop openenv text matrix docs bench train ladder soak fuzz cluster clean
.DELETE_ON_ERROR:

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s  %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP) ## build .venv with the package and its tools, compiled; at once when nothing changed

$(STAMP): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "ttr-env needs Python 3.11 or newer, but $(PYTHON) is: $$($(PYTHON) --version 2>&1)." \
	           "Name another one with: make setup PYTHON=python3.11" >&2; exit 1; }
	test -x $(IN_VENV) || $(PYTHON) -m venv $(VENV)
	@echo "Installing the package and its tools. PyTorch and Ray are large: the first time it takes some minutes."
	$(IN_VENV) -m pip install --constraint constraints.txt --editable '.[$(EXTRAS)]'
	$(VENV)/bin/ttr compile
	@touch $@

test: setup ## every test; ARGS="-k name" to choose
	$(IN_VENV) -m pytest -n $(WORKERS) --timeout $(PATIENCE) $(ARGS)

browser: ## a Chromium for the tests in a browser: Debian's, installed where there is none
	@if found=$$($(PYTHON) -m tests.helpers.chromium); then \
	    echo "Chromium is there: $$found"; \
	elif command -v apt-get > /dev/null && [ "$$(id -u)" = 0 ]; then \
	    apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium fonts-liberation; \
	else \
	    echo "Chromium cannot be installed from here: install it as your system does (on Debian and Ubuntu:" \
	         "sudo apt-get install chromium), or set TTR_CHROMIUM to where a Chromium or Chrome is." >&2; exit 1; \
	fi

check: setup ## lint, formatting, types, and the fast tests
	$(IN_VENV) -m ruff check .
	$(IN_VENV) -m ruff format --check .
	$(IN_VENV) -m mypy
	$(IN_VENV) -m pytest -n $(WORKERS) --timeout $(PATIENCE) -m "not slow"

# Which lines of compiled code run cannot be seen, so kernels are measured as plain Python, by tests that bear its speed:
# those of the rules, and one that compares plain games, agents and environments with compiled ones in another process.
# What calls the kernels is measured compiled. Games against the reference, and training, would add much time and few lines.
PLAIN    := tests/rules tests/engine/test_bits.py tests/engine/test_rng.py \
    "tests/engine/test_determinism.py::test_another_process_plays_the_same_games[on-0]"
COMPILED := tests/agents tests/arena tests/batch tests/cli tests/envs tests/game tests/maps tests/render tests/web ttr_env \
    tests/engine/test_bits.py tests/engine/test_jit.py

coverage: setup ## the lines of ttr_env that tests run: fails below 95 %
	NUMBA_DISABLE_JIT=1 $(IN_VENV) -m pytest -n $(WORKERS) --cov --cov-report= $(PLAIN)
	$(IN_VENV) -m pytest -n $(WORKERS) --cov --cov-append --cov-report= -m "not slow" $(COMPILED)
	$(IN_VENV) -m coverage report --fail-under=95

# Libraries that nothing else needs are installed apart from the rest, and AgileRL, which wants an older PettingZoo and
# another TensorDict, apart from the others.
interop: $(INTEROP)/.installed $(AGILERL)/.installed ## other people's libraries with the game, in environments of their own
	$(INTEROP)/bin/python -m pytest tests/interop tests/torchrl ttr_env/torchrl \
	    tests/docs/test_tutorials.py $(ARGS)
	$(AGILERL)/bin/python -m pytest tests/agilerl tests/interop/test_minari.py tests/data/test_exporting.py $(ARGS)

$(INTEROP)/.installed: pyproject.toml constraints.txt constraints-interop.txt
	test -x $(INTEROP)/bin/python || $(PYTHON) -m venv $(INTEROP)
	$(INTEROP)/bin/python -m pip install --constraint constraints.txt --constraint constraints-interop.txt \
	    --editable '.[video]' pytest tianshou torchrl
	@touch $@

$(AGILERL)/.installed: pyproject.toml constraints-agilerl.txt
	test -x $(AGILERL)/bin/python || $(PYTHON) -m venv $(AGILERL)
	$(AGILERL)/bin/python -m pip install --quiet --constraint constraints-agilerl.txt --editable . \
	    pytest agilerl peft
	@touch $@

matrix: setup ## the fast tests with every Python and the oldest and newest versions; ARGS="3.13 oldest" to choose
	$(IN_VENV) -m tests.matrix --workers $(WORKERS) $(ARGS)

text: setup ## every action of GAMES (1000) random games on each map, told in words and read back
	TTR_TEXT_GAMES=$(GAMES) $(IN_VENV) -m pytest -n $(WORKERS) tests/text -k random_games $(ARGS)

openenv: $(OPENENV)/.installed ## the OpenEnv server and what trains language models, installed in .venv-openenv
	$(OPENENV)/bin/python -m pytest tests/openenv ttr_env/llm/openenv $(ARGS)

$(OPENENV)/.installed: pyproject.toml constraints-openenv.txt
	test -x $(OPENENV)/bin/python || $(PYTHON) -m venv $(OPENENV)
	$(OPENENV)/bin/python -m pip install --quiet --constraint constraints-openenv.txt \
	    --editable '.[openenv]' pytest transformers
	@touch $@

docs: setup ## the documentation site, in build/site; a warning or a dead link is an error
	$(IN_VENV) -m docs.site

bench: setup ## measure speed; ARGS are passed on
	$(IN_VENV) -m benchmarks.run $(ARGS)

train: setup ## train an agent by self-play for some minutes; CONFIG is one of configs/, ARGS are passed on
	$(IN_VENV) -m training.train --config $(CONFIG) $(ARGS)

ladder: setup ## the agents against each other with 2 to 5 players, as in docs/agents.md
	for players in 2 3 4 5; do \
	    $(IN_VENV) -m training.evaluate --agents champion planner planner:version=1 racer greedy random --players $$players \
	        --games 2000 --seed 1 --out runs/ladder-$$players $(ARGS) || exit 1; \
	done

soak: setup ## play and train for MINUTES (10), checking invariants, memory and open files
	$(IN_VENV) -m tests.soak --minutes $(MINUTES) $(ARGS)

fuzz: setup ## damage every kind of input and see that it is refused; ARGS="--seconds 3600 --seed 1 --only map"
	$(IN_VENV) -m tests.fuzz $(ARGS)

cluster: setup ## training on a Ray cluster of three nodes, on this machine, that loses and gains some of them
	$(IN_VENV) -m pytest -n 0 tests/cluster $(ARGS)

clean: ## remove .venv, builds and caches
	rm -rf $(VENV) $(INTEROP) $(AGILERL) $(OPENENV) .venv-matrix build dist .hypothesis .mypy_cache .pytest_cache .ruff_cache .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

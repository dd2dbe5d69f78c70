# One set of commands for people and for CI. `make` alone lists them.

PYTHON ?= python3
GAME   ?= pig
PARAMS ?=
LAB    ?=

VENV := .venv
BIN  := $(VENV)/bin
PIP  := $(BIN)/python -m pip install -qq --disable-pip-version-check --no-compile -c constraints.txt

# Installing skips the byte-compiling of thousands of modules nobody imports, which takes as long as
# the rest; those that are imported are then compiled at their first import, so let them be kept.
unexport PYTHONDONTWRITEBYTECODE

# Stamps: made, installed (when newer than what it was installed from), compiled.
MADE := $(VENV)/.made
CORE := $(VENV)/.installed
DEV  := $(VENV)/.installed-dev
WEB  := $(VENV)/.installed-lab
WARM := $(VENV)/.warmed
PEERS := .venv-peers/.installed

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
# Two installs into one environment must not run at once, even under `make -j`. What `check` runs
# side by side finds everything installed.
ifndef INSTALLED
.NOTPARALLEL:
endif
.PHONY: help setup setup-dev solve reproduce lab test check format lint types docs pages translations bench bench-page peers peers-test clean

help: ## list these targets
	@awk 'BEGIN { FS = ":.*## " } /^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' Makefile
	@echo
	@echo '  make solve GAME=pig PARAMS="target=50"    for another game or other rules'
	@echo '  make lab LAB="--port 8500"                for another port; dicelab lab --help has more'
	@echo '  make setup PYTHON=python3.12              for another Python'

setup: $(CORE) $(WARM) ## make .venv, install dicelab in it, compile its inner loops

setup-dev: $(DEV) $(WARM) ## the same, with what the tests and checks need

solve: setup ## solve GAME (pig) with PARAMS; strategy and figure go to out/GAME
	$(BIN)/dicelab solve $(GAME) $(PARAMS) --out out/$(GAME)/

reproduce: setup ## every study beside our numbers; reports and figures go to out/reproduce
	$(BIN)/dicelab reproduce all --differences --out out/reproduce

lab: $(WEB) $(WARM) ## play in the browser, on http://127.0.0.1:8421/; needs no network
	$(BIN)/dicelab lab $(LAB)

# Each shows what it says in one piece, where make can do that (from 4.0 on).
SIDE_BY_SIDE := -j 3 $(if $(filter output-sync,$(.FEATURES)),--output-sync=target)

PYTEST := $(BIN)/python -m pytest -q -n auto --maxprocesses 4 --dist worksteal

test: setup-dev ## run every test and every example in the docstrings
	$(PYTEST)

check: setup-dev ## format, lint, types, the site, and every test but the slow ones
	@$(MAKE) --no-print-directory $(SIDE_BY_SIDE) INSTALLED=yes lint types docs
	$(PYTEST) -m "not slow"

format: $(DEV) ## put the code in the common format
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lint: $(DEV) ## check the format and the lint rules
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(DEV) ## check the types
	$(BIN)/mypy

docs: $(DEV) ## build the site of docs/ into site/; a warning is an error
	$(BIN)/python -m mkdocs build --quiet --strict
	@echo "the site is in site/: open site/index.html"

pages: setup ## write the pages and pictures that are made by commands
	$(BIN)/python tools/cli_reference.py
	$(BIN)/python tools/api_reference.py
	$(BIN)/dicelab solve pig --plot docs/images/pig.svg
	$(BIN)/dicelab plot pig scatter --out docs/images/study-15.png
	$(BIN)/dicelab plot pig fair-tests --out docs/images/study-16.png
	$(BIN)/dicelab plot pig champion --out docs/images/study-18.png
	$(BIN)/dicelab plot pig tournament --out docs/images/hold-at.png
	for kind in first-throws turns given-away; do $(BIN)/dicelab plot 421 $$kind --out docs/images/421-$$kind.svg || exit 1; done

translations: $(DEV) ## bring the lab's catalogues up to date, and list what has no translation
	$(BIN)/python tools/translations.py

bench: setup peers ## time dicelab beside its peers; tables go to out/bench
	$(BIN)/python benchmarks/run.py

bench-page: setup peers ## the same, and put the tables into docs/benchmarks.md
	$(BIN)/python benchmarks/run.py --page

peers: $(PEERS) ## make .venv-peers, with the packages that dicelab is measured against

peers-test: setup-dev peers ## tests that need a package of .venv-peers
	$(BIN)/python -m pytest -q -n 0 benchmarks/peers/test_paynt.py

clean: ## remove out/, site/, caches and build leftovers (.venv stays)
	rm -rf out site build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} + 2>/dev/null || true
	rm -f $(WARM)

$(MADE):
	@command -v $(PYTHON) >/dev/null || { \
	  echo "cannot find $(PYTHON): install Python 3.11 or newer, or name one with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "dicelab needs Python 3.11 or newer and $(PYTHON) is $$($(PYTHON) -V 2>&1): name another with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make a virtual environment because ensurepip is missing: on Debian and Ubuntu install python3-venv, or name another Python with make PYTHON=..." >&2; exit 1; }
	@echo "making $(VENV) with $$($(PYTHON) -V)"
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv --clear $(VENV)
	@$(PIP) --upgrade pip || echo "the pip that came with $(PYTHON) does it too, but takes longer"
	@touch $@

$(CORE): pyproject.toml constraints.txt | $(MADE)
	@echo "installing dicelab and what it needs into $(VENV)"
	@$(PIP) -e .
	@touch $@

$(DEV): pyproject.toml constraints.txt | $(MADE)
	@echo "installing dicelab, what it needs and its test tools into $(VENV)"
	@$(PIP) -e '.[dev]'
	@touch $(CORE) $(WEB) $@

$(WEB): pyproject.toml constraints.txt | $(MADE)
	@echo "installing dicelab, what it needs and its lab into $(VENV)"
	@$(PIP) -e '.[lab]'
	@touch $(CORE) $@

$(PEERS): benchmarks/peers/requirements.txt | $(MADE)
	@echo "installing the peers into .venv-peers"
	@$(BIN)/python -m venv --clear .venv-peers
	@.venv-peers/bin/python -m pip install -qq --disable-pip-version-check --no-compile -r $<
	@touch $@

KERNELS := $(wildcard src/dicelab/core/jit.py $(patsubst %,src/dicelab/%/*.py,solvers rounds table strategies))

$(WARM): $(CORE) $(KERNELS)
	@echo "compiling the inner loops, once"
	@$(BIN)/python -m dicelab.warm
	@touch $@

# Every command of the project; `make` alone prints them.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
EXPORT := PYTHONUTF8=1

.DEFAULT_GOAL := help
.PHONY: help setup demo test up lint format lock schema first-look clean

help:  ## print this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*##/\t/' | expand -t 20

setup: $(VENV)/.installed  ## install everything into .venv, as requirements.lock says

$(VENV)/.installed: requirements.lock pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --disable-pip-version-check uv==$(UV_VERSION)
	$(BIN)/uv pip install -q -p $(BIN)/python --require-hashes -r requirements.lock
	$(BIN)/uv pip install -q -p $(BIN)/python --no-deps --no-build-isolation -e .
	touch $@

demo: setup  ## start everything, index the sample, ask five questions, stop
	$(EXPORT) $(BIN)/python -m onec_rag_local.demo --sample tests/data/sample

test: setup lint  ## lint, types, contracts, then unit, integration and end-to-end tests
	$(EXPORT) $(BIN)/python -m pytest -q

up: setup  ## start the service on this machine, until Ctrl-C
	$(EXPORT) $(BIN)/onec-rag up

lint: setup  ## ruff, mypy (strict), import contracts
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

format: setup  ## put the code into its one form
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

lock: setup  ## make requirements.lock anew from pyproject.toml
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
		--all-extras pyproject.toml -o requirements.lock

schema: setup  ## write store/schema.sql anew after a migration was added
	$(EXPORT) $(BIN)/python scripts/schema_snapshot.py

first-look: setup  ## BSP=zip or folder, GOLD=questions: load a real configuration and measure (VECTORS=1: hybrid too)
	$(EXPORT) $(BIN)/python scripts/first_look.py $(BSP) $(if $(GOLD),--gold $(GOLD)) $(if $(VECTORS),--vectors)

clean:  ## remove what was built; data folders stay
	rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# Every command of the project; `make` alone prints them.
SHELL := /bin/bash
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV_VERSION := 0.13.9
SAM := .venv-sam
SAM_VERSION := 1.170.0
OF_THE_RUNTIME := boto3 botocore s3transfer
EXPORT := PYTHONUTF8=1
SAM_COMMAND := AWS_DEFAULT_REGION=us-east-1 SAM_CLI_TELEMETRY=0 $(SAM)/bin/sam

.DEFAULT_GOAL := help
.PHONY: help setup demo test up lint format build lock schema corpora fuzz bench bench-releases first-look clean

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
	$(EXPORT) $(BIN)/python -m pytest -q -n 2

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

build: setup $(SAM)/.installed  ## check the templates, build what goes to Lambda, print the sizes
	PATH="$(CURDIR)/$(BIN):$$PATH" $(SAM_COMMAND) validate --lint
	PATH="$(CURDIR)/$(BIN):$$PATH" $(SAM_COMMAND) build
	$(EXPORT) $(BIN)/python scripts/artefact_sizes.py .aws-sam/build

$(SAM)/.installed: Makefile
	test -x $(SAM)/bin/python || $(PYTHON) -m venv $(SAM)
	$(BIN)/uv pip install -q -p $(SAM)/bin/python aws-sam-cli==$(SAM_VERSION)
	touch $@

lock: setup  ## make requirements.lock anew from pyproject.toml, and the layer's requirements within it
	$(BIN)/uv pip compile -q --universal --generate-hashes --no-header --no-annotate --python-version 3.11 \
		--all-extras pyproject.toml -o requirements.lock
	$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["project"] \
		["optional-dependencies"]["server"], sep="\n")' \
	| $(BIN)/uv pip compile -q --generate-hashes --no-header --no-annotate -c requirements.lock --python-version 3.13 \
		--python-platform x86_64-manylinux_2_28 $(foreach package,$(OF_THE_RUNTIME),--no-emit-package $(package)) \
		- -o layers/dependencies/requirements.txt

schema: setup  ## write store/schema.sql anew after a migration was added
	$(EXPORT) $(BIN)/python scripts/schema_snapshot.py

corpora: setup  ## BSP=DIR EDT=DIR UT=DIR VANESSA=DIR MDCLASSES=DIR HBK=DIR: read whichever checkouts are given, count
	$(EXPORT) $(BIN)/python -m scripts.corpora $(if $(BSP),--bsp $(BSP)) $(if $(EDT),--edt $(EDT)) $(if $(UT),--ut $(UT)) \
		$(if $(VANESSA),--vanessa $(VANESSA)) $(if $(MDCLASSES),--mdclasses $(MDCLASSES)) $(if $(OTHER),--other $(OTHER)) \
		$(if $(HBK),--hbk $(HBK)) --out $(or $(OUT),build/corpora) --oracle $(if $(TOKENS),--tokens)

fuzz: setup  ## MINUTES=10 SEED=1: any bytes and damaged files of every format
	$(EXPORT) $(BIN)/python -m pytest -q -n 2 --hypothesis-profile=fuzz --timeout=0 \
		tests/unit/formats/test_contract.py -k any_bytes
	$(EXPORT) $(BIN)/python -m scripts.fuzz --minutes $(or $(MINUTES),10) --seed $(or $(SEED),1)

bench: setup  ## FOLDER=dump: speed and memory of reading it (MB/s a core)
	$(EXPORT) $(BIN)/python -m benchmarks.reading $(FOLDER)

bench-releases: setup  ## BSP_GIT=DIR [GOLD=questions] [ONLY=patch,minor,ten]: cost of releases, old ones read back
	$(EXPORT) $(BIN)/python -m benchmarks.releases $(BSP_GIT) $(if $(GOLD),--gold $(GOLD)) $(if $(ONLY),--only $(ONLY))

first-look: setup  ## BSP=zip or folder, GOLD=questions: load a real configuration and measure (VECTORS=1: hybrid too)
	$(EXPORT) $(BIN)/python scripts/first_look.py $(BSP) $(if $(GOLD),--gold $(GOLD)) $(if $(VECTORS),--vectors)

clean:  ## remove what was built; data folders stay
	rm -rf build dist .aws-sam .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

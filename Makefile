# The one way to run anything here. `make help` lists it.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
DB ?= library.db
PORT ?= 8001
DATA ?= ../shared
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt
.DEFAULT_GOAL := serve

.PHONY: serve build test lint docs bench quality fuzz train screenshots clean help

serve: build ## Load the seeds where there is no database, and serve the site on 127.0.0.1
	$(BIN)/litsette serve --db $(DB) --port $(PORT)

build: $(DB) ## Set everything up and load the seeds into $(DB)

$(DB): | $(VENV)/.run
	$(BIN)/litsette load seeds/*.txt --db $(DB)

test: $(VENV)/.test ## Run all tests (browser tests where there is a chromium)
	$(BIN)/python -m pytest --numprocesses 2 --dist worksteal

lint: $(VENV)/.dev ## Check style, types and generated documents
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

docs: $(VENV)/.run ## Write docs/schema.md and docs/commands.md anew
	$(BIN)/python docs/generate.py

bench: quality ## Measure quality, duplicates and speed, with labelled data in DATA
	$(BIN)/python benchmarks/speed.py
	$(BIN)/python benchmarks/duplicates.py --data $(DATA)/duplicates

quality: $(VENV)/.bench ## Measure what is read from abstracts; write loader/quality.json
	$(BIN)/python benchmarks/quality.py --data $(DATA) --write

fuzz: $(VENV)/.dev ## Read 100,000 mutated abstracts: no fault, linear time
	$(BIN)/python benchmarks/fuzz.py

bench-site: $(VENV)/.dev ## Walk the site of 100,000 invented papers, ask for odd addresses, kill loads
	$(BIN)/python benchmarks/fuzz_site.py
	$(BIN)/python benchmarks/kill.py
	$(BIN)/python benchmarks/site.py --bare --readers --load

train: $(VENV)/.dev ## Train the weights of roles and claims from labelled data in DATA
	$(BIN)/python -m loader.train --data $(DATA)

screenshots: $(VENV)/.test ## Make the pictures of the README from the running site
	$(BIN)/python benchmarks/screenshots.py

clean: ## Remove what was built, but no database
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' Makefile

$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "litsette needs Python 3.11 or newer; name one with: make PYTHON=python3.11"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: pyproject.toml constraints.txt | $(VENV)/bin/python
	$(PIP) --editable .
	@touch $@

$(VENV)/.test: $(VENV)/.run
	$(PIP) --editable '.[test]'
	@touch $@

$(VENV)/.bench: $(VENV)/.dev
	$(PIP) --editable '.[bench]'
	@touch $@

$(VENV)/.dev: $(VENV)/.test
	$(PIP) --editable '.[dev]'
	@touch $@

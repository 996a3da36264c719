# Two commands matter: `make run` opens the product, `make test` proves it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SETUP := $(PYTHON) config/setup_env.py
CHAOS := -n 2 tests/annotation/services/test_chaos.py tests/annotation/services/test_racing.py

.PHONY: run test check bench chaos proof lock format clean services e2e

run: ## set up and start the product with its demo study
	@$(SETUP) requirements.txt
	@$(BIN)/python -m config.launch

test: ## set up and run the tests (SQLite, embedded broker, no browser)
	@$(SETUP) requirements-dev.txt
	@$(BIN)/python -m pytest -n 2

check: ## form, types, templates, directions, migrations
	@$(SETUP) requirements-dev.txt
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/python -m config.templates_check
	$(BIN)/lint-imports
	$(BIN)/mypy .
	$(BIN)/python manage.py makemigrations --check --dry-run --settings config.settings.test

services: ## the tests that need PostgreSQL, Redis and pdfLaTeX
	@$(SETUP) requirements-dev.txt
	@$(BIN)/python -m pytest -m services

e2e: ## the tests that drive a real browser
	@$(SETUP) requirements-dev.txt
	@$(BIN)/python -m pytest -m e2e

bench: ## ours against its peers, as ratios from one run
	@$(SETUP) requirements-dev.txt
	@$(BIN)/python -m tests.benchmarks

chaos: ## a hundred random interleavings of judges on each database: exactly k, always
	@$(SETUP) requirements-dev.txt
	@DATABASE_URL= CHAOS_RUNS=100 $(BIN)/python -m pytest $(CHAOS)
	@CHAOS_RUNS=100 $(BIN)/python -m tests.load.postgres $(BIN)/python -m pytest $(CHAOS)

proof: ## kill web server and database under load: nothing acknowledged is lost
	@$(SETUP) requirements-dev.txt
	@$(BIN)/python -m tests.proof.kill

format:
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: ## pin what pyproject.toml asks for (needs uv)
	uv pip compile -q --upgrade --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --extra parquet -o requirements.txt
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header pyproject.toml --all-extras --group dev -c requirements.txt -o requirements-dev.txt

clean: ## remove everything that a command made, except the data in var/
	rm -rf $(VENV) static_built static/generated .cache .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis

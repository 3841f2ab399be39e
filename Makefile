# Needs Python 3.11 or newer, make and git. Everything else is installed into .venv.

PYTHON ?= python3
PORT ?= 8000
BEZIQUE_DATA ?= var
WORKERS ?= 2
ARGS ?=
TESTS ?= tests/records/engine tests/records/validate tests/laws tests/playouts \
    tests/analyzer/play tests/analyzer/review tests/analyzer/solver

VENV := .venv
BIN := $(VENV)/bin
PYTEST = $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
CODE := records analyzer webui tests
UV ?= uv
REMOVE_COMPILED := find records analyzer -name '*.so' -delete; rm -f *__mypyc.*.so

# The tests start hundreds of processes: where Python may not keep what it compiles, each compiles the program anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help setup demo lint check test slow test-all bench fast compiled pure soak pictures lock clean
.DEFAULT_GOAL := help

help:  ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1	/p' $(MAKEFILE_LIST) | expand -t 20

setup: $(VENV)/run.done  ## install into .venv what it needs to run

demo: $(VENV)/run.done  ## make demo data once and serve it at 127.0.0.1:$(PORT)  (PORT= BEZIQUE_DATA=)
	@$(BIN)/bezique demo --data "$(BEZIQUE_DATA)"
	@exec $(BIN)/bezique serve --data "$(BEZIQUE_DATA)" --port "$(PORT)"

lint: $(VENV)/test.done  ## check format, style, complexity, types and import contracts
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy
	$(BIN)/lint-imports
	@.ci/styles

check: lint  ## lint, then every test that needs neither a browser nor minutes
	@$(PYTEST) -m "not e2e and not long and not slow" $(ARGS)

test: lint  ## what to run before you send a change: all but the slow tests  (ARGS= for pytest)
	@bash .ci/browser
	@bash .ci/nginx
	@$(PYTEST) -m "not slow" $(ARGS)

# They wait a quarter of their time, for proxies, browsers and processes: a third worker computes meanwhile.
slow: WORKERS := $(if $(filter 2,$(WORKERS)),3,$(WORKERS))
slow: $(VENV)/test.done  ## run the tests that make test leaves out
	@bash .ci/browser
	@bash .ci/nginx
	@$(PYTEST) -m slow $(ARGS)

test-all: test slow  ## run every test

bench: $(VENV)/test.done  ## measure speed next to other validators, memory, page times
	@$(BIN)/python -m tests.bench $(ARGS)

fast: $(VENV)/test.done  ## compile in place what is run most; needs a C compiler, some two minutes
	@command -v $(CC) >/dev/null || { echo "There is no C compiler here ($(CC)). All works without; on Debian: apt-get install gcc python3-dev" >&2; exit 1; }
	@$(BIN)/python -c 'import pathlib, sysconfig as s; exit(not (pathlib.Path(s.get_path("include")) / "Python.h").exists())' || \
	    { echo "Python's headers are missing. All works without; on Debian: apt-get install python3-dev" >&2; exit 1; }
	@echo "Compiling the modules that pyproject.toml lists; some two minutes."
	@HATCH_BUILD_HOOK_ENABLE_MYPYC=1 $(BIN)/python -m hatchling build --target wheel --hooks-only
	@$(BIN)/bezique --version

pyproject.toml:  # the compiler's plugin hides it while it works, and leaves it hidden if it is killed
	@test -f $@ || mv $@.bak $@

compiled: fast  ## compile, run the tests of what is compiled, then remove it  (TESTS=tests for all)
	@trap "$(REMOVE_COMPILED)" EXIT; \
	$(PYTEST) -m "not slow" $(TESTS) $(ARGS)

pure:  ## remove what make fast compiled
	@$(REMOVE_COMPILED)

soak: $(VENV)/test.done  ## play and damage random games for a while  (ARGS="--minutes 10")
	@$(BIN)/python -m tests.soak $(ARGS)

pictures: $(VENV)/test.done  ## take the pictures of the documents from a running site
	@$(BIN)/python -m tests.records.documents.pictures

lock:  ## rewrite the lock files (needs uv)
	echo hatchling | $(UV) pip compile --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes \
	    --no-annotate --no-header pyproject.toml - --output-file .ci/run.lock
	echo hatchling | $(UV) pip compile --quiet --universal --no-strip-extras --python-version 3.11 --generate-hashes \
	    --no-annotate --no-header --constraint .ci/run.lock --extra dev pyproject.toml - \
	    --output-file .ci/test.lock

clean: pure  ## remove .venv, compiled modules and every cache, but not the data folder
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache \
	    build dist mutants htmlcov .coverage
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/run.done $(VENV)/test.done: $(VENV)/%.done: .ci/%.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "This needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	@test -x $(BIN)/pip || $(PYTHON) -m venv --clear $(VENV) || \
	    { echo "Python cannot make a virtual environment; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing $$(grep -c '^[a-z]' $<) packages of $< into $(VENV); half a minute the first time."
	@$(PIP) install --require-hashes --requirement $<
	@$(PIP) install --no-build-isolation --no-deps --editable .
	@touch $@

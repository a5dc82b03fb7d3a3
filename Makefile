# minijax: make course to learn, make test to check everything. `make help` lists the rest.
# The first of either creates .venv and needs the network once; nothing after that does.

PYTHON ?= python3
BIN := .venv/bin
NOTEBOOKS := $(wildcard notebooks/*.ipynb solutions/*.ipynb exercises/*.ipynb)
FIRST_LAYERS := tests/layer1 tests/layer2 tests/layer3
NBVAL := --nbval --nbval-current-env --nbval-cell-timeout=600
# What is recorded must not depend on how fast a machine compiles.
test-notebooks outputs: export MINIJAX_COMPILE_PROGRESS = 0

.PHONY: help course test test-types test-first-layers test-other-layers test-course test-notebooks test-browser check lint conformance outputs exercises same weave tangle chapters size cluster-demo doctor clean venv-course venv-dev venv-cluster
.DEFAULT_GOAL := help

help: ## this list
	@awk -F ':.*## ' '/^[a-z%-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' Makefile

course: venv-course ## set up, and open the course in JupyterLab (BROWSER=none only serves it)
	@$(BIN)/python tools/copy_course.py
	$(BIN)/jupyter lab --config=tools/jupyter_config.py $(if $(filter none,$(BROWSER)),--no-browser)

test: venv-dev lint ## set up, then every check and every test, the notebooks included
	$(MAKE) -k -j 2 test-course test-notebooks test-first-layers test-other-layers test-types

test-types: ## the types of the whole package (a part of `make test`, which runs two parts at a time)
	$(BIN)/python tools/typecheck.py --all

test-first-layers: ## the tests of layers 1, 2 and 3
	$(BIN)/python -m pytest $(FIRST_LAYERS)

test-other-layers: ## the tests of the layers above, and of the package as a whole
	$(BIN)/python -m pytest tests $(FIRST_LAYERS:%=--ignore %) --ignore tests/course --ignore tests/browser

test-course: ## the tests of the course's mechanics
	$(BIN)/python -m pytest tests/course

test-notebooks: ## every notebook: each cell must print what was recorded
	$(BIN)/python -m pytest $(NBVAL) $(NOTEBOOKS)

check: venv-dev lint ## the checks to run before each commit, under half a minute
	$(BIN)/python tools/typecheck.py
	$(BIN)/python -m pytest -q tests/test_tiny.py

lint: venv-dev
	$(BIN)/ruff check --quiet --output-format concise .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/lint-imports --no-logo

conformance: venv-dev ## run the programs written for JAX, and count the ones that print the same
	$(BIN)/python tests/conformance/run.py $(CASES)

outputs: venv-dev ## run every notebook and record what it prints
	$(BIN)/python tools/outputs.py

exercises: venv-dev ## make the exercises from the solutions
	$(BIN)/python tools/exercises.py

same: venv-dev ## show where a notebook's cells differ from the package's text
	@$(BIN)/python tools/same.py

tangle: venv-dev ## put the notebooks' cells into the package
	@$(BIN)/python tools/same.py --tangle

chapters: venv-dev ## run the tests of each layer on the package as it stood after its chapter
	$(BIN)/python tools/chapters.py

test-browser: venv-dev ## try the widgets in JupyterLab and Chromium (CHROMIUM=path names one; SCREENSHOTS=folder keeps pictures)
	$(BIN)/python -m pytest tests/browser

weave: venv-dev ## put the package's text into the notebooks' cells
	@$(BIN)/python tools/same.py --weave

size: venv-dev ## how long files and functions are
	@$(BIN)/python tools/size.py

bench-%: venv-dev ## what is measured, beside JAX where it is installed: bench-trace, -dispatch, -compiling, -throughput, -loops, -unrolled, -grad, -vmap, -random_numbers, -sharding
	$(BIN)/python benchmarks/$*.py

cluster-demo: venv-cluster ## set up, and run programs in one process and in four, which speak by MPI
	$(BIN)/python tools/cluster_demo.py

doctor: ## compare the installed versions with the pins
	@$(PYTHON) tools/doctor.py

clean: ## remove .venv, so that the next command sets up anew (work/ stays)
	rm -rf .venv

venv-course:
	@$(PYTHON) tools/setup_venv.py course

venv-dev:
	@$(PYTHON) tools/setup_venv.py course dev cluster

venv-cluster:
	@$(PYTHON) tools/setup_venv.py course cluster

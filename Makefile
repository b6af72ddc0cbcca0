# make demo   score the bundled examples and show the result
# make test   run all tests
# make check  lint and the quick tests: under a minute
# make lint   ruff and mypy
# make fuzz   try N damaged inputs (N=1000000 takes about an hour) and report by target; draw many corpora for each protocol
# make differential  random cases by Karat and by the reference programs in KARAT_REFERENCES, side by side
# make bench  time and memory on real files, beside the reference programs in KARAT_REFERENCES, as one table
# make docs   build the documentation into site/

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
COMPILE := $(BIN)/python -m compileall -q src
WORKERS ?= auto
N ?= 20000
FUZZ_WORKERS = $(if $(filter auto,$(WORKERS)),2,$(WORKERS))

# What runs the tests. Bytecode is written whatever the environment says: workers and the programs that tests start need
# not compile again. Every processor has a worker: threads that share small matrices out would only wait for each other.
PYTEST := PYTHONDONTWRITEBYTECODE= OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

# Finds the sources by a path relative to the folder that names them: Python 3.11 reads such a file by the locale, and does
# not even start where LC_ALL is C and an absolute path has a letter beyond ASCII.
RELATIVE := for file in $(VENV)/lib/python3*/site-packages/*karat.pth; do echo ../../../../src > "$$file"; done

.PHONY: demo test check lint fuzz differential bench docs clean

# A virtual environment counts if pip runs in it; one that is half made is made again.
$(VENV)/.made:
	@$(BIN)/python -m pip --version > /dev/null 2>&1 || { \
	  echo 'Making a virtual environment in $(VENV) (on Debian that needs the package python3-venv) ...' && \
	  rm -rf $(VENV) && $(PYTHON) -m venv $(VENV); }
	@touch $@

$(VENV)/.run: pyproject.toml | $(VENV)/.made
	@echo 'Installing Karat and the five packages it needs into $(VENV) ...'
	@$(PIP) --editable .
	@$(RELATIVE)
	@$(COMPILE)
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/.made
	@echo 'Installing Karat and what its tests and linters need into $(VENV) ...'
	@$(PIP) --editable '.[dev]'
	@$(RELATIVE)
	@$(COMPILE)
	@touch $@ $(VENV)/.run

$(VENV)/.docs: pyproject.toml | $(VENV)/.made
	@echo 'Installing Karat and what builds its pages into $(VENV) ...'
	@$(PIP) --editable '.[docs]'
	@$(RELATIVE)
	@$(COMPILE)
	@touch $@ $(VENV)/.run

demo: $(VENV)/.run
	@echo 'Scoring the examples: entities with intervals, links, relations, coreference, and the items behind a score.'
	@echo
	@echo '$$ karat score hipe2022-nerc-coarse examples/hipe/gold.tsv examples/hipe/system-a.tsv examples/hipe/system-b.tsv --ci'
	@$(BIN)/python -m karat score hipe2022-nerc-coarse examples/hipe/gold.tsv examples/hipe/system-a.tsv examples/hipe/system-b.tsv --ci --view table
	@echo
	@echo '$$ karat score hipe2022-nel examples/hipe/gold.tsv examples/hipe/system-b.tsv --n-best 1,3'
	@$(BIN)/python -m karat score hipe2022-nel examples/hipe/gold.tsv examples/hipe/system-b.tsv --n-best 1,3 --view table
	@echo
	@echo '$$ karat score relations examples/relations/gold examples/relations/system'
	@$(BIN)/python -m karat score relations examples/relations/gold examples/relations/system --view table
	@echo
	@echo '$$ karat score ehealthkd2021-main examples/ehealthkd/gold examples/ehealthkd/system/run1'
	@$(BIN)/python -m karat score ehealthkd2021-main examples/ehealthkd/gold examples/ehealthkd/system/run1 --view table
	@echo
	@echo '$$ karat score coref examples/coreference/gold.conll examples/coreference/system.conll'
	@$(BIN)/python -m karat score coref examples/coreference/gold.conll examples/coreference/system.conll --view table
	@echo
	@echo '$$ karat explain hipe2022-nerc-coarse examples/brat/gold examples/brat/system --outcome incorrect --outcome missed --outcome spurious'
	@$(BIN)/python -m karat explain hipe2022-nerc-coarse examples/brat/gold examples/brat/system --outcome incorrect --outcome missed --outcome spurious --view text

test: $(VENV)/.dev
	@$(COMPILE)
	$(PYTEST)

check: lint
	@$(COMPILE)
	$(PYTEST) --quick

lint: $(VENV)/.dev
	$(BIN)/python -m ruff check
	$(BIN)/python -m ruff format --check
	$(BIN)/python -m mypy

fuzz: $(VENV)/.dev
	$(BIN)/python -m tests.fuzz run $(N) --workers $(FUZZ_WORKERS)
	$(BIN)/python -m tests.growth
	HYPOTHESIS_PROFILE=many $(BIN)/python -m pytest -n $(FUZZ_WORKERS) tests/properties

differential: $(VENV)/.dev
	$(BIN)/python -m tests.differential

bench: $(VENV)/.dev
	$(BIN)/python -m benchmarks

docs: $(VENV)/.docs
	$(BIN)/python -m zensical build

clean:
	rm -rf $(VENV) site build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis

# Everything starts here, on a machine with nothing but Python (3.11 or newer) and make.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: play test test-slow test-bounds test-cuda test-clients test-floors test-cluster wasm lint lint-page check browser lock site docs docs-curves docs-pictures screenshots clean

# Once `make site` has been run, the engine thinks in the page.
ENGINE := build/snakeden/python
play: $(VENV)/.installed
	@$(BIN)/snakeden serve --browser $(if $(wildcard $(ENGINE)/about.json),--engine-files $(ENGINE))

test: lint check

lint: $(VENV)/.test-installed lint-page
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The page's modules: types and style. Without npm this is left out, but never where CI is set.
lint-page:
	@if command -v npm >/dev/null; then \
	  npm --prefix tools/page install --silent --no-audit --no-fund 2>/dev/null && \
	  tools/page/node_modules/.bin/tsc -p tools/page && \
	  tools/page/node_modules/.bin/eslint -c tools/page/eslint.config.js src/snakeden/web/js src/snakeden/programs/modules; \
	elif [ -n "$$CI" ]; then echo "npm is missing: the page cannot be checked"; exit 1; \
	else echo "npm is missing: the page's types and style are not checked"; fi

# A Chromium for the tests of the page, where it may be installed; the tests say so if there is none.
browser:
	@if ! command -v chromium >/dev/null && ! command -v chromium-browser >/dev/null && ! command -v google-chrome >/dev/null; then \
	  if [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	    echo "installing chromium for the tests of the page"; \
	    apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq chromium >/dev/null; \
	  else echo "there is no Chromium and it may not be installed here: the tests of the page are skipped"; fi; \
	fi

check: $(VENV)/.test-installed browser
	$(BIN)/python -m pytest -n auto --dist worksteal

# What takes too long for every change: every shipped puzzle is proven again.
test-slow: $(VENV)/.test-installed
	SNAKEDEN_SLOW=1 $(BIN)/python -m pytest -n auto --dist worksteal tests/test_shipped_puzzles.py

# Rules, search, solver and batches, compiled so that they stop at an index outside its array.
test-bounds: $(VENV)/.test-installed
	SNAKEDEN_BOUNDSCHECK=1 SNAKEDEN_TARGET=cpu $(BIN)/python -m pytest -n auto --dist worksteal tests/test_conformance.py \
	  tests/test_stored_games.py tests/test_sn*.py tests/test_schlangennest*.py tests/test_search.py tests/test_solver.py \
	  tests/test_batch.py tests/test_observations.py tests/test_random_play.py

# The games as WebAssembly, made anew from their kernels; kept in the package.
wasm: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[wasm]'
	$(BIN)/python -m snakeden.programs.build_wasm

# Snakeden without a server: a folder of static files, build/snakeden. SERVER=https://… names a server to play with others.
site: $(VENV)/.installed
	npm --prefix tools/page install --silent --no-audit --no-fund
	$(BIN)/python tools/site.py --server "$(SERVER)"

# The packages of the image, with their hashes.
lock: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra postgres --generate-hashes --python-version 3.12 \
	  --python-platform linux --no-header --no-emit-index-url --quiet -o requirements.lock

# Other people's clients (torch, RLlib, tianshou, …) with the oldest Gymnasium and PettingZoo that will do. They are large
# and pin versions, so they have an environment of their own.
test-clients: .venv-clients/.installed
	.venv-clients/bin/python -m pytest tests/clients tests/test_adapters.py tests/test_gymnasium_vector.py tests/test_open_spiel.py

.venv-clients/.installed: pyproject.toml
	test -d .venv-clients || $(PYTHON) -m venv .venv-clients
	.venv-clients/bin/python -m pip install --quiet --editable '.[clients]' 'gymnasium==1.2.2' 'pettingzoo<1.27'
	@touch $@

# The adapters with the oldest packages that pyproject.toml allows for the extra `research`, then with the newest.
FLOORS := $(shell sed -n '/^research = /s/>=/==/gp' pyproject.toml | grep -o '"[^"]*"' | tr -d '"')
ADAPTER_TESTS := tests/test_adapters.py tests/test_gymnasium_vector.py tests/test_open_spiel.py tests/test_exact_methods.py

test-floors:
	test -d .venv-floors || $(PYTHON) -m venv .venv-floors
	.venv-floors/bin/python -m pip install --quiet --editable '.[research]' pytest pytest-timeout $(FLOORS)
	.venv-floors/bin/python -m pip freeze | grep -iE '^(gymnasium|open.spiel|pettingzoo)='
	.venv-floors/bin/python -m pytest $(ADAPTER_TESTS)
	.venv-floors/bin/python -m pip install --quiet --upgrade gymnasium open_spiel pettingzoo
	.venv-floors/bin/python -m pip freeze | grep -iE '^(gymnasium|open.spiel|pettingzoo)='
	.venv-floors/bin/python -m pytest $(ADAPTER_TESTS)

# Studies on a Ray cluster of two nodes, of which workers and one node are killed.
test-cluster: $(VENV)/.test-installed
	$(BIN)/python -m pip install --quiet --editable '.[test,cluster]'
	$(BIN)/python -m pytest tests/cluster -W ignore::ResourceWarning

# The docs as one site, in build/site; a link that leads nowhere is an error.
docs: $(VENV)/.test-installed
	$(BIN)/python tools/docs_site.py

# The kernels compiled for GPUs; no GPU is needed.
test-cuda: $(VENV)/.test-installed
	$(BIN)/python -m pip install --quiet --editable '.[test,cuda]'
	$(BIN)/python -m pytest -n auto --dist worksteal -rs tests/test_cuda.py

# The learning curves in the docs: every example learns for some minutes, one after the other.
CURVES := cfr dqn maskable_ppo ppo alpha_zero

.PRECIOUS: docs/curves/%.jsonl

docs-curves: $(addprefix docs/curves/,$(addsuffix .svg,$(CURVES)))

# PPO learns three times, so that the docs show what depends on luck.
docs/curves/ppo.svg: $(foreach seed,1 2 3,docs/curves/ppo-$(seed).jsonl)
	.venv-clients/bin/python examples/curve.py $^ -o $@

docs/curves/ppo-%.jsonl: examples/ppo.py | .venv-clients/.installed
	.venv-clients/bin/python $< --seed $* --curve $@.new && mv $@.new $@

docs/curves/%.svg: docs/curves/%.jsonl
	.venv-clients/bin/python examples/curve.py $< -o $@

docs/curves/%.jsonl: examples/%.py | .venv-clients/.installed
	.venv-clients/bin/python $< --curve $@.new && mv $@.new $@

docs-pictures: $(VENV)/.installed
	$(BIN)/python docs/pictures.py

# Every game on phones and desktops, light and dark, in build/screenshots; then the pictures of the page in README and docs/study.md.
screenshots: $(VENV)/.test-installed browser
	$(BIN)/python tools/screenshots.py
	$(BIN)/python tools/screenshots.py --page-picture
	$(BIN)/python tools/study_pictures.py

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.test-installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV) .venv-clients .venv-floors build .mypy_cache .pytest_cache .ruff_cache .hypothesis

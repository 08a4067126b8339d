# `make demo` and `make test` are all a newcomer needs; both set everything up in .venv.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
SOURCES := pyproject.toml CMakeLists.txt $(wildcard core/*) \
           $(shell find src/bough -type f \( -name '*.py' -o -name '*.pyi' -o -name '*.csv' -o -path '*/static/*' -o -name py.typed \))

.PHONY: demo test check deep sanitize browser gallery audit audit-large sameness accuracy coverage bench startup stub format clean

# One command on a real table, in a folder of its own.
demo: $(VENV)/installed
	@mkdir -p build/demo
	@cp src/bough/tables/penguins.csv build/demo
	cd build/demo && $(CURDIR)/$(VENV)/bin/bough fit penguins.csv -t species
	@echo
	@echo 'Try next:  source $(VENV)/bin/activate; cd build/demo'
	@echo '  bough ask species.bough.json                               twenty questions'
	@echo '  species.html in a browser                                  the page about the tree'
	@echo '  bough show species.bough.json --rules                      the tree in sentences'
	@echo '  bough explain species.bough.json penguins.csv --row 100    why this guess?'
	@echo '  bough fit YOUR.csv -t COLUMN                               a tree of your own table'

test: check
	$(RUN) -m pytest -n auto -q

check: $(VENV)/test-tools
	$(VENV)/bin/ruff check -q
	$(VENV)/bin/ruff format --check -q
	$(VENV)/bin/clang-format --dry-run --Werror core/*
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

# The long evidence: the other 18,000 random tables against the reference.
deep: $(VENV)/test-tools
	$(RUN) -m pytest -n auto -q tests/deep/core_is_reference.py

audit: $(VENV)/test-tools
	$(RUN) benchmarks/audit.py

# Some nodes of trees grown from a million rows; takes ten minutes.
audit-large: $(VENV)/test-tools
	$(RUN) benchmarks/audit.py --large

# The page in Chromium, which must be installed: every real table, names that break pages, axe-core.
browser: $(VENV)/test-tools
	$(RUN) -m pip install -q playwright
	npm install --silent --no-audit --no-fund --prefix build/axe axe-core
	BOUGH_THOROUGH=1 $(RUN) -m pytest -q tests/browser

# The same model file in every regime, for any number of threads; takes minutes.
sameness: $(VENV)/test-tools
	$(RUN) benchmarks/sameness.py

accuracy: $(VENV)/test-tools
	$(RUN) benchmarks/accuracy.py --write
	$(RUN) benchmarks/protocol.py --write

# How often the intervals of 2,000 problems hold the truth; takes minutes.
coverage: $(VENV)/test-tools
	$(RUN) benchmarks/coverage.py

# Other libraries, one tree each, on an idle machine; add --slow for what takes minutes.
bench: $(VENV)/installed
	$(RUN) -m pip install -q '.[bench]'
	$(RUN) benchmarks/compare.py --write

# The processor time of commands that should answer at once.
startup: $(VENV)/installed
	$(RUN) benchmarks/startup.py

# The tests of the core under the address and undefined-behaviour sanitizers.
sanitize: $(VENV)-sanitize/installed
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	$(VENV)-sanitize/bin/python -m pytest -q -p no:cacheprovider $(CORE_TESTS)

CORE_TESTS := tests/test_core_is_reference.py tests/test_properties.py tests/test_sameness.py \
              tests/test_labels_of_any_size.py tests/test_textbook.py tests/test_predict.py tests/test_regimes.py

# The pictures of docs/gallery.md.
gallery: $(VENV)/test-tools
	$(RUN) benchmarks/gallery.py

stub: $(VENV)/test-tools
	$(RUN) -m nanobind.stubgen -q -m bough._core -o src/bough/_core.pyi

format: $(VENV)/test-tools
	$(VENV)/bin/ruff check -q --fix
	$(VENV)/bin/ruff format -q
	$(VENV)/bin/clang-format -i core/*

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "bough needs Python 3.11 or newer: make PYTHON=python3.12 $(MAKECMDGOALS)"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { echo "Python's venv module is missing: install it (Debian: apt install python3-venv)."; exit 1; }

$(VENV)/installed: $(VENV)/bin/pip $(SOURCES)
	@command -v $${CXX:-c++} >/dev/null || \
	  { echo "bough needs a C++20 compiler: install one (Debian: apt install g++) or set CXX."; exit 1; }
	@echo 'Building bough and installing what it needs: this takes some minutes the first time.'
	$(RUN) -m pip install -q .
	@touch $@

$(VENV)/test-tools: $(VENV)/installed
	$(RUN) -m pip install -q '.[test]'
	@touch $@

$(VENV)-sanitize/installed: $(SOURCES)
	$(PYTHON) -m venv $(VENV)-sanitize
	$(VENV)-sanitize/bin/pip install -q '.[test]' -C cmake.define.BOUGH_SANITIZE=ON \
	  -C build-dir=build/sanitize -C cmake.build-type=Debug
	@touch $@

clean:
	rm -rf $(VENV) $(VENV)-sanitize build

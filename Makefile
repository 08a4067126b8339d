# `make demo` and `make test` are all a newcomer needs; both set everything up in .venv.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
SOURCES := pyproject.toml CMakeLists.txt $(wildcard core/*) \
           $(shell find src/bough -type f \( -name '*.py' -o -name '*.pyi' -o -name '*.csv' -o -path '*/static/*' -o -name '*.txt' -o -name py.typed \))

.PHONY: demo test check deep engines exports fuzz fuzz-sanitize fuzz-tree odd-tables kills large-trees printed sanitize sanitize-threads check-bounds browser gallery learn notebooks picture audit audit-large sameness scale accuracy coverage bench options twins lessons startup stub format clean

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
	@echo '  bough explain species.bough.json penguins.csv --row 100    why this prediction?'
	@echo '  bough fit YOUR.csv -t COLUMN                               a tree of your own table'

# Each process takes a half of the files, in order, so that few tables are made in both.
test: check
	$(RUN) -m pytest -n auto --dist worksteal -q

check: $(VENV)/test-tools
	$(VENV)/bin/ruff check -q
	$(VENV)/bin/ruff format --check -q
	$(VENV)/bin/clang-format --dry-run --Werror core/*
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports

# The long evidence: 19,000 more random tables against the reference, 1,920 growths by every search, 2,880 from parts.
deep: $(VENV)/test-tools
	$(RUN) -m pytest -n auto -q tests/deep/core_is_reference.py tests/deep/parts_are_memory.py

# Damaged model files and tables, for SECONDS on every core; build/fuzz keeps what is found.
SECONDS ?= 60
fuzz: $(VENV)/test-tools
	$(RUN) benchmarks/fuzz.py --seconds $(SECONDS)

# The same under the address and undefined-behaviour sanitizers.
fuzz-sanitize: build/address/package
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1 PYTHONPATH=$< \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	$(RUN) benchmarks/fuzz.py --seconds $(SECONDS) --kind models

# The arrays of damaged trees through the core's checker, guided by coverage, under the same sanitizers; wants clang.
fuzz-tree: build/fuzz-tree/fuzz_tree
	@mkdir -p build/fuzz-tree/corpus
	cd build/fuzz-tree && ./fuzz_tree -max_total_time=$(SECONDS) -max_len=400 -print_final_stats=1 corpus

CHECKED := core/check_tree.cpp
build/fuzz-tree/fuzz_tree: benchmarks/fuzz_tree.cpp $(CHECKED) $(wildcard core/*.hpp)
	@mkdir -p $(@D)
	clang++ -std=c++20 -O1 -g -Icore -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all \
	  benchmarks/fuzz_tree.cpp $(CHECKED) -o $@ -lpthread

# Thousands of small odd tables through fit, page, file and predictions.
odd-tables: $(VENV)/test-tools
	BOUGH_FUZZ=5000 $(RUN) -m pytest -q tests/learn/test_any_small_table.py

# 1,000 kills while a model is saved.
kills: $(VENV)/test-tools
	BOUGH_KILLS=1000 $(RUN) -m pytest -q tests/learn/test_kills.py

# A tree of depth 100,000 and one of a million nodes, written, read, asked and exported on a small stack.
large-trees: $(VENV)/test-tools
	$(RUN) benchmarks/large_trees.py

# Every printed condition of trees of all rows of the real tables, and their SQL run; takes minutes.
printed: $(VENV)/test-tools
	BOUGH_THOROUGH=1 $(RUN) -m pytest -n auto -q tests/contracts/test_printed_conditions.py

# Every export on 10,000 rows at edges; wants gcc, clang, node, a JDK, PostgreSQL; takes half an hour.
exports: $(VENV)/test-tools
	$(RUN) -m pip install -q onnx onnxruntime jpmml_evaluator jpype1 pyspark treelite
	BOUGH_THOROUGH=1 $(RUN) -m pytest -n auto -q tests/exports/test_replays.py tests/exports/test_pmml.py

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

# The model file of a larger table, with and without a limit of memory; a table of four times the limit.
scale: $(VENV)/test-tools
	$(RUN) benchmarks/scale.py --same 2 --limit 300MB

accuracy: $(VENV)/test-tools
	$(RUN) benchmarks/accuracy.py --write
	$(RUN) benchmarks/protocol_on_real_tables.py --write
	$(RUN) benchmarks/grid_search.py --write

# How often the intervals of 2,000 problems hold the truth; takes minutes.
coverage: $(VENV)/test-tools
	$(RUN) benchmarks/interval_coverage.py

# Other libraries, one tree each, on an idle machine; add --slow for what takes minutes.
bench: $(VENV)/installed
	$(RUN) -m pip install -q '.[bench]'
	$(RUN) benchmarks/compare.py --write

# The processor time of commands that should answer at once.
startup: $(VENV)/installed
	$(RUN) benchmarks/startup.py

# The time of every option beside scikit-learn's; add --large for a million rows.
options: $(VENV)/test-tools
	$(RUN) benchmarks/options.py --write

# What a column costs that comes twice, by the processor.
twins: $(VENV)/test-tools
	$(RUN) benchmarks/time_copied_columns.py

# The lessons about rows kept aside on real tables, where these are there: the signs that must come out.
lessons: $(VENV)/test-tools
	$(RUN) benchmarks/lessons.py

# The tests of the core under the address and undefined-behaviour sanitizers.
sanitize: build/address/package
	ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 PYTHONPATH=$< \
	LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	$(RUN) -m pytest -q -p no:cacheprovider $(CORE_TESTS)

# The same under the thread sanitizer, which wants its addresses where they always are, but for the
# tests that import polars, which does not run under it.
sanitize-threads: build/thread/package
	TSAN_OPTIONS=halt_on_error=1 BOUGH_TEST_JOBS=4 PYTHONPATH=$< \
	setarch -R env LD_PRELOAD="$$($(CXX) -print-file-name=libtsan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	$(RUN) -m pytest -q -p no:cacheprovider $(filter-out $(WITH_POLARS), $(CORE_TESTS))

# Every gain beside its bound, on 200 tables of a million rows and on the real ones; takes an hour.
check-bounds: build/bounds/package
	PYTHONPATH=$< $(RUN) benchmarks/check_bounds.py

WITH_POLARS := tests/test_textbook.py tests/test_predict.py
CORE_TESTS := tests/test_core_is_reference.py tests/test_properties_of_trees.py tests/test_sameness.py \
              tests/test_labels_of_any_size.py tests/test_sparse_growth.py tests/test_regimes.py $(WITH_POLARS)

# The pictures of docs/gallery.md and docs/scale.md.
gallery: $(VENV)/test-tools
	$(RUN) benchmarks/gallery.py
	$(RUN) benchmarks/scale_picture.py

# The pictures and notebooks of docs/learn, from its chapters.
learn: $(VENV)/test-tools
	$(RUN) benchmarks/learn_pages.py

# The same, and the notebooks executed: they must print what the chapters say.
notebooks: $(VENV)/test-tools
	$(RUN) -m pip install -q nbclient ipykernel
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(RUN) benchmarks/learn_pages.py --run

# The picture of the page in README.md, by Chromium, which must be installed.
picture: demo
	chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
	  --disable-component-update --disable-sync --hide-scrollbars --user-data-dir=build/chromium \
	  --window-size=1280,1080 --screenshot=docs/pictures/report.png file://$(CURDIR)/build/demo/species.html

# Dask workers are killed and Spark tasks fail; it needs Java, and takes some minutes.
engines: $(VENV)/test-tools
	$(RUN) -m pip install -q 'dask[dataframe]>=2024.8' 'distributed>=2024.8' 'pyspark>=3.5'
	BOUGH_THOROUGH=1 $(RUN) -m pytest -v tests/partitioned tests/cli/test_engine.py
	$(RUN) benchmarks/engines.py dask --runs 20
	$(RUN) benchmarks/engines.py dask --runs 20 --workers 2
	$(RUN) benchmarks/engines.py lost
	$(RUN) benchmarks/engines.py lost --interrupt
	$(RUN) benchmarks/engines.py spark --runs 5
	$(RUN) benchmarks/engines.py master

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

# Whichever of the two comes first builds the core; a build for tests serves everything else too.
$(VENV)/installed: PACKAGE := '.[cli]'
$(VENV)/test-tools: PACKAGE := '.[test]'
# Warnings are errors where the project checks itself, not where somebody installs it.
$(VENV)/test-tools: STRICT := -C cmake.define.BOUGH_STRICT=ON
$(VENV)/installed $(VENV)/test-tools: $(VENV)/bin/pip $(SOURCES)
	@command -v $${CXX:-c++} >/dev/null || \
	  { echo "bough needs a C++20 compiler: install one (Debian: apt install g++) or set CXX."; exit 1; }
	@echo 'Building bough and installing what it needs: this takes some minutes the first time.'
	$(RUN) -m pip install -q $(PACKAGE) $(STRICT)
	@touch $(VENV)/installed $@

# Builds that are for checks only, beside the one that is installed.
build/address/package: BUILD := -C cmake.define.BOUGH_SANITIZE=address -C cmake.build-type=Debug
build/thread/package: BUILD := -C cmake.define.BOUGH_SANITIZE=thread -C cmake.build-type=Debug
build/bounds/package: BUILD := -C cmake.define.BOUGH_CHECK_BOUNDS=ON
build/address/package build/thread/package build/bounds/package: $(VENV)/test-tools $(SOURCES)
	$(RUN) -m pip install -q . --no-deps --upgrade --target $@ -C build-dir=build/$(notdir $(@D))/objects \
	  -C cmake.define.BOUGH_STRICT=ON $(BUILD)
	@touch $@

clean:
	rm -rf $(VENV) build

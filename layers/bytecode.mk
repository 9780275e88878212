# Lambda can't write beside a layer's modules, so without bytecode in it every cold start compiles them all. Only
# Python 3.13 can make it; where there is none the layer works all the same, and the build says what it costs.
define compile
	@if python3.13 -V >/dev/null 2>&1; then \
		python3.13 -m compileall -q -j 0 --invalidation-mode unchecked-hash -s "$(ARTIFACTS_DIR)" -p /opt \
			"$(ARTIFACTS_DIR)/python"; \
	else echo "no python3.13 on the path: without bytecode a cold start takes some 3 s longer"; fi
endef

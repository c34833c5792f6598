/**
 * Options of tools with verbs, test runners and linters that write no file under any verb, in the form of `known-options.ts`. What
 * is not here may name a file that the tool writes: `pip --root`, `pytest --debug`, `gradle -g`.
 */
export const toolOptions: Readonly<Record<string, string>> = {
  'pip pip3': `q v h V U e: r: c: i: f: I y u l C: upgrade requirement: constraint: editable: no-deps pre index-url:
    extra-index-url: no-index find-links: no-cache-dir quiet verbose version help user break-system-packages force-reinstall
    ignore-installed no-binary: only-binary: prefer-binary require-hashes progress-bar: no-build-isolation use-pep517
    config-settings: dry-run upgrade-strategy: trusted-host: cert: client-cert: proxy: retries: timeout: exists-action:
    disable-pip-version-check no-input isolated require-virtualenv python: python-version: platform: implementation: abi:
    outdated uptodate local format: not-required path: exclude: exclude-editable include-editable files yes
    no-warn-script-location no-warn-conflicts no-clean compile no-compile global-option: no-color debug use-feature:
    use-deprecated: keyring-provider: check-build-dependencies all`,
  'pytest py.test': `v q x s l h V f k: m: n: p: r: W: c: verbose quiet verbosity: exitfirst maxfail: strict strict-markers
    strict-config config-file: continue-on-collection-errors rootdir: confcutdir: collect-only co pyargs ignore: ignore-glob:
    deselect: keep-duplicates import-mode: doctest-modules doctest-glob: doctest-ignore-import-errors
    doctest-continue-on-failure doctest-report: noconftest fixtures funcargs fixtures-per-test pdb pdbcls: trace capture:
    runxfail last-failed lf failed-first ff new-first nf cache-clear cache-show: last-failed-no-failures: lfnf: stepwise sw
    stepwise-skip sw-skip durations: durations-min: no-header no-summary disable-warnings disable-pytest-warnings showlocals
    no-showlocals tb: show-capture: full-trace color: code-highlight: xfail-tb force-short-summary setup-only setup-show
    setup-plan assert: traceconfig markers version help log-level: log-format: log-date-format: log-cli-level:
    log-cli-format: log-cli-date-format: log-file-level: log-auto-indent: log-disable: numprocesses: dist: maxprocesses:
    max-worker-restart: looponfail cov: cov-config: cov-append cov-branch cov-fail-under: cov-context: no-cov no-cov-on-fail
    timeout: timeout-method: reruns: reruns-delay: only-rerun: asyncio-mode: benchmark-only benchmark-skip benchmark-disable
    randomly-seed: random-order forked picked testmon reuse-db create-db nomigrations no-migrations ds: headed browser:
    base-url: slowmo: device: snapshot-update snapshot-details inline-snapshot:`,
  gradle: `q i d s S w a m x: p: b: c: t I: info debug stacktrace full-stacktrace quiet warn console: parallel no-parallel
    build-cache no-build-cache configuration-cache no-configuration-cache daemon no-daemon offline continue rerun-tasks rerun
    refresh-dependencies refresh-keys exclude-task: project-dir: build-file: settings-file: include-build: init-script: tests:
    max-workers: scan no-scan dry-run profile warning-mode: fail-fast configuration: dependency: all stop status version help
    watch-fs no-watch-fs continuous priority: dependency-verification: no-rebuild`,
  cargo: `q v V r p: F: j: Z: i: d f: e: quiet verbose version help color: config: offline locked frozen list explain:
    message-format: package: workspace exclude: lib bins bin: examples example: tests test: benches bench: all all-targets
    features: all-features no-default-features release profile: jobs: keep-going target: manifest-path: no-run no-fail-fast
    doc ignore-rust-version future-incompat-report fix allow-dirty allow-staged allow-no-vcs edition: open no-deps
    document-private-items prefix: invert: depth: no-dedupe charset: format: edges: duplicates prune: filter-platform:
    format-version: path: git: branch: tag: rev: force debug optional build dev rename: registry: index: token: dry-run
    no-verify check nocapture include-ignored ignored show-output test-threads: exact skip: recursive precise: aggressive
    vers: limit: name: vcs:`,
  go: `v x n a e f: m t u i d h C: p: -race -cover -coverpkg: -covermode: -timeout: -tags: -ldflags: -gcflags: -asmflags: -mod:
    -parallel: -short -failfast -bench: -benchmem -benchtime: -cpu: -list: -shuffle: -skip: -json -count: -run: -trimpath
    -buildvcs: -buildmode: -msan -asan -deps -test -compiled -export -find -fuzz: -fuzztime: -vet: -args -overlay: -pgo:
    -installsuffix: -compiler: -all -cmd -src -short -versions -retracted -require: -replace: -droprequire: -dropreplace:
    -go: -compat: -print -fmt -module: -why -vendor -reuse: -work -c`,
  'docker podman docker-compose': `q f: t: p: a T d e: u: w: n: D H: c: l: H file: tag: build-arg: target: platform: no-cache
    pull network: progress: secret: ssh: label: cache-from: add-host: rm force-rm squash load push build-context: allow:
    ulimit: shm-size: isolation: memory: quiet no-trunc all filter: format: env-file: profile: project-name:
    project-directory: ansi: parallel: detach build force-recreate no-deps no-build no-start no-recreate no-color no-log-prefix
    remove-orphans scale: wait wait-timeout: timeout: env: user: workdir: follow tail: since: until: timestamps details
    volumes rmi: services images hash: size last: latest digests tree type: builder: context: host: log-level: config: tls
    debug compatibility abort-on-container-exit exit-code-from: attach: no-attach: renew-anon-volumes menu watch
    service-ports use-aliases entrypoint: name: interactive tty index: privileged provenance: sbom: attest: check call:
    disable-content-trust all-tags signal: link attestation no-interpolate no-normalize resolve-image-digests raw`,
  'kubectl oc': `n: o: f: l: A w k: c: p h R v: L: namespace: output: filename: selector: all-namespaces watch watch-only
    kustomize: container: previous since: since-time: tail: follow timestamps context: cluster: user: kubeconfig:
    field-selector: show-labels label-columns: sort-by: template: dry-run: server-side force-conflicts recursive prune
    wait timeout: as: as-group: token: server: request-timeout: all-containers max-log-requests: limit-bytes: prefix
    ignore-errors show-events show-kind show-managed-fields no-headers allow-missing-template-keys ignore-not-found chunk-size:
    raw: subresource: api-version: validate: field-manager: overwrite force cascade: grace-period: all openapi-patch client
    short to-revision: revision: containers no-color use-protocol-buffers insecure-skip-tls-verify certificate-authority:
    client-certificate: client-key: tls-server-name: match-server-version warnings-as-errors prune-allowlist: concurrency:`,
  gh: `R: t: b: B: H: l: a: r: m: p: d w F: q: T: L: s: S: A: f: X: i j: v n: u: e: k: c: title: body: body-file: draft fill
    fill-first fill-verbose web label: assignee: reviewer: milestone: base: head: repo: json: jq: template: limit: state:
    search: author: app: method: field: raw-field: header: input: paginate slurp silent include cache: hostname: preview:
    merge squash rebase delete-branch auto disable-auto admin subject: match-head-commit: log log-failed job: attempt:
    exit-status verbose interval: workflow: branch: event: commit: created: status: user: ref: notes: notes-file:
    notes-from-tag notes-start-tag: target: prerelease latest generate-notes verify-tag discussion-category: fail-on-no-commits
    approve comment request-changes comments patch name-only color: failed debug required watch fail-fast add-label: remove-label:
    add-assignee: remove-assignee: add-reviewer: remove-reviewer: add-project: remove-project: project: recover: reason:
    edit-last yes show-token scopes: with-token git-protocol: secure-storage insecure-storage order: sort: owner: language:
    exclude-drafts exclude-pre-releases all active`,
  eslint: `c: f: v h config: ext: fix fix-type: rule: plugin: parser: parser-options: resolve-plugins-relative-to: rulesdir:
    global: env: no-eslintrc no-config-lookup no-ignore ignore-path: ignore-pattern: quiet max-warnings: format: color
    no-color no-inline-config report-unused-disable-directives report-unused-disable-directives-severity:
    report-unused-inline-configs: cache cache-strategy: error-on-unmatched-pattern no-error-on-unmatched-pattern
    exit-on-fatal-error no-warn-ignored pass-on-no-patterns stdin stdin-filename: debug print-config: env-info version help
    stats flag: inspect-config concurrency: fix-dry-run`,
  prettier: `c l u w check list-different ignore-unknown write config: no-config ignore-path: config-precedence: no-editorconfig
    find-config-path: file-info: log-level: parser: stdin-filepath: with-node-modules plugin: cache cache-strategy:
    no-cache no-error-on-unmatched-pattern tab-width: print-width: use-tabs single-quote no-single-quote no-semi semi
    trailing-comma: prose-wrap: end-of-line: arrow-parens: quote-props: bracket-same-line no-bracket-spacing jsx-single-quote
    html-whitespace-sensitivity: embedded-language-formatting: object-wrap: version help color no-color support-info`,
  jest: `i b o t: w: c: u h runInBand testNamePattern: testPathPattern: testPathPatterns: testPathIgnorePatterns: config: coverage
    collectCoverage collectCoverageFrom: coverageReporters: coverageProvider: coverageThreshold: watch watchAll verbose silent
    ci maxWorkers: maxConcurrency: bail onlyChanged onlyFailures changedSince: changedFilesWithAncestor findRelatedTests
    passWithNoTests detectOpenHandles openHandlesTimeout: forceExit no-cache cache clearCache clearMocks listTests showConfig
    testTimeout: testEnvironment: env: projects: selectProjects: ignoreProjects: rootDir: roots: reporters: json logHeapUsage
    expand errorOnDeprecated testMatch: testRegex: runTestsByPath shard: randomize seed: showSeed color colors no-color
    noStackTrace notify updateSnapshot debug lastCommit injectGlobals setupFiles: setupFilesAfterEnv: globalSetup:
    globalTeardown: transform: testRunner: preset: watchman no-watchman workerThreads workerIdleMemoryLimit: resetMocks
    resetModules restoreMocks version help no-coverage`,
  vitest: `t: r: c: w u h v run watch root: config: testNamePattern: dir: ui open api: silent: hideSkippedTests reporter:
    reporters: coverage coverage.enabled coverage.provider: coverage.reporter: coverage.include: coverage.exclude:
    coverage.all coverage.reportOnFailure no-coverage mode: workspace: isolate no-isolate globals dom browser: browser.headless
    browser.name: pool: poolOptions.threads.singleThread poolOptions.forks.singleFork fileParallelism no-fileParallelism
    file-parallelism no-file-parallelism maxWorkers: minWorkers: max-workers: environment: passWithNoTests logHeapUsage
    allowOnly dangerouslyIgnoreUnhandledErrors shard: changed: sequence.shuffle sequence.seed: inspect: inspectBrk: inspect-brk:
    testTimeout: hookTimeout: teardownTimeout: test-timeout: hook-timeout: bail: retry: diff: exclude: disableConsoleIntercept
    disable-console-intercept typecheck typecheck.enabled typecheck.only typecheck.tsconfig: project: slowTestThreshold:
    maxConcurrency: printConsoleTrace includeTaskLocation no-color color standalone clearScreen no-clearScreen filesOnly
    update version help cache no-cache watch no-watch single-thread no-threads threads`,
  ruff: `q v s n e h V select: ignore: extend-select: extend-ignore: fixable: unfixable: config: exclude: extend-exclude:
    output-format: target-version: line-length: preview no-preview diff no-cache statistics show-files show-settings
    show-fixes show-source exit-zero exit-non-zero-on-fix watch fix fix-only unsafe-fixes quiet verbose silent isolated
    force-exclude respect-gitignore no-respect-gitignore stdin-filename: per-file-ignores: check ignore-noqa extension: range:
    color: version help`,
}

/** Variables that programs need to run at all and to find themselves; none of them is a secret. */
const passed = new Set(
  `PATH HOME USER LOGNAME SHELL PWD HOSTNAME TERM COLORTERM NO_COLOR FORCE_COLOR CLICOLOR COLUMNS LINES TZ LANG LANGUAGE
  TMPDIR TMP TEMP EDITOR VISUAL PAGER CI DISPLAY WAYLAND_DISPLAY
  GIT_AUTHOR_NAME GIT_AUTHOR_EMAIL GIT_COMMITTER_NAME GIT_COMMITTER_EMAIL GIT_EDITOR GIT_PAGER GIT_TERMINAL_PROMPT
  NODE_ENV NODE_PATH NODE_EXTRA_CA_CERTS NVM_DIR NVM_BIN VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_DIR COREPACK_HOME
  VIRTUAL_ENV CONDA_PREFIX CONDA_DEFAULT_ENV PYENV_ROOT PYTHONPATH PYTHONHOME PYTHONUNBUFFERED PIPX_HOME UV_CACHE_DIR
  JAVA_HOME JDK_HOME MAVEN_HOME GRADLE_HOME GRADLE_USER_HOME KOTLIN_HOME SDKMAN_DIR ANDROID_HOME ANDROID_SDK_ROOT
  GOPATH GOROOT GOBIN GOCACHE GOMODCACHE GOFLAGS GOTOOLCHAIN CARGO_HOME CARGO_TARGET_DIR RUSTUP_HOME RUSTUP_TOOLCHAIN
  RUSTFLAGS GEM_HOME GEM_PATH RBENV_ROOT BUNDLE_PATH DOTNET_ROOT DOTNET_CLI_HOME SWIFT_HOME PERL5LIB
  CC CXX CFLAGS CXXFLAGS CPPFLAGS LDFLAGS MAKEFLAGS CMAKE_PREFIX_PATH PKG_CONFIG_PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH
  SSL_CERT_FILE SSL_CERT_DIR REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
  SystemRoot SystemDrive ComSpec PATHEXT WINDIR APPDATA LOCALAPPDATA ProgramFiles USERPROFILE USERNAME`.split(/\s+/),
)
const passedFamilies = /^(LC_|XDG_)[A-Z_]+$/
/** A proxy's address is passed on unless a password stands in it. */
const proxies = /^(https?|all|no|ftp)_proxy$/i

/** The variable in which a person names others, separated by commas, that tools may pass on as well. */
const personsList = 'TROUPE_TOOL_ENV'

/**
 * The environment that tools may pass on to programs: a list of names that programs need, so that a key is kept back
 * whatever its variable is called. A person adds names with `TROUPE_TOOL_ENV`.
 *
 * @example childEnv({ PATH: '/bin', DEPLOY: 's3cret' }) // { PATH: '/bin' }
 */
export function childEnv(env: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> {
  const named = new Set((env[personsList] ?? '').split(',').map((name) => name.trim()))
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value !== undefined && (named.has(name) || isPassed(name, value)) ? [[name, value] as const] : [],
  )
  return Object.fromEntries(kept)
}

function isPassed(name: string, value: string): boolean {
  if (proxies.test(name)) return !value.includes('@')
  return passed.has(name) || passedFamilies.test(name)
}

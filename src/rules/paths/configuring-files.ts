import { isInside } from './path-inside.ts'

/**
 * Files and folders whose change alters what tools, editors, shells or git run later on. Rules ask before they are changed,
 * and in a sandbox they cannot be changed at all.
 */
const folders = new Set(
  `.git .claude .agents .troupe .vscode .idea .husky .devcontainer .cursor .gemini .codex .zed .windsurf .aider .cargo .mvn
  .circleci .direnv .ssh .gnupg .bundle .vim .nvim .helix .fleet .run .mise .shadowenv.d .opencode .kiro .roo .cline .continue
  .junie .amazonq`.split(/\s+/),
)
const files = new Set(
  `.gitconfig .gitmodules .gitattributes .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .zshrc .zshenv
  .zprofile .zlogin .zlogout .profile .inputrc .envrc .direnvrc .npmrc .yarnrc .yarnrc.yml .pnpmfile.cjs .mcp.json
  .claude.json .ripgreprc .pre-commit-config.yaml .gdbinit .lldbinit .exrc .vimrc
  .nvimrc .nvim.lua .lvimrc .local.vimrc .dir-locals.el .dir-locals-2.el .ycm_extra_conf.py .tmux.conf .screenrc
  .mise.toml mise.toml .mise.local.toml mise.local.toml .tool-versions .rtx.toml .autoenv.zsh .devcontainer.json .huskyrc
  .huskyrc.json .pnpmfile.mjs bunfig.toml .bunfig.toml rust-toolchain rust-toolchain.toml .bazelversion .bazeliskrc
  .pdbrc opencode.json opencode.jsonc .aider.conf.yml .clinerules .goosehints claude.local.md agents.override.md .gitlab-ci.yml .travis.yml
  .cursorrules .windsurfrules agents.md claude.md gemini.md .pythonstartup sitecustomize.py
  usercustomize.py .pypirc .netrc .curlrc .wgetrc .condarc .bazelrc .buckconfig .terraformrc .rprofile .renviron .irbrc
  .pryrc .psqlrc .sqliterc .hgrc .perltidyrc .ackrc .bundlerc .buildkite .env-vars .xprofile .xinitrc`.split(/\s+/),
)

const named = new RegExp(
  String.raw`(^|/)(${[
    String.raw`teams/[^/]+\.ya?ml`,
    String.raw`\.github/((workflows|actions|prompts|instructions|agents|hooks)/.+|copilot-instructions\.md)`,
    String.raw`\.?lefthook(-local)?\.(ya?ml|toml|json)`,
    String.raw`[^/]*\.(sublime-project|code-workspace)`,
    String.raw`\.config/mise(\.toml|/.+)`,
    // Yarn runs these instead of itself.
    String.raw`\.yarn/(releases|plugins|sdks)(/.+)?`,
    // Other systems of versions, which a prompt asks as well.
    String.raw`\.hg/(hgrc|hgrc-not-shared|sharedpath)`,
    String.raw`\.jj/repo/(config|workspace-config)\.toml`,
  ].join('|')})$`,
  'i',
)

/** All of them have a dot in their names, but for one. */
const mayConfigure = /\.|rust-toolchain$/i

/** `configuresTools('sub/.git/hooks/pre-commit')`: the path inside a directory names one of them, or lies in one. */
export function configuresTools(path: string): boolean {
  if (!mayConfigure.test(path)) return false
  const segments = path.toLowerCase().split('/')
  if (segments.some((segment) => folders.has(segment)) || files.has(segments.at(-1) ?? '')) return true
  return named.test(path)
}

/** Files that say what the usual commands of a project do: build, test, install, start. */
const recipes = new Set(
  `package.json package-lock.json yarn.lock pnpm-lock.yaml pnpm-workspace.yaml bun.lock lerna.json nx.json turbo.json
  deno.json deno.jsonc makefile gnumakefile justfile taskfile.yml taskfile.yaml rakefile gemfile gemfile.lock
  gruntfile.js gulpfile.js gulpfile.ts conftest.py noxfile.py fabfile.py setup.py setup.cfg pyproject.toml pytest.ini
  tox.ini manage.py requirements.txt pipfile build.rs cargo.toml cmakelists.txt cmakepresets.json meson.build sconstruct
  wscript build.bazel module.bazel build.zig mix.exs pom.xml gradlew mvnw gradle.properties dockerfile
  containerfile vagrantfile procfile jenkinsfile brewfile composer.json flake.nix shell.nix default.nix devbox.json guardfile
  capfile podfile fastfile config.ru wrangler.toml netlify.toml vercel.json serverless.yml skaffold.yaml tiltfile earthfile
  rust-toolchain rust-toolchain.toml go.mod go.work magefile.go gradle-wrapper.properties firebase.json bunfig.toml
  ansible.cfg latexmkrc snakefile dvc.yaml stack.yaml dune-project rebar.config project.clj deps.edn build.sc phpunit.xml
  phpstan.neon artisan nuget.config global.json
  appveyor.yml azure-pipelines.yml bitbucket-pipelines.yml cloudbuild.yaml buildspec.yml package.swift`.split(/\s+/),
)
const recipeNames =
  /\.(mk|gradle|gradle\.kts|sbt|csproj|fsproj|vbproj|sln|props|targets|gemspec|cabal|podspec|bzl)$|\.(config|conf)\.[cm]?[jt]s$|^(docker-)?compose(\..+)?\.ya?ml$|^(docker|make)file\.|^requirements.*\.txt$|^(babel|karma|jest|vitest|webpack|rollup|vite|metro)\..*[jt]s$/

/** Names with a dot in front that nothing runs. */
const harmless =
  /^(\.\.?|\.(git(ignore|keep)|keep|editorconfig|nojekyll|nvmrc|(node|python|ruby|java)-version|(eslint|prettier|stylelint)ignore|github|changeset|well-known|env\.(example|sample|template|dist)))$/

/**
 * Says whether a path inside a directory names a file that decides what usual commands do, or what they take with them: a
 * recipe, or any file with a dot in front that is not known to be harmless. To edit a project is not to edit these.
 *
 * @example directsCommands('web/package.json') // true
 */
export function directsCommands(path: string): boolean {
  const segments = path.toLowerCase().split('/')
  const name = segments.at(-1) ?? ''
  return (
    recipes.has(name) ||
    /(^|\/)(BUILD|WORKSPACE)$/.test(path) ||
    recipeNames.test(name) ||
    segments.some((segment) => segment.startsWith('.') && !harmless.test(segment))
  )
}

/** The part of a path below the innermost of some directories: a project may live in a folder called `.claude`. */
export function partInside(path: string, directories: readonly string[]): string {
  let start = 0
  for (const dir of directories) if (dir.length > start && isInside(dir, path)) start = dir.length
  return path.slice(start)
}

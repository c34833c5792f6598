import type { BashWord } from './bash-word.ts'
import { commandName } from './bash-wrappers.ts'
import { verbAt } from './reach.ts'

/** Verbs that take what follows as data: packages, targets, revisions, messages. Any other may run it. */
const packages =
  'install i add ci remove rm uninstall un update up upgrade search ls list login logout publish pack version test init'
const forNode = `${packages} r unlink view info show v s ll la outdated audit versions get link ln dedupe prune fund doctor
  cache whoami owner access team token deprecate dist-tag star ping rebuild root prefix bin docs repo bugs home help query
  sbom diff completion start stop restart t tst why licenses import fetch store patch patch-commit approve-builds policies
  constraints deploy pm build`
const forCargo = `${packages} build b check c clean doc d new tree metadata fmt clippy fix vendor fetch generate-lockfile
  locate-project pkgid rustc rustdoc t bench yank owner info`
const forGo = `${packages} build vet mod get env work list doc fmt clean generate fix`
const forOthers = `${packages} create env lock sync export pip venv python self source show info require dump-autoload validate
  check outdated open cache clean platform status depends why licenses suggests prohibits archive graph build new index
  deactivate activate`
const forGit = `add am apply blame branch cat-file check-attr check-ignore checkout checkout-index cherry cherry-pick clean commit
  commit-tree count-objects describe diff diff-files diff-index diff-tree fast-export fast-import for-each-ref format-patch fsck
  gc grep hash-object help init interpret-trailers log ls-files ls-tree lfs maintenance merge merge-base merge-file mktree mv
  name-rev notes pack-objects pack-refs prune range-diff read-tree reflog replace request-pull rerere reset restore rev-list
  rev-parse revert rm shortlog show show-branch show-ref sparse-checkout stash status stripspace switch symbolic-ref tag
  update-index update-ref var verify-commit verify-tag version whatchanged worktree write-tree bundle config ls-remote clone
  fetch pull push remote archive`
const forForges = `pr issue release repo gist label auth browse search status api run workflow variable secret mr ci snippet
  project ssh-key gpg-key ruleset cache org attestation`
const forInstallers = `${packages} info show freeze check download cleanup doctor deps leaves outdated pin unpin tap services edit home
  cat fetch reinstall refresh find changes revert build push contents wheel cache index inspect hash env dependency
  specification sources owner`

const verbs: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    'npm pnpm yarn bun': forNode,
    cargo: forCargo,
    go: forGo,
    'composer bundle poetry pipenv pdm hatch uv conda mamba rye pixi': forOthers,
    git: forGit,
    'gh glab': forForges,
    'pip pip3 gem brew snap port': forInstallers,
  }).flatMap(([names, list]) =>
    names.split(' ').map((name): [string, ReadonlySet<string>] => [name, new Set(list.split(/\s+/))]),
  ),
)

/** `hasVerbs('npm')`: of the program it is known which of its verbs take data. */
export function hasVerbs(name: string): boolean {
  return verbs.has(name)
}

/** Options in front of a verb that take a value. */
export const valuedOption =
  /^(workspace|-C|-c|-F|-w|-R|-p|--(prefix|cwd|dir|filter|workspace|manifest-path|directory|project|git-dir|work-tree|repo|userconfig|registry|loglevel|package|config-env))$/
/** Managers whose scripts stand in the project's own file, not among the programs that it installed, and get the words behind their name. */
const scripted = /^p?npm$/

/**
 * The words of a command that its program may run: all of them, but where its verb is known to take data.
 *
 * @example runnableWords('npm', ['npm', 'run', 'env', '--', 'rm', 'x']) // ['--', 'rm', 'x']
 */
export function runnableWords(name: string, values: readonly string[]): readonly string[] {
  const known = verbs.get(name)
  if (known === undefined) return values
  const at = values.findIndex(
    (value, i) => i > 0 && !/^[-+]/.test(value) && !valuedOption.test(values[i - 1] ?? '') && value !== 'workspace',
  )
  const verb = values[at] ?? ''
  if (at === -1 || (known.has(verb) && !/^(run|exec)$/.test(values[at + 1] ?? ''))) return []
  if (scripted.test(name) && /^(run|run-script|rum|urn)$/.test(verb)) return values.slice(at + 2)
  if (name === 'cargo' && verb === 'run') return values.slice(values.indexOf('--', at) + 1 || values.length)
  return values.slice(at)
}

/** The commands of git, and of programs that are often installed beside it. */
const gitCommands = new Set(
  `${forGit} annotate archimport bisect bugreport check-mailmap check-ref-format citool column commit-graph credential
  credential-cache credential-store daemon diagnose difftool fetch-pack filter-branch filter-repo fmt-merge-msg
  for-each-repo get-tar-commit-id gui hook imap-send index-pack init-db instaweb mailinfo mailsplit merge-index
  merge-one-file merge-tree mergetool mktag multi-pack-index pack-redundant patch-id prune-packed rebase receive-pack
  repack replay send-email send-pack show-index stage submodule subtree unpack-file unpack-objects update-server-info
  upload-archive upload-pack verify-pack svn flow town absorb http-fetch http-push refs last-modified backfill p4 annex
  crypt quiltimport remote-http remote-https cvsimport cvsserver gitk shell cvsexportcommit fsmonitor--daemon
  http-backend merge-octopus merge-ours merge-recursive merge-resolve merge-subtree rebase--helper sh-setup`.split(
    /\s+/,
  ),
)

/**
 * Says whether the words behind `git` name no command of git: an alias, of which only the settings know what it stands for.
 *
 * @example isAlias(`git l`) // true
 */
export function isAlias(words: readonly BashWord[]): boolean {
  const verb = words[verbAt(words)]?.value ?? ''
  return /^\w/.test(verb) && !gitCommands.has(verb)
}

/** Subcommands of kubectl behind which names of resources stand; files stand behind options only. */
const aboutResources =
  /^(get|describe|logs|explain|rollout|scale|autoscale|expose|delete|edit|patch|label|annotate|top|wait|port-forward|api-resources|auth|drain|cordon|uncordon|taint)$/

/**
 * A test for the words of a command, by their places, that are names of something else than files.
 *
 * @example `kubectl get secrets -n dev`: `secrets` is a kind of resource, `dev` may be a file for all that is known
 */
export function resourceTest(words: readonly BashWord[]): ((at: number) => boolean) | null {
  if (!/^(kubectl|oc)$/.test(commandName(words))) return null
  const verb = words.findIndex(({ value }) => aboutResources.test(value ?? ''))
  if (verb === -1 || words.slice(1, verb).some(({ value }) => value === null || value === '--')) return null
  return (at) =>
    at > verb && /^[a-z][\w.,:/-]*$/.test(words[at]?.value ?? '') && words[at - 1]?.value?.startsWith('-') !== true
}

/** Commands of git that run nothing which they are told, and those that look at files in its own formats. */
const lookers = new Set(
  `annotate stage rebase bisect submodule difftool mergetool check-mailmap check-ref-format column merge-tree patch-id
  get-tar-commit-id verify-pack show-index repack fetch-pack send-pack`.split(/\s+/),
)

/**
 * Says whether a command of git is one that is often used: it changes no file that it names, unless it is one of those that
 * are known to. Of any other nobody knows it.
 *
 * @example leavesFiles(`git log src`) // true; of `git merge-one-file` it is false
 */
export function leavesFiles(words: readonly BashWord[]): boolean {
  const verb = words[verbAt(words)]?.value ?? ''
  return verb === '' || lookers.has(verb) || verbs.get('git')?.has(verb) === true
}

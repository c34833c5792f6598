import { directsCommands } from '../paths/configuring-files.ts'
import { withValue, type BashWord } from './bash-word.ts'
import { byProgram, commandName, spelledOut } from './bash-wrappers.ts'
import { showsFiles } from './changed-trees.ts'
import { verbAt } from './reach.ts'
import { givenOption, type Option } from './options/given-option.ts'

/** Options of one program whose value is a command, or names a file of commands. */
interface Running extends Option {
  /** Values that run nothing but what the program is for. */
  readonly plain?: RegExp
  /** The value names a file of code: one that is known as a recipe is what the program reads anyway. */
  readonly recipe?: true
}

const compressors = /^(zstd|pigz|gzip|bzip2|pbzip2|xz|pixz|lz4|lzip|lzop|brotli)( -[\w-]+)*$/
const compiler: Running = { written: /^(-wrapper|-fplugin|-fpass-plugin|-Xclang|-specs|-B|@)/, names: ['specs'] }
const secure: Running = {
  letters: 'oSF',
  behind: '1246AaCfGgKkMNnqsTtVvXxYy',
  plain: /^(?!.*(command|include|match|provider|plugin))[A-Za-z]+[= ][\w.:/@%-]+$/i,
}
const linted: Running = {
  names: ['config', 'rulesdir', 'plugin', 'resolve-plugins-relative-to', 'parser', 'format', 'require', 'setupFiles'],
  letters: 'cfr',
  behind: '',
  plain: /^[@\w-]+(\/[\w-]+)?$/,
  recipe: true,
}

const tested: Running = {
  ...linted,
  names:
    `runner testRunner globalSetup globalTeardown resolver testEnvironment testSequencer transform setupFilesAfterEnv reporters
    preset moduleLoader snapshotSerializers testResultsProcessor watchPlugins prettierPath filter dependencyExtractor reporter
    environment pool coverage.customProviderModule`.split(/\s+/),
  letters: '',
}
const packaged: Running = { names: ['userconfig', 'globalconfig', 'git', 'editor', 'viewer'] }

const programs = byProgram<readonly Running[]>({
  tar: [
    {
      names: ['to-command', 'checkpoint-action', 'rsh-command', 'info-script', 'new-volume-script'],
      letters: 'F',
    },
    { names: ['use-compress-program'], letters: 'I', plain: compressors },
  ],
  zip: [{ names: ['unzip-command'], written: /^-[a-zA-Z]*TT/ }],
  sort: [{ names: ['compress-program'], plain: compressors }],
  install: [{ names: ['strip-program'] }],
  split: [{ names: ['filter'] }],
  rsync: [{ names: ['rsh', 'rsync-path'], letters: 'e', plain: /^ssh( -[p4i] ?[\w./-]+)*$/ }],
  ssh: [secure],
  scp: [secure],
  sftp: [secure],
  gcc: [compiler],
  'g++': [compiler],
  cc: [compiler],
  clang: [compiler],
  wget: [{ names: ['use-askpass', 'execute', 'config'], letters: 'e', behind: '' }],
  rg: [{ names: ['pre', 'hostname-bin'] }],
  man: [{ names: ['pager', 'html', 'config-file'], letters: 'PHC', behind: '', plain: /^(cat|less|more)$/ }],
  less: [{ written: /^\+\+?!/ }],
  pip: [{ names: ['python'] }],
  go: [{ written: /^--?(exec|toolexec|vettool)(=|$)|^--?(ld|gc)flags=.*-ext/ }],
  kubectl: [{ names: ['kubeconfig'] }],
  make: [
    {
      names: ['eval'],
      // Recipes that make knows by itself are made of variables: `COMPILE.c`, `CC`, the shell and its flags.
      written:
        /^-E|^\w*\.\w[\w.]*[+:?!]*=|^(SHELL|MAKE\w*|CC|CXX|CPP|LD|AR|AS|FC|RM|GET|LEX|YACC)[+:?!]*=(?![\w+.-]*$)|^\w+[+:?!]*=.*[$`;&|<>()\n]/,
    },
    { names: ['file', 'makefile'], letters: 'f', recipe: true },
  ],
  eslint: [linted],
  prettier: [linted],
  jest: [linted, tested],
  vitest: [linted, tested],
  mocha: [linted],
  npm: [packaged],
  pnpm: [packaged],
})
const others = byProgram<string>({
  bsdtar: 'tar',
  gmake: 'make',
  pip3: 'pip',
  'clang++': 'clang',
  grsync: 'rsync',
})

/**
 * Says whether an option lets a program run a command that its name does not speak of, or a file of commands: a rule for
 * all calls of the program does not cover it.
 *
 * @param fed The texts that it gets to read.
 * @example runsByOption(`tar cf z.tar --checkpoint-act=exec=x a.txt`) // true
 */
export function runsByOption(written: readonly BashWord[], fed: readonly string[] = []): boolean {
  const words = spelledOut(written)
  const name = commandName(words)
  if (name === 'git') return gitRuns(words)
  const client = clients.get(name)
  if (client !== undefined) return [...words.map(({ value }) => value ?? ''), ...fed].some((text) => client.test(text))
  return runningOptions(words).size > 0
}

const noOptions: ReadonlySet<number> = new Set()

/** The places of the options of a program behind which a command, or a file of commands, stands. */
export function runningOptions(words: readonly BashWord[]): ReadonlySet<number> {
  const name = commandName(words)
  const table = programs.get(others.get(name) ?? name)
  if (table === undefined) return noOptions
  const found = new Set<number>()
  for (let at = 1; at < words.length; at += 1) if (table.some((running) => runs(running, words, at))) found.add(at)
  return found
}

function runs(option: Running, words: readonly BashWord[], at: number): boolean {
  const given = givenOption(words, at, option)
  if (given === undefined || option.plain?.test(given.text) === true) return false
  return option.recipe !== true || !directsCommands(given.text)
}

/** Commands of the shell, and functions that load or run something, in the texts of database clients. */
const clients = byProgram<RegExp>({
  sqlite3: /^\s*\.(sh|sy|load|read|(o|i)\w*\s+["']?\|)|^--?init$|\b(edit|load_extension)\s*\(/im,
  psql: /\\(!|e(dit|f|v)?(?![a-z])|g?o?\s*\||copy.*program)|^\||^--output=\||\b(to|from)\s+program\b/i,
})

/** Settings of git that hold a command. */
export const keptCommand =
  /^(alias\..+|core\.(editor|pager|sshcommand|fsmonitor|askpass|gitproxy|hookspath)|sequence\.editor|pager\..+|diff\.external|interactive\.difffilter|credential\.(.+\.)?helper|gpg\.(.+\.)?program|include\.path|includeif\..+|init\.templatedir|url\..+|protocol\..+|.+\.(cmd|textconv|clean|smudge|process|driver|command|packobjectshook|uploadpack|receivepack))$/i
const idle = /^(cat|less|more|true|false|:|0|1)?$/
/** Settings among them that name a place, or words of git, whatever these look like. */
const keptPlace = /^(alias|url|protocol|include(if)?\.|core\.hookspath$|init\.templatedir$)/i
/** Sections of which no setting names a program. */
const plainSections = new Set(
  `user author committer color push pull fetch branch tag log status advice stash rerere index pack gc feature checkout clone
  clean commit column apply blame grep i18n http format rebase am repack transfer receive maintenance versionsort extensions
  fsck notes`.split(/\s+/),
)
/** Settings of other sections that name no program either. */
const plainSetting =
  /^(core\.(abbrev|auto\w+|bare|bigfilethreshold|checkstat|comment\w+|commitgraph|compression|eol|excludesfile|attributesfile|filemode|fscache|fsync\w*|hidedotfiles|ignore\w+|logallrefupdates|longpaths|multipackindex|precomposeunicode|preloadindex|protect\w+|quotepath|safecrlf|sharedrepository|sparsecheckout\w*|splitindex|symlinks|trustctime|untrackedcache|usereplacerefs|warnambiguousrefs|whitespace)|init\.defaultbranch|help\.(autocorrect|format)|(diff|merge)\.(?!external$|(gui)?tool$)\w+|(diff|merge)tool\.(prompt|keepbackup|keeptemporaries|trustexitcode)|remote\.(\w+|.+\.(url|pushurl|fetch|push|prune\w*|tagopt|mirror))|submodule\.(\w+|.+\.(url|branch|active|ignore))|gpg\.(format|ssh\.\w+file)|credential\.(.+\.)?(usehttppath|username)|uploadpack\.allow\w+|lfs\.\w+)$/i

interface Setting {
  /** Null where only a running shell knows it. */
  readonly key: string | null
  readonly value: string
}

function mayRun({ key, value }: Setting): boolean {
  if (key === null) return true
  if (plainSections.has(key.slice(0, key.indexOf('.')).toLowerCase()) || plainSetting.test(key)) return false
  return !(keptCommand.test(key) && !keptPlace.test(key) && idle.test(value))
}

/** `NAME=VALUE` behind `-c`. */
function given({ value, text }: BashWord): Setting {
  const [, quoted] = /^["']?([\w.-]+)=/.exec(text) ?? []
  if (value === null) return { key: quoted ?? null, value: '$' }
  const end = value.indexOf('=')
  return end === -1 ? { key: value, value: 'true' } : { key: value.slice(0, end), value: value.slice(end + 1) }
}

/** The settings that a command of git makes: for itself, for a new clone, or for good. */
function settingsMade(words: readonly BashWord[], at: number): readonly Setting[] {
  const verb = words[at]?.value ?? ''
  const own = words.slice(1, at + 1).flatMap((word, i) => {
    if (words[i]?.text === '-c') return [given(word)]
    return mayTell(word, i + 1 === at) ? [unknown] : []
  })
  const rest = words.slice(at + 1)
  if (verb === 'clone') return [...own, ...rest.flatMap((word, i) => forClone(word, rest[i - 1]))]
  return verb === 'config' ? [...own, ...kept(rest)] : own
}

/** `git clone -qcA=B`, `--conf=A=B`, `-c A=B` */
function forClone(word: BashWord, before: BashWord | undefined): readonly Setting[] {
  if (/^(-[a-zA-Z]*c|--co[a-z]*)$/.test(before?.text ?? '')) return [given(word)]
  const [, text] = /^(?:-[a-zA-Z]*?c|--co[a-z]*=)(.+)$/s.exec(word.value ?? word.text) ?? []
  return text === undefined ? [] : [given({ ...withValue(word, word.value === null ? null : text), text })]
}

const asking = /^(--(get|list)[a-z-]*|-l|get|list)$/
const taking = /^(--(unset|remove-section)[a-z-]*|-e|--edit|unset|edit|remove-section)$/
const renaming = /^(--ren[a-z-]*|rename-section)$/
const valued = /^(-[ft]|--(file|blob|type|default|comment|value|url))$/

/** `git config A B`, `git config set A B`: what is asked for, or taken away, is not made. */
function kept(args: readonly BashWord[]): readonly Setting[] {
  let at = /^(get|list|set|unset|edit|(rename|remove)-section)$/.test(args[0]?.text ?? '') ? 1 : 0
  while (args[at]?.text.startsWith('-') === true) at += valued.test(args[at]?.text ?? '') ? 2 : 1
  const told = args.slice(0, at).map(({ value, text }) => value ?? text)
  if (told.some((text) => asking.test(text) || taking.test(text))) return []
  // A section under another name may be any.
  if (told.some((text) => renaming.test(text))) return [unknown]
  const [key, value] = args.slice(at)
  if (key === undefined || (value === undefined && key.splits !== true)) return []
  return [{ key: key.value, value: value?.value ?? '$' }]
}

const unknown: Setting = { key: null, value: '$' }

/** `git -c "$(cat x)" log`: of a setting that may run a command only a running shell knows the value, or all of it. */
export function setsUnknown(words: readonly BashWord[]): boolean {
  // A person's own editor or pager runs as it does without the setting.
  const known = words.map((word) =>
    word.from === 'env' && /^["']?[\w.-]+=/.test(word.text) ? withValue(word, '') : word,
  )
  return settingsMade(known, verbAt(words)).some((made) => made !== unknown && made.value === '$' && mayRun(made))
}

/** `git $X status`: a word that only a running shell knows, and that may be settings. */
function mayTell({ value, from, splits }: BashWord, isVerb: boolean): boolean {
  return value === null && from === undefined && (isVerb || splits === true)
}

/** Programs at the other end of a connection, and those that show a difference. */
const connecting: Running = { names: ['upload-pack', 'receive-pack', 'exec', 'ext-diff', 'extcmd'] }
const options = byProgram<readonly Running[]>({
  clone: [{ names: ['upload-pack', 'template'], letters: 'u' }],
  init: [{ names: ['template'] }],
  grep: [{ names: ['open-files-in-pager'] }],
  rebase: [{ names: ['exec'], letters: 'x' }],
})
const connected = /^(push|fetch|pull|archive|ls-remote|(fetch|send)-pack|diff|log|show|format-patch|stash|remote)$/
/** Subcommands that do nothing but run something. */
const runners = /^(filter-branch|difftool|mergetool|instaweb|send-email|imap-send|for-each-repo|remote-ext)$/

function gitRuns(words: readonly BashWord[]): boolean {
  const at = verbAt(words)
  const verb = words[at]?.value ?? ''
  const values = words.map(({ value }) => value ?? '')
  const started = /^(run|foreach)$/
  if (values.some((value, i) => started.test(value) && /^(bisect|submodule)$/.test(values[i - 1] ?? ''))) return true
  if (values.slice(1, at + 1).some((value) => /^--(exec-path=|config-env)/.test(value)) || runners.test(verb))
    return true
  const table = options.get(verb) ?? (connected.test(verb) ? [connecting] : [])
  if (words.some((_word, i) => i > at && table.some((running) => runs(running, words, i)))) return true
  if (verb === 'grep' && values.slice(at).some((value) => !showsFiles(/^-[a-zA-Z]*?O(.*)$/s.exec(value)?.[1] ?? '')))
    return true
  return settingsMade(words, at).some(mayRun)
}

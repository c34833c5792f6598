import type { BashWord } from './bash-word.ts'
import { byProgram, commandName, unwrapped } from './bash-wrappers.ts'
import { formattedKinds } from './tools/formatted-kinds.ts'
import type { Below } from './reach.ts'

/** A directory in which a command may change files that it does not name. */
export interface ChangedTree {
  readonly path: string
  readonly below: Below
}

export const workFiles: Below = { hidden: true, only: [], except: ['node_modules', '.git'], changes: true }
/** Files that a repository ever held may come back. */
const repository: Below = { hidden: true, only: [], history: true, changes: true }

/** Runners of the tools that a project brings along, with the words that belong to them. */
const runners = byProgram<RegExp>({
  npx: /^(-y|--yes|--no-install)$/,
  bunx: /^--bun$/,
  pnpx: /^$/,
  uvx: /^$/,
  npm: /^(exec|x|--)$/,
  pnpm: /^(exec|dlx|--)$/,
  yarn: /^(exec|dlx|run)$/,
  bun: /^(x|--bun)$/,
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  pdm: /^run$/,
  hatch: /^run$/,
  rye: /^run$/,
  pixi: /^run$/,
  conda: /^run$/,
  mamba: /^run$/,
  pipx: /^run$/,
  mise: /^(exec|x|--)$/,
  bundle: /^exec$/,
  composer: /^exec$/,
  python: /^-m$/,
  python3: /^-m$/,
})

/**
 * The words of the tool that a runner runs; all of them where there is none.
 *
 * @example `npx -y prettier --write .` → `prettier --write .`
 */
export function toolOf(words: readonly BashWord[]): readonly BashWord[] {
  const name = commandName(words)
  const own = runners.get(name)
  if (own === undefined) return words
  let at = 1
  while (own.test(words[at]?.value ?? '-')) at += 1
  const needsVerb = !name.endsWith('x')
  const tool = words[at]?.value
  if ((needsVerb && at === 1) || tool === undefined || tool?.startsWith('-') === true) return words
  return words.slice(at)
}

/** Tools that look at files, and change them when they get one of these flags. */
const fixers = byProgram<RegExp>({
  eslint: /^--fix/,
  oxlint: /^--fix/,
  stylelint: /^--fix/,
  standard: /^--fix/,
  xo: /^--fix/,
  prettier: /^(--write|-w)$/,
  biome: /^(--write|--fix|--apply.*|--unsafe)$/,
  ruff: /^--(fix|add-noqa)/,
  rubocop: /^(-[a-zA-Z]*[aAxo]|--(auto|fix-layout|out|init|regen|cache-root).*)$/,
  ktlint: /^(-F|--format|--baseline.*)$/,
  'ast-grep': /^(-U|--update-all)$/,
  sg: /^(-U|--update-all)$/,
  comby: /^(-i|-in-place)$/,
  gofmt: /^-(w|cpuprofile)/,
  goimports: /^-(w|(cpu|mem)profile|trace)/,
  shfmt: /^-w/,
  pytest:
    /^(--snapshot-update|--inline-snapshot.*|--basetemp.*|--junit.*|--cov-report(?!=term(-missing)?(:skip-covered)?$).*|-o.*)$/,
  jest: /^(-u|--updateSnapshot|--ci=false|--outputFile.*|--coverageDirectory.*)$/,
  vitest: /^(-u|--update|--outputFile.*)$/,
  mocha: /^(-[uO]|--reporter-o)/,
  // Names may be cut short.
  mypy: /^--(inst|any|cob|html|line|mem|txt|xml|xsl|cach|junit)/,
  flake8: /^--(output-file|tee|bug)/,
  pylint: /^(--ou|(-f)?[\w.,]*:)/,
  pyright: /^--(createstub|writebaseline)/,
  shellcheck: /^$/,
  yamllint: /^$/,
  actionlint: /^$/,
  hadolint: /^$/,
  cspell: /^$/,
  codespell: /^-[a-z]*[wi]|--(write|interactive)/,
  markdownlint: /^(-[a-z]*[fo]|--(fix|output))/,
  'markdownlint-cli2': /^--fix/,
  xmllint: /^--?o/,
})
/** Tools with words under which they change files, without any flag. */
const verbs = byProgram<RegExp>({
  ruff: /^format$/,
  cargo: /^(fmt|fix)$/,
  go: /^(fmt|fix|generate)$/,
  terraform: /^fmt$/,
  tofu: /^fmt$/,
  dotnet: /^format$/,
  mix: /^format$/,
  deno: /^fmt$/,
  zig: /^fmt$/,
  dart: /^(format|fix)$/,
  'php-cs-fixer': /^fix$/,
  biome: /^migrate$/,
  oxfmt: /^/,
  gradle: /^(spotlessApply|ktlintFormat)$/,
  mvn: /^spotless:apply$/,
  svn: /^(up|update|switch|sw|revert|merge)$/,
  hg: /^(up|update|revert|merge|checkout|co|pull|shelve|unshelve|rebase)$/,
  jj: /^(restore|edit|new|abandon|squash|rebase|undo)$/,
})
const dryRuns = /^(--?check|--check-only|--diff|--dry-run|-n|--list-different|-l|--verify-no-changes|--test)$/

/** A tool that is known to leave the files alone which it is given, with these flags. */
export function onlyChecks(words: readonly BashWord[]): boolean {
  const tool = toolOf(words)
  const name = commandName(tool)
  const fixes = fixers.get(name)
  if (fixes === undefined && !formatters.has(name)) return false
  const values = tool.slice(1).map(({ value }) => value ?? '-?')
  if (fixes === undefined || verbs.get(name)?.test(values[0] ?? '') === true)
    return formatters.has(name) && values.some((value) => dryRuns.test(value))
  return !values.some((value) => value === '-?' || fixes.test(value))
}

/** Formatters that change what they are given, unless they are told only to check. */
const formatters = new Set(['black', 'isort', 'ruff', 'oxfmt', 'terraform'])

/**
 * The directories in which a command changes files that it does not name: what `git checkout` brings back, what a
 * formatter without operands goes through, what an archive holds.
 *
 * @param given Its operands come from a list.
 * @example changedTrees(`git restore .`, false) // the repository around `.`
 */
export function changedTrees(words: readonly BashWord[], given: boolean): readonly ChangedTree[] {
  const tool = toolOf(words)
  const name = commandName(tool)
  if (name === 'git') return ofGit(argumentsOf(tool))
  if (archivers.has(name)) {
    const values = argumentsOf(tool)
    return unpacks(name, values) ? [{ path: directoryOf(name, values), below: workFiles }] : none
  }
  if (name === 'wget') return argumentsOf(tool).some((value) => fetchesMany.test(value)) ? here : none
  if (given || !goesThrough(name, tool)) return none
  return [{ path: '.', below: { ...workFiles, kinds: kindsFormatted(words) } }]
}

/** Name patterns of the files that a formatter changes, and no others; empty for all. */
export function kindsFormatted(words: readonly BashWord[]): readonly string[] {
  const inner = unwrapped(words)
  const tool = toolOf(inner)
  // A script of the project may have the name of a formatter.
  const isOwn = tool[0]?.value?.includes('/') === true || inner[0]?.value?.includes('/') === true
  return (isOwn ? null : formattedKinds(commandName(tool), tool)) ?? []
}

const archivers = new Set('unzip 7z 7za unar bsdtar tar cpio pax jar'.split(' '))
const fetchesMany = /^(-[a-zA-Z]*[rmp]|--(recursive|mirror|page-requisites))/

function argumentsOf(words: readonly BashWord[]): readonly string[] {
  return words.slice(1).map(({ value }) => value ?? '')
}

const none: readonly ChangedTree[] = []
const here: readonly ChangedTree[] = [{ path: '.', below: workFiles }]

function goesThrough(name: string, tool: readonly BashWord[]): boolean {
  const fixing = fixers.get(name)
  const changing = verbs.get(name)
  if (fixing === undefined && changing === undefined) return false
  const values = argumentsOf(tool)
  if (values.some((value) => dryRuns.test(value))) return false
  const [first = ''] = values.filter((value) => !value.startsWith('-'))
  const fixes = name === 'cargo' ? values.includes('--fix') : values.some((value) => fixing?.test(value))
  if (!fixes && changing?.test(first) !== true) return false
  const named = values.filter(
    (value) => !value.startsWith('-') && !/^(check|format|fmt|lint|fix|ci|run|scan)$/.test(value),
  )
  return named.length === 0 || /^(cargo|svn|hg|jj|gradle|mvn|ast-grep|sg|comby)$/.test(name)
}

function unpacks(name: string, values: readonly string[]): boolean {
  const [first = ''] = values
  if (name === 'unzip') return !values.some((value) => /^-[a-zA-Z]*[lptvzZ]/.test(value))
  if (name.startsWith('7z')) return /^[xe]$/.test(first)
  if (name === 'unar') return true
  if (name === 'jar') return /^-?[a-z]*x/.test(first) || values.includes('--extract')
  if (name === 'cpio' || name === 'pax')
    return (
      values.some((value) => /^(-[a-zA-Z]*[irp]|--extract)/.test(value)) &&
      !values.some((value) => /^-[a-z]*t/.test(value))
    )
  return /^[a-zA-Z]*x/.test(first) || values.some((value) => /^(-[a-zA-Z]*x|--extract|--get)/.test(value))
}

/** `tar -C dir`, `unzip -d dir`, `7z -odir`. */
function directoryOf(name: string, values: readonly string[]): string {
  const flag = name === 'unzip' ? /^-[a-zA-Z]*d$/ : /^-C$/
  const at = values.findIndex((value) => flag.test(value))
  if (at !== -1) return values[at + 1] ?? '.'
  return values.flatMap((value) => /^(?:--directory=|-o)(.+)/.exec(value)?.[1] ?? [])[0] ?? '.'
}

/** Commands of git that bring files of the checkout into another state, and forms of them that do not. */
const movers =
  /^(restore|checkout|switch|reset|stash|merge|rebase|pull|cherry-pick|revert|clean|am|bisect|read-tree|checkout-index|merge-(resolve|recursive|octopus|ours|subtree|index|one-file)|submodule|sparse-checkout|filter-branch|rm|mv)$/

function ofGit(values: readonly string[]): readonly ChangedTree[] {
  let at = 0
  let path = '.'
  while (values[at]?.startsWith('-') === true) {
    const valued = /^(-[cC]|--(git-dir|work-tree|namespace|exec-path|config-env))$/.test(values[at] ?? '')
    if (values[at] === '-C') path = values[at + 1] ?? '.'
    at += valued ? 2 : 1
  }
  const [verb = '', ...rest] = values.slice(at)
  if (handsFiles(values.slice(0, at), verb, rest)) return [{ path, below: workFiles }]
  if (!movers.test(verb) || staysPut(verb, rest)) return none
  // Files that git never held lie on the disk only.
  const untracked = verb === 'clean' || rest.some((value) => /^(-[a-z]*[ua]|--include-untracked|--all)$/.test(value))
  const tracked = { path, below: isLimited(verb, rest) ? repository : { ...repository, whole: true as const } }
  return [tracked, ...(untracked ? [{ path, below: workFiles }] : [])]
}

const viewers = /^(cat|less|more|head|tail|wc|diff|colordiff|icdiff|delta|difft|vimdiff|meld|echo|true|:)?( -\S+)*$/

/** `showsFiles('less -R')`: the program changes none of the files that git hands to it. */
export function showsFiles(program: string): boolean {
  return viewers.test(program)
}

/** `git grep -O rm x`, `git -c diff.external=rm diff`: git starts another program on files that it finds. */
function handsFiles(before: readonly string[], verb: string, rest: readonly string[]): boolean {
  const told = (pattern: RegExp, words: readonly string[]): readonly string[] =>
    words.flatMap((word) => pattern.exec(word)?.[1] ?? [])
  if (verb === 'grep' && rest.some((word) => /^(-[a-zA-Z]*O|--op)/.test(word)))
    return !told(/^(?:-O|--op[a-z-]*=?)(.*)$/, rest).every(showsFiles) || rest.some((word) => /^-[a-zA-Z]+O/.test(word))
  if (verb === 'difftool' && rest.some((word) => /^(-x|--ext)/.test(word)))
    return !told(/^--ext[a-z]*=(.*)$/, rest).every(showsFiles) || rest.some((word) => /^(-x|--ext[a-z]*$)/.test(word))
  return !told(/^diff\.external=(.*)$/i, before).every(showsFiles)
}

/** The command changes files only below the directory in which it runs. */
function isLimited(verb: string, rest: readonly string[]): boolean {
  if (rest.some((value) => /^[:/~]|(^|\/)\.\.(\/|$)/.test(value))) return false
  return /^(restore|clean|rm|mv)$/.test(verb) || (verb === 'checkout' && (rest.includes('--') || rest.includes('.')))
}

function staysPut(verb: string, rest: readonly string[]): boolean {
  const has = (pattern: RegExp): boolean => rest.some((value) => pattern.test(value))
  const operands = rest.filter((value) => !value.startsWith('-'))
  const [first = ''] = operands
  // Files that are named one by one stand among the operands.
  const end = rest.indexOf('--')
  const plain = /^(?!.*[*?[:])[\w@%+=,./-]*\w$/
  const named = (paths: readonly string[]): boolean =>
    paths.length > 0 && paths.every((path) => plain.test(path) && /\.\w+$/.test(path))
  switch (verb) {
    case 'restore':
      return (has(/^(-S|--staged)$/) && !has(/^(-W|--worktree)$/)) || named(end === -1 ? operands : rest.slice(end + 1))
    case 'checkout':
      return (has(/^-b$/) && operands.length === 1) || (end !== -1 && named(rest.slice(end + 1)))
    case 'switch':
      return has(/^(-c|--create)$/) && operands.length === 1
    case 'reset':
      return !has(/^--(h|m(?!ixed)|k)/)
    case 'stash':
      return /^(list|show|drop|clear|create|store)$/.test(first)
    case 'clean':
      return has(/^(-[a-zA-Z]*n|--dry-run)/)
    case 'am':
      // A patch names the files that it changes.
      return operands.length > 0 && !has(/^--(abort|skip|quit|cont|resolved)/)
    case 'bisect':
      return /^(log|view|visualize|help)$/.test(first)
    case 'submodule':
      return /^(status|summary|init|foreach|set-url|set-branch)?$/.test(first)
    case 'sparse-checkout':
      return first === 'list'
    case 'rm':
    case 'mv':
      return named(operands) || has(/^(--cached|-n|--dry-run)$/)
    case 'read-tree':
      return !has(/^(-[a-z]*u|--reset)/)
    default:
      return false
  }
}

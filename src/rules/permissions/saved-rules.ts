import { needsExactRule } from '../shell/bash-runners.ts'
import { unwrapped } from '../shell/bash-wrappers.ts'
import { scriptContent } from '../shell/walk/script-content.ts'
import { isInside } from '../paths/path-inside.ts'
import type { Action, ActionCommand, ActionPath } from './action.ts'

/** How many words of a command name what it does, for tools whose calls of a kind may be allowed for good. */
interface Kind {
  /** Words that belong to the rule, the program's own name included. */
  readonly words: number
  /** The words behind the program's name that may be saved; others are saved word for word. */
  readonly verbs: RegExp
}

const kind = (words: number, verbs: RegExp): Kind => ({ words, verbs })
const scripts = [kind(3, /^run (?!env$)[\w:.-]+$/), kind(2, /^(test|ci|ls|outdated|audit|view)$/)]
const packaged = '(vitest|jest|mocha|ava|eslint|prettier|tsc|oxlint|biome|playwright|cypress|stylelint|knip)'

const kinds: Readonly<Record<string, readonly Kind[]>> = {
  git: [
    kind(
      2,
      /^(status|log|diff|show|add|commit|fetch|blame|ls-files|ls-tree|rev-parse|rev-list|describe|shortlog|merge-base|cat-file|check-ignore)$/,
    ),
    kind(3, /^stash list$/),
  ],
  npm: scripts,
  pnpm: scripts,
  yarn: scripts,
  bun: scripts,
  npx: [kind(2, new RegExp(`^${packaged}$`))],
  python: [kind(3, /^-m (pytest|unittest|mypy|ruff|black|flake8|compileall)$/)],
  python3: [kind(3, /^-m (pytest|unittest|mypy|ruff|black|flake8|compileall)$/)],
  uv: [kind(3, /^run (pytest|ruff|mypy|black)$/)],
  poetry: [kind(3, /^run (pytest|ruff|mypy|black)$/)],
  cargo: [kind(2, /^(build|test|check|clippy|fmt|doc|bench|tree|metadata)$/)],
  go: [kind(2, /^(build|test|vet|fmt|list|version|doc)$/)],
  make: [kind(2, /^[a-z][\w-]*$/)],
  docker: [kind(2, /^(ps|images|logs|inspect|version|info)$/), kind(3, /^compose (ps|logs)$/)],
  kubectl: [kind(2, /^(get|describe|logs|top|version|explain)$/)],
  gh: [kind(3, /^(pr|issue|run|release|repo) (view|list|diff|checks|status)$/)],
  dotnet: [kind(2, /^(build|test)$/)],
  mvn: [kind(2, /^(test|compile|verify|package)$/)],
  gradle: [kind(2, /^(test|build|check)$/)],
  terraform: [kind(2, /^(plan|validate|fmt|show|version)$/)],
  pip: [kind(2, /^(list|show|freeze|check)$/)],
  pip3: [kind(2, /^(list|show|freeze|check)$/)],
}

/**
 * Programs that do one thing, whatever they are given. Those that read are not among them: inside of the working directories
 * they need no rule, and one for `cat` would open the whole disk.
 */
const single = new Set(
  `pytest jest vitest mocha eslint prettier tsc oxlint oxfmt ruff mypy flake8 pylint shellcheck phpunit rspec ctest mkdir
  touch`.split(/\s+/),
)

/**
 * The first words of a command under which all calls of its kind may be saved; null where only the call itself may be.
 * A flag in front of the subcommand, a program that runs others, a verb that nobody knows: all are saved word for word.
 *
 * @example savedWords(['npm', 'run', 'build', '--watch']) // 'npm run build'
 */
function savedWords(words: readonly string[]): string | null {
  const [name = '', ...rest] = words
  if (single.has(name)) return name
  const found = Object.hasOwn(kinds, name)
    ? kinds[name]?.find(({ words: count, verbs }) => verbs.test(rest.slice(0, count - 1).join(' ')))
    : undefined
  return found === undefined ? null : words.slice(0, found.words).join(' ')
}

/** The rules for this very call; null where none can say it: a line with a star in it would be read as a pattern. */
export function exactRules(action: Action, root: string): readonly string[] | null {
  if (action.tool !== 'Bash') return otherRules(action, root)
  const line = action.input['command']
  return typeof line === 'string' && !line.includes('*') ? [`Bash(${line.trim()})`] : null
}

/**
 * The rules for calls of this kind, as a person would write them in a settings file.
 *
 * @param root the project's root, from which path rules are written
 * @returns null where rules cannot say it
 * @example kindRules(analyse(npmTest), '/repo') // ['Bash(npm test:*)']
 */
export function kindRules(action: Action, root: string): readonly string[] | null {
  if (action.tool !== 'Bash') return otherRules(action, root)
  if (action.unparsable !== undefined || hasHereDocument(action)) return null
  const commands = action.commands
    .filter(({ within }) => within !== true)
    .map((command) => commandRule(command, { action, root }))
  const redirects = action.paths.flatMap((path) => (path.of === 'redirect' ? [pathRule(path, root)] : []))
  const rules = commands.flatMap((rule) => rule ?? [])
  return rules.length < commands.length ? null : [...rules, ...redirects]
}

/** The line holds a here-document, whose text no rule can say. */
function hasHereDocument(action: Action): boolean {
  const line = action.input['command']
  return typeof line === 'string' && line.includes('<<')
}

function commandRule(
  command: ActionCommand,
  { action, root }: { readonly action: Action; readonly root: string },
): string | null {
  if (command.hides) return null
  const words = unwrapped(command.words)
  const exact = command.text === '' || command.text.includes('*') ? null : `Bash(${command.text})`
  const script = exact === null ? null : scriptContent(command, action)
  // A yes to a script of the project is one to what it says now.
  if (script !== null && isInside(root, script.path)) return `Bash(${command.text} #sha256:${script.sha256})`
  if (command.assignments.length > 0 || words.length < 2) return exact
  const kind = savedWords(words.map(({ text }) => text))
  return kind === null || needsExactRule(command) ? exact : `Bash(${kind}:*)`
}

function otherRules(action: Action, root: string): readonly string[] | null {
  if (action.unparsable !== undefined) return null
  if (action.tool === 'WebFetch') return action.hosts.map((host) => `WebFetch(domain:${host})`)
  if (action.paths.length === 0 || action.foreign === true) return [action.tool]
  return action.paths.map((path) => pathRule(path, root))
}

/** A folder stands for all that is in it. In rules `/` is the project's root and `//` that of the file system; what means something in a pattern is escaped. */
function pathRule({ path, access }: ActionPath, root: string): string {
  const literal = path.replaceAll(/[\\*?[\]! ]/g, (sign) => `\\${sign}`)
  const start = root.replaceAll(/[\\*?[\]! ]/g, (sign) => `\\${sign}`)
  const written = isInside(root, path) && path !== root ? literal.slice(start.length) : `/${literal}`
  return `${access === 'edit' ? 'Edit' : 'Read'}(${written})`
}

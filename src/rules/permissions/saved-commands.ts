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
export function savedWords(words: readonly string[]): string | null {
  const [name = '', ...rest] = words
  if (single.has(name)) return name
  const found = Object.hasOwn(kinds, name)
    ? kinds[name]?.find(({ words: count, verbs }) => verbs.test(rest.slice(0, count - 1).join(' ')))
    : undefined
  return found === undefined ? null : words.slice(0, found.words).join(' ')
}

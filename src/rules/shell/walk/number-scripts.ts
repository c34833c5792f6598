import type { Command, ParsedScript } from 'unbash'

/** Programs whose output is a number, with the arguments under which it is. */
const counters: Readonly<Record<string, RegExp>> = {
  wc: /^-(l|w|c|m)$/,
  nproc: /^(--all)?$/,
  date: /^\+["']?%[sYmdHMSjNuF]([_.:-]?(%[sYmdHMSjNueFT]|\d))*["']?$/,
  id: /^-[ugG]$/,
  grep: /^-[ivwxEFsqh]*c[ivwxEFsqh]*( '[^']*'| "[^"$`]*"| [\w.]+)?( [\w./][\w./-]*)?$/,
  // A commit has a number, too. Without an option `rev-parse` gives back the name of a file.
  git: /^(log -1 --(format|pretty)=["']?%(H|h|ct|at)["']?|rev-list --count [\w./~^-]+|merge-base \w[\w./~^-]* \w[\w./~^-]*|rev-parse ((HEAD|@)[~^\d]*|(--verify|--short(=\d+)?) [\w@][\w./~^-]*))$/,
}

/**
 * Whether the output of a script is a number, whatever its files hold: that of a commit, too, which has letters.
 *
 * @example givesNumber(script of `git ls-files | wc -l`) // true
 */
export function givesNumber(script: ParsedScript): boolean {
  return ends(script, counters)
}

/** Programs whose output is the name of a branch, a tag or a commit: git takes none that begins with a dash. */
const namers: Readonly<Record<string, RegExp>> = {
  git: /^(branch --show-current|(rev-parse|symbolic-ref) (--short |--abbrev-ref )+(HEAD|@)|describe( --(tags|always|all|long|abbrev(=\d+)?))*( (HEAD|@)[~^\d]*)?|merge-base( --fork-point)? [\w@][\w./~^@{}-]*( [\w@][\w./~^@{}-]*)?)$/,
}

/**
 * Whether the output of a script is the name of a branch, a tag or a commit.
 *
 * @example givesName(script of `git branch --show-current`) // true
 */
export function givesName(script: ParsedScript): boolean {
  return ends(script, namers)
}

/** The script is one pipeline, and a table of programs has its end. */
function ends({ commands }: ParsedScript, table: Readonly<Record<string, RegExp>>): boolean {
  const [only] = commands
  if (only === undefined || commands.length > 1) return false
  const all = only.command.type === 'Pipeline' ? only.command.commands : [only.command]
  const last = all.at(-1)
  return (
    last?.type === 'Command' &&
    hasForm(last, table) &&
    all.every((each) => each.type === 'Command' && keepsErrors(each))
  )
}

/** The message of an error is no number. */
function keepsErrors({ redirects }: Command): boolean {
  return redirects.every((each) => {
    if (each.type !== 'Redirect') return true
    return each.operator === '<' ? each.descriptor === undefined : each.target?.text === '/dev/null'
  })
}

function hasForm({ name, args, prefix }: Command, table: Readonly<Record<string, RegExp>>): boolean {
  const known = table[name?.text ?? '']
  if (known === undefined || prefix.some(({ type }) => type === 'Assignment')) return false
  return known.test(
    args
      .map(({ text }) => text)
      .join(' ')
      .replaceAll(/[ \t]+/g, ' '),
  )
}

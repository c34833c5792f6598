/** The commands, and the team names that ship; those of `./teams` are looked up when the key is pressed. */
export interface CompletionSource {
  readonly commands: readonly CompletableCommand[]
  readonly teams: readonly string[]
}

/** A script beside a team (`name.script.yaml`) is no team. */
const localTeams = [
  '  for f in teams/*.yaml teams/*.yml; do',
  '    [ -e "$f" ] || continue; f=${f##*/}; f=${f%.*}',
  '    case "$f" in *.*) ;; *) printf "%s " "$f" ;; esac',
  '  done',
] as const

/** Runs of this directory by their ids, and members as `name@team`. */
const localRuns = [
  '  for f in .troupe/runs/*/members/*.json; do',
  '    [ -e "$f" ] || continue; r=${f%/members/*}; r=${r##*/}; f=${f##*/}',
  '    printf "%s %s@%s " "$r" "${f%.json}" "${r%-*}"',
  '  done',
] as const

/** Members of those runs by their names alone. */
const localMembers = [
  '  for f in .troupe/runs/*/members/*.json; do',
  '    [ -e "$f" ] || continue; f=${f##*/}; printf "%s " "${f%.json}"',
  '  done',
] as const

/** The command whose table begins its lines with what a first argument can be, by the group of commands and the argument. */
const listings: Readonly<Record<string, string>> = {
  'permissions id': 'permissions pending',
  'worktrees trees': 'worktrees ls',
  'tools tool': 'tools ls',
  'commands command': 'commands ls',
  'memory memory': 'memory ls',
  'skills skill': 'skills ls',
  'mcp name': 'mcp list',
  'plugin name': 'plugin ls',
}

/** The lists among which the values of some options are looked up. */
const lookups: Readonly<Record<string, 'runs' | 'teams' | 'members'>> = {
  '--run': 'runs',
  '--team': 'teams',
  '--member': 'members',
}

/**
 * Bash: one function that looks at the line typed so far. Readline begins a word at `@`, so its own words do not hold
 * `name@team` whole, and a reply for such a word begins with its `@`.
 */
export function bashScript({ commands, teams }: CompletionSource): string {
  return `${[
    '# troupe completion for bash',
    ...sharedFunctions(teams),
    '_troupe() {',
    '  local line=${COMP_LINE:0:COMP_POINT} cur="" typed',
    '  read -ra typed <<< "$line"',
    '  local last=${#typed[@]}',
    '  case "$line" in *[[:space:]]) ;; *) last=$((last - 1)); cur=${typed[last]} ;; esac',
    '  _troupe_words "${typed[last - 1]}" "${typed[@]:1:last - 1}"',
    '  COMPREPLY=($(compgen -W "$_troupe_reply" -- "$cur"))',
    '  if [ ${#COMPREPLY[@]} -eq 0 ] && [ -n "$_troupe_files" ]; then',
    '    compopt -o filenames 2>/dev/null; COMPREPLY=($(compgen -f -- "$cur"))',
    '  fi',
    '  case "$COMP_WORDBREAKS $cur" in *@*" "*@*) COMPREPLY=("${COMPREPLY[@]#"${cur%"@${cur##*@}"}"}") ;; esac',
    '}',
    ...wordsFunction(commands),
    'complete -F _troupe troupe',
  ].join('\n')}\n`
}

/** Zsh: the same function under zsh's own entry; `_files` is zsh's own and fails where sh is emulated. */
export function zshScript({ commands, teams }: CompletionSource): string {
  return `${[
    '#compdef troupe',
    '# troupe completion for zsh',
    ...sharedFunctions(teams),
    ...wordsFunction(commands),
    '_troupe_fit() {',
    '  emulate -L sh',
    '  local last=$((CURRENT - 2))',
    '  _troupe_words "${words[$last]}" "${words[@]:1:$last}"',
    '}',
    '_troupe() {',
    '  _troupe_fit',
    '  compadd -- ${=_troupe_reply}',
    '  if [ -n "$_troupe_files" ]; then _files; fi',
    '}',
    // Sourced, or read as the body of the function: then the key that loads it is answered, too.
    'if [ "${funcstack[1]}" = _troupe ]; then _troupe; else compdef _troupe troupe; fi',
  ].join('\n')}\n`
}

/** Fish: one line per command and option. */
export function fishScript({ commands, teams }: CompletionSource): string {
  const lines = commands.flatMap((command) => fishCommand(command, commands))
  return `${[
    '# troupe completion for fish',
    'function __troupe_teams',
    `  printf '%s\\n' ${teams.join(' ')}`,
    "  for f in teams/*.yaml teams/*.yml; path basename $f | string replace -r '\\.ya?ml$' '' | string match -rv '\\.'; end",
    'end',
    'function __troupe_runs',
    "  for f in .troupe/runs/*/members/*.json; set -l p (string split / $f); echo $p[3]; echo (string replace -r '.*/(.*)\\.json' '$1' $f)@(string replace -r -- '-[^-]*$' '' $p[3]); end",
    'end',
    'function __troupe_members',
    "  for f in .troupe/runs/*/members/*.json; string replace -r '.*/(.*)\\.json' '$1' $f; end",
    'end',
    'function __troupe_listed',
    "  troupe $argv 2>/dev/null | string replace -r ' .*' '' | tail -n +2",
    'end',
    ...lines,
  ].join('\n')}\n`
}

function sharedFunctions(teams: readonly string[]): readonly string[] {
  const shipped = `  printf "%s " ${teams.join(' ')}`
  const runs = ['_troupe_runs() {', '  local f r', ...localRuns, '}']
  const members = ['_troupe_members() {', '  local f', ...localMembers, '}']
  const listed = ['_troupe_listed() {', '  troupe "$@" 2>/dev/null | sed -e 1d -e "s/ .*//"', '}']
  return ['_troupe_teams() {', '  local f', shipped, ...localTeams, '}', ...runs, ...members, ...listed]
}

/** Sets `_troupe_reply` to the words that fit after those given, `_troupe_files` when files fit, too. `path` is PATH in zsh. */
function wordsFunction(commands: readonly CompletableCommand[]): readonly string[] {
  return [
    '_troupe_words() {',
    '  local prev=$1 called="" word; shift',
    '  for word in "$@"; do case "$called $word" in',
    ...commands
      .filter(({ path }) => path.length > 0)
      .map(({ path }) => `    ${quoted(` ${path.join(' ')}`)}) called="$called $word" ;;`),
    '  esac; done',
    '  _troupe_reply=""; _troupe_files=""',
    '  case "$called:$prev" in',
    ...commands.flatMap(valueCases),
    '  esac',
    '  case "$called" in',
    ...commands.map(commandCase),
    '  esac',
    '}',
  ]
}

function key({ path }: CompletableCommand): string {
  return path.length === 0 ? '' : ` ${path.join(' ')}`
}

function valueCases(command: CompletableCommand): readonly string[] {
  return command.options
    .filter(({ takesValue }) => takesValue)
    .map(({ names, choices }) => {
      const patterns = names.map((name) => quoted(`${key(command)}:${name}`)).join('|')
      const words = choices.length > 0 ? `_troupe_reply="${choices.join(' ')}"` : '_troupe_files=1'
      const lookup = names.map((name) => lookups[name]).find((each) => each !== undefined)
      const reply = lookup === undefined ? words : `_troupe_reply="$(_troupe_${lookup})"`
      return `    ${patterns}) ${reply}; return ;;`
    })
}

function commandCase(command: CompletableCommand): string {
  const options = command.options.flatMap(({ names }) => names)
  const words = [...command.words, ...options].join(' ')
  const teams = command.wantsTeam ? ' $(_troupe_teams)' : ''
  const runs = command.wantsRun ? ' $(_troupe_runs)' : ''
  const members = command.wantsMember ? ' $(_troupe_members)' : ''
  const listed = command.listing === null ? '' : ` $(_troupe_listed ${command.listing})`
  const reply = `_troupe_reply="${words}${teams}${runs}${members}${listed}"${command.wantsTeam ? '; _troupe_files=1' : ''}`
  return `    ${quoted(key(command))}) ${reply} ;;`
}

function quoted(text: string): string {
  return `"${text}"`
}

function fishCommand(command: CompletableCommand, all: readonly CompletableCommand[]): readonly string[] {
  const here = condition(command, all)
  const named = command.words.map((word) => {
    const child = all.find(({ path }) => path.join(' ') === [...command.path, word].join(' '))
    return `complete -c troupe -n '${here}' -f -a '${word}'${fishDescription(child?.description ?? '')}`
  })
  const teams = command.wantsTeam ? [`complete -c troupe -n '${here}' -a '(__troupe_teams)'`] : []
  const runs = command.wantsRun ? [`complete -c troupe -n '${here}' -f -a '(__troupe_runs)'`] : []
  const members = command.wantsMember ? [`complete -c troupe -n '${here}' -f -a '(__troupe_members)'`] : []
  const listed =
    command.listing === null ? [] : [`complete -c troupe -n '${here}' -f -a '(__troupe_listed ${command.listing})'`]
  return [
    ...named,
    ...teams,
    ...runs,
    ...members,
    ...listed,
    ...command.options.map((option) => fishOption(option, here)),
  ]
}

function condition({ path }: CompletableCommand, all: readonly CompletableCommand[]): string {
  const children = all.filter(
    (other) => other.path.length === path.length + 1 && other.path.slice(0, -1).join() === path.join(),
  )
  const names = children.flatMap((child) => child.path.at(-1) ?? [])
  const within = path.map((word) => `__fish_seen_subcommand_from ${word}`)
  const notBelow = names.length > 0 ? [`not __fish_seen_subcommand_from ${names.join(' ')}`] : []
  return [...within, ...notBelow].join('; and ')
}

function fishOption({ names, description, takesValue, choices }: CompletableOption, here: string): string {
  const flags = names.map((name) => (name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`)).join(' ')
  const lookup = names.map((name) => lookups[name]).find((each) => each !== undefined)
  const words = lookup === undefined ? choices.join(' ') : `(__troupe_${lookup})`
  const value = words === '' ? ' -r' : ` -x -a '${words}'`
  return `complete -c troupe -n '${here}' ${flags}${takesValue ? value : ''}${fishDescription(description)}`
}

function fishDescription(text: string): string {
  return text === '' ? '' : ` -d '${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** One option as a shell needs it: what can be typed for it, and whether a value follows. */
interface CompletableOption {
  readonly names: readonly string[]
  readonly description: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
}

/** One command of the program, by the words that lead to it. */
interface CompletableCommand {
  readonly path: readonly string[]
  readonly description: string
  readonly options: readonly CompletableOption[]
  /** Values of the command's first argument: fixed words, a team, a run, or the proposals of the shell. */
  readonly words: readonly string[]
  readonly wantsTeam: boolean
  /** True when the command's first argument is a run of this directory, or a member of one. */
  readonly wantsRun: boolean
  /** True when a later argument is a member by its name alone. */
  readonly wantsMember: boolean
  /** The command that lists what the first argument can be; null when there is none. */
  readonly listing: string | null
}

/** The part of commander's program that completion reads. */
export interface CompletableProgram {
  name(): string
  description(): string
  readonly commands: readonly CompletableProgram[]
  readonly options: readonly OptionLike[]
  readonly registeredArguments: readonly { name(): string; readonly argChoices?: readonly string[] | undefined }[]
}

interface OptionLike {
  readonly long?: string | undefined
  readonly short?: string | undefined
  readonly description: string
  readonly required: boolean
  readonly optional: boolean
  readonly argChoices?: readonly string[] | undefined
}

/**
 * Every command of a program with its options, the program itself first: what completion scripts and the manual
 * are written from.
 */
export function completable(program: CompletableProgram, path: readonly string[] = []): readonly CompletableCommand[] {
  const [argument, ...later] = program.registeredArguments
  const own: CompletableCommand = {
    path,
    description: program.description(),
    options: [...program.options.map(optionOf), help],
    words: argument?.argChoices ?? program.commands.map((child) => child.name()),
    wantsTeam: argument?.name() === 'team',
    wantsRun: ['run', 'to', 'a'].includes(argument?.name() ?? ''),
    wantsMember: later.some((each) => each.name() === 'member'),
    listing: listings[`${path[0]} ${argument?.name()}`] ?? null,
  }
  return [own, ...program.commands.flatMap((child) => completable(child, [...path, child.name()]))]
}

const help: CompletableOption = { names: ['-h', '--help'], description: 'print help', takesValue: false, choices: [] }

function optionOf({ long, short, description, required, optional, argChoices }: OptionLike): CompletableOption {
  const names = [short, long].flatMap((name) => name ?? [])
  return { names, description, takesValue: required || optional, choices: argChoices ?? [] }
}

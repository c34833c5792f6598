import { basename } from 'node:path'

/** A command as a screen lists it: everything about it but what it does. */
export interface ShownCommand {
  readonly name: string
  /** `prompt`: its text goes to a member; `local`: something is done and shown; `screen`: the screen itself changes. */
  readonly kind: 'prompt' | 'local' | 'screen'
  readonly does: string
  /** Words that may stand behind the name. */
  readonly hint?: string
}

/** The member and the run that a command is about. */
export interface CommandPlace {
  /** The run directory. */
  readonly dir: string
  readonly member: string
  readonly args: readonly string[]
}

/** The standing of a run, as far as commands follow it. */
export interface Standing {
  /** Whether the run has a leader now. */
  readonly led: boolean
}

/** A built-in command. What a local one does is loaded when it is called. */
export interface BuiltinCommand extends ShownCommand {
  /** Whether it can be called now; asked each time. */
  isEnabled?(standing: Standing): boolean
  /** A local command as words behind `troupe`, or as what is to be read of the run. */
  readonly calls?: (place: CommandPlace) => readonly string[]
  readonly reads?: 'todo'
}

/** The commands of every run. A new one is an entry here. */
export const builtinCommands: readonly BuiltinCommand[] = [
  { name: 'help', kind: 'screen', does: 'show the commands and the keys' },
  { name: 'attach', kind: 'screen', hint: '[member]', does: 'look at a member alone, or at all' },
  local('status', 'the runs of this directory, with their members', () => ['ps', '--all']),
  local('cost', 'what the run has used', ({ dir }) => ['cost', dir]),
  {
    ...local('compact', 'make the conversation of the member shorter', ({ dir, member, args }) => {
      const focus = args.join(' ')
      return ['compact', dir, member, ...(focus === '' ? [] : [focus])]
    }),
    hint: '[focus]',
  },
  {
    ...local('model', 'the models of the members, or another one for this member', choosing('model')),
    hint: '[provider/model]',
  },
  {
    ...local('mode', 'the permission modes of the members, or another one for this member', choosing('mode')),
    hint: '[mode]',
  },
  { name: 'permissions', kind: 'screen', does: 'answer the questions that wait, or show the rules in force' },
  local('tasks', 'the task board', ({ dir }) => ['tasks', dir]),
  { name: 'todo', kind: 'local', does: 'the steps that the member has set itself', reads: 'todo' },
  {
    ...local(
      'undo',
      'the turns of the member that changed files, or take them back to one',
      ({ dir, member, args }) => ['undo', dir, member, ...(args.length === 0 ? ['--list'] : ['--to', ...args])],
    ),
    hint: '[checkpoint]',
  },
  local('diff', 'what the member changed in its worktree', ({ dir, member }) => [
    'worktrees',
    'diff',
    treeOf(dir, member),
  ]),
  local('merge', 'merge the work of the worktree of the member into the checked out branch', ({ dir, member }) => [
    'worktrees',
    'merge',
    treeOf(dir, member),
  ]),
  {
    ...local('fork', 'make a new run that remembers this one up to an entry', ({ dir, args: [at = ''] }) => [
      'fork',
      dir,
      '--at',
      at,
      '--no-lead',
    ]),
    hint: '<entry>',
  },
  local('memory', 'what members remember of earlier runs', () => ['memory', 'ls']),
  local('hooks', 'the hooks of this workspace', () => ['hooks', 'ls']),
  local('skills', 'the skills that members can open', () => ['skills', 'ls']),
  local('mcp', 'the MCP servers that count here', () => ['mcp', 'list']),
  {
    ...local('restart', 'begin the life of this member anew; it keeps its conversation', ({ dir, member }) => [
      'restart',
      `${member}@${basename(dir)}`,
    ]),
    isEnabled: ({ led }) => led,
  },
  {
    ...local('end', 'stop this member for good; the team goes on', ({ dir, member, args }) => [
      'stop',
      `${member}@${basename(dir)}`,
      ...(args.length === 0 ? [] : ['--reason', args.join(' ')]),
    ]),
    hint: '[reason]',
    isEnabled: ({ led }) => led,
  },
  {
    ...local('stop', 'stop the run for good', ({ dir, args }) => [
      'stop',
      dir,
      ...(args.length === 0 ? [] : ['--reason', args.join(' ')]),
    ]),
    hint: '[reason]',
    isEnabled: ({ led }) => led,
  },
]

function treeOf(dir: string, member: string): string {
  return `${basename(dir)}/${member}`
}

function choosing(what: 'model' | 'mode'): NonNullable<BuiltinCommand['calls']> {
  return ({ dir, member, args }) => [what, dir, ...(args.length === 0 ? [] : [member, ...args])]
}

function local(name: string, does: string, calls: NonNullable<BuiltinCommand['calls']>): BuiltinCommand {
  return { name, kind: 'local', does, calls }
}

/** The built-in commands that can be called now, and behind them the prompts that none of them hides. */
export function commandsNow(prompts: readonly ShownCommand[], standing: Standing): readonly ShownCommand[] {
  const own = builtinCommands.filter(({ isEnabled }) => isEnabled?.(standing) ?? true)
  const names = new Set(builtinCommands.map(({ name }) => name))
  return [...own, ...prompts.filter(({ name }) => !names.has(name))]
}

/** Commands as lines, names in a column. */
export function commandLines(commands: readonly ShownCommand[]): readonly string[] {
  const names = commands.map(({ name, hint }) => `/${name}${hint === undefined ? '' : ` ${hint}`}`)
  const width = Math.min(32, Math.max(...names.map(({ length }) => length)))
  return commands.map(({ does }, n) => `${(names[n] ?? '').padEnd(width)}  ${does}`)
}

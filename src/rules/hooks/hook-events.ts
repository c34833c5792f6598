import type { HookEvent, HookSpec } from '../../protocol/hooks/hook.ts'

/** One event: what its matcher is compared with, and the moment at which Troupe fires it. */
export interface EventTraits {
  /** The value that the matcher of a group is compared with; null where matchers are ignored. */
  readonly matches: string | null
  /** The field of the event that holds this value; of a file its name counts. */
  readonly field?: string
  /** The moment in a run of Troupe; null for an event that never fires here. */
  readonly moment: string | null
  /** Exit code 2 blocks what happens. */
  readonly blockable?: true
  /** The reader of exit code 2's stderr where nothing can be blocked; the person by default. */
  readonly refusal?: 'model' | 'nobody'
  /** Plain text on stdout is told to the model. */
  readonly tells?: true
  /** `systemMessage` and `continue` of an answer are passed over. */
  readonly mute?: true
  /** Seconds of a program, a server or a function, where it is not the usual time. */
  readonly timeout?: number
}

const tool = { matches: 'the name of the tool', field: 'tool_name' } as const

/** Events of a team as a whole are told; the end of a run waits for the hooks that hear of them. */
const told = (matches: string, field: string) => ({ matches, field, timeout: 60 }) as const
const toldAll = { matches: null, timeout: 60 } as const

/** The one table of events. `moment: null` is what `troupe hooks ls` reports as "never fires". */
export const eventTraits: Readonly<Record<HookEvent, EventTraits>> = {
  SessionStart: {
    matches: 'the source: startup, resume or compact',
    field: 'source',
    moment: 'a coordinator begins',
    tells: true,
  },
  Setup: { matches: 'the trigger', field: 'trigger', moment: null },
  InstructionsLoaded: {
    matches: 'the reason: session_start, nested_traversal, path_glob_match or include',
    field: 'load_reason',
    moment: 'files of instructions were told to a member',
    refusal: 'nobody',
    mute: true,
  },
  UserPromptSubmit: {
    matches: null,
    moment: 'before a model reads what a person said',
    blockable: true,
    tells: true,
    timeout: 30,
  },
  UserPromptExpansion: {
    matches: 'the name of the command',
    field: 'command_name',
    moment: 'a command that a person typed becomes words for the model',
    blockable: true,
    tells: true,
  },
  MessageDisplay: {
    matches: null,
    moment: 'a model has answered with words',
    refusal: 'nobody',
    mute: true,
    timeout: 10,
  },
  PreToolUse: { ...tool, moment: 'after a call was checked, before the rules judge it', blockable: true },
  PermissionRequest: { ...tool, moment: 'the rules leave a call open', refusal: 'nobody' },
  PermissionDenied: { ...tool, moment: 'a classifier did not permit a call', refusal: 'nobody' },
  PostToolUse: { ...tool, moment: 'a tool answered', refusal: 'model' },
  PostToolUseFailure: { ...tool, moment: 'a tool failed', refusal: 'model' },
  PostToolBatch: { matches: null, moment: 'all calls of an answer have their results', blockable: true },
  Notification: {
    ...told('the kind of notification', 'notification_type'),
    moment: 'a member needs a permission',
    refusal: 'nobody',
    mute: true,
  },
  SubagentStart: { matches: 'the name of the worker', field: 'agent_type', moment: 'a worker begins' },
  SubagentStop: {
    matches: 'the name of the worker',
    field: 'agent_type',
    moment: 'a worker would end its turn',
    blockable: true,
  },
  TaskCreated: { matches: null, moment: 'a member would create a task of the board', blockable: true },
  TaskCompleted: { matches: null, moment: 'a member would hand a task in', blockable: true },
  Stop: { matches: null, moment: 'a coordinator would end its turn', blockable: true },
  StopFailure: {
    matches: 'the kind of failure',
    field: 'error',
    moment: 'a model call failed for good',
    refusal: 'nobody',
    mute: true,
  },
  TeammateIdle: { matches: null, moment: 'a worker would wait for work', blockable: true },
  ConfigChange: {
    ...told('the source', 'source'),
    moment: 'before a changed settings file counts',
    blockable: true,
    mute: true,
  },
  CwdChanged: { matches: null, moment: 'a shell command went to another directory' },
  DirectoryAdded: {
    ...told('the source: settings', 'source'),
    moment: 'a settings file names another working directory',
    refusal: 'nobody',
  },
  FileChanged: {
    ...told('the name of the file', 'file_path'),
    moment: 'a file that a matcher names came, changed or went',
  },
  WorktreeCreate: { matches: null, moment: 'before the working tree of a member is made', blockable: true, mute: true },
  WorktreeRemove: { ...toldAll, moment: 'the working tree of a member was removed', refusal: 'nobody', mute: true },
  PreCompact: {
    matches: 'the trigger: auto or manual',
    field: 'trigger',
    moment: 'before a conversation is made shorter',
    blockable: true,
    mute: true,
  },
  PostCompact: {
    matches: 'the trigger: auto or manual',
    field: 'trigger',
    moment: 'after a conversation was made shorter',
    mute: true,
  },
  SessionEnd: { matches: 'the reason', field: 'reason', moment: 'a run has ended', mute: true, timeout: 1.5 },
  Elicitation: {
    matches: 'the name of the server',
    field: 'mcp_server_name',
    moment: 'an MCP server has a question for a person',
    blockable: true,
    mute: true,
  },
  ElicitationResult: {
    matches: 'the name of the server',
    field: 'mcp_server_name',
    moment: 'before the answer of a person goes to an MCP server',
    blockable: true,
    mute: true,
  },
  MessageSend: { ...told('the name of the receiver', 'to'), moment: 'mail was sent' },
  MessageDeliver: { ...told('the name of the sender', 'from'), moment: 'mail was read' },
  MessageDead: { ...told('the name of the member', 'member'), moment: 'mail will never be read' },
  WorkerSpawn: { ...told('the name of the worker', 'worker'), moment: 'a worker has started' },
  WorkerExit: { ...told('the name of the worker', 'worker'), moment: 'a worker is gone' },
  GatherDone: { ...toldAll, moment: 'a round of requests is over' },
  BudgetThreshold: { ...told('the unit', 'unit'), moment: 'a budget is nearly used up' },
  RunEnd: { ...told('how it ended', 'status'), moment: 'a run has ended' },
}

/**
 * Says whether a group's matcher covers a value. Without one, or with `*`, it covers all; letters, digits, `_`, `-`, blanks
 * and the separators `|` and `,` are a list of exact names; anything else is a regular expression that may match anywhere.
 *
 * @example coversValue('PreToolUse', 'Edit|Write', 'Write') // true
 */
export function coversValue(event: HookEvent, matcher: string | null, value: string): boolean {
  if (eventTraits[event].matches === null || matcher === null || matcher === '' || matcher === '*') return true
  const names = namesIn(event, matcher)
  if (names !== null) return names.includes(value)
  const expression = expressionOf(matcher)
  return expression !== null && expression.test(value)
}

/** The exact names that a matcher lists; null for one that is a regular expression. */
function namesIn(event: HookEvent, matcher: string): readonly string[] | null {
  const narrow = event === 'StopFailure' || event === 'FileChanged'
  if (narrow) return /^[\w|]*$/.test(matcher) ? matcher.split('|') : null
  return /^[\w ,|-]*$/.test(matcher) ? matcher.split(/[|,]/).map((name) => name.trim()) : null
}

/** The matcher as a regular expression; null when it is none. */
export function expressionOf(matcher: string): RegExp | null {
  try {
    return new RegExp(matcher)
  } catch {
    return null
  }
}

const seconds = 1_000
/** A day: a timer that is set for longer than it can be goes off at once. */
const longest = 86_400
const usual = 600
/** The end of a run waits no longer for hooks that hear of it. */
const atTheEnd = 60
const ofKind: Partial<Record<HookSpec['type'], number>> = { prompt: 30, agent: 60 }

/** `timeoutOf('Stop', { type: 'prompt', … })`: the milliseconds that a hook may take. */
export function timeoutOf(event: HookEvent, { type, timeout }: Pick<HookSpec, 'type' | 'timeout'>): number {
  const wanted = timeout ?? ofKind[type] ?? eventTraits[event].timeout ?? usual
  return Math.min(wanted, event === 'SessionEnd' ? atTheEnd : longest) * seconds
}

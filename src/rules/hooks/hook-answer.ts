import type { HookAnswer, HookDecision, HookEvent, HookPermission } from '../../protocol/hooks/hook.ts'
import { proposalsIn } from './hook-proposals.ts'
import { eventTraits } from './hook-events.ts'

/** The longest text of one hook that a model is told as it is. */
export const maxContext = 10_000

/** No opinion. */
export const silent: HookAnswer = {
  decision: null,
  reason: '',
  blocks: false,
  permission: null,
  context: [],
  notices: [],
  stops: null,
}

/** The remains of a hook: a program its exit code and texts, a server its status and body. */
export interface HookEnding {
  /** Null for a server, whose answer has none. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** How a hook that ended by itself is understood. `failed`: it broke, and has no opinion. */
export interface Understood {
  readonly answer: HookAnswer
  readonly failed: string | null
}

/**
 * Understands the ending of one hook. JSON on stdout counts with every exit code; exit 2 blocks whatever the JSON allows;
 * another code without JSON is a failure that blocks nothing.
 *
 * @example understand('PreToolUse', { code: 2, stdout: '', stderr: 'no' }).answer.blocks // true
 */
export function understand(event: HookEvent, { code, stdout, stderr }: HookEnding): Understood {
  const said = jsonOf(stdout)
  const answer = said === null ? plain(event, stdout, code) : answerOf(event, said)
  const complaint = stderr.trim()
  if (code === 2) return { answer: refused(event, answer, complaint), failed: null }
  if (code === null || code === 0 || said !== null) return { answer, failed: null }
  return { answer: silent, failed: complaint === '' ? `it ended with exit code ${code}` : complaint }
}

/** Exit 2: a block where the event can be blocked, a notice to the person, or a word to the model, elsewhere. */
function refused(event: HookEvent, answer: HookAnswer, complaint: string): HookAnswer {
  const reason = complaint === '' ? answer.reason || 'a hook said no' : complaint
  const { blockable } = eventTraits[event]
  if (blockable) return { ...answer, decision: 'deny', reason, blocks: true, permission: null }
  const unheard = { ...answer, decision: null, blocks: false, permission: null }
  const toModel = event === 'PostToolUse' || event === 'PostToolUseFailure'
  if (toModel) return { ...unheard, context: [...answer.context, reason] }
  return { ...unheard, notices: [...answer.notices, reason] }
}

/** Plain text is told to the model at some events only. */
function plain(event: HookEvent, stdout: string, code: number | null): HookAnswer {
  const text = stdout.trim()
  if (code !== 0 || text === '' || eventTraits[event].tells !== true) return silent
  return { ...silent, context: [text] }
}

function jsonOf(stdout: string): Record<string, unknown> | null {
  const text = stdout.trim()
  if (!text.startsWith('{')) return null
  try {
    const value: unknown = JSON.parse(text)
    return recordOf(value)
  } catch {
    return null
  }
}

function recordOf(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function answerOf(event: HookEvent, said: Record<string, unknown>): HookAnswer {
  const own = specificOf(event, said)
  const legacy = legacyOf(event, said)
  const decision = decisionOf(event, own) ?? legacy
  const blocks = said['decision'] === 'block' || decision === 'deny'
  const context = textOf(own['additionalContext'])
  const notice = textOf(said['systemMessage'])
  const output = own['updatedToolOutput'] ?? own['updatedMCPToolOutput']
  return {
    decision,
    reason: textOf(own['permissionDecisionReason']) || textOf(said['reason']),
    blocks,
    ...(own['updatedInput'] === undefined || event !== 'PreToolUse' ? {} : { updatedInput: own['updatedInput'] }),
    ...(output === undefined ? {} : { updatedOutput: typeof output === 'string' ? output : JSON.stringify(output) }),
    permission: event === 'PermissionRequest' ? permissionOf(own) : null,
    context: context === '' ? [] : [context],
    notices: notice === '' ? [] : [notice],
    stops: said['continue'] === false ? textOf(said['stopReason']) || 'a hook ended the turn' : null,
  }
}

/** The part that belongs to the event; what names another event is not for this one. */
function specificOf(event: HookEvent, said: Record<string, unknown>): Record<string, unknown> {
  const own = recordOf(said['hookSpecificOutput']) ?? {}
  const named = own['hookEventName']
  return named === undefined || named === event ? own : {}
}

const decisions = ['deny', 'defer', 'ask', 'allow'] as const

function decisionOf(event: HookEvent, own: Record<string, unknown>): HookDecision | null {
  if (event !== 'PreToolUse') return null
  return decisions.find((known) => known === own['permissionDecision']) ?? null
}

/** The older answer `decision: "approve" | "block"`; some write "allow". */
function legacyOf(event: HookEvent, said: Record<string, unknown>): HookDecision | null {
  if (event !== 'PreToolUse') return null
  if (said['decision'] === 'block') return 'deny'
  return said['decision'] === 'approve' || said['decision'] === 'allow' ? 'allow' : null
}

function permissionOf(own: Record<string, unknown>): HookPermission | null {
  const decision = recordOf(own['decision'])
  const behavior = decision?.['behavior']
  if (decision === null || (behavior !== 'allow' && behavior !== 'deny')) return null
  return {
    behavior,
    message: textOf(decision['message']),
    interrupt: decision['interrupt'] === true,
    proposals: proposalsIn(decision['updatedPermissions']),
    ...(decision['updatedInput'] === undefined ? {} : { updatedInput: decision['updatedInput'] }),
  }
}

/**
 * Joins the answers of all hooks of one event: deny before defer before ask before allow. A denial is a veto, whatever the
 * others said.
 *
 * @example together([silent]).decision // null
 */
export function together(answers: readonly HookAnswer[]): HookAnswer {
  const decision = decisions.find((known) => answers.some((each) => each.decision === known)) ?? null
  const blocking = answers.filter(({ blocks }) => blocks)
  const speaking = blocking.length > 0 ? blocking : answers.filter((each) => each.decision === decision)
  const reasons = [...new Set(speaking.flatMap(({ reason }) => (reason === '' ? [] : [reason])))]
  const changed = answers.findLast(({ updatedInput }) => updatedInput !== undefined)
  const replaced = answers.findLast(({ updatedOutput }) => updatedOutput !== undefined)
  const permissions = answers.flatMap(({ permission }) => permission ?? [])
  return {
    decision,
    reason: reasons.join('\n'),
    blocks: blocking.length > 0,
    ...(changed === undefined ? {} : { updatedInput: changed.updatedInput }),
    ...(replaced?.updatedOutput === undefined ? {} : { updatedOutput: replaced.updatedOutput }),
    permission: permissions.find(({ behavior }) => behavior === 'deny') ?? permissions[0] ?? null,
    context: answers.flatMap(({ context }) => context),
    notices: answers.flatMap(({ notices }) => notices),
    stops: answers.find(({ stops }) => stops !== null)?.stops ?? null,
  }
}

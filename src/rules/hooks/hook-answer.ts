import type { HookAnswer, HookDecision, HookEvent, HookPermission } from '../../protocol/hooks/hook.ts'
import { readReply, type HookReply } from '../../protocol/hooks/hook-reply.ts'
import { proposalsIn } from './hook-proposals.ts'
import { eventTraits } from './hook-events.ts'

/** The longest text of one hook that a model is told as it is, and how much of a longer one it is shown. */
export const [maxContext, preview] = [10_000, 2_000] as const

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

/** The remains of a hook: a program its exit code and texts, a server its body. */
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
 * another code without JSON, and JSON of another shape, are failures that block nothing.
 *
 * @param rewakes the hook wakes its agent with exit code 2, whatever the event
 * @example understand('PreToolUse', { code: 2, stdout: '', stderr: 'no' }).answer.blocks // true
 */
export function understand(event: HookEvent, ending: HookEnding, rewakes = false): Understood {
  const { code, stdout, stderr } = ending
  if (rewakes && code === 2) {
    const reason = stderr.trim() || stdout.trim() || 'a hook said no'
    return { answer: { ...silent, blocks: true, reason }, failed: null }
  }
  if (event === 'WorktreeCreate') return made(ending)
  const said = jsonOf(stdout)
  const reply = said === null ? null : readReply(event, said)
  const wrong = reply !== null && 'wrong' in reply ? reply.wrong : null
  const answer = reply === null || 'wrong' in reply ? plain(event, stdout, code) : answerOf(event, reply)
  const complaint = stderr.trim()
  if (code === 2) return { answer: refused(event, answer, complaint), failed: null }
  const veto = wrong === null || said === null ? null : vetoIn(said)
  if (veto !== null) return { answer: refused(event, silent, veto), failed: null }
  if (wrong !== null) return { answer: silent, failed: `its answer cannot be used: ${wrong}` }
  if (code === null && said === null && stdout.trim() !== '')
    return { answer: silent, failed: 'the server answered with something else than a JSON object' }
  if (code === null || code === 0 || said !== null) return { answer, failed: null }
  return { answer: silent, failed: complaint === '' ? `it ended with exit code ${code}` : complaint }
}

/** A block counts, however the rest of the answer is written. @returns its reason, or null */
function vetoIn(said: object): string | null {
  const { decision, reason } = said as { readonly decision?: unknown; readonly reason?: unknown }
  if (decision !== 'block') return null
  return typeof reason === 'string' ? reason : ''
}

const [escape, bell] = [27, 7].map((code) => String.fromCharCode(code))
/** Colours and titles that a shell's start-up files print. */
const escapes = new RegExp(`${escape}(?:\\[[0-?]*[ -/]*[@-~]|\\][^${bell}${escape}]*(?:${bell}|${escape}\\\\))`, 'g')

/**
 * Of a program that makes a tree the last line is its path, and every other code than 0 a failure; a server says the path in
 * its answer. No path is a failure, too.
 */
function made({ code, stdout, stderr }: HookEnding): Understood {
  if (code !== null && code !== 0) return { answer: silent, failed: stderr.trim() || `it ended with exit code ${code}` }
  const said = code === null ? readReply('WorktreeCreate', jsonOf(stdout) ?? {}) : null
  if (said !== null && 'wrong' in said) return { answer: silent, failed: `its answer cannot be used: ${said.wrong}` }
  const worktreePath = said === null ? stdout.replaceAll(escapes, '').trim().split('\n').at(-1) : said.own.worktreePath
  if (!worktreePath) return { answer: silent, failed: 'it named no path of a tree' }
  return { answer: { ...silent, own: { worktreePath } }, failed: null }
}

/** Exit 2: a block where the event can be blocked, elsewhere a word to the model, to the person, or to nobody. */
function refused(event: HookEvent, answer: HookAnswer, complaint: string): HookAnswer {
  const { blockable, refusal = 'person' } = eventTraits[event]
  const said = answer.blocks ? answer.reason : ''
  const reason = said || complaint || 'a hook said no'
  if (blockable) return { ...answer, decision: 'deny', reason, blocks: true, own: {} }
  const unheard = { ...answer, decision: null, blocks: false }
  if (refusal === 'model') return { ...unheard, context: [...answer.context, reason] }
  return refusal === 'person' ? { ...unheard, notices: [...answer.notices, reason] } : unheard
}

/** Plain text is told to the model at some events only. */
function plain(event: HookEvent, stdout: string, code: number | null): HookAnswer {
  const text = stdout.trim()
  if (code !== 0 || text === '' || eventTraits[event].tells !== true) return silent
  return { ...silent, context: [text] }
}

function jsonOf(stdout: string): object | null {
  const text = stdout.trim()
  if (!text.startsWith('{')) return null
  try {
    return JSON.parse(text) as object
  } catch {
    return null
  }
}

function answerOf(event: HookEvent, reply: HookReply): HookAnswer {
  const { own, reason = '', systemMessage = '', stopReason = '' } = reply
  const { additionalContext = '', permissionDecision, permissionDecisionReason = '', updatedInput } = own
  const decision = event === 'PreToolUse' ? (permissionDecision ?? legacyOf(reply)) : null
  const isMute = eventTraits[event].mute === true
  return {
    decision,
    reason: permissionDecisionReason || reason,
    blocks: (reply.decision === 'block' && hearsBlocks(event)) || decision === 'deny',
    ...(updatedInput === undefined ? {} : { updatedInput }),
    permission: permissionOf(reply),
    context: additionalContext === '' ? [] : [additionalContext],
    notices: systemMessage === '' || isMute ? [] : [systemMessage],
    stops: reply.continue === false && !isMute ? stopReason || 'a hook ended the turn' : null,
    ...(Object.keys(own).length === 0 ? {} : { own }),
  }
}

/** A block counts at an event that can be blocked, or whose model is told why; elsewhere the word decides nothing. */
function hearsBlocks(event: HookEvent): boolean {
  const { blockable, refusal } = eventTraits[event]
  return blockable === true || refusal === 'model'
}

/** The older answer `decision: "approve" | "block"`. */
function legacyOf({ decision }: HookReply): HookDecision | null {
  if (decision === undefined || decision === null) return null
  return decision === 'block' ? 'deny' : 'allow'
}

function permissionOf({ own: { decision } }: HookReply): HookPermission | null {
  if (decision === undefined) return null
  const { behavior, message = '', interrupt = false, updatedInput, updatedPermissions } = decision
  // The words of a denial mean nothing beside an allow, nor those of an allow beside a denial.
  if (behavior === 'deny') return { behavior, message, interrupt, proposals: [] }
  const proposals = proposalsIn(updatedPermissions)
  return { behavior, message: '', interrupt: false, proposals, ...(updatedInput === undefined ? {} : { updatedInput }) }
}

const decisions = ['deny', 'defer', 'ask', 'allow'] as const

/**
 * Joins the answers of all hooks of one event, those of the strongest source first: deny before defer before ask before allow. A denial is a veto, whatever the
 * others said.
 *
 * @example together([silent]).decision // null
 */
export function together(answers: readonly HookAnswer[]): HookAnswer {
  const decision = decisions.find((known) => answers.some((each) => each.decision === known)) ?? null
  const blocking = answers.filter(({ blocks }) => blocks)
  const speaking = blocking.length > 0 ? blocking : answers.filter((each) => each.decision === decision)
  const reasons = [...new Set(speaking.flatMap(({ reason }) => (reason === '' ? [] : [reason])))]
  const changed = answers.find(({ updatedInput }) => updatedInput !== undefined)
  const permissions = answers.flatMap(({ permission }) => permission ?? [])
  const own = answers.flatMap((each) => each.own ?? [])
  return {
    decision,
    reason: reasons.join('\n'),
    blocks: blocking.length > 0,
    ...(changed === undefined ? {} : { updatedInput: changed.updatedInput }),
    permission: permissions.find(({ behavior }) => behavior === 'deny') ?? permissions[0] ?? null,
    context: answers.flatMap(({ context }) => context),
    notices: answers.flatMap(({ notices }) => notices),
    stops: answers.find(({ stops }) => stops !== null)?.stops ?? null,
    ...(own.length === 0 ? {} : { own: ownTogether(own) }),
  }
}

/** Of each field the strongest source's, which stands first; who refuses to answer a question comes before who answers. */
function ownTogether(own: readonly HookReply['own'][]): HookReply['own'] {
  const first = Object.assign({}, ...own.toReversed()) as HookReply['own']
  const said = own.find(({ action }) => action !== undefined && action !== 'accept') ?? own.find(({ action }) => action)
  const watched = own.flatMap(({ watchPaths = [] }) => watchPaths)
  return {
    ...first,
    ...(said === undefined ? {} : { action: said.action, content: said.content }),
    ...(watched.length === 0 ? {} : { watchPaths: [...new Set(watched)] }),
  }
}

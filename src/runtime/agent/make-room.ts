import { textOf, userMessage, type Message } from '../../protocol/conversation/message.ts'
import type { ModelRequest } from '../../protocol/models/model.ts'
import type { AskInput, CompactInput, CompactOutput } from '../../protocol/port.ts'
import type { CompactionTrigger } from '../../protocol/facts/context-fact.ts'
import { planCompaction, type Compaction } from '../../rules/conversation/compaction.ts'
import { logOf } from '../../rules/conversation/context-window.ts'
import { effectiveWindow, fullnessOf, guessedIn, isInDoubt, tokensIn } from '../../rules/conversation/fullness.ts'
import {
  leftOutText,
  plainSummary,
  recordOf,
  summariserOf,
  summariserPrompt,
  summaryRequest,
  summaryText,
} from '../../rules/conversation/summary-text.ts'
import type { ToolSpec } from '../../protocol/tools/tool.ts'
import type { AgentDeps } from './agent-deps.ts'

/** Tokens of a conversation, and of the window that it has to fit in; null where nobody knows that. */
interface Load {
  readonly tokens: number
  /** The part of them that no model has counted. */
  readonly guessed: number
  readonly effective: number | null
}

/** A conversation comes down to this share of its window, and of its own length when a server or a person asked for it. */
const target = 0.5
/** Tokens of a summary at most, and its share of the window. */
const [longestSummary, summaryShare] = [4_000, 1 / 6]
/** Share of the window that a model is given to summarise. */
const recordShare = 0.7
/** A record of so few characters is no longer than its summary would be. */
const fewChars = 1_000
/** Summaries in a row that no model could write, after which none is asked. */
const mostFailures = 3

/** The dependencies of an agent that making room needs. */
export type RoomDeps = Pick<
  AgentDeps,
  | 'member'
  | 'system'
  | 'prompt'
  | 'conversation'
  | 'pinned'
  | 'standing'
  | 'keep'
  | 'sizes'
  | 'wishes'
  | 'modelOf'
  | 'consult'
  | 'note'
> & { turnTools(): { readonly specs: readonly ToolSpec[] } }

const specChars = new WeakMap<readonly ToolSpec[], number>()

function charsOf(specs: readonly ToolSpec[]): number {
  const known = specChars.get(specs) ?? JSON.stringify(specs).length
  specChars.set(specs, known)
  return known
}

/** The load of the next request to a model. */
export function loadOf(deps: RoomDeps, model: string): Load {
  const { gauge } = deps.conversation
  const fixed =
    gauge.counted === null ? deps.system.length + (deps.prompt?.chars() ?? 0) + charsOf(deps.turnTools().specs) : 0
  const [tokens, guessed] = [tokensIn(gauge, fixed), guessedIn(gauge, fixed)]
  return { tokens, guessed, effective: effectiveWindow(deps.sizes(model), deps.wishes(1).max_tokens) }
}

/** A request that would be sent now. */
interface NextRequest {
  readonly request: () => ModelRequest
  readonly signal: AbortSignal
}

/**
 * Whether a conversation is to be made shorter before a model is asked. Where the guess at its length is close to a bound
 * of the window, the model's server counts it first. The count is journaled, and holds from then on.
 */
export async function isCrowded(
  deps: RoomDeps,
  { turn, model: name }: Pick<AskInput, 'turn' | 'model'>,
  { request, signal }: NextRequest,
): Promise<boolean> {
  if (deps.conversation.wanted !== null) return true
  const sizes = deps.sizes(name)
  if (sizes.window === null) return false
  const model = deps.modelOf(name)
  if (model?.count && isInDoubt(loadOf(deps, name), sizes, deps.wishes(turn).max_tokens)) {
    const tokens = await model.count(request(), signal)
    signal.throwIfAborted()
    if (tokens !== null) deps.note({ type: 'model.counted', turn, model: name, tokens })
  }
  const { tokens, effective } = loadOf(deps, name)
  return fullnessOf(tokens, effective) !== 'fits'
}

/**
 * Makes a conversation shorter as `planCompaction` says. Where words are left out, a model writes a summary of them; where
 * none can, and in an emergency, it is put together from the words themselves. The journal keeps everything. A person's wish
 * that would make it longer, as a summary of a short talk does, changes nothing.
 */
export async function makeRoom(deps: RoomDeps, input: CompactInput, signal: AbortSignal): Promise<CompactOutput> {
  const { conversation } = deps
  const focus = input.focus ?? conversation.wanted
  const model = conversation.gauge.asked
  const load = loadOf(deps, model)
  const trigger = focus === null ? triggerOf(input, load) : 'manual'
  const log = logOf(conversation)
  const goal = { chars: goalOf(deps, load, trigger), pinned: deps.pinned, whole: trigger === 'manual' }
  const plan = planCompaction(log, goal)
  if (plan === null) {
    wishDone(deps)
    return { compacted: false }
  }
  const { summarises, trimmed, dropped, ...cuts } = plan
  const gone = new Set(dropped)
  const old = log.filter(({ id }) => gone.has(id)).map(({ message }) => message)
  const told = summarises ? await summary(deps, { old, trigger, load, focus: focus ?? '' }, signal) : noteOf(old)
  signal.throwIfAborted()
  const lengths = sizes(cuts, told)
  if (trigger === 'manual' && lengths.after >= lengths.before) {
    wishDone(deps)
    return { compacted: false }
  }
  deps.note({ type: 'context.compacted', trigger, trimmed: [...trimmed], dropped: [...dropped], ...lengths })
  return { compacted: true }
}

function sizes(
  { cut, stale, before, after }: Omit<Compaction, 'summarises' | 'trimmed' | 'dropped'>,
  told: Told | null,
) {
  return {
    ...(Object.keys(cut).length > 0 ? { cut: { ...cut } } : {}),
    ...(Object.keys(stale).length > 0
      ? { stale: Object.fromEntries(Object.entries(stale).map(([id, calls]) => [id, [...calls]])) }
      : {}),
    ...told,
    before,
    after: after + (told?.summary.length ?? 0),
  }
}

/** Ends a person's wish for a shorter conversation, where there is one, though nothing was left out. */
export function wishDone({ conversation, note }: Pick<RoomDeps, 'conversation' | 'note'>): void {
  if (conversation.wanted === null) return
  const chars = Math.max(1, conversation.gauge.chars)
  note({ type: 'context.compacted', trigger: 'manual', trimmed: [], dropped: [], before: chars, after: chars })
}

function triggerOf({ trigger }: CompactInput, { tokens, effective }: Load): CompactionTrigger {
  return trigger === 'auto' && fullnessOf(tokens, effective) === 'overfull' ? 'emergency' : trigger
}

function goalOf({ conversation }: RoomDeps, { tokens, effective }: Load, trigger: CompactionTrigger): number {
  const { gauge } = conversation
  const half = tokens * target
  const most = effective === null ? half : effective * target
  const left = trigger === 'auto' || trigger === 'emergency' ? most : Math.min(half, most)
  return Math.max(0, gauge.chars - (tokens - left) / gauge.tokensPerChar)
}

interface Told {
  readonly summary: string
  readonly by?: string
  readonly reason?: string
}

/** Rounds without words need no summary: the calls are named. */
function noteOf(old: readonly Message[]): Told | null {
  return old.length === 0 ? null : { summary: leftOutText(old) }
}

interface Summarised {
  readonly old: readonly Message[]
  readonly trigger: CompactionTrigger
  readonly load: Load
  readonly focus: string
}

async function summary(deps: RoomDeps, asked: Summarised, signal: AbortSignal): Promise<Told> {
  const written = await modelSummary(deps, asked, signal)
  const { tokensPerChar, chars } = deps.conversation.gauge
  const room = Math.min(chars / 4, summaryTokens(asked.load) / tokensPerChar)
  const words = 'words' in written ? written.words : plainSummary(asked.old, Math.floor(room))
  const reason = 'words' in written ? undefined : written.reason
  const told = summaryText({ words, reason, standing: [...deps.standing(), ...(keptIn(deps, asked.old) ?? [])] })
  if ('reason' in written) return { summary: told, by: 'rules', reason: written.reason }
  return { summary: told, ...(written.by === undefined ? {} : { by: written.by }) }
}

/** The place of the whole older part, for looking things up. */
function keptIn({ keep }: RoomDeps, old: readonly Message[]): readonly string[] | null {
  const path = keep(old.map(wholeText).join('\n\n'))
  return path === null ? null : [`The whole older part is in ${path}`]
}

function wholeText(message: Message): string {
  if (message.role === 'tool') return message.results.map((result) => `[${result.tool}]\n${textOf(result)}`).join('\n')
  const calls = message.role === 'assistant' ? message.content.filter(({ type }) => type === 'tool_use') : []
  return [`[${message.role}] ${textOf(message)}`, ...calls.map((call) => JSON.stringify(call))].join('\n')
}

/** `by` is missing where the record is so short that it is its own summary. */
type Written = { readonly words: string; readonly by?: string } | { readonly reason: string }

async function modelSummary(
  deps: RoomDeps,
  { old, trigger, load, focus }: Summarised,
  signal: AbortSignal,
): Promise<Written> {
  const { conversation, member } = deps
  const { asked, tokensPerChar, chars } = conversation.gauge
  const most = load.effective === null ? chars * recordShare : (load.effective * recordShare) / tokensPerChar
  const record = recordOf(old, Math.floor(most))
  if (record.length <= fewChars) return { words: record }
  if (trigger === 'emergency') return { reason: 'the window was full' }
  if (conversation.failures >= mostFailures && trigger !== 'manual') return { reason: 'it had failed several times' }
  const model = deps.modelOf(asked)
  if (model === undefined) return { reason: 'its model cannot be asked' }
  const request = {
    agent: summariserOf(member),
    system: summariserPrompt,
    messages: [userMessage(summaryRequest(record, focus), 'runtime')],
    tools: [],
    max_tokens: summaryTokens(load),
  }
  const message = await deps.consult({ model, request, purpose: 'summary', signal })
  const words = textOf(message).trim()
  if (message.failure === undefined && words !== '') return { words, by: model.name }
  return { reason: message.failure?.message ?? 'the model said nothing' }
}

function summaryTokens({ effective }: Load): number {
  return effective === null ? longestSummary : Math.min(longestSummary, Math.floor(effective * summaryShare))
}

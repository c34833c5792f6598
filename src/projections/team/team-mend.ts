import type { Entry, Recorded } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { Envelope } from '../../protocol/mail/envelope.ts'
import { callsOf, textOf, type ToolUseBlock } from '../../protocol/conversation/message.ts'
import { memberName } from '../../protocol/words/ids.ts'
import { delegatedSchema } from '../../protocol/work/subtasks.ts'
import { attemptOf, planDelegation } from '../../rules/team/delegation-plan.ts'
import { taskBody } from '../../rules/team/task-text.ts'
import { hearing } from '../fold/fold.ts'
import { isUnderWay, type Mended } from './member-mend.ts'

/** The facts of requests that the team's journal lost: what its coordinator handed out, and what was to wait. */
export function requestsMend(
  recorded: readonly Recorded[],
  lead: readonly Entry[],
  handedOut: readonly Envelope[],
): readonly Mended[] {
  const opened = new Set<string>()
  const known = new Set<string>()
  const note = hearing({
    'request.opened': ({ request, mail_id }) => {
      known.add(request)
      opened.add(mail_id)
    },
    'request.held': ({ request }) => void known.add(request),
  })
  for (const each of recorded) note(each)
  const lost = handedOut.filter(({ id, key, request }) => {
    if (request === undefined || opened.has(id) || isUnderWay(key, lead)) return false
    return attemptOf(key) === null || !known.has(request)
  })
  for (const { request } of handedOut) if (request !== undefined) known.add(request)
  return [...lost.map(openedBy), ...heldIn(lead).filter(({ fact }) => !known.has(fact.request))]
}

function openedBy({ id, to, key, body, request = '', returns, sent_at: at }: Envelope): Mended {
  const attempt = attemptOf(key) ?? 1
  const contract = returns === undefined ? {} : { returns }
  const task = { request, worker: memberName(to), task: body, mail_id: id, attempt, deadline: null, ...contract }
  return { at, fact: { type: 'request.opened', ...task } }
}

type Held = Mended & { readonly fact: Extract<Fact, { type: 'request.held' }> }

/** All subtasks of the coordinator's calls that were accepted, as if each had waited. */
function heldIn(entries: readonly Entry[]): readonly Held[] {
  const calls = new Map<string, ToolUseBlock>()
  return entries.flatMap((entry): Held[] => {
    if (entry.type !== 'message.appended') return []
    const { message, at } = entry
    if (message.role === 'assistant') for (const call of callsOf(message)) calls.set(call.id, call)
    if (message.role !== 'tool') return []
    return message.results.flatMap((result) => {
      const call = calls.get(result.call_id)
      return call?.name === 'Delegate' && !result.is_error ? heldBy(call, textOf(result).split('\n'), at) : []
    })
  })
}

/** @param lines of the call's result: the request that each subtask became, in their order */
function heldBy({ id, input }: ToolUseBlock, lines: readonly string[], at: number): readonly Held[] {
  const { data } = delegatedSchema.safeParse(input)
  if (!data) return []
  const plan = planDelegation(data.subtasks, (name) => /^r\d+$/.test(name))
  const requests = lines.map((line) => /^(r\d+) → /.exec(line)?.[1])
  if ('error' in plan) return []
  return data.subtasks.flatMap(({ worker, task, context, returns }, place): Held[] => {
    const request = requests[place]
    const { places, requests: earlier } = plan.needs[place] ?? { places: [], requests: [] }
    if (request === undefined) return []
    const depends_on = [...places.flatMap((needed) => requests[needed] ?? []), ...earlier]
    const held = {
      request,
      worker,
      task: taskBody(task, context),
      depends_on,
      limit_ms: null,
      key: `call:${id}:${place}`,
    }
    return [{ at, fact: { type: 'request.held', ...held, ...(returns === undefined ? {} : { returns }) } }]
  })
}

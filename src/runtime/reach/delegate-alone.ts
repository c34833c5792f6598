import { createHash } from 'node:crypto'
import { answer, complaint } from '../../adapters/tools/define/answer.ts'
import { defineTool } from '../../adapters/tools/define/define-tool.ts'
import { delegate, errandOf } from '../../adapters/tools/team/delegate.ts'
import { promptText } from '../../adapters/tools/prompts/prompt-text.ts'
import type { Contract, OutcomeStatus } from '../../protocol/mail/envelope.ts'
import type { Errand, Tool, ToolContext } from '../../protocol/tools/tool.ts'
import { frameMail } from '../../rules/conversation/mail-frame.ts'
import { planDelegation } from '../../rules/team/delegation-plan.ts'
import { longestResult, taskBody, withResults, type HandedOn } from '../../rules/team/task-text.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { Clock } from '../actors/clock.ts'
import { contractsFlaw } from './contracts-flaw.ts'
import { unknownWorker } from './unknown-names.ts'

/** A piece of work for one worker of a lone agent. */
export interface LonePart {
  readonly worker: string
  /** Where its journal lies, beside its agent's: the same for the same piece of the same call, in this process and the next. */
  readonly folder: string
  readonly prompt: string
  readonly returns: Contract | null
  readonly signal: AbortSignal
}

/** The end of a piece of work. */
export interface PartEnd {
  readonly status: OutcomeStatus
  readonly text: string
}

/** The agent that delegates. */
interface LoneLead {
  readonly name: string
  /** The purpose of each worker, by its name. */
  readonly workers: Readonly<Record<string, { readonly description: string }>>
  /** Why nothing may be delegated at all; null when it may. */
  readonly refusal: string | null
  /** Messages of the conversation so far: a model may give a later call the id of an earlier one. */
  readonly length: () => number
  readonly run: (part: LonePart) => Promise<PartEnd>
  readonly clock: Clock
}

/**
 * `Delegate` for an agent outside of any team: the pieces run as agents of their own, side by side or one after the other, and
 * the call returns their results. They end with the call.
 */
export function delegateAlone(lead: LoneLead): Tool {
  const names = Object.keys(lead.workers)
  const workers = names.map((name) => `- ${name}: ${lead.workers[name]?.description}`).join('\n')
  return defineTool({
    name: delegate.name,
    description: promptText('delegate-alone', { workers }),
    input: delegate.input,
    effect: 'team',
    isDestructive: () => false,
    timeout: null,
    maxResultChars: Infinity,
    async run({ subtasks }, context) {
      const errands = subtasks.map(errandOf)
      const plan = planDelegation(errands, () => false)
      const unknown = errands.find(({ worker }) => !names.includes(worker))
      const problem =
        lead.refusal ??
        (unknown && unknownWorker(unknown.worker, names)) ??
        ('error' in plan ? plan.error : await contractsFlaw(errands))
      if (problem !== null || 'error' in plan) return complaint(`Not delegated: ${problem}`)
      const ends: Promise<PartEnd>[] = []
      const begin = (place: number): Promise<PartEnd> => (ends[place] ??= runOne(place))
      const runOne = async (place: number): Promise<PartEnd> => {
        const errand = errands[place] as Errand
        const needed = plan.needs[place]?.places ?? []
        const results = await Promise.all(needed.map(async (one) => handedOn(lead, errands[one], await begin(one))))
        return runPart(lead, { errand, place, context, results })
      }
      const all = await Promise.all(errands.map((_, place) => begin(place)))
      return answer(all.map((end, place) => framed(lead, errands[place], end)).join('\n\n'))
    },
  })
}

interface Begun {
  readonly errand: Errand
  readonly place: number
  readonly context: ToolContext
  /** The results that it builds on. */
  readonly results: readonly HandedOn[]
}

async function runPart(lead: LoneLead, { errand, place, context, results }: Begun): Promise<PartEnd> {
  const { worker, task, context: facts, returns = null, deadlineMs } = errand
  const undone = results.find(({ status }) => status !== 'done')
  if (undone) return { status: 'cancelled', text: `What it builds on was not done (${undone.from}).` }
  const hash = createHash('sha256').update(`${context.callId} ${place} ${lead.length()}`).digest('hex').slice(0, 12)
  const late = new AbortController()
  const timer = deadlineMs === undefined ? null : lead.clock.setTimeout(() => late.abort(), deadlineMs)
  try {
    const prompt = withResults(taskBody(task, facts), results, longestResult)
    const signal = AbortSignal.any([context.signal, late.signal])
    const end = await lead.run({ worker, folder: `${worker}-${hash}`, prompt, returns, signal })
    return late.signal.aborted ? { status: 'failed', text: `Not done in time. Last words:\n${end.text}` } : end
  } finally {
    lead.clock.clearTimeout(timer)
  }
}

function handedOn({ name }: LoneLead, { worker = '' }: Partial<Errand> = {}, { status, text }: PartEnd): HandedOn {
  return { from: agentId(worker, name), status, body: text }
}

/** A result as the agent reads it: in a sub-agent's voice, which has the least trust. */
function framed(lead: LoneLead, errand: Errand | undefined, end: PartEnd): string {
  const { from, status, body } = handedOn(lead, errand, end)
  return frameMail({ from, kind: 'result', id: from, body, ...(status && { status }) })
}

import { setImmediate as breath } from 'node:timers/promises'
import { SimulatedClock, type AnyActor, type InspectionEvent } from 'xstate'
import type { MemberInput } from '../../../machines/member/member.ts'
import type { ChartStep } from '../../protocol/words/chart.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { Clock } from '../actors/clock.ts'
import { spawnRoot } from '../actors/spawn.ts'
import { agentMove, parkedMove } from './infer-agent.ts'
import { callMove } from './infer-call.ts'
import { lifeMove, restMove } from './infer-member.ts'
import { askingMember, openPorts, type PortQuestion, type ReplayedMachines } from './port-questions.ts'
import { replayedMember, type Move, type ReplayedMember } from './replayed-member.ts'
import type { Difference } from './difference.ts'
import { openTape } from './tape.ts'

export interface ReplayedLife {
  readonly transitions: readonly ChartStep[]
  readonly difference: Difference | null
}

/** How many moves may follow each other without a fact. */
const patience = 100

/**
 * Runs the machines of one life of a member again. Every port is answered, and everything told to the member is told, as the
 * facts that follow in the journal show.
 * @param entries the life's, from `member.started` on
 */
export async function replayLife(
  entries: readonly Entry[],
  input: MemberInput,
  machines: ReplayedMachines = {},
): Promise<ReplayedLife> {
  const tape = openTape(entries)
  const transitions: ChartStep[] = []
  let difference: Difference | null = null
  const clock = replayClock(entries[0]?.at ?? 0)
  let desk: ReadonlySet<PortQuestion> = new Set()
  const actor = spawnRoot<ReturnType<typeof askingMember>>(askingMember(machines), input, {
    id: input.name,
    clock,
    bind: (root) => void (desk = openPorts(root)),
    watch: (inspection) => transitions.push(...stepsIn(inspection, tape.next() ?? entries.at(-1))),
    record: (facts) => void (difference ??= tape.take(facts)),
    crashed: (error) => void (difference ??= { ...tape.stuck(), field: `the member crashed: ${errorText(error)}` }),
  })
  const farewell = entries.findLast((entry) => entry.type === 'member.gone')?.reason ?? null
  const member = replayedMember(actor, { tape, farewell, at: clock.now() })
  await breath()
  let [passed, idle] = [tape.passed(), 0]
  while (difference === null && !tape.isOver()) {
    const move = nextMove(member, desk) ?? (clock.isWaiting() ? clock.pass : null)
    if (move === null || idle > patience) {
      difference = tape.stuck()
      break
    }
    move()
    await breath()
    idle = tape.passed() === passed ? idle + 1 : 0
    passed = tape.passed()
  }
  actor.stop()
  return { transitions, difference }
}

const ofLife: ReadonlySet<string> = new Set(['open', 'unread', 'reply', 'close'])
const ofAgent: ReadonlySet<string> = new Set(['intake', 'ask', 'compact', 'stopHooks', 'stopFailure'])

/** The question that the next fact is about, with its answer. */
function nextMove(member: ReplayedMember, desk: ReadonlySet<PortQuestion>): Move | null {
  const open = [...desk]
  for (const question of open) if (isOfLife(question)) return lifeMove(member, question)
  for (const question of open) if (isOfAgent(question)) return agentMove(member, question)
  if (open.length > 0) return answerOfCalls(member, open)
  const place = JSON.stringify(member.agent()?.place ?? member.place())
  if (place.includes('parked')) return parkedMove(member)
  return place.includes('idle') ? restMove(member) : null
}

function answerOfCalls(member: ReplayedMember, open: readonly PortQuestion[]): Move | null {
  const next = member.tape.next()
  const id = next !== undefined && 'call_id' in next ? next.call_id : null
  const calls = open.filter((question) => isOfCall(question))
  const own = calls.find((question) => question.input.call.id === id)
  return own === undefined ? null : callMove(member, own)
}

type OfCall = Parameters<typeof callMove>[1]

function isOfLife(question: PortQuestion): question is Parameters<typeof lifeMove>[1] {
  return ofLife.has(question.name)
}

function isOfAgent(question: PortQuestion): question is Parameters<typeof agentMove>[1] {
  return ofAgent.has(question.name)
}

function isOfCall(question: PortQuestion): question is OfCall {
  return !isOfLife(question) && !isOfAgent(question)
}

/** Time that passes only when a machine waits for nothing else. */
function replayClock(start: number): Clock & { isWaiting(): boolean; pass(): void } {
  const clock = new SimulatedClock()
  const waiting = new Map<unknown, number>()
  clock.set(start)
  return {
    now: () => clock.now(),
    mint: () => '',
    setTimeout(fn, ms) {
      const id = clock.setTimeout(() => {
        waiting.delete(id)
        fn()
      }, ms)
      waiting.set(id, ms)
      return id
    },
    clearTimeout(id) {
      waiting.delete(id)
      clock.clearTimeout(id as number)
    },
    isWaiting: () => waiting.size > 0,
    pass: () => clock.increment(Math.min(...waiting.values())),
  }
}

/** The step that an inspection tells of, if it does; `next` is the entry that the machines state from there on. */
export function stepsIn(inspection: InspectionEvent, next: Entry | undefined): readonly ChartStep[] {
  if (inspection.type !== '@xstate.microstep' || inspection._transitions.length === 0) return []
  const actor = inspection.actorRef as AnyActor
  const { value } = inspection.snapshot as { readonly value?: unknown }
  if (value === undefined) return []
  const { id: chart } = actor.logic as { readonly id?: string }
  const place = { entry: next?.id ?? null, at: next?.at ?? null }
  return [{ actor: actor.id, chart: chart ?? '', event: inspection.event.type, to: value, ...place }]
}

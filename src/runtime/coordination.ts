import { holdsLead, toolsNow, type coordinatorMachine } from '../../machines/coordinator.ts'
import type { Fact } from '../protocol/fact.ts'
import { agentId } from '../protocol/ids.ts'
import type { RedelegateInput, RedelegateOutput } from '../protocol/port.ts'
import { gatherNote, type Gap } from '../rules/gather-note.ts'
import { toolAbsence } from '../rules/coordinator-tools.ts'
import type { EntryOf } from '../projections/fold.ts'
import type { Gate } from './member-world.ts'
import { spawnRoot, tell } from './spawn.ts'
import type { LocalMember } from './start-member.ts'
import { provideCoordinator } from './team-ports.ts'
import type { TeamScene } from './team-scene.ts'
import { turnToolSets } from './turn-tools.ts'

/** The coordinator machine of one run, with the questions that the lead's surroundings ask it. */
export interface Coordination {
  send(event: Parameters<ReturnType<typeof startMachine>['send']>[0]): void
  readonly gate: Gate
  /** Ids of requests without a result, of one worker or of all. */
  open(worker?: string): readonly string[]
  /** What the lead is told when a round ended with gaps, or null. */
  note(settled: EntryOf<'gather.settled'>): string | null
  nextRequest(): string
}

/** What the coordinator is tied to; `lead` is asked for only when a task has to be sent again. */
export interface CoordinationTies {
  record(fact: Fact): void
  crashed(error: unknown): void
  lead(): LocalMember
}

/** Starts the coordinator as a root actor. */
export function startCoordination(scene: TeamScene, ties: CoordinationTies): Coordination {
  const actor = startMachine(scene, ties)
  const state = () => actor.getSnapshot()
  const sets = turnToolSets((name) => {
    const { value } = state()
    return value === 'ended' ? null : toolAbsence(value, name)
  })
  const book = (): readonly Gap[] =>
    Object.values(state().context.book).map(({ request, worker, status }) => ({ request, worker, status }))
  return {
    send: (event) => tell(actor, event),
    gate: { hold: () => holdsLead(state()), turnTools: () => sets(toolsNow(state())) },
    open: (worker) =>
      book()
        .filter(({ status, worker: asked }) => status === 'open' && (worker === undefined || worker === asked))
        .map(({ request }) => request),
    note: ({ why }) => gatherNote(why, book()),
    nextRequest: () => `r${book().length + 1}`,
  }
}

function startMachine(scene: TeamScene, { record, crashed, lead }: CoordinationTies) {
  const { team, clock } = scene
  const card = team.members.find(({ name }) => name === team.coordinator)
  const input = { lead: team.coordinator, policy: team.gather, partition: team.partition, domain: card?.tools ?? [] }
  const machine = provideCoordinator((again) => sendAgain(scene, lead(), again))
  return spawnRoot<typeof coordinatorMachine>(machine, input, { id: 'coordinator', clock, record, crashed })
}

function sendAgain(scene: TeamScene, lead: LocalMember, again: RedelegateInput): RedelegateOutput {
  const { request, worker, task, attempt } = again
  const to = agentId(worker, scene.team.name)
  const sent = lead.send({ to, kind: 'task', body: task, request, key: `again:${request}:${attempt}` })
  if (!sent.ok) throw new Error(sent.error)
  return { mail_id: sent.envelope.id }
}

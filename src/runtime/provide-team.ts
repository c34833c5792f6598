import type { TeamEvent, TeamOutput } from '../../machines/team.ts'
import { inProcessExecutor } from '../adapters/executors/in-process.ts'
import { spendingFold } from '../projections/spending.ts'
import { answerFold } from '../projections/answer.ts'
import type { Fact } from '../protocol/fact.ts'
import { userMessage } from '../protocol/message.ts'
import { nudgeText } from '../rules/nudge-text.ts'
import { startCoordination } from './coordination.ts'
import { journalWarnings } from './journal-warnings.ts'
import { deadResults, deadResultText, type DeadResult } from './dead-results.ts'
import { openLedger, type Ledger } from './ledger.ts'
import { openOwned } from './owned-journal.ts'
import { spawnRoot, tell } from './spawn.ts'
import { bringOn, livingMember, survey, type Stage } from './stage.ts'
import type { LocalMember } from './start-member.ts'
import { provideTeam, type TeamActs } from './team-ports.ts'
import { routeFact, type Hearers } from './team-routes.ts'
import { watchBoxes } from './watch-boxes.ts'
import type { TeamScene } from './team-scene.ts'

/** Crashes of one member that a minute may see before it is given up. */
const intensity = { max: 3, within_ms: 60_000 }

/** A team that has been started. */
export interface RunningTeam {
  abort(): void
  readonly ended: Promise<TeamOutput>
}

/**
 * The composition root of a team in its leader's process: team and coordinator machines as root actors, the
 * executor for the members, and the routes between them. It holds the wires and decides nothing.
 */
export function startTeam(scene: TeamScene, task: string): RunningTeam {
  const { team, clock, run, facts } = scene
  const ended = Promise.withResolvers<TeamOutput>()
  const ledger = openTeamLedger(scene)
  ledger.record([{ type: 'team.started', run: run.id, team: team.name, hash: team.hash, task }])
  const birth = { clock, record: (fact: Fact) => ledger.record([fact]), crashed: ended.reject }

  const members: Stage['members'] = new Map()
  const lead = (): LocalMember => livingMember({ members }, team.coordinator)
  const coordination = startCoordination(scene, { ...birth, lead })
  const tellTeam = (event: TeamEvent): void => tell(actor, event)
  const stage: Stage = { scene, members, ledger, coordination, tellTeam }
  const actor = spawnRoot(provideTeam(actsOf(stage, task)), teamInput(scene), { ...birth, id: 'team' })

  const hearers = hearersOf(stage)
  const deafen = facts.subscribe((recorded) => routeFact(hearers, recorded))
  facts.subscribe(deadResults((dead) => escalate(stage, dead)))
  const unwatch = watchFor(scene, tellTeam, ledger)
  void ended.promise.then(unwatch, unwatch)
  actor.subscribe({
    complete() {
      deafen()
      coordination.send({ type: 'end', at: clock.now() })
      ledger.close()
      ended.resolve(actor.getSnapshot().output as TeamOutput)
    },
  })
  tellTeam({ type: 'start', at: clock.now() })
  return { abort: () => tellTeam({ type: 'abort', at: clock.now() }), ended: ended.promise }
}

/** The coordinator hears of a result that will never come: as the end of its request, and in words. */
function escalate({ scene, members, coordination }: Stage, dead: DeadResult): void {
  const lead = members.get(scene.team.coordinator)
  lead?.record([{ type: 'message.appended', message: userMessage(deadResultText(dead), 'runtime') }])
  const { request } = dead.envelope
  const { reason, at } = dead.died
  if (request !== undefined) coordination.send({ type: 'result.received', request, status: 'failed', reason, at })
  lead?.wake()
}

/** Mail from other processes rings like mail from inside, and starts whom it is for. */
function watchFor(scene: TeamScene, tellTeam: Stage['tellTeam'], ledger: Ledger): () => void {
  const { doorbell, clock } = scene
  return watchBoxes(scene, {
    rang(name, { priority }) {
      doorbell.ring(name, priority)
      tellTeam({ type: 'member.addressed', member: name, at: clock.now() })
    },
    warn: (code, message) => ledger.record([{ type: 'warning.raised', code, message }]),
  })
}

/** A second leader is refused here, before it did anything. */
function openTeamLedger(scene: TeamScene): Ledger {
  const { clock, facts } = scene
  const { journal, entries, problems } = openOwned(scene, { owner: 'team', incarnation: clock.mint() })
  const ledger = openLedger({ owner: 'team', log: journal, earlier: entries, folds: [], publish: facts.publish })
  ledger.record(journalWarnings('team', problems))
  return ledger
}

function teamInput({ team, clock }: TeamScene) {
  const { minutes } = team.budget
  return {
    members: team.members.map(({ name, restart }) => ({ name, restart })),
    coordinator: team.coordinator,
    intensity,
    deadline: minutes === undefined ? null : clock.now() + minutes * 60_000,
  }
}

function actsOf(stage: Stage, task: string): TeamActs {
  const { team, run, facts } = stage.scene
  const executor = inProcessExecutor(({ member }) => bringOn(stage, member))
  const answer = answerFold(team.coordinator)
  facts.subscribe(answer.apply)
  return {
    async spawn({ member, attempt }) {
      await executor.spawn({ member, attempt, runDir: run.dir })
      if (member === team.coordinator && attempt === 1) livingMember(stage, member).prompt(userMessage(task))
    },
    async terminate({ member, reason }) {
      await executor.terminate(member, reason)
    },
    survey: () => survey(stage),
    nudge: ({ open }) => livingMember(stage, team.coordinator).prompt(userMessage(nudgeText(open), 'runtime')),
    answer: answer.answer,
  }
}

function hearersOf(stage: Stage): Hearers {
  const { scene, coordination, tellTeam } = stage
  return {
    lead: scene.team.coordinator,
    team: tellTeam,
    coordinator: coordination.send,
    limitBroken: spendingFold(scene.team.budget).apply,
    wakeLead(settled) {
      const lead = livingMember(stage, scene.team.coordinator)
      const note = coordination.note(settled)
      if (note !== null) lead.record([{ type: 'message.appended', message: userMessage(note, 'runtime') }])
      lead.wake()
    },
  }
}

import { assign, emit, enqueueActions, setup, type NonReducibleUnknown } from 'xstate'
import { errorText } from '../../src/protocol/words/error-text.ts'
import type { FactOf, RunStatus } from '../../src/protocol/facts/fact.ts'
import type { Millis } from '../../src/protocol/words/ids.ts'
import type { CollectOutput, NudgeInput, SpawnInput, Survey, TerminateInput } from '../../src/protocol/port.ts'
import type { RestartKind } from '../../src/protocol/team/team-card.ts'
import type { BudgetUnit } from '../../src/rules/team/call-budget.ts'
import type { SpawnBounds } from '../../src/rules/team/spawn-guard.ts'
import { delayUntil } from '../actors/alarm.ts'
import {
  hasStopped,
  isCounted,
  isLeaving,
  isRunning,
  nextLife,
  type Intensity,
  type Life,
  type Lives,
  type LifeStep,
  type News,
} from './lives.ts'
import { gated, type SpawnGate } from './spawn-gate.ts'
import { port } from '../actors/port.ts'
import { judgeQuiet, surveyTells, unheard } from './quiet.ts'
import { lifePortOf, memberOf, newsOf, portId, statusAfterLead, type AnyTeamEvent } from './team-event.ts'

export interface TeamInput {
  readonly members: readonly { readonly name: string; readonly restart: RestartKind }[]
  readonly coordinator: string
  readonly intensity: Intensity
  /** When the run ends at the latest. */
  readonly deadline: Millis | null
  /** Limits on the starting of members. */
  readonly bounds?: SpawnBounds
  /** The state of the team as an earlier leader of this run left it. */
  readonly earlier?: EarlierTeam
}

export interface EarlierTeam {
  /** Of those who were ever started. */
  readonly lives: Lives
  /** Members that were running: each is started again, or found alive. */
  readonly recalled: readonly string[]
  readonly nudged: boolean
  /** The limit of the team's budget that has cut work short. */
  readonly spent: BudgetUnit | null
}

export interface TeamOutput {
  readonly status: RunStatus
  readonly reason: string
  readonly result: string | null
  /** Texts of the lead after its answer. */
  readonly afterwards: readonly string[]
}

type TeamEnd = Pick<TeamOutput, 'status' | 'reason'>

export interface TeamContext extends Pick<TeamInput, 'intensity' | 'deadline'>, SpawnGate, TeamOutput {
  /** Members that are started with the lead. */
  readonly recalled: readonly string[]
  readonly nudged: boolean
  /** True when an event came after the latest survey began. */
  readonly stale: boolean
  /** Open work that the lead is to be reminded of. */
  readonly open: readonly string[]
  /** Members that are still to leave before the run is over. */
  readonly leaving: readonly string[]
}

/** The lead and all who are taken up again are addressed. */
export function recallNews({ coordinator, recalled }: TeamContext, at: Millis): readonly News[] {
  return [...new Set([coordinator, ...recalled])].map((member) => ({ member, what: 'addressed', at, recalled: true }))
}

/** Mail whose news was lost on its way. */
export function unheardNews({ lives, coordinator }: TeamContext, survey: Survey): readonly News[] {
  return unheard(lives, survey).map((member) => ({ member, what: 'addressed', at: lives[coordinator]?.at ?? 0 }))
}

const stepOf = (context: TeamContext, news: News): LifeStep | null => {
  const life = context.lives[news.member]
  return life ? gated(context, life, { news, step: nextLife(life, news, context.intensity) }) : null
}

/** Failures of a lead that had something to say before. */
const spoken: ReadonlySet<string> = new Set(['cut', 'no_answer', 'stalled'])

/** When members were started before this leader came: long enough ago to count only as starts. */
export function earlierStarts(earlier: EarlierTeam | undefined): readonly Millis[] {
  const starts = Object.values(earlier?.lives ?? {}).reduce((sum, { attempt }) => sum + attempt, 0)
  return Array.from<Millis>({ length: starts }).fill(-Infinity)
}

const spawnedFact = ({ name, attempt, depth }: Life): FactOf<'member.spawned'> => ({
  type: 'member.spawned',
  member: name,
  attempt,
  ...(depth > 1 ? { depth } : {}),
})

function spawnInput({ name, attempt, fresh, restarted }: Life): SpawnInput {
  return { member: name, attempt, ...(fresh && { fresh: true }), ...(restarted && { restarted: true }) }
}

/** The end of a stop; what does not run is stopped by whoever says so. */
const stoppedFact = ({ stop }: Life, { member, what, by = '', reason = '' }: News): FactOf<'member.stopped'> => ({
  type: 'member.stopped',
  member,
  by: stop && what !== 'stop' ? stop.by : by,
  reason: stop && what !== 'stop' ? stop.reason : reason,
  ...(what === 'crashed' && { forced: true as const }),
})

type LifeFact = FactOf<
  | 'member.spawned'
  | 'member.refused'
  | 'member.crashed'
  | 'member.lost'
  | 'stop.asked'
  | 'stop.refused'
  | 'member.stopped'
  | 'member.restarted'
>

/** The facts in a step of a life. A stop may be over without any change of it. */
function factsIn(before: Life, step: LifeStep, news: News): readonly LifeFact[] {
  const { life, act, refusal } = step
  const { member, what, reason = '' } = news
  const facts: LifeFact[] = []
  if (hasStopped(before, step, what)) facts.push(stoppedFact(before, news))
  if (life === before) return facts
  if (what === 'restart') facts.push({ type: 'member.restarted', member, by: news.by ?? '' })
  if (what === 'crashed' && before.stop === null && before.state !== 'restarting')
    facts.push({ type: 'member.crashed', member, error: reason })
  if (refusal) facts.push({ type: 'member.refused', member, limit: refusal.limit, reason: refusal.reason })
  if (act === 'mourn') facts.push({ type: 'member.lost', member, reason })
  if (what === 'stays') facts.push({ type: 'stop.refused', member, reason })
  if (act === 'ask' && life.stop) facts.push({ type: 'stop.asked', member, ...life.stop })
  if (act === 'spawn') facts.push(spawnedFact(life))
  return facts
}

/** The words of the team machine: its ports, questions and acts. `team.ts` says when each is used. */
export const teamSetup = setup({
  types: {
    context: {} as TeamContext,
    events: {} as AnyTeamEvent,
    input: {} as TeamInput,
    output: {} as TeamOutput,
    emitted: {} as LifeFact | FactOf<'lead.nudged' | 'team.ended' | 'warning.raised'>,
  },
  actors: {
    spawnMember: port<void, SpawnInput>('spawnMember'),
    terminateMember: port<void, TerminateInput>('terminateMember'),
    survey: port<Survey, NonReducibleUnknown>('survey'),
    nudgeLead: port<void, NudgeInput>('nudgeLead'),
    collect: port<CollectOutput, NonReducibleUnknown>('collect'),
  },
  guards: {
    losesTheLead: ({ context, event }) =>
      newsOf(context.lives, event)
        .map((news) => stepOf(context, news)?.life)
        .some((life) => life?.name === context.coordinator && !isCounted(life)),
    isAboutTheLead: ({ context, event }) => memberOf(context.lives, event) === context.coordinator,
    leadIsStarted: ({ context }) => context.lives[context.coordinator]?.state === 'living',
    leadIsFinished: ({ event }) =>
      event.type === 'lead.ended' && statusAfterLead(event.reason, event.refused === true) === null,
    isCutShort: ({ context }) => context.spent !== null,
    mustSurvey: ({ context }) => context.stale && surveyTells(context.lives),
    isFinished: ({ context }, survey: Survey) => judgeQuiet(context, survey) === 'finished',
    isStuck: ({ context }, survey: Survey) => judgeQuiet(context, survey) === 'nudge',
    hasStalled: ({ context }, survey: Survey) => judgeQuiet(context, survey) === 'stalled',
    isEmpty: ({ context }) => context.leaving.length === 0,
    /** The lead came to an end of its own, or was given the time to report. */
    hasReport: ({ context: { leaving, status, reason } }) =>
      leaving.length === 0 && (status === 'completed' || status === 'budget' || spoken.has(reason)),
  },
  actions: {
    setAlarm: enqueueActions(({ context: { deadline }, event, enqueue }) => {
      if (event.type !== 'start' || deadline === null) return
      enqueue.raise({ type: 'deadline.passed', at: deadline }, { delay: delayUntil(deadline, event.at) })
    }),
    /** Applies news (that of the event, where none is given) to the lives it is about, and does what each asks for. */
    live: enqueueActions(({ context, event, enqueue }, given: { news: readonly News[] } | undefined) => {
      let { lives, starts, resting } = context
      for (const each of given?.news ?? newsOf(context.lives, event)) {
        const { member, what, at, reason = '' } = each
        const before = lives[member]
        const step = stepOf({ ...context, lives, starts, resting }, each)
        if (!before || !step || (before.state === 'lost' && what !== 'stop' && what !== 'restart')) {
          enqueue.emit({
            type: 'warning.raised',
            code: 'member_absent',
            message: `${member} is lost or unknown (${what})`,
          })
          continue
        }
        const { life, act, delay_ms: delay = 0 } = step
        for (const fact of factsIn(before, step, each)) enqueue.emit(fact)
        if (life === before) continue
        lives = { ...lives, [member]: life }
        if (before.state === 'spawning') enqueue.stopChild(portId(lives, 'spawn', member))
        if (isLeaving(before) && !isLeaving(life)) enqueue.stopChild(portId(lives, 'terminate', member))
        if (act === 'ask') enqueue.raise({ type: 'member.overdue', member, at: at + delay }, { delay })
        if (act === 'terminate' || act === 'cut') {
          const input = { member, reason: life.stop?.reason ?? reason, ...(act === 'cut' && { cut: true as const }) }
          enqueue.spawnChild('terminateMember', { id: portId(lives, 'terminate', member), input })
        }
        if (act === 'delay') {
          enqueue.raise({ type: 'member.due', member, attempt: life.attempt, at: at + delay }, { delay })
        }
        if (act === 'spawn') {
          starts = [...starts, at]
          resting = resting.filter((name) => name !== member)
          enqueue.spawnChild('spawnMember', { id: portId(lives, 'spawn', member), input: spawnInput(life) })
        }
      }
      if (lives !== context.lives) enqueue.assign({ lives, starts, resting, stale: true })
    }),
    /** Members at work are known only where a limit asks for them. */
    noteRest: assign({
      resting: ({ context: { bounds, resting }, event }) => {
        if (bounds.concurrency === undefined || !('member' in event)) return resting
        const others = resting.filter((name) => name !== event.member)
        return event.type === 'member.idled' ? [...others, event.member] : others
      },
    }),
    markSpent: assign({
      spent: ({ context, event }) => (event.type === 'budget.spent' ? (context.spent ?? event.what) : context.spent),
    }),
    markStale: assign({ stale: true }),
    markFresh: assign({ stale: false }),
    remember: assign({ nudged: true, open: (_, { open }: Survey) => open }),
    stateNudge: emit(({ context }) => ({ type: 'lead.nudged' as const, open: [...context.open] })),
    end: assign((_, end: TeamEnd) => end),
    /** A run in which work was not done for want of budget has not completed, whatever its lead says. */
    endQuiet: assign(({ context: { spent } }, end: TeamEnd) =>
      spent === null ? end : { status: 'budget' as const, reason: spent },
    ),
    endWithoutLead: assign({ status: 'failed', reason: 'lead_lost' }),
    /** The run fails because it could not be led: the port that rejected is named. */
    endUnled: assign(({ event }) => ({
      status: 'failed' as const,
      reason: 'error' in event && 'actorId' in event ? `${event.actorId}: ${errorText(event.error)}` : 'not led',
    })),
    terminateAll: enqueueActions(({ context, enqueue }) => {
      const { lives, reason } = context
      const alive = Object.values(lives).filter(isRunning)
      enqueue.assign({ leaving: alive.map(({ name }) => name) })
      for (const life of alive) {
        const { name: member, state } = life
        if (state === 'spawning') enqueue.stopChild(portId(lives, 'spawn', member))
        if (isLeaving(life)) continue
        enqueue.spawnChild('terminateMember', { id: portId(lives, 'terminate', member), input: { member, reason } })
      }
    }),
    letGo: enqueueActions(({ context, event, enqueue }) => {
      const { lives } = context
      const member = memberOf(lives, event)
      if (!context.leaving.includes(member) || lifePortOf(event) === 'spawn') return
      if (event.type === 'member.crashed') enqueue.emit({ type: 'member.crashed', member, error: event.error })
      enqueue.stopChild(portId(lives, 'terminate', member))
      enqueue.assign({ leaving: context.leaving.filter((name) => name !== member) })
    }),
    warnOfTermination: enqueueActions(({ context, event, enqueue }) => {
      if (!('error' in event) || lifePortOf(event) !== 'terminate') return
      const message = `${memberOf(context.lives, event)} was not terminated: ${errorText(event.error)}`
      enqueue.emit({ type: 'warning.raised', code: 'terminate_failed', message })
    }),
    /** A run that its lead brought to an end may have a flaw that makes it no success. */
    keepResult: assign(({ context: { status } }, { result, afterwards = [], flaw }: CollectOutput) =>
      status === 'completed' && flaw ? { result, afterwards, ...flaw } : { result, afterwards },
    ),
    stateEnd: emit(({ context: { status, reason, result, afterwards } }) => ({
      type: 'team.ended' as const,
      status,
      reason,
      result,
      ...(afterwards.length === 0 ? {} : { afterwards: [...afterwards] }),
    })),
  },
})

import { setTimeout as pause } from 'node:timers/promises'
import type { Recorded } from '../../../../protocol/facts/entry.ts'
import { leaderName } from '../../../../protocol/words/ids.ts'
import { replayRun, type LifeReport, type RunReplay } from '../../../../runtime/replay/replay-run.ts'
import { lastFactBy, noMomentText } from '../../../../runtime/replay/last-fact.ts'
import { systemClock } from '../../../../runtime/actors/clock.ts'
import { recordOfRun } from '../../../../runtime/runs/read-runs.ts'
import { jsonText, plainText } from '../../../text/plain-text.ts'
import { paintFor } from '../../../text/theme.ts'
import { exitCodes, type ExitCode } from '../../host/exit-codes.ts'
import { print, printEither, type Flags, type Host, type Values } from '../../host/host.ts'
import { UserError } from '../../host/user-error.ts'
import { runDirectoryOf, type RunChoice } from '../../runs/run-choice.ts'
import { table } from '../../text/table.ts'
import { transcriber } from '../../text/transcript-text.ts'

export type ReplayCommandOptions = RunChoice &
  Flags<'transitions' | 'attach' | 'dashboard'> &
  Values<'until'> &
  Values<'speed', number>

/** Replays a run and says whether its machines do again what the journals say; with `--speed` prints the run meanwhile. */
export async function replay(run: string | undefined, options: ReplayCommandOptions, host: Host): Promise<ExitCode> {
  const { until, speed, attach = false, dashboard = false } = options
  if (attach || dashboard) return playOn(attach ? 'attach' : 'dashboard', { run, options }, host)
  const dir = runDirectoryOf(run, options, host)
  const replayed = await replayRun(dir, { until })
  if (speed !== undefined && !options.json && !(await playBack(playedFacts(dir, until), speed, host)))
    return exitCodes.interrupted
  const document = { ...replayed, lives: replayed.lives.map((life) => shortened(life, options)) }
  const text = `${options.transitions ? transitionsText(replayed) : ''}${reportText(replayed)}`
  await printEither({ document, text: text.trimEnd() }, options, host)
  return replayed.identical ? exitCodes.done : exitCodes.failed
}

interface Played {
  readonly run: string | undefined
  readonly options: ReplayCommandOptions
}

/** Plays a run on the screen, or on the page, until the person leaves. */
async function playOn(
  face: 'attach' | 'dashboard',
  { run, options: { until, speed = 1, cwd } }: Played,
  host: Host,
): Promise<ExitCode> {
  const dir = runDirectoryOf(run, { cwd }, host)
  const facts = playedFacts(dir, until)
  if (face === 'dashboard') {
    const { dashboard } = await import('../serve/dashboard.ts')
    return dashboard(dir, { cwd, open: true, play: { speed, until: facts.length } }, host)
  }
  const { openPlayer } = await import('../../../../runtime/replay/play-run.ts')
  const { attachTo } = await import('../attach.ts')
  return attachTo(dir, { cwd, player: openPlayer(facts, { speed, clock: systemClock() }) }, host)
}

/** The facts of a run up to a moment. @throws UserError when the run has no such moment */
function playedFacts(dir: string, until: string | undefined): readonly Recorded[] {
  const { id, recorded } = recordOfRun(dir)
  const last = until === undefined ? recorded.length : lastFactBy(recorded, until)
  if (last === null) throw new UserError(noMomentText(id, until ?? ''))
  return recorded.slice(0, last)
}

/** Transitions as a number, unless they are asked for. */
function shortened(life: LifeReport, { transitions }: ReplayCommandOptions) {
  return transitions ? life : { ...life, transitions: life.transitions.length }
}

/** Prints the transcript as it happened, so many times faster. @returns false when a person ended that */
async function playBack(recorded: readonly Recorded[], speed: number, host: Host): Promise<boolean> {
  const show = transcriber({ paint: paintFor(host.stdout, host.env), several: true, full: false })
  const stop = new AbortController()
  const deaf = [host.onSignal('SIGINT', () => stop.abort()), host.onSignal('SIGTERM', () => stop.abort())]
  let before: Recorded | null = null
  try {
    for (const each of recorded) {
      const ms = before === null ? 0 : Math.max(0, each.entry.at - before.entry.at) / speed
      if (ms >= 1) await pause(ms, undefined, { signal: stop.signal }).catch(() => undefined)
      if (stop.signal.aborted) return false
      await print(host.stdout, show([each]))
      before = each
    }
    return true
  } finally {
    for (const unlisten of deaf) unlisten()
  }
}

function transitionsText({ lives }: RunReplay): string {
  return lives
    .map(({ member, life, transitions }) => {
      const steps = transitions.map(({ actor, event, to }) => `  ${actor}: ${event} → ${stateText(to)}`)
      return `${member}, life ${life}\n${plainText(steps.join('\n'))}\n\n`
    })
    .join('')
}

/** `{ thinking: 'asking' }` → `thinking.asking` */
function stateText(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.entries(value)
    .map(([state, inner]) => `${state}.${stateText(inner)}`)
    .join(' ')
}

function reportText({ run, identical, lives }: RunReplay): string {
  const rows = lives.map(({ member, life, entries, transitions, difference }) => [
    member,
    String(life),
    String(entries),
    String(transitions.length),
    difference === null ? 'as recorded' : `differs at ${difference.entry ?? 'its end'}`,
  ])
  const differences = lives.flatMap((life) => differenceText(life))
  const verdict = identical
    ? 'the machines did again what the journals say'
    : 'the machines do not do what the journals say'
  const head = ['MEMBER', 'LIFE', 'ENTRIES', 'TRANSITIONS', 'RESULT']
  const unheard = lives.some(({ member }) => member === leaderName) ? '' : unheardText
  return [rows.length === 0 ? '' : table(head, rows), ...differences, `${run}: ${verdict}${unheard}`].join('')
}

const unheardText = "; the team's own machines were not replayed: its journal does not say what its leader had heard"

function differenceText({ member, difference }: LifeReport): readonly string[] {
  if (difference === null) return []
  const { entry, recorded, replayed, field } = difference
  const what = replayed === null ? 'no machine states that' : 'the machines state something else'
  const place = `${entry ?? `the end of the journal of ${member}`}: ${what}${field === null ? '' : ` (${field})`}`
  const lines = [place, `  recorded  ${jsonText(recorded)}`, `  replayed  ${jsonText(replayed)}`]
  return [`\n${plainText(lines.join('\n'))}\n\n`]
}

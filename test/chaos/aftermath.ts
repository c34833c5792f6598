import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { undeliveredIn } from '../../src/runtime/team/undelivered.ts'
import { listRuns, readRunFile } from '../../src/adapters/sessions/read-run.ts'
import { endOfRun } from '../../src/projections/team/run-end.ts'
import type { Entry, Recorded } from '../../src/protocol/facts/entry.ts'
import { recordOfRun, runsRoot } from '../../src/runtime/runs/read-runs.ts'
import { isStuck } from './stuck-box.ts'
import { commandOf, leftOver, nothingLeft, processesOf, type LeftOver } from './left-over.ts'

/** What came of a run, and what of it is wrong. */
export interface Aftermath {
  readonly worker_kills: number
  readonly leader_kills: number
  readonly sent: number
  readonly lost: number
  readonly duplicated: number
  /** Commands that ran twice, although nobody asked for them again. */
  readonly effects_doubled: number
  /** Commands that did not run, and whose agent was told that they did. */
  readonly effects_missing: number
  readonly answers_differing: number
  readonly leftover: LeftOver
  /** The same in words; empty when all is as it should be. */
  readonly flaws: readonly string[]
}

interface Expected {
  readonly answer: string
  readonly effects: readonly string[]
}

/** Reads what a run left behind, in its journals, in the log of its commands and on the machine. */
export function aftermathOf(cwd: string, expected: Expected): Omit<Aftermath, 'worker_kills' | 'leader_kills'> {
  const dir = listRuns(runsRoot(cwd))[0]?.dir
  if (dir === undefined) throw new Error(`no run began in ${cwd}: ${wordsOf(cwd)}`)
  const { recorded, problems } = recordOfRun(dir)
  const end = endOfRun(recorded.map(({ entry }) => entry))
  const leftover = leftOver(cwd, dir)
  const mail = mailOf(recorded)
  const effects = effectsOf(cwd, expected.effects, recorded)
  const differs = end?.status !== 'completed' || end.result !== expected.answer
  const flaws = [
    ...problems,
    ...(differs ? [`it ended ${JSON.stringify(end)} instead of with ${expected.answer}: ${wordsOf(cwd)}`] : []),
    ...recorded.flatMap(({ entry }) =>
      entry.type === 'warning.raised' && entry.code === 'journal_gap'
        ? [`a kill was taken for a gap: ${entry.message}`]
        : [],
    ),
    ...mail.lost.map((id) => `mail ${id} was never received`),
    ...mail.doubled.map((id) => `mail ${id} was received twice`),
    ...unreadIn(dir),
    ...emptiedIn(dir),
    ...effects.doubled.map((line) => `${line} ran twice`),
    ...effects.missing.map((line) => `${line} never ran, and its agent was told that it did`),
    ...(isNothing(leftover) ? [] : [`left: ${JSON.stringify(leftover)} ${processesOf(cwd).map(commandOf).join('; ')}`]),
  ]
  return {
    sent: mail.sent,
    lost: mail.lost.length,
    duplicated: mail.doubled.length,
    effects_doubled: effects.doubled.length,
    effects_missing: effects.missing.length,
    answers_differing: differs ? 1 : 0,
    leftover,
    flaws: flaws.length === 0 ? [] : [...flaws, `in ${cwd}`],
  }
}

function isNothing(left: LeftOver): boolean {
  return JSON.stringify(left) === JSON.stringify(nothingLeft())
}

function mailOf(recorded: readonly Recorded[]) {
  const ids = (type: 'mail.sent' | 'mail.received'): readonly string[] =>
    recorded.flatMap(({ entry }) => (entry.type === type ? [entry.envelope.id] : []))
  const [sent, received] = [ids('mail.sent'), ids('mail.received')]
  return { sent: sent.length, lost: sent.filter((id) => !received.includes(id)), doubled: repeatsIn(received) }
}

function unreadIn(dir: string): readonly string[] {
  const members = readRunFile(dir)?.team.members ?? []
  const undelivered = undeliveredIn(dir)
  return members.flatMap(({ name }) => (undelivered(name) > 0 ? [`${name} has mail that it did not read`] : []))
}

function emptiedIn(dir: string): readonly string[] {
  const members = readRunFile(dir)?.team.members ?? []
  return members.flatMap(({ name }) =>
    isStuck(join(dir, 'mail'), name) ? [] : [`the box of ${name} is empty, and something in it cannot be put away`],
  )
}

/** A command whose result says that its effect is unknown may have run or not; any other has to have run, once. */
function effectsOf(cwd: string, expected: readonly string[], recorded: readonly Recorded[]) {
  const file = join(cwd, 'effects')
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const doubted = new Set(recorded.flatMap(({ entry }) => failedCommands(entry)))
  const commands = new Map(recorded.flatMap(({ owner, entry }) => commandsIn(owner, entry)))
  const missing = expected.filter((line) => !lines.includes(line) && !doubted.has(commands.get(line) ?? ''))
  return { doubled: repeatsIn(lines), missing }
}

function failedCommands(entry: Entry): readonly string[] {
  if (entry.type !== 'message.appended' || entry.message.role !== 'tool') return []
  return entry.message.results.flatMap(({ call_id: call, is_error: failed }) => (failed ? [call] : []))
}

/** Which call writes which line. */
function commandsIn(owner: string, entry: Entry): readonly (readonly [line: string, call: string])[] {
  if (entry.type !== 'message.appended' || entry.message.role !== 'assistant') return []
  return entry.message.content.flatMap((block) => {
    const line = block.type === 'tool_use' ? new RegExp(`echo (${owner}-\\S+)`).exec(JSON.stringify(block.input)) : null
    return block.type === 'tool_use' && line?.[1] !== undefined ? [[line[1], block.id] as const] : []
  })
}

function repeatsIn(lines: readonly string[]): readonly string[] {
  return lines.filter((line, index) => lines.indexOf(line) !== index)
}

/** The last of what leaders printed. */
function wordsOf(cwd: string): string {
  const file = join(cwd, 'leader.log')
  return existsSync(file) ? readFileSync(file, 'utf8').slice(-2_000) : ''
}

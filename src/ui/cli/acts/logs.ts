import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { applyTranscript, emptyTranscript } from '../../../projections/transcript.ts'
import type { Recorded } from '../../../protocol/entry.ts'
import { followRun } from '../../../runtime/follow-run.ts'
import { findRun, recordOfRun } from '../../../runtime/read-runs.ts'
import { paintFor } from '../colour.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { print, type Host } from '../host.ts'
import { plainText } from '../plain-text.ts'
import { transcriptText, type TranscriptStyle } from '../transcript-text.ts'
import { UserError } from '../user-error.ts'

export interface LogsOptions {
  readonly follow?: true | undefined
  readonly json?: true | undefined
  readonly full?: true | undefined
  readonly cwd?: string | undefined
}

/** What is to be shown: one run, and of it one member or all. */
interface Subject {
  readonly dir: string
  readonly member: string | null
}

/** Prints a run's transcript, or its entries as JSON lines; goes on with `--follow` until the run ends. */
export async function logs(name: string | undefined, options: LogsOptions, host: Host): Promise<ExitCode> {
  const subject = subjectOf(name, resolve(host.cwd, options.cwd ?? '.'))
  const several = subject.member === null
  const style = { paint: paintFor(host.stdout, host.env), several, full: options.full === true }
  const show = options.json ? jsonLines : transcriber(style)
  if (options.follow) return follow(subject, show, host)
  const { recorded, problems } = recordOfRun(subject.dir)
  if (!options.json) await print(host.stderr, `${subject.dir}\n`)
  await print(host.stdout, show(recorded.filter((each) => isWanted(each, subject))))
  for (const problem of problems) await warn(problem, host)
  return exitCodes.done
}

/** Text for what is new. */
type Show = (fresh: readonly Recorded[]) => string

async function follow(subject: Subject, show: Show, host: Host): Promise<ExitCode> {
  const stop = new AbortController()
  const deaf = [host.onSignal('SIGINT', () => stop.abort()), host.onSignal('SIGTERM', () => stop.abort())]
  const onProblem = (problem: string): void => void warn(problem, host)
  try {
    for await (const recorded of followRun(subject.dir, { signal: stop.signal, onProblem })) {
      if (isWanted(recorded, subject)) await print(host.stdout, show([recorded]))
    }
  } finally {
    for (const unlisten of deaf) unlisten()
  }
  return stop.signal.aborted ? exitCodes.interrupted : exitCodes.done
}

function isWanted({ owner }: Recorded, { member }: Subject): boolean {
  return member === null || owner === member
}

function subjectOf(name: string | undefined, cwd: string): Subject {
  const [, member, team] = /^([a-z][a-z0-9-]*)@(.+)$/.exec(name ?? '') ?? []
  const dir = findRun(cwd, team ?? name)
  if (dir === null) {
    throw new UserError(
      `there is no run${name === undefined ? '' : ` "${name}"`} in ${cwd}; troupe ps --all lists what there is`,
    )
  }
  if (member !== undefined && !existsSync(join(dir, 'journal', `${member}.jsonl`))) {
    throw new UserError(`the run ${dir} has no journal of "${member}"; troupe ps --all lists its members`)
  }
  return { dir, member: member ?? null }
}

/** Everything given at once is folded before it is shown, so that what was withdrawn does not appear. */
function transcriber(style: TranscriptStyle): Show {
  const transcript = emptyTranscript()
  let shown = 0
  return (fresh) => {
    for (const recorded of fresh) applyTranscript(transcript, recorded)
    const lines = transcript.lines.slice(shown)
    shown = transcript.lines.length
    return lines.map((line) => transcriptText(line, style)).join('')
  }
}

function jsonLines(fresh: readonly Recorded[]): string {
  return fresh.map((recorded) => `${JSON.stringify(recorded)}\n`).join('')
}

async function warn(problem: string, host: Host): Promise<void> {
  await print(host.stderr, `warning: ${plainText(problem)}\n`)
}

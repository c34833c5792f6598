import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { EventFrame, FactEvent } from '../../../protocol/facts/run-event.ts'
import { openEnvelopes, runEvents } from '../../../runtime/runs/run-events.ts'
import { recordOfRun } from '../../../runtime/runs/read-runs.ts'
import { plainText } from '../../text/plain-text.ts'
import { paintFor } from '../../text/theme.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, type Host, type Flags } from '../host/host.ts'
import { meantText, memberAndRun, runDirectoryOf, type RunChoice } from '../runs/run-choice.ts'
import { factLine } from '../text/fact-line.ts'
import { transcriber } from '../text/transcript-text.ts'
import { UserError } from '../host/user-error.ts'

export type LogsOptions = RunChoice & Flags<'follow' | 'full'>

/** The subject of the listing: one run, and one of its members or all. */
interface Subject {
  readonly dir: string
  readonly member: string | null
}

type Show = (facts: readonly (EventFrame & FactEvent)[]) => string

/** Prints a run's transcript, or its entries as JSON lines; goes on with `--follow` until the run ends. */
export async function logs(name: string | undefined, options: LogsOptions, host: Host): Promise<ExitCode> {
  const subject = subjectOf(name, options, host)
  const several = subject.member === null
  const transcribe = transcriber({ paint: paintFor(host.stdout, host.env), several, full: options.full === true })
  const show: Show = options.json
    ? (facts) => facts.map(factLine).join('')
    : (facts) => transcribe(facts.map(({ member: owner, fact: entry }) => ({ owner, entry })))
  if (options.follow) return follow(subject, show, host)
  const { recorded, problems } = recordOfRun(subject.dir)
  if (!options.json) await print(host.stderr, `${subject.dir}\n`)
  const facts = recorded.map(openEnvelopes(subject.dir).fact)
  await print(host.stdout, show(facts.filter((each) => isWanted(each, subject))))
  for (const problem of problems) await warn(problem, host)
  return exitCodes.done
}

async function follow(subject: Subject, show: Show, host: Host): Promise<ExitCode> {
  const stop = new AbortController()
  const deaf = [host.onSignal('SIGINT', () => stop.abort()), host.onSignal('SIGTERM', () => stop.abort())]
  const onProblem = (problem: string): void => void warn(problem, host)
  try {
    for await (const event of runEvents(subject.dir, { signal: stop.signal, onProblem })) {
      if (event.type === 'fact' && isWanted(event, subject)) await print(host.stdout, show([event]))
    }
  } finally {
    for (const unlisten of deaf) unlisten()
  }
  return stop.signal.aborted ? exitCodes.interrupted : exitCodes.done
}

function isWanted({ member }: EventFrame, wanted: Subject): boolean {
  return wanted.member === null || member === wanted.member
}

function subjectOf(name: string | undefined, options: LogsOptions, host: Host): Subject {
  const { member, run } = memberAndRun(name)
  const dir = runDirectoryOf(run, options, host)
  if (member !== null && !existsSync(join(dir, 'journal', `${member}.jsonl`))) {
    const meant = meantText(member, [...new Set(recordOfRun(dir).recorded.map(({ owner }) => owner))])
    throw new UserError(`the run ${dir} has no journal of "${member}"${meant}; troupe ps --all lists its members`)
  }
  return { dir, member }
}

async function warn(problem: string, host: Host): Promise<void> {
  await print(host.stderr, `warning: ${plainText(problem)}\n`)
}

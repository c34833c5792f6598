import { readBegunRun, readRun, unreadableRun } from '../../adapters/sessions/read-run.ts'
import { applyTranscript, emptyTranscript, type TranscriptLine } from '../../projections/screen/transcript.ts'
import { elapsed } from '../actors/clock.ts'
import { beginOfRun, endOfRun } from '../../projections/team/run-end.ts'
import { workDone } from '../../projections/work/pieces-of-work.ts'
import { spansOf, type Span } from '../../projections/work/spans.ts'
import type { RunStatus } from '../../protocol/facts/fact.ts'
import { readCost, type RunCost } from '../runs/read-cost.ts'
import { recordOfRun } from '../runs/read-runs.ts'
import { UsageError } from '../../protocol/words/usage-error.ts'

/** The contents of a report of a run. */
export interface RunSheet {
  readonly run: string
  readonly team: string
  readonly task: string
  /** Milliseconds since the epoch. */
  readonly began: number
  readonly ended: number
  /** Of a fork from its own beginning. */
  readonly duration_ms: number
  /** Null for a run that has not ended. */
  readonly status: RunStatus | null
  readonly reason: string | null
  readonly result: string | null
  readonly cost: RunCost
  readonly members: readonly { readonly name: string; readonly model: string; readonly description: string }[]
  /** Paths that were changed. */
  readonly files: readonly string[]
  readonly spans: readonly Span[]
  readonly lines: readonly TranscriptLine[]
  /** Places of the journals that could not be read. */
  readonly problems: readonly string[]
}

/** A directory of which no report can be made, and why. */
export class NoSheet extends UsageError {
  override readonly name = 'NoSheet'
}

/**
 * Reads a run for a report.
 *
 * @param dir the run directory
 * @throws NoSheet when it is no run that can be read
 * @example readSheet(dir).lines.filter(({ kind }) => kind === 'warning')
 */
export function readSheet(dir: string): RunSheet {
  const { run } = readRun(dir)
  if (run === null) throw new NoSheet(unreadableRun(dir))
  const { id, recorded, problems } = recordOfRun(dir)
  const transcript = emptyTranscript()
  for (const each of recorded) applyTranscript(transcript, each)
  const end = endOfRun(recorded.map(({ entry }) => entry))
  const ended = recorded.at(-1)?.entry.at ?? run.created
  return {
    run: id,
    team: run.team.name,
    task: readBegunRun(dir)?.task ?? '',
    began: recorded[0]?.entry.at ?? run.created,
    ended,
    duration_ms: elapsed(beginOfRun(recorded, run.created), ended),
    status: end?.status ?? null,
    reason: end?.reason ?? null,
    result: end?.result ?? null,
    cost: readCost(dir),
    members: run.team.members.map(({ name, model, description }) => ({ name, model, description })),
    files: [...workDone(recorded).files.keys()],
    spans: spansOf(recorded),
    lines: transcript.lines,
    problems,
  }
}

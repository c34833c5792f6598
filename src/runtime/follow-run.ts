import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { isAlive } from '../adapters/process/liveness.ts'
import { judgeLine } from '../adapters/sessions/entry-line.ts'
import { readRun } from '../adapters/sessions/read-run.ts'
import type { Recorded } from '../protocol/entry.ts'
import { journalFile } from './read-runs.ts'

/** How far a journal has been read, and the bytes of a line that is still being written. */
interface Cursor {
  position: number
  rest: Buffer
}

const pollMs = 150

/**
 * Every entry of a run, those that are there and those to come, until the run ends, its leader is gone, or the signal aborts.
 * Journals are only read: `onProblem` hears of lines that are none.
 *
 * @example for await (const recorded of followRun(dir, { signal, onProblem: console.error })) print(recorded)
 */
export async function* followRun(
  dir: string,
  options: { readonly signal: AbortSignal; readonly onProblem: (problem: string) => void },
): AsyncIterable<Recorded> {
  const cursors = new Map<string, Cursor>()
  let ended = false
  while (!options.signal.aborted) {
    const fresh = readOn(dir, cursors, options.onProblem)
    yield* fresh.toSorted((a, b) => a.entry.at - b.entry.at)
    // One more look after the end: a member's last line may lie behind the team's.
    if (ended) return
    ended = fresh.some(({ entry }) => entry.type === 'team.ended') || (fresh.length === 0 && !leaderLives(dir))
    await pause(pollMs, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

function leaderLives(dir: string): boolean {
  const leader = readRun(dir).run?.leader
  return leader !== undefined && isAlive(leader.pid, leader.started)
}

function readOn(dir: string, cursors: Map<string, Cursor>, onProblem: (problem: string) => void): readonly Recorded[] {
  return ownersIn(dir).flatMap((owner) => {
    const cursor = cursors.get(owner) ?? { position: 0, rest: Buffer.alloc(0) }
    cursors.set(owner, cursor)
    return freshLines(journalFile(dir, owner), cursor).flatMap((line) => {
      const { entry, message } = judgeLine(line)
      if (entry) return [{ owner, entry }]
      onProblem(`${journalFile(dir, owner)} ${message ?? 'holds a line that is no entry'}`)
      return []
    })
  })
}

function ownersIn(dir: string): readonly string[] {
  return readdirSync(join(dir, 'journal'))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => name.slice(0, -'.jsonl'.length))
    .toSorted()
}

/** The lines that were finished since the last look; each journal has one writer, which only appends. */
function freshLines(file: string, cursor: Cursor): readonly Buffer[] {
  const bytes = Buffer.concat([cursor.rest, readFrom(file, cursor.position)])
  cursor.position += bytes.length - cursor.rest.length
  const lines: Buffer[] = []
  let start = 0
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  cursor.rest = bytes.subarray(start)
  return lines
}

function readFrom(file: string, position: number): Buffer {
  const fd = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(fd).size - position))
    return bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, position))
  } finally {
    closeSync(fd)
  }
}

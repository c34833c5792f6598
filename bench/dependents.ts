import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Recorded } from '../src/protocol/facts/entry.ts'
import { runDirectoriesIn } from '../src/runtime/runs/answer-approval.ts'
import { recordOfRun } from '../src/runtime/runs/read-runs.ts'
import { median } from './figures.ts'

/*
 * How soon a piece of work begins once the piece that it depends on is done: from the line of the result in the journal of
 * who did it to the line of the next task in the journal of the lead. A chain of pieces goes back and forth between two
 * workers, while the lead runs a command. `node bench/dependents.ts [executor] [pieces]` prints one JSON line; for `terminal`
 * name one, e.g. `TROUPE_TERMINAL='setsid --wait {argv}'`.
 */
const [executor = 'process', count = '30'] = process.argv.slice(2)
const pieces = Number(count)
const home = mkdtempSync(join(tmpdir(), 'troupe-dependents-'))

/** A team whose lead hands out the whole chain in one call and runs a command meanwhile. */
function layOut(): void {
  const subtasks = Array.from({ length: pieces }, (_, n) => ({
    worker: n % 2 === 0 ? 'even' : 'odd',
    name: `piece-${n}`,
    task: `Do piece ${n}.`,
    ...(n === 0 ? {} : { depends_on: [`piece-${n - 1}`] }),
  }))
  const busy = { tool: 'Bash', input: { command: 'sleep 8' } }
  const lead = [
    { say: 'Begin.', calls: [{ tool: 'Delegate', input: { subtasks } }, busy] },
    { say: 'Done.' },
    { say: 'Done.' },
  ]
  const steps = Array.from({ length: Math.ceil(pieces / 2) }, (_, n) => ({ say: `Part ${n} is done.` }))
  const worker = { description: 'Works.', prompt: 'You work.', tools: ['Read'], executor }
  const team = {
    name: 'chain',
    model: 'scripted/script.yaml',
    partition: 'relaxed',
    coordinator: { prompt: 'You lead.', tools: ['Bash'], permissions: { allow: ['Bash(sleep *)'] } },
    workers: { even: worker, odd: worker },
  }
  const agents = { lead: { steps: lead }, even: { steps }, odd: { steps: steps.slice(0, Math.floor(pieces / 2)) } }
  mkdirSync(join(home, 'teams'))
  writeFileSync(join(home, 'teams/chain.yaml'), JSON.stringify(team))
  writeFileSync(join(home, 'teams/script.yaml'), JSON.stringify({ agents }))
}

/** Milliseconds from each result to the task of the piece after it. */
function delaysIn(recorded: readonly Recorded[]): readonly number[] {
  const ends = new Map<string, number>()
  const tasks: { readonly request: string; readonly at: number }[] = []
  for (const { entry } of recorded) {
    if (entry.type !== 'mail.sent') continue
    const { kind, request = '' } = entry.envelope
    if (kind === 'result') ends.set(request, entry.at)
    if (kind === 'task') tasks.push({ request, at: entry.at })
  }
  const inOrder = tasks.toSorted((a, b) => a.at - b.at)
  return inOrder.slice(1).map(({ at }, n) => at - (ends.get(inOrder[n]?.request ?? '') ?? Number.NaN))
}

try {
  layOut()
  const bin = resolve(import.meta.dirname, '../src/ui/cli/bin.ts')
  const run = spawn(process.execPath, [bin, 'run', 'chain', 'Begin.'], {
    cwd: home,
    env: { PATH: process.env['PATH'], HOME: home, TROUPE_TERMINAL: process.env['TROUPE_TERMINAL'] },
    stdio: 'ignore',
  })
  // How often the lead is asked at the end depends on the machine, so its script need not be used up; the pieces are counted.
  await once(run, 'exit')
  const [dir = ''] = runDirectoriesIn(home)
  const delays = delaysIn(recordOfRun(dir).recorded)
  if (delays.length !== pieces - 1) throw new Error(`${delays.length + 1} of ${pieces} pieces were begun`)
  console.log(JSON.stringify({ executor, pieces, median_ms: median(delays), worst_ms: Math.max(...delays) }))
} finally {
  rmSync(home, { recursive: true, force: true, maxRetries: 5 })
}

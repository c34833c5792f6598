import { parseArgs } from 'node:util'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { runWorker } from '../../runtime/elsewhere/run-worker.ts'
import type { RunningWorker } from '../../runtime/elsewhere/worker-life.ts'

/**
 * `troupe worker <run-dir> <member> --incarnation <ulid>`: the process of one member, started by its leader. On a
 * terminal it shows its transcript; nothing that is typed there reaches it.
 */
export async function workerProcess(argv: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    options: { incarnation: { type: 'string' } },
    allowPositionals: true,
  })
  const [dir, member] = positionals
  const { incarnation } = values
  if (dir === undefined || member === undefined || incarnation === undefined) {
    console.error('troupe worker <run-dir> <member> --incarnation <ulid> is started by a run, not by people')
    process.exitCode = 2
    return
  }
  process.title = `troupe ${member}`
  try {
    const { env } = process
    const worker = await runWorker({ dir, member, incarnation, env, cwd: process.cwd() })
    surviveTheTerminal(worker)
    if (process.stdout.isTTY) await showIn(worker)
    await worker.gone
  } catch (error) {
    console.error(error instanceof Error ? reasonLast(error) : error)
    process.exitCode = 1
  }
  process.exit()
}

/** The stack with the reason at its end: its leader tells the last line first. */
function reasonLast({ name, message, stack = '' }: Error): string {
  const frames = stack.split('\n').filter((line) => /^ {4}at /.test(line))
  return [...frames, `${name}: ${message}`].join('\n')
}

/** A pane is a view: closing it, or a key in it, ends nothing. */
function surviveTheTerminal(worker: RunningWorker): void {
  process.on('SIGHUP', () => undefined)
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => {
    console.error('it was told to end by SIGTERM')
    worker.terminate()
  })
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
}

async function showIn(worker: RunningWorker): Promise<void> {
  const { transcriber } = await import('./text/transcript-text.ts')
  const { paintFor } = await import('../text/theme.ts')
  const { stdout, env } = process
  const show = transcriber({ paint: paintFor(stdout, env), several: false, full: false })
  worker.subscribe((recorded: Recorded) => void stdout.write(show([recorded])))
}

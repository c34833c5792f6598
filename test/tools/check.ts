import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, resolve } from 'node:path'

/**
 * `npm run check`: says yes or no in one line per step. Steps run side by side, longest first;
 * the whole output of a step is shown only when it fails.
 */
interface Step {
  readonly name: string
  readonly command: readonly [string, ...string[]]
}

interface Outcome {
  readonly step: Step
  readonly ok: boolean
  readonly seconds: number
  readonly output: string
}

const node = process.execPath
const steps: readonly Step[] = [
  { name: 'fast tests', command: ['vitest', 'run', '--project', 'fast', '--reporter', 'minimal'] },
  { name: 'types', command: ['npm', 'run', '--silent', 'types'] },
  { name: 'lint', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'dead code', command: ['knip'] },
  { name: 'diagrams are fresh', command: [node, 'test/tools/write-diagrams.ts', '--check'] },
  { name: 'team file reference is fresh', command: [node, 'test/tools/write-docs.ts', '--check'] },
  { name: 'command line reference is fresh', command: [node, 'test/tools/write-cli-docs.ts', '--check'] },
  { name: 'format', command: ['oxfmt', '--check', '.'] },
]

const env = { ...process.env, NO_COLOR: '1', PATH: [resolve('node_modules/.bin'), process.env['PATH']].join(delimiter) }

function run(step: Step): Promise<Outcome> {
  const [command, ...args] = step.command
  const started = performance.now()
  return new Promise((settle) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const finish = (ok: boolean): void => settle({ step, ok, seconds: (performance.now() - started) / 1000, output })
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.on('error', (error) => {
      output += error.message
      finish(false)
    })
    child.on('close', (code) => finish(code === 0))
  })
}

function tell({ step, ok, seconds, output }: Outcome): void {
  console.log(`${ok ? 'ok  ' : 'FAIL'} ${seconds.toFixed(1).padStart(5)} s  ${step.name}`)
  if (!ok) console.log(`\n$ ${step.command.join(' ')}\n${output.trimEnd()}\n`)
}

async function work(queue: Step[], outcomes: Outcome[]): Promise<void> {
  for (let step = queue.shift(); step; step = queue.shift()) {
    const outcome = await run(step)
    tell(outcome)
    outcomes.push(outcome)
  }
}

const outcomes: Outcome[] = []
const queue = [...steps]
const started = performance.now()
await Promise.all(Array.from({ length: Math.max(2, availableParallelism()) }, () => work(queue, outcomes)))
const failed = outcomes.filter(({ ok }) => !ok)
const total = `${((performance.now() - started) / 1000).toFixed(1)} s`
console.log(failed.length === 0 ? `all well in ${total}` : `${failed.length} of ${steps.length} failed in ${total}`)
process.exitCode = failed.length === 0 ? 0 : 1

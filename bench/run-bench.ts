import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

/*
 * Repeats the side-by-side bench: the library beside the raw vendor SDK loops, interleaved in one run, against one
 * loopback server. `npm run bench [-- --rounds 5] [--peers pi,ai-sdk]`; the harness and its peers lie beside this
 * checkout and are installed on first use. Without them it says so and measures nothing.
 */
const harness = resolve('../shared/bench')
const ours = resolve('bench/driver.mjs')
const rounds = valueOf('--rounds') ?? '5'
const extra = valueOf('--peers')?.split(',') ?? []

const floors = { 'raw-openai': ours, 'raw-anthropic': `${ours}:anthropic` }
const cases: readonly (readonly [name: string, options: object])[] = [
  ['loop', {}],
  ['loop', { turns: 1_000 }],
  ['stream', { deltas: 20_000 }],
  ['bigargs', {}],
  ['fanout', { n: 1_000 }],
  ['abort', {}],
  ['cold', {}],
]

if (!existsSync(harness)) {
  console.log('The side-by-side harness is not beside this checkout; nothing was measured.')
} else {
  for (const peer of [...Object.keys(floors), ...extra]) install(join(harness, 'drivers', peer))
  for (const [name, options] of cases) {
    for (const [floor, peer] of Object.entries(floors)) measure(name, options, [floor, peer, ...extra])
  }
}

function valueOf(flag: string): string | undefined {
  const index = process.argv.indexOf(flag)
  return index === -1 ? undefined : process.argv[index + 1]
}

function install(driver: string): void {
  if (existsSync(join(driver, 'node_modules')) || !existsSync(join(driver, 'package-lock.json'))) return
  run('npm', ['ci', '--silent'], driver)
}

function measure(name: string, options: object, peers: readonly string[]): void {
  const words = ['--peer', peers.join(','), '--case', name, '--rounds', rounds, '--opts', JSON.stringify(options)]
  run(process.execPath, ['run.mjs', ...words], harness)
}

function run(command: string, words: readonly string[], cwd: string): void {
  const { status } = spawnSync(command, words, { cwd, stdio: 'inherit' })
  if (status !== 0) process.exitCode = 1
}

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/*
 * How long short commands take from the start of the process to its end, beside `node -e 0`, all in turn.
 * `node bench/start-command.ts [rounds] [bin...]` prints one line for each command and bin (default: dist/src/ui/cli/bin.js):
 * milliseconds of wall, and the median of the ratios to the `node -e 0` of the same round, which other load hardly moves.
 */
const rounds = Number(process.argv[2] ?? 15)
const bins = process.argv.length > 3 ? process.argv.slice(3) : ['dist/src/ui/cli/bin.js']
const commands = [['--version'], ['--help'], ['check', resolve('teams/quickstart.yaml')], ['ps'], ['tools', 'ls']]
const home = mkdtempSync(join(tmpdir(), 'troupe-start-'))
const cases = bins.flatMap((bin) =>
  commands.map((words) => ({ bin, words, times: [] as number[], ratios: [] as number[] })),
)

for (let round = 0; round <= rounds; round++) {
  const node = timed(['-e', '0'])
  for (const { bin, words, times, ratios } of cases) {
    const took = timed([resolve(bin), ...words])
    // The first finds cold files.
    if (round === 0) continue
    times.push(took)
    ratios.push(took / node)
  }
}
for (const { bin, words, times, ratios } of cases)
  console.log(`${bin} ${words.join(' ')}: ${median(times).toFixed(0)} ms, ${median(ratios).toFixed(2)} × node -e 0`)
rmSync(home, { recursive: true, force: true })

function timed(args: readonly string[]): number {
  const began = performance.now()
  const env = { PATH: process.env['PATH'], HOME: home, NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] }
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: home, env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)
  return performance.now() - began
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { executorKinds } from '../../src/protocol/team/executor.ts'
import type { ExecutorKind } from '../../src/protocol/team/team-card.ts'
import type { Aftermath } from './aftermath.ts'
import { nothingLeft, type LeftOver } from './left-over.ts'
import { teamStorm, type TeamStorm } from './team-storm.ts'

/**
 * `npm run chaos:team -- --runs 1 --kills 40 --leader-kills 20 --json`: runs of a team whose workers and leader are killed
 * as they go on. `--executor` and `--isolation` take several words, separated by commas: the runs take them in turn, `mixed`
 * gives the workers of one run different executors. Says what went wrong in each, and ends with 1 when something did.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    kills: { type: 'string', default: '5' },
    'leader-kills': { type: 'string', default: '5' },
    workers: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '10' },
    turns: { type: 'string', default: '5' },
    executor: { type: 'string', default: 'process' },
    isolation: { type: 'string', default: 'none' },
    seed: { type: 'string', default: '1' },
    bin: { type: 'string' },
    keep: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})

const mixed: readonly ExecutorKind[] = ['process', 'tmux', 'in-process']
const total = { runs: 0, worker_kills: 0, leader_kills: 0, sent: 0, lost: 0, duplicated: 0 }
const wrong = { effects_doubled: 0, effects_missing: 0, answers_differing: 0 }
const leftover = nothingLeft()
let flawed = 0
for (let run = 0; run < Number(values.runs); run += 1) {
  const storm = stormOf(run)
  const began = performance.now()
  const after = await teamStorm(storm)
  add(after)
  if (after.flaws.length > 0) flawed += 1
  const { seed, executors, isolation } = storm
  const { worker_kills, leader_kills, flaws } = after
  const seconds = Math.round((performance.now() - began) / 100) / 10
  console.error(JSON.stringify({ seed, executors, isolation, seconds, worker_kills, leader_kills, flaws }))
}
console.log(
  values.json
    ? JSON.stringify({ ...total, ...wrong, leftover })
    : `${total.runs} runs, ${flawed} not as they should be`,
)
process.exitCode = flawed === 0 ? 0 : 1

function stormOf(run: number): TeamStorm {
  const { workers, rounds, turns, kills, bin, keep } = values
  const executor = turnOf(values.executor, run)
  const known = executorKinds.find((kind): kind is ExecutorKind => kind === executor)
  if (!known && executor !== 'mixed') throw new Error(`--executor ${executor}: ${executorKinds.join(', ')} or mixed`)
  return {
    seed: Number(values.seed) + run,
    executors: known ? [known] : mixed,
    isolation: turnOf(values.isolation, run) === 'worktree' ? 'worktree' : 'none',
    workers: Number(workers),
    rounds: Number(rounds),
    turns: Number(turns),
    kills: Number(kills),
    leaderKills: Number(values['leader-kills']),
    keep,
    ...(bin === undefined ? {} : { bin: resolve(bin) }),
  }
}

function turnOf(words: string, run: number): string {
  const all = words.split(',')
  return all[run % all.length] ?? ''
}

function add(after: Aftermath): void {
  total.runs += 1
  for (const key of ['worker_kills', 'leader_kills', 'sent', 'lost', 'duplicated'] as const) total[key] += after[key]
  for (const key of ['effects_doubled', 'effects_missing', 'answers_differing'] as const) wrong[key] += after[key]
  for (const key of Object.keys(leftover) as (keyof LeftOver)[]) leftover[key] += after.leftover[key]
}

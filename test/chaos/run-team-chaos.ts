import { parseArgs } from 'node:util'
import { executorKinds, type ExecutorKind } from '../../src/protocol/team-card.ts'
import { teamStorm } from './team-storm.ts'

/**
 * `npm run chaos:team -- --runs 100 --leaders 20`: whole runs of a team whose leader and workers are killed at random
 * moments; prints what went wrong in each, and ends with 1 when something did.
 */
const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10' },
    leaders: { type: 'string', default: '20' },
    workers: { type: 'string', default: '3' },
    turns: { type: 'string', default: '60' },
    executor: { type: 'string', default: 'process' },
    seed: { type: 'string', default: '1' },
  },
})
const executor = executorKinds.find((kind): kind is ExecutorKind => kind === values.executor) ?? 'process'
let bad = 0
for (let run = 0; run < Number(values.runs); run += 1) {
  const seed = Number(values.seed) + run
  const { workers, turns, leaders } = values
  const storm = { seed, executor, workers: Number(workers), turns: Number(turns), leaders: Number(leaders) }
  const { answer, expected, lives, repeated, doubled, left } = await teamStorm(storm)
  const clean = answer === expected && repeated.length + doubled + left.length === 0
  if (!clean) bad += 1
  console.log(JSON.stringify({ seed, clean, lives, ...(clean ? {} : { answer, expected, repeated, doubled, left }) }))
}
console.log(`${values.runs} runs, ${bad} not as they should be`)
process.exitCode = bad === 0 ? 0 : 1

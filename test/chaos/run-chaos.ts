import { parseArgs } from 'node:util'
import { storm } from './storm.ts'
import { isClean } from './tally.ts'

/** `npm run chaos -- --kills 10000 --json`: kills processes that send and receive mail, and counts what went wrong. */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
})
const began = performance.now()
const { tally, points, refusals } = await storm({
  kills: Number(values.kills),
  seed: Number(values.seed),
  onProgress: (kills) => console.error(`${kills} kills, ${Math.round((performance.now() - began) / 1000)} s`),
})
console.error(`second owners turned away: ${refusals}; kills by step: ${JSON.stringify(points)}`)
console.log(values.json ? JSON.stringify(tally) : text())
process.exitCode = isClean(tally) ? 0 : 1

function text(): string {
  const { kills, sent, lost, duplicated, misordered } = tally
  return `${kills} kills, ${sent} sent: ${lost} lost, ${duplicated} duplicated, ${misordered} misordered`
}

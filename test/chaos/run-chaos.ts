import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { drainBacklog } from './backlog.ts'
import { storm } from './storm.ts'
import { isClean } from './tally.ts'

/**
 * `npm run chaos -- --kills 10000 --json`: kills processes that send and receive mail, and counts what went wrong.
 * `--backlog 100000` first lets so many pile up in one box and reads them.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
    backlog: { type: 'string', default: '0' },
    json: { type: 'boolean', default: false },
  },
})
const pile = Number(values.backlog)
if (pile > 0) {
  const home = mkdtempSync(join(tmpdir(), 'troupe-backlog-'))
  const { received, misordered, unread, first_ms } = drainBacklog(home, pile)
  rmSync(home, { recursive: true, force: true })
  console.error(
    `backlog of ${pile}: ${received} read, ${misordered} misordered, ${unread} left, first after ${first_ms} ms`,
  )
  if (received !== pile || misordered + unread > 0) throw new Error('the backlog did not come whole')
}
const began = performance.now()
const { tally, points, refusals, outlived } = await storm({
  kills: Number(values.kills),
  seed: Number(values.seed),
  onProgress: (kills) => console.error(`${kills} kills, ${Math.round((performance.now() - began) / 1000)} s`),
})
console.error(
  `second owners turned away: ${refusals}; owners that outlived their lease: ${outlived}; kills by step: ${JSON.stringify(points)}`,
)
console.log(values.json ? JSON.stringify(tally) : text())
process.exitCode = isClean(tally) ? 0 : 1

function text(): string {
  const { kills, sent, lost, duplicated, misordered, unhandled, left, emptied } = tally
  const wrong = `${lost} lost, ${duplicated} duplicated, ${misordered} misordered`
  return `${kills} kills, ${sent} sent: ${wrong}, ${unhandled} not handled, ${left} left unread, ${emptied} stuck boxes emptied`
}

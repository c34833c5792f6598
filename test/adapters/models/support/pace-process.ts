/** Takes turns as fast as there are any, and prints the time of each: `node pace-process.ts <file> <turns>`. */
import { openPaceFile } from '../../../../src/adapters/models/pace-log.ts'

const [file = '', turns = '0'] = process.argv.slice(2)
const log = openPaceFile(file, `${process.pid}`)
const taken: number[] = []
while (taken.length < Number(turns)) {
  const at = Date.now()
  if (log.write({ type: 'sent', at })) taken.push(at)
}
process.stdout.write(JSON.stringify(taken))

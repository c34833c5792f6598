import { acquireLease } from '../../../src/adapters/lease/lease.ts'

/** Tries to be an agent, says how that went, and stays: `node holding-process.ts <dir> <name> <incarnation>`. */
const [dir = '', name = '', incarnation = ''] = process.argv.slice(2)
try {
  const lease = acquireLease({ dir, name, incarnation, now: () => 1 })
  console.log(JSON.stringify({ epoch: lease.epoch }))
} catch (error) {
  console.log(JSON.stringify({ error: error instanceof Error ? error.message : String(error) }))
}
process.stdin.resume()

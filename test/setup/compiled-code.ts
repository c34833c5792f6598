import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * The tests start the command line hundreds of times, from source: what one process has compiled, the next one takes
 * over. The folder belongs to this run of the tests alone; `bareEnv` hands it on.
 */
export function setup(): () => void {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-compiled-'))
  process.env['NODE_COMPILE_CACHE'] = dir
  return () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 })
}

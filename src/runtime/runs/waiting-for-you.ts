import { join } from 'node:path'
import { approvalFiles } from '../../adapters/approvals/approval-files.ts'

/**
 * How many questions of each member wait for somebody's answer, by the member's name. Only names are listed; no file is
 * opened.
 * @param dir the run directory
 * @example waitingForYou(run.dir).get('historian') // 2
 */
export function waitingForYou(dir: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const { id, answered } of approvalFiles(join(dir, 'permissions'), () => new Uint8Array()).list()) {
    const name = id.replace(/-\d+-[\d.]+$/, '')
    if (!answered) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return counts
}

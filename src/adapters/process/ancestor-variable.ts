import { readFileSync } from 'node:fs'

/** More processes are around no shell. */
const mostAncestors = 64

/**
 * A variable as the nearest process around this one was started with it: what a shell took away from its own environment
 * still stands there. Only Linux tells; elsewhere, and of processes of others, nothing is known.
 *
 * @param pid where to begin: the parent of this process
 * @example ancestorVariable('TROUPE_DEPTH') // '1/5' in a shell that a member's command began
 * @source proc(5), `/proc/pid/environ`
 */
export function ancestorVariable(name: string, pid = process.ppid): string | undefined {
  let ancestor = pid
  for (let n = 0; ancestor > 1 && n < mostAncestors; n += 1) {
    try {
      const lines = readFileSync(`/proc/${ancestor}/environ`, 'utf8').split('\0')
      const found = lines.find((line) => line.startsWith(`${name}=`))
      if (found !== undefined) return found.slice(name.length + 1)
      ancestor = parentOf(ancestor)
    } catch {
      return undefined
    }
  }
  return undefined
}

/** The name of a program may hold anything: the fields begin behind its last bracket. */
function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

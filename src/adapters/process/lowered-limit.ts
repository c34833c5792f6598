import { readdirSync, readFileSync, statSync } from 'node:fs'

/*
 * A mark on what a member's commands start, which a process of no privileges cannot take off: the hard limit for POSIX message
 * queues, one byte lower than the member's own. Children inherit the limit, whatever they clear from their environment, and
 * whoever their parent becomes; only root raises a hard limit (setrlimit(2)). One byte less is in the way of nobody.
 * 1. Where the system shows no limits (/proc), nothing is lowered and nobody is below anybody.
 */

/** A number in the place of `unlimited`, where one less has to be said. */
const ample = 2 ** 40
const listed = /^Max msgqueue size\s+\S+\s+(\S+)/m
let own: number | null | undefined

/** Shell code that lowers the limit of the shell that runs the code, and ends in `;`; empty where there is nothing to lower. */
export function loweredLimit(): string {
  own ??= limitOf('self')
  return own === null || own < 1 ? '' : `ulimit -q ${Math.min(own, ample) - 1} 2>/dev/null; `
}

/** Whether another process of the same user may have more: this one comes from a command of a member. */
export function isBelowOthers(): boolean {
  const limit = limitOf('self')
  if (limit === null) return false
  const user = process.getuid?.()
  return readdirSync('/proc').some((name) => /^\d/.test(name) && userOf(name) === user && (limitOf(name) ?? 0) > limit)
}

function limitOf(pid: string): number | null {
  try {
    const found = listed.exec(readFileSync(`/proc/${pid}/limits`, 'latin1'))?.[1]
    if (found === undefined) return null
    return found === 'unlimited' ? Infinity : Number(found)
  } catch {
    // No /proc on this system, the process ended, or the file is closed to us.
    return null
  }
}

function userOf(pid: string): number | undefined {
  try {
    return statSync(`/proc/${pid}`).uid
  } catch {
    // The process ended.
    return undefined
  }
}

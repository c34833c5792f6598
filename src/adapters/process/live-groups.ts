import { onExit } from 'signal-exit'
import { isAlive, processStart } from './liveness.ts'

/*
 * The process groups of the programs that run now.
 * Owns: that none of them outlives this process when it exits or is ended by a signal other than KILL.
 * 1. One listener serves all programs, as adding and removing one for each costs more than the program's own start.
 */
const live = new Set<number>()
let isListening = false

/** Milliseconds that programs have between TERM and KILL when this process ends: it waits for them, and does nothing else. */
const lastMs = 250
const lookMs = 10

/** Ends a group with this process. @returns a function that forgets the group, which has ended */
export function keepGroup(leader: number): () => void {
  if (!isListening) onExit(endAll)
  isListening = true
  live.add(leader)
  return () => live.delete(leader)
}

/** Sends a signal to all that is left of a group; one that is gone hears nothing. */
export function killGroup(leader: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-leader, signal)
  } catch {
    // The group is gone, or belongs to somebody else by now.
  }
}

function endAll(): void {
  const leaders = [...live].map((pid) => ({ pid, started: processStart(pid) ?? 0 }))
  for (const { pid } of leaders) killGroup(pid, 'SIGTERM')
  const clock = new Int32Array(new SharedArrayBuffer(4))
  for (let waited = 0; waited < lastMs && leaders.some(({ pid, started }) => isAlive(pid, started)); waited += lookMs)
    Atomics.wait(clock, 0, 0, lookMs)
  for (const { pid } of leaders) killGroup(pid, 'SIGKILL')
}

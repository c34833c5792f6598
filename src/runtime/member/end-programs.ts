import { killMarked } from '../../adapters/process/end-process.ts'
import type { Clock } from '../actors/clock.ts'
import type { MemberStore } from './member-store.ts'

/** The time that a command has to end after it was told to; a tool that hears no signal gets no more. */
const patienceMs = 2_000

/**
 * Sees to it that no program of a member outlives its life: what is being ended may come to its end, and then everything
 * that carries the mark of this life is killed, also what left the group of its command.
 * @param doing what the member was doing when its life ended
 * @returns undefined when it is done already
 */
export function endPrograms(
  { calls, incarnation }: Pick<MemberStore, 'calls' | 'incarnation'>,
  doing: readonly Promise<unknown>[],
  clock: Clock,
): Promise<void> | undefined {
  // A member that never used the shell has no programs among the processes of the machine.
  const sweep = (): void => void (calls.get('Bash') && killMarked(incarnation))
  if (doing.length > 0) return settledWithin(doing, clock).then(sweep)
  sweep()
  return undefined
}

async function settledWithin(doing: readonly Promise<unknown>[], clock: Clock): Promise<void> {
  const late = Promise.withResolvers<void>()
  const timer = clock.setTimeout(late.resolve, patienceMs)
  await Promise.race([Promise.allSettled(doing), late.promise])
  clock.clearTimeout(timer)
}

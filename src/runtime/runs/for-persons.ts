import { isWithinMember } from '../../adapters/process/end-process.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Whether a member began this process, however far up: nobody at its terminal is a person. */
export function isOfMember(env: Environment): boolean {
  return isWithinMember(env)
}

/** An act of a person that a program tried which a member had begun. */
export class ForPersons extends Error {
  constructor(act: string) {
    super(
      `${act} is for a person, and this process was started by a member of a run: do it from a terminal of your own`,
    )
    this.name = 'ForPersons'
  }
}

/**
 * Keeps what only a person decides from members.
 *
 * @throws ForPersons where a member began this process, however far up
 * @example forPersons('troupe trust', process.env)
 */
export function forPersons(act: string, env: Environment): void {
  if (isOfMember(env)) throw new ForPersons(act)
}

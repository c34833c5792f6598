import { isOfMember } from '../../../runtime/runs/for-persons.ts'
import type { Host } from './host.ts'

/** Whether a person sits at both ends of this process: a terminal that a member opened is none. */
export function hasPerson({ stdin, stderr, env }: Host): boolean {
  return stdin.isTTY === true && stderr.isTTY === true && !isOfMember(env)
}

import { ancestorVariable } from '../../adapters/process/ancestor-variable.ts'

/** In which a run that a member's command begins finds how deep it is, and how deep it may be: `3/5`. */
export const nestingVariable = 'TROUPE_DEPTH'

/**
 * The environment with the mark of the member whose command this process is, also where a shell took that from it: what a
 * member says through a command of Troupe is no person's word.
 */
export function markedEnv(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const mark = env[nestingVariable] ?? ancestorVariable(nestingVariable)
  return mark === undefined ? env : { ...env, [nestingVariable]: mark }
}

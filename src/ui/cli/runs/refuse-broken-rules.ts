import { ruleProblems } from '../../../runtime/permissions/permission-report.ts'
import { UserError } from '../host/user-error.ts'

/** Rules as they are typed on a command line. */
export interface TypedRules {
  readonly allow?: readonly string[] | undefined
  readonly ask?: readonly string[] | undefined
  readonly deny?: readonly string[] | undefined
}

/**
 * Refuses a typed rule that cannot be read, before any start: the person at the keyboard can mend it.
 *
 * @throws UserError that names the option and what is wrong
 */
export function refuseBrokenRules({ allow = [], ask = [], deny = [] }: TypedRules): void {
  for (const [option, rules] of Object.entries({ allow, ask, deny })) {
    const [problem] = ruleProblems(rules)
    if (problem !== undefined) throw new UserError(`--${option} ${problem}`)
  }
}

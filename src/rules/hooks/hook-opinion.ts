import type { HookOpinion } from '../../protocol/hooks/hook.ts'
import type { Decision, PermissionMode } from '../../protocol/permissions/permission.ts'

/**
 * The rules' decision on a call after hooks had their say. Their `allow` takes the place of the mode's own question and of
 * nothing else; their `ask` makes a question of a permission. No denial is softened.
 *
 * @param usual the same decision as if the mode were `default`
 */
export function withOpinion(
  decision: Decision,
  opinion: HookOpinion | undefined,
  { mode, usual }: { readonly mode: PermissionMode; readonly usual: () => Decision },
): Decision {
  if (opinion === undefined || mode === 'plan') return decision
  const { behavior, reason } = opinion
  if (behavior === 'allow') {
    const asked = mode === 'dontAsk' && decision.behavior === 'deny' ? usual() : decision
    return isModesOwn(asked)
      ? { behavior: 'allow', source: 'hook', reason: reasonOf(reason, 'a hook allows it') }
      : decision
  }
  if (decision.behavior !== 'allow') return decision
  if (mode === 'dontAsk') return { behavior: 'deny', source: 'nobody', reason: 'dontAsk mode: a hook wants to ask' }
  return { behavior: 'ask', source: 'hook', reason: reasonOf(reason, 'a hook wants a person to be asked') }
}

/** A question that no rule and no bound asks, only the mode. */
export function isModesOwn({ behavior, source }: Decision): boolean {
  return behavior === 'ask' && source === 'mode'
}

function reasonOf(said: string, otherwise: string): string {
  return said === '' ? otherwise : `a hook says: ${said}`
}

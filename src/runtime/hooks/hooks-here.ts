import type { Hook } from '../../protocol/hooks/hook.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { UnhashedTeam } from '../../protocol/team/team-card.ts'
import { withinLimits } from '../../rules/hooks/http-limits.ts'
import { hookText } from '../../rules/hooks/read-hooks.ts'
import { isTrusted } from '../../rules/settings/settings-trust.ts'
import { countingHooks } from '../../rules/skills/skill-grants.ts'
import type { FoundSkill } from '../skills/found-skills.ts'

/** The hooks of a place: those that run, and those that nobody trusts yet. */
export interface HooksHere {
  readonly hooks: readonly Hook[]
  readonly waiting: readonly { readonly text: string; readonly at: string }[]
}

/**
 * Every hook of a place, whoever brings it: settings files, a team file with its cards, and skills. Those of a program are
 * its own.
 *
 * @example hooksHere(await loadRules({ cwd, home }), { team, skills: findSkills({ cwd, home }) }).hooks
 */
export function hooksHere(
  { hooks, hooksOff, hookLimits, untrusted, trusted }: Settings,
  { team, skills }: { readonly team?: UnhashedTeam | undefined; readonly skills: readonly FoundSkill[] },
): HooksHere {
  const written = [...(team?.hooks ?? []), ...(team?.members ?? []).flatMap((card) => card.hooks ?? [])]
  const brought = skills.flatMap(({ skill }) => (skill?.hooks === undefined ? [] : [{ skill, hooks: skill.hooks }]))
  const counting = [
    ...written.filter((hook) => isTrusted(trusted, hookText(hook))),
    ...brought.flatMap(({ skill }) => countingHooks(skill, trusted)),
  ]
  const others = [...written, ...brought.flatMap((each) => each.hooks)].filter((hook) => !counting.includes(hook))
  return {
    hooks: [
      ...hooks,
      ...withinLimits(
        counting.filter(({ source }) => !hooksOff.includes(source)),
        hookLimits,
      ),
    ],
    waiting: [
      ...untrusted.filter(({ kind }) => kind === 'hook'),
      ...others.map((hook) => ({ text: hookText(hook), at: hook.at })),
    ].map(({ text, at }) => ({ text, at })),
  }
}

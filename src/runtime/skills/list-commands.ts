import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { commandLine } from '../../rules/skills/called-commands.ts'
import type { SkillWish } from '../../protocol/skills/skill.ts'
import { findSkills } from './find-skills.ts'
import type { FoundSkill, SkillPlace } from './found-skills.ts'

/** The command that a text calls; null for any other text: `calledIn('/review HEAD~3')?.skill` → `review`. */
export function calledIn(text: string): SkillWish | null {
  return commandLine(text)
}

/** A command whose text goes to a member. */
export interface PromptCommand {
  readonly name: string
  readonly description: string
  readonly hint: string | undefined
  /** Where it stands, as people are told of it. */
  readonly path: string
  readonly source: FoundSkill['source']
  readonly kind: FoundSkill['kind']
}

/** The commands and skills that a person can call at a place: `promptCommands({ cwd, home }).map(({ name }) => name)`. */
export function promptCommands(place: SkillPlace): readonly PromptCommand[] {
  return findSkills(place).flatMap(({ state, skill, shown, source, kind }) => {
    if (state !== 'ready' || skill === null || skill.uncallable) return []
    const { name, description, argumentHint: hint } = skill
    return [{ name, description, hint, path: shown, source, kind }]
  })
}

/**
 * Why a task that calls a command cannot be given; null for one that can, and for any other text.
 *
 * @param local commands that do something else than speak to a member, and what to call instead
 */
export function commandProblem(task: string, place: SkillPlace, local: ReadonlyMap<string, string>): string | null {
  const called = commandLine(task)
  // Whether a server offers such a prompt, its member knows.
  if (called === null || called.skill.startsWith('mcp__')) return null
  const names = promptCommands(place).map(({ name }) => name)
  if (names.includes(called.skill)) return null
  const own = local.get(called.skill)
  if (own !== undefined) return `/${called.skill} speaks to no member: ${own}`
  const near = didYouMean(called.skill, names)
  const guess = near === undefined ? '' : `; did you mean /${near}?`
  return `there is no command /${called.skill}${guess} (troupe commands ls lists them; a blank before the slash makes it a text)`
}

import type { SkillFolder } from '../../adapters/teams/read-skill.ts'
import type { Skill } from '../../protocol/skills/skill.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'

/** A folder with a skill in it, and what became of it. */
export interface FoundSkill extends SkillFolder {
  /** `shadowed`: another skill of that name goes before it. */
  readonly state: 'ready' | 'shadowed' | 'refused'
  readonly skill: Skill | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Where skills are looked for. */
export interface SkillPlace {
  readonly cwd: string
  readonly home: string
}

/** Looks for the skills of a place. */
export type FindSkills = (place: SkillPlace) => readonly FoundSkill[]

/** The skills that count: `readySkills(findSkills(place)).map(({ name }) => name)`. */
export function readySkills(found: readonly FoundSkill[]): readonly Skill[] {
  return found.flatMap(({ state, skill }) => (state === 'ready' && skill !== null ? [skill] : []))
}

/** Whether this is the skill that a name means. */
export function isReady({ state, skill }: FoundSkill, name: string): boolean {
  return state === 'ready' && skill?.name === name
}

/** Why a skill cannot be opened, with the remedy. */
export function noSuchSkill(name: string, all: readonly FoundSkill[]): string {
  const refused = all.find(({ path, state }) => state === 'refused' && path.endsWith(`/${name}`))
  const [why] = refused?.diagnostics.filter(({ severity }) => severity === 'error') ?? []
  if (why !== undefined) return `the skill "${name}" cannot be used: ${why.file}:${why.line} ${why.message}`
  const names = readySkills(all).map((skill) => skill.name)
  const near = didYouMean(name, names)
  return `there is no skill "${name}"${near === undefined ? '' : `; did you mean "${near}"?`}`
}

import { skillFiles } from '../../adapters/teams/skill-folders.ts'
import type { Settings } from '../../protocol/permissions/settings.ts'
import type { SkillSource, Skill } from '../../protocol/skills/skill.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { countingRules } from '../../rules/skills/skill-grants.ts'
import { calledText, openSkillText, skillParts } from '../../rules/skills/skill-text.ts'
import { readSkill } from '../../adapters/teams/read-skill.ts'
import { foldersOfPlugin } from '../../rules/plugins/plugin-servers.ts'
import { findSkills, skillsAt } from './find-skills.ts'
import { isReady, noSuchSkill, type FoundSkill, type SkillPlace } from './found-skills.ts'

/** A skill in a list. */
export interface ListedSkill {
  readonly name: string
  readonly description: string
  readonly source: SkillSource
  readonly path: string
  readonly state: FoundSkill['state']
  /** A model is told of it. */
  readonly listed: boolean
  /** Rules of `allowed-tools`, and whether they count. */
  readonly allowed_tools: readonly { readonly rule: string; readonly counts: boolean }[]
  readonly diagnostics: readonly Diagnostic[]
}

/** All skills of a place, those that cannot be used included: `listSkills({ cwd, home }, settings.trusted)`. */
export function listSkills(place: SkillPlace, trusted: Settings['trusted']): readonly ListedSkill[] {
  return findSkills(place)
    .filter(({ kind }) => kind === 'skill')
    .map((found) => listed(found, trusted))
}

function listed(
  { skill, state, source, shown, path, diagnostics }: FoundSkill,
  trusted: Settings['trusted'],
): ListedSkill {
  const counting = skill === null ? [] : countingRules(skill, trusted)
  return {
    name: skill?.name ?? path.slice(path.lastIndexOf('/') + 1),
    description: skill?.description ?? '',
    source,
    path: shown,
    state,
    listed: skill !== null && !skill.unlisted,
    allowed_tools: (skill?.allow ?? []).map((rule) => ({ rule, counts: counting.includes(rule) })),
    diagnostics,
  }
}

/** One skill held against the specification. */
export interface CheckedSkill {
  readonly path: string
  readonly name: string
  /** False where something breaks the specification. */
  readonly ok: boolean
  /** True where the skill can be used all the same. */
  readonly loads: boolean
  readonly diagnostics: readonly Diagnostic[]
}

/** Checks the skills that paths name, or all of a place. */
export function checkedSkills(paths: readonly string[], place: SkillPlace): readonly CheckedSkill[] {
  const all = () => findSkills(place).filter(({ kind }) => kind === 'skill')
  const found = paths.length === 0 ? all() : paths.flatMap((path) => skillsAt(path, place))
  return found.map(({ skill, path, shown, diagnostics }) => ({
    path: shown,
    name: skill?.name ?? path.slice(path.lastIndexOf('/') + 1),
    ok: diagnostics.every(({ severity }) => severity !== 'error'),
    loads: skill !== null,
    diagnostics,
  }))
}

/** A skill as a model reads it, with its commands unrun. */
export interface ShownSkill extends Pick<Skill, 'name' | 'kind' | 'source' | 'folder' | 'allow' | 'deny' | 'model'> {
  readonly description: string
  readonly text: string
  /** Commands that run when a model opens it. */
  readonly commands: readonly string[]
}

/** `trouble`: why there is no such skill, and what was meant. */
export function shownSkill(
  name: string,
  args: readonly string[],
  place: SkillPlace,
): ShownSkill | { readonly trouble: string } {
  const all = findSkills(place)
  const found = all.find((each) => isReady(each, name))
  const skill = found?.skill ?? null
  if (found === undefined || skill === null) return { trouble: noSuchSkill(name, all) }
  const ofPlugin = skill.pluginRoot === undefined ? {} : foldersOfPlugin(skill.pluginRoot)
  const variables = { CLAUDE_SKILL_DIR: skill.folder, CLAUDE_PROJECT_DIR: place.cwd, ...ofPlugin }
  const { kind, argumentNames } = skill
  const parts = skillParts(readSkill(found).body, { args: args.map(quoted).join(' '), argumentNames, variables, kind })
  const body = parts
    .map((part) => {
      if ('text' in part) return part.text
      return 'path' in part ? `@${part.path}` : `!\`${part.command}\``
    })
    .join('')
  return {
    name: skill.name,
    kind,
    ...(skill.model === undefined ? {} : { model: skill.model }),
    source: skill.source,
    folder: skill.folder,
    description: skill.description,
    allow: skill.allow,
    deny: skill.deny,
    text:
      kind === 'command'
        ? calledText({ name, entry: 'entry', body })
        : openSkillText({ ...skill, body, files: skillFiles(skill.folder) }),
    commands: parts.flatMap((part) => ('command' in part ? [part.command] : [])),
  }
}

function quoted(word: string): string {
  return /\s/.test(word) ? JSON.stringify(word) : word
}

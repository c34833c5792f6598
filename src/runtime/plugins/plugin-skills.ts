import { join } from 'node:path'
import type { SkillFolder } from '../../adapters/teams/read-skill.ts'
import { commandFiles, holdsSkill, subfolders } from '../../adapters/teams/skill-folders.ts'
import type { PluginContent } from '../../protocol/plugins/plugin.ts'
import type { SkillKind } from '../../protocol/skills/skill.ts'

/** The skills and commands that a plugin brings, trusted or not. */
export function skillsOfPlugin({ name, root, commands, skills }: PluginContent): readonly SkillFolder[] {
  const shown = (path: string): string => `plugin ${name} ${path.slice(root.length + 1)}`
  const folder = (kind: SkillKind, path: string): SkillFolder => {
    return { kind, path, shown: shown(path), source: 'plugin', root, foreign: true, plugin: { name, root } }
  }
  const ofCommands = commands.flatMap((at) =>
    at.endsWith('.md') ? [at] : commandFiles(at).map((path) => join(at, path)),
  )
  const ofSkills = skills.flatMap((at) =>
    holdsSkill(at)
      ? [at]
      : subfolders(at)
          .names.map((path) => join(at, path))
          .filter(holdsSkill),
  )
  return [...ofCommands.map((path) => folder('command', path)), ...ofSkills.map((path) => folder('skill', path))]
}

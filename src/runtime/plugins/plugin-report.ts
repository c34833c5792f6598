import { skillHead } from '../../adapters/teams/skill-folders.ts'
import type { PluginContent, PluginProblem } from '../../protocol/plugins/plugin.ts'
import { pluginOpenings } from '../../rules/plugins/plugin-grants.ts'
import { foldersOfPlugin } from '../../rules/plugins/plugin-servers.ts'
import { skillsOfPlugin } from './plugin-skills.ts'

/** A plugin in words: what it brings, what it would open, what is wrong with it. Plain data. */
export interface PluginReport {
  readonly name: string
  readonly version: string | null
  readonly description: string
  /** Names, as a person and a team file write them. */
  readonly commands: readonly string[]
  readonly skills: readonly string[]
  readonly agents: readonly string[]
  readonly teams: readonly string[]
  readonly servers: readonly string[]
  readonly hooks: number
  /** A line for each program that would run, each server, each rule that would allow something. */
  readonly openings: readonly string[]
  /** Mistakes: these parts cannot be used. */
  readonly problems: readonly PluginProblem[]
  /** Parts that mean nothing here. */
  readonly unheeded: readonly PluginProblem[]
}

/** Reads the commands and skills of a plugin as well: `pluginReport(content).openings`. */
export function pluginReport(content: PluginContent): PluginReport {
  const { name, version, description, agents, teams, servers, hooks } = content
  const heads = skillsOfPlugin(content).map(skillHead)
  const skills = heads.flatMap(({ skill }) => (skill === null ? [] : [skill]))
  const refused = heads.filter(({ skill }) => skill === null).flatMap(({ diagnostics }) => diagnostics)
  const called = (kind: 'command' | 'skill'): readonly string[] =>
    skills.filter((skill) => skill.kind === kind).map((skill) => skill.name)
  return {
    name,
    version,
    description,
    commands: called('command'),
    skills: called('skill'),
    agents: [...agents.keys()].map((agent) => `${name}:${agent}`),
    teams: [...teams.keys()].map((team) => `${name}:${team}`),
    servers: servers.map((server) => server.name),
    hooks: hooks.length,
    // The folder is another after adding; what is trusted is its content.
    openings: pluginOpenings(content, skills).map((line) => withoutFolders(line, content.root)),
    problems: [
      ...content.problems,
      ...refused.map(({ file, line, message }) => ({ file: `${file}:${line}`, message })),
    ],
    unheeded: content.unheeded,
  }
}

function withoutFolders(line: string, root: string): string {
  const folders = Object.entries(foldersOfPlugin(root))
  return folders.reduce((text, [name, folder]) => text.replaceAll(folder, `\${${name}}`), line)
}

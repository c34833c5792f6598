import { readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Skill, SkillKind, SkillSource } from '../../protocol/skills/skill.ts'
import type { Diagnostic } from '../../protocol/words/diagnostic.ts'
import { isInside } from '../../rules/paths/path-inside.ts'
import { withPluginRoot } from '../../rules/plugins/plugin-servers.ts'
import { readHead } from '../../rules/skills/skill-head.ts'
import { errorCode } from '../fs/error-code.ts'
import { readFrontmatter } from './frontmatter.ts'
import { isSource, readSource, type Source } from './read-source.ts'

/** A folder that may hold a skill, or a file that may be a command. */
export interface SkillFolder {
  readonly kind: SkillKind
  /** Absolute, as it was found. */
  readonly path: string
  /** How people are told of it. */
  readonly shown: string
  readonly source: SkillSource
  /** The folder outside of which no file is read; null for a person's own skills. */
  readonly root: string | null
  /** True in a folder of Claude Code. */
  readonly foreign: boolean
  /** The plugin that brings it. */
  readonly plugin?: { readonly name: string; readonly root: string }
}

/** A skill as it was read. */
export interface SkillRead {
  /** Null where it cannot be used; then a diagnostic says why. */
  readonly skill: Skill | null
  readonly body: string
  /** Of the SKILL.md. */
  readonly text: string
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Reads one skill: its SKILL.md, judged by the Agent Skills specification, or one command, whose head may be left out. Nothing is thrown for what lies there, and no file
 * that the text names is opened.
 *
 * @source https://agentskills.io/specification
 */
export function readSkill(folder: SkillFolder): SkillRead {
  const isCommand = folder.kind === 'command'
  const file = isCommand ? folder.path : join(folder.path, skillFile(folder.path))
  const shown = isCommand ? folder.shown : join(folder.shown, basename(file))
  const outside = leadsOut(folder, file)
  const source = outside === null ? readSource(shown, file) : mistake(shown, 'outside', outside)
  const read = isSource(source) ? judged(folder, source) : { ...nothing, diagnostics: [missing(source)] }
  return { ...read, diagnostics: read.diagnostics.map(withCure) }
}

const cures: Readonly<Record<string, string>> = {
  yaml_syntax: 'a text that begins with one of [ { * & ! | > @ % `, or holds ": ", needs quotes',
  no_frontmatter: 'begin with the lines "---", "name: …", "description: …", "---"',
  not_utf8: 'save the file as UTF-8',
  unreadable: 'let yourself read the file',
}

function withCure(found: Diagnostic): Diagnostic {
  const cure = cures[found.code]
  return found.hint === undefined && cure !== undefined ? { ...found, hint: cure } : found
}

const nothing = { skill: null, body: '', text: '' } as const

function judged(folder: SkillFolder, source: Source): SkillRead {
  const { kind } = folder
  const parts = readFrontmatter(kind === 'command' ? headed(source) : source, `a ${kind}`, 'failsafe')
  if (!('yaml' in parts)) return { ...nothing, ...parts }
  const { yaml, body } = parts
  const isBroken = yaml.diagnostics.some(({ severity }) => severity === 'error')
  if (isBroken) return { ...nothing, diagnostics: yaml.diagnostics }
  const firstLine = body.split('\n').find((line) => line.trim() !== '') ?? ''
  const folderName = basename(folder.path, kind === 'command' ? '.md' : '')
  const place = { folderName, kind, firstLine: firstLine.replace(/^#+\s*/, '').trim(), foreign: folder.foreign }
  const { head, mistakes } = readHead(yaml.value, place)
  const diagnostics = [
    ...yaml.diagnostics,
    ...mistakes.map(({ key, refuses: _, hint, ...what }): Diagnostic => ({
      ...what,
      ...(hint === undefined ? {} : { hint }),
      file: source.file,
      ...yaml.place(key === null ? [] : [key], what.code === 'unknown_key' ? 'key' : 'value'),
    })),
  ]
  if (head === null) return { ...nothing, diagnostics }
  const root = realpathSync.native(folder.path)
  const hooks = head.hooks?.map((hook) => ({ ...hook, root, at: source.path }))
  const own = { ...head, ...(hooks && { hooks }), kind, source: folder.source, folder: root, file: source.path }
  const skill = folder.plugin === undefined ? own : ofPlugin(own, folder.plugin)
  return { skill, body, text: source.text, diagnostics }
}

/** A skill of a plugin is called by both names, and knows where its plugin is. */
function ofPlugin(skill: Skill, { name, root }: NonNullable<SkillFolder['plugin']>): Skill {
  const hooks = skill.hooks?.map((hook) => ({ ...hook, spec: withPluginRoot(hook.spec, root) }))
  return { ...skill, ...(hooks && { hooks }), name: `${name}:${skill.name}`, pluginRoot: root }
}

/** A command with a head: one that says nothing where it has none, or an empty one. */
function headed(source: Source): Source {
  if (/^---[ \t]*\r?\n(?!---)/.test(source.text)) return source
  return { ...source, text: `---\n{}\n---\n${source.text.replace(/^---[ \t]*\r?\n---[ \t]*(\r?\n|$)/, '')}` }
}

/** The file's name: `SKILL.md`, or `skill.md` where only that is there. */
function skillFile(path: string): string {
  const names = readable(path)
  return names.includes('SKILL.md') || !names.includes('skill.md') ? 'SKILL.md' : 'skill.md'
}

function readable(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch {
    // Reading the file itself says what is wrong.
    return []
  }
}

/** A link that leads out of the project could show an agent any file there is. */
function leadsOut({ root }: SkillFolder, file: string): string | null {
  if (root === null) return null
  try {
    const real = realpathSync.native(file)
    return isInside(realpathSync.native(root), real) ? null : `it leads to ${real}, outside of its project`
  } catch (error) {
    return errorCode(error) === undefined ? 'where it leads cannot be found out' : null
  }
}

function missing(found: Diagnostic): Diagnostic {
  if (found.code !== 'not_found') return found
  return {
    ...found,
    code: 'no_skill_file',
    message: 'there is no SKILL.md',
    hint: 'a skill is a folder with a SKILL.md',
  }
}

function mistake(file: string, code: string, message: string): Diagnostic {
  return { severity: 'error', code, message, file, line: 1, column: 1, hint: 'put the folder itself there' }
}

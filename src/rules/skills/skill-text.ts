import type { SkillKind } from '../../protocol/skills/skill.ts'
import { withoutTags } from '../conversation/frame-tag.ts'

/** The values that stand for placeholders in the text of a skill. */
export interface SkillValues {
  /** As they were given with the name of the skill. */
  readonly args: string
  /** Names for the first, second … argument. */
  readonly argumentNames: readonly string[]
  /** `${CLAUDE_SKILL_DIR}` and the like, by name. */
  readonly variables: Readonly<Record<string, string>>
  /** In a command `$1` is the first argument and `@file` a file; in a skill `$0` is, and `@` a letter. */
  readonly kind: SkillKind
}

/** A part of a skill's text: words, or a command or a file in whose place its output or content stands. */
export type SkillPart = { readonly text: string } | { readonly command: string } | { readonly path: string }

/**
 * Parts the text of a skill at its commands, `` !`git status` `` in a line or a block fenced with `` ```! ``, that of a command
 * at its files, too, `@src/main.ts`, and fills its placeholders in. What is filled in makes no further command and is not filled in again. Other fenced code stays as it is,
 * but for placeholders.
 *
 * @source https://code.claude.com/docs/en/skills
 * @example skillParts('Fix $0. !`git log`', { args: 'it', argumentNames: [], variables: {}, kind: 'skill' }) // [{ text: 'Fix it. ' }, { command: 'git log' }]
 */
export function skillParts(body: string, values: SkillValues): readonly SkillPart[] {
  const fill = filling(values)
  const parts = partsIn(body, values.kind).map((part): SkillPart => {
    if ('text' in part) return { text: fill.in(part.text) }
    return 'path' in part ? { path: fill.in(part.path) } : { command: fill.in(part.command) }
  })
  return values.args === '' || fill.took() ? parts : [...parts, { text: `\n\nARGUMENTS: ${values.args}` }]
}

const special: Readonly<Record<SkillKind, RegExp>> = {
  skill: /(^|\s)!`([^`\n]+)`/g,
  // A sentence goes on behind a file.
  command: /(^|\s)(?:!`([^`\n]+)`|@((?:\$\w+|\$\{\w+\}|[\w./~-])(?:[^\s`"'<>|]*[\w/])?))/g,
}

function partsIn(body: string, kind: SkillKind): readonly SkillPart[] {
  const parts: SkillPart[] = []
  let words = ''
  const add = (part: SkillPart): void => {
    parts.push({ text: words }, part)
    words = ''
  }
  const command = (line: string): void => add({ command: line })
  let fence: { readonly mark: string; readonly lines: string[] | null } | null = null
  for (const line of body.split(/(?<=\n)/)) {
    const [, mark = '', info = ''] = /^\s*(`{3,}|~{3,})[ \t]*([^\n`]*)/.exec(line) ?? []
    if (fence !== null) {
      const closes = mark.startsWith(fence.mark) && info.trim() === ''
      if (closes && fence.lines !== null) command(fence.lines.join('').trim())
      else if (fence.lines === null) words += line
      else fence.lines.push(line)
      if (closes) fence = null
    } else if (mark !== '') {
      fence = { mark, lines: info.trim() === '!' ? [] : null }
      if (fence.lines === null) words += line
    } else {
      let from = 0
      for (const { 0: whole, 1: before = '', 2: inside, 3: path = '', index } of line.matchAll(special[kind])) {
        words += line.slice(from, index) + before
        if (inside === undefined) add({ path })
        else command(inside.trim())
        from = index + whole.length
      }
      words += line.slice(from)
    }
  }
  return [...parts, { text: words + (fence?.lines ? `\`\`\`!\n${fence.lines.join('')}` : '') }].filter(
    (part) => !('text' in part) || part.text !== '',
  )
}

/** Fills placeholders in; `took` once one of them was about arguments. A backslash before one lets it stand. */
function filling({ args, argumentNames, variables, kind }: SkillValues) {
  const given = argumentsIn(args)
  const names = argumentNames.length === 0 ? '' : `|(?:${argumentNames.join('|')})\\b`
  const placeholder = new RegExp(String.raw`(\\?)\$(ARGUMENTS\b(?:\[\d+\])?|\d+\b|\{\w+\}${names})`, 'g')
  let taken = false
  const value = (what: string): string | null => {
    if (what.startsWith('{')) return variables[what.slice(1, -1)] ?? null
    if (what === 'ARGUMENTS') return args
    const named = argumentNames.indexOf(what)
    const first = kind === 'command' && /^\d/.test(what) ? 1 : 0
    const at = named === -1 ? Number(/\d+/.exec(what)?.[0]) - first : named
    // Without arguments `$1` is more likely meant for a shell.
    return args === '' && /^\d/.test(what) ? null : (given[at] ?? '')
  }
  return {
    in: (text: string): string =>
      text.replace(placeholder, (whole, escape: string, what: string) => {
        const found = value(what)
        if (found === null) return whole
        if (escape !== '') return whole.slice(1)
        if (!what.startsWith('{')) taken = true
        return found
      }),
    took: () => taken,
  }
}

/** `fix "two words"` → `['fix', 'two words']` */
function argumentsIn(args: string): readonly string[] {
  return [...args.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double?.replace(/\\(.)/g, '$1') ?? single ?? plain ?? '',
  )
}

/** An open skill as a model reads it. */
export interface OpenSkill {
  readonly name: string
  readonly folder: string
  readonly body: string
  /** The other files of it, relative to its folder. */
  readonly files: readonly string[]
  readonly compatibility?: string | undefined
}

/** Frames an open skill; nothing in it closes the frame. */
export function openSkillText({ name, folder, body, files, compatibility }: OpenSkill): string {
  const about = [
    `Its folder is ${folder}; paths in it start there.`,
    ...(compatibility === undefined ? [] : [`It needs: ${compatibility}`]),
    ...(files.length === 0 ? [] : [`Its files, read them when you need them: ${files.join(', ')}`]),
  ]
  return [
    `<skill name="${name}">`,
    withoutTags(body.trim(), 'skill'),
    '</skill>',
    ...about.map((line) => withoutTags(line, 'skill')),
  ].join('\n')
}

/**
 * Frames the text of a command that a person called; nothing in it closes the frame.
 * @param entry the journal entry in which it was called
 */
export function calledText({
  name,
  entry,
  body,
}: {
  readonly name: string
  readonly entry: string
  readonly body: string
}): string {
  return [`<command name="${name}" of="${entry}">`, withoutTags(body.trim(), 'command'), '</command>'].join('\n')
}

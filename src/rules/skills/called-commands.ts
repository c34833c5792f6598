import { textOf, type UserMessage } from '../../protocol/conversation/message.ts'
import type { SkillWish } from '../../protocol/skills/skill.ts'
import { logOf, unansweredCalls, type Conversation } from '../conversation/context-window.ts'
import { isFromPerson, unframedBody } from '../conversation/mail-frame.ts'

/**
 * Reads a line that calls a command. A text that only begins with a path is none; a blank before the slash makes it a text.
 *
 * @example commandLine('/review HEAD~3') // { skill: 'review', args: 'HEAD~3' }
 */
export function commandLine(text: string): SkillWish | null {
  const [, skill, args = ''] = /^\/([\p{L}\p{N}][\p{L}\p{N}_.:-]*)(?:\s+([^]*))?$/u.exec(text.trimEnd()) ?? []
  return skill === undefined ? null : { skill, args: args.trim() }
}

/** A command that a person called, and the entry in which that was said. */
export interface CalledCommand extends SkillWish {
  readonly entry: string
}

/** The commands that persons have called since the agent last spoke, and whose text it has not read. */
export function calledCommands(conversation: Conversation): readonly CalledCommand[] {
  if (unansweredCalls(conversation).length > 0) return []
  const log = logOf(conversation)
  const called: CalledCommand[] = []
  const read = new Set<string>()
  for (let at = log.length - 1; at >= 0; at -= 1) {
    const { id: entry, message } = log[at] ?? {}
    if (entry === undefined || message?.role !== 'user') break
    const [, of] =
      message.origin === 'runtime' ? (/^<command name="[^"]*" of="([^"]*)">/.exec(textOf(message)) ?? []) : []
    if (of !== undefined) read.add(of)
    const wish = commandLine(wordsOf(message))
    if (wish !== null && !read.has(entry)) called.unshift({ ...wish, entry })
  }
  return called
}

/** The words of a person; empty where somebody else speaks. */
function wordsOf(message: UserMessage): string {
  const text = textOf(message)
  if (message.origin === 'person') return text
  if (message.origin !== 'runtime' || !isFromPerson(text)) return ''
  return unframedBody(text.slice(0, text.lastIndexOf('</message>') + '</message>'.length)) ?? ''
}

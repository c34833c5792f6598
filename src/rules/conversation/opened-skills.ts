import { textOf, type ToolResult } from '../../protocol/conversation/message.ts'
import { isShortened } from './short-message.ts'

/** A skill as it was opened: the call, and what the model read. */
export interface OpenedOnce {
  readonly call: string
  readonly text: string
}

/** Notes a skill that a result shows. A result that was shortened since tells nothing new. */
export function noteSkill(skills: Map<string, OpenedOnce>, result: ToolResult): void {
  if (result.tool !== 'Skill' || result.is_error || isShortened(result)) return
  const text = textOf(result)
  const [, name] = /^<skill name="([^"]+)">/.exec(text) ?? []
  if (name === undefined) return
  skills.delete(name)
  skills.set(name, { call: result.call_id, text })
}

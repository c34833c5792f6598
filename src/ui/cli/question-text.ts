import { callLabel } from '../../projections/call-label.ts'
import type { Question } from '../../protocol/port.ts'
import type { Paint } from './colour.ts'
import { plainText } from './plain-text.ts'

const longestInput = 2_000

/**
 * A question as the person reads it: who wants to do what, with which input, and what made it a question.
 * Everything in it was written by a model, so control characters go.
 */
export function questionText({ member, call, decision }: Question, paint: Paint): string {
  const rule =
    decision.rule === undefined ? decision.reason : `${decision.rule} (${decision.source}): ${decision.reason}`
  return [
    '',
    paint('bold', plainText(`${member} wants to use ${call.tool}`)),
    ...inputLines(call.tool, call.input).map((line) => `  ${line}`),
    paint('dim', plainText(`asked because: ${rule}`)),
  ].join('\n')
}

function inputLines(tool: string, input: unknown): readonly string[] {
  const label = callLabel(tool, input)
  const subject = label === tool ? '' : label.slice(tool.length + 1, -1)
  const whole = isPlainCommand(input) ? subject : (JSON.stringify(input, null, 2) ?? '')
  return cut(plainText(whole)).split('\n')
}

/** A command, alone or described, is shown as it would run; any other input is shown whole. */
function isPlainCommand(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || !('command' in input)) return false
  return Object.keys(input).every((key) => key === 'command' || key === 'description' || key === 'timeout')
}

function cut(text: string): string {
  if (text.length <= longestInput) return text
  return `${text.slice(0, longestInput)}\n… ${text.length - longestInput} more characters`
}

import { callLabel } from '../../../projections/screen/call-label.ts'
import { ownQuestion } from '../../../protocol/tools/own-question.ts'
import type { Question } from '../../../protocol/port.ts'
import { changeText } from './change-text.ts'
import type { Paint } from '../../text/colour.ts'
import { plainText } from '../../text/plain-text.ts'

const longestInput = 2_000
const longestChange = 6_000
const longestTask = 200

/** The told part of a question: live from an approver, or from the file in which the question waits. */
export interface Telling extends Pick<Question, 'member' | 'decision' | 'task' | 'near'> {
  readonly call: Pick<Question['call'], 'tool' | 'input'>
}

/**
 * A question as the person reads it: who wants to do what for which task, with which input (an edit as the change it
 * makes), what made it a question, and the rules nearest to it. Everything in it was written by a model, so control
 * characters go.
 * @param cwd Where the member works.
 */
export async function questionText(question: Telling, cwd: string, paint: Paint): Promise<string> {
  const { member, call, decision, task = '', near } = question
  const rule =
    decision.rule === undefined ? decision.reason : `${decision.rule} (${decision.source}): ${decision.reason}`
  const change = await changeText(call.tool, call.input, cwd)
  const whole = planIn(call) ?? askedIn(call) ?? (change === null ? null : cut(change, longestChange))
  const shown = whole === null ? inputLines(call.tool, call.input) : plainText(whole).split('\n')
  return [
    '',
    paint('bold', plainText(`${member} ${wishOf(call)}`)),
    ...(task === '' ? [] : [paint('dim', plainText(`for the task: ${oneLine(task)}`))]),
    ...shown.map((line) => `  ${line}`),
    paint('dim', plainText(`asked because: ${rule}`)),
    ...near.map(({ behavior, source, rule: text }) => paint('dim', plainText(`${behavior} rule: ${text} (${source})`))),
  ].join('\n')
}

/** A member's wish in a few words: `wants to use Bash`. */
function wishOf(call: Telling['call']): string {
  if (askedIn(call) !== null) return 'asks'
  return planIn(call) === null ? `wants to use ${call.tool}` : 'proposes a plan'
}

function askedIn(call: Telling['call']): string | null {
  const own = ownQuestion(call)
  return own && [own.question, ...own.options.map((option, n) => `${n + 1}. ${option}`)].join('\n')
}

/** A plan is approved as a whole, so all of it is shown. */
function planIn({ tool, input }: Telling['call']): string | null {
  if (tool !== 'ExitPlanMode' || typeof input !== 'object' || input === null || !('plan' in input)) return null
  return typeof input.plan === 'string' ? input.plan : null
}

function inputLines(tool: string, input: unknown): readonly string[] {
  const label = callLabel(tool, input)
  const subject = label === tool ? '' : label.slice(tool.length + 1, -1)
  const whole = isPlainCommand(input) ? subject : (JSON.stringify(input, null, 2) ?? '')
  return cut(plainText(whole), longestInput).split('\n')
}

/** A command, alone or described, is shown as it would run; any other input is shown whole. */
function isPlainCommand(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || !('command' in input)) return false
  return Object.keys(input).every((key) => key === 'command' || key === 'description' || key === 'timeout')
}

function oneLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > longestTask ? `${line.slice(0, longestTask)}…` : line
}

function cut(text: string, longest: number): string {
  if (text.length <= longest) return text
  return `${text.slice(0, longest)}\n… ${text.length - longest} more characters`
}

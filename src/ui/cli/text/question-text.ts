import type { Behind, NearRule } from '../../../protocol/permissions/approval-file.ts'
import { askedLines, ownQuestion } from '../../../protocol/tools/own-question.ts'
import type { Question } from '../../../protocol/port.ts'
import { plainText, visibleText } from '../../text/plain-text.ts'
import type { Paint } from '../../text/terminal-text.ts'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'

const longestTask = 200

/** The told part of a question: live from an approver, or from the file in which the question waits. */
export interface Telling extends Pick<Question, 'member' | 'decision' | 'task' | 'behind' | 'near' | 'grants'> {
  readonly call: Pick<Question['call'], 'tool' | 'input'>
}

/**
 * A question as the person reads it: who wants to do what for which task, with which input (an edit as the change it
 * makes), what made it a question, the rules nearest to it, and those that a yes for always would save. The input is
 * there to its last character; what a terminal would obey is written out.
 * @param cwd Where the member works.
 */
export async function questionText(question: Telling, cwd: string, paint: Paint): Promise<string> {
  const { member, call, decision, task = '', behind = [], near, grants } = question
  const rule =
    decision.rule === undefined
      ? decision.reason
      : `${decision.rule} (${decision.of ?? decision.source}): ${decision.reason}`
  const change = await changeText(call.tool, call.input, cwd)
  const whole = planIn(call) ?? askedIn(call) ?? change ?? inputText(call)
  return [
    '',
    paint('bold', plainText(`${member} ${wishOf(call)}`)),
    ...(task === '' ? [] : [paint('dim', plainText(`for the task: ${oneLine(task)}`))]),
    ...behind.map((each) => paint('bold', plainText(behindText(each)))),
    ...visibleText(whole)
      .split('\n')
      .map((line) => `  ${line}`),
    // A member's own question is asked, and its plan is shown, under every rule.
    ...(askedIn(call) === null && planIn(call) === null ? [`asked because: ${rule}`, ...near.map(nearText)] : []).map(
      (line) => paint('dim', plainText(line)),
    ),
    ...(grants.save.length === 0 ? [] : [plainText(savedText(grants.save))]),
  ].join('\n')
}

/** A message of another member that led to the call: a person who says yes says it to that member, too. */
function behindText({ from, kind, text, for: others = [] }: Behind): string {
  const whom = others.length === 0 ? '' : `, who acts for ${others.join(' and ')}`
  return `because of a message (${kind}) of ${from}${whom}: ${text}`
}

/** A member's wish in a few words: `wants to use Bash`. */
function wishOf(call: Telling['call']): string {
  if (askedIn(call) !== null) return 'asks'
  return planIn(call) === null ? `wants to use ${call.tool}` : 'proposes a plan'
}

function askedIn(call: Telling['call']): string | null {
  const own = ownQuestion(call)
  return own && askedLines(own).join('\n')
}

/** A plan is approved as a whole, so all of it is shown. */
function planIn({ tool, input }: Telling['call']): string | null {
  if (tool !== 'ExitPlanMode' || typeof input !== 'object' || input === null || !('plan' in input)) return null
  return typeof input.plan === 'string' ? input.plan : null
}

/** A rule that has something to say about the call, or is only like one that had. */
function nearText({ behavior, source, rule, why }: NearRule): string {
  return why === undefined
    ? `similar ${behavior} rule, does not match: ${rule} (${source})`
    : `${behavior} rule: ${rule} (${source}) ${why}`
}

/**
 * The rules that a yes for always saves, and where.
 * @example savedText(['Bash(npm test:*)']) // 'always allows Bash(npm test:*): saved in .troupe/settings.local.json'
 */
function savedText(rules: readonly string[]): string {
  const shown = rules.map((rule) => rule.replace(/ #sha256:[0-9a-f]{64}\)$/, ') until it changes'))
  return `always allows ${shown.join(' and ')}: saved in .troupe/settings.local.json`
}

function inputText({ input }: Telling['call']): string {
  return plainCommand(input) ?? JSON.stringify(input, null, 2) ?? ''
}

/** A command, alone or described, is shown as it would run; any other input is shown whole. */
function plainCommand(input: unknown): string | null {
  if (typeof input !== 'object' || input === null || !('command' in input)) return null
  const plain = Object.keys(input).every((key) => key === 'command' || key === 'description' || key === 'timeout')
  return plain && typeof input.command === 'string' ? input.command : null
}

function oneLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? ''
  return line.length > longestTask ? `${line.slice(0, longestTask)}…` : line
}

/** The change of a file that a call would make. */
interface Change {
  readonly file: string
  readonly before: string
  readonly after: string
}

const largest = 512 * 1024

/**
 * The change that an editing call would make, as a unified diff against the file as it is now, or null when the call
 * changes no file or the change cannot be shown. Nothing is written.
 *
 * @param cwd Where the member works.
 * @example await changeText('Write', { file_path: 'a.txt', content: 'new' }, '/home/ann/shop')
 */
export async function changeText(tool: string, input: unknown, cwd: string): Promise<string | null> {
  const change = changeOf(tool, input, cwd)
  if (change === null) return null
  // Loaded when somebody is asked about an edit.
  const { createTwoFilesPatch } = await import('diff')
  const { file, before, after } = change
  const patch = createTwoFilesPatch(file, file, before, after, '', '', { context: 3 })
  return patch.slice(patch.indexOf('---')).trimEnd()
}

function changeOf(tool: string, input: unknown, cwd: string): Change | null {
  if (typeof input !== 'object' || input === null) return null
  const fields = input as Record<string, unknown>
  const { file_path: path, content } = fields
  if (typeof path !== 'string') return null
  const before = textOf(resolve(cwd, path))
  if (before === null) return null
  if (tool === 'Write') return typeof content === 'string' ? { file: path, before, after: content } : null
  if (tool !== 'Edit' && tool !== 'MultiEdit') return null
  const after = edited(before, tool === 'Edit' ? [fields] : fields['edits'])
  return after === null ? null : { file: path, before, after }
}

/** An edit that does not fit fails when it runs; there is no change to show then. */
function edited(text: string, edits: unknown): string | null {
  if (!Array.isArray(edits)) return null
  let after = text
  for (const edit of edits as readonly unknown[]) {
    const { old_string: old, new_string: fresh, replace_all: all } = (edit ?? {}) as Record<string, unknown>
    if (typeof old !== 'string' || typeof fresh !== 'string' || old === '' || !after.includes(old)) return null
    after = all === true ? after.replaceAll(old, () => fresh) : after.replace(old, () => fresh)
  }
  return after
}

/** Empty for a file that is not there yet; null for one that is no text of a size that people read. */
function textOf(file: string): string | null {
  if (!existsSync(file)) return ''
  const status = statSync(file)
  if (!status.isFile() || status.size > largest) return null
  const text = readFileSync(file, 'utf8')
  return text.includes('\0') ? null : text
}

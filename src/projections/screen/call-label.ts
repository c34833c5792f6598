import { isRecord } from '../../protocol/words/is-record.ts'

/** The argument that tells a reader most about a call, in the order in which they are looked for. */
const telling = [
  'command',
  'file_path',
  'pattern',
  'path',
  'url',
  'to',
  'worker',
  'subject',
  'query',
  'question',
] as const

/**
 * A call in a few words: `callLabel('Bash', { command: 'git log' })` → `Bash(git log)`. A delegation names its
 * workers; a call without a telling argument is its tool's name alone.
 */
export function callLabel(tool: string, input: unknown): string {
  const subject = subjectOf(input)
  return subject === null ? tool : `${tool}(${subject})`
}

function subjectOf(input: unknown): string | null {
  if (!isRecord(input)) return null
  for (const name of telling) {
    const value = input[name]
    if (typeof value === 'string' && value !== '') return value
  }
  const { id, subtasks, questions } = input
  return workersOf(subtasks) ?? questionsIn(questions) ?? (typeof id === 'number' ? String(id) : null)
}

function questionsIn(questions: unknown): string | null {
  if (!Array.isArray(questions)) return null
  const asked = questions.flatMap((each: { question?: unknown } | null) =>
    typeof each?.question === 'string' ? [each.question] : [],
  )
  return asked.length > 0 ? asked.join(' · ') : null
}

function workersOf(subtasks: unknown): string | null {
  if (!Array.isArray(subtasks)) return null
  const names = subtasks.flatMap((subtask: { worker?: unknown } | null) =>
    typeof subtask?.worker === 'string' ? [subtask.worker] : [],
  )
  return names.length > 0 ? names.join(', ') : null
}

import { errorText } from '../../protocol/words/error-text.ts'
import type { ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import { isRecord } from '../../protocol/words/is-record.ts'

/** The part of a call's input that a person changes, as text: a command, a plan, else all of it as JSON. */
const spoken = ['command', 'plan'] as const

type Call = Pick<ApprovalFile, 'input'>

function partOf({ input }: Call): (typeof spoken)[number] | null {
  return isRecord(input) ? (spoken.find((name) => typeof input[name] === 'string') ?? null) : null
}

/** `changeableText({ input: { command: 'ls' } })` → `ls` */
export function changeableText(call: Call): string {
  const part = partOf(call)
  const fields = call.input as Readonly<Record<string, unknown>>
  return part === null ? (JSON.stringify(call.input, null, 2) ?? '') : String(fields[part])
}

/** The name of a file that has the text, for an editor that goes by names. */
export function changeableName(call: Call): string {
  return { command: 'command.sh', plan: 'plan.md', input: 'input.json' }[partOf(call) ?? 'input']
}

/** The input that a changed text makes. @returns words where it is no input */
export function changedInput(call: Call, text: string): { readonly input: unknown } | { readonly trouble: string } {
  const part = partOf(call)
  const fields = call.input as Readonly<Record<string, unknown>>
  if (part !== null)
    return text.trim() === '' ? { trouble: `the ${part} is empty` } : { input: { ...fields, [part]: text.trimEnd() } }
  try {
    const input: unknown = JSON.parse(text)
    return isRecord(input) ? { input } : { trouble: 'an input is an object: { … }' }
  } catch (error) {
    return { trouble: `the input is no JSON: ${errorText(error)}` }
  }
}

import { resolve } from 'node:path'
import { readInstructions, readTouched, type InstructionPlaces } from '../../adapters/instructions/read-instructions.ts'
import { callsOf, textOf, userMessage, type Message } from '../../protocol/conversation/message.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import { contextText, volatileSection } from '../../rules/prompt/section.ts'

/** A member as it is told what holds for the files that it touches. */
interface TouchingMember extends InstructionPlaces {
  readonly cwd: string
  /** The conversation as the model sees it now. */
  messages(): readonly Message[]
  note(fact: Fact): void
  /** Hears which files were told because of a touch; absent where nobody wants to know. */
  loaded?(files: readonly string[], trigger: string): void
}

const fileTools: ReadonlySet<string> = new Set(['Read', 'Write', 'Edit', 'MultiEdit'])

/**
 * Tells a member, behind the results of its latest calls, the instructions for the files that these touched: those of
 * folders below its own, and rules that name such files. What stands in the conversation already is not told again; what was
 * left out of it is, at the next touch.
 *
 * @returns tells it now; call it before the next question, when every call has its result
 */
export function touchedInstructions({ folders, home, cwd, messages, note, loaded }: TouchingMember): () => void {
  let source: readonly Message[] | null = null
  let looked = new Set<string>()
  let known: readonly string[] = []
  return () => {
    const conversation = messages()
    const touched = touchedBy(conversation).map((path) => resolve(cwd, path))
    if (touched.length === 0) return
    if (source !== conversation) {
      ;[source, looked] = [conversation, new Set()]
      known = [...readInstructions({ folders, home }).seen, ...toldIn(conversation)]
    }
    for (const path of touched.filter((each) => !looked.has(each))) {
      looked.add(path)
      const { text, seen } = readTouched({ folders, home }, path, known)
      const news = [...seen].slice(known.length)
      known = [...seen]
      if (text === '') continue
      loaded?.(news, path)
      const context = contextText([volatileSection('instructions', 'a file was touched', text)])
      note({ type: 'message.appended', message: userMessage(context, 'runtime') })
    }
  }
}

/** The files that the latest calls read or changed. */
function touchedBy(messages: readonly Message[]): readonly string[] {
  const place = messages.findLastIndex(({ role }) => role === 'assistant')
  const asked = messages[place]
  const answered = messages.slice(place + 1).find(({ role }) => role === 'tool')
  if (asked?.role !== 'assistant' || answered?.role !== 'tool') return []
  const good = new Set(answered.results.flatMap(({ call_id, is_error }) => (is_error ? [] : [call_id])))
  return callsOf(asked).flatMap(({ id, name, input }) => (good.has(id) && fileTools.has(name) ? pathIn(input) : []))
}

function pathIn(input: unknown): readonly string[] {
  const path = typeof input === 'object' && input !== null && 'file_path' in input ? input.file_path : null
  return typeof path === 'string' ? [path] : []
}

/** The files whose instructions stand in a conversation. */
function toldIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role !== 'user' || message.origin !== 'runtime' || !textOf(message).startsWith('<context>')) return []
    return [...textOf(message).matchAll(/^From (\/.*):$/gm)].map(([, path = '']) => path)
  })
}

import { z } from 'zod'
import type { OpenQuestion } from './tool.ts'

/** The tool whose calls are questions themselves: they are answered with words. */
export const wordsTool = 'AskUser'

/** The words before the answer of a person, as the asking member reads it. */
export const answeredBy = 'The person answers: '

const schema = z.object({ question: z.string(), options: z.array(z.string()).default([]) })

/** A member's question to people in its own words; null for any other call, which is allowed or denied. */
export function ownQuestion({ tool, input }: { readonly tool: string; readonly input: unknown }): OpenQuestion | null {
  return tool === wordsTool ? (schema.safeParse(input).data ?? null) : null
}

/** The kind of reply that a call waits for. */
export function awaitedBy(tool: string): 'an answer' | 'approval' {
  return tool === wordsTool ? 'an answer' : 'approval'
}

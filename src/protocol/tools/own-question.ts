import { z } from 'zod'

/** A question to a person, in a member's own words. */
export interface OpenQuestion {
  readonly question: string
  /** Answers to choose from; any other is an answer too. */
  readonly options: readonly string[]
  /** The meaning of each option, in their order; empty where nothing is said. */
  readonly details?: readonly string[]
  /** More than one option may be chosen. */
  readonly several?: true
  /** Which of the questions of one call it is, and its topic: `2 of 3 · Colour`. */
  readonly heading?: string
}

/** The tool whose calls are questions themselves: they are answered with words. */
export const wordsTool = 'AskUser'

/** The words before the answer of a person, as the asking member reads it. */
export const answeredBy = 'The person answers: '

const schema = z.object({
  question: z.string(),
  options: z.array(z.string()).default([]),
  details: z.array(z.string()).exactOptional(),
  several: z.literal(true).exactOptional(),
  heading: z.string().exactOptional(),
})

/** A member's question to people in its own words; null for any other call, which is allowed or denied. */
export function ownQuestion({ tool, input }: { readonly tool: string; readonly input: unknown }): OpenQuestion | null {
  return tool === wordsTool ? (schema.safeParse(input).data ?? null) : null
}

/** The question as lines, its options numbered below. */
export function askedLines({ question, options, details = [], several, heading }: OpenQuestion): readonly string[] {
  const numbered = options.map((option, n) => {
    const detail = details[n] ?? ''
    return `${n + 1}. ${option}${detail === '' ? '' : `: ${detail}`}`
  })
  return [
    ...(heading === undefined ? [] : [`(${heading})`]),
    question,
    ...numbered,
    ...(several ? ['(more than one may be chosen: 1, 2)'] : []),
  ]
}

/**
 * The option whose number was typed, or several of them where several may be chosen, or the words themselves.
 * @example chosenAnswer('2', { options: ['red', 'blue'] }) // 'blue'
 */
export function chosenAnswer(line: string, { options, several }: Pick<OpenQuestion, 'options' | 'several'>): string {
  if (!(several ? /^\d+(?:[\s,]+\d+)*$/ : /^\d+$/).test(line)) return line
  const picked = [...new Set(line.split(/[\s,]+/))].map((number) => options[Number(number) - 1])
  return picked.includes(undefined) ? line : picked.join(', ')
}

/** The kind of reply that a call waits for. */
export function awaitedBy(tool: string): 'an answer' | 'approval' {
  return tool === wordsTool ? 'an answer' : 'approval'
}

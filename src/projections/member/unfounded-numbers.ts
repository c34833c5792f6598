import { callsOf, textOf, type Message } from '../../protocol/conversation/message.ts'

/** A number as prose writes it, with or without signs between the thousands; a part of a word, date or version is none. */
const inProse = /(?<![\w.,:/#-])(?:\d{1,3}(?:[,\u202F]\d{3})+|\d+)(?:\.\d+)?(?![\w:/-]|[.,]\d)/g
/** A number behind one of these names something and counts nothing. */
const named = /\b(?:HTTP|RFC|port|status|code|error|signal|chmod|mode|pid|issue|version)s? (?=\d)[\d.]+/gi
/** Code in an answer is a proposal or a quotation. */
const code = /```.*?(?:```|$)|`[^`\n]*`/gs
/** Every number of a text that was read, also inside of words. */
const anywhere = /\d+(?:[,\u202F]\d{3})*(?:\.\d+)?/g
/** Round figures, numbers below a hundred and years are said without a source. */
const telling = /[1-9]\d*(?:\.\d+)?/
const mostNumbers = 300

/**
 * Numbers of an answer that stand in nothing its agent read or wrote, and that are no rounding, share, sum or difference
 * of numbers there. Only agents that called tools are judged, and only those whose whole conversation is at hand.
 * @param answer the words of the answer
 * @param messages the conversation before the answer
 * @returns the numbers as the answer writes them; empty where too little is known to judge
 * @example unfoundedNumbers('It has 4,821 lines.', [task, callOfWc, resultThatSays4711]) // ['4,821']
 */
export function unfoundedNumbers(answer: string, messages: readonly Message[]): readonly string[] {
  const said = [...new Set(answer.replaceAll(code, '').replaceAll(named, '').match(inProse) ?? [])].filter(isTelling)
  if (said.length === 0 || !messages.some(({ role }) => role === 'tool')) return []
  const read = messages.map(readable)
  if (read.includes(null)) return []
  const texts = read.map((text) => numbersIn(text ?? ''))
  const known = new Set(texts.flat())
  const totals = texts.map((numbers) => numbers.reduce((sum, each) => sum + each, 0))
  const sources = [...known, ...totals]
  return said.filter((number) => !isFounded(number, sources))
}

/** The words of a message that tell its agent something; null where a message holds more than text. */
function readable(message: Message): string | null {
  if (message.role === 'tool')
    return message.results.some(({ content }) => content.some(({ type }) => type !== 'text'))
      ? null
      : message.results.map(textOf).join('\n')
  if (message.role === 'assistant')
    return callsOf(message)
      .map(({ input }) => JSON.stringify(input))
      .join('\n')
  return message.content.some(({ type }) => type !== 'text') ? null : textOf(message)
}

function numbersIn(text: string): readonly number[] {
  return (text.match(anywhere) ?? []).map(valueOf)
}

function valueOf(written: string): number {
  return Number(written.replaceAll(/[,\u202F]/g, ''))
}

/** `4,821` and `3.14` tell something; `12`, `2026`, `1,000` and `500` are said of many things. */
function isTelling(written: string): boolean {
  const value = valueOf(written)
  if (Number.isInteger(value) && value >= 1900 && value < 2100) return false
  const digits = (telling.exec(written.replaceAll(/[,\u202F]/g, ''))?.[0] ?? '').replace('.', '').replace(/0+$/, '')
  return digits.length > 2
}

function isFounded(written: string, sources: readonly number[]): boolean {
  const value = valueOf(written)
  const half = 0.5 * 10 ** -(written.split('.')[1]?.length ?? 0)
  const isIt = (number: number): boolean => Math.abs(Math.abs(number) - value) <= half * 1.000_001
  if (sources.some((number) => isIt(number) || isIt(number * 100) || isIt(number / 1000) || isIt(number / 1024)))
    return true
  // Arithmetic over very many numbers reaches nearly every value: nothing could be said.
  if (sources.length > mostNumbers) return true
  return sources.some((one) =>
    sources.some((other) => isIt(one + other) || isIt(one - other) || isIt(one * other) || isRatio(one, other, isIt)),
  )
}

function isRatio(one: number, other: number, isIt: (value: number) => boolean): boolean {
  return other !== 0 && (isIt(one / other) || isIt((one / other) * 100))
}

import type { Message } from '../src/protocol/conversation/message.ts'
import { noUsage, userMessage } from '../src/protocol/conversation/message.ts'
import { planCompaction } from '../src/rules/conversation/compaction.ts'
import { fullnessOf, messageChars } from '../src/rules/conversation/fullness.ts'
import type { Logged } from '../src/rules/conversation/logged.ts'
import { median } from './figures.ts'

/*
 * `node bench/compaction.ts`: milliseconds to decide whether a conversation of 10,000 messages is made shorter, and to plan what is
 * shortened and left out of it. Medians of 15, after one that is not counted.
 */
const call = (n: number): Message => ({
  role: 'assistant',
  model: 'acme/one',
  stop: 'tools',
  usage: noUsage,
  content: [
    { type: 'text', text: `Round ${n}.` },
    { type: 'tool_use', id: `c${n}`, name: 'Read', input: { file_path: `/work/${n % 97}.ts` } },
  ],
})
const result = (n: number): Message => ({
  role: 'tool',
  results: [{ call_id: `c${n}`, tool: 'Read', content: [{ type: 'text', text: 'x'.repeat(300) }], is_error: false }],
})
const rounds = Array.from({ length: 5_000 }, (_, n) => [call(n), result(n)]).flat()
const log: readonly Logged[] = [userMessage('Go.', 'person'), ...rounds].map((message, n) => ({
  id: `m-${n}`,
  message,
}))

function timed(work: () => unknown): number {
  work()
  const times = Array.from({ length: 15 }, () => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return median(times)
}

const decide = (): unknown => fullnessOf(log.reduce((sum, { message }) => sum + messageChars(message), 0) / 3, 168_000)
console.log(`decide ${timed(decide).toFixed(2)} ms`)
console.log(`plan ${timed(() => planCompaction(log, { chars: 100_000 })).toFixed(2)} ms`)

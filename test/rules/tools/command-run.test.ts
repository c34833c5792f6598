import { expect, test } from 'vitest'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import { noUsage, type CallEnding, type Message } from '../../../src/protocol/conversation/message.ts'
import { ranWell } from '../../../src/rules/tools/command-run.ts'

let at = 0
const entryOf = (message: Message): Entry => {
  at += 1
  return { v: 1, seq: at, id: `ann-${at}`, parent: null, at, type: 'message.appended', message }
}
/** A call of Bash and what came of it. */
const ran = (input: object, text = '[no output]', ended: Partial<CallEnding> = {}, id = 'call'): readonly Entry[] => [
  entryOf({
    role: 'assistant',
    model: 'scripted/x',
    content: [{ type: 'tool_use', id, name: 'Bash', input }],
    stop: 'tools',
    usage: noUsage,
  }),
  entryOf({
    role: 'tool',
    results: [{ call_id: id, tool: 'Bash', content: [{ type: 'text', text }], is_error: false, ...ended }],
  }),
]
const failed = { exit: { code: 1, failed: true } }
const command = 'npm test'

test('a command that ended well is shown by what Bash said of it', () => {
  expect(ranWell(ran({ command }), command, 0)).toBe(true)
  expect(ranWell(ran({ command }, '2 failed', failed), command, 0)).toBe(false)
  expect(ranWell(ran({ command }, 'Denied.', { is_error: true }), command, 0)).toBe(false)
  expect(ranWell(ran({ command: 'npm test || true' }), command, 0)).toBe(false)
  expect(ranWell(ran({ command }), command, at + 1)).toBe(false)
})

test('of several runs the last one counts', () => {
  expect(ranWell([...ran({ command }), ...ran({ command }, '', failed)], command, 0)).toBe(false)
  expect(ranWell([...ran({ command }, '', failed), ...ran({ command })], command, 0)).toBe(true)
})

test('what was left running in the background has no end', () => {
  expect(ranWell(ran({ command, run_in_background: true }, 'Started in the background.'), command, 0)).toBe(false)
})

test('a call id that is used again belongs to the latest call', () => {
  expect(ranWell([...ran({ command }, '', failed), ...ran({ command: 'true' })], command, 0)).toBe(false)
})

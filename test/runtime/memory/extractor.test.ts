import { expect, test } from 'vitest'
import { noExtraction } from '../../../src/projections/member/extraction.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import { openExtractor } from '../../../src/runtime/memory/extractor.ts'
import { appendEntry, emptyConversation } from '../../../src/rules/conversation/context-window.ts'
import { noUsage, userMessage } from '../../../src/protocol/conversation/message.ts'

test('a journal that takes neither outcome nor warning ends no process, and the extractor looks again', async () => {
  const conversation = emptyConversation()
  const entry = { v: 1, at: 1, type: 'message.appended' } as const
  const answer = { role: 'assistant' as const, model: 'a/b', content: [], stop: 'end' as const, usage: noUsage }
  appendEntry(conversation, { ...entry, seq: 1, id: 'a-1', parent: null, message: userMessage('One.') })
  appendEntry(conversation, { ...entry, seq: 2, id: 'a-2', parent: 'a-1', message: answer })
  const unheard: unknown[] = []
  const hear = (error: unknown): void => void unheard.push(error)
  process.on('unhandledRejection', hear)
  let asked = 0
  const extractor = openExtractor({
    plan: { every: 1 },
    member: 'a',
    conversation,
    past: noExtraction(),
    memory: { section: () => '', port: () => expect.fail('nothing is kept') },
    model: () => {
      asked += 1
      return undefined
    },
    consult: () => expect.fail('nobody is asked'),
    note() {
      throw new Error('the disk is full')
    },
    clock: systemClock(),
    context: () => expect.fail('no tool runs'),
  })
  const judge = () => expect.fail('no call is judged')
  await extractor.finish(judge)
  await extractor.finish(judge)
  await new Promise(setImmediate)
  process.off('unhandledRejection', hear)
  expect([asked, unheard]).toEqual([2, []])
})

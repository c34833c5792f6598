import { expect, test } from 'vitest'
import { userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import { continuePrompt } from '../../../src/rules/conversation/cut-answer.ts'
import { endTextsAfter, endTextsWithout, markedText, type EndText } from '../../../src/projections/fold/end-texts.ts'
import { refutationText, uncheckedText } from '../../../src/rules/team/verification.ts'
import { says } from '../journal-of.ts'

const after = (...messages: readonly Message[]): readonly EndText[] =>
  messages.reduce<readonly EndText[]>((texts, message, n) => endTextsAfter(texts, `e${n + 1}`, message), [])
const cut = (text: string): Message => ({ ...says(text), stop: 'max_tokens' })
const told = (text: string): Message => userMessage(text, 'runtime')
const plan = { command: 'npm test', after_changes: true, attempts: 2, timeout_ms: 1 }
const refuted = (moment: 'end' | 'change'): Message =>
  told(refutationText(plan, { after: moment, report: 'no', failures: 1 }))
const call = { id: 'c', name: 'Read', input: {} }

test.for<readonly [string, readonly Message[], string]>([
  ['nobody spoke', [userMessage('Begin.')], ''],
  ['one text stays as it was written', [says(' one \n')], ' one \n'],
  ['two texts are marked, in their order', [says('one'), told('note'), says('two')], '[1 of 2]\none\n\n[2 of 2]\ntwo'],
  ['an empty text is none', [says('one'), says(' \n')], 'one'],
  ['a text beside calls ends no turn', [says('I look.', call), { role: 'tool', results: [] }, says('one')], 'one'],
  ['a text in pieces is one', [cut('one '), told(continuePrompt), says('two')], 'one two'],
  ['a piece that goes on with calls ends no turn', [cut('one '), told(continuePrompt), says('two', call)], ''],
  ['an answer that failed or was aborted is none', [{ ...says('half'), stop: 'error' }], ''],
  ['a text whose check did not pass is none', [says('done'), refuted('end'), says('mended')], 'mended'],
  ['a text whose check was cut off is none', [says('done'), told(uncheckedText), says('done so')], 'done so'],
  ['a check between two steps takes nothing back', [says('one'), refuted('change')], 'one'],
])('%s', ([, messages, text]) => {
  expect(markedText(after(...messages))).toBe(text)
})

test('a tombstone takes back the text that its entry holds a piece of', () => {
  const texts = after(says('one'), cut('two '), told(continuePrompt), says('three'))
  expect(texts.map(({ ids }) => ids)).toEqual([['e1'], ['e2', 'e4']])
  expect(markedText(endTextsWithout(texts, 'e4'))).toBe('one')
  expect(endTextsWithout(texts, 'e9')).toEqual(texts)
})

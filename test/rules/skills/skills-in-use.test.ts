import { expect, test } from 'vitest'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { noUsage, userMessage, type Message } from '../../../src/protocol/conversation/message.ts'
import { appendEntry, conversationOf } from '../../../src/rules/conversation/context-window.ts'
import { skillsInUse } from '../../../src/rules/skills/skills-in-use.ts'

const entry = (seq: number, fact: Fact): Entry => ({ v: 1, seq, id: `ana-${seq}`, parent: null, at: seq, ...fact })
const said = (seq: number, message: Message): Entry => entry(seq, { type: 'message.appended', message })
const opens = (...ids: readonly string[]): Message => ({
  role: 'assistant',
  model: 'm',
  content: ids.map((id) => ({ type: 'tool_use', id, name: 'Skill', input: { skill: id } })),
  stop: 'tools',
  usage: noUsage,
})
const shown = (id: string, body: string, call_id = id): Message => ({
  role: 'tool',
  results: [
    {
      call_id,
      tool: 'Skill',
      content: [{ type: 'text', text: `<skill name="${id}">\n${body}\n</skill>` }],
      is_error: false,
    },
  ],
})
const past = [
  said(1, userMessage('Go.')),
  said(2, opens('pdf')),
  said(3, shown('pdf', 'How to read.')),
  said(4, opens('doc')),
  said(5, shown('doc', 'How to write.')),
]
const compacted = (dropped: readonly string[]): Entry =>
  entry(6, { type: 'context.compacted', trigger: 'auto', trimmed: [], dropped: [...dropped], before: 10, after: 5 })

test('a skill whose text was left out stands in the context again', () => {
  const conversation = conversationOf(past)
  expect(skillsInUse(conversation)).toBe('')
  appendEntry(conversation, compacted(['ana-2', 'ana-3']))
  expect(skillsInUse(conversation)).toBe('You have opened these skills:\n<skill name="pdf">\nHow to read.\n</skill>')
  expect(skillsInUse(conversationOf([...past, compacted(['ana-2', 'ana-3'])]))).toBe(skillsInUse(conversation))
})

test('so does one whose text was shortened, and one that was opened again does not', () => {
  const trimmed = entry(6, {
    type: 'context.compacted',
    trigger: 'auto',
    trimmed: ['ana-3'],
    dropped: [],
    before: 9,
    after: 5,
  })
  const long = past.map((each) => (each.id === 'ana-3' ? said(3, shown('pdf', 'x'.repeat(40_000))) : each))
  const conversation = conversationOf([...long, trimmed])
  expect(skillsInUse(conversation)).toMatch(/^You have opened these skills:\n<skill name="pdf">\nx{15000,}…\n<\/skill>/)
  appendEntry(conversation, said(7, opens('again')))
  appendEntry(conversation, said(8, shown('pdf', 'Short.', 'again')))
  expect(skillsInUse(conversation)).toBe('')
})

test('what was taken back is not open', () => {
  const undone = entry(6, { type: 'turns.undone', from: 'ana-4', files: [], note: 'Undone.' })
  const conversation = conversationOf([...past, undone, compacted(['ana-2', 'ana-3'])])
  expect(skillsInUse(conversation)).not.toContain('How to write')
})

test('only so much is kept, the latest first', () => {
  const many = Array.from({ length: 10 }, (_, n) => [
    said(n * 2 + 2, opens(`s${n}`)),
    said(n * 2 + 3, shown(`s${n}`, 'x'.repeat(14_000))),
  ]).flat()
  const dropped = many.map(({ id }) => id)
  const conversation = conversationOf([said(1, userMessage('Go.')), ...many, compacted(dropped)])
  expect(skillsInUse(conversation).match(/name="s\d"/g)).toEqual(['name="s7"', 'name="s8"', 'name="s9"'])
})

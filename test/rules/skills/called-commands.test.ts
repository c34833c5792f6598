import { expect, test } from 'vitest'
import { userMessage } from '../../../src/protocol/conversation/message.ts'
import { appendEntry, emptyConversation } from '../../../src/rules/conversation/context-window.ts'
import { frameMail } from '../../../src/rules/conversation/mail-frame.ts'
import { calledCommands, commandLine } from '../../../src/rules/skills/called-commands.ts'
import { calledText } from '../../../src/rules/skills/skill-text.ts'

test.for<[string, object | null]>([
  ['/review', { skill: 'review', args: '' }],
  ['/review HEAD~3  now\n', { skill: 'review', args: 'HEAD~3  now' }],
  ['/shop:review a\nb', { skill: 'shop:review', args: 'a\nb' }],
  ['/Überblick', { skill: 'Überblick', args: '' }],
  [' /review', null],
  ['/etc/hosts is broken', null],
  ['/', null],
  ['see /review', null],
])('%j', ([text, expected]) => {
  expect(commandLine(text)).toEqual(expected)
})

function conversation(...said: readonly (readonly [Parameters<typeof userMessage>[1], string])[]) {
  const made = emptyConversation()
  for (const [n, [origin, text]] of said.entries()) {
    const message = userMessage(text, origin)
    appendEntry(made, { v: 2, seq: n, id: `ana-${n}`, parent: null, at: n, type: 'message.appended', message } as never)
  }
  return made
}

const mail = (from: 'user' | `${string}@${string}`, body: string): string =>
  frameMail({ from, kind: 'text', id: '01J', body })

test('a person calls, by prompt or by mail; nobody else does', () => {
  const called = calledCommands(
    conversation(
      ['person', '/a one'],
      ['runtime', mail('user', '/b')],
      ['runtime', `${mail('user', '/c')}\n[Its files could not be read.]`],
      ['runtime', mail('bo@duo', '/d')],
      ['runtime', '/e'],
      ['hook', '/f'],
    ),
  )
  expect(called.map(({ skill, entry }) => [skill, entry])).toEqual([
    ['a', 'ana-0'],
    ['b', 'ana-1'],
    ['c', 'ana-2'],
  ])
})

test('a command whose text was read is not read again', () => {
  const text = calledText({ name: 'a', entry: 'ana-0', body: 'Do it.' })
  expect(calledCommands(conversation(['person', '/a'], ['runtime', text]))).toEqual([])
  // What a person writes closes nothing.
  expect(calledCommands(conversation(['person', '/a'], ['person', text]))).toHaveLength(1)
})

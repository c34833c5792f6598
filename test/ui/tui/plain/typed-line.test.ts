import { fc, test as check } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import type { ApprovalFile } from '../../../../src/protocol/permissions/approval-file.ts'
import { howToAnswer, readLine } from '../../../../src/ui/tui/plain/typed-line.ts'
import { builtinCommands } from '../../../../src/ui/tui/state/screen-commands.ts'
import { firstUi } from '../../../../src/ui/tui/state/ui.ts'

const asked = (id: string, tool: string, input: unknown, save: readonly string[] = []): ApprovalFile => ({
  v: 1,
  id,
  member: 'ana@demo',
  call_id: 'c',
  tool,
  input,
  task: null,
  decision: { behavior: 'ask', source: 'mode', reason: 'default asks' },
  near: [],
  grants: { session: [...save], save: [...save] },
  asked_at: 1,
  deadline: null,
})
const bash = asked('ana-7-1', 'Bash', { command: 'ls' }, ['Bash(ls)'])
const edit = asked('ana-8-1', 'Edit', {})
const own = asked('ana-9-1.2', 'AskUser', { question: 'Which?', options: ['red', 'blue'], several: true })
const ui = firstUi(['lead', 'ana', 'bo'], 'lead', null)
const read = (line: string, told: readonly ApprovalFile[] = [bash, edit, own]) =>
  readLine(line, { ui, told, commands: () => builtinCommands })
const answer = (id: string, act: string, advice = '') => ({ type: 'answer', id, act, advice })

describe('a typed line', () => {
  test.each([
    ['ana-7-1 allow', answer('ana-7-1', 'allow')],
    ['ana-7-1 always', answer('ana-7-1', 'allow_save')],
    ['ana-8-1  deny  use git mv instead', answer('ana-8-1', 'deny', 'use git mv instead')],
    ['ana-8-1 stop', answer('ana-8-1', 'deny_stop')],
    ['ana-9-1.2 1, 2', answer('ana-9-1.2', 'deny', '1, 2')],
    ['ana-9-1.2 neither, green', answer('ana-9-1.2', 'deny', 'neither, green')],
    ['hello', { type: 'mail', to: ['lead'], text: 'hello' }],
    ['@bo stop  it', { type: 'mail', to: ['bo'], text: 'stop  it' }],
    ['@all stop', { type: 'mail', to: ['lead', 'ana', 'bo'], text: 'stop' }],
    ['/mode plan', { type: 'command', name: 'mode', args: ['plan'], to: 'lead' }],
  ])('%s', (line, order) => {
    expect(read(line)).toEqual({ ui, order })
  })

  test.each([
    ['ana-7-2 allow', 'no question ana-7-2 waits here'],
    ['ana-8-1 always', 'type: ana-8-1 and one of: allow, deny, stop'],
    ['ana-8-1', 'type: ana-8-1'],
    ['ana-8-1 constructor', 'type: ana-8-1 and one of: allow, deny, stop'],
    ['ana-9-1.2', 'type: ana-9-1.2 1, 2'],
    ['allow', 'type: ana-7-1 and one of: allow, session, always, deny, stop'],
    ['@boo hello', 'no member boo, did you mean bo?'],
    ['@bo', 'no words behind @bo'],
    ['/nosuch', 'no command /nosuch'],
    ['/help', '/cost'],
    ['?', 'a line goes to lead'],
  ])('%s says what is missing, and does nothing', (line, words) => {
    const { order, say } = read(line)
    expect(order).toBeUndefined()
    expect(say).toContain(words)
  })

  test('/attach chooses the member that lines go to', () => {
    const { ui: after, say } = read('/attach bo')
    expect([after.focus, say]).toEqual(['bo', 'lines go to bo now'])
    expect(read(' ')).toEqual({ ui })
  })
})

check.prop([fc.array(fc.constantFrom(bash, edit, own), { maxLength: 3 }), fc.string({ maxLength: 40 })], {
  numRuns: 200,
})('no line decides a question that it does not name, or that was not printed', (told, line) => {
  const { order } = read(line, told)
  if (order?.type === 'answer') expect(line.trim().startsWith(order.id)).toBe(true)
  for (const each of [bash, edit, own]) {
    const named = read(`${each.id} ${line}`, told).order
    if (named?.type === 'answer') expect(told.map(({ id }) => id)).toContain(named.id)
  }
})

test('the words say how each question is answered', () => {
  expect(howToAnswer(asked('ana-1-1', 'AskUser', { question: 'Why?' }))).toBe('type: ana-1-1 and your answer')
})

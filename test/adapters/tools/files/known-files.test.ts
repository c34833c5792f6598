import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { edit } from '../../../../src/adapters/tools/files/edit.ts'
import { changedLines, recallFiles } from '../../../../src/adapters/tools/files/known-files.ts'
import { multiEdit } from '../../../../src/adapters/tools/files/multi-edit.ts'
import { read } from '../../../../src/adapters/tools/files/read.ts'
import { runCall } from '../../../../src/adapters/tools/define/run-call.ts'
import { write } from '../../../../src/adapters/tools/files/write.ts'
import { noUsage, type Message } from '../../../../src/protocol/conversation/message.ts'
import type { Tool } from '../../../../src/protocol/tools/tool.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()
const swap = { file_path: 'a.txt', old_string: 'one', new_string: '1' }

describe('a member changes only what it has seen', () => {
  test('an unread file is not touched, by no tool', async () => {
    shop.write('a.txt', 'one')
    for (const said of [
      await shop.call(edit, swap),
      await shop.call(write, { file_path: 'a.txt', content: 'x' }),
      await shop.call(multiEdit, { file_path: 'a.txt', edits: [{ old_string: 'one', new_string: '1' }] }),
    ]) {
      expect(said).toMatchObject({ isError: true, text: expect.stringContaining('you have not read it') as string })
    }
    expect(shop.read('a.txt')).toBe('one')
  })

  test('its own changes need no second look', async () => {
    await shop.known('a.txt', 'one two')
    expect((await shop.call(edit, swap)).isError).toBe(false)
    expect((await shop.call(edit, { ...swap, old_string: 'two' })).isError).toBe(false)
    expect((await shop.call(write, { file_path: 'a.txt', content: 'whole' })).text).toMatch(/^Updated/)
  })

  test('it is told which member changed the file, or that nobody of the team did', async () => {
    const eins = createHash('sha256').update('eins\n').digest('hex')
    const writerOf = (real: string, hash: string) =>
      real === shop.path('a.txt') && hash === eins ? 'writer' : undefined
    const lead = shop.context({ memory: new Map(), writers: { writerOf } })
    const writer = shop.context({ memory: new Map(), writers: { writerOf } })
    shop.write('a.txt', 'one\n')
    for (const context of [lead, writer]) await shop.call(read, { file_path: 'a.txt' }, context)
    await shop.call(edit, { ...swap, new_string: 'eins' }, writer)
    expect((await shop.call(edit, swap, lead)).text).toContain('was changed since you read it, by writer.')
    await shop.call(read, { file_path: 'a.txt' }, lead)
    shop.write('a.txt', 'one by hand\n')
    expect((await shop.call(edit, swap, lead)).text).toContain('not with the team’s file tools')
  })

  test('each tool says which file it saw or left, and with what content', async () => {
    const path = shop.write('a.txt', 'one\n')
    const touched = async (tool: Tool, input: unknown) => (await runCall(tool, input, shop.context())).file
    const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
    expect(await touched(read, { file_path: 'a.txt' })).toEqual({ path, sha256: sha256('one\n'), wrote: false })
    expect(await touched(edit, swap)).toEqual({ path, sha256: sha256('1\n'), wrote: true })
    const edits = [{ old_string: '1', new_string: '2' }]
    expect(await touched(multiEdit, { file_path: 'a.txt', edits })).toEqual({
      path,
      sha256: sha256('2\n'),
      wrote: true,
    })
    const content = 'whole\n'
    expect(await touched(write, { file_path: 'a.txt', content })).toEqual({
      path,
      sha256: sha256(content),
      wrote: true,
    })
    expect(await touched(write, { file_path: 'a.txt', content })).toBeUndefined()
  })

  test('a touch without a change is none', async () => {
    await shop.known('a.txt', 'one')
    shop.write('a.txt', 'one')
    expect((await shop.call(edit, swap)).isError).toBe(false)
  })
})

describe('after a restart', () => {
  const messages = (is_error: boolean): readonly Message[] => [
    {
      role: 'assistant',
      model: 'm/m',
      content: [{ type: 'tool_use', id: 'c', name: 'Read', input: { file_path: 'a.txt' } }],
      stop: 'tools',
      usage: noUsage,
    },
    { role: 'tool', results: [{ call_id: 'c', tool: 'Read', content: [{ type: 'text', text: 'one' }], is_error }] },
  ]

  test('what the conversation shows as read may be changed', async () => {
    shop.write('a.txt', 'one')
    recallFiles(shop.context(), messages(false))
    expect((await shop.call(edit, swap)).isError).toBe(false)
  })

  test('what somebody changed since is not overwritten', async () => {
    shop.write('a.txt', 'one')
    const saw = (text: string) => new Map([[shop.path('a.txt'), createHash('sha256').update(text).digest('hex')]])
    recallFiles(shop.context(), messages(false), saw('one before'))
    expect((await shop.call(edit, swap)).text).toContain('was changed since you read it')
    recallFiles(shop.context(), messages(false), saw('one'))
    expect((await shop.call(edit, swap)).isError).toBe(false)
  })

  test('what could not be read then is not known', async () => {
    shop.write('a.txt', 'one')
    recallFiles(shop.context(), messages(true))
    expect((await shop.call(edit, swap)).isError).toBe(true)
  })
})

test('where two texts differ is told by the lines that stand there now', () => {
  const told = (before: string, after: string) => changedLines(Buffer.from(before), Buffer.from(after))
  expect(told('a\nb\nc', 'a\nB\nc')).toBe('Line 2 was replaced by:\n     2\tB')
  expect(told('a\nc', 'a\nb\nc')).toBe('After line 1 there is now:\n     2\tb')
  expect(told('a\nb\nc\nd', 'a\nd')).toBe('Lines 2-3 were removed.')
  expect(told('a', 'a')).toBe('')
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Question } from '../../../../src/protocol/port.ts'
import { changeText, questionText } from '../../../../src/ui/cli/text/question-text.ts'
import { question } from '../../../contracts/approver.ts'
import { emptyDirectory } from '../process/troupe.ts'

const plain = (_: string, text: string): string => text
const textOf = (asked: Question, cwd = '/nowhere') => questionText(asked, cwd, plain)
const calling = (tool: string, input: unknown): Question => ({
  ...question('x'),
  call: { ...question('x').call, tool, input },
})

describe('a question', () => {
  test('shows a command as it would run, with what a terminal obeys written out', async () => {
    const text = await textOf(question('rm -rf \u001b[8mhidden\u001b[0m\necho'))
    expect(text).toContain('writer wants to use Bash\n  rm -rf \\u001b[8mhidden\\u001b[0m\n  echo\n')
    expect(text).toContain('asked because: nothing allows it')
    expect(text).not.toContain('\u001b')
  })

  test('hides no command in what a terminal takes for a title, or shows nothing of', async () => {
    const text = await textOf(question('ls \u001b]0;;touch evil;\u0007 \u009d;touch worse\u009c \u202e\u{e0061}\u200b'))
    expect(text).toContain('ls \\u001b]0;;touch evil;\\u0007 \\u009d;touch worse\\u009c \\u202e\\udb40\\udc61\\u200b\n')
  })

  test('names the rule that asks, the task, and the rules nearest to it', async () => {
    const asked = question('git push', { source: 'project', rule: 'Bash(git push:*)', reason: 'it pushes' })
    const near = [
      { behavior: 'allow', source: 'user', rule: 'Bash(git push origin:*)', why: 'permits git push origin' },
      { behavior: 'allow', source: 'local, a.json:3', rule: 'Bash(git log:*)' },
    ] as const
    const text = await textOf({ ...asked, task: 'Publish.\nThen rest.', near })
    expect(text).toContain('for the task: Publish.\n')
    expect(text).toContain('asked because: Bash(git push:*) (project): it pushes')
    expect(text).toContain('allow rule: Bash(git push origin:*) (user) permits git push origin\n')
    expect(text).toContain('similar allow rule, does not match: Bash(git log:*) (local, a.json:3)\n')
  })

  test('ends with the rules that always would save, and their file', async () => {
    expect(await textOf(question('make'))).toMatch(
      /always allows Bash\(make:\*\): saved in .troupe.settings.local.json$/,
    )
    expect(await textOf({ ...question('make'), grants: { session: [], save: [] } })).not.toContain('always')
  })

  test('shows a plan as the text that it is, all of it', async () => {
    const plan = `1. Rename it.\n2. Run the tests.\n${'x'.repeat(9_000)} end`
    const text = await textOf(calling('ExitPlanMode', { plan }))
    expect(text).toContain('writer proposes a plan\n')
    expect(text).toContain('  1. Rename it.\n  2. Run the tests.\n')
    expect(text).toContain('x end')
  })

  test.each([
    ['a command', calling('Bash', { command: `${'true\n'.repeat(9_000)}rm -rf "$HOME/x"` }), '  rm -rf "$HOME/x"\n'],
    ['any other input', calling('mcp__notes__add', { body: 'y'.repeat(30_000), last: 'z' }), '    "last": "z"\n'],
    ['an edit', calling('Write', { file_path: 'new', content: `${'a\n'.repeat(9_000)}the end` }), '  +the end\n'],
  ])('shows %s to its end, however long it is', async (_, asked, end) => {
    expect(await textOf(asked, emptyDirectory())).toContain(end)
  })

  test('shows an input that is more than a command whole', async () => {
    expect(await textOf(calling('Bash', { command: 'ls', run_in_background: true }))).toContain('run_in_background')
  })

  test('shows an edit as the change it would make', async () => {
    const cwd = emptyDirectory()
    writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree\n')
    const input = { file_path: 'a.txt', old_string: 'two', new_string: '$& two' }
    const text = await textOf(calling('Edit', input), cwd)
    expect(text).toContain('  -two\n  +$& two\n')
    expect(text).not.toContain('old_string')
  })
})

describe('a change', () => {
  const cwd = emptyDirectory
  test('of a file that is not there yet is all new', async () => {
    expect(await changeText('Write', { file_path: 'n.txt', content: 'a\nb\n' }, cwd())).toContain('+a\n+b')
  })

  test('follows several edits, each on what the one before left', async () => {
    const dir = cwd()
    writeFileSync(join(dir, 'a.txt'), 'a a\n')
    const edits = [
      { old_string: 'a', new_string: 'b', replace_all: true },
      { old_string: 'b b', new_string: 'c' },
    ]
    expect(await changeText('MultiEdit', { file_path: 'a.txt', edits }, dir)).toContain('-a a\n+c')
  })

  test.each([
    ['an edit that does not fit', 'Edit', { file_path: 'a.txt', old_string: 'zzz', new_string: '' }],
    ['a file that is no text', 'Write', { file_path: 'b.bin', content: 'x' }],
    ['a folder', 'Write', { file_path: '.', content: 'x' }],
    ['a call without a file', 'Write', { content: 'x' }],
    ['an input that is none', 'Edit', null],
    ['edits that are none', 'MultiEdit', { file_path: 'a.txt', edits: 'x' }],
    ['a tool that changes nothing', 'Read', { file_path: 'a.txt' }],
  ])('cannot be shown of %s', async (_, tool, input) => {
    const dir = cwd()
    writeFileSync(join(dir, 'a.txt'), 'a\n')
    writeFileSync(join(dir, 'b.bin'), 'a\0b')
    expect(await changeText(tool, input, dir)).toBeNull()
  })
})

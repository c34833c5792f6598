import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { builtinCommands } from '../../../src/ui/tui/state/screen-commands.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

function desk(files: Readonly<Record<string, string>>) {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  for (const [name, text] of Object.entries(files)) {
    const path = join(name.startsWith('~') ? home : cwd, name.replace('~/', ''))
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  return async (...args: readonly string[]) => {
    const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy') })
    const code = await main(args, host)
    return { code, out: host.stdout.text, err: host.stderr.text }
  }
}

const files = {
  '.claude/commands/ci/review.md':
    '---\ndescription: Reviews.\nargument-hint: "[commit]"\nallowed-tools: Bash(git diff:*)\nmodel: inherit\n---\nLook at $1: !`git diff $1` @a.md',
  '.claude/commands/cost.md': '# What it costs\nCount.',
  '.troupe/commands/a b.md': 'No name.',
  '.claude/skills/greet/SKILL.md': '---\nname: greet\ndescription: Greets.\n---\nHi.',
  '.claude/skills/own/SKILL.md': '---\nname: own\ndescription: Own.\nuser-invocable: false\n---\nHi.',
  '~/.claude/commands/review.md': 'Mine.',
}

test('the list holds what is built in, and commands and skills once by name', async () => {
  const troupe = desk(files)
  const { code, out } = await troupe('commands', 'ls')
  expect(code).toBe(0)
  expect(out).toMatch(/^\/review \[commit\] +prompt +project +\.claude\/commands\/ci\/review\.md +Reviews\.$/m)
  expect(out).toMatch(/^\/cost +prompt +project, hidden on the screen /m)
  expect(out).toMatch(/^\/greet +prompt +project/m)
  const { commands } = JSON.parse((await troupe('commands', 'ls', '--json')).out) as { commands: { name: string }[] }
  expect(commands.map(({ name }) => name)).toEqual([
    ...builtinCommands.map(({ name }) => name),
    'greet',
    'review',
    'cost',
  ])
  expect((await troupe('skills', 'ls')).out).not.toContain('review')
})

test('a command is shown as it is read, with nothing run', async () => {
  const troupe = desk(files)
  const { out } = await troupe('commands', 'show', '/review', 'HEAD~3')
  expect(out).toContain('Look at HEAD~3: !`git diff HEAD~3` @a.md')
  expect(out).toContain('While it is in use it allows: Bash(git diff:*)')
  expect(out).toContain('It runs: git diff HEAD~3')
  expect(out).not.toContain('Answered by')
  expect(await troupe('commands', 'show', 'help')).toMatchObject({ code: 2 })
  expect((await troupe('commands', 'show', 'reviw')).err).toContain('did you mean "review"?')
})

test('a task that calls what is not there is refused before anything is started', async () => {
  const troupe = desk(files)
  const unknown = await troupe('run', 'quickstart', '/revew HEAD')
  expect(unknown.code).toBe(2)
  expect(unknown.err).toContain('there is no command /revew; did you mean /review?')
  const own = await troupe('run', 'quickstart', '/help')
  expect(own).toMatchObject({ code: 2 })
  expect(own.err).toContain('/help speaks to no member: call it in troupe attach')
})

test('rules of a command wait for trust', async () => {
  const troupe = desk(files)
  expect((await troupe('trust')).out).toContain('command review allows Bash(git diff:*)')
})

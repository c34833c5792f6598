import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { claudeMemories } from '../../../src/runtime/memory/persons-memory.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

function desk() {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  const say = async (
    args: readonly string[],
    more: { env?: Record<string, string>; stdin?: string; home?: string } = {},
  ) => {
    const host = fakeHost({ cwd, home: more.home ?? home, ...(more.env ? { env: more.env } : {}) })
    host.stdin.end(more.stdin ?? '')
    const code = await main(['memory', ...args], host)
    return { code, out: host.stdout.text, err: host.stderr.text }
  }
  return { cwd, home, say }
}

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  return path
}

test('memories of Claude Code are taken over once, seen, changed and forgotten', async () => {
  const { cwd, home, say } = desk()
  expect((await say(['ls'])).err).toBe('No memories.\n')
  const from = claudeMemories({ cwd, home })
  write(join(from, 'tabs.md'), '---\nname: Tabs\ndescription: Use tabs.\ntype: feedback\n---\nUse tabs.\n')
  write(join(from, 'broken.md'), '---\n[\n---\n')
  write(join(from, 'MEMORY.md'), '- [Tabs](tabs.md)')
  const imported = await say(['import'])
  expect([imported.code, imported.out]).toEqual([0, '1 imported, 0 known already, 1 left out\n'])
  expect(imported.err).toContain('broken.md is left out: its frontmatter is not valid YAML')
  expect((await say(['import'])).out).toContain('0 imported, 1 known already')
  expect((await say(['ls'])).out).toMatch(
    /^NAME +KIND +SCOPE +DATE +FROM +WHAT\ntabs +feedback +local +[\d-]+ +person +Use tabs\.\n$/,
  )
  expect((await say(['show', 'tabs'])).out).toContain('type: "feedback"')
  const edited = await say(['edit', 'tabs'], { env: { EDITOR: 'sed -i s/tabs/spaces/' } })
  expect([edited.code, edited.err]).toEqual([0, 'tabs is changed\n'])
  expect(JSON.parse((await say(['show', 'tabs', '--json'])).out)).toMatchObject({ text: 'Use spaces.', scope: 'local' })
  const { memories } = JSON.parse((await say(['ls', '--json'])).out) as { memories: { path: string }[] }
  expect(readFileSync(join(dirname(memories[0]?.path ?? ''), 'MEMORY.md'), 'utf8')).toContain('(tabs.md)')
  expect((await say(['ls'], { home: emptyDirectory() })).err).toBe('No memories.\n')
  expect((await say(['forget', 'tabs'])).err).toBe('tabs (local) is forgotten\n')
  expect((await say(['ls'])).err).toBe('No memories.\n')
})

test('a name in two scopes, no name and a bad text are refused with the remedy', async () => {
  const { cwd, say } = desk()
  const file = write(join(cwd, 'notes/port.md'), 'The port is 8080.')
  for (const scope of ['user', 'project']) await say(['import', file, '--scope', scope])
  expect(await say(['show', 'port'])).toMatchObject({ code: 2, err: expect.stringContaining('give --scope') as string })
  expect(await say(['show', '../port'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no memory') as string,
  })
  expect((await say(['edit', 'port', '--scope', 'user'])).err).toContain('set EDITOR')
  const bad = await say(['edit', 'port', '--scope', 'project', '--file', '-'], {
    stdin: '---\ntype: user\nsource: {by: person}\n---\nx',
  })
  expect([bad.code, bad.err]).toEqual([2, expect.stringContaining('a user memory is private')])
  expect((await say(['import', 'nowhere'])).err).toContain('there is nothing at')
})

test('a broken file is mended or taken away by its name, and says why it is left out', async () => {
  const { cwd, say } = desk()
  const path = write(join(cwd, '.troupe/memory/port.md'), '---\n[\n---\nThe port is 8080.')
  expect(await say(['show', 'port'])).toMatchObject({
    code: 2,
    err: expect.stringContaining(`${path} is left out: its frontmatter is not valid YAML`) as string,
  })
  expect((await say(['edit', 'port', '--file', '-'], { stdin: 'x'.repeat(70_000) })).err).toContain('make it shorter')
  expect(await say(['edit', 'port', '--file', '-'], { stdin: 'The port is 8080.' })).toMatchObject({
    code: 0,
    err: 'port is changed\n',
  })
  expect((await say(['show', 'port'])).out).toBe('The port is 8080.\n')
  writeFileSync(path, Buffer.from([0xff]))
  expect((await say(['edit', 'port', '--file', '-'], { stdin: 'x' })).err).toContain('it is not UTF-8')
  write(join(cwd, '.troupe/memory/a](b.md'), 'x')
  expect(await say(['forget', 'port', 'a](b'])).toMatchObject({ code: 0 })
  expect((await say(['ls'])).err).toBe('No memories.\n')
})

test('an import says what is too long, and what is shared is of an agent', async () => {
  const { cwd, say } = desk()
  const file = write(join(cwd, 'notes/port.md'), 'The port is 8080.')
  write(join(cwd, 'notes/long.md'), 'x\n'.repeat(40_000))
  const imported = await say(['import', dirname(file), '--scope', 'project'])
  expect([imported.code, imported.out]).toEqual([0, '1 imported, 0 known already, 1 left out\n'])
  expect(imported.err).toContain('more than 65536; make it shorter')
  expect(readFileSync(join(cwd, '.troupe/memory/port.md'), 'utf8')).toContain('"by":"agent"')
  expect(JSON.parse((await say(['show', 'port', '--json'])).out)).toMatchObject({ source: { by: 'agent' } })
})

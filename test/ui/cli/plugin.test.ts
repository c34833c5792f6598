import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

function desk() {
  const [cwd, home] = [emptyDirectory(), emptyDirectory()]
  const files = {
    'fmt/.claude-plugin/plugin.json': '{"name": "fmt", "version": "1.0.0", "description": "Formats.", "themes": {}}',
    'fmt/commands/go.md': '---\nallowed-tools: Bash(make:*)\n---\nGo \u001b[31mred.',
    'fmt/hooks/hooks.json': '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "make test"}]}]}}',
    'fmt/teams/ship.yaml':
      'name: ship\nmodel: scripted/../s.yaml\ncoordinator: { prompt: Ship. }\nworkers: { w: { description: W., prompt: W. } }\n',
    'fmt/s.yaml': 'agents: { lead: { steps: [{ say: Shipped. }] } }\n',
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true })
    writeFileSync(join(cwd, name), text)
  }
  const at = async (answer: string | null, ...args: readonly string[]) => {
    const terminal = answer === null ? {} : { terminal: { columns: 200, rows: 50 } }
    const host = fakeHost({ cwd, home, policyRoot: join(home, 'policy'), env: { HOME: home }, ...terminal })
    if (answer !== null) {
      host.stdin.isTTY = true
      host.stdin.end(answer)
    }
    const code = await main(args, host)
    return { code, out: host.stdout.text, err: host.stderr.text }
  }
  return { at, cwd, troupe: (...args: readonly string[]) => at(null, ...args) }
}

test('without a terminal a plugin is added untrusted, with all that it would open, and --trust lets it count', async () => {
  const { troupe } = desk()
  const added = await troupe('plugin', 'add', './fmt')
  expect(added.code).toBe(0)
  expect(added.out).toContain('commands: /fmt:go\n  teams: fmt:ship\n  hooks: 1')
  expect(added.out).toContain(
    'hook Stop * {"type":"command","command":"make test"}\n  command fmt:go allows Bash(make:*)',
  )
  expect(added.out).toContain('.claude-plugin/plugin.json: themes means nothing here')
  expect(added.out).toContain('fmt 1.0.0 is added and not trusted: nothing of it counts.')
  expect((await troupe('plugin', 'ls')).out).toMatch(/^fmt +1\.0\.0 +untrusted /m)
  expect((await troupe('hooks', 'ls')).out).toContain('No hooks run here.')
  expect((await troupe('run', 'fmt:ship', 'Go.')).err).toContain('nobody trusts the plugin "fmt" yet')
  expect((await troupe('plugin', 'add', './fmt', '--trust')).out).toContain('fmt 1.0.0 is added and trusted.')
  expect((await troupe('hooks', 'ls')).out).toMatch(/^Stop +\* +command +runs +plugin +plugin fmt hooks\/hooks\.json/m)
  expect((await troupe('commands', 'ls')).out).toMatch(/^\/fmt:go +prompt +plugin /m)
  expect((await troupe('trust', '--list')).out).toMatch(/\.troupe\/plugins\n {2}plugin fmt sha256:[0-9a-f]{64}/)
  const ran = await troupe('check', 'fmt:ship')
  expect(ran).toMatchObject({ code: 0 })
})

test('at a terminal a person reads what it opens, and answers', async () => {
  const { at, troupe } = desk()
  const no = await at('n\n', 'plugin', 'add', './fmt')
  expect(no.err).toContain('make test')
  expect(no.out).toContain('not trusted')
  expect((await at('y\n', 'plugin', 'add', './fmt')).out).toContain('added and trusted')
  expect((await at('', 'plugin', 'add', './fmt')).out).toContain('was there already, with these very files')
  expect(JSON.parse((await troupe('plugin', 'ls', '--json')).out)).toMatchObject({
    plugins: [{ name: 'fmt', state: 'trusted', brings: { teams: ['fmt:ship'] } }],
  })
})

test('files that are trusted stay until the new ones are, too', async () => {
  const { at, troupe, cwd } = desk()
  await troupe('plugin', 'add', './fmt', '--trust')
  writeFileSync(
    join(cwd, 'fmt/hooks/hooks.json'),
    '{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "evil"}]}]}}',
  )
  const no = await at('n\n', 'plugin', 'add', './fmt')
  expect(no.err).toContain('evil')
  expect(no.out).toContain('fmt 1.0.0 is not taken: the files that you trust stay.')
  expect((await troupe('plugin', 'add', './fmt', '--json')).out).toMatch(/"added": false,\s+"trusted": false/)
  expect((await troupe('hooks', 'ls')).out).toMatch(/plugin fmt hooks\/hooks\.json +make test/)
  await at('y\n', 'plugin', 'add', './fmt')
  expect((await troupe('hooks', 'ls')).out).toMatch(/plugin fmt hooks\/hooks\.json +evil/)
})

test('what cannot be done is said in one line, with the cure', async () => {
  const { troupe } = desk()
  await troupe('plugin', 'add', './fmt')
  expect(await troupe('plugin', 'remove', 'fnt')).toMatchObject({
    code: 2,
    err: expect.stringContaining('"fmt"?') as string,
  })
  expect(await troupe('plugin', 'add', './gone')).toMatchObject({
    code: 2,
    err: expect.stringContaining('there is no directory ./gone') as string,
  })
  expect(await troupe('plugin', 'add', 'ext::sh -c id')).toMatchObject({ code: 2 })
  expect(await troupe('plugin', 'check', './fmt')).toMatchObject({ code: 0 })
  expect((await troupe('plugin', 'remove', 'fmt')).out).toBe('fmt is removed.\n')
  expect((await troupe('plugin', 'ls')).out).toContain('No plugins.')
})

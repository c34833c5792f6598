import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findRipgrep } from '../../../src/adapters/tools/search/open-search.ts'
import { searchHere } from '../../../src/adapters/tools/search/in-process.ts'
import { ripgrepBackend } from '../../../src/adapters/tools/search/ripgrep.ts'
import { defineTool, z } from '../../../src/tools.ts'
import { loadRules, settingsModels } from '../../../src/runtime/settings/load-rules.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { play, tempDir } from '../support/stage.ts'
import { settingsPaths, workspace } from './support/workspace.ts'

const bash = (command: string, as: string) => ({ calls: [{ tool: 'Bash', input: { command }, as }] })

test('variables and closed tools of the settings hold from the next call on', async () => {
  let change = (): void => undefined
  const changes = defineTool({
    name: 'Change',
    description: 'Changes the settings.',
    input: z.strictObject({}),
    effect: 'none',
    async run() {
      change()
      await expect.poll(() => recorded.some(({ entry }) => entry.type === 'settings.changed')).toBe(true)
      return { content: [{ type: 'text', text: 'Changed.' }] }
    },
  })
  const team = {
    name: 'duo',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', tools: ['Bash', 'Glob', 'Change'] } },
  }
  const steps = [
    bash('echo "<$GREETING>"', 'one'),
    { calls: [{ tool: 'Glob', input: { pattern: '*.log' }, as: 'logs' }] },
    { calls: [{ tool: 'Change', input: {} }] },
    bash('echo "<$GREETING>"', 'two'),
    { calls: [{ tool: 'Glob', input: { pattern: '*' } }] },
    { say: '{{one.text}} {{logs.text}} {{two.text}}' },
  ]
  const lead = {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] },
      { say: '{{mail.ana}}' },
    ],
  }
  const settings = (text: object): string => JSON.stringify(text)
  const files = {
    'home/.troupe/settings.json': settings({ env: { GREETING: 'ahoy' }, respectGitignore: false }),
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.gitignore': '*.log\n',
    'night.log': 'x',
  }
  const { result, recorded, cwd } = await play(
    team,
    { lead, ana: { steps } },
    { files, tools: [changes], task: 'Look.' },
  )
  change = () =>
    writeFileSync(
      join(cwd, 'home/.troupe/settings.json'),
      settings({ env: { GREETING: 'moin' }, disallowedTools: ['Glob'] }),
    )
  const { status, result: said } = await result
  const errors = recorded.flatMap(({ entry }) =>
    entry.type === 'message.appended' && entry.message.role === 'tool' ? entry.message.results : [],
  )
  expect(errors.flatMap(({ tool, is_error }) => (is_error ? [tool] : []))).toEqual(['Glob'])
  expect(status).toBe('completed')
  expect(said).toMatch(/<ahoy>[^]*night\.log[^]*<moin>/)
})

test('variables of a project wait for trust, each with its value; those that Troupe itself reads are nobody’s', async () => {
  const place = workspace()
  place.write(settingsPaths.project, { env: { NODE_OPTIONS: '--require ./x.cjs', MODE: 'a' } })
  place.write(settingsPaths.user, { env: { MODE: 'b', EDITOR: 'vi' } })
  const untrusted = await loadRules(place)
  expect(untrusted.env).toEqual({ MODE: 'b', EDITOR: 'vi' })
  expect(untrusted.untrusted.map(({ kind, text }) => [kind, text])).toEqual([
    ['env', 'env NODE_OPTIONS=--require ./x.cjs'],
    ['env', 'env MODE=a'],
  ])
  expect((await loadRules({ ...place, trusted: ['env MODE=a'] })).env).toEqual({ MODE: 'a', EDITOR: 'vi' })
  place.write(settingsPaths.user, { env: { TROUPE_DEPTH: '0/5' } })
  const refused = await loadRules(place)
  expect(refused.env).toEqual({})
  expect(refused.problems).toContainEqual(
    expect.objectContaining({ severity: 'error', file: '~/.troupe/settings.json' }),
  )
})

test('a model without its provider, in a file of another program, is put aside; the rest of the file counts', async () => {
  const place = workspace()
  place.write('home/.claude/settings.json', {
    model: 'opus',
    env: { MODE: 'a' },
    permissions: { deny: ['Bash(rm:*)'] },
  })
  const { model, env, rules, problems } = await loadRules(place)
  expect({ model, env, deny: rules.user?.deny, problems }).toEqual({
    model: null,
    env: { MODE: 'a' },
    deny: ['Bash(rm:*)'],
    problems: [],
  })
})

test('the model of the settings answers for those that name none', async () => {
  const place = workspace()
  place.write(settingsPaths.user, { model: 'openai/gpt-5' })
  const team = (more: object) => ({
    name: 'duo',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', prompt: 'You work.', tools: [], model: 'anthropic/claude-opus-5' } },
    ...more,
  })
  const env = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' }
  const modelsOf = async (more: object, options: object = {}): Promise<readonly string[]> => {
    const { members } = await loadTeam(team(more), { cwd: place.cwd, env, ...settingsModels(place), ...options })
    return members.map(({ model }) => model)
  }
  expect(await modelsOf({})).toEqual(['openai/gpt-5', 'anthropic/claude-opus-5'])
  expect(await modelsOf({ model: 'openai/o3' })).toEqual(['openai/o3', 'anthropic/claude-opus-5'])
  expect(await modelsOf({}, { model: 'openai/o4' })).toEqual(['openai/o4', 'openai/o4'])
  place.write(settingsPaths.user, {})
  await expect(modelsOf({})).rejects.toThrow('no_model')
})

const path = process.env['PATH'] ?? ''
const ripgrep = await findRipgrep(path)

test.for([
  ['in this process', searchHere(true)],
  ...(ripgrep === null ? [] : [['with ripgrep', ripgrepBackend(ripgrep, { PATH: path }, true)] as const]),
] as const)('a search that respects no .gitignore finds everything but .git, %s', async ([, backend]) => {
  const dir = tempDir()
  for (const folder of ['.git', 'dist/deep']) mkdirSync(join(dir, folder), { recursive: true })
  for (const file of ['.git/config', 'dist/deep/a.js', 'b.log', 'c.ts']) writeFileSync(join(dir, file), 'x')
  writeFileSync(join(dir, '.gitignore'), 'dist/\n*.log\n')
  const { paths } = await backend.files(dir, AbortSignal.timeout(60_000))
  expect(paths.map((found) => found.slice(dir.length + 1))).toEqual(['.gitignore', 'b.log', 'c.ts', 'dist/deep/a.js'])
})

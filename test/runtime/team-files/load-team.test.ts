import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { checkTeamFile, loadTeam, TeamFileError } from '../../../src/runtime/team-files/load-team.ts'
import { teamSchema } from '../../../src/runtime/team-files/team-schema.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-load-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function team(worker: string, head = 'model: scripted/a.yaml'): void {
  writeFileSync(
    join(dir, 'team.yaml'),
    `name: t\n${head}\ncoordinator: {}\nworkers:\n  w: { prompt: p, description: d, ${worker} }\n`,
  )
}

const failed = async (options: Parameters<typeof loadTeam>[1] = {}): Promise<TeamFileError> => {
  const error: unknown = await loadTeam('team.yaml', { cwd: dir, ...options }).catch((reason: unknown) => reason)
  if (!(error instanceof TeamFileError)) throw new Error('the team was loaded')
  return error
}

describe('what only the whole installation knows', () => {
  test.for([
    ['an unknown tool', 'tools: [Raed]', '5:43 error unknown_tool there is no tool "Raed" (did you mean Read?)'],
    ['a tool of the coordinator', 'tools: [Read, StopWorker]', '5:49 error tool_not_grantable'],
    ['an unknown provider', 'model: antropic/x', '5:42 error unknown_provider there is no model provider "antropic"'],
    ['a limit of nothing', 'max_turns: 0', '5:46 error invalid_value'],
  ] as const)('%s stops the load, with its place', async ([, worker, message]) => {
    team(worker)
    expect((await failed()).message).toContain(`team.yaml:${message}`)
  })

  test('a tool that a card brings is placed at the from: that names it', async () => {
    writeFileSync(join(dir, 'c.md'), '---\ndescription: d\ntools: Raed\n---\np\n')
    team('from: c.md')
    expect((await failed()).message).toContain('team.yaml:5:41 error unknown_tool')
  })

  test('form, schema and installation are reported together', async () => {
    team('tools: [Raed], promt: x', 'modle: x')
    const { diagnostics } = await failed()
    expect(diagnostics.map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 unknown_key',
      '5 unknown_tool',
      '5 unknown_key',
    ])
  })
})

describe('the model', () => {
  test('none at all is a warning in a check and stops a load', async () => {
    team('tools: []', 'description: no model')
    const { diagnostics } = await checkTeamFile('team.yaml', { cwd: dir })
    expect(diagnostics.map(({ severity, code }) => `${severity} ${code}`)).toEqual(['warning no_model'])
    const error = await failed()
    expect(error.diagnostics).toMatchObject([{ severity: 'error', code: 'no_model' }])
    expect(error.message).toContain('--model provider/model')
  })

  test('a missing credential is a warning that names the variable', async () => {
    team('tools: []', 'model: anthropic/x')
    const check = async (env: Record<string, string>): Promise<string[]> =>
      (await checkTeamFile('team.yaml', { cwd: dir, env })).diagnostics.map(({ code, message }) => `${code} ${message}`)
    expect(await check({})).toEqual([
      'missing_credential anthropic/x needs ANTHROPIC_API_KEY, which is not set (the model of lead, w)',
    ])
    expect(await check({ ANTHROPIC_API_KEY: 'k' })).toEqual([])
  })

  test('what is wrong with a model from outside stands at the word that names it', async () => {
    team('tools: [Raed]', 'model: anthropic/x')
    const lines = async (options: Parameters<typeof loadTeam>[1]): Promise<string[]> =>
      (await failed(options)).diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`)
    expect(await lines({ model: 'antropic/x' })).toEqual(['team.yaml:5 unknown_tool', '--model:1 unknown_provider'])
    expect(await lines({ env: { TROUPE_MODEL: 'antropic/x' } })).toContain('TROUPE_MODEL:1 unknown_provider')
    expect(await lines({ env: { TROUPE_MODEL: 'a/x' }, model: 'b/x' })).toContain('--model:1 unknown_provider')
    const { diagnostics } = await checkTeamFile('team.yaml', { cwd: dir, model: 'openai/x' })
    expect(diagnostics.at(-1)).toMatchObject({ file: '--model', code: 'missing_credential' })
  })

  test('a model that nobody can be asked by stands once, though an advisor has it, too', async () => {
    team('tools: [], advisor: { model: anthropic/z }', 'model: anthropic/x')
    const { diagnostics } = await failed({ model: 'antropic/x' })
    expect(diagnostics.map(({ file, code }) => `${file} ${code}`)).toEqual(['--model unknown_provider'])
  })

  const wrong = async (options: Parameters<typeof loadTeam>[1] = {}): Promise<string[]> =>
    (await checkTeamFile('team.yaml', { cwd: dir, ...options })).diagnostics.map(
      ({ file, line, column, code, message }) => `${file}:${line}:${column} ${code} ${message}`,
    )

  test('a script that is not there is a mistake where it is named', async () => {
    team('tools: []')
    const gone = 'bad_script the script a.yaml cannot be read: there is no such file'
    expect(await wrong()).toEqual([`team.yaml:2:8 ${gone}`])
    team('model: scripted/a.yaml, tools: []', 'model: openai/x')
    expect(await wrong({ env: { OPENAI_API_KEY: 'k' } })).toEqual([`team.yaml:5:42 ${gone}`])
    expect(await wrong({ model: 'scripted/b.yaml' })).toEqual([
      `--model:1:1 bad_script the script ${dir}/b.yaml cannot be read: there is no such file`,
    ])
  })

  test.for([
    ['agents: { lead: { steps: [{ say: Done., calls: [{ tool: Read, as: it }] }] } }', undefined],
    ['record: openai/x', undefined],
    ['agents: { lead: { steps: [{ say: Done., usage: { input: 3 } }] } }', undefined],
    ['agents: { lead: { steps: [{ sya: Done. }] } }', 'a.yaml:1:27 agents.lead.steps.0: Unrecognized key: "sya"'],
    ['agents: { lead: { steps: [{ calls: [{ tool: Read, as: mail }] }] } }', 'a.yaml:1:55'],
    ['agents: { lead: {', 'a.yaml:1:18'],
    ['just words', 'a.yaml:1:1'],
  ] as const)('the script "%s" is wrong: %s', async ([script, said]) => {
    team('tools: []')
    writeFileSync(join(dir, 'a.yaml'), script)
    const head = 'team.yaml:2:8 bad_script the script is wrong: '
    const all = await wrong()
    expect(all.map((line) => line.slice(0, head.length + (said ?? '').length))).toEqual(said ? [head + said] : [])
  })

  const models = async (options: Parameters<typeof loadTeam>[1]): Promise<string[]> =>
    (await loadTeam('team.yaml', { cwd: dir, ...options })).members.map(({ model }) => model)

  test('--model replaces every model, TROUPE_MODEL too when nothing is wished', async () => {
    team('model: anthropic/x', 'model: openai/y')
    const env = { TROUPE_MODEL: 'anthropic/from-env' }
    expect(await models({ env })).toEqual(['anthropic/from-env', 'anthropic/from-env'])
    expect(await models({ env, model: 'openai/wished' })).toEqual(['openai/wished', 'openai/wished'])
    expect(await models({ env: { TROUPE_MODEL: '' } })).toEqual(['openai/y', 'anthropic/x'])
  })

  test('TROUPE_MODEL leaves a scripted team alone, --model does not', async () => {
    team('tools: []')
    const env = { TROUPE_MODEL: 'anthropic/from-env' }
    expect(await models({ env })).toEqual(['scripted/a.yaml', 'scripted/a.yaml'])
    expect(await models({ env, model: 'openai/wished' })).toEqual(['openai/wished', 'openai/wished'])
  })

  test('a script that a person names lies where the person is', async () => {
    team('tools: []')
    expect(await models({ model: 'scripted/mine.yaml' })).toEqual([
      `scripted/${dir}/mine.yaml`,
      `scripted/${dir}/mine.yaml`,
    ])
  })
})

test('diagnostics come in file order, cards after the team file, nothing twice', async () => {
  writeFileSync(join(dir, 'c.md'), 'no frontmatter')
  writeFileSync(
    join(dir, 'team.yaml'),
    'name: t\nmodel: openai/a\nzzz: 1\ncoordinator: {}\nworkers:\n  a: { from: c.md }\n  b: { from: c.md }\nbudgt: {}\n',
  )
  const { diagnostics } = await checkTeamFile('team.yaml', { cwd: dir, env: { OPENAI_API_KEY: 'k' } })
  expect(diagnostics.map(({ file, line, code }) => `${file}:${line} ${code}`)).toEqual([
    'team.yaml:3 unknown_key',
    'team.yaml:8 unknown_key',
    'c.md:1 no_frontmatter',
  ])
})

test('the JSON Schema accepts what the loader accepts and refuses what it refuses', () => {
  const schema = z.fromJSONSchema(teamSchema())
  const good = { name: 't', coordinator: {}, workers: { w: { prompt: 'p', tools: ['Read'] } } }
  expect(schema.safeParse(good).success).toBe(true)
  for (const bad of [{ ...good, modle: 'x' }, { ...good, workers: {} }, { ...good, name: 'T' }, { name: 't' }]) {
    expect(schema.safeParse(bad).success).toBe(false)
  }
})

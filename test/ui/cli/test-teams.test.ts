import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { main } from '../../../src/ui/cli/main.ts'
import { tempDir } from '../../runtime/support/stage.ts'
import { fakeHost } from './fake-host.ts'

const team = {
  name: 'duo',
  permissions: { allow: ['Write'] },
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'd', prompt: 'p', tools: ['Read', 'Write'] } },
}
const tape = {
  agents: {
    lead: {
      steps: [
        { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Note it.' }] } }] },
        { say: 'It is noted: 42.' },
      ],
    },
    ana: {
      steps: [
        { calls: [{ tool: 'Read', input: { file_path: 'in.txt' } }] },
        { calls: [{ tool: 'Write', input: { file_path: 'out.txt', content: 'noted' } }] },
        { say: 'Noted.' },
      ],
    },
  },
}
const told = { team: 'duo.yaml', task: 'Note it.', cassette: 'tape.yaml', files: { 'in.txt': 'secret' } }
const holds = {
  status: 'completed',
  answer: { contains: ['42'], matches: '^It is \\w+: \\d+\\.$' },
  tools: { used: ['Read', 'Write', 'Delegate'], unused: ['Bash'] },
  files: { changed: ['out.txt'], unchanged: ['in.txt'] },
  members: ['ana', 'lead'],
  mail: [
    { from: 'lead', to: 'ana', contains: 'Note it.' },
    { from: 'ana', to: 'lead' },
  ],
  cost_below: 0.01,
  turns_below: 6,
  denied: 'none',
}
const fails = {
  status: 'failed',
  answer: { contains: ['43'], matches: '^4', equals: 'x' },
  tools: { used: ['Bash'], unused: ['Write'] },
  files: { changed: ['in.txt'], unchanged: ['out.txt'] },
  members: ['lead'],
  mail: [{ from: 'ana', to: 'lead', contains: 'nothing of the kind' }],
  turns_below: 5,
  denied: 'some',
}

function stage(tests: Readonly<Record<string, object>>) {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'teams'))
  const files = { 'duo.yaml': team, 'tape.yaml': tape, ...tests }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(cwd, 'teams', name), stringify(content))
  return async (...args: readonly string[]) => {
    const host = fakeHost({ cwd, home: join(cwd, 'home') })
    const code = await main(['test', ...args], host)
    return { cwd, code, out: host.stdout.text, err: host.stderr.text }
  }
}

test('a test that holds passes, by its file, its folder, its team and without a name', async () => {
  const troupe = stage({ 'duo.notes.test.yaml': { ...told, expect: holds } })
  for (const name of [['teams/duo.notes.test.yaml'], ['teams'], ['duo'], []])
    expect(await troupe(...name, '--trust')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^ok {5}teams\/duo\.notes\.test\.yaml \S+\n1 passed, 0 failed\n$/) as string,
    })
})

test('each assertion that does not hold is named with its place, for CI, too', async () => {
  const troupe = stage({ 'duo.test.yaml': { ...told, expect: fails }, 'bo.test.yaml': { ...told, expect: holds } })
  const { cwd, code, out } = await troupe('--trust', '--json', '--junit', 'report.xml')
  expect(code).toBe(1)
  const { tests, ...sums } = JSON.parse(out) as { tests: { diagnostics: { message: string; line: number }[] }[] }
  expect(sums).toEqual({ ok: false, passed: 1, failed: 1 })
  const [, failed] = tests
  const keys = failed?.diagnostics.map(({ message }) => message.slice(0, message.indexOf(':')))
  expect(keys).toEqual([
    'status',
    'denied',
    'answer.contains',
    'answer.matches',
    'answer.equals',
    'tools.used',
    'tools.unused',
    'files.changed',
    'files.unchanged',
    'turns_below',
    'members',
    'mail',
  ])
  const lines = readFileSync(join(cwd, 'teams/duo.test.yaml'), 'utf8').split('\n')
  const matches = failed?.diagnostics.find(({ message }) => message.startsWith('answer.matches'))
  expect(lines[(matches?.line ?? 0) - 1]).toContain('matches:')
  const report = readFileSync(join(cwd, 'report.xml'), 'utf8')
  expect(report).toContain('tests="2" failures="1"')
  expect(report).toContain('<failure message="status: the run ended as completed (completed), not as failed">')
})

test('a pattern that comes to no end on an answer fails its test, and holds up no other', async () => {
  const endless = { ...told, expect: { answer: { matches: '^((((.+)+)+)+)+!$' } } }
  const { code, out } = await stage({ 'duo.test.yaml': endless, 'bo.test.yaml': { ...told, expect: holds } })('--trust')
  expect(code).toBe(1)
  expect(out).toMatch(/takes too long on the answer "It is .*": write it without repetitions in repetitions/)
})

test('a call that is denied fails a test that says nothing of it', async () => {
  const troupe = stage({ 'duo.test.yaml': told })
  expect(await troupe()).toMatchObject({ code: 1, out: expect.stringContaining('ana: Write: ') as string })
})

test.each([
  [{ ...told, expects: {} }, /duo\.test\.yaml:6:1 error unknown_key .*"expects".*\n.*"expect"/],
  [{ ...told, expect: { tool: {} } }, /unknown_key .*"tool"/],
  [
    { ...told, expect: { answer: { matches: '(' } } },
    /duo\.test\.yaml:8:\d+ error \S+ expect\.answer\.matches.*regular expression/,
  ],
  [{ team: 'duo.yaml' }, /missing_key task is required/],
  [{ ...told, team: 'nobody.yaml' }, /nobody\.yaml:1:1 error not_found/],
  [{ ...told, files: { '../out': 'x' } }, /duo\.test\.yaml:5:\d+ error invalid_value \.\.\/out lies outside/],
  [
    { ...told, expect: { answer: { matches: '(' } } },
    /duo\.test\.yaml:8:\d+ error invalid_value expect\.answer\.matches is no regular/,
  ],
])('a mistake in a file is none of the team: %j', async (content, text) => {
  const troupe = stage({ 'duo.test.yaml': content })
  const { code, out } = await troupe()
  expect(out).toMatch(text)
  expect(code).toBe(2)
})

test('a run that takes longer than its time is ended, and the time is named', async () => {
  const content = { ...told, cassette: 'hangs.yaml', timeout: '1s' }
  const hangs = { agents: { lead: { steps: [{ say: 'I think.', hang: true }] } } }
  const troupe = stage({ 'duo.test.yaml': content, 'hangs.yaml': hangs })
  const { code, out } = await troupe()
  expect(out).toMatch(/duo\.test\.yaml:6:\d+ error timeout the run took longer than 1s and was ended/)
  expect(code).toBe(1)
})

test('a file whose name begins with dots is a file of the directory', async () => {
  const troupe = stage({ 'duo.test.yaml': { ...told, files: { 'in.txt': 'secret', '..notes': 'x' } } })
  expect((await troupe('--trust')).code).toBe(0)
})

test('nothing to test is said, and the schema is there for editors', async () => {
  const troupe = stage({})
  expect(await troupe()).toMatchObject({ code: 2, err: expect.stringContaining('no *.test.yaml here') as string })
  const { out } = await troupe('--schema')
  expect(JSON.parse(out)).toMatchObject({ properties: { expect: { properties: { turns_below: {} } } } })
})

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse, stringify } from 'yaml'
import { main } from '../../../src/ui/cli/main.ts'
import { bareEnv } from '../../support/bare-env.ts'
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

function stage(tests: Readonly<Record<string, object | string>>, env: Readonly<Record<string, string>> = {}) {
  const cwd = tempDir()
  mkdirSync(join(cwd, 'teams'))
  const files = { 'duo.yaml': team, 'tape.yaml': tape, ...tests }
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(cwd, 'teams', name), typeof content === 'string' ? content : stringify(content))
  return async (...args: readonly string[]) => {
    const host = fakeHost({ cwd, home: join(cwd, 'home'), env: { ...bareEnv, ...env } })
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

const commented = `# Of the notes.
team: duo.yaml # beside this file
task: Note it.
cassette: tape.yaml
files: { in.txt: "secret" }
expect:
  answer:
    contains: ["43"]
    equals: 'It was noted: 41.' # the whole
  status: failed
  members: [bo,   lead] # both
  denied: some
  turns_below: 2
`

test('--update writes what a run says exactly, and leaves all else as it was written', async () => {
  const troupe = stage({ 'duo.test.yaml': commented })
  const { cwd, code, out } = await troupe('duo', '--trust', '--update')
  expect(readFileSync(join(cwd, 'teams', 'duo.test.yaml'), 'utf8')).toBe(
    commented
      .replace('It was noted: 41.', 'It is noted: 42.')
      .replace('status: failed', 'status: completed')
      .replace('[bo,   lead]', '[ana, lead]')
      .replace('denied: some', 'denied: none'),
  )
  for (const line of ["-    equals: 'It was noted: 41.' # the whole", "+    equals: 'It is noted: 42.' # the whole"])
    expect(out).toContain(`\n  ${line}\n`)
  expect([code, out]).toEqual([1, expect.stringMatching(/answer\.contains.*43[^]*turns_below/)])
  expect(out).not.toMatch(/unmet (?:status|members|denied)/)
  const again = await troupe('duo', '--trust', '--update', '--json')
  expect(JSON.parse(again.out)).toMatchObject({ tests: [{ updated: [] }] })
})

test('--update records a cassette anew, and keeps the old one where a model failed', async () => {
  const answers = { ...tape, agents: { ...tape.agents, lead: { steps: [{ say: 'Nothing to note.' }] } } }
  const old = { record: 'scripted/answers.yaml', replay: 'lenient', literal: true, ...tape }
  const tests = { 'duo.test.yaml': { ...told, expect: { answer: { equals: 'It is noted: 42.' } } } }
  const lead = { lead: answers.agents.lead }
  const troupe = stage({ ...tests, 'tape.yaml': old, 'answers.yaml': { agents: lead } })
  const { cwd, out, code } = await troupe('duo', '--trust', '--update')
  const file = join(cwd, 'teams', 'tape.yaml')
  expect([code, out]).toEqual([0, expect.stringContaining('+      - say: Nothing to note.')])
  expect(parse(readFileSync(file, 'utf8'))).toMatchObject({
    record: old.record,
    replay: 'lenient',
    agents: { lead: {} },
  })
  expect(await troupe('duo', '--trust')).toMatchObject({ code: 0 })
  const recorded = readFileSync(file, 'utf8')
  writeFileSync(join(cwd, 'teams', 'answers.yaml'), stringify({ agents: { lead: { steps: [{ fail: 'auth' }] } } }))
  expect(await troupe('duo', '--trust', '--update')).toMatchObject({ code: 1 })
  expect(readFileSync(file, 'utf8')).toBe(recorded)
})

test('--update is not for CI unless it is forced', async () => {
  const troupe = stage({ 'duo.test.yaml': commented }, { CI: 'true' })
  const refused = await troupe('duo', '--trust', '--update')
  expect([refused.code, refused.err]).toEqual([2, expect.stringContaining('--force does it all the same')])
  expect(readFileSync(join(refused.cwd, 'teams', 'duo.test.yaml'), 'utf8')).toBe(commented)
  expect((await troupe('duo', '--trust', '--update', '--force')).out).toContain('+  status: completed')
})

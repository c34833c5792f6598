import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { fakeHost, type FakeHost } from './fake-host.ts'
import { directoryWith, emptyDirectory } from './process/troupe.ts'

interface Spoken {
  readonly code: number
  readonly out: string
  readonly err: string
}

async function troupe(cwd: string, args: readonly string[], env: FakeHost['env'] = {}): Promise<Spoken> {
  const host = fakeHost({ cwd, home: cwd, env })
  const code = await main(args, host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

const team = (more = ''): string =>
  [
    'name: one',
    'model: scripted/x.yaml',
    'coordinator: { prompt: Lead. }',
    'workers: { hand: { description: Reads., prompt: Do., tools: [Read] } }',
    more,
  ].join('\n')

describe('the program', () => {
  test.each([
    [['--version'], 0, /^1\.2\.3\n$/, /^$/],
    [['--help'], 0, /Commands:[\s\S]*run[\s\S]*Examples:[\s\S]*Exit codes:/, /^$/],
    [['run', '--help'], 0, /Usage: troupe run [\s\S]*Examples:/, /^$/],
    [['help', 'logs'], 0, /Usage: troupe logs [\s\S]*Examples:/, /^$/],
    [['rnu'], 2, /^$/, /^error: unknown command 'rnu' \(Did you mean run\?\); troupe --help shows the usage\n$/],
    [
      ['ps', '--jsno'],
      2,
      /^$/,
      /^error: unknown option '--jsno' \(Did you mean --json\?\); troupe ps --help shows the usage\n$/,
    ],
    [['help', 'nosuch'], 2, /^$/, /^error: there is no command "nosuch"\n$/],
    [['help', 'resme'], 2, /^$/, /^error: there is no command "resme" \(did you mean "resume"\?\)\n$/],
    [['mcp', 'help', 'lgoin'], 2, /^$/, /^error: there is no command "lgoin" \(did you mean "login"\?\)\n$/],
    [['mcp', 'help', 'login'], 0, /Usage: troupe mcp login /, /^$/],
    [['run', 'quikstart'], 2, /^$/, /did you mean "quickstart"\?\n$/],
    [['run'], 2, /^$/, /^error: missing required argument 'team'; troupe run --help shows the usage\n$/],
    [['ps', 'extra'], 2, /^$/, /^error: too many arguments/],
    [['completion', 'tcsh'], 2, /^$/, /Allowed choices are bash, zsh, fish/],
    [['run', 'quickstart', '--mode', 'plann'], 2, /^$/, /\ndid you mean "plan"\?\n$/],
    [['tools', 'ln'], 2, /^$/, /Did you mean ls/],
    [['mail', 'show'], 2, /^$/, /argument 'id'; troupe mail show --help shows the usage\n$/],
    [['run', 'quickstart', '--task-file', '.'], 2, /^$/, /no file "\." to read the task from/],
    [['logs', '--cwd', 'gone'], 2, /^$/, /^error: --cwd gone is not a directory/],
    [['ps', '--cwd', 'gone'], 2, /^$/, /^error: --cwd gone is not a directory/],
    [['resume', '--partial'], 2, /^$/, /there is no run/],
    [['run', 'quickstart', '--deny', 'Bash(git push'], 2, /^$/, /^error: --deny "Bash\(git push" is not a rule/],
    [['tools', 'run', 'LS', '--allow', 'LS('], 2, /^$/, /^error: --allow "LS\(" is not a rule/],
    [[], 2, /^$/, /Usage: troupe/],
  ])('%j ends with %i', async (args, code, out, err) => {
    const spoken = await troupe(emptyDirectory(), args)
    expect(spoken.code).toBe(code)
    expect(spoken.out).toMatch(out)
    expect(spoken.err).toMatch(err)
  })
})

test.each([
  'skills ls',
  'commands ls',
  'hooks ls',
  'permissions list',
  'permissions explain Read',
  'prompt quickstart',
])('%s refuses a --cwd that is no directory', async (name) => {
  const { code, err } = await troupe(emptyDirectory(), [...name.split(' '), '--cwd', 'gone'])
  expect([code, err]).toEqual([2, 'error: --cwd gone is not a directory; give one that exists\n'])
})

describe('init', () => {
  test('writes a team that the checker likes, its schema, and a .gitignore', async () => {
    const cwd = emptyDirectory()
    const { code, out, err } = await troupe(cwd, ['init', '--name', 'notes'])
    expect([code, out]).toEqual([0, 'wrote teams/notes.yaml\nwrote teams/team.schema.json\nwrote .troupe/.gitignore\n'])
    expect(err).toContain('troupe check teams/notes.yaml')
    expect(readFileSync(join(cwd, 'teams/notes.yaml'), 'utf8')).toMatch(
      /^# yaml-language-server: \$schema=\.\/team\.schema\.json\n/,
    )
    expect(JSON.parse(readFileSync(join(cwd, 'teams/team.schema.json'), 'utf8'))).toHaveProperty('properties.workers')
    expect(readFileSync(join(cwd, '.troupe/.gitignore'), 'utf8')).toBe(
      '*\n!/memory/\n!/memory/*.md\n/memory/MEMORY.md\n',
    )
    writeFileSync(join(cwd, 'x.yaml'), 'agents: {}\n')
    const checked = await troupe(cwd, ['check', 'notes', '--json', '--model', 'scripted/x.yaml'])
    expect(JSON.parse(checked.out)).toEqual({ ok: true, diagnostics: [] })
  })

  test('never overwrites', async () => {
    const cwd = directoryWith({ 'teams/my-team.yaml': 'mine' })
    const { code, out } = await troupe(cwd, ['init'])
    expect([code, out]).toEqual([
      0,
      'kept  teams/my-team.yaml\nwrote teams/team.schema.json\nwrote .troupe/.gitignore\n',
    ])
    expect(readFileSync(join(cwd, 'teams/my-team.yaml'), 'utf8')).toBe('mine')
  })

  test('refuses a name that no team can have', async () => {
    const { code, err } = await troupe(emptyDirectory(), ['init', '--name', '../x'])
    expect([code, err]).toEqual([2, expect.stringContaining('--name "../x" must start with')])
  })
})

describe('check', () => {
  test('reports every mistake with its place; 2', async () => {
    const cwd = directoryWith({ 'a.yaml': team('modle: x'), 'b.yaml': team(), 'x.yaml': 'agents: {}\n' })
    const human = await troupe(cwd, ['check', 'a.yaml', 'b.yaml'])
    expect(human.code).toBe(2)
    expect(human.out).toMatch(/^a\.yaml:5:1 error unknown_key .*\n.*model/)
    expect(human.out).toMatch(/2 checked: 1 error\(s\), 0 warning\(s\)\n$/)
    const json = await troupe(cwd, ['check', 'a.yaml', '--json'])
    expect(json.code).toBe(2)
    expect(JSON.parse(json.out)).toMatchObject({
      ok: false,
      diagnostics: [{ code: 'unknown_key', line: 5, column: 1 }],
    })
  })

  test('warnings alone are no failure', async () => {
    const cwd = directoryWith({ 'a.yaml': team().replace(/^model.*\n/m, '') })
    const { code, out } = await troupe(cwd, ['check', 'a.yaml'])
    expect(code).toBe(0)
    expect(out).toMatch(/a\.yaml:1:1 warning no_model/)
  })

  test('finds teams by name: here first, then those that ship', async () => {
    const cwd = directoryWith({ 'teams/review.yaml': 'name: 1\n' })
    expect((await troupe(cwd, ['check', 'quickstart'])).code).toBe(0)
    expect((await troupe(cwd, ['check', 'review'])).out).toContain('teams/review.yaml:1:7 error')
    expect((await troupe(cwd, ['check', 'none'])).err).toMatch(/no team "none".*review.*quickstart/)
  })
})

test('schema prints a JSON Schema', async () => {
  const { code, out } = await troupe(emptyDirectory(), ['schema'])
  expect(code).toBe(0)
  expect(JSON.parse(out)).toMatchObject({ type: 'object', properties: { coordinator: {} } })
})

describe('ps and logs', () => {
  const run = 'one-01ARZ3NDEKTSV4RRFFQ69G5FAV'
  const line = (owner: string, seq: number, fact: object): string =>
    `${JSON.stringify({ v: 1, seq, id: `${owner}-${seq}`, parent: seq > 1 ? `${owner}-${seq - 1}` : null, at: seq * 1000, ...fact })}\n`
  const says = (text: string) => ({
    type: 'message.appended',
    message: {
      role: 'assistant',
      model: 'm',
      stop: 'end',
      content: [{ type: 'text', text }],
      usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
    },
  })
  const journals = () =>
    directoryWith({
      [`.troupe/runs/${run}/journal/team.jsonl`]: line('team', 1, {
        type: 'member.spawned',
        member: 'lead',
        attempt: 1,
      }),
      [`.troupe/runs/${run}/journal/lead.jsonl`]:
        line('lead', 1, says('one\u001b[2J')) +
        line('lead', 2, says('two')) +
        line('lead', 3, { type: 'message.tombstoned', target: 'lead-2' }),
      [`.troupe/runs/${run}/mail/lead/new/x.json`]: '{}',
    })

  test('say how to start when there is nothing', async () => {
    const cwd = emptyDirectory()
    expect(await troupe(cwd, ['ps'])).toEqual({
      code: 0,
      out: '',
      err: expect.stringContaining('troupe run quickstart') as unknown,
    })
    expect(JSON.parse((await troupe(cwd, ['ps', '--json'])).out)).toEqual([])
    expect(await troupe(cwd, ['logs'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('there is no run') as unknown,
    })
  })

  test('list a run that was killed while it was made', async () => {
    const cwd = journals()
    expect((await troupe(cwd, ['ps'])).err).toContain('1 ended or interrupted')
    const listed = await troupe(cwd, ['ps', '--all'])
    expect(listed.code).toBe(0)
    expect(listed.out).toMatch(new RegExp(`^${run}  interrupted  \\?\\nMEMBER `))
    expect(listed.err).toContain('run.json is missing')
    expect(JSON.parse((await troupe(cwd, ['ps', '--all', '--json'])).out)).toMatchObject([
      { id: run, team: 'one', state: 'interrupted' },
    ])
  })

  test.each([[], [run], ['one'], [run.slice(0, 8)], [join('.troupe/runs', run)], ['lead@one']])(
    'logs %j print it in one order, without what was withdrawn',
    async (...name) => {
      const { code, out, err } = await troupe(journals(), ['logs', ...name])
      expect(code).toBe(0)
      expect(out).toMatch(/^1970-01-01 UTC\n/)
      expect(out).toContain('00:00:01 lead-1\n    one\n')
      expect(out).not.toMatch(/two|\u001b/)
      expect(out.includes('team')).toBe(name[0] !== 'lead@one')
      expect(err).toContain('run.json is missing')
    },
  )

  test('logs --json print entries as they are', async () => {
    const { out } = await troupe(journals(), ['logs', 'lead@one', '--json'])
    const seen = out
      .trimEnd()
      .split('\n')
      .map((text) => JSON.parse(text) as { owner: string; entry: { id: string } })
    expect(seen.map(({ owner, entry }) => [owner, entry.id])).toEqual([
      ['lead', 'lead-1'],
      ['lead', 'lead-2'],
      ['lead', 'lead-3'],
    ])
  })

  test.each([['nobody@one'], ['none'], ['lead@none']])('logs %s say what there is', async (name) => {
    const { code, err } = await troupe(journals(), ['logs', name])
    expect(code).toBe(2)
    expect(err).toContain('troupe ps --all')
  })

  test('logs of a mistyped member name the one that was meant', async () => {
    expect((await troupe(journals(), ['logs', 'laed@one'])).err).toContain(
      'has no journal of "laed" (did you mean "lead"?)',
    )
  })

  test('a torn journal is read up to its tear', async () => {
    const cwd = journals()
    writeFileSync(join(cwd, '.troupe/runs', run, 'journal/lead.jsonl'), `${line('lead', 1, says('whole'))}{"v":1,"s`)
    const { code, out, err } = await troupe(cwd, ['logs'])
    expect([code, out]).toEqual([0, expect.stringContaining('whole')])
    expect(err).toMatch(/warning: .*lead\.jsonl:2 /)
  })

  test('a long result is cut, and whole with --full', async () => {
    const cwd = journals()
    const result = {
      call_id: 'c',
      tool: 'Read',
      is_error: false,
      content: [{ type: 'text', text: Array.from({ length: 20 }, (_, n) => `l${n}`).join('\n') }],
    }
    const fact = { type: 'message.appended', message: { role: 'tool', results: [result] } }
    writeFileSync(join(cwd, '.troupe/runs', run, 'journal/lead.jsonl'), line('lead', 1, fact))
    const cut = (await troupe(cwd, ['logs'])).out
    expect(cut).toContain('    … 12 line(s) before this, see --full\n    l12\n')
    expect(cut).toContain('    l19\n')
    expect(cut).not.toContain('l11')
    expect((await troupe(cwd, ['logs', '--full'])).out).toContain('    l0\n')
  })
})

describe('doctor', () => {
  test('names what is missing and how to get it, and shows no credential', async () => {
    const { code, out } = await troupe(emptyDirectory(), ['doctor'], {
      PATH: emptyDirectory(),
      ANTHROPIC_API_KEY: 'sk-secret',
    })
    expect(code).toBe(0)
    expect(out).toMatch(/^ok +Node +\d/)
    expect(out).toMatch(/missing git .*\n.*install/)
    expect(out).toMatch(/missing TROUPE_MODEL .*\n.*--model/)
    expect(out).toMatch(/ok +ANTHROPIC_API_KEY +set\n/)
    expect(out).toMatch(/missing OPENAI_API_KEY/)
    expect(out).not.toContain('sk-secret')
  })

  test('names a file of secrets that no rule closes', async () => {
    const cwd = directoryWith({ '.env': 'KEY=1' })
    expect((await troupe(cwd, ['doctor'])).out).toMatch(/missing \.env .*no rule.*\n.*permissions add --deny/)
    await troupe(cwd, ['permissions', 'add', '--deny', 'Read(.env)'])
    expect((await troupe(cwd, ['doctor'])).out).not.toMatch(/missing \.env/)
    expect((await troupe(emptyDirectory(), ['doctor'])).out).not.toMatch(/missing \.env/)
  })

  test('ends with 5 when nothing can run', async () => {
    const cwd = directoryWith({ '.troupe': '' })
    const { code, out } = await troupe(cwd, ['doctor', '--json'], { PATH: '' })
    const { ok, findings } = JSON.parse(out) as {
      ok: boolean
      findings: readonly { name: string; status: string; essential: boolean }[]
    }
    expect([code, ok]).toEqual([5, false])
    expect(
      findings.filter(({ status, essential }) => essential && status === 'missing').map(({ name }) => name),
    ).toEqual(['run directory'])
  })
})

test('tools ls lists every tool', async () => {
  const cwd = emptyDirectory()
  mkdirSync(join(cwd, 'teams'))
  const { out } = await troupe(cwd, ['tools', 'ls'])
  expect(out).toMatch(/^TOOL +EFFECT +WHAT\nRead +read +\S/)
  const names = (JSON.parse((await troupe(cwd, ['tools', 'ls', '--json'])).out) as readonly { name: string }[]).map(
    ({ name }) => name,
  )
  expect(names).toEqual(expect.arrayContaining(['Read', 'Bash', 'Delegate']))
  for (const name of names) expect(out).toContain(`\n${name} `)
})

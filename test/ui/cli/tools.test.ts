import { describe, expect, test } from 'vitest'
import { main } from '../../../src/ui/cli/main.ts'
import { fakeHost } from './fake-host.ts'
import { directoryWith } from './process/troupe.ts'

async function tools(cwd: string, ...args: readonly string[]) {
  const host = fakeHost({ cwd, home: `${cwd}/home`, env: { PATH: process.env['PATH'] } })
  const code = await main(['tools', ...args], host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

const greet = `export const tool = ({ defineTool, z }) => defineTool({
  name: 'Greet',
  description: 'Greets somebody by name. Use it once.',
  input: z.strictObject({ name: z.string() }),
  effect: 'none',
  run: async ({ name }) => ({ content: [{ type: 'text', text: 'Hello ' + name }] }),
})
`
const team = `name: ship
model: scripted/idle.yaml
http_tools:
  Ticket: { description: Opens a ticket., url: 'http://127.0.0.1:1/' }
coordinator: { prompt: Lead. }
workers:
  w: { description: Works., prompt: Work., tools: [Greet, Ticket, Read] }
`
const workplace = () =>
  directoryWith({
    'a.txt': 'one\n',
    'teams/ship.yaml': team,
    'teams/idle.yaml': 'agents: {}\n',
    'teams/tools/Greet.ts': greet,
  })

describe('troupe tools describe', () => {
  test('shows what a model reads, with arguments and limits', async () => {
    const { code, out } = await tools(workplace(), 'describe', 'Grep')
    expect(code).toBe(0)
    for (const part of ['Searches files for a regular expression', 'search_files', '"pattern"', '120 s'])
      expect(out).toContain(part)
    const json = JSON.parse((await tools(workplace(), 'describe', 'read_file', '--json')).out) as Record<
      string,
      unknown
    >
    expect(json).toMatchObject({ name: 'Read', effect: 'read', max_result_chars: null, parameters: { type: 'object' } })
  })

  test('a name that is none is answered with the one that was meant', async () => {
    expect(await tools(workplace(), 'describe', 'Grp')).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean Grep?') as string,
    })
  })
})

describe('troupe tools run', () => {
  test('calls a tool and prints what a model would see', async () => {
    expect(await tools(workplace(), 'run', 'Read', '{"file_path": "a.txt"}')).toMatchObject({
      code: 0,
      out: '     1\tone\n',
    })
  })

  test('keeps to the permissions: what would be asked is refused where nobody is, unless it is allowed', async () => {
    const cwd = workplace()
    const touch = ['run', 'Bash', '{"command": "touch made"}'] as const
    expect(await tools(cwd, ...touch)).toMatchObject({
      code: 1,
      out: expect.stringContaining('needs approval') as string,
    })
    expect((await tools(cwd, ...touch, '--allow', 'Bash(touch:*)')).code).toBe(0)
    expect((await tools(cwd, ...touch, '--mode', 'plan')).code).toBe(1)
  })

  test('wrong arguments are said: by the shell, or by the tool', async () => {
    expect(await tools(workplace(), 'run', 'LS', '{path')).toMatchObject({
      code: 2,
      err: expect.stringContaining('not valid JSON') as string,
    })
    expect((await tools(workplace(), 'run', 'LS', '{"dir": "."}')).out).toContain('InputValidationError')
  })
})

describe('tools that a team brings along', () => {
  test('are listed and run once their code is trusted, and not before', async () => {
    const cwd = workplace()
    const refused = await tools(cwd, 'ls', '--team', 'ship')
    expect(refused.code).toBe(1)
    expect(refused.err).toMatch(/teams\/tools\/Greet\.ts is code that nobody trusted yet/)
    const names = (
      JSON.parse((await tools(cwd, 'ls', '--team', 'ship', '--trust', '--json')).out) as { name: string }[]
    ).map(({ name }) => name)
    expect(names.slice(-2)).toEqual(['Ticket', 'Greet'])
    const run = await tools(cwd, 'run', 'Greet', '{"name": "Ann"}', '--team', 'ship', '--trust')
    expect(run).toMatchObject({ code: 0, out: 'Hello Ann\n' })
  })

  test('troupe check knows them, and says what is wrong with them without running them', async () => {
    const cwd = workplace()
    const host = fakeHost({ cwd, home: `${cwd}/home` })
    expect(await main(['check', 'teams/ship.yaml'], host)).toBe(0)
    const broken = directoryWith({
      'ship.yaml': team.replace('Ticket:', 'Read:').replace('tools: [Greet, Ticket, Read]', 'tools: [Greet]'),
    })
    const strict = fakeHost({ cwd: broken, home: `${broken}/home` })
    expect(await main(['check', 'ship.yaml'], strict)).toBe(2)
    expect(strict.stdout.text + strict.stderr.text).toMatch(/tool_name_taken.*"Read"/)
    expect(strict.stdout.text + strict.stderr.text).toMatch(/unknown_tool.*"Greet"/)
  })
})

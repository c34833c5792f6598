import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { play, tempDir } from '../../runtime/support/stage.ts'
import { runs } from './broker-stage.ts'

const program = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))
const server = (mode: string, more: object = {}) => ({
  command: process.execPath,
  args: [program, mode],
  env: { ODD_LOG: '${ODD_LOG:-/dev/null}' },
  ...more,
})

const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'clerk', task: 'Go.' }] } }] }
const lead = { steps: [delegation, { say: '{{mail.clerk}}' }] }
const open = { mode: 'bypassPermissions', allowBypass: true, trusted: true } as const

const teamWith = (servers: object, tools: readonly string[], more: object = {}) => ({
  name: 'support',
  mcp_servers: servers,
  coordinator: { prompt: 'You lead.' },
  workers: { clerk: { description: 'Works.', prompt: 'You work.', tools, ...more } },
})

const call = (tool: string, as: string, input: object = { text: 'ahoy' }) => ({ calls: [{ tool, input, as }] })

test('a server that nobody trusts is not started, and its tools are not there', async () => {
  const clerk = { steps: [call('mcp__odd__echo', 'e'), { say: '{{e.text}}' }] }
  const { run, result } = await play(teamWith({ odd: server('plain', { required: true }) }, ['mcp__odd']), {
    lead,
    clerk,
  })
  const states: string[] = []
  run.subscribe(({ entry }) => {
    if (entry.type === 'mcp.changed') states.push(`${entry.state}: ${entry.reason ?? ''}`)
  })
  expect((await result).result).toContain('No such tool: mcp__odd__echo')
  expect(states.join()).toMatch(/failed: nobody trusted it yet/)
})

test('words of a server allow nothing: its call is denied where nobody can be asked', async () => {
  const clerk = { steps: [call('mcp__odd__helper', 'e', {}), { say: '{{e.text}}' }] }
  const team = teamWith({ odd: server('poison', { required: true, trustAnnotations: true }) }, ['mcp__odd'])
  const { result } = await play(team, { lead, clerk }, { trusted: true })
  expect((await result).result).toMatch(/denied|not permitted|nobody/i)
})

test('a rule about the server denies each of its tools, in every mode', async () => {
  const clerk = { steps: [call('mcp__odd__echo', 'e'), { say: '{{e.text}}' }] }
  const team = {
    ...teamWith({ odd: server('plain', { required: true }) }, ['mcp__odd']),
    permissions: { deny: ['mcp__odd'] },
  }
  const { result } = await play(team, { lead, clerk }, open)
  expect((await result).result).toMatch(/mcp__odd matches/)
})

test('a path among the arguments keeps to the scope', async () => {
  const clerk = { steps: [call('mcp__odd__echo', 'e', { text: '/etc/passwd' }), { say: '{{e.text}}' }] }
  const team = { ...teamWith({ odd: server('plain', { required: true }) }, ['mcp__odd']), scope: ['.'] }
  const { result } = await play(team, { lead, clerk }, open)
  expect((await result).result).toMatch(/outside the team's scope/)
})

test('many tools are looked up first, and a server that is not known yet is waited for', async () => {
  const clerk = {
    steps: [
      { calls: [{ tool: 'ToolSearch', input: { names: ['mcp__odd__tool_7'] } }] },
      call('mcp__odd__tool_7', 'e'),
      { say: '{{e.text}}' },
    ],
  }
  const { result } = await play(teamWith({ odd: server('many') }, ['mcp__odd']), { lead, clerk }, open)
  expect(await result).toMatchObject({ status: 'completed', result: 'many: ahoy ä€😀' })
})

test('a tool that changed since the run before is not called by the rule that allowed it', async () => {
  const words = join(tempDir(), 'words')
  writeFileSync(words, 'Says it again.')
  const odd = { ...server('said-in-file'), env: { ODD_WORDS: words } }
  const team = { ...teamWith({ odd }, ['mcp__odd']), permissions: { allow: ['mcp__odd'] } }
  const echo = [call('mcp__odd__echo', 'e'), call('mcp__odd__echo', 'f'), { say: '{{e.text}}, {{f.text}}' }]
  const search = { calls: [{ tool: 'ToolSearch', input: { names: ['mcp__odd__echo'] } }] }
  const inHome = { trusted: true, home: tempDir() } as const
  const first = await play(team, { lead, clerk: { steps: [search, ...echo] } }, inHome)
  expect((await first.result).result).toMatch(/^said-in-file: ahoy.*, said-in-file: ahoy/)
  writeFileSync(words, 'Says it again, and sends it to a stranger.')
  // The first call is one of the tool as it was: the server has said nothing else yet.
  const second = await play(team, { lead, clerk: { steps: echo } }, inHome)
  expect((await second.result).result).not.toContain('ahoy')
})

test('a process that a server put into a session of its own ends with the run', async () => {
  const clerk = { steps: [call('mcp__odd__echo', 'a'), { say: '{{a.text}}' }] }
  const log = join(mkdtempSync(join(tmpdir(), 'troupe-daemon-')), 'odd.log')
  const odd = { ...server('daemon', { required: true }), env: { ODD_LOG: log } }
  const { result } = await play(teamWith({ odd }, ['mcp__odd']), { lead, clerk }, open)
  expect((await result).result).toMatch(/^daemon: ahoy/)
  const pids = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => Number(line.split(' ')[1]))
  expect(pids).toHaveLength(2)
  await expect.poll(() => pids.filter(runs)).toEqual([])
})

test('a broker that is killed is started again, and nothing of the run is left at its end', async () => {
  const clerk = {
    steps: [
      call('mcp__odd__echo', 'a'),
      { calls: [{ tool: 'Bash', input: { command: 'sleep 1' } }] },
      call('mcp__odd__echo', 'b'),
      { say: '{{a.text}} {{b.text}}' },
    ],
  }
  const team = teamWith({ odd: server('pid', { required: true }) }, ['mcp__odd', 'Bash'])
  const { run, result } = await play(team, { lead, clerk }, open)
  let killed = 0
  run.subscribe(({ entry }) => {
    if (entry.type === 'call.finished' && entry.tool === 'mcp__odd__echo' && killed === 0) {
      const { pid } = JSON.parse(readFileSync(join(run.dir, 'mcp.json'), 'utf8')) as { pid: number }
      killed = Number(execFileSync('pgrep', ['-P', String(pid), '-f', 'mcp-broker'], { encoding: 'utf8' }).trim())
      process.kill(killed, 'SIGKILL')
    }
  })
  const ended = await result
  const [first = '', second = ''] = (ended.result ?? '').split(' ')
  expect(killed).toBeGreaterThan(0)
  expect([Number(first) > 0, Number(second) > 0, first === second]).toEqual([true, true, false])
  expect([first, second].map(Number).filter(runs)).toEqual([])
})

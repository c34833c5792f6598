import { execFileSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { McpAnswer } from '../../../src/protocol/mcp/listing.ts'
import { oddServer, openStage, runs, type Stage } from './broker-stage.ts'

/** The trouble of a call, or its texts. */
function said(answer: McpAnswer): string {
  if ('trouble' in answer) return `trouble: ${answer.trouble}`
  return answer.content.map((part) => String(part['text'])).join('|')
}

async function nothingIsLeft(stage: Stage): Promise<void> {
  const pids = stage.pids()
  expect(pids.length).toBeGreaterThan(0)
  await stage.close()
  await expect.poll(() => pids.filter(runs)).toEqual([])
}

describe('one server misbehaves, and the one beside it goes on', () => {
  test.for([
    ['silent', /trouble: it is not connected \((pending|failed)\)/],
    ['refuses', /trouble: it is not connected.*not today/s],
    ['dies', /trouble: it is not connected.*cannot find my licence/s],
    ['old', /trouble: it is not connected/],
    ['no-list', /trouble: it is not connected/],
    ['never-lists', /trouble: it is not connected/],
    ['stderr', /^stderr: hi/],
    ['noise', /^noise: hi/],
    ['split-utf8', /^split-utf8: hi ä€😀$/],
    ['slow', /^slow: hi/],
    ['hangs', /trouble: no answer within 2 s/],
    ['wrong-ids', /trouble: no answer within 2 s/],
    ['dies-on-call', /trouble: the connection broke/],
    ['half', /trouble: the connection broke/],
    ['over-the-edge', /trouble: the connection broke/],
    ['mute', /trouble: the connection broke/],
    ['batch', /trouble: no answer within 2 s/],
    ['twice', /^first$/],
    ['flood', /^flooded$/],
    ['keys', /^keys$/],
    ['huge', /^h{2000000}$/],
    ['progress', /^done$/],
    ['storm', /^hi$/],
    ['cursor-loop', /^cursor-loop: hi/],
    ['roots', /file:\/\//],
    ['samples', /nobody is there/],
    ['elicits', /nobody is there/],
    ['stubborn', /^stubborn: hi/],
    ['family', /^family: hi/],
    ['deep', /^trouble: its result is nested too deep/],
    ['deep-error', /^trouble: MCP error -32000: deep$/],
    ['deep-question', /^asked$/],
    ['deaf', /^trouble: no answer within 2 s/],
    ['questions', /^asked$/],
    ['frozen', /^trouble: no answer within 2 s/],
    ['no-ears', /^trouble: (no answer within 2 s|the connection broke)/],
    ['flapping', /^trouble: (it is not connected|the connection broke)/],
    ['list-loop', /^list-loop: hi/],
    ['fat-pages', /^fat-pages: hi/],
    ['fat-error', /^trouble: MCP error -32000: e{1900,2048}/],
    ['fat-progress', /^done$/],
    ['early', /^early: hi/],
    ['no-version', /trouble: it is not connected/],
    ['lies', /^lies: hi/],
    ['odd-schemas', /^odd-schemas: hi/],
    ['ten-thousand', /^ten-thousand: hi/],
    ['odd-names', /^odd-names: hi/],
    ['all-wrong', /^all-wrong: hi/],
    ['task', /^trouble: no (result within 24|answer within 0.4) s/],
    ['forever-loud', /^loud$/],
    ['unknown-progress', /^done$/],
    ['cancels-us', /^still here$/],
    ['probes', /^yes,yes,no,no,no,no$/],
    ['numbers', /^numbers$/],
    ['password', /nobody is there/],
    ['late', /^trouble: no answer within 2 s/],
    ['runaway', /^runaway: hi/],
    ['brood', /^brood: hi/],
  ] as const)('%s', { timeout: 120_000 }, async ([mode, expected]) => {
    // What has to be read to its end takes as long as a busy machine takes.
    const patient = ['flood', 'over-the-edge'].includes(mode) ? { timeout: 60_000 } : {}
    const more = mode === 'task' ? { timeout: 400 } : patient
    const stage = openStage((log) => ({ good: oddServer('plain', log), bad: oddServer(mode, log, more) }))
    const member = stage.member('clerk')
    expect(said(await member.call('good', 'echo'))).toMatch(/^plain: hi/)
    const [bad, good] = await Promise.all([member.call('bad', 'echo'), member.call('good', 'echo')])
    expect(said(bad)).toMatch(expected)
    expect(said(good)).toMatch(/^plain: hi/)
    expect(said(await member.call('good', 'echo', { text: 'again' }))).toMatch(/^plain: again/)
    await nothingIsLeft(stage)
  })
})

test('a list that never ends is cut, and what it held is there', { timeout: 60_000 }, async () => {
  const stage = openStage((log) => ({ bad: oddServer('endless-pages', log) }))
  const member = stage.member('clerk')
  await expect.poll(() => member.view('bad')?.state).toBe('connected')
  expect(member.view('bad')?.listing?.warnings.join()).toMatch(/more than 100 pages/)
})

test(
  'tools of one name are one, and schemas that are none cost their own tool alone',
  { timeout: 60_000 },
  async () => {
    const stage = openStage((log) => ({ twice: oddServer('duplicates', log), wrong: oddServer('schemas', log) }))
    const member = stage.member('clerk')
    await expect
      .poll(() => [member.view('twice')?.state, member.view('wrong')?.state])
      .toEqual(['connected', 'connected'])
    expect(member.view('twice')?.listing?.tools.map(({ name }) => name)).toEqual(['echo', 'e.cho', 'e_cho'])
    expect(member.view('wrong')?.listing?.tools.map(({ name }) => name)).toEqual(['echo', 'slow'])
    expect(member.view('wrong')?.listing?.warnings).toHaveLength(10)
  },
)

test('what a server says of its tools and itself is cut and cleaned', { timeout: 60_000 }, async () => {
  const stage = openStage((log) => ({ bad: oddServer('poison', log) }))
  const member = stage.member('clerk')
  await expect.poll(() => member.view('bad')?.state).toBe('connected')
  const { tools = [], instructions = '' } = member.view('bad')?.listing ?? {}
  for (const { description } of tools) expect(description.length).toBeLessThanOrEqual(2_048)
  expect(instructions.length).toBeLessThanOrEqual(2_048)
  expect(tools.map(({ description }) => description).join('')).not.toMatch(/[\u200B\u{E0000}-\u{E007F}]/u)
})

test('a server that comes back is used again', { timeout: 60_000 }, async () => {
  const stage = openStage((log) => ({ bad: oddServer('dies-on-call', log) }))
  const member = stage.member('clerk')
  expect(said(await member.call('bad', 'echo'))).toMatch(/the connection broke/)
  expect(said(await member.call('bad', 'echo'))).toMatch(/the connection broke/)
  expect(stage.pids().length).toBeGreaterThanOrEqual(2)
})

test.runIf(process.platform === 'linux').for(['deaf', 'fat-pages', 'fat-error', 'fat-progress', 'questions'] as const)(
  '%s costs the broker no memory without end',
  { timeout: 120_000 },
  async (mode) => {
    const stage = openStage((log) => ({ bad: oddServer(mode, log) }))
    const member = stage.member('clerk')
    await expect.poll(() => member.view('bad')?.state, { timeout: 30_000 }).toBe('connected')
    const text = 'x'.repeat(1_000_000)
    const answers = await Promise.all(Array.from({ length: 80 }, () => member.call('bad', 'echo', { text })))
    expect(answers).toHaveLength(80)
    // V8 collects late where there is room.
    expect(peakMegabytes(brokerOfThis())).toBeLessThan(2_000)
    await nothingIsLeft(stage)
  },
)

/** The id of the broker that this process started last. */
function brokerOfThis(): number {
  const found = execFileSync('pgrep', ['-P', String(process.pid), '-f', 'mcp-broker'], { encoding: 'utf8' })
  return Number(found.trim().split('\n').at(-1))
}

function peakMegabytes(pid: number): number {
  const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1_024
}

describe('the view of a member', () => {
  test("is enforced by the broker, and its socket is its owner's alone", { timeout: 60_000 }, async () => {
    const stage = openStage((log) => ({ a: oddServer('plain', log), b: oddServer('plain', log) }), [{ servers: ['a'] }])
    const member = stage.member('clerk')
    expect(said(await member.call('a', 'echo'))).toMatch(/^plain/)
    expect(said(await member.call('b', 'echo'))).toBe('trouble: this member may not use b')
    expect(member.view('b')).toBeUndefined()
    expect(statSync(`${stage.home}/broker.sock`).mode & 0o777).toBe(0o600)
    expect(stage.pids()).toHaveLength(1)
  })

  test('is closed to whoever has no credential', { timeout: 60_000 }, async () => {
    const stage = openStage((log) => ({ a: oddServer('plain', log) }))
    await expect.poll(() => stage.news.some(({ type }) => type === 'ready')).toBe(true)
    const stranger = stage.member('stranger')
    expect(said(await stranger.call('a', 'echo'))).toMatch(/trouble: the server is restarting/)
    expect(stage.pids()).toEqual([])
  })

  test('shares a server with members of its directory, and with nobody else', { timeout: 60_000 }, async () => {
    const stage = openStage(
      (log) => ({ a: oddServer('pid', log), own: oddServer('pid', log, { isolation: 'per-member' }) }),
      [{}, {}, { cwd: '/tmp' }],
    )
    const members = ['clerk', 'clerk-2', 'clerk-3'].map((name) => stage.member(name))
    const [one, two, three] = await Promise.all(members.map(async (member) => said(await member.call('a', 'echo'))))
    expect(one).toBe(two)
    expect(three).not.toBe(one)
    const own = await Promise.all(members.map(async (member) => said(await member.call('own', 'echo'))))
    expect(new Set(own).size).toBe(3)
  })
})

test('twenty members have one server between them', { timeout: 60_000 }, async () => {
  const names = Array.from({ length: 20 }, (_, n) => `m${n}`)
  const stage = openStage(
    (log) => ({ a: oddServer('pid', log) }),
    names.map((name) => ({ name })),
  )
  const pids = await Promise.all(names.map(async (name) => said(await stage.member(name).call('a', 'echo'))))
  expect(new Set(pids).size).toBe(1)
  expect(stage.pids()).toHaveLength(1)
})

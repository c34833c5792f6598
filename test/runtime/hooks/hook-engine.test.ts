import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, mkdtempSync, rmSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { processStart } from '../../../src/adapters/process/liveness.ts'
import type { Fact, FactOf } from '../../../src/protocol/facts/fact.ts'
import type { Hook, HookSpec } from '../../../src/protocol/hooks/hook.ts'
import type { HookPlace } from '../../../src/runtime/hooks/hook-place.ts'
import { openHooks, type AgentHooks } from '../../../src/runtime/hooks/hook-engine.ts'

function hookOf(spec: object, more: Partial<Hook> = {}): Hook {
  return { event: 'PreToolUse', matcher: null, spec: spec as HookSpec, source: 'user', at: 'settings.json:1', ...more }
}

interface Stage {
  readonly hooks: AgentHooks
  readonly dir: string
  readonly facts: Fact[]
  fire(more?: object): ReturnType<AgentHooks['fire']>
  ran(): readonly FactOf<'hook.ran'>[]
}

function stage(
  hooks: readonly Hook[],
  env: Readonly<Record<string, string>> = {},
  more: Partial<HookPlace> = {},
): Stage {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-hook-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const facts: Fact[] = []
  const opened = openHooks({
    hooks: () => hooks,
    worker: false,
    cwd: dir,
    project: dir,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    credentials: new Set(['MINE']),
    marks: {},
    common: () => ({ session_id: 's' }),
    now: () => performance.now(),
    mint: () => '1',
    note: (fact) => facts.push(fact),
    ...more,
  })
  const moment = { event: 'PreToolUse', value: 'Bash', fields: { tool_name: 'Bash' } } as const
  return {
    hooks: opened,
    dir,
    facts,
    fire: (more = {}) => opened.fire({ ...moment, ...more }, new AbortController().signal),
    ran: () => facts.filter((fact) => fact.type === 'hook.ran'),
  }
}

const command = (line: string, more: object = {}) => hookOf({ type: 'command', command: line, ...more })

describe('a hostile hook', () => {
  test.each([
    ['prints without end', 'yes', 'printed more than'],
    ['hangs and ignores TERM', "trap '' TERM; sleep 60", 'took longer than 0.3 s'],
    ['leaves programs behind', 'sleep 60 & sleep 60', 'took longer than 0.3 s'],
    ['kills itself', 'kill -9 $$', 'SIGKILL'],
    ['is not there', './nowhere', 'No such file'],
  ])('%s: it has no say, is told of, and is gone', async (_, line, why) => {
    const timeout = why.includes('took') ? 0.3 : 120
    const { fire, ran } = stage([command(`echo $$ > pid; ${line}`, { timeout })])
    expect(await fire()).toMatchObject({ decision: null, blocks: false })
    expect(ran()).toMatchObject([
      { outcome: expect.stringMatching(/error|cancelled/) as string, message: expect.stringContaining(why) as string },
    ])
  })

  test('that hangs leaves no process of its group', async () => {
    const { hooks, dir } = stage([
      command("trap '' TERM; (trap '' TERM; echo $BASHPID > new; mv new child; sleep 60) & wait"),
    ])
    const leave = new AbortController()
    const fired = hooks.fire({ event: 'PreToolUse', value: 'Bash', fields: {} }, leave.signal)
    await expect.poll(() => existsSync(join(dir, 'child'))).toBe(true)
    leave.abort()
    await fired
    const child = Number(readFileSync(join(dir, 'child'), 'utf8'))
    // Its unburied remains, where nobody waits for orphans, are no process.
    expect(processStart(child)).toBeNull()
  })

  test('that closes stdin takes nobody with it', async () => {
    const { hooks, ran } = stage([command('exec 0<&-; exit 0')])
    const fields = { tool_input: { command: 'x'.repeat(2_000_000) } }
    await hooks.fire({ event: 'PreToolUse', value: 'Bash', fields }, new AbortController().signal)
    expect(ran()).toMatchObject([{ outcome: 'success' }])
  })
})

describe('a hook that has to answer', () => {
  test.each([
    ['of the managed policy', command('exit 1'), { source: 'policy' }],
    ['that says so', command('exit 1', { on_failure: 'deny' }), {}],
    ['of a kind that is not run', hookOf({ type: 'prompt', prompt: 'Safe?' }), { source: 'policy' }],
  ] as const)('%s denies when it fails', async (_, hook, more) => {
    expect(await stage([{ ...hook, ...more }]).fire()).toMatchObject({ decision: 'deny', blocks: true })
  })
})

test.each([
  ['PreToolUse', true],
  ['UserPromptSubmit', true],
  ['Stop', false],
] as const)('a function that takes too long is a gate at %s: %s', async (event, blocks) => {
  const run = () => new Promise<never>(() => undefined)
  const late = stage([hookOf({ type: 'function', run, timeout: 0.01 }, { event })])
  expect(await late.fire({ event })).toMatchObject({ blocks })
  const open = stage([hookOf({ type: 'function', run, timeout: 0.01, on_failure: 'open' }, { event })])
  expect(await open.fire({ event })).toMatchObject({ blocks: false })
})

test('a line for a shell that is not there stops nothing, and a program needs no shell', async () => {
  const { fire, ran } = stage([
    command('Write-Host ${CLAUDE_PROJECT_DIR}', { shell: 'powershell' }),
    command('true', { shell: 'powershell', args: [] }),
  ])
  expect(await fire()).toMatchObject({ decision: null, blocks: false })
  const outcomes = ran().map(({ hook, outcome }) => [hook.split(' ')[0], outcome])
  expect(outcomes).toContainEqual(['true', 'success'])
  expect(outcomes).toContainEqual(['Write-Host', 'error'])
})

test('a hook in the background that finds something wakes its agent, whatever the event', async () => {
  const woken: string[] = []
  const hook = command('echo three fail; exit 2', { asyncRewake: true })
  const { hooks } = stage([{ ...hook, event: 'PostToolUse' }], {}, { rewake: (text) => void woken.push(text) })
  const answer = await hooks.fire({ event: 'PostToolUse', value: 'Bash', fields: {} }, new AbortController().signal)
  expect(answer).toMatchObject({ blocks: false, context: [] })
  await hooks.settled()
  expect(woken).toEqual(['three fail'])
  expect(hooks.late()).toEqual([])
})

describe('hooks of one event', () => {
  test('are one where two files say the same, and stay apart where plugins or conditions do', async () => {
    const same = command('true')
    const { fire, ran } = stage([
      same,
      { ...same, source: 'project', at: 'b:1' },
      { ...same, source: 'plugin', root: '/p/a' },
      { ...same, source: 'plugin', root: '/p/b' },
      command('true', { if: 'Bash(ls)' }),
    ])
    await fire({ meets: () => true })
    expect(ran()).toHaveLength(4)
  })

  test('with a condition never run where there is no call', async () => {
    const { hooks, ran } = stage([{ ...command('true', { if: 'Bash(ls)' }), event: 'Stop' }])
    await hooks.fire({ event: 'Stop', value: '', fields: {} }, new AbortController().signal)
    expect(ran()).toEqual([])
  })

  test.each([
    ['settings', 'user', 2],
    ['a card', 'member', 2],
    ['a skill', 'skill', 1],
  ] as const)('run once where %s may say so', async (_, source, times) => {
    const { fire, ran } = stage([{ ...command('true', { once: true }), source }])
    await fire()
    await fire()
    expect(ran()).toHaveLength(times)
  })

  test('know the folders of their plugin, and the effort', async () => {
    const args = ['-c', 'printf "%s|%s|%s|%s" "$CLAUDE_PLUGIN_ROOT" "$CLAUDE_EFFORT" "$OTEL_X" "$1" > seen', 'sh']
    const spec = { type: 'command', command: 'sh', args: [...args, '${CLAUDE_PLUGIN_DATA}'] }
    const { hooks, dir } = stage([hookOf(spec, { source: 'plugin', root: '/p/fmt@12' })], { OTEL_X: 'key' })
    const fields = { effort: { level: 'high' } }
    await hooks.fire({ event: 'PreToolUse', value: 'Bash', fields }, new AbortController().signal)
    expect(readFileSync(join(dir, 'seen'), 'utf8')).toBe('/p/fmt@12|high||/p/data/fmt')
  })

  test('run at the same time, each text once, and the strictest counts', async () => {
    const deny = `printf '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}'`
    const allow = deny.replace('deny', 'allow')
    const { fire, ran } = stage([command(allow), command(deny), command(allow)])
    expect(await fire()).toMatchObject({ decision: 'deny', reason: 'no' })
    expect(ran()).toHaveLength(2)
  })

  test('are not started where matcher or condition does not fit, and once means once', async () => {
    const { fire, ran } = stage([
      { ...command('exit 2'), matcher: 'Edit' },
      command('exit 2', { if: 'Bash(git *)' }),
      { ...command('true', { once: true }), source: 'skill' },
    ])
    await fire({ meets: () => false })
    await fire({ meets: () => false })
    expect(ran()).toMatchObject([{ hook: 'true' }])
  })

  test('may be given more time than a timer can be set for', async () => {
    expect(await stage([command('sleep 0.1; exit 2', { timeout: 1e12 })]).fire()).toMatchObject({ blocks: true })
  })

  test('in the background are not waited for', async () => {
    const { fire, dir } = stage([command('sleep 0.3; touch late; exit 2', { async: true })])
    expect(await fire()).toMatchObject({ blocks: false })
    await expect.poll(() => existsSync(join(dir, 'late'))).toBe(true)
  })

  test('get no keys, and the place of the project', async () => {
    const secrets = { MINE: 'a', MY_API_KEY: 'b', GITHUB_TOKEN: 'c', TROUPE_X: 'd', CHANNEL: 'ops' }
    const { fire, dir } = stage([command('env > seen; test "$CLAUDE_PROJECT_DIR" = "$PWD" || exit 2')], secrets)
    expect(await fire()).toMatchObject({ blocks: false })
    const names = readFileSync(join(dir, 'seen'), 'utf8')
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(names).toContain('CHANNEL')
    expect(names.filter((name) => /MINE|KEY|TOKEN|TROUPE/.test(name ?? ''))).toEqual(['TROUPE_LIFE'])
  })
})

describe('a hook that is a server', () => {
  test('is reached on this machine and not on neighbouring networks', async () => {
    const server = createServer((_, response) => response.end('{"decision":"block","reason":"served"}')).listen(0)
    onTestFinished(() => void server.close())
    const { port } = server.address() as AddressInfo
    const own = stage([hookOf({ type: 'http', url: `http://localhost:${port}/` })])
    expect(await own.fire()).toMatchObject({ decision: 'deny', reason: 'served' })
    const hosts = ['10.0.0.1', '169.254.169.254', '[::ffff:10.0.0.1]', '0xa000001', '100.64.0.1']
    const away = stage(hosts.map((host) => hookOf({ type: 'http', url: `http://${host}:8080/`, timeout: 2 })))
    expect(await away.fire()).toMatchObject({ decision: null })
    expect(away.ran().map(({ message }) => message)).toEqual(
      hosts.map(() => expect.stringContaining('closed') as string),
    )
  })
})

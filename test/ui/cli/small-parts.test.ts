import { describe, expect, test } from 'vitest'
import { failure, type FailureCode } from '../../../src/protocol/conversation/failure.ts'
import { executorKinds } from '../../../src/protocol/team/executor.ts'
import { permissionModes } from '../../../src/protocol/permissions/permission.ts'
import { runResultSchema, type RunResult } from '../../../src/protocol/team/run.ts'
import { executorNames, modes } from '../../../src/ui/cli/commands/run.ts'
import { exitCodeOf, exitCodeOfMistakes } from '../../../src/ui/cli/host/exit-codes.ts'
import { isSupportedNode, supportedNode } from '../../../src/ui/cli/host/package-root.ts'
import { runSummary } from '../../../src/ui/cli/text/run-summary.ts'
import { errorLine, exitCodeOfError, UserError } from '../../../src/ui/cli/host/user-error.ts'
import packageFile from '../../../package.json' with { type: 'json' }

test('the choices in the help are those of the protocol', () => {
  expect(modes).toEqual(permissionModes)
  expect(executorKinds).toEqual(expect.arrayContaining([...executorNames]))
})

test('every way a run can end has its exit code', () => {
  const statuses = runResultSchema.shape.status.options
  expect(Object.fromEntries(statuses.map((status) => [status, exitCodeOf({ status })]))).toEqual({
    completed: 0,
    failed: 1,
    permission: 3,
    budget: 4,
    aborted: 130,
    interrupted: 130,
  })
  const failed = (code: FailureCode): number => exitCodeOf({ status: 'failed', failure: failure(code, 'x') })
  expect([failed('connection_lost'), failed('unauthorized'), failed('invalid_request')]).toEqual([5, 5, 1])
})

test.each([
  [['no_model'], 5],
  [['no_model', 'missing_credential'], 5],
  [['no_model', 'unknown_key'], 2],
])('mistakes %j end with %i', (codes, exit) => {
  expect(exitCodeOfMistakes(codes.map((code) => ({ code, severity: 'error' })))).toBe(exit)
})

test('a warning does not change what errors mean', () => {
  expect(
    exitCodeOfMistakes([
      { code: 'no_model', severity: 'error' },
      { code: 'shadowed_rule', severity: 'warning' },
    ]),
  ).toBe(5)
})

test.each([
  [new UserError('x'), 2],
  [new UserError('x', 5), 5],
  [Object.assign(new Error('x'), { diagnostics: [{ code: 'unknown_key', severity: 'error' }] }), 2],
  [Object.assign(new Error('x'), { syscall: 'open', code: 'ENOENT' }), 5],
  [Object.assign(new Error('x'), { failure: { code: 'missing_credential' } }), 5],
  [new Error('we are wrong'), 1],
  ['text', 1],
])('%s ends with its code', (error, code) => {
  expect(exitCodeOfError(error)).toBe(code)
})

test.each([
  [
    "EROFS: read-only file system, mkdir '/a'",
    { code: 'EROFS', syscall: 'mkdir' },
    ': make the directory writable, or choose another one',
  ],
  ['ENOSPC: no space left on device, write', { code: 'ENOSPC', syscall: 'write' }, ': make room on the disk'],
  ["ENOSPC: System limit for number of file watchers reached, watch '/a'", { code: 'ENOSPC', syscall: 'watch' }, ''],
  ['listen EACCES: permission denied 127.0.0.1:80', { code: 'EACCES', syscall: 'listen' }, ''],
  ['spawn /a EACCES', { code: 'EACCES', syscall: 'spawn /a' }, ''],
  ['odd', { code: 'constructor', syscall: 'write' }, ''],
])('%s: the cure', (said, fields, cure) => {
  expect(errorLine(Object.assign(new Error(said), fields), false)).toBe(`error: ${said}${cure}`)
})

test('an error is one line, with the stack for those who ask', () => {
  expect(errorLine(new Error('no team'), false)).toBe('error: no team')
  expect(errorLine(new Error('no team'), true)).toMatch(/\n\s+at /)
})

describe('Node versions', () => {
  test.each([
    ['22.22.2', true],
    ['22.22.1', false],
    ['22.21.9', false],
    ['22.23.0', true],
    ['23.11.0', false],
    ['24.14.9', false],
    ['24.15.0', true],
    ['25.9.0', false],
    ['26.0.0', true],
    ['30.1.0', true],
    ['20.20.2', false],
    ['', false],
  ])('%s: %s', (version, supported) => {
    expect(isSupportedNode(version)).toBe(supported)
  })

  test('are those of package.json', () => {
    expect(packageFile.engines.node.replace('.0.0', '')).toBe(supportedNode)
  })
})

describe('the summary', () => {
  const usage = { input: 1200, output: 300, cache_read: 0, cache_write: 0 }
  const result: RunResult = {
    run: 'one-1',
    run_dir: '/w/.troupe/runs/one-1',
    team: 'one',
    task: 't',
    status: 'completed',
    reason: 'completed',
    result: 'x',
    afterwards: [],
    missing: [],
    denied: [],
    members: [{ id: 'lead@one', status: 'gone', turns: 3, reason: 'completed', usage, cost_usd: 0.5 }],
    usage,
    cost_usd: 0.5,
    duration_ms: 12_000,
  }
  const shown = (more: Partial<RunResult>) => runSummary({ ...result, ...more }, '/w', (_, text) => text)

  test('tells what the lead said after its answer', () => {
    expect(shown({ afterwards: ['You are\nwelcome.'] })).toMatch(/^after its answer the lead said: You are welcome\.\n/)
  })

  test('has status, figures, directory and the way on', () => {
    expect(shown({})).toBe(
      'completed · 12s · 3 turns · 1.5k tokens · $0.50\nrun .troupe/runs/one-1\nread it: troupe logs one-1\n',
    )
  })

  test('counts the denied calls that it does not list', () => {
    const denied = Array.from({ length: 200 }, () => ({ member: 'ana', tool: 'Write', reason: 'no' }))
    expect(shown({ denied, denied_more: 7 })).toContain('denied: ana: Write: no\ndenied: 202 more calls\n')
  })

  test('says what helps where an answer was cut', () => {
    const members = result.members.map((member) => ({ ...member, reason: 'cut' as const }))
    expect(shown({ status: 'failed', reason: 'cut', members })).toMatch(/^an answer was cut .* `max_output` .* split/m)
    expect(shown({})).not.toContain('max_output')
  })

  test('names the workspace where it is another one', () => {
    expect(runSummary(result, '/elsewhere', (_, text) => text)).toContain('read it: troupe logs one-1 --cwd /w\n')
  })

  test('leaves out a cost that is not known, and says why a run failed', () => {
    expect(shown({ cost_usd: null })).not.toContain('$')
    const failed = { status: 'failed', reason: 'x', failure: failure('connection_lost', 'x') } as const
    expect(shown(failed)).toMatch(/^go on with it: troupe continue one-1 "Go on\."$/m)
    expect(shown({ status: 'failed', reason: 'stalled\u001b[2J' })).toMatch(/^failed: stalled · /)
  })
})

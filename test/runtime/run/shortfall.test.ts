import { describe, expect, test } from 'vitest'
import { exitCodeOf } from '../../../src/ui/cli/host/exit-codes.ts'
import { runSummary } from '../../../src/ui/cli/text/run-summary.ts'
import { play } from '../support/stage.ts'

const worker = { description: 'Works.', prompt: 'You work.' }
const duo = (gather: object = {}, ana: object = {}) => ({
  name: 'duo',
  coordinator: { prompt: 'You lead.', gather },
  workers: { ana: { ...worker, ...ana }, bo: worker },
})
const delegates = {
  calls: [
    {
      tool: 'Delegate',
      input: {
        subtasks: [
          { worker: 'ana', task: 'Work.' },
          { worker: 'bo', task: 'Work.' },
        ],
      },
    },
  ],
}
const lead = { steps: [delegates, { say: 'All I know.' }] }
const bo = { steps: [{ say: 'seen' }] }
const fails = { lead, ana: { steps: [{ fail: 'invalid_request' }] }, bo }
const unattended = { mode: 'bypassPermissions', allowBypass: true } as const

describe('a piece of work that failed', () => {
  test('makes the run one that failed, where every piece counts', async () => {
    const { recorded, result } = await play(duo({ on_failure: { retry: 0, then: 'fail' } }), fails)
    const ended = await result
    expect(ended).toMatchObject({ status: 'failed' })
    expect(ended.missing).toMatchObject([{ request: 'r1', worker: 'ana', status: 'failed', covered: false }])
    expect(recorded.findLast(({ owner }) => owner === 'team')?.entry).toMatchObject({
      type: 'team.ended',
      status: 'failed',
    })
    expect(exitCodeOf(ended)).toBe(1)
  })

  test.each([
    ['the team goes on without it', { on_failure: { retry: 0 } }],
    ['the quorum is there without it', { wait: { quorum: 1 }, on_failure: { retry: 0 } }],
    ['any result is enough', { wait: 'any', on_failure: { retry: 0 } }],
  ])('is listed where %s', async (_, gather) => {
    const { result } = await play(duo(gather), {
      ...fails,
      bo: { steps: [{ calls: [{ tool: 'SendMessage', input: { to: 'ana', text: 'Hm.' } }] }, { say: 'seen' }] },
    })
    const ended = await result
    expect(ended.status).toBe('completed')
    expect(ended.missing.every(({ covered }) => covered)).toBe(true)
    expect(exitCodeOf(ended)).toBe(0)
  })

  test('is not covered by a quorum that was not reached', async () => {
    const { result } = await play(duo({ wait: { quorum: 2 }, on_failure: { retry: 0, then: 'fail' } }), fails)
    expect(await result).toMatchObject({ status: 'failed', missing: [{ worker: 'ana', covered: false }] })
  })

  const cut = { say: 'and ', stop: 'max_tokens' }
  const again = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'In parts.' }] } }] }

  test('is never covered where the limit of an answer cut it', async () => {
    const ana = { steps: [cut, cut, cut, cut] }
    const { result } = await play(duo({ on_failure: { retry: 0 } }), { lead, ana, bo })
    const ended = await result
    expect(ended).toMatchObject({ status: 'failed', missing: [{ worker: 'ana', status: 'failed', covered: false }] })
    expect(ended.missing[0]?.reason).toContain('cut')
    expect(ended.result).toBe('All I know.')
    expect(exitCodeOf(ended)).toBe(1)
  })

  test('is covered by the same worker, who did it in parts', async () => {
    const ana = { steps: [cut, cut, cut, cut, { say: 'Part one, part two.' }] }
    const asksAgain = { steps: [delegates, again, { say: 'All I know.' }] }
    const { result } = await play(duo({ on_failure: { retry: 0 } }), { lead: asksAgain, ana, bo })
    expect(await result).toMatchObject({ status: 'completed', missing: [{ worker: 'ana', covered: true }] })
  })
})

test('an answer that was cut to the end of its recovery is printed, and the run failed', async () => {
  const cut = { say: 'and ', stop: 'max_tokens' }
  const { result } = await play(duo(), { lead: { steps: [cut, cut, cut, cut] }, ana: { steps: [] }, bo: { steps: [] } })
  const ended = await result
  expect(ended).toMatchObject({ status: 'failed', reason: 'cut', result: 'and and and and ' })
  expect(exitCodeOf(ended)).toBe(1)
})

describe('a check that did not run', () => {
  test.each([
    ['for lack of permission', 'touch checked', {}, 3, 'permission'],
    ['because there is no such command', 'no-such-program --test', unattended, 5, 'failed'],
  ] as const)('%s leaves nothing verified', async (_, verify, options, code, status) => {
    const { result } = await play(duo({}, { verify }), { lead, ana: { steps: [{ say: 'Done.' }] }, bo }, options)
    const ended = await result
    expect(ended).toMatchObject({ status, result: 'All I know.' })
    expect(ended.reason).toContain(`not verified: ana: \`${verify}\``)
    expect(exitCodeOf(ended)).toBe(code)
  })
})

test('single denied calls are listed, and the run is done', async () => {
  const write = { calls: [{ tool: 'Write', input: { file_path: 'a.txt', content: 'a' } }] }
  const team = duo({}, { tools: ['Write'] })
  const { cwd, result } = await play(team, { lead, ana: { steps: [write, { say: 'I may not.' }] }, bo })
  const ended = await result
  expect(ended).toMatchObject({ status: 'completed', denied: [{ member: 'ana', tool: 'Write' }] })
  expect(exitCodeOf(ended)).toBe(0)
  expect(runSummary(ended, cwd, (_, text) => text)).toMatch(/^denied: ana: Write: /)
})

test('a run that stalled says what is open, and what its lead said last', async () => {
  const { result } = await play(
    { ...duo(), tasks: {} },
    {
      lead: {
        steps: [
          { calls: [{ tool: 'TaskCreate', input: { subject: 'Mend it.' } }] },
          { say: 'Nobody takes it.' },
          { say: 'Still nobody.' },
        ],
      },
      ana: { steps: [] },
      bo: { steps: [] },
    },
  )
  expect(await result).toMatchObject({
    status: 'failed',
    reason: 'stalled: task 1 still open',
    result: 'Still nobody.',
  })
})

import { describe, expect, test } from 'vitest'
import { stopBySignals } from '../../../src/ui/cli/runs/stop-by-signals.ts'
import { fakeHost } from './fake-host.ts'

function listening() {
  const host = fakeHost()
  const said: string[] = []
  const stopping = stopBySignals(
    { id: 'demo-1', interrupt: () => said.push('interrupt') },
    { note: (text) => said.push(text) },
    host,
  )
  return { host, said, stopping }
}

const once = [
  'stopping all members of demo-1 where they are; once more leaves at once. To go on: troupe resume demo-1',
  'interrupt',
]

describe('signals during a run', () => {
  test.each([
    [['SIGINT', 'SIGINT']],
    [['SIGTERM', 'SIGTERM']],
    [['SIGTERM', 'SIGINT']],
    [['SIGHUP', 'SIGINT']],
  ] as const)('%j: the first ends the run, the second the process', ([first, second]) => {
    const { host, said, stopping } = listening()
    expect(stopping.interrupted()).toBe(false)
    host.raise(first)
    expect([said, host.exits, stopping.interrupted()]).toEqual([once, [], true])
    host.raise(second)
    expect([said, host.exits]).toEqual([once, [130]])
  })

  test('SIGHUP stops the run and never ends the process', () => {
    const { host, said } = listening()
    for (const raised of ['SIGHUP', 'SIGHUP', 'SIGHUP'] as const) host.raise(raised)
    expect([said, host.exits]).toEqual([once, []])
  })

  test('a reader that goes away leaves the run going on', () => {
    const { host, said, stopping } = listening()
    host.raise('pipe')
    expect([said, host.exits, stopping.interrupted()]).toEqual([
      ['nobody reads the output any more; the run goes on'],
      [],
      false,
    ])
  })

  test('are not heard after the run', () => {
    const { host, said, stopping } = listening()
    stopping.release()
    for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'pipe'] as const) host.raise(event)
    expect([said, host.exits]).toEqual([[], []])
  })
})

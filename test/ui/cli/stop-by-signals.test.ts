import { describe, expect, test } from 'vitest'
import { stopBySignals } from '../../../src/ui/cli/runs/stop-by-signals.ts'
import { fakeHost } from './fake-host.ts'

function listening() {
  const host = fakeHost()
  const said: string[] = []
  const stopping = stopBySignals({ interrupt: () => said.push('interrupt') }, { note: (text) => said.push(text) }, host)
  return { host, said, stopping }
}

const once = ['stopping… (once more to leave at once)', 'interrupt']

describe('signals during a run', () => {
  test.each([
    [['SIGINT', 'SIGINT']],
    [['SIGTERM', 'SIGTERM']],
    [['SIGTERM', 'SIGINT']],
    [['SIGHUP', 'SIGINT']],
    [['pipe', 'SIGINT']],
  ] as const)('%j: the first ends the run, the second the process', ([first, second]) => {
    const { host, said, stopping } = listening()
    expect(stopping.interrupted()).toBe(false)
    host.raise(first)
    expect([said, host.exits, stopping.interrupted()]).toEqual([once, [], true])
    host.raise(second)
    expect([said, host.exits]).toEqual([once, [130]])
  })

  test.each(['pipe', 'SIGHUP'] as const)('%s stops the run and never ends the process', (event) => {
    const { host, said } = listening()
    for (const raised of [event, event, 'pipe', 'SIGHUP'] as const) host.raise(raised)
    expect([said, host.exits]).toEqual([once, []])
  })

  test('are not heard after the run', () => {
    const { host, said, stopping } = listening()
    stopping.release()
    for (const event of ['SIGINT', 'SIGTERM', 'SIGHUP', 'pipe'] as const) host.raise(event)
    expect([said, host.exits]).toEqual([[], []])
  })
})

import { expect, test } from 'vitest'
import { readMember } from '../../src/adapters/sessions/read-run.ts'
import { directoryWith, journalOf, onlyRun, start, teamRunning, troupe } from '../ui/cli/process/troupe.ts'

test('a worker that was killed in a long call has begun again before that call is over', async () => {
  const cwd = directoryWith(teamRunning('sleep 300'))
  const { ended } = start(cwd, ['run', 'one', '--executor', 'process', '--allow', 'Bash(sleep:*)'])
  const begun = () => journalOf(onlyRun(cwd), 'hand').filter(({ type }) => type === 'call.started').length
  await expect.poll(() => attempt(begun)).toBe(1)
  const hand = () => readMember(onlyRun(cwd), 'hand')
  const first = hand()
  process.kill(first?.pid ?? 0, 'SIGKILL')
  await expect.poll(() => hand()).not.toMatchObject({ incarnation: first?.incarnation })
  await expect.poll(() => hand()).toMatchObject({ state: 'busy' })
  expect(hand()?.pid).not.toBe(first?.pid)
  expect(await troupe(cwd, ['stop', 'one'])).toMatchObject({ code: 0 })
  await ended
})

/** The value as soon as there is one. */
function attempt<Value>(look: () => Value): Value | null {
  try {
    return look()
  } catch {
    return null
  }
}

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { answerApproval, pendingApprovals, runDirectoriesIn } from '../../../src/runtime/runs/answer-approval.ts'
import { directoryWith, journalOf, start, teamRunning } from '../../ui/cli/process/troupe.ts'

const files = () => {
  const team = teamRunning('touch made')
  const yaml = team['teams/one.yaml'] ?? ''
  return {
    ...team,
    'teams/one.yaml': yaml.replace('tools: [Bash]', 'tools: [Bash], executor: process, restart: on-crash'),
  }
}

const pidOf = (dir: string): number =>
  (JSON.parse(readFileSync(join(dir, 'members/hand.json'), 'utf8')) as { pid: number }).pid

test('a worker that is killed while it waits asks on under the same id, and its call runs once when it is allowed', async () => {
  const cwd = directoryWith(files())
  const run = start(cwd, ['run', 'one', '--wait-permissions', '1h'])
  await run.said('waits for approval')
  const [dir = ''] = runDirectoriesIn(cwd)
  const [before] = pendingApprovals([dir])
  process.kill(pidOf(dir), 'SIGKILL')
  await run.said('hand crashed')
  const asked = () => journalOf(dir, 'hand').filter(({ type }) => type === 'permission.requested')
  // The next life states its question as soon as it has read its journal.
  while (asked().length < 2) await new Promise((resolve) => run.child.stderr?.once('data', resolve))
  expect(pendingApprovals([dir]).map(({ request }) => request)).toEqual([before?.request])
  expect(existsSync(join(cwd, 'made'))).toBe(false)
  answerApproval(dir, before?.request.id ?? '', { behavior: 'allow', by: 'the test', at: 1, home: cwd })
  expect(await run.ended).toMatchObject({ code: 0 })
  expect(existsSync(join(cwd, 'made'))).toBe(true)
  expect(journalOf(dir, 'hand').filter(({ type }) => type === 'call.started')).toHaveLength(1)
})

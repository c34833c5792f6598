import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { directoryWith, onlyRun, start, troupe } from '../ui/cli/process/troupe.ts'
import { bareEnv } from '../support/bare-env.ts'

const worker = (more: object = {}) => ({ description: 'Looks.', prompt: 'You look.', tools: ['Bash'], ...more })
const team = {
  name: 'crew',
  model: 'scripted/crew.script.yaml',
  coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0, substitute: 'stand-in', then: 'continue' } } },
  workers: { flaky: worker(), quick: worker(), 'stand-in': worker({ executor: 'process', replicas: 2 }) },
}
const slowly = 'echo begun > begun; while [ ! -e go ]; do sleep 0.05; done'
const subtasks = ['flaky', 'quick'].map((name) => ({ worker: name, task: `Look, ${name}.` }))
const agents = {
  lead: { steps: [{ calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: 'Only quick: {{mail.quick}}' }] },
  flaky: { steps: [{ fail: 'server_error' }] },
  quick: { steps: [{ say: 'I looked.' }] },
  'stand-in-1': { steps: [{ calls: [{ tool: 'Bash', input: { command: slowly } }] }, { fail: 'server_error' }] },
}
const files = { 'teams/crew.yaml': stringify(team), 'teams/crew.script.yaml': stringify({ agents }) }
const args = ['run', 'crew', 'Begin.', '--mode', 'bypassPermissions', '--dangerously-skip-permissions']

/** What the lead's model was shown when it was asked for the answer: results and the note, without ids and times. */
function synthesisInput(recorded: readonly Recorded[]): readonly string[] {
  return recorded.flatMap(({ owner, entry }) => {
    if (owner !== 'lead') return []
    if (entry.type === 'mail.received') return [`${entry.envelope.from}: ${entry.envelope.body}`]
    return entry.type === 'message.appended' && entry.message.role === 'user' ? [textOf(entry.message)] : []
  })
}

const attempts = (recorded: readonly Recorded[]) =>
  recorded.flatMap(({ entry }) =>
    entry.type === 'request.opened' ? [`${entry.request} ${entry.worker} ${entry.instead_of?.worker}`] : [],
  )

test('after its leader was killed a run shows its lead what an unbroken one shows, and asks no second substitute', async () => {
  const whole = directoryWith({ ...files, go: '' })
  expect(await troupe(whole, args)).toMatchObject({ code: 0 })
  const unbroken = recordOfRun(onlyRun(whole)).recorded

  const cwd = directoryWith(files)
  const leader = start(cwd, args)
  while (!existsSync(join(cwd, 'begun'))) await new Promise((resolve) => setTimeout(resolve, 20))
  leader.child.kill('SIGKILL')
  await leader.ended
  const dir = onlyRun(cwd)
  const resumed = await resumeTeam(dir, { home: cwd, env: bareEnv })
  writeFileSync(join(cwd, 'go'), '')
  expect(await resumed.result).toMatchObject({ status: 'completed', result: 'Only quick: I looked.' })
  const { recorded } = recordOfRun(dir)
  expect(synthesisInput(recorded).toSorted()).toEqual(synthesisInput(unbroken).toSorted())
  expect(synthesisInput(recorded).at(-1)).toMatch(
    /stand-in-1 \(r1\): failed: .* \(in place of flaky, who failed: Did not finish .*\)/,
  )
  expect(attempts(recorded)).toEqual(attempts(unbroken))
  expect(attempts(recorded)).toEqual(['r1 flaky undefined', 'r2 quick undefined', 'r1 stand-in-1 flaky'])
})

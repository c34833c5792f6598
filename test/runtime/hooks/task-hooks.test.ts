import { join } from 'node:path'
import { expect, test } from 'vitest'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { compactMember } from '../../../src/runtime/run/compact-member.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { play } from '../support/stage.ts'

const veto = (words: string) => [{ hooks: [{ type: 'command', command: `echo '${words}' >&2; exit 2` }] }]

function worker(steps: readonly object[]) {
  const team = {
    name: 'duo',
    tasks: {},
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['TaskCreate', 'TaskClaim', 'TaskDone'] } },
  }
  const lead = [
    { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'x' }] } }] },
    { say: 'Done.' },
  ]
  return { team, script: { lead: { steps: lead }, ana: { steps: [...steps, { say: 'Done.' }] } } }
}

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })

async function played(hooks: object, steps: readonly object[], trusted = true) {
  const { team, script } = worker(steps)
  const files = { '.claude/settings.json': JSON.stringify({ hooks }) }
  const { recorded, result } = await play(team, script, { files, trusted })
  await result
  const told = recorded.flatMap(({ owner, entry }) =>
    owner === 'ana' && entry.type === 'message.appended' && entry.message.role === 'tool'
      ? entry.message.results.map(textOf)
      : [],
  )
  return { told: told.join('\n'), facts: recorded.map(({ entry }) => entry.type) }
}

const create = call('TaskCreate', { subject: 'do x' })

test('a task that a hook objects to is not created, and its member is told why', async () => {
  const { told, facts } = await played({ TaskCreated: veto('needs a ticket') }, [create])
  expect(told).toContain('needs a ticket')
  expect(facts).not.toContain('task.created')
})

test('a task that a hook objects to stays open', async () => {
  const steps = [create, call('TaskClaim', { id: 1 }), call('TaskDone', { id: 1, reason: 'made' })]
  const { told, facts } = await played({ TaskCompleted: veto('Tests not passing') }, steps)
  expect(told).toContain('Tests not passing')
  expect(facts).toContain('task.created')
  expect(facts).not.toContain('task.finished')
  expect((await played({}, steps)).facts).toContain('task.finished')
})

test('hooks of a project that nobody trusts do not run', async () => {
  const { facts } = await played({ TaskCreated: veto('needs a ticket') }, [create], false)
  expect(facts).toContain('task.created')
  expect(facts).not.toContain('hook.ran')
})

test('a conversation that a hook keeps as it is stays whole, and the wish is over', async () => {
  const { team, script } = worker([{ say: 'I look …', hang: true }])
  const long = 'I found this and that. '.repeat(80)
  const [delegate, end] = script.lead.steps
  const lead = { steps: [{ say: long, ...delegate }, end] }
  const files = { '.claude/settings.json': JSON.stringify({ hooks: { PreCompact: veto('not now') } }) }
  const { cwd, run, recorded, result } = await play(team, { ...script, lead }, { files, trusted: true })
  await expect.poll(() => recorded.some(({ entry }) => entry.type === 'agent.parked')).toBe(true)
  const wish = { member: 'lead', home: join(cwd, 'home'), env: bareEnv }
  const said = await compactMember(run.dir, wish).catch((error: unknown) => error)
  run.abort()
  await result
  const cuts = recorded.flatMap(({ entry }) => (entry.type === 'context.compacted' ? [entry] : []))
  expect(
    cuts.every(({ dropped, trimmed, before, after }) => dropped.length + trimmed.length + before - after === 0),
  ).toBe(true)
  expect(recorded.map(({ entry }) => entry.type)).toContain('hook.ran')
  expect(said).toBeDefined()
})

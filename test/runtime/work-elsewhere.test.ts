import { expect, test } from 'vitest'
import type { Approver } from '../../src/protocol/port.ts'
import { factsBy, playTwo } from './support/two-models.ts'

const call = (tool: string, input: object, more: object = {}) => ({ calls: [{ tool, input }], ...more })

test('a worker in a process of its own plans, is advised, is taken over from and is checked just so', async () => {
  const asked: string[] = []
  const approver: Approver = {
    answer({ call: { tool } }) {
      asked.push(tool)
      return Promise.resolve({ behavior: 'allow', source: 'human', reason: 'fine', scope: 'once' })
    },
  }
  const team = {
    name: 'duo',
    coordinator: { prompt: 'You lead.' },
    workers: {
      ana: {
        description: 'Works.',
        prompt: 'You work.',
        executor: 'process',
        tools: ['ExitPlanMode', 'Write'],
        permissions: { mode: 'plan' },
        verify: 'grep -q well made.txt',
        advisor: 'scripted/strong.yaml',
        escalate: 'scripted/strong.yaml',
      },
    },
  }
  const lead = [
    call('Delegate', { subtasks: [{ worker: 'ana', task: 'Make it.' }] }),
    { expect: 'check `grep -q well made.txt` passed', say: 'ana: {{mail.ana}}' },
  ]
  const strong = {
    ana: [
      call('Advisor', { question: 'How?', context: '' }, { expect: 'You take over here' }),
      call('ExitPlanMode', { plan: 'Write it well.' }, { expect: 'With care.' }),
      call('Write', { file_path: 'made.txt', content: 'well' }, { expect: 'The plan is approved' }),
      { say: 'Done.' },
    ],
    'ana-advisor': [{ say: 'With care.' }],
  }
  const weak = { lead, ana: [{ say: 'STRONGER MODEL NEEDED: It is hard.' }] }
  const { result, recorded } = await playTwo({ team, weak, strong, options: { approver } })
  expect(result).toMatchObject({ status: 'completed', result: 'ana: Done.' })
  expect(asked).toEqual(['ExitPlanMode', 'Write'])
  expect(factsBy(recorded, 'ana', 'plan.approved')).toHaveLength(1)
  expect(factsBy(recorded, 'ana', 'model.consulted')).toHaveLength(1)
  expect(factsBy(recorded, 'ana', 'agent.ended')).toMatchObject([{ reason: 'verified' }])
})

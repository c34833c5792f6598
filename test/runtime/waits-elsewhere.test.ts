import { expect, test } from 'vitest'
import { play } from './support/stage.ts'

const call = (tool: string, input: object, more: object = {}) => ({ calls: [{ tool, input }], ...more })
const waitFor = (member: string) => [call('Wait', { for: member, reason: 'a word' }), { say: 'I wait.' }]

test('members in processes of their own wait, and are told of a ring', async () => {
  const executor = 'process'
  const card = { description: 'Works.', prompt: 'You work.', executor }
  const { result } = await play(
    { name: 'trio', coordinator: { prompt: 'You lead.' }, workers: { ana: card, bo: card } },
    {
      lead: {
        steps: [
          call('Delegate', {
            subtasks: [
              { worker: 'ana', task: 'Go.' },
              { worker: 'bo', task: 'Go.' },
            ],
          }),
          { say: 'ana: {{mail.ana}}; bo: {{mail.bo}}' },
        ],
      },
      ana: { steps: [...waitFor('bo'), { say: 'Ana went.' }] },
      bo: { steps: [...waitFor('ana'), { say: 'Bo went.' }] },
    },
  )
  const { status, result: text } = await result
  expect(status).toBe('completed')
  expect(text).toMatch(/Ana went\.[^]*Bo went\./)
})

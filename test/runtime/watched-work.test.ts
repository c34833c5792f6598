import { expect, test } from 'vitest'
import type { Model } from '../../src/protocol/models/model.ts'
import { play } from './support/stage.ts'

const team = {
  name: 'solo',
  model: 'scripted/script.yaml',
  partition: 'relaxed',
  coordinator: { prompt: 'You lead.', tools: ['Bash'] },
  permissions: { allow: ['Bash(echo:*)'] },
  workers: { hand: { description: 'Works.', prompt: 'You work.', tools: ['Read'] } },
}

const echo = (text: string) => ({ calls: [{ tool: 'Bash', input: { command: `echo ${text}` } }] })

async function warnings(steps: readonly object[], of: object = team, model?: Model) {
  const providers = model && { own: () => model }
  const played = await play(of, { lead: { steps }, hand: { steps: [] } }, { ...(providers && { providers }) })
  const { status } = await played.result
  const told = played.recorded.flatMap(({ owner, entry }) =>
    entry.type === 'warning.raised' ? [`${owner}: ${entry.code}: ${entry.message}`] : [],
  )
  return { status, told }
}

test('an agent that goes in circles is told of once, before its work is ended', async () => {
  const { told } = await warnings([...Array.from({ length: 4 }, () => echo('same')), { say: 'Done.' }])
  expect(told).toEqual(['lead: loop: the same was done 3 times with the same result; at 5 times the work is ended'])
})

test('a number that no result holds is told of; one that a result holds is not', async () => {
  expect(await warnings([echo('4711 lines'), { say: 'It has 4,821 lines.' }])).toEqual({
    status: 'completed',
    told: ['lead: unfounded: the answer says 4,821: nothing that was read holds it'],
  })
  expect(await warnings([echo('4711 lines'), { say: 'It has 4,711 lines.' }])).toMatchObject({ told: [] })
})

/** A model with a small window, which counts so many tokens at each of its three answers. */
function smallModel(counts: readonly number[]): Model {
  let asked = 0
  return {
    name: 'own/small',
    capacity: () => Promise.resolve({ window: 8_000 }),
    async *stream() {
      const input = counts[asked] ?? 0
      const call = {
        type: 'tool_use' as const,
        id: `c${(asked += 1)}`,
        name: 'Bash',
        input: { command: `echo ${asked}` },
      }
      const isOver = asked === counts.length
      yield {
        type: 'settled',
        message: {
          role: 'assistant',
          model: 'own/small',
          content: isOver ? [{ type: 'text', text: 'Done.' }] : [call],
          stop: isOver ? 'end' : 'tools',
          usage: { input, output: 1, cache_read: 0, cache_write: 0 },
        },
      }
    },
  }
}

test('a window that is nearly full is told of once', async () => {
  const { told } = await warnings([], { ...team, model: 'own/small' }, smallModel([2_000, 4_400, 4_500, 4_600]))
  expect(told.filter((line) => line.includes('context'))).toEqual([
    expect.stringMatching(/^lead: context: 7\d% of what own\/small can read at once is used$/),
  ])
})

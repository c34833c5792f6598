import { expect, test } from 'vitest'
import type { Model } from '../../src/protocol/models/model.ts'
import { play } from './support/stage.ts'

/** A model whose every answer is half as dear again as the one before, and makes a call. */
function dearerModel(turns: number): { readonly model: Model; readonly asked: () => number } {
  let asked = 0
  const model: Model = {
    name: 'own/dear',
    async *stream() {
      const id = `c${(asked += 1)}`
      const call = { type: 'tool_use' as const, id, name: 'Delegate', input: { nonsense: asked } }
      const isOver = asked > turns
      yield {
        type: 'settled',
        message: {
          role: 'assistant',
          model: 'own/dear',
          content: isOver ? [{ type: 'text', text: 'Done.' }] : [call],
          stop: isOver ? 'end' : 'tools',
          usage: { input: 10, output: 1, cache_read: 0, cache_write: 0 },
          cost_usd: 0.01 * 1.5 ** asked,
        },
      }
    },
  }
  return { model, asked: () => asked }
}

const team = (budget: object) => ({
  name: 'solo',
  model: 'own/dear',
  budget,
  coordinator: { prompt: 'You lead.' },
  workers: { hand: { description: 'Works.', prompt: 'You work.', tools: ['Read'], model: 'scripted/script.yaml' } },
})

async function running(budget: object) {
  const { model, asked } = dearerModel(8)
  const played = await play(team(budget), { hand: { steps: [] } }, { providers: { own: () => model } })
  const result = await played.result
  const warned = played.recorded.flatMap(({ entry }) =>
    entry.type === 'warning.raised' && entry.code === 'runaway' ? [entry.message] : [],
  )
  return { result, warned, asked: asked() }
}

test('turns that become dearer and dearer are told once, and the work goes on', async () => {
  const { result, warned, asked } = await running({})
  expect(warned).toEqual(['each of the last 5 turns was dearer than the one before: from $0.0225 to $0.1139'])
  expect([result.status, asked]).toEqual(['completed', 9])
})

test('a budget may say that this is the end', async () => {
  const { result, warned, asked } = await running({ runaway: 'stop' })
  expect(warned).toHaveLength(1)
  expect(asked).toBe(6)
  expect(result).toMatchObject({ status: 'budget', reason: 'budget_exhausted' })
})

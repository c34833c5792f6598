import { describe, expect, test } from 'vitest'
import { applyArranged, type Arranged } from '../../../src/projections/member/arranged.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { recordedOf } from '../journal-of.ts'

describe('what an agent arranged with itself', () => {
  const written = (...contents: readonly string[]): Fact => ({
    type: 'todos.changed',
    call_id: 'a',
    todos: contents.map((content) => ({ content, status: 'pending' })),
  })
  const planned: Fact = { type: 'plan.approved', call_id: 'p', plan: 'First the doors.' }
  const undone = (more: object): Fact => ({ type: 'turns.undone', from: 'ana-1', files: [], note: '', ...more })
  const arranged = (...facts: readonly Fact[]) => {
    const own: Arranged = { todos: [], plan: null }
    for (const { entry } of recordedOf(...facts.map((fact) => ['ana', fact] as const))) applyArranged(own, entry)
    return [own.todos.map(({ content }) => content), own.plan]
  }

  test('the list is the latest; the plan holds for its piece of work', () => {
    expect(arranged(written('Doors', 'Locks'), planned)).toEqual([['Doors', 'Locks'], 'First the doors.'])
    expect(
      arranged(written('Doors'), written(), planned, { type: 'agent.ended', turn: 1, reason: 'completed' }),
    ).toEqual([[], null])
  })

  test('an undo brings back what stood there', () => {
    expect(arranged(written('Doors'), planned, undone({}))).toEqual([[], null])
    const todos = [{ content: 'Locks', status: 'completed' as const }]
    expect(arranged(written('Doors'), undone({ todos, plan: 'Locks first.' }))).toEqual([['Locks'], 'Locks first.'])
  })
})

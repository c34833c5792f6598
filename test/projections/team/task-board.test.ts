import { expect, test } from 'vitest'
import {
  applyTaskBoard,
  emptyTaskBoard,
  isUnfinished,
  type TaskBoard,
} from '../../../src/projections/team/task-board.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { recordedOf } from '../journal-of.ts'

const created = (task: number, blocked_by: number[] = []): Fact => {
  return { type: 'task.created', task, subject: `do ${task}`, blocked_by, author: 'lead', mail_id: `create-${task}` }
}
const claimed: Fact = { type: 'task.claimed', task: 1, by: 'ann', epoch: 1, until: 900, mail_id: 'claim-ann' }

function boardOf(facts: readonly Fact[]): TaskBoard {
  const board = emptyTaskBoard()
  for (const recorded of recordedOf(...facts.map((fact) => ['team', fact] as const))) applyTaskBoard(board, recorded)
  return board
}

const stateOf = (board: TaskBoard, task: number) => board.tasks.get(task)?.state

test('a task is open, or blocked until what blocks it is done', () => {
  const board = boardOf([created(1), created(2, [1])])
  expect(stateOf(board, 1)).toBe('open')
  expect(stateOf(board, 2)).toBe('blocked')

  const later = boardOf([
    created(1),
    created(2, [1]),
    { type: 'task.finished', task: 1, by: 'ann', status: 'done', evidence: [] },
    { type: 'task.opened', task: 2 },
    created(3, [1]),
  ])
  expect(stateOf(later, 2)).toBe('open')
  expect(stateOf(later, 3)).toBe('open')
})

test('a claim has a holder until it is released, and says why it was', () => {
  const board = boardOf([created(1), claimed])
  expect(board.tasks.get(1)).toMatchObject({ state: 'claimed', by: 'ann', epoch: 1, until: 900 })

  const released = boardOf([
    created(1),
    claimed,
    { type: 'task.released', task: 1, by: 'ann', epoch: 1, reason: 'crashed' },
  ])
  expect(released.tasks.get(1)).toMatchObject({ state: 'open', by: null, reason: 'crashed' })
  expect(released.lapsed.get(1)).toEqual(['ann'])
})

test('what was done, by whom, on which evidence and who confirmed it stays', () => {
  const evidence = [{ check: 'tests' }]
  const board = boardOf([
    created(1),
    claimed,
    { type: 'task.submitted', task: 1, by: 'ann', evidence, mail_id: 'submit-ann' },
    { type: 'task.finished', task: 1, by: 'ann', status: 'done', evidence, confirmed_by: 'ben', mail_id: 'submit-ben' },
  ])
  expect(board.tasks.get(1)).toMatchObject({ state: 'done', by: 'ann', evidence, confirmed_by: 'ben' })
  expect(isUnfinished({ state: 'review' })).toBe(true)
  expect(isUnfinished({ state: 'done' })).toBe(false)
})

test('every ask finds its answer by its mail', () => {
  const board = boardOf([
    created(1),
    claimed,
    { type: 'task.refused', mail_id: 'claim-ben', task: 1, reason: 'Task 1: ann holds it.' },
    { type: 'task.released', task: 1, by: 'ann', epoch: 1, reason: 'not confirmed', mail_id: 'reject-ben' },
  ])
  expect([...board.answers].map(([mail, { type }]) => `${mail} ${type}`)).toEqual([
    'create-1 task.created',
    'claim-ann task.claimed',
    'claim-ben task.refused',
    'reject-ben task.released',
  ])
})

test('answers of long ago are forgotten', () => {
  const refused = (ask: number): Fact => ({ type: 'task.refused', mail_id: `ask-${ask}`, reason: 'No.' })
  const board = boardOf(Array.from({ length: 10_002 }, (_, ask) => refused(ask)))
  expect([board.answers.size, board.answers.has('ask-1'), board.answers.has('ask-2')]).toEqual([10_000, false, true])
})

test('an answer about a task that nobody knows changes no task', () => {
  expect(boardOf([claimed]).tasks.size).toBe(0)
})

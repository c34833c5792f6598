import { expect, test } from 'vitest'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import { emptyTasks, nextTask } from '../../../src/rules/conversation/task-queue.ts'

let seq = 0
const frame = () => ({ v: 1 as const, seq: (seq += 1), id: `ana-${seq}`, parent: null, at: seq })

function mail(kind: Envelope['kind'], request?: string, from: Envelope['from'] = 'lead@demo'): Entry {
  const id = `${request}-${kind}`
  const envelope = { v: 1 as const, id, key: id, sender: 'lead', seq: 1, from, to: 'ana@demo' as const, kind }
  return {
    ...frame(),
    type: 'mail.received',
    envelope: {
      ...envelope,
      priority: 'normal',
      body: 'Do it.',
      sent_at: 1,
      ...(request === undefined ? {} : { request }),
    },
  }
}
const task = (request: string): Entry => mail('task', request)
const recall = (request: string, from?: Envelope['from']): Entry => mail('control', request, from)
const replied = (request: string): Entry => ({ ...frame(), type: 'member.replied', request, mail_id: 'x' })

test.each<readonly [string, readonly Entry[], readonly (string | null)[]]>([
  ['the first task at once', [task('r1')], ['r1']],
  ['the second after the answer to the first', [task('r1'), task('r2'), replied('r1')], ['r1', null, 'r2']],
  [
    'in the order they came',
    [task('r1'), task('r2'), task('r3'), replied('r1'), replied('r2')],
    ['r1', null, null, 'r2', 'r3'],
  ],
  ['the next when the one at hand is recalled', [task('r1'), task('r2'), recall('r1')], ['r1', null, 'r2']],
  [
    'never one that was recalled while it waited',
    [task('r1'), task('r2'), recall('r2'), replied('r1')],
    ['r1', null, null, null],
  ],
  [
    'nothing that another than its sender recalls',
    [task('r1'), task('r2'), recall('r1', 'bo@demo')],
    ['r1', null, null],
  ],
  ['the one at hand again when it is given again', [task('r1'), task('r2'), task('r1')], ['r1', null, 'r1']],
  [
    'one that waits once, however often it is given',
    [task('r1'), task('r2'), task('r2'), replied('r1'), replied('r2')],
    ['r1', null, null, 'r2', null],
  ],
  ['a new one at once when all are answered', [task('r1'), replied('r1'), task('r2')], ['r1', null, 'r2']],
  ['no question', [mail('question'), task('r1')], [null, 'r1']],
  [
    "a part of a worker's work in its turn",
    [task('r1'), mail('question', 'bo-1', 'bo@demo'), replied('r1')],
    ['r1', null, 'bo-1'],
  ],
])('whose turn it is: %s', (_, entries, turns) => {
  const queue = emptyTasks()
  expect(entries.map((entry) => nextTask(queue, entry)?.envelope.request ?? null)).toEqual(turns)
})

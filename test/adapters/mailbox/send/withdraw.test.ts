import { afterEach, beforeEach, expect, test } from 'vitest'
import { withdrawTasks } from '../../../../src/adapters/mailbox/send/withdraw.ts'
import { draft, mailWorld, type MailWorld } from '../../../contracts/mail-world.ts'

let world: MailWorld
beforeEach(() => {
  world = mailWorld('memory')
})
afterEach(() => world.remove())

const task = (request: string) => ({ ...draft('writer', request), kind: 'task' as const, request })

test('takes back the unread tasks of one sender for these requests, and nothing else', () => {
  const [lead, historian, writer] = [world.open('lead'), world.open('historian'), world.open('writer')]
  lead.send(task('r1'))
  lead.send(task('r2'))
  lead.send(draft('writer', 'a text'))
  historian.send(task('r1 of another'))
  const taken = withdrawTasks(world.dir, { sender: 'lead', to: 'writer', requests: ['r1', 'r1 of another'] })
  expect(taken).toMatchObject([{ fact: { type: 'mail.died', kind: 'task', from: 'lead@demo' } }])
  expect(taken[0]?.fact.reason).toBe('its sender took it back: the request r1 was cancelled')
  expect(world.files('writer', 'dead')).toEqual([taken[0]?.fact.file])
  expect(writer.receive().map(({ body }) => body)).toEqual(['r2', 'a text', 'r1 of another'])
  // The number that is missing now is no reason to distrust the ones after it.
  lead.send(task('r3'))
  expect(writer.receive().map(({ body }) => body)).toEqual(['r3'])
})

test('a task that was read stays read', () => {
  const [lead, writer] = [world.open('lead'), world.open('writer')]
  lead.send(task('r1'))
  writer.receive()
  expect(withdrawTasks(world.dir, { sender: 'lead', to: 'writer', requests: ['r1'] })).toEqual([])
  expect(withdrawTasks(world.dir, { sender: 'lead', to: 'nobody', requests: ['r1'] })).toEqual([])
})

import { expect, test } from 'vitest'
import { applyLastWork, isOver, emptyLastWork } from '../../../src/projections/member/last-work.ts'
import type { Envelope } from '../../../src/protocol/mail/envelope.ts'
import type { Fact } from '../../../src/protocol/facts/fact.ts'
import { userMessage, type Origin } from '../../../src/protocol/conversation/message.ts'
import { recordedOf } from '../journal-of.ts'

const began: Fact = { type: 'agent.started' }
const ended: Fact = { type: 'agent.ended', turn: 1, reason: 'aborted_streaming' }
const told = (origin: Origin): Fact => ({ type: 'message.appended', message: userMessage('Look.', origin) })
const mail = (kind: Envelope['kind'], request?: string): Fact => ({
  type: 'mail.received',
  envelope: {
    v: 1,
    id: `01J-${kind}`,
    key: kind,
    sender: 'lead',
    seq: 1,
    from: 'lead@demo',
    to: 'ana@demo',
    kind,
    priority: 'normal',
    body: 'Look.',
    sent_at: 1,
    mac: '',
    ...(request === undefined ? {} : { request }),
  },
})

const task = mail('task', 'r1')
const replied: Fact = { type: 'member.replied', request: 'r1', mail_id: 'x' }
const recall = mail('control', 'r1')

function workAfter(facts: readonly Fact[]) {
  const work = emptyLastWork()
  for (const { entry } of recordedOf(...facts.map((fact) => ['ana', fact] as const))) applyLastWork(work, entry)
  return { over: isOver(work), escalated: work.escalated }
}

test.each<readonly [string, readonly Fact[], boolean]>([
  ['before it has begun', [], false],
  ['while it works', [began, task], false],
  ['when its agent has ended, however', [began, task, ended], true],
  ['when its agent has ended, and something was said since', [began, task, ended, told('runtime')], false],
  ['when its agent has ended, and mail came since', [began, task, ended, mail('text')], false],
  ['when it was called off and had not ended', [began, task, recall], true],
  ['when it was called off and that was noted', [began, task, recall, told('runtime')], true],
  ['when it was called off and a person spoke since', [began, task, recall, told('person')], false],
  ['when something else was called off', [began, task, mail('control', 'r7')], false],
  ['when one of two tasks was called off', [began, task, mail('task', 'r2'), recall], false],
  ['when one of two tasks was answered', [began, task, mail('task', 'r2'), ended, replied], false],
  ['when new work came after it was called off', [began, task, recall, ended, began, mail('task', 'r2')], false],
])('the work of a life is over: %s', (_, facts, over) => {
  expect(workAfter(facts).over).toBe(over)
})

const escalated: Fact = { type: 'model.escalated', turn: 1, from: 'a/weak', to: 'a/strong', trigger: 'marker' }
const fellBack: Fact = {
  type: 'model.fell_back',
  turn: 2,
  from: 'a/strong',
  to: 'a/weak',
  failure: { code: 'overloaded', message: 'too busy' },
}

test.each<readonly [string, readonly Fact[], string | null]>([
  ['nobody else', [began, task], null],
  ['the stronger model that it was handed to', [began, task, escalated], 'a/strong'],
  ['that model after a life that ended without a word', [began, task, escalated, began], 'a/strong'],
  ['who stood in for that model', [began, task, escalated, fellBack], 'a/weak'],
  ['nobody else when it only fell back', [began, task, fellBack], null],
  ['nobody else when that work has ended', [began, task, escalated, ended, began, mail('task', 'r2')], null],
  ['nobody else when that work was called off', [began, task, escalated, recall, began, mail('task', 'r2')], null],
])('the work of a life is with: %s', (_, facts, model) => {
  expect(workAfter(facts).escalated).toBe(model)
})

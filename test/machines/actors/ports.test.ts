import { describe, expect, test } from 'vitest'
import { createActor, type AnyActorLogic } from 'xstate'
import { permissionMachine } from '../../../machines/call/permission.ts'
import { approvalMachine } from '../../../machines/call/approval.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { verificationMachine } from '../../../machines/call/verification.ts'

/** What a port says of itself when nobody provided it. */
async function complaintOf(logic: unknown): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  const actor = createActor(logic as AnyActorLogic, { input: {} })
  actor.subscribe({ error: resolve })
  actor.start()
  return String(await promise)
}

const machines = [
  {
    name: 'agent',
    actors: agentMachine.implementations.actors,
    ports: ['intake', 'compact', 'ask', 'stopHooks', 'stopFailure'],
    children: ['toolCall', 'verify'],
  },
  {
    name: 'verification',
    actors: verificationMachine.implementations.actors,
    ports: ['check'],
    children: ['permission'],
  },
  {
    name: 'toolCall',
    actors: toolCallMachine.implementations.actors,
    ports: ['validate', 'deniedHooks', 'preHooks', 'gate', 'run', 'postHooks'],
    children: ['permission'],
  },
  { name: 'permission', actors: permissionMachine.implementations.actors, ports: ['judge'], children: ['answer'] },
  {
    name: 'request',
    actors: approvalMachine.implementations.actors,
    ports: ['plan', 'consultHooks', 'classify', 'register', 'wait', 'claim', 'judgeAgain', 'remember'],
    children: [],
  },
]

test('the machines have the names that people see', () => {
  expect([agentMachine.id, toolCallMachine.id, permissionMachine.id]).toEqual(['agent', 'toolCall', 'permission'])
})

describe.each(machines)('the ports of $name', ({ actors, ports, children }) => {
  test('are these', () => {
    expect(Object.keys(actors).toSorted()).toEqual([...ports, ...children].toSorted())
  })

  test.each(ports)('%s names itself when it was forgotten', async (name) => {
    expect(await complaintOf(actors[name])).toBe(`Error: port "${name}" was not provided`)
  })
})

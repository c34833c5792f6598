import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { memberMachine } from '../../machines/member/member.ts'
import { memoryJournal } from '../../src/adapters/sessions/journal.ts'
import type { Model } from '../../src/protocol/models/model.ts'
import { agentFold, openAgentStore } from '../../src/runtime/agent/agent-store.ts'
import { openLoneAgent } from '../../src/runtime/agent/lone-agent.ts'
import { freezeOptions } from '../../src/runtime/agent/agent-options.ts'
import { createAgent } from '../../src/runtime/agent/create-agent.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { bindMember, providedMember } from '../../src/runtime/member/start-member.ts'
import { spawnRoot } from '../../src/runtime/actors/spawn.ts'
import { inputOf, rang, shutdown } from '../machines/support/member-world.ts'
import { bareEnv } from '../support/bare-env.ts'
import { tempDir } from './support/stage.ts'

test('results that come in one pass of the event loop are read together', async () => {
  const { member, looks } = await parkedLead()
  const before = looks()
  for (let result = 0; result < 10; result += 1) {
    member.send(rang())
    for (let step = 0; step < 20; step += 1) await Promise.resolve()
  }
  for (let pass = 0; pass < 5; pass += 1) await setImmediate()
  // Once for those that rang, and once more for what may have come while it looked.
  expect(looks() - before).toBe(2)
})

test('a lead that leaves while results come leaves them in its box', async () => {
  const { member, looks } = await parkedLead()
  const before = looks()
  member.send(rang())
  member.send(shutdown())
  for (let pass = 0; pass < 5; pass += 1) await setImmediate()
  expect(member.getSnapshot().status).toBe('done')
  expect(looks()).toBe(before)
})

const silent: Model = { name: 'silent/model', async *stream() {} }

/** A lead that waits for results, and how often it has looked into its box. */
async function parkedLead() {
  const cwd = tempDir()
  const options = freezeOptions({ name: 'lead', model: silent, cwd, home: cwd, env: bareEnv, tools: [] })
  const { journal: log, state: past } = memoryJournal({ owner: 'lead', now: () => 1, fold: agentFold('life') })
  const store = openAgentStore({ owner: 'lead', log, past, publish: () => undefined })
  const { deps } = await openLoneAgent(options, store, {
    task: () => null,
    contract: () => null,
    delta: () => undefined,
    room: async () => undefined,
    runAgent: createAgent,
    runPart: () => Promise.reject(new Error('it has no workers')),
    child: () => undefined,
    more: () => [],
  })
  let looked = 0
  const receive = () => {
    looked += 1
    return { received: 0 }
  }
  const ports = {
    open: async () => ({ unread: 1 }),
    unread: async () => ({ unread: 0 }),
    watch: () => () => undefined,
    reply: async () => ({ replied: [] }),
    now: () => 1,
  }
  const parked = Promise.withResolvers<void>()
  const member = spawnRoot<typeof memberMachine>(providedMember, inputOf(), {
    id: 'lead',
    clock: systemClock(),
    bind: (root) => bindMember(root, ports, { ...deps, receive, hold: () => true }),
    record: (facts) => facts.forEach(({ type }) => type === 'agent.parked' && parked.resolve()),
    crashed: parked.reject,
  })
  await parked.promise
  await setImmediate()
  return { member, looks: () => looked }
}

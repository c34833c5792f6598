import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { memberMachine } from '../../machines/member/member.ts'
import { memoryJournal } from '../../src/adapters/sessions/journal.ts'
import { isAlive, processStart } from '../../src/adapters/process/liveness.ts'
import { userMessage } from '../../src/protocol/conversation/message.ts'
import { agentFold, openAgentStore } from '../../src/runtime/agent/agent-store.ts'
import { openLoneAgent } from '../../src/runtime/agent/lone-agent.ts'
import { freezeOptions } from '../../src/runtime/agent/agent-options.ts'
import { createAgent } from '../../src/runtime/agent/create-agent.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { bindMember, providedMember } from '../../src/runtime/member/start-member.ts'
import { spawnRoot } from '../../src/runtime/actors/spawn.ts'
import { bash } from '../../src/adapters/tools/shell/bash.ts'
import { inputOf } from '../machines/support/member-world.ts'
import { tempDir } from './support/stage.ts'
import { bareEnv } from '../support/bare-env.ts'

test('a command that runs when its member fails is gone with it', async () => {
  const { cwd, member, crashed } = await workingMember('echo $$ > pid; exec sleep 600')
  const pid = Number(await content(join(cwd, 'pid')))
  const started = processStart(pid) ?? 0
  onTestFinished(() => void (isAlive(pid, started) && process.kill(pid, 'SIGKILL')))
  expect(isAlive(pid, started)).toBe(true)
  // An action that throws: the machine itself is broken.
  member.send({
    type: 'prompt',
    at: 1,
    get message(): never {
      throw new Error('broken')
    },
  })
  expect(await crashed).toEqual(new Error('broken'))
  await until(() => !isAlive(pid, started))
})

/** A member with a real shell whose model has it run this command. */
async function workingMember(command: string) {
  const cwd = tempDir()
  const script = { agents: { writer: { steps: [{ calls: [{ tool: 'Bash', input: { command } }] }] } } }
  writeFileSync(join(cwd, 'script.yaml'), JSON.stringify(script))
  const options = freezeOptions({
    name: 'writer',
    model: 'scripted/script.yaml',
    tools: [bash],
    permissions: { mode: 'bypassPermissions' },
    cwd,
    home: join(cwd, 'home'),
    env: bareEnv,
  })
  const { journal: log, state: past } = memoryJournal({ owner: 'writer', now: () => 1, fold: agentFold('life') })
  const store = openAgentStore({ owner: 'writer', log, past, publish: () => undefined })
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
  const ports = {
    open: async () => ({ unread: 0 }),
    unread: async () => ({ unread: 0 }),
    watch: () => () => undefined,
    reply: async () => ({ replied: [] }),
    now: () => 1,
  }
  const crash = Promise.withResolvers<unknown>()
  const member = spawnRoot<typeof memberMachine>(providedMember, inputOf({ model: 'scripted/script.yaml' }), {
    id: 'writer',
    clock: systemClock(),
    bind: (root) => bindMember(root, ports, deps),
    record: store.ledger.record,
    crashed: crash.resolve,
  })
  member.send({ type: 'prompt', message: userMessage('Run it.'), at: 1 })
  return { cwd, member, crashed: crash.promise }
}

async function content(file: string): Promise<string> {
  await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '')
  return readFileSync(file, 'utf8')
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

import { expect, test } from 'vitest'
import { createAgent, type AgentEvent, type Model } from '../../../src/index.ts'
import { bash } from '../../../src/adapters/tools/shell/bash.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'

const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0 }

/** Fails once, then asks for a command that a person is asked about, and ends. */
function faltering(): Model {
  let asked = 0
  return {
    name: 'test/faltering',
    async *stream() {
      asked += 1
      const message = { role: 'assistant' as const, model: 'test/faltering', usage }
      const failure = { code: 'overloaded' as const, message: 'busy', retry: true, retry_after_ms: 0 }
      const call = { type: 'tool_use' as const, id: 'c1', name: 'Bash', input: { command: 'touch new' } }
      if (asked === 1) yield { type: 'settled', message: { ...message, content: [], stop: 'error', failure } }
      else if (asked === 2) yield { type: 'settled', message: { ...message, content: [call], stop: 'tools' } }
      else yield { type: 'settled', message: { ...message, content: [{ type: 'text', text: 'Done.' }], stop: 'end' } }
    },
  }
}

test('a lone agent tells of retries and of waits for a permission, in the envelope of a run', async () => {
  const cwd = tempDir()
  const approver = { answer: async () => ({ behavior: 'deny', source: 'human', reason: 'no' }) as const }
  const agent = createAgent({ model: faltering(), tools: [bash], cwd, home: cwd, env: bareEnv, approver })
  const events: AgentEvent[] = []
  for await (const event of agent.run('Go.')) events.push(event)
  agent.close()
  const facts = events.flatMap((event) => (event.type === 'fact' ? [event.fact.type] : []))
  expect(facts).toEqual(expect.arrayContaining(['model.retried', 'permission.requested', 'permission.decided']))
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1))
  const first = events.find(({ type }) => type === 'fact')
  expect(first).toMatchObject({ v: 1, run: 'agent-1', member: 'agent', turn: 0, depth: 0, fact: { id: 'agent-1' } })
  expect(events.at(-1)).toMatchObject({ type: 'complete', turn: 2, run: 'agent-1' })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { apis } from '../../support/faulty-server.ts'
import { factOf, longSession, sessionAgent } from '../../support/long-session.ts'

test.each(apis)(
  '%s: a hundred turns in a small window: no request is too long, and what matters is still there',
  async (api) => {
    const dir = mkdtempSync(join(tmpdir(), 'troupe-session-'))
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
    const facts = [3, 20, 55, 97]
    const session = await longSession({ api, turns: 100, facts })
    const agent = sessionAgent(dir, { root: session.root, api })
    const { reason, failure } = await agent.run('Measure all locks.').result
    agent.close()
    await session.close()
    expect({ reason, failure }).toEqual({ reason: 'completed', failure: undefined })
    expect(session.complaints).toEqual([])
    expect(session.overflows).toEqual([])
    expect(session.turns()).toBe(100)
    for (const turn of facts) expect(session.last()).toContain(factOf(turn))
    expect(session.last()).toContain('Measure all locks.')
    expect(session.summaries()).toBeGreaterThan(0)
    expect(session.summaries()).toBeLessThanOrEqual(4)
  },
)

test('each compaction costs one miss of the prompt cache, and nothing else does', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-session-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const session = await longSession({ api: 'anthropic', turns: 150, facts: [] })
  onTestFinished(session.close)
  const agent = sessionAgent(dir, { root: session.root, api: 'anthropic' })
  expect(await agent.run('Measure all locks.').result).toMatchObject({ reason: 'completed' })
  agent.close()
  const { entries } = readJournal(join(dir, 'agent.jsonl'))
  const compactions = entries.filter(({ type }) => type === 'context.compacted').length
  expect(compactions).toBeGreaterThan(2)
  expect(session.misses()).toBe(compactions)
})

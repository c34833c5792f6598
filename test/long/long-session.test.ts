import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { apis } from '../support/faulty-server.ts'
import { factOf, longSession, sessionAgent, type LongSession } from '../support/long-session.ts'
import type { Api } from '../support/vendors/speech.ts'

const turns = 2_000
const facts = [3, 300, 900, 1_500, 1_990]

function place(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-session-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

function expectWhole(session: LongSession): void {
  expect(session.complaints).toEqual([])
  expect(session.overflows).toEqual([])
  for (const turn of facts) expect(session.last()).toContain(factOf(turn))
  expect(session.summaries()).toBeGreaterThan(0)
  expect(session.summaries()).toBeLessThanOrEqual(turns / 25)
}

test.each(apis)('%s: two thousand turns in a window of 32,000 tokens', async (api) => {
  const dir = place()
  const session = await longSession({ api, turns, facts })
  const agent = sessionAgent(dir, { root: session.root, api })
  const { reason, failure } = await agent.run('Measure all locks.').result
  agent.close()
  await session.close()
  expect({ reason, failure }).toEqual({ reason: 'completed', failure: undefined })
  expect(session.turns()).toBe(turns)
  expectWhole(session)
})

/** One life of the session: killed in the middle of the turn `until`, or whole. @returns the reason for its end */
async function live(dir: string, session: LongSession, { api, until }: { api: Api; until: number }): Promise<string> {
  const program = join(import.meta.dirname, 'session-process.ts')
  const child = spawn(process.execPath, [program, dir, session.root, api], { stdio: ['ignore', 'pipe', 'inherit'] })
  const over = new Promise((resolve) => void child.on('close', resolve))
  let said = ''
  child.stdout.on('data', (chunk) => (said += String(chunk)))
  while (child.exitCode === null && session.turns() < until) await pause(5)
  if (child.exitCode === null) child.kill('SIGKILL')
  await over
  return said.trim()
}

test('the same, killed every hundred turns', async () => {
  const [dir, api] = [place(), 'anthropic'] as const
  const session = await longSession({ api, turns, facts })
  let reason = ''
  for (let until = 150; reason === '' && until < turns + 1_000; until += 100) {
    reason = await live(dir, session, { api, until: until > turns ? Infinity : until })
  }
  await session.close()
  expect(reason).toBe('completed')
  expectWhole(session)
})

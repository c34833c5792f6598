import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { readCost } from '../../../src/runtime/runs/read-cost.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { tempDir } from '../support/stage.ts'
import { prices, serveBilled, type BilledAnswer, type BilledRequest } from './billing-server.ts'

/** The lead hands out work once; workers look around until somebody stops them. */
function tireless({ agent, step, heard, bytes }: BilledRequest): BilledAnswer {
  const usage = { input_tokens: Math.floor(bytes / 4), output_tokens: 300 }
  if (agent !== 'lead') {
    const isTold = heard.includes('final report')
    return isTold
      ? { ...usage, say: `${agent} reports.` }
      : { ...usage, calls: [{ tool: 'LS', input: { path: '.', n: step } }] }
  }
  const subtasks = ['ana', 'bo'].map((worker) => ({ worker, task: 'Look everywhere.' }))
  return step === 0
    ? { ...usage, calls: [{ tool: 'Delegate', input: { subtasks } }] }
    : { ...usage, say: 'As far as it went.' }
}

async function playTireless(executor: string, budget: object) {
  const server = await serveBilled(tireless)
  const { model, env } = server
  const cwd = tempDir()
  const home = join(cwd, 'home')
  mkdirSync(join(home, '.troupe'), { recursive: true })
  writeFileSync(join(home, '.troupe', 'models.json'), JSON.stringify({ [model]: prices }))
  const hand = { description: 'Looks.', prompt: 'You look.', tools: ['LS'], executor, max_turns: 200 }
  const gather = { on_failure: { retry: 0 } }
  const team = {
    name: 'tireless',
    model,
    budget,
    coordinator: { prompt: 'You lead.', gather },
    workers: { ana: hand, bo: hand },
  }
  writeFileSync(join(cwd, 'team.yaml'), stringify(team))
  const run = runTeam(await loadTeam(join(cwd, 'team.yaml'), { env }), { task: 'Begin.', cwd, home, env })
  const recorded: Recorded[] = []
  run.subscribe((each) => recorded.push(each))
  const result = await run.result
  await server.close()
  return { result, recorded, bill: server.bill(), cost: readCost(run.dir) }
}

test.for([
  ['in-process', { usd: 0.2 }, 'budget'],
  ['process', { usd: 0.2 }, 'budget'],
  // The last turn of each was enough for what it had to say.
  ['process', { turns: 12 }, 'completed'],
  ['process', { tokens: 60_000 }, 'budget'],
] as const)(
  '%s workers stop at the budget %j, report, and the lead reports last',
  async ([executor, budget, status]) => {
    const { result, recorded, bill, cost } = await playTireless(executor, budget)
    expect(result).toMatchObject({ status, result: 'As far as it went.' })
    const limits = { usd: Infinity, tokens: Infinity, turns: Infinity, ...budget }
    expect(bill.usd).toBeLessThanOrEqual(limits.usd * 1_000_000)
    expect(bill.tokens).toBeLessThanOrEqual(limits.tokens)
    expect(bill.requests).toBeLessThanOrEqual(limits.turns)
    expect(Math.round((cost.total.cost_usd ?? 0) * 1_000_000)).toBe(bill.usd)
    const reports = recorded.filter(
      ({ owner, entry }) =>
        owner === 'lead' && entry.type === 'mail.received' && entry.envelope.body.includes('reports.'),
    )
    expect(reports).toHaveLength(2)
    const leases = recorded.flatMap(({ entry }) => (entry.type === 'budget.leased' ? [entry.member] : []))
    expect([...new Set(leases)].toSorted()).toEqual(executor === 'process' ? ['ana', 'bo'] : [])
  },
)

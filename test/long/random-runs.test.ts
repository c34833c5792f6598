import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { readCost } from '../../src/runtime/runs/read-cost.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import { apis } from '../support/faulty-server.ts'
import { tempDir } from '../runtime/support/stage.ts'
import { prices, serveBilled, type BilledAnswer, type BilledRequest } from '../runtime/budget/billing-server.ts'

/** Random numbers from 0 to 1 that are the same in every run of this test. */
function chances(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32
  }
}

const workers = ['ana', 'bo', 'cy']

/** Leads delegate to any number of workers and again; workers look around for any time; answers have any length. */
function character(chance: () => number): (request: BilledRequest) => BilledAnswer {
  const upTo = (most: number): number => 1 + Math.floor(chance() * most)
  // How a model counts does not change in the middle of a run: a token has from three to eight bytes.
  const bytesPerToken = 3 + chance() * 5
  return ({ agent, step, tools, max_tokens, bytes }) => {
    const usage = {
      input_tokens: Math.floor(bytes / (bytesPerToken * (0.95 + chance() * 0.1))),
      output_tokens: chance() < 0.1 ? max_tokens : Math.min(upTo(1_500), max_tokens),
    }
    const say = 'word '.repeat(upTo(40))
    const delegates = tools.includes('Delegate') && (step === 0 || chance() < 0.2)
    if (agent === 'lead' && delegates) {
      const subtasks = workers.slice(0, upTo(workers.length)).map((worker) => ({ worker, task: say }))
      return { ...usage, calls: [{ tool: 'Delegate', input: { subtasks } }] }
    }
    if (agent !== 'lead' && chance() < 0.7) return { ...usage, say, calls: [{ tool: 'LS', input: { path: '.' } }] }
    return { ...usage, say }
  }
}

interface Budgets {
  readonly team: { usd?: number; tokens?: number; turns?: number }
  readonly ana: { usd?: number; tokens?: number; turns?: number }
}

async function playRandom(seed: number, budgets: Budgets) {
  const server = await serveBilled(character(chances(seed)), apis[seed % apis.length])
  const { model, env } = server
  const cwd = tempDir()
  const home = join(cwd, 'home')
  mkdirSync(join(home, '.troupe'), { recursive: true })
  writeFileSync(join(home, '.troupe', 'models.json'), JSON.stringify({ [model]: prices }))
  const hand = { description: 'Looks.', prompt: 'You look.', tools: ['LS'] }
  const team = {
    name: 'spenders',
    model,
    budget: budgets.team,
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { ...hand, budget: budgets.ana }, bo: hand, cy: hand },
  }
  writeFileSync(join(cwd, 'team.yaml'), stringify(team))
  const run = runTeam(await loadTeam(join(cwd, 'team.yaml'), { env }), { task: 'Begin.', cwd, home, env })
  const result = await run.result
  await server.close()
  return { result, bill: server.bill(), requests: server.requests, cost: readCost(run.dir) }
}

test(
  'over 200 random runs and three APIs no budget is ever passed, and the cost is what the server counted',
  { timeout: 300_000 },
  async () => {
    const endings = new Map<string, number>()
    for (let seed = 1; seed <= 200; seed += 1) {
      const chance = chances(seed * 7_919)
      const some = (least: number, most: number) => (chance() < 0.6 ? { is: least + chance() * (most - least) } : null)
      const [usd, tokens, turns, few] = [some(0.02, 0.5), some(4_000, 120_000), some(4, 30), some(1, 8)]
      const team = {
        ...(usd ? { usd: usd.is } : {}),
        ...(tokens ? { tokens: Math.floor(tokens.is) } : {}),
        turns: Math.floor(turns?.is ?? 40),
      }
      const ana = few ? { turns: Math.floor(few.is), usd: 0.05 } : {}
      // One run at a time: each has the server to itself.
      // oxlint-disable-next-line no-await-in-loop
      const { result, bill, requests, cost } = await playRandom(seed, { team, ana })
      const seen = `seed ${seed}: ${JSON.stringify({ team, ana, bill, status: result.status, reason: result.reason })}`
      const limits = { usd: Infinity, tokens: Infinity, ...team }
      const own = requests.filter(({ agent }) => agent === 'ana').length
      const passed = {
        usd: bill.usd > limits.usd * 1_000_000,
        tokens: bill.tokens > limits.tokens,
        turns: bill.requests > limits.turns,
        own: own > (ana.turns ?? Infinity),
      }
      expect({ seen, passed }).toEqual({ seen, passed: { usd: false, tokens: false, turns: false, own: false } })
      const counted = { usd: Math.round((cost.total.cost_usd ?? 0) * 1_000_000), answers: cost.total.answers }
      expect({ seen, ...counted }).toEqual({ seen, usd: bill.usd, answers: bill.requests })
      endings.set(result.status, (endings.get(result.status) ?? 0) + 1)
    }
    // Both kinds of ending were met, or the budgets were not put to the test.
    expect(endings.get('completed')).toBeGreaterThan(10)
    expect(endings.get('budget')).toBeGreaterThan(50)
  },
)

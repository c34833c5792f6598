import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import type { RunResult } from '../../src/protocol/team/run.ts'
import { directoryWith, troupe } from '../ui/cli/process/troupe.ts'
import { call, delegate, worker, type Scene } from './support/golden-scene.ts'
import { agentsIn, inEveryVoice, playGolden, teamOf } from './support/play-golden.ts'
import { serveScript } from './support/vendor-server.ts'

const prices = { input: 3, output: 15 }

const scene: Scene = {
  name: 'budget-exhausted-mid-run-with-a-final-report',
  team: { budget: { usd: 1 } },
  gather: { on_failure: { retry: 0 } },
  workers: { ana: worker() },
  prices,
  script: {
    lead: [
      { usage: { input: 2_000, output: 500 }, ...delegate({ worker: 'ana', task: 'Look everywhere.' }) },
      {
        usage: { input: 3_000, output: 500 },
        expect: ['Did not finish (budget_exhausted)', 'I saw half.'],
        say: 'As far as it went: ana saw half.',
      },
    ],
    ana: [
      // After the sixth answer four fifths are used, after the seventh there is only room for a report.
      ...[8_000, 8_000, 8_000, 8_000, 8_000, 1_000, 2_000].map((output, n) => ({
        usage: { input: 10_000, output },
        ...call('LS', { path: `part-${n + 1}` }),
      })),
      { usage: { input: 10_000, output: 500 }, expect: 'Write your final report', say: 'I saw half.' },
    ],
  },
  requests: 10,
}

test.for(inEveryVoice([scene]))('$name, $voice', async ({ voice }) => {
  expect(await playGolden(scene, voice)).toBe(scene.requests)
})

test('the command says what is used up and who reports, ends with exit code 4, and knows what the server billed', async () => {
  const server = await serveScript('anthropic', agentsIn(scene))
  const { model, env, asked, billed } = server
  const cwd = directoryWith({
    'teams/golden.yaml': stringify(teamOf(scene, model)),
    '.troupe/models.json': JSON.stringify({ [model]: prices }),
  })
  const { code, stdout, stderr } = await troupe(cwd, ['run', 'golden', 'Begin.', '--json'], { env })
  expect(code).toBe(4)
  expect(stderr).toContain("the team has used four fifths of the team's budget of dollars")
  expect(stderr).toContain('ana is to report: ')
  const cost_usd = (billed.input * prices.input + billed.output * prices.output) / 1_000_000
  expect((JSON.parse(stdout) as RunResult).cost_usd).toBeCloseTo(cost_usd, 6)
  const { stdout: told } = await troupe(cwd, ['cost', '--json'], { env })
  const total = { answers: asked.length, usage: billed, cost_usd: expect.closeTo(cost_usd, 6) as number }
  expect(JSON.parse(told)).toMatchObject({ total })
})

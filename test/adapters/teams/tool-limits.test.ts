import { expect, test } from 'vitest'
import { resolveTeam } from '../../../src/adapters/teams/resolve-team.ts'
import { memberCardSchema, teamFileSchema } from '../../../src/protocol/team/team-card.ts'
import { checkTeam } from '../../../src/rules/team/team-check.ts'

const team = teamFileSchema.parse({
  name: 'demo',
  model: 'scripted/a.yaml',
  tool_limits: { WebFetch: 20, Bahs: 1 },
  turn_output: 5_000,
  coordinator: { prompt: 'Lead.' },
  workers: {
    writer: {
      description: 'Writes.',
      tools: ['WebFetch', 'Bash'],
      tool_limits: { WebFetch: 50, Bash: { calls: 3, then: 'steer' } },
      turn_output: 9_000,
    },
  },
})
const { team: resolved } = resolveTeam({ team, coordinator: team.coordinator, workers: team.workers }, '/t/demo.yaml')

test('a member keeps to the limits of its team and to its own, whichever is narrower', () => {
  const [lead, writer] = resolved.members.map((member) => memberCardSchema.parse(member))
  const shared = { WebFetch: { calls: 20, then: 'block' }, Bahs: { calls: 1, then: 'block' } }
  expect([lead?.tool_limits, lead?.turn_output]).toEqual([shared, 5_000])
  expect([writer?.tool_limits, writer?.turn_output]).toEqual([{ ...shared, Bash: { calls: 3, then: 'steer' } }, 5_000])
})

test('a limit on a tool that does not exist is a mistake, said once', () => {
  const known = {
    tools: ['WebFetch', 'Bash'],
    coordinatorTools: [],
    providers: ['scripted'],
    executors: ['in-process'],
    local: { tools: [], providers: [] },
  }
  const problems = checkTeam(resolved, { ...known, credentials: {} })
  expect(problems.filter(({ code }) => code === 'unknown_tool')).toMatchObject([
    { severity: 'error', path: ['tool_limits', 'Bahs'], hint: 'did you mean Bash?' },
  ])
})

import { expect, test } from 'vitest'
import { pathsOf } from '../../../src/protocol/words/chart.ts'
import { machineCharts } from '../../../src/runtime/replay/charts.ts'
import { replayRun } from '../../../src/runtime/replay/replay-run.ts'
import { play } from '../support/stage.ts'

const charts = new Map(machineCharts().map((chart) => [chart.id, chart]))

test('every arrow of a chart leads from state to state, and each state says what it is', () => {
  expect([...charts.keys()]).toContain('agent')
  for (const { nodes, arrows, initial } of charts.values()) {
    const paths = nodes.map(({ path }) => path)
    expect(paths).toContain(initial)
    for (const { from, to, events } of arrows) {
      expect(paths).toEqual(expect.arrayContaining([from, to]))
      expect(events.join()).not.toMatch(/xstate/)
    }
    expect(nodes.filter(({ words }) => words === '')).toEqual([])
  }
})

test('the steps of a replay stand on these charts, at entries of the journal', async () => {
  const team = {
    name: 'solo',
    coordinator: { prompt: 'p' },
    workers: { ana: { description: 'd', prompt: 'p', tools: ['Bash'] } },
  }
  const calls = [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }]
  const { run, recorded, result } = await play(team, {
    lead: { steps: [{ calls }, { say: 'Done.' }] },
    ana: { steps: [{ say: 'Looked.' }] },
  })
  await result
  const { lives } = await replayRun(run.dir, { member: 'ana' })
  expect(lives.map(({ member }) => member)).toEqual(['ana'])
  const entries = recorded.flatMap(({ owner, entry }) => (owner === 'ana' ? [entry.id] : []))
  const steps = lives.flatMap(({ transitions }) => transitions)
  expect(new Set(steps.map(({ chart }) => chart))).toEqual(new Set(['member', 'agent']))
  for (const { chart, to, entry } of steps) {
    const paths = charts.get(chart)?.nodes.map(({ path }) => path)
    expect(paths).toEqual(expect.arrayContaining([...pathsOf(to)]))
    expect(entries).toContain(entry)
  }
  const own = (await replayRun(run.dir, { member: 'team' })).lives.flatMap(({ transitions }) => transitions)
  expect(new Set(own.map(({ chart }) => chart))).toEqual(new Set(['team', 'coordinator']))
  for (const { chart, to } of own)
    expect(charts.get(chart)?.nodes.map(({ path }) => path)).toEqual(expect.arrayContaining([...pathsOf(to)]))
})

import { afterEach, beforeEach, expect, test } from 'vitest'
import { builtinCards } from '../../../src/adapters/teams/builtin-cards.ts'
import { knownTools } from '../../../src/adapters/tools/known-tools.ts'
import { workerSchema } from '../../../src/protocol/team/team-card.ts'
import { openWorkbench, teamText, told, type Workbench } from './workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = openWorkbench()
})
afterEach(() => bench.remove())

test('every kind is a good card with tools that there are, and measures in numbers', async () => {
  expect([...builtinCards.keys()]).toEqual(['general', 'explore', 'plan', 'review', 'verify'])
  const { tools, coordinator } = await knownTools()
  const names = tools.map(({ name }) => name).filter((name) => !coordinator.includes(name))
  for (const [, card] of builtinCards) {
    expect(workerSchema.parse(card)).toEqual(card)
    expect(names).toEqual(expect.arrayContaining(card.tools ?? ['none']))
  }
})

test('a card says of a kind what is other, key by key, through cards of its own as well', async () => {
  bench.write('mine.yaml', 'from: builtin:explore\ndescription: Explores for me.\nmax_turns: 7\n')
  bench.write('team.yaml', teamText('from: mine.yaml\n    tools: [Read]'))
  const { team, diagnostics } = await bench.read()
  expect(diagnostics).toEqual([])
  const explore = builtinCards.get('explore')
  expect(team?.members[1]).toMatchObject({
    description: 'Explores for me.',
    prompt: explore?.prompt,
    tools: ['Read'],
    max_turns: 7,
  })
})

test('an unknown kind is a mistake that names what was meant', async () => {
  bench.write('team.yaml', teamText('from: builtin:explorer'))
  const { diagnostics } = await bench.read()
  expect(diagnostics.map(told)).toEqual([
    'team.yaml:6:11 from_not_found from: there is no built-in kind "explorer"; did you mean "builtin:explore"?',
  ])
})

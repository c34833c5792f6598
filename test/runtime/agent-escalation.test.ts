import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { stringify } from 'yaml'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import { createAgent, type AgentOptions } from '../../src/index.ts'
import { ls } from '../../src/adapters/tools/search/ls.ts'
import { tempDir } from './support/stage.ts'

const beyond = { say: 'STRONGER MODEL NEEDED: It needs a proof.', expect: 'STRONGER MODEL NEEDED:' }

/** An agent with a weak model that may turn to a strong one, each with its script. */
function twoModels(weak: readonly object[], strong: readonly object[], more: Partial<AgentOptions> = {}) {
  const cwd = tempDir()
  for (const [name, steps] of Object.entries({ weak, strong })) {
    writeFileSync(join(cwd, `${name}.yaml`), stringify({ agents: { agent: { steps } } }))
  }
  const common = { model: 'scripted/weak.yaml', escalate: 'scripted/strong.yaml', system: 'You prove.' }
  const agent = createAgent({ ...common, cwd, home: cwd, env: {}, runDir: cwd, ...more })
  const facts = <Type extends Entry['type']>(type: Type): readonly Extract<Entry, { type: Type }>[] =>
    readJournal(join(cwd, 'agent.jsonl')).entries.filter(
      (entry): entry is Extract<Entry, { type: Type }> => entry.type === type,
    )
  return { agent, facts }
}

test('an agent outside of a team turns to its stronger model, once in a run', async () => {
  const took = { expect: ['You prove.', 'You take over here', 'It needs a proof.'], say: 'Proved.' }
  const { agent, facts } = twoModels([beyond, { say: 'Second.' }], [took])
  expect((await agent.run('Prove it.').result).text).toBe('Proved.')
  expect((await agent.run('And this.').result).text).toBe('Second.')
  agent.close()
  expect(facts('model.escalated')).toMatchObject([
    { from: 'scripted/weak.yaml', to: 'scripted/strong.yaml', trigger: 'marker', reason: 'It needs a proof.' },
  ])
  const asked = facts('model.requested').map(({ model }) => model)
  expect(asked).toEqual(['scripted/weak.yaml', 'scripted/strong.yaml', 'scripted/weak.yaml'])
})

test('calls that cannot be made bring it in, as often as was said', async () => {
  const clumsy = { calls: [{ tool: 'Raed', input: {} }] }
  const { agent, facts } = twoModels([clumsy], [{ say: 'never said' }, { say: 'Proved.' }], {
    tools: [ls],
    escalate: { model: 'scripted/strong.yaml', after_errors: 1 },
  })
  expect((await agent.run('Prove it.').result).text).toBe('Proved.')
  expect(facts('model.escalated')).toMatchObject([{ turn: 1, trigger: 'errors' }])
})

test('a stronger model that fails gives way to the own one', async () => {
  const { agent, facts } = twoModels([beyond], [{ fail: 'not_found' }])
  await agent.run('Prove it.').result
  expect(facts('model.fell_back')).toMatchObject([{ from: 'scripted/strong.yaml', to: 'scripted/weak.yaml' }])
})

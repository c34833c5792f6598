import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { modelServer, sendEvents, type Asked } from '../../adapters/models/support/model-server.ts'
import { tempDir } from '../support/stage.ts'

const answer = (content: object, stop: string) => [
  { type: 'message_start', message: { role: 'assistant', usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: content },
  { type: 'content_block_stop', index: 0 },
  { type: 'message_delta', delta: { stop_reason: stop }, usage: { output_tokens: 5 } },
  { type: 'message_stop' },
]
const members = ['ann', 'ben', 'cleo']
const handOut = {
  type: 'tool_use',
  id: 'd1',
  name: 'Delegate',
  input: { subtasks: members.map((worker) => ({ worker, task: 'Look.' })) },
}
const skill = (name: string): string => `---\nname: ${name}\ndescription: Serves ${name}.\n---\nGo.\n`

/** Runs the team in a clone and a home of their own; the prefix of each request, by the member's own words. */
async function prefixes(words: string): Promise<ReadonlyMap<string, string>> {
  let leads = 0
  const server = await modelServer(({ body }, response) => {
    const isLead = JSON.stringify(body['system']).includes('You lead')
    leads += isLead ? 1 : 0
    sendEvents(
      response,
      isLead && leads === 1 ? answer(handOut, 'tool_use') : answer({ type: 'text', text: words }, 'end_turn'),
    )
  })
  onTestFinished(server.close)
  const [cwd, home] = [tempDir(), tempDir()]
  const files = {
    [join(cwd, 'AGENTS.md')]: words,
    [join(home, '.claude/CLAUDE.md')]: `Mine: ${words}`,
    [join(cwd, `.agents/skills/${words}/SKILL.md`)]: skill(words),
    [join(home, `.claude/skills/my-${words}/SKILL.md`)]: skill(`my-${words}`),
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  const env = { HOME: home, ANTHROPIC_API_KEY: 'sk-ant-test-000', ANTHROPIC_BASE_URL: server.root }
  const worker = (name: string) => ({
    description: `${name} works.`,
    prompt: `You are ${name}.`,
    tools: ['Skill', 'Read'],
  })
  const team = {
    name: 'same',
    model: 'anthropic/claude-opus-5',
    coordinator: { prompt: 'You lead.', tools: ['Skill'] },
    workers: Object.fromEntries(members.map((name) => [name, worker(name)])),
  }
  const run = runTeam(await loadTeam(team, { cwd, env }), { task: 'Begin.', cwd, home, env })
  expect(await run.result).toMatchObject({ status: 'completed' })
  const contexts = server.asked.map(({ body }) => JSON.stringify(body['messages']))
  expect(contexts.every((context) => context.includes(`Serves my-${words}`) && context.includes(cwd))).toBe(true)
  return new Map(server.asked.map(prefixOf))
}

function prefixOf({ body }: Asked): readonly [string, string] {
  const [system, tools] = [JSON.stringify(body['system']), JSON.stringify(body['tools'])]
  const [, name = 'lead'] = /You are (ann|ben|cleo)\b/.exec(system) ?? []
  return [name, `${tools}\n${system}`]
}

test('a team in two clones and two homes has the same tools and system prompt, byte for byte', async () => {
  const [one, two] = [await prefixes('one'), await prefixes('two')]
  expect([...one.keys()].toSorted()).toEqual(['ann', 'ben', 'cleo', 'lead'])
  expect(one).toEqual(two)
})

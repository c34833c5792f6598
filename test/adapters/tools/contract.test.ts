import { expect, test } from 'vitest'
import { bash } from '../../../src/adapters/tools/shell/bash.ts'
import type { PlanPort, Tool } from '../../../src/protocol/tools/tool.ts'
import { builtinTools } from '../../../src/adapters/tools/registry.ts'
import { toolSearchOver } from '../../../src/adapters/tools/tool-search.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { toolContract } from '../../contracts/tool.ts'
import { teamOf } from './team-port.ts'
import { homelyFetch, webSites } from './web-site.ts'
import { workshop } from './workshop.ts'

const shop = workshop()
const sites = webSites()

const samples: Readonly<Record<string, () => unknown>> = {
  Read: () => ({ file_path: shop.write('a.txt', 'one\ntwo\n') }),
  Write: () => ({ file_path: 'new/b.txt', content: 'text\n' }),
  Edit: async () => ({
    file_path: await shop.known('a.txt', 'one\ntwo\n'),
    old_string: 'two',
    new_string: 'three',
  }),
  MultiEdit: async () => ({
    file_path: await shop.known('a.txt', 'one\ntwo\n'),
    edits: [
      { old_string: 'two', new_string: 'three' },
      { old_string: 'one', new_string: 'two' },
    ],
  }),
  Glob: () => ({ pattern: '*.txt', path: shop.dir }),
  Grep: () => ({ pattern: 'two', path: shop.dir }),
  LS: () => ({ path: shop.dir }),
  Bash: () => ({ command: 'echo hello' }),
  BashOutput: async () => {
    await shop.call(bash, { command: 'echo hello; exec sleep 300', run_in_background: true })
    return { bash_id: 'bash_1' }
  },
  KillBash: async () => {
    await shop.call(bash, { command: 'exec sleep 300', run_in_background: true })
    return { shell_id: 'bash_1' }
  },
  WebFetch: async () => sites.open((_request, response) => response.end('hello')).then(({ url }) => ({ url })),
  AskUser: () => ({ question: 'Red or blue?', options: ['red', 'blue'] }),
  Advisor: () => ({ question: 'This way or that?', context: 'Both are slow.' }),
  EnterPlanMode: () => ({ reason: 'It can be done in two ways.' }),
  ExitPlanMode: () => ({ plan: 'Rename it, then run the tests.' }),
  TodoWrite: () => ({ todos: [{ content: 'Run the tests', status: 'pending' }] }),
  Delegate: () => ({ subtasks: [{ worker: 'ann', task: 'Count the files.' }] }),
  TaskCreate: () => ({ subject: 'Count the files.' }),
  TaskClaim: () => ({ id: 1 }),
  TaskDone: () => ({ id: 1 }),
  TaskList: () => ({ state: 'open' }),
  SendMessage: () => ({ to: 'ann', text: 'The build is red.' }),
  StopWorker: () => ({ worker: 'ann' }),
  Wait: () => ({ for: 'ann', reason: 'Ann counts the files.' }),
  Report: () => ({ request: 'r1', text: 'Nine files.' }),
  Answer: () => ({ text: 'Nine files.' }),
  Skill: () => ({ skill: 'review' }),
  Remember: () => ({ kind: 'project', title: 'Freeze', text: 'It begins on 2026-12-01.' }),
  Recall: () => ({ name: 'freeze' }),
  Forget: () => ({ name: 'freeze' }),
}

test('every built-in stands under the contract', () => {
  expect(Object.keys(samples).toSorted()).toEqual(builtinTools.map((tool) => tool.name).toSorted())
})

test.each([...builtinTools, toolSearchOver([])])(
  'permissions judge $name by the effect that it declares',
  async (tool) => {
    const { name, effect } = tool
    const touchesFiles = effect === 'read' || effect === 'edit'
    const input = touchesFiles ? await samples[name]?.() : {}
    const action = analyse({ tool: name, input, cwd: shop.dir, home: shop.dir })
    expect([action.kind, action.paths.length > 0]).toEqual([effect, touchesFiles])
  },
)

const advise = () => Promise.resolve({ text: 'That way.' })

const said = { text: 'Done.' }
const memories = { remember: async () => said, recall: () => said, forget: async () => said }

/** Whoever proposes a plan is planning. */
const planFor = ({ name }: Tool): PlanPort => ({
  planning: () => name === 'ExitPlanMode',
  bound: () => false,
  enter: () => undefined,
  approve: () => undefined,
})

for (const tool of builtinTools) {
  toolContract({
    // There is no public web in a test.
    tool: tool.name === homelyFetch.name ? homelyFetch : tool,
    context: (more) =>
      shop.context({
        ask: async () => 'red',
        team: teamOf(['ann', 'bob']),
        plan: planFor(tool),
        advise,
        memories,
        openSkill: async () => said,
        ...more,
      }),
    sample: async () => samples[tool.name]?.(),
  })
}

import { expect, test } from 'vitest'
import { builtinTools } from '../../../src/adapters/tools/registry.ts'
import { toolContract } from '../../contracts/tool.ts'
import { teamOf } from './team-port.ts'
import { workshop } from './workshop.ts'

const shop = workshop()

const samples: Readonly<Record<string, () => unknown>> = {
  Read: () => ({ file_path: shop.write('a.txt', 'one\ntwo\n') }),
  Write: () => ({ file_path: 'new/b.txt', content: 'text\n' }),
  Edit: () => ({ file_path: shop.write('a.txt', 'one\ntwo\n'), old_string: 'two', new_string: 'three' }),
  Glob: () => ({ pattern: '*.txt', path: shop.dir }),
  Grep: () => ({ pattern: 'two', path: shop.dir }),
  LS: () => ({ path: shop.dir }),
  Bash: () => ({ command: 'echo hello' }),
  TodoWrite: () => ({ todos: [{ content: 'Run the tests', status: 'pending' }] }),
  Delegate: () => ({ subtasks: [{ worker: 'ann', task: 'Count the files.' }] }),
  SendMessage: () => ({ to: 'ann', text: 'The build is red.' }),
  StopWorker: () => ({ worker: 'ann' }),
}

test('every built-in stands under the contract', () => {
  expect(Object.keys(samples).toSorted()).toEqual(builtinTools.map((tool) => tool.name).toSorted())
})

for (const tool of builtinTools) {
  toolContract({
    tool,
    context: (more) => shop.context({ team: teamOf(['ann', 'bob']), ...more }),
    sample: () => samples[tool.name]?.(),
  })
}

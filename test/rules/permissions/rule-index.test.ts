import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { candidates, indexRules, readyRules } from '../../../src/rules/permissions/rule-index.ts'
import { commandPermit, forbids, permitsCall, permitsPath } from '../../../src/rules/permissions/match.ts'

const places = { cwd: '/home/ann/repo', home: '/home/ann', root: '/home/ann/repo' }

const names = fc.constantFrom('git', 'npm', 'rm', 'tool', 'FOO=1', 'secret', 'a.ts', 'src', '.env', 'keys.pem', 'Area')
const command = fc.array(names, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const glob = fc.constantFrom('*', '**', '*.ts', 'sec*', '*.pem', '.e?v', 'key?.*', '[a-b].ts', 'a*e', 'src*')
const path = fc
  .tuple(
    fc.constantFrom('', './', '/', '//home/ann/', '~/', '../', '**/'),
    fc.array(fc.oneof(names, glob), { minLength: 1, maxLength: 3 }),
  )
  .map(([start, parts]) => start + parts.join('/'))
const tool = fc.constantFrom(
  'Read',
  'Edit',
  'Grep',
  'Write',
  'Bash',
  'mcp__db',
  'mcp__db__get',
  'mcp__db__*',
  'mcp__*',
  '*',
  'Agent',
)
const rule = fc.oneof(
  tool,
  fc.tuple(command, fc.constantFrom('', ':*', ' *', '*')).map(([text, end]) => `Bash(${text}${end})`),
  fc.constantFrom('Bash(* x)', 'Bash(run_in_background:true)', 'Agent(model:*)', 'Agent(x)', 'mcp__db__get(id:*)'),
  path.map((text) => `Read(${text})`),
  path.map((text) => `Edit(${text})`),
  fc.constantFrom('a.test', '*.a.test', '*').map((host) => `WebFetch(domain:${host})`),
)
const file = fc.array(names, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
const call = fc.oneof(
  fc
    .tuple(fc.constantFrom('Read', 'Edit', 'Write'), file)
    .map(([name, file_path]) => ({ tool: name, input: { file_path } })),
  fc
    .tuple(fc.constantFrom('Grep', 'LS'), file)
    .map(([name, where]) => ({ tool: name, input: { pattern: 'x', path: where } })),
  fc
    .tuple(command, fc.constantFrom('', ' > src/a.ts', ' && rm .e*', ' "sec"ret', ' $x'), fc.boolean())
    .map(([text, end, run_in_background]) => ({ tool: 'Bash', input: { command: text + end, run_in_background } })),
  fc
    .constantFrom('mcp__db__get', 'mcp__db__set', 'mcp__other__get', 'Agent')
    .map((name) => ({ tool: name, input: { id: 1, model: 'x' } })),
  fc.constantFrom('https://a.test/', 'https://b.a.test/').map((url) => ({ tool: 'WebFetch', input: { url } })),
)

describe('an index of rules', () => {
  prop.prop([fc.array(rule, { minLength: 1, maxLength: 12 }), call, fc.boolean()], { numRuns: 2_000 })(
    'never leaves out a rule that concerns the call',
    (texts, { tool: name, input }, wide) => {
      const action = analyse({ tool: name, input, cwd: places.cwd, home: places.home })
      const index = indexRules(readyRules({ source: 'project', list: wide ? 'deny' : 'allow', texts }))
      const found = candidates(index, action)[wide ? 'deny' : 'allow'].map(({ text }) => text)
      const concerned = index.rules.filter(({ ready }) => {
        if (ready === null) return false
        if (wide) return forbids(ready, action, places) !== null
        return (
          permitsCall(ready, action) ||
          action.commands.some((one) => commandPermit(one, action)(ready)) ||
          action.paths.some((one) => permitsPath(ready, one, { tool: name, places }))
        )
      })
      expect(concerned.map(({ text }) => text).filter((text) => !found.includes(text))).toEqual([])
    },
  )

  test('asks only the rules that a call could concern, in their order', () => {
    const texts = Array.from({ length: 1_000 }, (_, i) => `Bash(tool-${i} *)`)
    const index = indexRules(
      readyRules({ source: 'project', list: 'deny', texts: [...texts, 'Bash(* x)', 'Bash(tool-7)'] }),
    )
    const action = analyse({ tool: 'Bash', input: { command: 'tool-7 a' }, cwd: '/repo', home: '/home/ann' })
    expect(candidates(index, action).deny.map(({ text }) => text)).toEqual([
      'Bash(tool-7 *)',
      'Bash(* x)',
      'Bash(tool-7)',
    ])
  })
})

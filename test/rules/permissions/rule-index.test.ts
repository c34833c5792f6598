import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { behaviors, type PermissionSource } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import type { Action } from '../../../src/rules/permissions/action.ts'
import { candidates, indexRules, readyRules, type Listed } from '../../../src/rules/permissions/rule-index.ts'
import { commandPermit, forbids, permitsCall, permitsPath } from '../../../src/rules/permissions/match.ts'

const places = { cwd: '/home/ann/repo', home: '/home/ann', root: '/home/ann/repo' }

const plainNames = ['git', 'npm', 'rm', 'tool', 'FOO=1', 'secret', 'a.ts', 'src', '.env', 'keys.pem', 'Area']
const names = fc.constantFrom(...plainNames)
/** Two spellings of the same word stand in rules and commands. */
const spelled = fc.constantFrom(...plainNames, '"git"', 'n"p"m', '"rm x"', "s'r'c", 'a:b', '-x')
const wrapper = fc.constantFrom(
  '',
  'sudo ',
  'env A=b ',
  'timeout 5 ',
  'nohup ',
  'xargs -n1 ',
  'find . -exec ',
  'bash -c ',
  '/bin/',
)
const command = fc.array(spelled, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const glob = fc.constantFrom('*', '**', '*.ts', 'sec*', '*.pem', '.e?v', 'key?.*', '[a-b].ts', 'a*e', 'src*')
const path = fc
  .tuple(
    fc.constantFrom('', './', '/', '//home/ann/', '~/', '../', '**/'),
    fc.array(fc.oneof(names, glob), { minLength: 1, maxLength: 3 }),
  )
  .map(([start, parts]) => start + parts.join('/'))
const server = fc.constantFrom('mcp__db', 'mcp__db_', 'mcp__d', 'mcp__db__x')
const tool = fc.oneof(
  fc.constantFrom(
    'Read',
    'Edit',
    'Grep',
    'Write',
    'NotebookEdit',
    'Bash',
    'Bash(*)',
    'WebFetch',
    '*',
    'Agent',
    'mcp__*',
  ),
  fc.tuple(server, fc.constantFrom('', '__get', '__*', '*', '__g*')).map(([name, end]) => name + end),
)
const rule = fc.oneof(
  tool,
  fc
    .tuple(wrapper, command, fc.constantFrom('', ':*', ' *', '*', ' * x', ' * x:*'))
    .map(([start, text, end]) => `Bash(${start}${text}${end})`),
  fc.constantFrom(
    'Bash(* x)',
    'Bash(g*)',
    'Bash(git:x)',
    'Bash(run_in_background:true)',
    'Agent(model:*)',
    'Agent(x)',
    'mcp__db__get(id:*)',
  ),
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
    .tuple(
      wrapper,
      command,
      fc.constantFrom('', ' > src/a.ts', ' && rm .e*', ' "sec"ret', ' $x', ' | np"m" a'),
      fc.boolean(),
    )
    .map(([start, text, end, run_in_background]) => ({
      tool: 'Bash',
      input: { command: start + text + end, run_in_background },
    })),
  fc
    .constantFrom(
      'mcp__db__get',
      'mcp__db___get',
      'mcp__db__set',
      'mcp__db__x__get',
      'mcp__other__get',
      'mcp__db',
      'Agent',
    )
    .map((name) => ({ tool: name, input: { id: 1, model: 'x' } })),
  fc.constantFrom('https://a.test/', 'https://b.a.test/').map((url) => ({ tool: 'WebFetch', input: { url } })),
)

/** What the cascade asks of a rule, put to every rule in turn. */
function concerns({ list, ready }: Listed, action: Action): boolean {
  if (ready === null) return false
  if (list !== 'allow') return forbids(ready, action, places) !== null
  return (
    permitsCall(ready, action) ||
    action.commands.some((one) => commandPermit(one, action, () => false)(ready)) ||
    action.paths.some((one) => permitsPath(ready, one, { tool: action.tool, places }))
  )
}

const lists = fc.record({
  deny: fc.array(rule, { maxLength: 6 }),
  ask: fc.array(rule, { maxLength: 6 }),
  allow: fc.array(rule, { maxLength: 6 }),
})

describe('an index of rules', () => {
  prop.prop([lists, lists, call], { numRuns: 1_000 })(
    'finds what a look at every rule finds, in the same order',
    (project, user, { tool: name, input }) => {
      const action = analyse({ tool: name, input, ...places })
      const all = behaviors.flatMap((list) =>
        Object.entries({ project, user }).flatMap(([source, texts]) =>
          readyRules({ source: source as PermissionSource, list, texts: texts[list] }),
        ),
      )
      const concerned = (one: Listed): boolean => concerns(one, action)
      const found = candidates(indexRules(all), action)
      for (const list of behaviors) {
        expect(found[list].filter(concerned)).toEqual(all.filter((one) => one.list === list && concerned(one)))
      }
    },
  )

  test('compares a command with the rules of its first word and those of any word, in their order', () => {
    const texts = Array.from({ length: 1_000 }, (_, i) => `Bash(tool-${i} *)`)
    const index = indexRules(
      readyRules({ source: 'project', list: 'deny', texts: [...texts, 'Bash(* x)', 'Bash(tool-7)', 'nonsense('] }),
    )
    const action = analyse({ tool: 'Bash', input: { command: 'tool-7 a' }, cwd: '/repo', home: '/home/ann' })
    expect(candidates(index, action).deny.map(({ text }) => text)).toEqual([
      'Bash(tool-7 *)',
      'Bash(* x)',
      'Bash(tool-7)',
    ])
  })

  test('compares a command with the rules of its first two words, and with those of the first where a word may vanish', () => {
    const texts = ['Bash(git push:*)', 'Bash(git pull *)', 'Bash(git:*)', 'Bash(git push --force)', 'Bash("git" push)']
    const index = indexRules(readyRules({ source: 'project', list: 'deny', texts }))
    const found = (line: string): readonly string[] =>
      candidates(index, analyse({ tool: 'Bash', input: { command: line }, ...places })).deny.map(({ text }) => text)
    expect(found('git push origin')).toEqual(['Bash(git push:*)', 'Bash(git:*)', 'Bash(git push --force)'])
    expect(found('git status')).toEqual(['Bash(git:*)'])
    expect(found('git $A push')).toEqual(texts.slice(0, 4))
  })
})

import { describe, expect, test } from 'vitest'
import { mcpServerNameSchema, type McpScope, type McpServerSpec } from '../../../src/protocol/mcp/server-spec.ts'
import { cutWords } from '../../../src/rules/mcp/cut-words.ts'
import { fieldsOf, readField } from '../../../src/rules/mcp/elicited-form.ts'
import { expandServer, variablesOf } from '../../../src/rules/mcp/expand-variables.ts'
import { pathsIn } from '../../../src/rules/mcp/path-arguments.ts'
import { reconnectDelay } from '../../../src/rules/mcp/reconnect.ts'
import { samplingText } from '../../../src/rules/mcp/sampling-text.ts'
import { chooseServers, serverGrant } from '../../../src/rules/mcp/server-scopes.ts'
import { bridgedNames, serverOf, speaksOf } from '../../../src/rules/mcp/tool-names.ts'

describe('variables of an entry', () => {
  const env = { HOME: '/home/ann', EMPTY: '' }

  test.for([
    ['${HOME}/x', '/home/ann/x'],
    ['${HOME}${HOME}', '/home/ann/home/ann'],
    ['${NONE:-there}', 'there'],
    ['${NONE:-}', ''],
    ['${EMPTY:-there}', 'there'],
    ['${EMPTY}', ''],
    ['$HOME', '$HOME'],
    ['${NONE:-http://a:1/b}', 'http://a:1/b'],
  ] as const)('%s is %s', ([written, value]) => {
    expect(expandServer({ command: 'x', args: [written] }, env)).toEqual({ spec: { command: 'x', args: [value] } })
  })

  test('stand wherever an entry may name them, and those that are missing are named', () => {
    const spec = { url: '${A}', headers: { x: '${B}' }, oauth: { clientSecret: '${C}', callbackPort: 8 } }
    expect(variablesOf(spec)).toEqual(['A', 'B', 'C'])
    expect(expandServer(spec, { B: 'b' })).toEqual({ missing: ['A', 'C'] })
    expect(expandServer({ command: '${A}', env: { X: '${B}' } }, { A: 'a', B: 'b' })).toEqual({
      spec: { command: 'a', env: { X: 'b' } },
    })
  })

  test('a value is never expanded once more', () => {
    expect(expandServer({ command: '${A}' }, { A: '${B}', B: 'b' })).toEqual({ spec: { command: '${B}' } })
  })
})

describe('the servers that count', () => {
  const server = (name: string, scope: McpScope, spec: McpServerSpec = { command: `${name}-${scope}` }) => ({
    name,
    scope,
    spec,
    file: scope,
  })
  const chosen = (all: readonly ReturnType<typeof server>[], managed = false) =>
    chooseServers(all, managed).servers.map(({ name, scope }) => `${name} ${scope}`)

  test('the strongest scope wins whole', () => {
    const all = (['team', 'dynamic', 'project', 'user', 'local'] as const).map((scope) => server('a', scope))
    expect(chosen(all)).toEqual(['a local'])
    expect(chosen(all.slice(0, -1))).toEqual(['a user'])
    expect(chosen(all.slice(0, -2))).toEqual(['a project'])
    expect(chosen(all.slice(0, -3))).toEqual(['a dynamic'])
  })

  test('a managed file means its servers alone, even when it has none', () => {
    const all = [server('a', 'enterprise'), server('b', 'local')]
    expect(chosen(all, true)).toEqual(['a enterprise'])
    expect(chosen([server('b', 'local')], true)).toEqual([])
  })

  test('two names for one server of two files are one', () => {
    const spec = { url: 'https://example.com/mcp' }
    const all = [server('slack', 'user', spec), server('chat', 'project', { url: 'https://example.com/mcp/' })]
    expect(chosen(all)).toEqual(['slack user'])
    expect(chosen([server('a', 'project', spec), server('b', 'project', spec)])).toEqual(['a project', 'b project'])
  })

  test('an entry is trusted whole, however it is ordered', () => {
    expect(serverGrant('a', { args: ['x'], command: 'y' })).toBe(serverGrant('a', { command: 'y', args: ['x'] }))
    expect(serverGrant('a', { command: 'y', env: { A: '1' } })).not.toBe(
      serverGrant('a', { command: 'y', env: { A: '2' } }),
    )
  })
})

test.for(['github_', '_github', 'git__hub', '', 'x'.repeat(49)])('"%s" is no name of a server', (name) => {
  // The tools of "github_" would have names that rules about "github" speak of.
  expect(mcpServerNameSchema.safeParse(name).success).toBe(false)
})

describe('names of tools', () => {
  test('are legal, at most 64 long and no two alike', () => {
    const given = ['read', 'with space', 'with_space', 'sl/ash', 'ünï', 'x'.repeat(100), `${'x'.repeat(100)}y`, '../up']
    const names = bridgedNames('odd', given)
    expect(names[0]).toBe('mcp__odd__read')
    expect(names[2]).toBe('mcp__odd__with_space')
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(new Set(names).size).toBe(given.length)
    expect(bridgedNames('odd', given)).toEqual(names)
  })

  // The second has the name that the first gets by its mark; the last two have one mark in 32 bits.
  test('are no two alike although a server wants that', () => {
    const [marked = ''] = bridgedNames('odd', ['ü', 'ö'])
    const twins = ['#75zx', '#epcd'].map((end) => 'x'.repeat(100) + end)
    const given = ['ü', 'ö', marked.slice('mcp__odd__'.length), ...twins]
    const names = bridgedNames('odd', given)
    expect(new Set(names).size).toBe(given.length)
    expect(names[2]).toBe(marked)
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
    expect(bridgedNames('odd', given)).toEqual(names)
  })

  test.for([
    ['mcp__fs', 'mcp__fs__read', true],
    ['mcp__fs__*', 'mcp__fs__read', true],
    ['mcp__fs__re*', 'mcp__fs__read', true],
    ['mcp__fs__read', 'mcp__fs__read', true],
    ['mcp__fs__read', 'mcp__fs__read_all', false],
    ['mcp__fs', 'mcp__fs2__read', false],
    ['Read', 'mcp__fs__read', false],
  ] as const)('%s speaks of %s: %s', ([written, tool, speaks]) => {
    expect(speaksOf(written, tool)).toBe(speaks)
  })

  test('name their server', () => {
    expect(['mcp__fs', 'mcp__fs__*', 'mcp__my-fs__read__all', 'Read', 'mcp__'].map(serverOf)).toEqual([
      'fs',
      'fs',
      'my-fs',
      null,
      null,
    ])
  })
})

test('words of a server are cut at 2,048 characters, and what cannot be seen is taken out', () => {
  expect(cutWords('a'.repeat(60_000))).toHaveLength(2_048)
  expect(cutWords(`${'a'.repeat(2_046)}😀😀`)).toBe(`${'a'.repeat(2_046)}…`)
  expect(cutWords(`a\u200Bb\u202Ec${String.fromCodePoint(0xe0041)}d\u0007`)).toBe('abcd')
  expect(cutWords('line\n\tline')).toBe('line\n\tline')
})

test('the paths that a call speaks of', () => {
  expect(pathsIn({ path: 'notes.txt', text: 'hello', n: 1 })).toEqual(['notes.txt'])
  expect(pathsIn({ paths: ['a', 'b'], edits: [{ oldText: '/etc' }] })).toEqual(['a', 'b', '/etc'])
  expect(pathsIn({ uri: 'file:///etc/pass%77d', url: 'https://example.com/etc' })).toEqual(['/etc/passwd'])
  expect(pathsIn({ any: '../up', other: '~/.ssh', third: './x', fourth: '/x\ny' })).toEqual(['../up', '~/.ssh', './x'])
  expect(pathsIn({ outputDir: 'x', filename: 'y', query: 'z' })).toEqual(['x', 'y'])
})

test('no depth, number, length or spelling hides a path', () => {
  const deep = Array.from({ length: 50 }).reduce<unknown>((inner) => ({ a: inner }), '/etc/passwd')
  expect(pathsIn(deep)).toEqual(['/etc/passwd'])
  expect(pathsIn([...Array.from({ length: 5_000 }, (_, n) => n), '/etc/passwd'])).toEqual(['/etc/passwd'])
  const long = `${'/.'.repeat(5_000)}/etc/passwd`
  const spelled = ['//etc/passwd', 'notes/../../up', 'a/..', long]
  expect(pathsIn({ any: spelled })).toEqual(spelled)
  expect(pathsIn({ any: 'file:/etc/passwd', '/etc/shadow': 1 })).toEqual(['/etc/passwd', '/etc/shadow'])
  expect(pathsIn({ FILE_PATH: 'a', path: 'b\nc', profile: 'd', any: '// a comment', other: 'and so on ...' })).toEqual([
    'a',
    'b\nc',
  ])
})

test('a variable that is no variable has no value', () => {
  expect(expandServer({ command: '${constructor}' }, {})).toEqual({ missing: ['constructor'] })
})

test('the pause before an attempt doubles up to half a minute', () => {
  expect([1, 2, 3, 5, 6, 99].map(reconnectDelay)).toEqual([1_000, 2_000, 4_000, 16_000, 30_000, 30_000])
})

test('a form is asked field by field', () => {
  const [name, many, sure] = fieldsOf({
    properties: {
      name: { type: 'string', title: 'Name', default: 'Ann' },
      many: { type: 'integer' },
      sure: { type: 'boolean' },
    },
    required: ['name'],
  })
  expect(name).toMatchObject({ title: 'name: Name', hint: 'string, usually "Ann"' })
  expect(sure?.options).toEqual(['true', 'false'])
  expect([
    name && readField(name, ''),
    many && readField(many, '3'),
    many && readField(many, 'x'),
    sure && readField(sure, 'Yes'),
  ]).toEqual(['Ann', 3, undefined, true])
})

test('a form that asks for a secret says what becomes of it', () => {
  const [key, name] = fieldsOf({
    properties: { k: { type: 'string', title: 'Your API key' }, name: { type: 'string' } },
  })
  expect(key?.hint).toContain('give no secret here')
  expect(name?.hint).toBe('string, may be empty')
})

test('a question to a model is taken as text', () => {
  const asked = {
    messages: [{ role: 'user', content: [{ type: 'text', text: 'a' }, { type: 'image' }] }],
    maxTokens: 1e9,
  }
  expect(samplingText(asked)).toEqual({
    system: '',
    turns: [{ role: 'user', text: 'a\n[a part that is no text]' }],
    max_tokens: 4_096,
  })
  expect(samplingText({}).turns).toEqual([])
})

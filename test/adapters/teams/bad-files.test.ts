import { chmodSync, mkdirSync } from 'node:fs'
import { getuid } from 'node:process'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openWorkbench, teamText, told, type Workbench } from './workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = openWorkbench()
})
afterEach(() => bench.remove())

/** Content of team.yaml, and every diagnostic it must give. */
const bad: readonly (readonly [name: string, content: string | Uint8Array, diagnostics: readonly string[]])[] = [
  ['unknown key', teamText().replace('model:', 'modle:'), ['2:1 unknown_key unknown key "modle"']],
  [
    'wrong type',
    teamText('prompt: x\n    description: y\n    max_turns: "4"'),
    ['8:16 wrong_type workers.writer.max_turns must be a number, not text'],
  ],
  [
    'mail that cannot be kept so',
    `${teamText()}mail: { max_unred: 5, max_unread: 0, durability: disk, archive: { age: week } }\n`,
    [
      '8:35 invalid_value mail.max_unread must be at least 1',
      'durability',
      'mail.archive.age',
      '8:9 unknown_key unknown key "max_unred" in mail',
    ],
  ],
  [
    'work that cannot be checked so',
    teamText('prompt: x\n    description: y\n    verify: { comand: make, attempts: 0, timeout: soon }'),
    [
      '8:5 missing_key workers.writer.verify.command is required',
      '8:39 invalid_value workers.writer.verify.attempts must be at least 1',
      'workers.writer.verify.timeout',
      '8:15 unknown_key unknown key "comand" in workers.writer.verify',
    ],
  ],
  [
    'middleware that is not there',
    `${teamText()}middleware: [{ dedup_tool: { tools: [Grep] } }, { short_tail: { kep: 3, keep: 1 } }]\n`,
    ['8:16 unknown_key unknown key "dedup_tool" in middleware[0]', '8:65 unknown_key unknown key "kep"'],
  ],
  [
    'middleware without a name',
    `${teamText()}middleware: [{ dedup_tools: { tools: [Grep] } }, {}]\n`,
    ['8:50 invalid_value middleware[1] must be one middleware: a map with one key'],
  ],
  [
    'no workers',
    'name: a\nmodel: scripted/a\ncoordinator: {}\nworkers: {}\n',
    ['4:10 invalid_value workers must name at least one worker'],
  ],
  ['workers left out', 'name: a\nmodel: scripted/a\ncoordinator: {}\n', ['1:1 missing_key workers is required']],
  [
    'workers as a list',
    'name: a\ncoordinator: {}\nworkers:\n  - x\n',
    ['4:3 wrong_type workers must be a map, not a list'],
  ],
  [
    'an empty worker',
    'name: a\ncoordinator: {}\nworkers:\n  x:\n',
    ['4:5 wrong_type workers.x must be a map, not empty'],
  ],
  [
    'lead and worker of one name',
    `${teamText()}  lead: { prompt: p, description: d }\n`,
    ['8:3 duplicate_name the name "lead" is already taken by the coordinator'],
  ],
  [
    'a worker with the name of the leader',
    `${teamText()}  team: { prompt: p, description: d }\n`,
    ['8:3 reserved_name the name "team" is taken: team, all, user stand for others than members'],
  ],
  [
    'two workers of one name',
    `${teamText()}  writer: { prompt: p, description: d }\n`,
    ['8:3 duplicate_key Map keys must be unique; line 5 has it, too'],
  ],
  [
    'replicas that meet a name',
    `${teamText()}  a: { prompt: p, description: d, replicas: 2 }\n  a-2: { prompt: p, description: d }\n`,
    ['9:3 duplicate_name the name "a-2" is already taken by worker "a"'],
  ],
  ['tabs', 'name: a\nworkers:\n\tx: {}\n', ['3:1 tab_indentation Tabs are not allowed as indentation']],
  ['empty', '', ['1:1 empty_file the file is empty']],
  ['only a comment', '# nothing\n', ['1:1 empty_file the file is empty']],
  [
    'over 1 MiB',
    `# ${'x'.repeat(1024 * 1024)}\n`,
    ['1:1 too_large the file has 1048579 bytes; at most 1048576 (1 MiB) are read'],
  ],
  ['not YAML', 'name: [a\ncoordinator: }{\n', ['2:1 yaml_syntax', '2:14 yaml_syntax', '2:15 yaml_syntax']],
  ['plain text', 'Dear team, please do it.\n', ['1:1 wrong_type the file must be a map, not text']],
  ['not UTF-8', new Uint8Array([0x6e, 0x3a, 0xff, 0xfe]), ['1:1 not_utf8 the file is not UTF-8 text']],
  [
    'two documents',
    `${teamText()}---\nname: b\n`,
    ['8:1 multiple_documents one file holds one document; a second one begins here'],
  ],
  ['an unknown alias', teamText('prompt: *nobody'), ['6:13 yaml_syntax Unresolved alias']],
  ['nesting without end', `name: ${'['.repeat(20_000)}`, ['too_deep']],
  [
    'aliases that grow',
    `a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [${'*a,'.repeat(10)}]\nc: &c [${'*b,'.repeat(10)}]\nd: [${'*c,'.repeat(10)}]\n`,
    ['2:8 alias_bomb'],
  ],
  [
    'a card that is absent',
    teamText('from: cards/no.md'),
    ['6:11 from_not_found from: cards/no.md: there is no such file'],
  ],
  ['a card of another kind', teamText('from: team.txt'), ['6:11 from_not_found']],
  ['from: itself', teamText('from: team.yaml'), ['6:11 from_cycle from: leads in a circle: team.yaml → team.yaml']],
  [
    'a word that is nearly right',
    teamText('prompt: x\n    description: y\n    restart: on-crsh'),
    ['8:14 invalid_value workers.writer.restart must be one of never, on-crash, always, not "on-crsh"'],
  ],
  [
    'a wait that is neither',
    teamText().replace('{}', '{ gather: { wait: { quorum: 0 } } }'),
    ['3:42 invalid_value coordinator.gather.wait.quorum must be more than 0'],
  ],
  [
    'a wait of another kind',
    teamText().replace('{}', '{ gather: { wait: some } }'),
    ['3:32 invalid_value coordinator.gather.wait must be one of all, any, progressive, {quorum: …}, not "some"'],
  ],
  [
    'nobody knows what it is for',
    teamText('tools: []'),
    ['5:3 missing_prompt worker "writer" has neither a prompt nor a description'],
  ],
]

test.for(bad)('%s', async ([, content, expected]) => {
  bench.write('team.yaml', content)
  const { diagnostics } = await bench.read()
  const found = diagnostics.map((diagnostic) => told(diagnostic).slice('team.yaml:'.length))
  expect(found).toHaveLength(expected.length)
  for (const [index, text] of expected.entries()) expect(found[index]).toContain(text)
})

describe('files that cannot be read', () => {
  test('absent', async () => {
    expect((await bench.read()).diagnostics.map(told)).toEqual(['team.yaml:1:1 not_found there is no such file'])
  })

  test('a directory', async () => {
    mkdirSync(join(bench.dir, 'team.yaml'))
    expect((await bench.read()).diagnostics.map(told)).toEqual([
      'team.yaml:1:1 is_directory this is a directory, not a file',
    ])
  })

  test.skipIf(getuid?.() === 0)('without permission', async () => {
    bench.write('team.yaml', teamText())
    chmodSync(join(bench.dir, 'team.yaml'), 0o000)
    expect((await bench.read()).diagnostics.map(told)).toEqual([
      'team.yaml:1:1 unreadable the file may not be read (permission denied)',
    ])
  })
})

test('cards that lead in a circle are named in order', async () => {
  bench.write('team.yaml', teamText('from: cards/a.yaml'))
  bench.write('cards/a.yaml', 'from: b.yaml\n')
  bench.write('cards/b.yaml', 'prompt: x\nfrom: a.yaml\n')
  expect((await bench.read()).diagnostics.map(told)).toEqual([
    'cards/b.yaml:2:7 from_cycle from: leads in a circle: a.yaml → b.yaml → a.yaml',
  ])
})

test('all mistakes come at once: form, schema, cards and names', async () => {
  bench.write(
    'team.yaml',
    `name: Bad Name
modle: x/y
budget: 5
coordinator:
  name: writer
  gather: { timeout: 10 minutes }
  nmae: twice
workers:
  writer: { descripton: d, prompt: p, from: nowhere.md }
  reader: { prompt: p, description: d, from: card.yaml }
permissions: {}
permissions: {}
`,
  )
  bench.write('card.yaml', 'prompt: p\ntols: [Read]\n')
  const { diagnostics } = await bench.read()
  const places = diagnostics.map(({ file, line, column, code }) => `${file}:${line}:${column} ${code}`)
  expect(places.toSorted()).toEqual([
    'card.yaml:2:1 unknown_key',
    'team.yaml:12:1 duplicate_key',
    'team.yaml:1:7 invalid_value',
    'team.yaml:2:1 unknown_key',
    'team.yaml:3:9 wrong_type',
    'team.yaml:6:22 invalid_value',
    'team.yaml:7:3 unknown_key',
    'team.yaml:9:13 unknown_key',
    'team.yaml:9:3 duplicate_name',
    'team.yaml:9:45 from_not_found',
  ])
})

test('a key that is right one level below is said to stand there', async () => {
  bench.write('team.yaml', `${teamText()}mode: plan\n`)
  const { diagnostics } = await bench.read()
  expect(diagnostics.map(({ hint }) => hint)).toEqual(['did you mean "permissions: { mode: … }"?'])
})

test('hints name the key or word that was probably meant, or all that are allowed', async () => {
  bench.write('team.yaml', `${teamText('promt: x\n    description: y\n    isolation: wroktree')}zzz: 1\n`)
  const { diagnostics } = await bench.read()
  expect(diagnostics.map(({ hint }) => hint)).toEqual([
    'did you mean "worktree"?',
    'did you mean "prompt"?',
    'allowed here: name, description, model, prompt, append_prompt, fallback, effort, thinking, memory, max_output, temperature, top_p, stop, service_tier, metadata, betas, server_tools, cache, tool_limits, turn_output, stuck, middleware, defer_tools, always_load, api, persistent, providers, retries, fallback_after, fallback_on_refusal, timeouts, budget, limits, partition, clarify, scope, permissions, hooks, safety, tasks, http_tools, mcp_servers, mail, retention, supervision, coordinator, workers',
  ])
})

import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fc } from '@fast-check/vitest'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readTeam } from '../../../src/adapters/teams/read-team.ts'
import { canonicalJson, teamHash } from '../../../src/adapters/teams/team-hash.ts'
import { resolvedTeamSchema, type ResolvedTeam } from '../../../src/protocol/team/team-card.ts'
import { openWorkbench, teamText, told, type Workbench } from './workbench.ts'

let bench: Workbench
beforeEach(() => {
  bench = openWorkbench()
})
afterEach(() => bench.remove())

async function resolved(text: string): Promise<ResolvedTeam> {
  bench.write('team.yaml', text)
  const { team: read, diagnostics } = await bench.read()
  expect(diagnostics.map(told)).toEqual([])
  if (!read) throw new Error('no team')
  const team = { ...read, hash: teamHash(read) }
  expect(resolvedTeamSchema.parse(team)).toEqual(team)
  return team
}

test('defaults are filled in', async () => {
  const { hash, file, ...team } = await resolved(teamText())
  expect(hash).toMatch(/^[0-9a-f]{64}$/)
  expect(file).toBe(join(bench.dir, 'team.yaml'))
  const common = { tools: [], model: 'scripted/a.yaml', permissions: {}, budget: {}, max_turns: 40 }
  const life = { executor: 'in-process', isolation: 'none', restart: 'on-crash' }
  expect(team).toEqual({
    name: 'small',
    description: '',
    budget: {},
    partition: 'enforced',
    scope: [],
    permissions: {},
    gather: { wait: 'all', timeout_ms: 600_000, retry: 1, then: 'continue' },
    mail: { max_unread: 10_000, durability: 'process', archive: { count: 1_000, age_ms: 604_800_000 } },
    coordinator: 'lead',
    members: [
      { name: 'lead', role: 'coordinator', card: 'lead', description: '', prompt: '', ...common, ...life },
      {
        name: 'writer',
        role: 'worker',
        card: 'writer',
        description: 'Writes.',
        prompt: 'You write.',
        ...common,
        ...life,
      },
    ],
  })
})

test('what the file says is kept', async () => {
  const team = await resolved(`
name: full
description: All of it.
model: anthropic/one
budget: { usd: 5, turns: 300, minutes: 30, agents: 8 }
partition: relaxed
scope: [src, docs]
mail: { max_unread: 50, durability: power, archive: { count: 10, age: 2h } }
permissions: { mode: plan, allow: [Read], ask: [Edit], deny: ["Bash(git push:*)"] }
coordinator:
  name: chief
  prompt: You lead.
  tools: [Read]
  model: openai/two
  gather: { wait: { quorum: 2 }, timeout: 90s, on_failure: { retry: 0, then: fail } }
workers:
  reader:
    description: Reads.
    prompt: You read.
    tools: [Read, Grep]
    permissions: { deny: [Bash] }
    budget: { turns: 3 }
    executor: tmux
    isolation: worktree
    restart: never
    max_turns: 7
    replicas: 3
`)
  expect(team).toMatchObject({
    budget: { usd: 5, turns: 300, minutes: 30, agents: 8 },
    partition: 'relaxed',
    scope: ['src', 'docs'],
    gather: { wait: { quorum: 2 }, timeout_ms: 90_000, retry: 0, then: 'fail' },
    mail: { max_unread: 50, durability: 'power', archive: { count: 10, age_ms: 7_200_000 } },
    coordinator: 'chief',
  })
  expect(team.members.map(({ name, card, model }) => `${name} ${card} ${model}`)).toEqual([
    'chief chief openai/two',
    'reader-1 reader anthropic/one',
    'reader-2 reader anthropic/one',
    'reader-3 reader anthropic/one',
  ])
  expect(team.members[3]).toMatchObject({
    permissions: { deny: ['Bash'] },
    budget: { turns: 3 },
    executor: 'tmux',
    isolation: 'worktree',
    restart: 'never',
    max_turns: 7,
  })
})

describe('from:', () => {
  const card =
    '---\nname: other\ndescription: From the card.\ntools: Read, Bash(git log:*, git show:*), Grep\nmodel: opus\ncolor: red\n---\n\nYou are\nthe card.\n\n'

  test('a subagent card gives what the team file does not say', async () => {
    bench.write('cards/writer.md', card)
    const { members } = await resolved(teamText('from: cards/writer.md\n    description: From the team.'))
    expect(members[1]).toMatchObject({
      name: 'writer',
      description: 'From the team.',
      prompt: 'You are\nthe card.',
      tools: ['Read', 'Bash(git log:*, git show:*)', 'Grep'],
      model: 'scripted/a.yaml',
    })
  })

  test('its tools may be a list, its model counts as provider/model, its lines may end as on Windows', async () => {
    bench.write(
      'w.md',
      '---\ndescription: d\ntools:\n  - Read\n  - Grep\nmodel: anthropic/x\n---\nYou write.\n'.replaceAll('\n', '\r\n'),
    )
    const { members } = await resolved(teamText('from: w.md'))
    expect(members[1]).toMatchObject({ tools: ['Read', 'Grep'], model: 'anthropic/x', prompt: 'You write.' })
  })

  test('worker cards build on one another, the nearest wins', async () => {
    bench.write('team.yaml', teamText('from: cards/a.yaml\n    max_turns: 3'))
    bench.write('cards/a.yaml', 'from: deeper/b.yml\ntools: [Read]\nmax_turns: 5\nrestart: never\n')
    bench.write('cards/deeper/b.yml', 'from: ../c.md\nrestart: always\ntools: [Write]\n')
    bench.write('cards/c.md', card)
    const { team, diagnostics } = await bench.read()
    expect(diagnostics).toEqual([])
    expect(team?.members[1]).toMatchObject({
      max_turns: 3,
      restart: 'never',
      tools: ['Read'],
      description: 'From the card.',
      prompt: 'You are\nthe card.',
    })
  })

  test('two workers may share a card, and a link is no circle', async () => {
    bench.write('c.md', card)
    symlinkSync('c.md', join(bench.dir, 'link.md'))
    const { members } = await resolved(`${teamText('from: c.md')}  second: { from: link.md }\n`)
    expect(members.map(({ description }) => description)).toEqual(['', 'From the card.', 'From the card.'])
  })

  test('a coordinator may take a card, but nothing that only a worker has', async () => {
    bench.write('c.yaml', 'prompt: You lead.\nreplicas: 3\n')
    bench.write('team.yaml', teamText().replace('{}', '{ from: c.yaml }'))
    expect((await bench.read()).diagnostics.map(told)).toEqual([
      `team.yaml:3:22 unknown_key the coordinator's card sets replicas, which only a worker has`,
    ])
  })

  test('a card without tools gives none, and says so', async () => {
    bench.write('c.md', '---\ndescription: d\n---\nYou write.\n')
    bench.write('team.yaml', teamText('from: c.md'))
    const { team, diagnostics } = await bench.read()
    expect(team?.members[1]?.tools).toEqual([])
    expect(diagnostics.map(told)).toEqual([
      'team.yaml:6:11 no_tools worker "writer" has no tools: its card names none, and none are implied',
    ])
  })

  test.for([
    ['no frontmatter', 'You are.\n', 'c.md:1:1 no_frontmatter a subagent card begins with "---"'],
    ['an open frontmatter', '---\nname: x\n', 'c.md:1:1 no_frontmatter the frontmatter is not closed'],
    [
      'frontmatter that is no YAML',
      '---\nname: x\ntools: Read: always\n---\nP\n',
      'c.md:3:8 yaml_syntax Nested mappings',
    ],
    ['a wrong type', '---\nname: x\ntools: 3\n---\nP\n', 'c.md:3:8 wrong_type tools must be'],
  ] as const)('%s is a mistake in the card', async ([, text, expected]) => {
    bench.write('c.md', text)
    bench.write('team.yaml', teamText('from: c.md'))
    const { diagnostics } = await bench.read()
    expect(diagnostics).toHaveLength(1)
    expect(diagnostics.map(told)[0]).toContain(expected)
  })
})

describe('the model', () => {
  test('without one the team is still resolved, and a warning says how to give one', async () => {
    bench.write('team.yaml', teamText().replace('model: scripted/a.yaml\n', ''))
    const { team, diagnostics } = await bench.read()
    expect(team?.members.map(({ model }) => model)).toEqual(['', ''])
    expect(diagnostics).toMatchObject([{ severity: 'warning', code: 'no_model', line: 1, column: 1 }])
    expect(diagnostics[0]?.hint).toMatch(/--model.*TROUPE_MODEL/)
  })

  test('members that lack one are named', async () => {
    bench.write(
      'team.yaml',
      teamText('prompt: p\n    description: d\n    model: a/b').replace('model: scripted/a.yaml\n', ''),
    )
    expect((await bench.read()).diagnostics.map(told)).toEqual(['team.yaml:1:1 no_model no model is set for lead'])
  })

  test('a wish replaces every model', async () => {
    bench.write('team.yaml', teamText('prompt: p\n    description: d\n    model: a/b'))
    const { team } = await readTeam('team.yaml', { cwd: bench.dir, named: () => ({ model: 'x/y' }) })
    expect(team?.members.map(({ model }) => model)).toEqual(['x/y', 'x/y'])
  })
})

describe('the hash', () => {
  test('is the same for the same team, however it is written and wherever it lies', async () => {
    const one = await resolved('name: t\nmodel: a/b\ncoordinator: {}\nworkers: { w: { prompt: p, description: d } }\n')
    bench.write(
      'elsewhere/other.yaml',
      'workers:\n  w:\n    description: d\n    prompt: "p"\nmodel: a/b\ncoordinator: { name: lead }\nname: t\n',
    )
    const { team: other } = await bench.read('elsewhere/other.yaml')
    expect(other && teamHash(other)).toBe(one.hash)
  })

  test('changes with any card, inlined ones too', async () => {
    bench.write('c.md', '---\ndescription: d\ntools: Read\n---\none\n')
    const one = await resolved(teamText('from: c.md'))
    bench.write('c.md', '---\ndescription: d\ntools: Read\n---\ntwo\n')
    const two = await resolved(teamText('from: c.md'))
    expect(two.hash).not.toBe(one.hash)
  })

  test('canonical JSON is JSON and survives a round trip', () => {
    const survives = fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value)
      expect(canonicalJson(JSON.parse(text))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    })
    fc.assert(survives)
  })
})

test('supervision is completed where the team speaks of it', async () => {
  const { supervision } = await resolved(`${teamText()}\nsupervision: { restarts: 0, silence: 30s }\n`)
  expect(supervision).toEqual({ restarts: 0, within_ms: 60_000, silence_ms: 30_000 })
})

import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { judgeLines } from '../../../src/runtime/permissions/judge-stream.ts'
import { trustQuestion, trustWorkspace } from '../../../src/runtime/settings/workspace-trust.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { addRule, explainCall, explainCallOf, listRules } from '../../../src/runtime/permissions/permission-report.ts'

let base = ''
const place = () => ({ cwd: join(base, 'shop'), home: join(base, 'home'), policyRoot: join(base, 'policy') })

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'troupe-report-'))
  for (const dir of ['shop/.troupe', 'shop/src', 'home/.troupe', 'policy', 'outside'])
    mkdirSync(join(base, dir), { recursive: true })
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function settings(path: string, permissions: unknown): void {
  writeFileSync(join(base, path), JSON.stringify({ permissions }, null, 2))
}

describe('explainCall', () => {
  test('walks every rule of all six sources and names file and line of the one that decided', async () => {
    settings('home/.troupe/settings.json', { ask: ['Bash(git push:*)'], deny: ['Read(.env)'] })
    settings('policy/policy.json', { deny: ['Bash(rm *)'] })
    const { decision, deny, ask, needs } = await explainCall('Bash(git push origin)', place())
    expect(decision).toMatchObject({
      behavior: 'ask',
      source: 'user',
      rule: 'Bash(git push:*)',
      at: '~/.troupe/settings.json:4',
    })
    expect(deny.map(({ source }) => source)).toEqual(['policy', 'project', 'local', 'user', 'cliArg', 'session'])
    expect(deny.flatMap(({ rules }) => rules.map(({ rule, matches, why }) => [rule, matches, why]))).toEqual([
      ['Bash(rm *)', false, 'covers none of: git push origin'],
      ['Read(.env)', false, expect.stringContaining('does not cover')],
    ])
    expect(ask.flatMap(({ rules }) => rules.map(({ matches, why }) => [matches, why]))).toEqual([
      [true, 'matches git push origin'],
    ])
    expect(needs).toEqual([{ what: 'running git push origin', granted: false }])
  })

  test('follows links as a real call does, and says what is no call', async () => {
    symlinkSync(join(base, 'outside'), join(base, 'shop/link'))
    expect((await explainCall('Read(link/a.txt)', place())).decision.behavior).toBe('ask')
    expect((await explainCall('Read(src/a.txt)', place())).decision.behavior).toBe('allow')
    await expect(explainCall('git push', place())).rejects.toThrow('is no call')
    await expect(explainCall('mcp__db__get(x)', place())).rejects.toThrow('has to be JSON')
    await expect(explainCall('Bsah(ls)', place())).rejects.toThrow('did you mean Bash?')
  })
})

test('a settings file that cannot be used is named beside the rules in force', async () => {
  settings('home/.troupe/settings.json', { alow: ['Bash(ls)'] })
  const broken = [expect.objectContaining({ code: 'unknown_key', line: 3 })]
  expect((await listRules(place())).problems).toEqual(broken)
  expect((await explainCallOf('Bash(ls)', place())).problems).toEqual(broken)
})

describe('as a member of a team', () => {
  const teamText = `name: ship
model: scripted/none
permissions:
  deny: ["Bash(git push:*)"]
coordinator: { prompt: You lead. }
workers:
  fixer:
    description: Fixes.
    prompt: You fix.
    tools: [Bash, Edit]
    permissions:
      allow: ["Bash(make:*)"]
  reader:
    description: Reads.
    prompt: You read.
    tools: [Read]
    advisor: scripted/none
    permissions:
      scope: [src]
`
  const asMember = async (member?: string) => {
    writeFileSync(join(base, 'shop/ship.yaml'), teamText)
    return { ...place(), team: await loadTeam(join(base, 'shop/ship.yaml'), { cwd: join(base, 'shop') }), member }
  }

  test('its rules and scope count beside the settings, with their places', async () => {
    const fixer = await asMember('fixer')
    expect((await explainCallOf('Bash(git push)', fixer)).decision).toMatchObject({
      behavior: 'deny',
      rule: 'Bash(git push:*)',
      at: 'ship.yaml:4',
    })
    expect((await explainCallOf('Read(README.md)', fixer)).decision.behavior).toBe('allow')
    const reader = await asMember('reader')
    expect((await explainCallOf('Read(README.md)', reader)).decision).toMatchObject({
      behavior: 'deny',
      source: 'bounds',
    })
    expect((await explainCallOf('Bash(git push)', await asMember())).decision.behavior).toBe('deny')
  })

  test('a call of a tool that the member does not have is said to be none', async () => {
    const [fixer, lead] = [await asMember('fixer'), await asMember()]
    const never = async (call: string, who: typeof fixer) => (await explainCallOf(call, who)).never
    expect(await never('Write(a.txt)', fixer)).toBe('fixer has no tool Write; its tools: Bash, Edit')
    expect(await never('mcp__fs__read', lead)).toBe('lead has no tool mcp__fs__read; its tools: none')
    for (const call of ['Bash(make)', 'SendMessage', 'Report', 'Wait']) expect(await never(call, fixer)).toBeUndefined()
    expect(await never('Delegate', lead)).toBeUndefined()
    expect(await never('Advisor', await asMember('reader'))).toBeUndefined()
    expect(await never('Advisor', fixer)).toMatch('fixer has no tool Advisor')
    expect((await explainCallOf('Write(a.txt)', place())).never).toBeUndefined()
  })

  test('a rule that nobody trusted is named, and counts once it is trusted', async () => {
    const fixer = await asMember('fixer')
    const before = await explainCallOf('Bash(make all)', fixer)
    expect([before.decision.behavior, before.untrusted]).toEqual([
      'ask',
      [{ kind: 'allow', text: 'Bash(make:*)', at: 'ship.yaml:12' }],
    ])
    trustWorkspace(fixer.home, await trustQuestion(fixer, fixer.team))
    const after = await explainCallOf('Bash(make all)', fixer)
    expect([after.decision.behavior, after.untrusted]).toEqual(['allow', []])
    expect((await listRules(fixer)).rules).toContainEqual(
      expect.objectContaining({ list: 'allow', rule: 'Bash(make:*)', at: 'ship.yaml:12' }),
    )
  })

  test('lines on stdin are judged so, too; a member that is not there is an error', async () => {
    let answer = ''
    const lines = (async function* () {
      yield '{"tool":"Bash","input":{"command":"git push"}}\n'
    })()
    await judgeLines(lines, await asMember('fixer'), async (text) => void (answer += text))
    expect(answer).toContain('"rule":"Bash(git push:*)"')
    await expect(explainCallOf('Bash(ls)', await asMember('fixr'))).rejects.toThrow(
      'fixr is no member of ship; did you mean fixer?',
    )
  })
})

describe('addRule', () => {
  test('keeps what else the file holds and warns of a rule that comes first', async () => {
    writeFileSync(
      join(base, 'shop/.troupe/settings.local.json'),
      '{"sandbox":{"enabled":false},"permissions":{"ask":["Read(x)"]}}',
    )
    settings('home/.troupe/settings.json', { deny: ['Bash(npm:*)'] })
    const { path, added, warnings } = await addRule(
      { rule: 'Bash(npm test:*)', list: 'allow', target: 'local' },
      place(),
    )
    expect(added).toBe(true)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      sandbox: { enabled: false },
      permissions: { ask: ['Read(x)'], allow: ['Bash(npm test:*)'] },
    })
    expect(warnings).toEqual([
      'Bash(npm test:*) never applies: Bash(npm:*) (deny, user, ~/.troupe/settings.json:4) comes first',
    ])
    const { rules } = await listRules(place())
    expect(rules.map(({ list, source, rule }) => [list, source, rule])).toEqual([
      ['deny', 'user', 'Bash(npm:*)'],
      ['ask', 'local', 'Read(x)'],
      ['allow', 'local', 'Bash(npm test:*)'],
    ])
  })

  test('refuses what is no rule and writes nothing', async () => {
    await expect(addRule({ rule: 'Bash(', list: 'deny', target: 'user' }, place())).rejects.toThrow('is not a rule')
    expect((await listRules(place())).rules).toEqual([])
  })
})

describe('judgeLines', () => {
  const judged = async (pieces: readonly string[]) => {
    let text = ''
    const { mistakes } = await judgeLines(given(pieces), place(), async (more) => void (text += more))
    return {
      mistakes,
      answers: text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    }
  }

  async function* given(pieces: readonly string[]) {
    yield* pieces
  }

  test('answers line for line, wherever the pieces break', async () => {
    settings('home/.troupe/settings.json', { deny: ['Bash(rm *)'] })
    const lines = [
      { tool: 'Bash', input: { command: 'rm x' } },
      { tool: 'Bash', input: { command: 'rm x' }, rules: { cliArg: { allow: ['Bash(rm x)'] } } },
      { tool: 'Bash', input: { command: 'npm test' }, mode: 'dontAsk' },
      { tool: 'Read', input: { file_path: 'a' }, cwd: '/somewhere/else' },
    ]
    const text = `${lines.map((line) => JSON.stringify(line)).join('\n')}\nnot json\n{"tool":"Bash","rules":{"who":{}}}`
    const { answers, mistakes } = await judged(text.match(/[^]{1,7}/g) ?? [])
    expect(answers.map(({ behavior, source, rule }) => [behavior, source, rule])).toEqual([
      ['deny', 'user', 'Bash(rm *)'],
      ['allow', 'cliArg', 'Bash(rm x)'],
      ['deny', 'nobody', null],
      ['allow', 'mode', null],
      ['deny', 'nobody', null],
      ['deny', 'nobody', null],
    ])
    expect(mistakes).toBe(2)
    expect(answers[0]).toEqual({
      behavior: 'deny',
      source: 'user',
      rule: 'Bash(rm *)',
      reason: 'Bash(rm *) matches rm x',
      path: null,
      at: '~/.troupe/settings.json:4',
    })
  })

  test('follows links on the disk', async () => {
    symlinkSync(join(base, 'outside'), join(base, 'shop/link'))
    const { answers } = await judged([
      '{"tool":"Read","input":{"file_path":"link/a"}}\n{"tool":"Read","input":{"file_path":"src/a"}}\n',
    ])
    expect(answers.map(({ behavior }) => behavior)).toEqual(['ask', 'allow'])
  })
})

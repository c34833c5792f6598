import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { Approver } from '../../../src/protocol/port.ts'
import { replayCalls } from '../../../src/runtime/permissions/replay-calls.ts'
import { usageReport } from '../../../src/runtime/permissions/usage-report.ts'
import { play } from '../support/stage.ts'

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] })

/** A run in which a person was asked four times and said no to what removes. */
async function played(attended = true) {
  const approver: Approver = {
    answer: ({ call }) => {
      const denied = JSON.stringify(call.input).includes('rm ')
      return Promise.resolve({ behavior: denied ? 'deny' : 'allow', source: 'human', reason: 'so', scope: 'once' })
    },
  }
  const team = {
    name: 'duo',
    permissions: { deny: ['Bash(sudo:*)', 'Bash(never:*)'], ask: ['Bash(mkdir:*)'] },
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', prompt: 'You work.', tools: ['Bash'] } },
  }
  const commands = ['npm test --a', 'npm test --b', 'mkdir made', 'rm made', 'sudo ls', 'ls']
  const script = {
    lead: {
      steps: [
        { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Do.' }] } }] },
        { say: 'Done.' },
      ],
    },
    ana: { steps: [...commands.map(bash), { say: 'Done.' }] },
  }
  const { cwd, run, result } = await play(team, script, attended ? { approver } : {})
  expect(await result).toMatchObject({ status: 'completed' })
  return { dir: run.dir, cwd, home: join(cwd, 'home'), policyRoot: '/nowhere' }
}

test('a report says what was asked by which rule, what never matched, and what would have spared most', async () => {
  const { dir, ...place } = await played()
  const report = await usageReport([dir], { ...place, since: 0 })
  expect(report).toMatchObject({
    calls: 7,
    asked: [
      { rule: null, source: 'mode', count: 3, allowed: 2, denied: 1, example: 'Bash(npm test --a)' },
      { rule: 'Bash(mkdir:*)', source: 'project', count: 1, allowed: 1, denied: 0 },
    ],
    unmatched: [{ list: 'deny', rule: 'Bash(never:*)' }],
    proposals: [{ rules: ['Bash(npm test:*)'], spares: 2 }],
  })
  expect(await usageReport([dir], { ...place, since: Date.now() + 60_000 })).toMatchObject({ calls: 0, proposals: [] })
  const file = join(place.cwd, '.troupe', 'settings.local.json')
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, '{ "permissions": { "allow": ["Bash(make:*)"] } }\n')
  const { change } = await usageReport([dir], { ...place, since: 0 })
  expect(JSON.parse(change?.after ?? '')).toEqual({ permissions: { allow: ['Bash(make:*)', 'Bash(npm test:*)'] } })
})

test('questions that nobody was there for are no denials, and are spared as well', async () => {
  const { dir, ...place } = await played(false)
  const { asked, proposals } = await usageReport([dir], { ...place, since: 0 })
  expect(asked.map(({ count, denied, unanswered }) => [count, denied, unanswered])).toEqual([
    [3, 0, 3],
    [1, 0, 1],
  ])
  expect(proposals).toMatchObject([{ rules: ['Bash(npm test:*)'], spares: 2 }, { spares: 1 }])
})

test('a rehearsal names the calls that other rules would decide otherwise', async () => {
  const { dir, cwd, ...place } = await played()
  const file = join(cwd, 'other.json')
  writeFileSync(file, JSON.stringify({ permissions: { allow: ['Bash(npm test:*)'], deny: ['Bash(ls:*)'] } }))
  const { calls, counts, changed } = await replayCalls(dir, file, place)
  expect([calls, counts]).toEqual([7, { 'ask → allow': 2, 'allow → deny': 1 }])
  expect(changed.map(({ member, call, rule }) => [member, call, rule])).toEqual([
    ['ana', 'Bash(npm test --a)', 'Bash(npm test:*)'],
    ['ana', 'Bash(npm test --b)', 'Bash(npm test:*)'],
    ['ana', 'Bash(ls)', 'Bash(ls:*)'],
  ])
  writeFileSync(file, '{}')
  expect(await replayCalls(dir, file, place)).toMatchObject({ calls: 7, changed: [] })
  writeFileSync(file, '{"permissions": {"alow": []}}')
  await expect(replayCalls(dir, file, place)).rejects.toThrow('alow')
  await expect(replayCalls(dir, join(cwd, 'none.json'), place)).rejects.toThrow('there is no file')
})

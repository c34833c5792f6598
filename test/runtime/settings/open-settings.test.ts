import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { trustQuestion, trustWorkspace } from '../../../src/runtime/settings/workspace-trust.ts'
import {
  openSettings,
  type LiveSettings,
  type OpenSettingsOptions,
  type SettingsChange,
} from '../../../src/runtime/settings/open-settings.ts'
import { policyHash } from '../../../src/runtime/settings/policy-hash.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { play } from '../support/stage.ts'
import { settingsPaths, workspace, type Workspace } from './support/workspace.ts'

const deny = (...rules: string[]) => ({ permissions: { deny: rules } })
const allow = (...rules: string[]) => ({ permissions: { allow: rules } })

interface Followed {
  readonly live: LiveSettings
  /** The next change that is told. */
  next(): Promise<SettingsChange>
}

async function followed(place: Workspace, options: Partial<OpenSettingsOptions> = {}): Promise<Followed> {
  const live = await openSettings({ ...place, ...options })
  onTestFinished(() => live.close())
  const told: SettingsChange[] = []
  let wake: (() => void) | undefined
  live.subscribe((change) => {
    told.push(change)
    wake?.()
  })
  await live.ready()
  return {
    live,
    async next() {
      if (told.length === 0) await new Promise<void>((resolve) => (wake = resolve))
      return told.shift() ?? expect.fail('nothing was told')
    },
  }
}

test('rules that are written, changed and removed hold at once', async () => {
  const place = workspace()
  const { live, next } = await followed(place)
  const path = place.write(settingsPaths.user, deny('Bash(a)'))
  expect(await next()).toEqual({ files: ['~/.troupe/settings.json'], problems: [] })
  expect(live.current().rules.user?.deny).toEqual(['Bash(a)'])
  place.write(settingsPaths.user, deny('Bash(a)', 'Bash(b)'))
  await next()
  expect(live.current().rules.user?.deny).toEqual(['Bash(a)', 'Bash(b)'])
  rmSync(path)
  await next()
  expect(live.current().rules.user).toBeUndefined()
})

test('a file of the managed policy that comes later holds, too', async () => {
  const place = workspace()
  const { live, next } = await followed(place)
  place.write('policy/policy.d/10.json', deny('Bash(a)'))
  await next()
  expect(live.current().rules.policy?.deny).toEqual(['Bash(a)'])
})

test.for(['policy', 'project', 'local', 'user'] as const)(
  'a %s file that breaks stays what it was, and that is said',
  async (source) => {
    const place = workspace()
    place.write(settingsPaths[source], { permissions: { deny: ['Bash(a)'], ask: ['Read'] } })
    const { live, next } = await followed(place)
    place.write(settingsPaths[source], '{"permissions":{"allow":["Bash"],')
    const { files, problems } = await next()
    expect(files).toEqual([])
    expect(problems).toMatchObject([
      { code: 'json_syntax', message: expect.stringContaining('stays in force') as unknown },
    ])
    expect(live.current().rules[source]).toMatchObject({ deny: ['Bash(a)'], ask: ['Read'], allow: [] })
    place.write(settingsPaths[source], deny('Bash(b)'))
    await next()
    expect(live.current().rules[source]?.deny).toEqual(['Bash(b)'])
    expect(live.current().problems).toEqual([])
  },
)

test('rules may speak of the tools that the team brings along', async () => {
  const place = workspace()
  place.write(settingsPaths.user, deny('Weather', 'Invoice(customer:*)', 'Wether'))
  const http_tools = { Weather: { description: 'Says the weather.', url: 'http://127.0.0.1:1/' } }
  const code_tools = [{ name: 'Invoice', file: 'invoice.ts', sha256: 'a'.repeat(64) }]
  const { live } = await followed(place, { team: { ...sampleTeam(), http_tools, code_tools } })
  expect(live.current().problems).toMatchObject([{ code: 'unknown_tool', hint: 'did you mean "Weather"?' }])
})

test('trust that is given while a team runs counts', async () => {
  const place = workspace()
  place.write(settingsPaths.project, allow('Bash(make)'))
  const { live, next } = await followed(place)
  expect(live.current().rules.project?.allow ?? []).toEqual([])
  trustWorkspace(place.home, await trustQuestion(place))
  expect((await next()).files).toContain('~/.troupe/trust.json')
  expect(live.current().rules.project?.allow).toEqual(['Bash(make)'])
})

test('--trust trusts what is there, not what a file comes to say later', async () => {
  const place = workspace()
  place.write(settingsPaths.project, allow('Bash(make)'))
  const { live, next } = await followed(place, { trusted: true })
  place.write(settingsPaths.project, allow('Bash(make)', 'Bash'))
  await next()
  expect(live.current().rules.project?.allow).toEqual(['Bash(make)'])
})

test('what holds is the same object until something changes', async () => {
  const { live } = await followed(workspace())
  expect(live.current()).toBe(live.current())
})

test('a closed reader tells nothing more and leaves nothing behind', async () => {
  const place = workspace()
  const { live } = await followed(place)
  await live.close()
  await live.close()
  expect(live.current().rules).toEqual({})
})

const team = {
  name: 'duo',
  coordinator: { prompt: 'Lead.' },
  workers: { ana: { description: 'Works.', prompt: 'Work.', tools: ['Bash'] } },
}
const withExecutor = (executor: string) => ({
  ...team,
  workers: { ana: { ...team.workers.ana, executor } },
})
const touch = { calls: [{ tool: 'Bash', input: { command: 'touch here' } }] }
const script = {
  lead: {
    steps: [
      { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Work.' }] } }] },
      { say: 'Done.' },
    ],
  },
  ana: { steps: [touch, touch, { say: 'Worked.' }] },
}

function decisions(recorded: readonly Recorded[]) {
  return recorded.flatMap(({ owner, entry }) =>
    owner === 'ana' && entry.type === 'permission.decided' ? [entry.decision] : [],
  )
}

test.for(['in-process', 'process'] as const)(
  'a rule that is written while a team runs decides the next call of a worker that is %s, and the journal says so',
  async (executor) => {
    const changed = Promise.withResolvers<void>()
    const { home, policyRoot } = workspace()
    const { run, recorded, result } = await play(withExecutor(executor), script, {
      home,
      policyRoot,
      approver: {
        async answer() {
          const path = join(home, '.troupe/settings.json')
          mkdirSync(dirname(path), { recursive: true })
          writeFileSync(path, JSON.stringify(allow('Bash(touch:*)')))
          await changed.promise
          return { behavior: 'deny', source: 'human', reason: 'not this time' }
        },
      },
    })
    run.subscribe(({ entry }) => {
      if (entry.type === 'settings.changed') changed.resolve()
    })
    await result
    expect(decisions(recorded)).toMatchObject([
      { behavior: 'deny', source: 'human' },
      { behavior: 'allow', source: 'user', rule: 'Bash(touch:*)', at: '~/.troupe/settings.json:1' },
    ])
    const facts = recorded.flatMap(({ owner, entry }) =>
      entry.type === 'settings.changed' ? [{ owner, files: entry.files }] : [],
    )
    expect(facts).toEqual([{ owner: 'team', files: ['~/.troupe/settings.json'] }])
  },
)

test("a team's rule names its line, and every member says under which policy it started", async () => {
  const { home, policyRoot } = workspace()
  const strict = { ...team, permissions: { deny: ['Bash(touch:*)'] } }
  const { recorded, result } = await play(strict, script, { home, policyRoot })
  await result
  const [first] = decisions(recorded)
  expect(first).toMatchObject({
    behavior: 'deny',
    source: 'project',
    at: expect.stringMatching(/^teams\/team\.yaml:\d+$/) as unknown,
  })
  const started = recorded.flatMap(({ entry }) => (entry.type === 'member.started' ? [entry.policy] : []))
  expect(started).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), expect.stringMatching(/^[0-9a-f]{64}$/)])
})

test('no run directory is left of a run that a broken policy stopped', async () => {
  const { home, policyRoot, write } = workspace()
  write(settingsPaths.policy, '{')
  const { result } = await play(team, script, { home, policyRoot })
  await expect(result).rejects.toThrow('the managed policy cannot be used')
})

test('the hash of a policy follows what it says and nothing else', async () => {
  const { live } = await followed(workspace())
  const base = {
    mode: 'default',
    rules: live.current().rules,
    bounds: { protected: [], scope: [], blockedHosts: [] },
    directories: ['/w'],
  } as const
  const origin = (at: string, root?: string) => ({ user: { deny: [root === undefined ? { at } : { at, root }] } })
  const rules = { user: { deny: ['Edit(/x)'] } }
  const hash = policyHash({ ...base, rules, origins: origin('a:1', '/r') })
  expect(policyHash({ ...base, rules, origins: origin('b:2', '/r') })).toBe(hash)
  expect(policyHash({ ...base, rules, origins: origin('a:1', '/s') })).not.toBe(hash)
  expect(policyHash({ ...base, rules: { user: { deny: [] } }, origins: {} })).not.toBe(hash)
})

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import type { HookInput, HookTable } from '../../../src/protocol/hooks/hook.ts'
import { play } from '../support/stage.ts'

/** Hooks and settings: what hooks export, what binds them, and whose settings they may hold up. */

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const delegate = call('Delegate', { subtasks: [{ worker: 'ana', task: 'x' }] })
const command = (line: string, more: object = {}) => [{ hooks: [{ type: 'command', command: line, ...more }] }]

/** A lead that hands one task to ana, who runs some commands. */
async function played(files: Readonly<Record<string, string>>, commands: readonly string[], options: object = {}) {
  const ana = { description: 'Works.', prompt: 'You work.', tools: ['Bash'], permissions: { allow: ['Bash'] } }
  const team = { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana } }
  const steps = commands.map((line) => call('Bash', { command: line }))
  const script = { lead: { steps: [delegate, { say: 'Done.' }] }, ana: { steps: [...steps, { say: 'Made.' }] } }
  const { recorded, result, cwd } = await play(team, script, { files, trusted: true, ...options })
  await result
  const told = recorded.flatMap(({ owner, entry }) =>
    owner === 'ana' && entry.type === 'message.appended' && entry.message.role === 'tool'
      ? entry.message.results.map(textOf)
      : [],
  )
  const ran = recorded.flatMap(({ entry }) => (entry.type === 'hook.ran' ? [entry] : []))
  return { told, ran, cwd }
}

const settings = (value: object): string => JSON.stringify(value)

describe('the file that CLAUDE_ENV_FILE names', () => {
  const file = '.claude/settings.json'

  test('is read as a script once, for the commands of the whole team; shells themselves stay as they are', async () => {
    const lines = [
      'export NODE_ENV=test',
      'export GREETING="it is $NODE_ENV"',
      'export PATH="$PATH:/from/hook"',
      'export BASH_ENV=/evil TROUPE_LIFE=x',
      'plain=1',
    ]
    const hook = `printf '%s\\n' '${lines.join("' '")}' >> "$CLAUDE_ENV_FILE"`
    const { told } = await played({ [file]: settings({ hooks: { SessionStart: command(hook) } }) }, [
      'echo "[$NODE_ENV] [$GREETING] [${PATH##*:}] [$BASH_ENV] [$plain] [${TROUPE_LIFE:0:1}]"',
    ])
    expect(told[0]).toMatch(/^\[test\] \[it is test\] \[\/from\/hook\] \[\] \[\] \[[^x]\]/)
  })

  test('is there for a change of the directory, and not for a call; a broken script changes nothing', async () => {
    const wrong = 'test -z "$CLAUDE_ENV_FILE" || touch named'
    const { told, cwd } = await played(
      {
        [file]: settings({
          hooks: {
            CwdChanged: command('echo export HERE=sub >> "$CLAUDE_ENV_FILE"'),
            SessionStart: command('echo "export BROKEN=( && exit 7" >> "$CLAUDE_ENV_FILE"'),
            PreToolUse: command(wrong),
          },
        }),
      },
      ['mkdir sub; cd sub', 'echo "[$HERE] [$BROKEN]"'],
    )
    expect(told[1]).toMatch(/^\[sub\] \[\]/)
    expect(existsSync(join(cwd, 'named'))).toBe(false)
  })
})

describe('lists for servers', () => {
  /** A server that remembers headers, and the settings of a person and a project for its hook. */
  async function asked(person: object, project: object = {}, hookOf: 'person' | 'project' = 'person') {
    const heard: (string | string[] | undefined)[] = []
    const server = createServer(({ headers }, response) => {
      heard.push(headers['x-a'])
      response.end()
    }).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((listening) => server.once('listening', listening))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
    const hook = { type: 'http', url, headers: { 'X-A': '$CHANNEL' }, allowedEnvVars: ['CHANNEL'] }
    const hooks = { PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] }
    const files = {
      'home/.claude/settings.json': settings({ ...person, ...(hookOf === 'person' && { hooks }) }),
      '.claude/settings.json': settings({ ...project, ...(hookOf === 'project' && { hooks }) }),
    }
    const env = { PATH: process.env['PATH'] ?? '', CHANNEL: 'ops' }
    const { ran } = await played(files, ['echo'], { env })
    return { heard, outcomes: ran.map(({ outcome }) => outcome), message: ran[0]?.message ?? '' }
  }
  const urls = (...allowedHttpHookUrls: string[]) => ({ allowedHttpHookUrls })

  test.each([
    ['no list', {}, {}, 'person', ['ops']],
    ['the list of the person', urls('http://127.0.0.1:*'), {}, 'person', ['ops']],
    ['a list of the project, which widens nothing', urls('https://a/*'), urls('*'), 'project', []],
    ['a list of the project, for its own hooks alone', {}, urls(), 'person', ['ops']],
    ['a list of the project', {}, urls('https://a/*'), 'project', []],
    ['variables', { httpHookAllowedEnvVars: [] }, {}, 'person', ['']],
    ['variables that a list names', { httpHookAllowedEnvVars: ['CHANNEL'] }, {}, 'project', ['ops']],
  ] as const)('%s', async (_, person, project, hookOf, headers) => {
    const { heard, outcomes, message } = await asked(person, project, hookOf)
    expect(heard).toEqual(headers)
    expect(outcomes).toEqual([headers.length > 0 ? 'success' : 'error'])
    expect(message.includes('is none of allowedHttpHookUrls')).toBe(headers.length === 0)
  })
})

test('allowManagedHooksOnly leaves the hooks of the policy alone', async () => {
  const hooks = { PreToolUse: command('echo >> "$CLAUDE_PROJECT_DIR/of-person"') }
  const managed = { allowManagedHooksOnly: true, hooks: { PreToolUse: command('echo >> of-policy') } }
  const files = {
    'policy/policy.json': settings(managed),
    'home/.claude/settings.json': settings({ hooks, disableAllHooks: true }),
    '.claude/settings.json': settings({ hooks }),
  }
  const bare = await played(files, [])
  const { ran } = await played(files, ['echo'], { policyRoot: join(bare.cwd, 'policy') })
  expect(new Set(ran.map(({ source }) => source))).toEqual(new Set(['policy']))
})

describe('settings that change', () => {
  /** A lead that is busy until the test is over. */
  async function waiting(files: Readonly<Record<string, string>>, hooks: HookTable = {}) {
    const ana = { description: 'Works.', prompt: 'You work.' }
    const team = { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana } }
    const script = { lead: { steps: [{ say: 'I wait …', hang: true }] } }
    const { cwd, run, recorded, result } = await play(team, script, { files, hooks, trusted: true })
    const facts = (type: string) => recorded.flatMap(({ entry }) => (entry.type === type ? [entry] : []))
    await expect.poll(() => facts('model.requested').length).toBe(1)
    const write = (file: string, value: object): void => {
      mkdirSync(dirname(join(cwd, file)), { recursive: true })
      writeFileSync(join(cwd, file), settings(value))
    }
    const end = (): Promise<unknown> => {
      run.abort()
      return result
    }
    return { cwd, facts, write, end }
  }
  const rule = { permissions: { deny: ['Bash(rm *)'] } }

  test('of a person wait for no hook of a project, which hears of them and may keep those of the project', async () => {
    const veto = 'cat >> heard; echo >> heard; until test -e go; do sleep 0.05; done; exit 2'
    const hooks = { ConfigChange: command(veto) }
    const { cwd, facts, write, end } = await waiting({ '.claude/settings.json': settings({ hooks }) })
    write('home/.troupe/settings.json', rule)
    write('.troupe/settings.json', rule)
    // Hooks of the project are still at work.
    await expect.poll(() => facts('settings.changed')).toMatchObject([{ files: ['home/.troupe/settings.json'] }])
    writeFileSync(join(cwd, 'go'), '')
    await expect
      .poll(() => facts('warning.raised'))
      .toMatchObject([{ message: expect.stringContaining('as it was') as string }])
    await expect.poll(() => facts('hook.ran').length).toBe(2)
    await end()
    expect(facts('settings.changed')).toHaveLength(1)
  })

  test('of a person may be kept by a hook of the same person', async () => {
    const hooks = { ConfigChange: command('exit 2') }
    const { facts, write, end } = await waiting({ 'home/.claude/settings.json': settings({ hooks }) })
    write('home/.troupe/settings.json', rule)
    await expect.poll(() => facts('warning.raised')).toMatchObject([{ code: 'hook_stopped' }])
    await end()
    expect(facts('settings.changed')).toEqual([])
  })

  test('are asked about once, however often the same is written', async () => {
    const ofPerson = [{ matcher: 'user_settings', hooks: [{ type: 'command', command: 'exit 2' }] }]
    const files = { 'home/.claude/settings.json': settings({ hooks: { ConfigChange: ofPerson } }) }
    const other = { permissions: { deny: ['Bash(mv *)'] } }
    const { facts, write, end } = await waiting(files)
    write('home/.troupe/settings.json', rule)
    await expect.poll(() => facts('warning.raised')).toHaveLength(1)
    write('home/.troupe/settings.json', other)
    await expect.poll(() => facts('warning.raised')).toHaveLength(2)
    write('home/.troupe/settings.json', other)
    write('.troupe/settings.json', rule)
    await expect.poll(() => facts('settings.changed')).toHaveLength(1)
    expect(facts('warning.raised')).toHaveLength(2)
    await end()
  })

  test('and name another directory are told', async () => {
    const heard: HookInput[] = []
    const run = (input: HookInput): void => void heard.push(input)
    const { cwd, write, end } = await waiting(
      { 'other/a.txt': 'a' },
      {
        DirectoryAdded: [{ matcher: 'settings', hooks: [{ type: 'function', run }] }],
      },
    )
    write('home/.troupe/settings.json', { permissions: { additionalDirectories: [join(cwd, 'other')] } })
    await expect.poll(() => heard.length).toBe(1)
    await end()
    expect(heard).toMatchObject([
      { hook_event_name: 'DirectoryAdded', directory: join(cwd, 'other'), source: 'settings' },
    ])
  })
})

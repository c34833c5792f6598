import { createServer } from 'node:http'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { HookInput, HookTable } from '../../../src/protocol/hooks/hook.ts'
import type { Approver } from '../../../src/protocol/port.ts'
import { portable } from '../../../src/runtime/hooks/run-hooks.ts'
import { play } from '../support/stage.ts'

/** Effects of hooks beside their decision: what is shown, proposed, told, and what happens later. */

const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
const delegate = call('Delegate', { subtasks: [{ worker: 'ana', task: 'x' }] })

async function played(hooks: HookTable, steps: readonly object[], options: object = {}, more: object = {}) {
  const ana = { description: 'Works.', prompt: 'You work.', tools: ['Bash'] }
  const team = { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana }, ...more }
  const script = {
    lead: { steps: [delegate, { say: 'Done.' }] },
    ana: { steps: [...steps, { say: 'Made.' }, { say: 'Made.' }] },
  }
  return play(team, script, { hooks, ...options })
}

const warnings = (recorded: readonly Recorded[], code: string): readonly string[] =>
  recorded.flatMap(({ entry }) => (entry.type === 'warning.raised' && entry.code === code ? [entry.message] : []))

const nobody: Approver = {
  answer: () => Promise.resolve({ behavior: 'deny', source: 'human', reason: 'no', scope: 'once' }),
}

test('rules and modes that a hook wants are proposals: the call runs once, and the next one is asked about', async () => {
  const updatedPermissions = [
    { type: 'addRules', rules: [{ toolName: 'Bash' }], behavior: 'allow', destination: 'session' },
    { type: 'setMode', mode: 'bypassPermissions', destination: 'session' },
    { type: 'addDirectories', directories: ['/'], destination: 'session' },
  ]
  let asked = 0
  const run = (): object => ({
    hookSpecificOutput: {
      hookEventName: 'PermissionRequest',
      decision: (asked += 1) === 1 ? { behavior: 'allow', updatedPermissions } : { behavior: 'deny' },
    },
  })
  const hooks: HookTable = { PermissionRequest: [{ hooks: [{ type: 'function', run }] }] }
  const steps = [call('Bash', { command: 'touch a' }), call('Bash', { command: 'touch b' })]
  const { recorded, result } = await played(hooks, steps, { approver: nobody })
  await result
  expect(asked).toBe(2)
  expect(recorded.filter(({ entry }) => entry.type === 'call.started' && entry.tool === 'Bash')).toHaveLength(1)
  const [said = ''] = warnings(recorded, 'hook_proposes')
  expect(said).toMatch(/allow Bash.*troupe permissions add 'Bash'.*the mode bypassPermissions.*the directory \//)
})

test('a hook reads suggestions that it may hand back', async () => {
  const heard: HookInput[] = []
  const hooks: HookTable = {
    PermissionRequest: [{ hooks: [{ type: 'function', run: (input) => void heard.push(input) }] }],
  }
  const { result } = await played(hooks, [call('Bash', { command: 'git push origin' })], { approver: nobody })
  await result
  expect(heard[0]?.['permission_suggestions']).toContainEqual({
    type: 'addRules',
    rules: [{ toolName: 'Bash', ruleContent: expect.stringContaining('git push') as string }],
    behavior: 'allow',
    destination: 'localSettings',
  })
  expect(heard[0]).not.toHaveProperty('tool_use_id')
})

test('a hook says what it does while it does it', async () => {
  const shown: string[] = []
  const hook = { type: 'function', run: () => undefined, statusMessage: 'Looking for secrets' } as const
  const { run, result } = await played({ PreToolUse: [{ matcher: 'Bash', hooks: [hook] }] }, [
    call('Bash', { command: 'echo' }),
  ])
  run.deltas((delta) => {
    if (delta.type === 'progress') shown.push(delta.text)
  })
  await result
  expect(shown).toContain('Looking for secrets')
})

test('a program whose first line says so is not waited for, and neither is a server', async () => {
  const held = Promise.withResolvers<void>()
  const server = createServer(
    (_, response) => void held.promise.then(() => response.end('{"decision":"block"}')),
  ).listen(0)
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const say = { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'scan is clean' } }
  const command = `echo '{"async": true}'; until test -e ran; do sleep 0.02; done; printf '%s' '${JSON.stringify(say)}'`
  const ended = Promise.withResolvers<void>()
  const hooks: HookTable = {
    PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'function', run: () => ended.promise }] }],
    PreToolUse: [
      {
        matcher: 'Bash',
        hooks: [
          { type: 'command', command },
          { type: 'http', url: `http://127.0.0.1:${port}/`, async: true },
        ],
      },
    ],
  }
  // The call runs while both hooks are still at work; its result is told when the program has ended.
  const steps = [call('Bash', { command: 'touch ran' }), { expect: 'scan is clean', say: 'Made.' }]
  const { run, recorded, result } = await played(hooks, steps, { rules: { allow: ['Bash'] } })
  run.subscribe(({ entry }) => entry.type === 'hook.ran' && entry.hook.startsWith('echo') && ended.resolve())
  await result
  held.resolve()
  const ends = recorded.flatMap(({ owner, entry }) => (owner === 'ana' && entry.type === 'agent.ended' ? [entry] : []))
  expect(ends[0]).toMatchObject({ reason: 'completed' })
  expect(recorded.some(({ entry }) => entry.type === 'call.started' && entry.tool === 'Bash')).toBe(true)
})

test('functions of the program do not reach workers elsewhere, and those that have to answer deny there', async () => {
  const run = (): undefined => undefined
  const at = 'PreToolUse.0'
  const base = { event: 'PreToolUse', matcher: null, source: 'program', at } as const
  const kept = portable([
    { ...base, spec: { type: 'function', run } },
    { ...base, spec: { type: 'function', run, on_failure: 'deny' } },
    { ...base, spec: { type: 'command', command: 'true' } },
  ])
  expect(kept.map(({ spec }) => spec)).toMatchObject([
    { type: 'command', on_failure: 'deny', command: expect.stringContaining('a function of the program') as string },
    { type: 'command', command: 'true' },
  ])
  const hooks: HookTable = { PreToolUse: [{ hooks: [{ type: 'function', run, name: 'guard' }] }] }
  const ana = { description: 'Works.', prompt: 'You work.', executor: 'process' }
  const { run: team, recorded, result } = await played(hooks, [], {}, { workers: { ana } })
  await expect
    .poll(() => warnings(recorded, 'hook'))
    .toContainEqual(expect.stringMatching(/do not run for ana.*guard \(PreToolUse\)/))
  team.abort()
  await result
})

test('a budget that is nearly used up is told', async () => {
  const heard: HookInput[] = []
  const group = [{ hooks: [{ type: 'function', run: (input: HookInput) => void heard.push(input) } as const] }]
  const steps = [
    call('SendMessage', { to: 'lead', message: 'one' }),
    call('SendMessage', { to: 'lead', message: 'two' }),
  ]
  const { result } = await played({ BudgetThreshold: group }, steps, {}, { budget: { turns: 4 } })
  await result
  expect(heard[0]).toMatchObject({
    hook_event_name: 'BudgetThreshold',
    unit: 'turns',
    scope: expect.any(String) as string,
  })
})

test('mail that nobody will read is told', async () => {
  const heard: HookInput[] = []
  const group = [{ hooks: [{ type: 'function', run: (input: HookInput) => void heard.push(input) } as const] }]
  const { run, result } = await played({ MessageDead: group }, [])
  run.subscribe(({ owner, entry }) => {
    if (owner !== 'ana' || entry.type !== 'mail.sent') return
    // Its file appears in the same step as the line of the journal, and is spoilt before the lead looks.
    queueMicrotask(() => {
      const inbox = join(run.dir, 'mail/lead/new')
      for (const name of readdirSync(inbox).filter((each) => each.startsWith('ana-')))
        writeFileSync(join(inbox, name), readFileSync(join(inbox, name), 'utf8').replace('Made.', 'Maid.'))
    })
  })
  await result
  expect(heard[0]).toMatchObject({
    hook_event_name: 'MessageDead',
    reason: expect.stringContaining('signature') as string,
  })
})

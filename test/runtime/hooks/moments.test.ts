import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import type { HookEvent, HookInput, HookTable } from '../../../src/protocol/hooks/hook.ts'
import { textOf } from '../../../src/protocol/conversation/message.ts'
import { repositoryWith } from '../../adapters/worktrees/repository.ts'
import { play } from '../support/stage.ts'

/** The moments at which events fire, what hooks read then, and what follows from their answers. */

const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'x' }] } }] }
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })

interface Scene {
  readonly hooks: (heard: HookInput[]) => HookTable
  readonly steps?: readonly object[]
  readonly files?: Readonly<Record<string, string>>
  readonly worker?: object
  readonly options?: object
  readonly hear?: (recorded: Recorded) => void
}

/** A lead that hands one task to ana, with hooks of the program. */
async function played({
  hooks,
  steps = [],
  files = {},
  worker = {},
  options = {},
  hear: fact = () => undefined,
}: Scene) {
  const heard: HookInput[] = []
  const tools = ['Bash', 'Read', 'Write']
  const ana = { description: 'Works.', prompt: 'You work.', tools, permissions: { allow: tools }, ...worker }
  const team = { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana } }
  const script = {
    lead: { steps: [delegate, { say: 'Done.' }] },
    ana: { steps: [...steps, ...Array.from({ length: 4 }, () => ({ say: 'Made.' }))] },
  }
  const { run, recorded, result, cwd } = await play(team, script, {
    hooks: hooks(heard),
    files,
    mode: 'acceptEdits',
    ...options,
  })
  run.subscribe(fact)
  const { status } = await result
  return { heard, recorded, cwd: realpathSync(cwd), status }
}

const hear =
  (heard: HookInput[], answer: (input: HookInput) => unknown = () => undefined) =>
  (input: HookInput): unknown => {
    heard.push(input)
    return answer(input)
  }

const only = (events: readonly HookEvent[], answer?: (input: HookInput) => unknown) => (heard: HookInput[]) =>
  Object.fromEntries(
    events.map((event) => [event, [{ hooks: [{ type: 'function', run: hear(heard, answer) } as const] }]]),
  )

const told = (recorded: readonly Recorded[], who: string): string =>
  recorded
    .flatMap(({ owner, entry }) => {
      if (owner !== who || entry.type !== 'message.appended') return []
      const { message } = entry
      return message.role === 'tool' ? message.results.map(textOf) : [textOf(message)]
    })
    .join('\n')

test('a worker that went to another directory, was told instructions, spoke and goes idle', async () => {
  const { heard, cwd, recorded } = await played({
    hooks: only(['CwdChanged', 'InstructionsLoaded', 'MessageDisplay', 'TeammateIdle', 'SubagentStop']),
    files: { 'CLAUDE.md': 'No tabs.', 'sub/CLAUDE.md': 'No blanks.', 'sub/a.txt': 'a' },
    steps: [call('Bash', { command: 'cd sub' }), call('Read', { file_path: 'sub/a.txt' })],
  })
  const of = (event: HookEvent): readonly HookInput[] => heard.filter((input) => input.hook_event_name === event)
  expect(of('CwdChanged')).toMatchObject([{ old_cwd: expect.any(String) as string, new_cwd: join(cwd, 'sub') }])
  const loaded = of('InstructionsLoaded').filter((input) => input['agent_type'] === 'ana')
  expect(loaded).toMatchObject([
    { file_path: join(cwd, 'CLAUDE.md'), memory_type: 'Project', load_reason: 'session_start' },
    {
      file_path: join(cwd, 'sub/CLAUDE.md'),
      load_reason: 'nested_traversal',
      trigger_file_path: join(cwd, 'sub/a.txt'),
    },
  ])
  expect(of('MessageDisplay')).toContainEqual(expect.objectContaining({ delta: 'Made.', index: 0, final: true }))
  expect(of('TeammateIdle')).toMatchObject([{ teammate_name: 'ana', team_name: 'duo', agent_id: 'ana@duo' }])
  expect(of('SubagentStop')).toMatchObject([
    {
      stop_hook_active: false,
      last_assistant_message: 'Made.',
      agent_type: 'ana',
      background_tasks: [],
      session_crons: [],
      cwd: join(cwd, 'sub'),
      permission_mode: 'acceptEdits',
      prompt_id: expect.any(String) as string,
      agent_transcript_path: expect.stringContaining('ana') as string,
      transcript_path: expect.stringContaining('lead') as string,
    },
  ])
  expect(recorded.flatMap(({ entry }) => (entry.type === 'warning.raised' ? [entry.message] : []))).toEqual([])
})

test.each([
  ['a worker is kept from idling', 'TeammateIdle', { decision: 'block', reason: 'run the tests' }],
  [
    'words of a hook at the end keep a worker at work',
    'SubagentStop',
    { hookSpecificOutput: { hookEventName: 'SubagentStop', additionalContext: 'run the tests' } },
  ],
] as const)('%s', async (_, event, answer) => {
  let left = 2
  const { recorded } = await played({ hooks: only([event], () => (left-- > 0 ? answer : undefined)) })
  expect(told(recorded, 'ana').split('run the tests').length - 1).toBe(2)
  expect(recorded.filter(({ owner, entry }) => owner === 'ana' && entry.type === 'agent.ended')).toMatchObject([
    { entry: { reason: 'completed', turn: 1 } },
  ])
})

test('a hook ends a worker instead of letting it idle', async () => {
  const { recorded } = await played({
    hooks: only(['TeammateIdle'], () => ({ continue: false, stopReason: 'enough' })),
  })
  const ends = recorded.flatMap(({ owner, entry }) => (owner === 'ana' && entry.type === 'agent.ended' ? [entry] : []))
  expect(ends[0]).toMatchObject({ reason: 'stop_hook_prevented' })
})

describe('calls', () => {
  test('are told with absolute paths, and results in the shape of Claude Code', async () => {
    const { heard, cwd } = await played({
      hooks: only(['PreToolUse', 'PostToolUse', 'PostToolUseFailure']),
      steps: [
        call('Write', { file_path: 'sub/../a.txt', content: 'a' }),
        call('Bash', { command: 'echo out' }),
        call('Bash', { command: 'echo no; exit 3' }),
      ],
    })
    const ana = heard.filter((input) => input['agent_type'] === 'ana')
    const file_path = join(cwd, 'a.txt')
    const duration_ms = expect.any(Number) as number
    expect(ana.map(({ hook_event_name: event, tool_name, ...rest }) => [event, tool_name, rest])).toMatchObject([
      ['PreToolUse', 'Write', { tool_input: { file_path }, tool_use_id: expect.any(String) as string }],
      ['PostToolUse', 'Write', { tool_response: { filePath: file_path }, duration_ms }],
      ['PreToolUse', 'Bash', { tool_input: { command: 'echo out' } }],
      ['PostToolUse', 'Bash', { tool_response: { stdout: 'out', stderr: '', interrupted: false }, duration_ms }],
      ['PreToolUse', 'Bash', {}],
      ['PostToolUseFailure', 'Bash', { error: expect.stringMatching(/^Exit code 3\nno/) as string, duration_ms }],
    ])
  })

  test.each([
    ['in the shape of the tool', { updatedToolOutput: { stdout: 'redacted', stderr: '' } }, true],
    ['and not by what the tool never says', { updatedToolOutput: 'redacted' }, false],
    ['for tools of servers alone', { updatedMCPToolOutput: 'redacted' }, false],
  ])('have their result replaced: %s', async (_, own, isReplaced) => {
    const answer = { hookSpecificOutput: { hookEventName: 'PostToolUse', ...own } }
    const { recorded } = await played({
      hooks: only(['PostToolUse'], () => answer),
      steps: [call('Bash', { command: 'echo s3cret' })],
    })
    expect(told(recorded, 'ana').includes('redacted')).toBe(isReplaced)
    expect(told(recorded, 'ana').includes('s3cret')).toBe(!isReplaced)
  })

  test('have the words of a hook that nobody waits for told before the next answer', async () => {
    const say = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'tests pass' } }
    const [begun, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const late = { type: 'function', async: true, run: () => begun.promise.then(() => say) } as const
    // The second call begins when the hook has answered.
    const second = { type: 'function', run: () => (begun.resolve(), answered.promise) } as const
    const { recorded } = await played({
      hooks: () => ({
        PostToolUse: [{ matcher: 'Read', hooks: [late] }],
        PreToolUse: [{ matcher: 'Bash', hooks: [second] }],
      }),
      hear({ entry }) {
        if (entry.type === 'hook.ran' && entry.event === 'PostToolUse') answered.resolve()
      },
      files: { 'a.txt': 'a' },
      steps: [call('Read', { file_path: 'a.txt' }), call('Bash', { command: 'echo' })],
    })
    expect(told(recorded, 'ana')).toContain('tests pass')
  })
})

test('a task that is done is told with its subject, and may end its member', async () => {
  const heard: HookInput[] = []
  const hooks = only(['TaskCompleted'], () => ({ continue: false, stopReason: 'enough' }))(heard)
  const tools = ['TaskCreate', 'TaskClaim', 'TaskDone']
  const team = {
    name: 'duo',
    tasks: {},
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Works.', prompt: 'You work.', tools } },
  }
  const steps = [
    call('TaskCreate', { subject: 'do x', description: 'all of it' }),
    call('TaskClaim', { id: 1 }),
    call('TaskDone', { id: 1, reason: 'made' }),
    { say: 'Never said.' },
  ]
  const { recorded, result } = await play(
    team,
    { lead: { steps: [delegate, { say: 'Done.' }] }, ana: { steps } },
    { hooks },
  )
  await result
  expect(heard).toMatchObject([
    { task_id: '1', task_subject: 'do x', task_description: 'all of it', teammate_name: 'ana', team_name: 'duo' },
  ])
  expect(told(recorded, 'ana')).not.toContain('Never said.')
  expect(recorded.map(({ entry }) => entry.type)).not.toContain('task.finished')
})

test('a command that a person typed passes hooks before it becomes words', async () => {
  const files = { '.claude/commands/review.md': 'Review $ARGUMENTS.', '.claude/commands/deploy.md': 'Deploy.' }
  const answer = ({ command_name: name }: HookInput): object => {
    if (name === 'deploy') return { decision: 'block', reason: 'not today' }
    return { hookSpecificOutput: { hookEventName: 'UserPromptExpansion', additionalContext: 'the checklist' } }
  }
  const called = async (task: string) => {
    const heard: HookInput[] = []
    const team = {
      name: 'solo',
      coordinator: { prompt: 'You lead.' },
      workers: { ana: { description: 'W', prompt: 'W' } },
    }
    const hooks = only(['UserPromptExpansion'], answer)(heard)
    const { recorded, result } = await play(team, { lead: { steps: [{ say: 'Done.' }] } }, { files, hooks, task })
    await result
    return { heard, told: told(recorded, 'lead') }
  }
  const review = await called('/review HEAD~3')
  expect(review.heard).toMatchObject([
    { expansion_type: 'slash_command', command_name: 'review', command_args: 'HEAD~3', prompt: '/review HEAD~3' },
  ])
  expect(review.told).toMatch(/Review HEAD~3\.[^]*the checklist/)
  const deploy = await called('/deploy')
  expect(deploy.told).toContain('not today')
  expect(deploy.told).not.toContain('Deploy.')
})

describe('the question of an MCP server', () => {
  const program = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))
  const odd = { command: process.execPath, args: [program, 'elicits'], required: true }
  const own = (event: HookEvent, action: string, content?: object) => ({
    hookSpecificOutput: { hookEventName: event, action, ...(content && { content }) },
  })

  test.each([
    ['is answered by a hook', { Elicitation: own('Elicitation', 'accept', { colour: 'blue' }) }, /accept.*blue/],
    ['is declined by one', { Elicitation: { decision: 'block' } }, /decline/],
    ['is called off where nobody answers', {}, /cancel/],
    ['has its answer changed', { ElicitationResult: own('ElicitationResult', 'accept', { colour: 'blue' }) }, /blue/],
    ['has its answer held back', { ElicitationResult: { decision: 'block' } }, /decline/],
  ])('%s', async (_, answers: Readonly<Record<string, object>>, said) => {
    const heard: HookInput[] = []
    const hooks = only(['Elicitation', 'ElicitationResult'], ({ hook_event_name: event }) => answers[event])(heard)
    const team = {
      name: 'solo',
      partition: 'relaxed',
      mcp_servers: { odd },
      coordinator: { prompt: 'You lead.', tools: ['mcp__odd'], permissions: { allow: ['mcp__odd'] } },
      workers: { ana: { description: 'Works.', prompt: 'You work.' } },
    }
    const script = { lead: { steps: [call('mcp__odd__echo', { text: 'x' }), { say: 'Done.' }] } }
    const { recorded, result } = await play(team, script, { hooks, trusted: true })
    await result
    expect(told(recorded, 'lead')).toMatch(said)
    expect(heard[0]).toMatchObject({ mcp_server_name: 'odd', message: 'Which colour?', mode: 'form' })
  })
})

describe('files', () => {
  /** A lead that is busy until the run is aborted. */
  async function waiting(hooks: HookTable, files: Readonly<Record<string, string>> = {}) {
    const ana = { description: 'Works.', prompt: 'You work.' }
    const team = { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana } }
    const script = { lead: { steps: [{ say: 'I wait …', hang: true }] } }
    const { cwd, run, recorded, result } = await play(team, script, { files, hooks })
    const has = (type: string): boolean => recorded.some(({ entry }) => entry.type === type)
    await expect.poll(() => has('model.requested')).toBe(true)
    const end = (): Promise<unknown> => {
      run.abort()
      return result
    }
    return { cwd, recorded, has, end }
  }

  test('that matchers name are told as they come and go', async () => {
    const heard: HookInput[] = []
    const group = { matcher: '.envrc|.env', hooks: [{ type: 'function', run: hear(heard) } as const] }
    const { cwd, end } = await waiting({ FileChanged: [group] })
    const file = join(cwd, '.env')
    const events = (): readonly unknown[] => heard.map(({ event }) => event)
    // The watcher may open after the first write.
    const write = (): boolean => (writeFileSync(file, `${heard.length}${Math.random()}`), heard.length > 0)
    await expect.poll(write).toBe(true)
    rmSync(file)
    await expect.poll(events).toContain('unlink')
    await end()
    expect(heard[0]).toMatchObject({ hook_event_name: 'FileChanged', file_path: file })
  })

  test('of settings that change count only where no hook objects', async () => {
    const settings = (rule: string) => JSON.stringify({ permissions: { deny: [rule] } })
    const heard: HookInput[] = []
    const run = hear(heard, () => ({ decision: 'block', reason: 'ask the admin' }))
    const hooks: HookTable = { ConfigChange: [{ matcher: 'project_settings', hooks: [{ type: 'function', run }] }] }
    const { cwd, recorded, has, end } = await waiting(hooks, { '.claude/settings.json': settings('Bash(rm *)') })
    const file_path = join(cwd, '.claude/settings.json')
    writeFileSync(file_path, settings('Bash(echo *)'))
    await expect.poll(() => has('warning.raised')).toBe(true)
    await end()
    expect(heard[0]).toMatchObject({ source: 'project_settings', file_path })
    expect(recorded.flatMap(({ entry }) => (entry.type === 'warning.raised' ? [entry.message] : [])).join()).toMatch(
      /keeps .*settings\.json as it was: ask the admin/,
    )
    expect(has('settings.changed')).toBe(false)
  })
})

test.each([
  ['a hook that fails keeps the tree from being made', 'echo no trees today >&2; exit 1', false],
  ['one that names no path, too', 'exit 0', false],
  ['one that names a path lets it be made', 'echo Welcome; echo /elsewhere', true],
])('%s', async (_, command, isMade) => {
  const cwd = repositoryWith({ 'a.txt': 'a' })
  const ana = { description: 'Works.', prompt: 'You work.', isolation: 'worktree' }
  const team = { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana } }
  const script = { lead: { steps: [delegate, { say: 'Done.' }] }, ana: { steps: [{ say: 'Made.' }] } }
  const hook = { type: 'command', command: `cat > made.json; ${command}` } as const
  const { recorded, result } = await play(team, script, { cwd, hooks: { WorktreeCreate: [{ hooks: [hook] }] } })
  await result
  expect(JSON.parse(readFileSync(join(cwd, 'made.json'), 'utf8'))).toMatchObject({ name: 'ana' })
  expect(recorded.some(({ entry }) => entry.type === 'worktree.opened')).toBe(isMade)
})

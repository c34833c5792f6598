import { describe, expect, test } from 'vitest'
import { hookEvents, type HookEvent, type HookSpec } from '../../../src/protocol/hooks/hook.ts'
import { replacedText } from '../../../src/rules/hooks/call-fields.ts'
import { together, understand } from '../../../src/rules/hooks/hook-answer.ts'
import { coversValue, eventTraits, timeoutOf } from '../../../src/rules/hooks/hook-events.ts'
import { filledInput, hookVerdict } from '../../../src/rules/hooks/hook-prompt.ts'
import { matchesUrl } from '../../../src/rules/hooks/http-limits.ts'
import { hookText, readHooks } from '../../../src/rules/hooks/read-hooks.ts'

/*
 * The protocol of Claude Code's hooks as its reference describes it, event by event.
 * @source https://code.claude.com/docs/en/hooks
 */

const end = (code: number | null, stdout: unknown = '', stderr = '') => ({
  code,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
})
const own = (event: HookEvent, fields: object) => ({ hookSpecificOutput: { hookEventName: event, ...fields } })
/** The events that Claude Code has, too. */
const shared = hookEvents.slice(0, hookEvents.indexOf('MessageSend'))
const withoutMatcher: readonly HookEvent[] = [
  'UserPromptSubmit',
  'PostToolBatch',
  'Stop',
  'TeammateIdle',
  'TaskCreated',
  'TaskCompleted',
  'WorktreeCreate',
  'WorktreeRemove',
  'MessageDisplay',
  'CwdChanged',
]

describe('matchers', () => {
  test.each(shared)('of %s are compared with a field of the event, or with nothing', (event) => {
    const { matches, field } = eventTraits[event]
    expect([matches === null, field === undefined]).toEqual(Array(2).fill(withoutMatcher.includes(event)))
    expect(coversValue(event, 'no-such-value', 'value')).toBe(withoutMatcher.includes(event))
    for (const all of [null, '', '*']) expect(coversValue(event, all, 'value')).toBe(true)
  })

  test.each([
    ['PreToolUse', 'mcp__memory', 'mcp__memory__create', false],
    ['PreToolUse', 'mcp__brave-search', 'mcp__brave-search__q', false],
    ['PreToolUse', 'mcp__.*__write.*', 'mcp__fs__write_file', true],
    ['PreToolUse', 'mcp__plugin_my-plugin_db__.*', 'mcp__plugin_my-plugin_db__query', true],
    ['PreToolUse', 'Edit.*', 'NotebookEdit', true],
    ['PreToolUse', ' Edit ,Write|Read ', 'Read', true],
    ['PreToolUse', 'edit', 'Edit', false],
    ['SubagentStart', 'code-reviewer', 'senior-code-reviewer', false],
    ['SubagentStop', '^my-plugin:reviewer$', 'my-plugin:reviewer', true],
    ['StopFailure', 'rate_limit|overloaded', 'overloaded', true],
    ['StopFailure', 'rate_limit, overloaded', 'overloaded', false],
    ['FileChanged', '.envrc|.env', '.env', true],
    ['ConfigChange', 'user_settings|skills', 'user_settings', true],
    ['Notification', 'permission_prompt', 'idle_prompt', false],
    ['InstructionsLoaded', 'path_glob_match|nested_traversal', 'nested_traversal', true],
    ['SessionEnd', 'clear|logout', 'other', false],
    ['Elicitation', 'my-server', 'my-server', true],
    ['PostCompact', 'auto', 'auto', true],
    ['UserPromptExpansion', 'deploy', 'deploy', true],
  ] as const)('%s %j on %j: %s', (event, matcher, value, covers) => {
    expect(coversValue(event, matcher, value)).toBe(covers)
  })
})

describe('seconds that a hook has by default', () => {
  test.each([
    ['PreToolUse', 'command', 600],
    ['PreToolUse', 'http', 600],
    ['PreToolUse', 'mcp_tool', 600],
    ['PreToolUse', 'prompt', 30],
    ['PreToolUse', 'agent', 60],
    ['UserPromptSubmit', 'command', 30],
    ['UserPromptSubmit', 'http', 30],
    ['UserPromptSubmit', 'agent', 60],
    ['MessageDisplay', 'command', 10],
    ['SessionEnd', 'command', 1.5],
    ['WorktreeCreate', 'command', 600],
    ['Stop', 'prompt', 30],
  ] as const)('%s %s: %s', (event, type, seconds) => {
    expect(timeoutOf(event, { type })).toBe(seconds * 1_000)
  })

  test('are its own where it says so; those of the end are bounded', () => {
    expect(timeoutOf('Stop', { type: 'prompt', timeout: 90 })).toBe(90_000)
    expect(timeoutOf('SessionEnd', { type: 'command', timeout: 90 })).toBe(60_000)
  })
})

describe('exit code 2', () => {
  const blocked: readonly HookEvent[] = [
    'PreToolUse',
    'UserPromptSubmit',
    'UserPromptExpansion',
    'Stop',
    'SubagentStop',
    'TeammateIdle',
    'TaskCreated',
    'TaskCompleted',
    'ConfigChange',
    'PostToolBatch',
    'PreCompact',
    'Elicitation',
    'ElicitationResult',
  ]
  const told: readonly HookEvent[] = ['PostToolUse', 'PostToolUseFailure']
  const shown: readonly HookEvent[] = [
    'SubagentStart',
    'SessionStart',
    'Setup',
    'SessionEnd',
    'CwdChanged',
    'FileChanged',
    'PostCompact',
  ]
  test.each(shared.filter((event) => event !== 'WorktreeCreate'))(
    'at %s blocks, is told, is shown, or nothing',
    (event) => {
      const { answer } = understand(event, end(2, '', 'why'))
      expect([answer.blocks, answer.context, answer.notices]).toEqual([
        blocked.includes(event),
        told.includes(event) ? ['why'] : [],
        shown.includes(event) ? ['why'] : [],
      ])
    },
  )

  test.each([1, 2, 127])('is any code at WorktreeCreate: %s', (code) => {
    expect(understand('WorktreeCreate', end(code, '/tree', 'no svn')).failed).toBe('no svn')
  })

  test('drops the answer to a question, and keeps other JSON', () => {
    const accept = own('Elicitation', { action: 'accept', content: { a: 1 } })
    expect(understand('Elicitation', end(2, accept)).answer).toMatchObject({ blocks: true, own: {} })
    const add = { systemMessage: 'seen', ...own('PreToolUse', { additionalContext: 'ctx' }) }
    expect(understand('PreToolUse', end(2, add, 'no')).answer).toMatchObject({ notices: ['seen'], context: ['ctx'] })
  })

  test.each(['PostToolUse', 'Notification', 'Stop'] as const)(
    'wakes an agent at %s, with stdout where stderr is empty',
    (event) => {
      expect(understand(event, end(2, 'three fail'), true).answer).toMatchObject({ blocks: true, reason: 'three fail' })
      expect(understand(event, end(2, 'out', 'err'), true).answer.reason).toBe('err')
      expect(understand(event, end(0, 'out'), true).answer.blocks).toBe(false)
    },
  )
})

test.each(shared)('plain text at %s is for the model at three events', (event) => {
  const tells = ['SessionStart', 'UserPromptSubmit', 'UserPromptExpansion'].includes(event)
  if (event === 'WorktreeCreate') return
  expect(understand(event, end(0, ' on main ')).answer.context).toEqual(tells ? ['on main'] : [])
  expect(understand(event, end(1, 'on main', 'x'))).toMatchObject({ failed: 'x', answer: { context: [] } })
  expect(understand(event, end(0, '"on main"')).answer.context).toEqual(tells ? ['"on main"'] : [])
})

describe('systemMessage and continue', () => {
  const deaf: readonly HookEvent[] = [
    'InstructionsLoaded',
    'MessageDisplay',
    'Notification',
    'StopFailure',
    'ConfigChange',
    'WorktreeRemove',
    'PreCompact',
    'PostCompact',
    'SessionEnd',
    'Elicitation',
    'ElicitationResult',
  ]
  test.each(shared.filter((event) => event !== 'WorktreeCreate'))('of %s', (event) => {
    const said = { continue: false, stopReason: 'enough', systemMessage: 'mind', suppressOutput: true }
    const { answer } = understand(event, end(0, said))
    const heard = !deaf.includes(event)
    expect([answer.stops, answer.notices]).toEqual(heard ? ['enough', ['mind']] : [null, []])
  })

  test('go before what the event decides, whoever says them', () => {
    const stop = understand('PreToolUse', end(0, { continue: false, stopReason: 'enough' })).answer
    const allow = understand('PreToolUse', end(0, own('PreToolUse', { permissionDecision: 'allow' }))).answer
    expect(together([allow, stop])).toMatchObject({ stops: 'enough', decision: 'allow' })
    expect(understand('Stop', end(3, { continue: false })).answer.stops).toBe('a hook ended the turn')
  })
})

describe('hookSpecificOutput', () => {
  test.each([
    ['SessionStart', { additionalContext: 'a', watchPaths: ['/a'] }, { context: ['a'], own: { watchPaths: ['/a'] } }],
    ['SubagentStart', { additionalContext: 'a' }, { context: ['a'] }],
    ['UserPromptSubmit', { additionalContext: 'a', sessionTitle: 't' }, { context: ['a'] }],
    ['PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'r' }, { decision: 'ask', reason: 'r' }],
    ['PreToolUse', { updatedInput: { command: 'ls' } }, { decision: null, updatedInput: { command: 'ls' } }],
    [
      'PermissionRequest',
      { decision: { behavior: 'deny', message: 'm' } },
      { permission: { behavior: 'deny', message: 'm', interrupt: false } },
    ],
    ['PermissionDenied', { retry: true }, { own: { retry: true } }],
    ['PostToolUse', { updatedToolOutput: { stdout: 'x' } }, { own: { updatedToolOutput: { stdout: 'x' } } }],
    ['PostToolUseFailure', { additionalContext: 'a' }, { context: ['a'] }],
    ['PostToolBatch', { additionalContext: 'a' }, { context: ['a'] }],
    ['Stop', { additionalContext: 'a' }, { context: ['a'], blocks: false }],
    ['CwdChanged', { watchPaths: [] }, { own: { watchPaths: [] } }],
    ['MessageDisplay', { displayContent: 'd' }, { own: { displayContent: 'd' } }],
    ['ElicitationResult', { action: 'cancel' }, { own: { action: 'cancel' } }],
    ['Notification', { additionalContext: 'a' }, { context: [] }],
    ['StopFailure', { additionalContext: 'a' }, { context: [] }],
    ['PostToolUse', { permissionDecision: 'deny' }, { decision: null, blocks: false }],
  ] as const)('of %s: %j', (event, fields, answer) => {
    expect(understand(event, end(0, own(event, fields)))).toMatchObject({ failed: null, answer })
  })

  test.each([
    ['of another event', own('Stop', {})],
    ['without a name', { hookSpecificOutput: { permissionDecision: 'deny' } }],
    ['of another type', own('PreToolUse', { permissionDecision: 'maybe' })],
    ['with a number for a text', own('PreToolUse', { additionalContext: 7 })],
  ])('%s is a failure that stops nothing', (_, said) => {
    for (const code of [0, 1, null])
      expect(understand('PreToolUse', end(code, said))).toMatchObject({
        failed: expect.stringContaining('cannot be used') as string,
        answer: { decision: null },
      })
    expect(understand('PreToolUse', end(2, said, 'no')).answer).toMatchObject({ blocks: true, reason: 'no' })
  })
})

describe('a tree', () => {
  test.each([
    ['the last line', end(0, 'Welcome\n\u001B[32m/trees/a\u001B[0m\n\n'), '/trees/a'],
    ['the answer of a server', end(null, own('WorktreeCreate', { worktreePath: '/trees/b' })), '/trees/b'],
    ['nothing', end(0), undefined],
    ['an empty answer of a server', end(null), undefined],
  ])('is named by %s', (_, ending, path) => {
    const { answer, failed } = understand('WorktreeCreate', ending)
    expect([answer.own?.worktreePath, failed]).toEqual([path, path === undefined ? 'it named no path of a tree' : null])
  })
})

describe('a result in the shape of the tool', () => {
  test.each([
    ['Bash', { stdout: 'a', stderr: 'b' }, 'a\nb'],
    ['Bash', 'a', null],
    ['Bash', { content: 'a' }, null],
    ['Read', { type: 'text', file: { filePath: '/a', content: 'c' } }, 'c'],
    ['Read', 'c', null],
    ['Write', { filePath: '/a', success: true }, '{"filePath":"/a","success":true}'],
    ['Edit', ['a'], null],
    ['mcp__db__query', 'rows', 'rows'],
    ['mcp__db__query', [1], '[1]'],
    ['Grep', { content: 'a' }, 'a'],
  ])('%s %j', (tool, said, text) => {
    expect(replacedText(tool, said)).toBe(text)
  })
})

describe('a hook that asks a model', () => {
  const prompt: HookSpec = { type: 'prompt', prompt: 'Safe?' }
  const no = '{"ok": false, "reason": "why"}'
  const answer = (hook: Parameters<typeof hookVerdict>[0], event: HookEvent, text = no) => {
    const verdict = hookVerdict(hook, event, text)
    return 'ending' in verdict ? understand(event, verdict.ending).answer : verdict
  }

  test.each([
    ['Stop', { blocks: true, reason: 'why', stops: null }],
    ['SubagentStop', { blocks: true, stops: null }],
    ['PreToolUse', { decision: 'deny', stops: 'why' }],
    ['PostToolUse', { blocks: true, stops: 'why' }],
    ['PostToolBatch', { blocks: true }],
    ['UserPromptSubmit', { blocks: true }],
    ['UserPromptExpansion', { blocks: true }],
    ['PostToolUseFailure', { blocks: true, stops: null }],
    ['TaskCreated', { blocks: true, stops: null }],
    ['TaskCompleted', { blocks: true, stops: null }],
    ['TeammateIdle', { stops: 'why' }],
    ['PermissionRequest', { permission: null, blocks: false, decision: null }],
    ['PermissionDenied', { blocks: false, context: [] }],
  ] as const)('and hears no at %s', (event, said) => {
    expect(answer(prompt, event)).toMatchObject(said)
    expect(answer({ type: 'agent', prompt: 'Safe?' }, event)).toMatchObject({ ...said, stops: null })
    expect(answer({ ...prompt, continueOnBlock: true }, event)).toMatchObject({ ...said, stops: null })
  })

  test('lets an end be that can never be allowed, of a prompt alone', () => {
    const never = '{"ok": false, "reason": "why", "impossible": true}'
    expect(answer(prompt, 'Stop', never)).toMatchObject({ blocks: false, notices: ['why'] })
    expect(answer({ type: 'agent', prompt: 'Safe?' }, 'Stop', never)).toMatchObject({ blocks: true })
    expect(answer(prompt, 'PreToolUse', never)).toMatchObject({ decision: 'deny' })
  })

  test('is given the event where $ARGUMENTS stands, else behind the text; a dollar may be escaped', () => {
    const input = { hook_event_name: 'Stop', tool_input: { command: 'ls' } } as const
    const whole = JSON.stringify(input)
    expect(filledInput('See $ARGUMENTS.', input)).toBe(`See ${whole}.`)
    expect(filledInput('Below \\$1.00 ${tool_input.command}?', input)).toBe(`Below $1.00 ls?\n\n${whole}`)
    expect(filledInput('\\$ARGUMENTS', input)).toBe(`$ARGUMENTS\n\n${whole}`)
    expect(filledInput('{"a": "${tool_input.command}"}', { ...input, tool_input: { command: '"' } }, true)).toBe(
      '{"a": "\\""}',
    )
  })
})

describe('hooks as they are written', () => {
  const place = { source: 'user', at: () => 'settings.json:1' } as const
  const read = (hook: object, event = 'PreToolUse') => readHooks({ [event]: [{ hooks: [hook] }] }, place)

  test.each([
    { type: 'command', command: 'x', shell: 'powershell' },
    { type: 'command', command: 'x', shell: 'powershell', args: [] },
    { type: 'command', command: 'x', async: true, asyncRewake: true, timeout: 3, statusMessage: 's', once: true },
    { type: 'http', url: 'http://localhost', headers: { a: '$B' }, allowedEnvVars: ['B'] },
    { type: 'mcp_tool', server: 's', tool: 't', input: { a: '${tool_input.a}' } },
    { type: 'prompt', prompt: 'p', model: 'm', continueOnBlock: true },
    { type: 'agent', prompt: 'p', if: 'Bash(git *)' },
  ])('are understood: %j', (hook) => {
    expect(read(hook)).toMatchObject({ complaints: [], hooks: [{ spec: hook }] })
  })

  test.each([
    [{ type: 'command' }, 'command'],
    [{ type: 'http' }, 'url'],
    [{ type: 'mcp_tool', server: 's' }, 'tool'],
    [{ type: 'webhook', url: 'x' }, 'type'],
    [{ type: 'command', command: 'x', timeout: 0 }, 'timeout'],
    [{ type: 'command', command: 'x', if: 'Bash(' }, 'if'],
  ])('are told of where they are wrong: %j', (hook, field) => {
    const { hooks, complaints } = read(hook)
    expect(hooks).toEqual([])
    expect(complaints[0]?.path.at(-1)).toBe(field)
  })

  test('are another text with every letter that changes', () => {
    const [a, b] = ['x', 'x '].map((command) => read({ type: 'command', command }).hooks[0])
    expect(a && hookText(a)).not.toBe(b && hookText(b))
  })
})

test.each([
  ['https://hooks.example.com/*', 'https://HOOKS.example.com./a?b', true],
  ['https://hooks.example.com/*', 'http://hooks.example.com/a', false],
  ['https://hooks.example.com/*', 'https://hooks.example.com.evil.org/', false],
  ['https://hooks.example.com/*', 'https://hooks.example.com@evil.org/', false],
  ['http://localhost:*', 'http://localhost:8080/x', true],
  ['http://localhost:*', 'http://localhost/x', true],
  ['http://localhost:*', 'http://localhost:80@evil.org/', false],
  ['https://*.example.com/*', 'https://a.EXAMPLE.com/', true],
  ['https://example.com', 'https://example.com/', true],
  ['https://example.com/Hook', 'https://example.com/hook', false],
  ['*', 'http://anywhere/', true],
  ['*', 'no address', false],
])('the pattern %j and %j: %s', (pattern, url, matches) => {
  expect(matchesUrl(pattern, url)).toBe(matches)
})

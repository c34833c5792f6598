import { describe, expect, test } from 'vitest'
import type { HookEvent } from '../../../src/protocol/hooks/hook.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { together, understand } from '../../../src/rules/hooks/hook-answer.ts'
import { meetsCondition } from '../../../src/rules/hooks/hook-condition.ts'
import { coversValue } from '../../../src/rules/hooks/hook-events.ts'

/*
 * Sentences of the reference of Claude Code's hooks, one case each.
 * @source https://code.claude.com/docs/en/hooks
 */

const end = (code: number | null, stdout: unknown = '', stderr = '') => ({
  code,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
})
const own = (hookEventName: HookEvent, fields: object, beside: object = {}) => ({
  ...beside,
  hookSpecificOutput: { hookEventName, ...fields },
})
const place = { cwd: '/repo', home: '/home/ann' }

describe('an if condition', () => {
  const meets = (rule: string, tool: string, input: object): boolean =>
    meetsCondition(rule, analyse({ tool, input, ...place }), { ...place, root: place.cwd })

  test.each([
    ['Bash(git *)', 'FOO=bar git push', true],
    ['Bash(git *)', 'npm test && git push', true],
    ['Bash(rm *)', 'echo $(rm -rf /)', true],
    ['Bash(rm *)', 'echo `rm -rf /`', true],
    ['Bash(rm *)', 'echo $(date)', false],
    ['Bash(git push *)', 'echo $(date)', true],
    ['Bash(git push *)', 'echo $HOME', true],
    ['Bash(git *)', 'echo "unclosed', true],
    ['Bash', 'ls', true],
    ['PowerShell(Remove-Item *)', 'rm -rf x', false],
    ['Bash(rm *)', 'npm test; rm a', true],
    ['Bash(rm *)', 'cat a | xargs rm', true],
  ])('%s and %s: %s', (rule, command, runs) => {
    expect(meets(rule, 'Bash', { command })).toBe(runs)
  })

  test.each([
    ['Edit(*.ts)', 'Edit', 'a.ts', true],
    ['Edit(*.ts)', 'Edit', '/repo/src/a.ts', true],
    ['Edit(*.ts)', 'Edit', 'a.js', false],
    ['Edit(src/**)', 'Edit', '/repo/src/a/b.ts', true],
    ['Edit(src/**)', 'Edit', '/repo/lib/src/b.ts', false],
    ['Edit(**/src/**)', 'Edit', '/repo/lib/src/b.ts', true],
    ['Edit(*.ts)', 'Read', 'a.ts', false],
  ])('%s and %s of %s: %s', (rule, tool, file_path, runs) => {
    const more = tool === 'Edit' ? { old_string: 'a', new_string: 'b' } : {}
    expect(meets(rule, tool, { file_path, ...more })).toBe(runs)
  })
})

test.each([
  ['SessionStart', 'startup|resume', 'resume', true],
  ['SessionStart', 'startup, resume', 'compact', false],
  ['PreToolUse', 'Bash', 'BashOutput', false],
  ['PreToolUse', '^Notebook', 'NotebookEdit', true],
  ['PreToolUse', '^Edit$', 'NotebookEdit', false],
  ['PreToolUse', 'mcp__memory__.*', 'mcp__memory__create_entities', true],
  ['PreToolUse', 'mcp__.*', 'Bash', false],
  ['SubagentStart', 'my-plugin:reviewer', 'my-plugin:reviewer-2', true],
  ['FileChanged', '.envrc|.env', 'xenv', true],
  ['FileChanged', 'package-lock', 'package-lock.json', true],
  ['Stop', 'whatever', '', true],
] as const)('the matcher of %s %j covers %j: %s', (event, matcher, value, covers) => {
  expect(coversValue(event, matcher, value)).toBe(covers)
})

describe('the ending of a hook', () => {
  test.each([
    [
      'JSON after blanks is JSON',
      'Stop',
      end(0, '\n  {"decision":"block","reason":"r"}\n'),
      { blocks: true, reason: 'r' },
    ],
    ['JSON behind a word is text', 'Stop', end(0, 'hi {"decision":"block"}'), { blocks: false }],
    ['a quoted text is text', 'UserPromptSubmit', end(0, '"ctx"'), { context: ['"ctx"'] }],
    ['a list is text', 'UserPromptSubmit', end(0, '["ctx"]'), { context: ['["ctx"]'] }],
    ['bad JSON is text', 'SessionStart', end(0, '{ on main }'), { context: ['{ on main }'] }],
    ['stderr of a success is told to nobody', 'PostToolUse', end(0, '', 'warn'), { context: [], notices: [] }],
    [
      'a valid object counts with exit code 1',
      'PreToolUse',
      end(1, own('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'r' }), 'err'),
      { decision: 'deny', reason: 'r' },
    ],
    [
      'its change of the input, too',
      'PreToolUse',
      end(127, own('PreToolUse', { updatedInput: { command: 'ls' } })),
      { updatedInput: { command: 'ls' } },
    ],
    [
      'the reason of JSON goes before stderr with exit code 2',
      'UserPromptSubmit',
      end(2, { decision: 'block', reason: 'json' }, 'err'),
      { blocks: true, reason: 'json' },
    ],
    [
      'and stderr counts where JSON blocks nothing',
      'PreToolUse',
      end(2, own('PreToolUse', { permissionDecision: 'allow', permissionDecisionReason: 'fine' }), 'err'),
      { decision: 'deny', reason: 'err' },
    ],
    [
      'a request is not denied by exit code 2',
      'PermissionRequest',
      end(2, '', 'no'),
      { blocks: false, permission: null, context: [], notices: [] },
    ],
    [
      'but by the decision beside it',
      'PermissionRequest',
      end(2, own('PermissionRequest', { decision: { behavior: 'deny', message: 'm' } })),
      { permission: { behavior: 'deny', message: 'm' } },
    ],
    [
      'an interruption is for a denial alone',
      'PermissionRequest',
      end(0, own('PermissionRequest', { decision: { behavior: 'allow', interrupt: true, message: 'm' } })),
      { permission: { behavior: 'allow', interrupt: false, message: '' } },
    ],
    [
      'continue: false ends a member whose task is completed',
      'TaskCompleted',
      end(0, { continue: false, stopReason: 'r' }),
      { stops: 'r' },
    ],
    ['a task is not created', 'TaskCreated', end(0, { decision: 'block', reason: 'r' }), { blocks: true, reason: 'r' }],
    [
      'a beginning cannot be blocked by JSON',
      'SessionStart',
      end(0, { decision: 'block', reason: 'r' }),
      { blocks: false },
    ],
    ['nor a worker', 'SubagentStart', end(0, { decision: 'block', reason: 'r' }), { blocks: false }],
    ['nor an end', 'SessionEnd', end(0, { decision: 'block' }), { blocks: false }],
    ['nor a failure', 'StopFailure', end(0, { decision: 'block' }), { blocks: false }],
    ['nor a change that is done', 'FileChanged', end(0, { decision: 'block' }), { blocks: false }],
    ['nor a notification', 'Notification', end(0, { decision: 'block' }), { blocks: false }],
    ['a compaction is kept off by JSON', 'PreCompact', end(0, { decision: 'block', reason: 'r' }), { blocks: true }],
    ['a setting, too', 'ConfigChange', end(0, { decision: 'block', reason: 'r' }), { blocks: true }],
    ['a block after a tool is told', 'PostToolUse', end(0, { decision: 'block', reason: 'r' }), { blocks: true }],
    [
      'a prompt is blocked with its context',
      'UserPromptSubmit',
      end(0, own('UserPromptSubmit', { additionalContext: 'c' }, { decision: 'block', reason: 'r' })),
      { blocks: true, reason: 'r', context: ['c'] },
    ],
    [
      'a worker hears feedback as a coordinator does',
      'SubagentStop',
      end(0, own('SubagentStop', { additionalContext: 'c' })),
      { blocks: false, context: ['c'] },
    ],
    [
      'an own field that is newer is passed over',
      'PostToolUse',
      end(0, own('PostToolUse', { classifierContext: 'staging', additionalContext: 'c' })),
      { context: ['c'] },
    ],
    [
      'fields of a beginning that nobody reads here, too',
      'SessionStart',
      end(0, own('SessionStart', { sessionTitle: 't', reloadSkills: true, initialUserMessage: 'm' })),
      { context: [] },
    ],
    [
      'an unknown word at the top, too',
      'Stop',
      end(0, { terminalSequence: '\u0007', decision: 'block' }),
      { blocks: true },
    ],
    [
      'an answer of a server without its body',
      'PreToolUse',
      end(null, ''),
      { decision: null, blocks: false, context: [] },
    ],
    [
      'an answer of a server with one',
      'PreToolUse',
      end(null, own('PreToolUse', { permissionDecision: 'deny' })),
      { decision: 'deny' },
    ],
  ] satisfies readonly (readonly [string, HookEvent, ReturnType<typeof end>, object])[])(
    '%s',
    (_, event, ending, answer) => {
      const understood = understand(event, ending)
      expect(understood.failed).toBeNull()
      expect(understood.answer).toMatchObject(answer)
    },
  )

  test.each([
    ['text of a server', 'UserPromptSubmit', end(null, 'ctx'), 'something else than a JSON object'],
    ['a list of a server', 'PreToolUse', end(null, '[]'), 'something else than a JSON object'],
    ['a program that is not there', 'PreToolUse', end(127, '', 'not found'), 'not found'],
    ['a program that is killed without a word', 'Stop', end(137), 'exit code 137'],
    ['text beside another code', 'SessionStart', end(1, 'ctx'), 'exit code 1'],
  ] as const)('%s fails and blocks nothing', (_, event, ending, words) => {
    const { failed, answer } = understand(event, ending)
    expect(failed).toContain(words)
    expect(answer).toMatchObject({ blocks: false, decision: null, context: [], stops: null })
  })
})

test('a denial of a permission changes neither the input nor the rules', () => {
  const updatedPermissions = [{ type: 'setMode', mode: 'acceptEdits' }]
  const decision = { behavior: 'deny', message: 'm', interrupt: true, updatedInput: { a: 1 }, updatedPermissions }
  expect(understand('PermissionRequest', end(0, own('PermissionRequest', { decision }))).answer.permission).toEqual({
    behavior: 'deny',
    message: 'm',
    interrupt: true,
    proposals: [],
  })
})

test('a call that is put off is put off before it is asked about, and what others add stays', () => {
  const say = (permissionDecision: string, more: object = {}) =>
    understand('PreToolUse', end(0, own('PreToolUse', { permissionDecision, ...more }))).answer
  const whole = together([say('ask', { additionalContext: 'a' }), say('defer', { updatedInput: { x: 1 } })])
  expect(whole).toMatchObject({ decision: 'defer', context: ['a'] })
  expect(together([say('allow', { additionalContext: 'a' }), say('allow', { additionalContext: 'b' })])).toMatchObject({
    decision: 'allow',
    context: ['a', 'b'],
  })
})

import { describe, expect, test } from 'vitest'
import { hookEvents, type HookEvent } from '../../../src/protocol/hooks/hook.ts'
import { silent, together, understand } from '../../../src/rules/hooks/hook-answer.ts'
import { eventTraits } from '../../../src/rules/hooks/hook-events.ts'
import { readHooks } from '../../../src/rules/hooks/read-hooks.ts'

const end = (code: number | null, stdout: unknown = '', stderr = '') => ({
  code,
  stdout: typeof stdout === 'string' ? stdout : JSON.stringify(stdout),
  stderr,
})
const says = (decision: string, more: object = {}) => ({
  hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: decision, ...more },
})

describe('the ending of a hook', () => {
  test.each([
    ['an allow cannot undo exit code 2', 'PreToolUse', end(2, says('allow'), 'no'), { decision: 'deny', reason: 'no' }],
    ['a decision for another event is none', 'PreToolUse', end(0, says('deny').hookSpecificOutput), { decision: null }],
    ['half a JSON is plain text', 'PreToolUse', end(0, '{"decision": "blo'), { decision: null, blocks: false }],
    ['a list is no answer', 'PreToolUse', end(0, '[{"decision":"block"}]'), { decision: null }],
    ['a block of old is a denial', 'PreToolUse', end(0, { decision: 'block', reason: 'x' }), { decision: 'deny' }],
    ['no block where nothing can be blocked', 'SessionStart', end(2, '', 'x'), { blocks: false, notices: ['x'] }],
    ['null is nothing said', 'PreToolUse', end(0, { decision: 'block', reason: null }), { decision: 'deny' }],
    ['an allow of old allows', 'PreToolUse', end(0, { decision: 'allow' }), { decision: 'allow' }],
    ['a block counts beside nonsense', 'Stop', end(0, { decision: 'block', reason: 7 }), { blocks: true }],
    ['a stop hook blocks', 'Stop', end(2, '', 'again'), { blocks: true, reason: 'again' }],
    ['plain text is context at a beginning', 'SessionStart', end(0, 'on main'), { context: ['on main'] }],
    ['plain text is none elsewhere', 'PostToolUse', end(0, 'quiet'), { context: [] }],
    [
      'continue: false ends the turn',
      'PostToolUse',
      end(0, { continue: false, stopReason: 'enough' }),
      { stops: 'enough' },
    ],
  ] satisfies readonly (readonly [string, HookEvent, ReturnType<typeof end>, object])[])(
    '%s',
    (_, event, ending, answer) => {
      expect(understand(event, ending)).toMatchObject({ answer, failed: null })
    },
  )

  test('of a weaker source does not answer for a stronger one', () => {
    const answer = (action: string, content?: object) =>
      understand('Elicitation', end(0, { hookSpecificOutput: { hookEventName: 'Elicitation', action, content } }))
        .answer
    const [yes, no] = [answer('accept', { name: 'x' }), answer('decline')]
    expect(together([no, yes]).own).toMatchObject({ action: 'decline', content: undefined })
    expect(together([yes, no]).own).toMatchObject({ action: 'decline', content: undefined })
    expect(together([yes, answer('accept', { name: 'y' })]).own).toMatchObject({ content: { name: 'x' } })
  })

  test('watches the paths of all', () => {
    const watch = (path: string) =>
      understand('CwdChanged', end(0, { hookSpecificOutput: { hookEventName: 'CwdChanged', watchPaths: [path] } }))
        .answer
    expect(together([watch('/a'), watch('/b')]).own?.watchPaths).toEqual(['/a', '/b'])
  })

  test('with another code and no JSON is a failure without a say', () => {
    expect(understand('PreToolUse', end(1, 'deny', 'oops'))).toEqual({ answer: silent, failed: 'oops' })
  })
})

test('a denial is a veto, whatever the others say, in any order', () => {
  const answers = ['allow', 'ask', 'defer', 'deny'].map((each) => understand('PreToolUse', end(0, says(each))).answer)
  expect(together(answers).decision).toBe('deny')
  expect(together(answers.slice(0, 3).toReversed()).decision).toBe('defer')
  expect(together(answers.slice(0, 2)).decision).toBe('ask')
  expect(together([silent])).toEqual(silent)
})

describe('hooks in a file', () => {
  const place = { source: 'user', at: () => 'settings.json:1' } as const
  const group = { matcher: 'Bash', hooks: [{ type: 'command', command: 'true' }] }

  test('that cannot be used are told with a remedy, and the others stay', () => {
    const { hooks, complaints } = readHooks(
      {
        PreToolUse: [group, { hooks: [{ type: 'command' }] }, { matcher: '(', hooks: [] }],
        PreTolUse: [],
        Setup: [group],
      },
      place,
    )
    expect(hooks).toHaveLength(2)
    expect(complaints).toMatchObject([
      { path: ['hooks', 'PreToolUse', 1, 'hooks', 0, 'command'] },
      { path: ['hooks', 'PreToolUse', 2, 'matcher'] },
      { message: 'there is no event PreTolUse', hint: 'did you mean "PreToolUse"?' },
      { message: expect.stringContaining('never fires') as string },
    ])
  })

  test('know every event', () => {
    expect(Object.keys(eventTraits).toSorted()).toEqual([...hookEvents].toSorted())
  })
})

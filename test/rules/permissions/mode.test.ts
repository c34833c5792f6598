import { expect, test, describe } from 'vitest'
import { permissionModes } from '../../../src/protocol/permissions/permission.ts'
import {
  chooseMode,
  modeAuthorities,
  modeWidth,
  nextMode,
  modeInForce,
  unplanned,
} from '../../../src/rules/permissions/mode.ts'
import { test as property, fc } from '@fast-check/vitest'
import { refusalText } from '../../../src/rules/permissions/refusal-text.ts'

test.for([
  ['default', 'acceptEdits', 'acceptEdits'],
  ['acceptEdits', 'plan', 'plan'],
  ['plan', 'bypassPermissions', 'default'],
  ['bypassPermissions', 'default', 'default'],
  ['dontAsk', 'default', 'default'],
] as const)('after %s comes %s where bypass is open, else %s', ([mode, open, shut]) => {
  expect(nextMode(mode, { bypass: true })).toBe(open)
  expect(nextMode(mode, { bypass: false })).toBe(shut)
})

test('stepping on from any mode comes back to default, through bypassPermissions only where it is open', () => {
  for (const bypass of [true, false]) {
    for (const mode of permissionModes) {
      const seen = [mode]
      for (let at = nextMode(mode, { bypass }); at !== 'default'; at = nextMode(at, { bypass })) seen.push(at)
      expect(seen.slice(1).includes('bypassPermissions')).toBe(
        bypass && mode !== 'bypassPermissions' && mode !== 'dontAsk',
      )
    }
  }
})

test.for([
  [{}, 'default'],
  [{ user: 'acceptEdits' }, 'acceptEdits'],
  [{ user: 'acceptEdits', project: 'plan' }, 'plan'],
  [{ project: 'plan', local: 'dontAsk' }, 'dontAsk'],
  [{ local: 'dontAsk', team: 'plan' }, 'plan'],
  [{ team: 'plan', cliArg: 'acceptEdits' }, 'acceptEdits'],
  [{ cliArg: 'acceptEdits', policy: 'default' }, 'default'],
  [{ cliArg: 'plan', policy: 'default' }, 'plan'],
  [{ cliArg: 'bypassPermissions', user: 'plan' }, 'plan'],
  [{ policy: 'bypassPermissions' }, 'default'],
] as const)('of the wishes %j the mode is %s', ([wished, mode]) => {
  expect(chooseMode(wished, { bypass: false })).toBe(mode)
})

test('once a person opened it, bypassPermissions is a mode like the others, and the managed policy still the widest', () => {
  expect(chooseMode({ cliArg: 'bypassPermissions' }, { bypass: true })).toBe('bypassPermissions')
  expect(chooseMode({ cliArg: 'bypassPermissions', policy: 'acceptEdits' }, { bypass: true })).toBe('acceptEdits')
})

test('no wish, whoever has it, is wider than what the managed policy wishes', () => {
  for (const policy of permissionModes) {
    for (const other of permissionModes) {
      const chosen = chooseMode({ policy, cliArg: other, user: other }, { bypass: true })
      expect(modeWidth[chosen]).toBeLessThanOrEqual(modeWidth[policy])
    }
  }
})

test('the managed policy asks first for a mode, then the command line, the team, and the files from near to far', () => {
  expect(modeAuthorities).toEqual(['policy', 'cliArg', 'team', 'local', 'project', 'user'])
})

describe('the mode in force', () => {
  const entered = { entered: true, approved: false }
  const approved = { entered: false, approved: true }

  test('is plan for whoever chose to plan, until the plan is approved', () => {
    expect(modeInForce({ mode: 'acceptEdits' }, unplanned)).toBe('acceptEdits')
    expect(modeInForce({ mode: 'acceptEdits' }, entered)).toBe('plan')
    expect(modeInForce({ mode: 'acceptEdits' }, approved)).toBe('acceptEdits')
  })

  test('is what comes after the plan for whoever has to plan, where anything does', () => {
    expect(modeInForce({ mode: 'plan', afterPlan: 'default' }, unplanned)).toBe('plan')
    expect(modeInForce({ mode: 'plan', afterPlan: 'default' }, approved)).toBe('default')
    expect(modeInForce({ mode: 'plan' }, approved)).toBe('plan')
  })

  property.prop([fc.constantFrom(...permissionModes), fc.boolean(), fc.boolean()])(
    'is never another than its own, plan, or the one that its policy names for after',
    (mode, isEntered, isApproved) => {
      const found = modeInForce({ mode, afterPlan: 'dontAsk' }, { entered: isEntered, approved: isApproved })
      expect([mode, 'plan', ...(mode === 'plan' ? ['dontAsk'] : [])]).toContain(found)
    },
  )
})

test('a plan that was not approved is told with the advice, and what to do now', () => {
  const refused = { behavior: 'deny', source: 'human', reason: 'Keep the old name' } as const
  expect(refusalText(refused, 'ExitPlanMode')).toMatch(
    /^The plan was not approved: Keep the old name\. .*propose it again/,
  )
  expect(refusalText({ ...refused, source: 'nobody' }, 'ExitPlanMode')).toMatch(/end your turn with the plan/)
  expect(refusalText(refused, 'Bash')).toMatch(/^A person refused this call/)
  expect(refusalText({ ...refused, source: 'user' }, 'ExitPlanMode')).toMatch(/^Permission denied/)
})

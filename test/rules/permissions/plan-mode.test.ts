import { test as property, fc } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { permissionModes } from '../../../src/protocol/permissions/permission.ts'
import { modeInForce, planRefusal, unplanned } from '../../../src/rules/permissions/plan-mode.ts'
import { refusalText } from '../../../src/rules/permissions/refusal-text.ts'

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
  expect(planRefusal('user', 'a rule')).toBeNull()
})

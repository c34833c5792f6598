import { expect, test } from 'vitest'
import type { HookOpinion } from '../../../src/protocol/hooks/hook.ts'
import type { Decision, PermissionMode } from '../../../src/protocol/permissions/permission.ts'
import { withOpinion } from '../../../src/rules/hooks/hook-opinion.ts'

const by = (behavior: Decision['behavior'], source: Decision['source']): Decision => ({ behavior, source, reason: 'x' })
const mine = by('ask', 'mode')
const allow: HookOpinion = { behavior: 'allow', reason: '' }
const ask: HookOpinion = { behavior: 'ask', reason: '' }

test.each([
  ["an allow answers the mode's own question", mine, allow, 'default', 'allow'],
  ['and no ask rule', by('ask', 'project'), allow, 'default', 'ask'],
  ['and no bound', by('ask', 'bounds'), allow, 'bypassPermissions', 'ask'],
  ['and no deny rule', by('deny', 'user'), allow, 'default', 'deny'],
  ['and nothing in plan mode', mine, allow, 'plan', 'ask'],
  ["and what dontAsk would have denied for the mode's own question", by('deny', 'nobody'), allow, 'dontAsk', 'allow'],
  ['an ask makes a question of a permission', by('allow', 'user'), ask, 'default', 'ask'],
  ['also in bypassPermissions mode', by('allow', 'mode'), ask, 'bypassPermissions', 'ask'],
  ['a denial in dontAsk mode', by('allow', 'user'), ask, 'dontAsk', 'deny'],
  ['and softens no denial', by('deny', 'user'), ask, 'default', 'deny'],
] satisfies readonly (readonly [string, Decision, HookOpinion, PermissionMode, Decision['behavior']])[])(
  '%s',
  (_, decision, opinion, mode, behavior) => {
    expect(withOpinion(decision, opinion, { mode, usual: () => mine }).behavior).toBe(behavior)
  },
)

test('what dontAsk denied for the sake of a rule stays denied', () => {
  const usual = (): Decision => by('ask', 'project')
  expect(withOpinion(by('deny', 'nobody'), allow, { mode: 'dontAsk', usual }).behavior).toBe('deny')
})

import { expect, test } from 'vitest'
import { ruleWarnings } from '../../../src/rules/settings/settings-warnings.ts'

const at = (line: number) => ({ at: `~/.troupe/settings.json:${line}` })

test('an allow rule that another rule always comes before is warned about at its line', () => {
  const [warning, ...more] = ruleWarnings({
    rules: { policy: { deny: ['Bash(git push:*)'] }, user: { allow: ['Bash(git push origin:*)', 'Bash(ls:*)'] } },
    origins: { user: { allow: [at(3), at(4)] } },
    modes: {},
  })
  expect(more).toEqual([])
  expect(warning).toMatchObject({
    code: 'shadowed_rule',
    severity: 'warning',
    file: '~/.troupe/settings.json',
    line: 3,
  })
  expect(warning?.message).toBe('Bash(git push origin:*) never applies: Bash(git push:*) (deny, policy) comes first')
})

test('an allow rule that the chosen mode puts out of force is warned about', () => {
  const rules = { user: { allow: ['Bash(python3:*)', 'Bash(npm test:*)'] } }
  const origins = { user: { allow: [at(3), at(4)] } }
  expect(ruleWarnings({ rules, origins, modes: { user: 'default' } })).toEqual([])
  const found = ruleWarnings({ rules, origins, modes: { user: 'acceptEdits' } })
  expect(found.map(({ code, line }) => [code, line])).toEqual([['stripped_rule', 3]])
})

test('a thousand rules against a thousand are looked through', () => {
  const allow = Array.from({ length: 1_000 }, (_, i) => `Bash(tool-${i} run:*)`)
  const deny = Array.from({ length: 1_000 }, (_, i) => `Bash(tool-${i * 2}:*)`)
  const origins = { local: { allow: allow.map((_, i) => at(i)) } }
  expect(ruleWarnings({ rules: { local: { allow }, user: { deny } }, origins, modes: {} })).toHaveLength(500)
})

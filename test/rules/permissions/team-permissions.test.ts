import { expect, test } from 'vitest'
import { memberRights, memberRules, rightsText } from '../../../src/rules/permissions/team-permissions.ts'
import { permissionProblems } from '../../../src/rules/permissions/team-permissions.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'

const plain = sampleTeam(['lead', 'writer'])
const team = {
  ...plain,
  permissions: { mode: 'acceptEdits' as const, deny: ['Bash(git push:*)'] },
  members: plain.members.map((card) =>
    card.role === 'coordinator'
      ? { ...card, permissions: { deny: ['Bash(rm *)'], ask: ['WebFetch'], allow: ['Bash(ls)'] } }
      : { ...card, permissions: { allow: ['Bash(rm *)', 'Bash(cat:*)'], mode: 'plan' as const } },
  ),
}
const [lead, writer] = team.members

test('what binds the coordinator binds those it delegates to; what it is allowed does not', () => {
  if (!lead || !writer) throw new Error('the team has nobody')
  expect(memberRules(team, writer)).toEqual({
    allow: ['Bash(rm *)', 'Bash(cat:*)'],
    ask: ['WebFetch'],
    deny: ['Bash(git push:*)', 'Bash(rm *)'],
  })
  expect(memberRules(team, lead).deny).toEqual(['Bash(git push:*)', 'Bash(rm *)'])
})

test('the rights of each card stand in one line', () => {
  const [ofLead = '', ofWriter = ''] = memberRights(team).map(rightsText)
  expect(ofLead).toMatch(
    /^lead: acceptEdits mode; .*; allow Bash\(ls\); ask WebFetch; deny Bash\(git push:\*\), Bash\(rm \*\)$/,
  )
  expect(ofWriter).toMatch(/^writer: plan mode; .*; deny Bash\(git push:\*\), Bash\(rm \*\)$/)
})

test('a worker that allows what its coordinator is denied is warned of', () => {
  expect(permissionProblems(team)).toMatchObject([
    { severity: 'warning', code: 'allow_denied', path: ['workers', 'writer', 'permissions', 'allow', 0] },
  ])
})

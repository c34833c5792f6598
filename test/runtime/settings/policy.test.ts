import { expect, test } from 'vitest'
import type { Settings } from '../../../src/protocol/permissions/settings.ts'
import {
  grantablePolicy,
  leaderPolicy,
  policyFor,
  policyOf,
  withGrants,
  teamPolicies,
} from '../../../src/runtime/settings/policy.ts'
import { policyExcess } from '../../../src/rules/rights/policy-subset.ts'
import { teamGrants } from '../../../src/rules/settings/settings-trust.ts'
import { settleSettings } from '../../../src/rules/settings/settings-cascade.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { policyHash } from '../../../src/runtime/settings/policy-hash.ts'
import type { MemberCard } from '../../../src/protocol/team/team-card.ts'
import { openSettings } from '../../../src/runtime/settings/open-settings.ts'
import { workspace } from './support/workspace.ts'

const team = sampleTeam()
const lead = team.members[0] ?? expect.fail('the sample team has no member')

const settings = (over: Partial<Settings> = {}): Settings => ({
  ...settleSettings({ layers: [], flags: {}, trusted: [], tools: ['Bash'], home: '/h' }),
  files: [],
  closed: [],
  ...over,
})
const options = { cwd: '/w', home: '/h', settings: settings() }

test("a team's allow rules count only where they are trusted, its deny rules always", () => {
  const strict = { ...team, permissions: { allow: ['Bash', 'Read'], deny: ['Bash(git push:*)'] } }
  const allowed = (trusted: Settings['trusted']): unknown =>
    policyOf(strict, lead, { ...options, settings: settings({ trusted }) }).rules.project
  expect(allowed([])).toEqual({ allow: [], ask: [], deny: ['Bash(git push:*)'] })
  expect(allowed(['Bash'])).toMatchObject({ allow: ['Bash'] })
  expect(allowed('all')).toMatchObject({ allow: ['Bash', 'Read'] })
})

test("under a policy that lets only its own rules count, neither a team's nor a session's allow rules do", () => {
  const open = { ...team, permissions: { allow: ['Bash'], deny: ['Read'] } }
  const closed = settings({ trusted: 'all', managedOnly: true })
  const policy = policyOf(open, lead, { ...options, settings: closed })
  expect(policy.rules.project).toEqual({ allow: [], ask: [], deny: ['Read'] })
  const session = grantablePolicy(() => policy)
  session.grant('Bash(make)')
  expect(session.policy()).toBe(policy)
})

test('a rule of the team says where it stands', () => {
  const open = { ...team, permissions: { deny: ['Bash', 'Read'] } }
  const policy = policyOf(open, lead, { ...options, places: { Bash: 'team.yaml:4' } })
  expect(policy.origins?.project?.deny).toEqual([{ at: 'team.yaml:4' }, { at: team.file }])
})

test('the command line chooses the mode over the team; a member may only narrow it', () => {
  const careful = { ...team, permissions: { mode: 'plan' as const } }
  const eager = { ...lead, permissions: { mode: 'acceptEdits' as const } }
  const planning = { ...lead, permissions: { mode: 'plan' as const } }
  expect(policyOf(careful, lead, options).mode).toBe('plan')
  expect(policyOf(careful, eager, options).mode).toBe('plan')
  expect(policyOf(team, planning, options).mode).toBe('plan')
  const flagged = { ...options, settings: settings({ modes: { cliArg: 'dontAsk' } }) }
  expect(policyOf(careful, eager, flagged).mode).toBe('dontAsk')
})

test('a mode of a team file that asks less counts only where it is trusted', () => {
  const eager = { ...team, permissions: { mode: 'acceptEdits' as const } }
  const member = { ...lead, permissions: { mode: 'acceptEdits' as const } }
  const modeUnder = (trusted: Settings['trusted'], card = lead) =>
    policyOf(eager, card, { ...options, settings: settings({ trusted }) }).mode
  expect([modeUnder([]), modeUnder([], member)]).toEqual(['default', 'default'])
  expect([modeUnder(['mode acceptEdits']), modeUnder('all', member)]).toEqual(['acceptEdits', 'acceptEdits'])
  expect(teamGrants(eager)).toEqual([{ kind: 'mode', text: 'mode acceptEdits', at: team.file }])
  expect(teamGrants({ ...team, permissions: { mode: 'dontAsk' } })).toEqual([])
})

test('the settings of every source are closed to agents, and so is the trust in them', () => {
  const closed = settings({ closed: ['/etc/troupe', '/w/.claude/settings.json'] })
  const { bounds } = policyFor(closed, options)
  expect(bounds.protected).toEqual(['/w/.troupe', '/h/.troupe', '/etc/troupe', '/w/.claude/settings.json'])
})

test('grants become session rules and leave the policy alone that they were added to', () => {
  const policy = policyOf(team, lead, options)
  expect(withGrants(policy, [])).toBe(policy)
  expect(withGrants(policy, ['Bash(make)']).rules.session).toEqual({ allow: ['Bash(make)'] })
  expect(policy.rules.session).toBeUndefined()
})

test('a policy is made anew only when the one below it changed or something was granted', () => {
  let base = policyOf(team, lead, options)
  const held = grantablePolicy(() => base)
  expect(held.policy()).toBe(base)
  held.grant('Bash(make)')
  const granted = held.policy()
  expect(granted.rules.session?.allow).toEqual(['Bash(make)'])
  expect(held.policy()).toBe(granted)
  base = policyOf(team, lead, { ...options, settings: settings({ modes: { user: 'plan' } }) })
  expect(held.policy()).toMatchObject({ mode: 'plan', rules: { session: { allow: ['Bash(make)'] } } })
})

test("every member's policy is a part of the leader's", () => {
  const open = { ...team, permissions: { allow: ['Bash(make)'], deny: ['Read(./x)'] } }
  const card = { ...lead, permissions: { allow: ['Bash(npm test)'], deny: ['Write'], mode: 'acceptEdits' as const } }
  const trusting = { ...options, settings: settings({ trusted: 'all', modes: { user: 'plan' } }) }
  const members = { ...open, members: [card, ...open.members.slice(1)] }
  expect(policyExcess(policyOf(members, card, trusting), leaderPolicy(members, trusting))).toEqual([])
})

async function policiesOf(cards: (card: MemberCard) => MemberCard, placeOf?: (card: MemberCard) => string) {
  const place = workspace()
  const opened = await openSettings(place)
  await opened.close()
  const team = sampleTeam(['lead', 'ann', 'bob'])
  const members = team.members.map((card) => cards(card))
  let settings = opened.current()
  const policy = teamPolicies(
    { ...team, members },
    {
      ...place,
      settings: () => settings,
      ...(placeOf ? { workplace: (card) => ({ cwd: placeOf(card), tree: null }) } : {}),
    },
  )
  return {
    change: () => (settings = { ...settings, rules: { user: { deny: ['Bash'] } } }),
    of(name: string) {
      const card = members.find((member) => member.name === name)
      return card ? policy(card) : expect.fail(name)
    },
  }
}

const own = (name: string, permissions: MemberCard['permissions']) => (card: MemberCard) =>
  card.name === name ? { ...card, permissions } : { ...card, permissions: {} }

test('members with the same permissions at the same place share one policy, until the settings change', async () => {
  const { of, change } = await policiesOf((card) => ({ ...card, permissions: { deny: ['Read(x)'] } }))
  const before = of('ann')
  expect(of('bob')).toBe(before)
  change()
  expect(of('bob')).not.toBe(before)
  expect(of('bob').rules.user?.deny).toEqual(['Bash'])
  expect(of('ann')).toBe(of('bob'))
})

test('whoever has rules or a mode of its own has a policy of its own, and so has who works elsewhere', async () => {
  const ruled = await policiesOf(own('bob', { deny: ['Read(x)'] }))
  expect(ruled.of('ann').rules.project?.deny).toEqual([])
  expect(ruled.of('bob').rules.project?.deny).toEqual(['Read(x)'])
  const planned = await policiesOf(own('ann', { mode: 'plan' }))
  expect([planned.of('ann').mode, planned.of('bob').mode]).toEqual(['plan', 'default'])
  const apart = await policiesOf(own('nobody', {}), ({ name }) => `/trees/${name}`)
  expect([apart.of('ann').directories, apart.of('bob').directories]).toEqual([['/trees/ann'], ['/trees/bob']])
  expect(policyHash(apart.of('ann'))).not.toBe(policyHash(apart.of('bob')))
})

import { expect, test } from 'vitest'
import { policyHash } from '../../../src/adapters/sessions/orders.ts'
import type { MemberCard } from '../../../src/protocol/team/team-card.ts'
import { openSettings } from '../../../src/runtime/settings/open-settings.ts'
import { teamPolicies } from '../../../src/runtime/settings/team-policies.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { workspace } from './support/workspace.ts'

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

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import { chooseForMember } from '../../../src/runtime/run/choose-for-member.ts'
import { listOptions, type ListOptions } from '../../../src/runtime/settings/list-options.ts'
import { countingMint } from '../../contracts/mail-world.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'

const own = 'openai/mine'

/** A run of two that nobody leads, in a home with a file of models. */
function staged(): { readonly dir: string; readonly place: Pick<ListOptions, 'home' | 'env' | 'policyRoot'> } {
  const cwd = tempDir()
  const home = join(cwd, 'home')
  mkdirSync(join(home, '.troupe'), { recursive: true })
  writeFileSync(join(home, '.troupe/models.json'), JSON.stringify({ [own]: { input: 1, output: 2 } }))
  const mint = countingMint()
  const root = join(cwd, '.troupe/runs')
  const team = sampleTeam(['lead', 'ana'])
  const { dir } = createRun({ root, home, team, task: 'Go.', cwd, git_head: null, ulid: mint(), created: 1 })
  return { dir, place: { home, env: bareEnv, policyRoot: join(home, 'policy') } }
}

test('modes: which of the members has which, and why one may not be had', async () => {
  const { dir, place } = staged()
  await chooseForMember(dir, {
    ...place,
    policyRoot: join(place.home, 'policy'),
    member: 'ana',
    choose: 'mode',
    value: 'plan',
  })
  const options = await listOptions(dir, { ...place, choose: 'mode', members: ['lead', 'ana'] })
  const held = options.map(({ value, held: names, refused }) => [value, names.join(' '), refused === null])
  expect(held).toEqual([
    ['default', 'lead', true],
    ['acceptEdits', '', true],
    ['plan', 'ana', true],
    ['bypassPermissions', '', false],
    ['dontAsk', '', true],
  ])
  expect(options.find(({ refused }) => refused !== null)?.refused).toContain('--dangerously-skip-permissions')
})

test('models: those of the team first, then what can be reached from here, with prices', async () => {
  const { dir, place } = staged()
  const wish = { ...place, choose: 'model', members: ['ana'] } as const
  const bare = await listOptions(dir, wish)
  expect(bare[0]).toMatchObject({ held: ['ana'], refused: null })
  expect(bare.some(({ value }) => value === own)).toBe(false)
  const keyed = await listOptions(dir, { ...wish, env: { ...bareEnv, OPENAI_API_KEY: 'set' } })
  expect(keyed[0]?.value).toBe(bare[0]?.value)
  expect(keyed.find(({ value }) => value === own)?.card).toMatchObject({ input: 1, output: 2 })
  expect(keyed.some(({ value }) => value.startsWith('anthropic/'))).toBe(false)
})

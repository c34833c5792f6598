import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unbornLife } from '../../../machines/team/lives.ts'
import { patiently, surveyor, type SurveyedTeam } from '../../../src/runtime/team/survey.ts'
import { tempDir } from '../support/stage.ts'

/** A team of `ana`, elsewhere, and `bo`, never started, whose box holds one mail. */
function team(busy: boolean) {
  const dir = tempDir()
  const mail = join(dir, 'mail')
  mkdirSync(join(mail, 'bo/new'), { recursive: true })
  writeFileSync(join(mail, 'bo/new/ana-1-01JZZZZZZZZZZZZZZZZZZZZZZZ.json'), '{}')
  const caughtUp: string[] = []
  const surveyed: SurveyedTeam = {
    context: {
      team: { members: [{ name: 'ana' }, { name: 'bo' }] },
      run: { dir, mail },
      approvals: { store: { files: { list: () => [] } } },
    },
    members: new Map(),
    elsewhere: { busy: (name) => busy && name === 'ana', catchUp: () => void caughtUp.push('journals') },
    coordination: { open: () => [] },
    board: null,
    spawnGate: () => ({ lives: { bo: unbornLife('bo', 'never') } }),
  }
  return { caughtUp, survey: surveyor(surveyed) }
}

test.each([true, false])(
  'mail to a member that was never started is told after the journals were caught up with (busy: %j)',
  (busy) => {
    const { caughtUp, survey } = team(busy)
    expect(survey().members).toContainEqual({ name: 'bo', undelivered: 1, busy: false })
    expect(caughtUp).toEqual(['journals'])
  },
)

test('a directory that cannot be read is surveyed again, and told once; a mistake of ours is not', async () => {
  const survey = { members: [], pendingPermissions: 0, open: [] }
  const failures = ['EMFILE', 'EIO', 'ESTALE']
  const told: string[] = []
  const waits: number[] = []
  const parts = {
    clock: {
      setTimeout(act: () => void, ms: number) {
        waits.push(ms)
        queueMicrotask(act)
      },
    },
    ledger: { record: (facts: readonly { type: string }[]) => void told.push(...facts.map(({ type }) => type)) },
  }
  const look = patiently(() => {
    const code = failures.shift()
    if (code !== undefined) throw Object.assign(new Error(code), { code })
    return survey
  }, parts)
  expect(await look()).toBe(survey)
  expect([told, waits]).toEqual([['warning.raised'], [1_000, 1_000, 1_000]])
  const broken = patiently(() => {
    throw new TypeError('a bug')
  }, parts)
  await expect(broken()).rejects.toThrow('a bug')
})

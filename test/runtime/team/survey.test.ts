import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { unbornLife } from '../../../machines/team/lives.ts'
import { surveyor, type SurveyedTeam } from '../../../src/runtime/team/survey.ts'
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

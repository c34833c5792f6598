import { appendFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import { openMailbox } from '../../../src/runtime/mail/open-mailbox.ts'
import { openOwned } from '../../../src/runtime/journals/ledger.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { factsOf, play, tempDir } from '../support/stage.ts'

const clock = { now: () => 5 }

function newRun() {
  const cwd = tempDir()
  const root = join(cwd, '.troupe/runs')
  const ulid = '01J00000000000000000000001'
  return createRun({
    root,
    home: join(cwd, 'home'),
    team: sampleTeam(),
    task: 'Go.',
    cwd,
    git_head: null,
    ulid,
    created: 1,
  })
}

test('a journal has one owner, whose successor starts where it left off', () => {
  const run = newRun()
  const first = openOwned({ run, clock }, { owner: 'lead', incarnation: 'a' })
  expect(() => openOwned({ run, clock }, { owner: 'lead', incarnation: 'b' })).toThrow('lead is owned by process')
  first.journal.append([{ type: 'member.woke' }])
  first.journal.close()
  const second = openOwned({ run, clock }, { owner: 'lead', incarnation: 'b' })
  expect(second.entries.map(({ type }) => type)).toEqual(['journal.opened', 'member.woke'])
  expect(() => first.journal.append([{ type: 'member.idled' }])).toThrow('lead belongs to another process')
  second.journal.close()
})

test('who is refused mends nothing and changes nothing', () => {
  const run = newRun()
  const { journal } = openOwned({ run, clock }, { owner: 'lead', incarnation: 'a' })
  appendFileSync(run.journalFile('lead'), '{"half')
  const before = readFileSync(run.journalFile('lead'), 'utf8')
  expect(() => openOwned({ run, clock }, { owner: 'lead', incarnation: 'b' })).toThrow('owned')
  expect(readFileSync(run.journalFile('lead'), 'utf8')).toBe(before)
  journal.close()
})

test('while a team runs, nobody else is one of its members; afterwards one may be', async () => {
  const { cwd, run, recorded, result } = await play(
    {
      name: 'duo',
      coordinator: { prompt: 'You lead.' },
      workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
    },
    { lead: { steps: [{ say: 'Done.' }] } },
  )
  const home = join(cwd, 'home')
  let refusal = ''
  run.subscribe(({ owner, entry }) => {
    if (owner !== 'lead' || entry.type !== 'model.requested') return
    try {
      openMailbox(run.dir, 'lead@duo', { home })
    } catch (error) {
      refusal = String(error)
    }
  })
  await result
  expect(refusal).toContain(`lead is owned by process ${process.pid}`)
  openMailbox(run.dir, 'lead@duo', { home }).close()
  expect(factsOf(recorded, 'lead').at(-1)).toBe('member.gone')
})

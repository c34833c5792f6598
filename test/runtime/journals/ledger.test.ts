import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { noteSilence } from '../../../src/adapters/lease/heartbeat.ts'
import { readJournal } from '../../../src/adapters/sessions/read-journal.ts'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import { openMailbox } from '../../../src/runtime/mail/open-mailbox.ts'
import { openOwned } from '../../../src/runtime/journals/ledger.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { factsOf, play, tempDir } from '../support/stage.ts'
import { everyEntry } from '../../support/every-entry.ts'

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
  const first = openOwned({ run, clock }, { owner: 'lead', incarnation: 'a' }, everyEntry)
  expect(() => openOwned({ run, clock }, { owner: 'lead', incarnation: 'b' }, everyEntry)).toThrow(
    'lead is owned by process',
  )
  first.journal.append([{ type: 'member.woke' }])
  first.journal.close()
  const second = openOwned({ run, clock }, { owner: 'lead', incarnation: 'b' }, everyEntry)
  expect(second.state.map(({ type }) => type)).toEqual(['journal.opened', 'member.woke'])
  expect(() => first.journal.append([{ type: 'member.idled' }])).toThrow('lead belongs to another process')
  second.journal.close()
})

test('an owner whose successor came while it wrote does nothing more: what it wrote is not read', () => {
  const run = newRun()
  openOwned({ run, clock }, { owner: 'lead', incarnation: 'z' }, everyEntry).journal.close()
  let successor: readonly string[] = []
  const frozen: typeof run = {
    ...run,
    openJournal(owner, now, fold) {
      const opened = run.openJournal(owner, now, fold)
      const append: typeof opened.journal.append = (facts) => {
        makeForeign(run.lease)
        const { journal, state } = openOwned({ run, clock }, { owner, incarnation: 'b' }, everyEntry)
        successor = [...state, ...journal.append([{ type: 'member.idled' }])].map(({ type }) => type)
        return opened.journal.append(facts)
      }
      return { ...opened, journal: { ...opened.journal, append } }
    },
  }
  const { journal } = openOwned({ run: frozen, clock }, { owner: 'lead', incarnation: 'a' }, everyEntry)
  expect(() => journal.append([{ type: 'member.woke' }])).toThrow('lead belongs to another process')
  expect(successor).not.toContain('member.woke')
  expect(readJournal(run.journalFile('lead')).entries.map(({ type }) => type)).toEqual(successor)
})

/** The present holder of `lead` becomes one of whom another machine knows that it gave no sign. */
function makeForeign(lease: string): void {
  const [latest = ''] = readdirSync(join(lease, 'lead')).toSorted((a, b) => Number(b) - Number(a))
  const far = { pid: 5, started: 6, machine: 'far' }
  writeFileSync(join(lease, 'lead', latest), JSON.stringify({ ...far, incarnation: 'a', at: 1 }))
  noteSilence(lease, far, '')
}

test('who is refused mends nothing and changes nothing', () => {
  const run = newRun()
  const { journal } = openOwned({ run, clock }, { owner: 'lead', incarnation: 'a' }, everyEntry)
  appendFileSync(run.journalFile('lead'), '{"half')
  const before = readFileSync(run.journalFile('lead'), 'utf8')
  expect(() => openOwned({ run, clock }, { owner: 'lead', incarnation: 'b' }, everyEntry)).toThrow('owned')
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

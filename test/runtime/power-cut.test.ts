import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { mailFile } from '../../src/adapters/mailbox/files/mail-files.ts'
import { readJournal } from '../../src/adapters/sessions/read-journal.ts'
import { readRun } from '../../src/adapters/sessions/read-run.ts'
import { createRun, type RunDirectory } from '../../src/adapters/sessions/run-directory.ts'
import { readRunKey } from '../../src/adapters/sessions/run-key.ts'
import { openMailbox } from '../../src/runtime/mail/open-mailbox.ts'
import { sampleTeam } from '../contracts/sample-team.ts'
import { cutDisk } from '../support/cut-disk.ts'
import { play, tempDir } from './support/stage.ts'

const durable = {
  ...sampleTeam(),
  mail: { max_unread: 100, durability: 'power' as const, archive: { count: 10, age_ms: 1 } },
}

function durableRun(cwd: string): RunDirectory {
  const place = { root: join(cwd, '.troupe/runs'), home: join(cwd, 'home'), cwd }
  return createRun({
    ...place,
    team: durable,
    task: '',
    git_head: null,
    ulid: '01J00000000000000000000001',
    created: 1,
  })
}

/** The paths that were put on the disk since the last look. */
function syncs(): () => readonly string[] {
  const paths: string[] = []
  const heard = (path: unknown): void => void paths.push(String(path))
  subscribe('troupe:sync', heard)
  onTestFinished(() => void unsubscribe('troupe:sync', heard))
  return () => paths.splice(0)
}

const members = {
  coordinator: { prompt: 'You lead.' },
  workers: { ana: { description: 'Works.', prompt: 'You work.' } },
}
const draft = (key: string) => ({ to: 'writer@demo' as const, kind: 'text' as const, body: `This is ${key}.`, key })

describe('durability: power', () => {
  test('a run is on the disk before its first member begins, with every name that leads to it', async () => {
    const look = syncs()
    const { cwd, run, result } = await play(
      { name: 'duo', ...members, mail: { durability: 'power' } },
      { lead: { steps: [{ say: 'Done.' }] } },
    )
    let before: readonly string[] = []
    run.subscribe(({ entry }) => {
      if (entry.type === 'member.spawned') before = look()
    })
    await result
    const root = join(cwd, '.troupe/runs')
    const keys = join(cwd, 'home/.troupe/keys')
    const journals = join(run.dir, 'journal')
    expect(before).toEqual(
      expect.arrayContaining([
        join(run.dir, 'run.json'),
        run.dir,
        root,
        join(cwd, '.troupe'),
        cwd,
        join(keys, run.id),
        keys,
        join(cwd, 'home/.troupe'),
        join(cwd, 'home'),
        join(journals, 'team.jsonl'),
        journals,
      ]),
    )
  })

  test('of a mail the journal, the file and its name are, in this order, before the send is confirmed', () => {
    const cwd = tempDir()
    const run = durableRun(cwd)
    const home = join(cwd, 'home')
    const lead = openMailbox(run.dir, 'lead@demo', { home })
    const writer = openMailbox(run.dir, 'writer@demo', { home, confirm: 'auto' })
    const look = syncs()
    const sent = lead.send(draft('one'))
    const name = sent.ok ? mailFile(sent.envelope) : ''
    const box = join(run.mail, 'writer')
    const order = look().filter((path) => /jsonl$|json$|new$/.test(path))
    expect(order).toEqual([run.journalFile('lead'), join(box, 'tmp', name), join(box, 'new')])
    expect(writer.receive()).toHaveLength(1)
    expect(look()).toEqual([run.journalFile('writer')])
    for (const mailbox of [lead, writer]) mailbox.close()
  })

  test('a cut loses nothing that was confirmed: the run, its key, each mail, each journal', (context) => {
    const { path, afterCut } = cutDisk(context)
    const run = durableRun(path)
    const there = (cut: string) => run.dir.replace(path, cut)
    const home = join(path, 'home')
    expect(afterCut((cut) => [readRun(there(cut)).problems, readRunKey(join(cut, 'home'), run.id).length])).toEqual([
      [],
      32,
    ])
    const lead = openMailbox(run.dir, 'lead@demo', { home })
    const confirmed: string[] = []
    for (const key of ['one', 'two', 'three']) {
      const sent = lead.send(draft(key))
      if (sent.ok) confirmed.push(mailFile(sent.envelope))
      afterCut((cut) => {
        expect(readdirSync(join(there(cut), 'mail/writer/new')).toSorted()).toEqual(confirmed.toSorted())
        const { entries, problems } = readJournal(join(there(cut), 'journal/lead.jsonl'))
        expect(problems).toEqual([])
        expect(entries.filter(({ type }) => type === 'mail.sent')).toHaveLength(confirmed.length)
      })
    }
    const writer = openMailbox(run.dir, 'writer@demo', { home, confirm: 'auto' })
    expect(writer.receive()).toHaveLength(3)
    afterCut((cut) => {
      const { entries } = readJournal(join(there(cut), 'journal/writer.jsonl'))
      expect(entries.filter(({ type }) => type === 'mail.received')).toHaveLength(3)
      const next = openMailbox(there(cut), 'writer@demo', { home: join(cut, 'home'), confirm: 'auto' })
      expect([next.receive(), next.unread()]).toEqual([[], 0])
      next.close()
    })
    for (const mailbox of [lead, writer]) mailbox.close()
  })
})

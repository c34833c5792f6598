import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { mailLogOf } from '../../src/adapters/mailbox/files/mail-log.ts'
import { createMailbox, type Mailbox } from '../../src/adapters/mailbox/mailbox.ts'
import { openJournal } from '../../src/adapters/sessions/journal.ts'
import { agentId } from '../../src/protocol/words/ids.ts'
import { countingMint, draft, roster } from '../contracts/mail-world.ts'
import { fill, smallDisk } from '../support/small-disk.ts'
import { drainBacklog } from './backlog.ts'
import { mailFold } from '../../src/adapters/mailbox/files/mail-memory.ts'

let undo: (() => void)[] = []
afterEach(() => {
  for (const act of undo.toReversed()) act()
  undo = []
})

function tempFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-trouble-'))
  undo.push(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function open(home: string, owner: string, mint = countingMint(0)): Mailbox {
  const { journal, state } = openJournal(join(home, 'journal', `${owner}.jsonl`), {
    owner,
    now: () => 1,
    fold: mailFold,
  })
  undo.push(() => journal.close())
  const log = mailLogOf((facts) => void journal.append(facts), state)
  return createMailbox({
    dir: join(home, 'mail'),
    owner,
    from: agentId(owner, 'demo'),
    team: 'demo',
    roster,
    log,
    now: () => 1,
    mint,
  })
}

const texts = (box: Mailbox) => box.receive().map(({ body }) => body)

describe('a full disk', () => {
  test('refuses the sender, spoils nothing, and is forgotten once there is room', (context) => {
    const home = smallDisk(context)
    const [lead, writer] = [open(home, 'lead'), open(home, 'writer')]
    expect(lead.send(draft('writer', 'before')).ok).toBe(true)
    const filler = join(home, 'filler')
    fill(filler)
    const refused = ['one', 'two'].map((text) => lead.send(draft('writer', text.repeat(2_000), text)))
    expect(refused.map(({ ok }) => ok)).toEqual([false, false])
    for (const sent of refused) expect(sent.ok ? '' : sent.error).toContain('ENOSPC')
    const files = readdirSync(join(home, 'mail'), { recursive: true, encoding: 'utf8' })
    const mail = files
      .filter((name) => name.endsWith('.json'))
      .map((name) => readFileSync(join(home, 'mail', name), 'utf8'))
    expect(mail.filter((content) => !content.endsWith('}\n'))).toEqual([])
    rmSync(filler)
    expect(lead.send(draft('writer', 'after')).ok).toBe(true)
    const got = texts(writer)
    expect(got[0]).toBe('before')
    expect(got.at(-1)).toBe('after')
    expect(texts(open(home, 'writer'))).toEqual([])
  })
})

describe('a directory that may not be written', () => {
  test('is said to the sender and stops the reader, and both go on when it may', (context) => {
    const home = tempFolder()
    const [lead, writer] = [open(home, 'lead'), open(home, 'writer')]
    expect(lead.send(draft('writer', 'one')).ok).toBe(true)
    const lock = lockerFor(join(home, 'mail/writer'))
    if (!lock) {
      console.warn('skipped: nothing is read-only for this user')
      context.skip()
      return
    }
    lock.close()
    const sent = lead.send(draft('writer', 'two'))
    expect(sent.ok ? '' : sent.error).toMatch(/EACCES|EPERM|EROFS/)
    expect(() => writer.receive()).toThrow(/EACCES|EPERM|EROFS/)
    lock.open()
    expect(lead.send(draft('writer', 'three')).ok).toBe(true)
    expect(texts(writer)).toEqual(['one', 'two', 'three'])
  })
})

interface Lock {
  close(): void
  open(): void
}

/** Modes mean nothing to root; a read-only mount of the folder onto itself does. */
function lockerFor(folder: string): Lock | null {
  if (process.getuid?.() !== 0) {
    const folders = [folder, ...['tmp', 'new', 'cur'].map((name) => join(folder, name))]
    const set = (mode: number) => {
      for (const one of folders) {
        mkdirSync(one, { recursive: true })
        chmodSync(one, mode)
      }
    }
    undo.push(() => set(0o700))
    return { close: () => set(0o500), open: () => set(0o700) }
  }
  if (spawnSync('mount', ['--bind', folder, folder]).status !== 0) return null
  undo.push(() => void spawnSync('umount', ['-l', folder]))
  const remount = (mode: 'ro' | 'rw') => void spawnSync('mount', ['-o', `remount,bind,${mode}`, folder])
  return { close: () => remount('ro'), open: () => remount('rw') }
}

describe('a clock that jumps', () => {
  test('changes neither order nor what is delivered', () => {
    const home = tempFolder()
    const late = ['01K', '01J', '01H', '01Z', '01A']
    const lead = open(home, 'lead', () => `${late.shift() ?? '01J'}${'0'.repeat(22)}${late.length}`)
    const sent = ['one', 'two', 'three', 'four', 'five'].map((text) => lead.send(draft('writer', text)))
    expect(sent.map(({ ok }) => ok)).toEqual([true, true, true, true, true])
    const writer = open(home, 'writer')
    expect(texts(writer)).toEqual(['one', 'two', 'three', 'four', 'five'])
  })
})

describe('a long backlog', () => {
  test('is delivered whole and in order', () => {
    expect(drainBacklog(tempFolder(), 2_000)).toMatchObject({ received: 2_000, misordered: 0, unread: 0 })
  })
})

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  bash,
  boxOf,
  is,
  journalOf,
  outside,
  patience,
  receivedBy,
  tempDir,
  theatre,
  waitFor,
} from './scenarios/black-box.ts'

const waiting = {
  lead: [{ calls: [bash(waitFor('end'))] }, { say: 'Done.' }],
  ana: [{ say: 'Heard.' }],
}
const leadWorks = is('lead', 'call.started')

describe('mail in a damaged world', { timeout: patience }, () => {
  test('what is no mail is told once and set aside, and the good mail comes', async () => {
    const stage = await theatre(waiting)
    const play = stage.run()
    await play.fact(leadWorks)
    const inbox = join(play.dir(), 'mail', 'ana', 'new')
    const name = (n: number) => `lead-${n}-01J${String(n).padStart(23, '0')}.json`
    const bad: Record<string, string | Buffer> = {
      [name(1)]: '{"v":1,"id":"01J',
      [name(2)]: '"only a string"',
      [name(3)]: '{"v":1,"kind":"gossip"}',
      [name(4)]: 'null',
      [name(5)]: '',
      [name(6)]: Buffer.from([0xff, 0xfe, 0x00]),
      'note.txt': 'not even a name',
      '.hidden': 'x',
    }
    mkdirSync(inbox, { recursive: true })
    for (const [file, content] of Object.entries(bad)) writeFileSync(join(inbox, file), content)
    mkdirSync(join(inbox, 'a-folder'))
    expect(await stage.cli(['send', 'ana@demo', 'a good one'])).toMatchObject({ code: 0 })
    await play.fact(is('ana', 'mail.received'))
    await play.fact(is('ana', 'member.idled'))
    stage.cue('end')
    expect(await play.result).toMatchObject({ status: 'completed' })
    const died = journalOf(play.dir(), 'ana').flatMap((entry) => (entry.type === 'mail.died' ? [entry.file] : []))
    expect(died.toSorted()).toEqual([...Object.keys(bad), 'a-folder'].toSorted())
    expect(boxOf(play.dir(), 'ana', 'dead').toSorted()).toEqual(died.toSorted())
    expect(boxOf(play.dir(), 'ana', 'new')).toEqual([])
    expect(receivedBy(play.dir(), 'ana')).toEqual(['a good one'])
    const listed = await stage.cli(['mail', 'dead', '--json'])
    expect(JSON.parse(listed.out)).toHaveLength(died.length)
  })

  test('who is already somebody is not so twice, and a dead one is replaced at once', async () => {
    const stage = await theatre(waiting)
    const play = stage.run()
    await play.fact(leadWorks)
    const second = () => outside(stage, play.dir(), `const box = openMailbox(dir, 'lead@demo', { home }); box.close()`)
    const refused = await second()
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain(`owned by process ${play.process.pid}`)
    play.process.kill('SIGKILL')
    await expect(play.result).rejects.toThrow('no result')
    expect(await second()).toMatchObject({ code: 0 })
  })

  test('a leader that is killed leaves its unread mail, which is read once by whoever follows', async () => {
    const stage = await theatre(waiting)
    const play = stage.run()
    await play.fact(leadWorks)
    for (const text of ['one', 'two']) expect(await stage.cli(['send', 'lead@demo', text])).toMatchObject({ code: 0 })
    play.process.kill('SIGKILL')
    await expect(play.result).rejects.toThrow('no result')
    const late = await stage.cli(['send', 'lead@demo', 'three'])
    expect(late.err).toContain('Nobody runs this team now')
    const read = (done: string) => `const box = openMailbox(dir, 'lead@demo', { home })
      const mail = box.receive(); ${done}
      console.log(JSON.stringify(mail.map(({ body }) => body))); process.kill(process.pid, 'SIGKILL')`
    const readBy = async (done: string): Promise<unknown> =>
      JSON.parse((await outside(stage, play.dir(), read(done))).out)
    expect(await readBy('box.done(mail[0].id)')).toEqual(['one', 'two', 'three'])
    // Whoever was killed in the middle of its work gets the rest of it again.
    expect(await readBy('for (const { id } of mail) box.done(id)')).toEqual(['two', 'three'])
    expect(await readBy('')).toEqual([])
    expect(receivedBy(play.dir(), 'lead')).toEqual(['one', 'two', 'three'])
  })

  test('a sender that is killed anywhere and tries again with its key is heard once', async () => {
    const stage = await theatre(waiting)
    const play = stage.run()
    await play.fact(leadWorks)
    const args = ['send', 'lead@demo', 'The build is green.', '--key', 'build-7']
    for (const ms of [150, 220, 260, 300, 340, 380]) {
      const child = stage.start(args)
      setTimeout(() => child.kill('SIGKILL'), ms)
      await once(child, 'close')
    }
    expect(await stage.cli(args)).toMatchObject({ code: 0 })
    expect(await stage.cli(args)).toMatchObject({ code: 0 })
    stage.cue('end')
    await play.result
    expect(receivedBy(play.dir(), 'lead')).toEqual(['The build is green.'])
  })

  test('a file that appears again, and one under another number, are not read again', async () => {
    const stage = await theatre({ ...waiting, ana: [{ say: '.' }, { say: '.' }] })
    const play = stage.run()
    await play.fact(leadWorks)
    await stage.cli(['send', 'ana@demo', 'only once'])
    await play.fact(is('ana', 'member.idled'))
    const box = join(play.dir(), 'mail', 'ana')
    const [file = ''] = readdirSync(join(box, 'done'))
    for (const name of [file, file.replace(/-1-/, '-2-')]) {
      // Whole from its first moment on, as mail comes.
      cpSync(join(box, 'done', file), join(box, 'again'))
      renameSync(join(box, 'again'), join(box, 'new', name))
    }
    await stage.cli(['send', 'ana@demo', 'and this'])
    await play.fact(is('ana', 'mail.received', (entry) => 'envelope' in entry && entry.envelope.body === 'and this'))
    stage.cue('end')
    await play.result
    expect(receivedBy(play.dir(), 'ana')).toEqual(['only once', 'and this'])
    expect(boxOf(play.dir(), 'ana', 'dead')).toHaveLength(1)
  })

  test('a box that is full refuses its senders with the reason, and takes mail again once some was read', async () => {
    const stage = await theatre(waiting, { team: { mail: { max_unread: 2, durability: 'power' } } })
    const play = stage.run()
    await play.fact(leadWorks)
    for (const text of ['one', 'two']) expect(await stage.cli(['send', 'lead@demo', text])).toMatchObject({ code: 0 })
    const refused = await stage.cli(['send', 'lead@demo', 'three'])
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('lead has 2 unread messages. Wait until it has read some.')
    stage.cue('end')
    await play.result
    expect(receivedBy(play.dir(), 'lead')).toEqual(['one', 'two'])
    expect(await stage.cli(['send', 'lead@demo', 'four'])).toMatchObject({ code: 0 })
  })

  test('on a full disk a send fails aloud, nothing is spoiled, and it goes on when there is room', async (context) => {
    const dir = smallDisk()
    if (dir === null) {
      console.warn('skipped: this user may not mount a small disk')
      context.skip()
      return
    }
    const stage = await theatre(waiting, { dir })
    const play = stage.run()
    await play.fact(leadWorks)
    const before = snapshot(play.dir())
    const ballast = join(dir, 'ballast')
    fill(ballast)
    const refused = await stage.cli(['send', 'lead@demo', 'no room'])
    expect(refused.code).not.toBe(0)
    expect(refused.err).toContain('ENOSPC')
    expect(snapshot(play.dir())).toEqual(before)
    rmSync(ballast)
    expect(await stage.cli(['send', 'lead@demo', 'room again'])).toMatchObject({ code: 0 })
    stage.cue('end')
    expect(await play.result).toMatchObject({ status: 'completed' })
    expect(receivedBy(play.dir(), 'lead')).toEqual(['room again'])
  })
})

/** A disk of one megabyte, where the machine lets us have one. */
function smallDisk(): string | null {
  const dir = tempDir()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', dir]).status !== 0) return null
  onTestFinished(() => void spawnSync('umount', ['-l', dir]))
  return dir
}

/** Writes until the disk takes nothing more, to the last piece. */
function fill(file: string): void {
  for (const size of [200_000, 4_000, 1]) {
    try {
      for (;;) writeFileSync(file, 'x'.repeat(size), { flag: 'a' })
    } catch {
      // Full, to the last piece of this size.
    }
  }
}

/** What a run's files hold, by name. */
function snapshot(dir: string): Readonly<Record<string, string>> {
  // The sign of life of a process changes every other second.
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter(
    (file) => statSync(join(dir, file)).isFile() && !file.includes('.processes/'),
  )
  return Object.fromEntries(files.map((file) => [file, readFileSync(join(dir, file), 'utf8')]))
}

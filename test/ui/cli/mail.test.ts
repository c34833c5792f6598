import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { acquireLease } from '../../../src/adapters/lease/lease.ts'
import { createRun } from '../../../src/adapters/sessions/run-directory.ts'
import { systemClock } from '../../../src/runtime/actors/clock.ts'
import type { MailItem } from '../../../src/runtime/mail/inspect-mail.ts'
import { openMailbox } from '../../../src/runtime/mail/open-mailbox.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { sampleTeam } from '../../contracts/sample-team.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

let cwd: string
let dir: string
beforeEach(() => {
  cwd = emptyDirectory()
  const root = join(cwd, '.troupe/runs')
  const { mint, now } = systemClock()
  dir = createRun({
    root,
    home: cwd,
    team: sampleTeam(),
    task: 'Go.',
    cwd,
    git_head: null,
    ulid: mint(),
    created: now(),
  }).dir
})

async function troupe(...args: readonly string[]) {
  const host = fakeHost({ cwd, home: cwd })
  const code = await main(args, host)
  return { code, out: host.stdout.text, err: host.stderr.text }
}

const json = async <Value>(...args: readonly string[]) => JSON.parse((await troupe(...args, '--json')).out) as Value

const read = (name: 'lead' | 'writer'): readonly string[] => {
  const box = openMailbox(dir, `${name}@demo`, { home: cwd })
  const texts = box.receive().map(({ id, body }) => {
    box.done(id)
    return body
  })
  box.close()
  return texts
}

test('a team in the place of a member is told apart from a slip', async () => {
  expect((await troupe('mail', 'ls', 'demo')).err).toMatch(/^error: no member .* "demo"; .*another run: --run demo\n$/)
  expect((await troupe('mail', 'ls', 'writr')).err).toMatch(/did you mean "writer"\?.*another run: --run <run>\n$/)
})

describe('send', () => {
  test('writes to a member, who reads it as from a person', async () => {
    const { code, out, err } = await troupe('send', 'writer@demo', 'Mind the tests.')
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^sent to writer@demo \([0-9A-Z]{26}\)\n$/)
    expect(read('writer')).toEqual(['Mind the tests.'])
  })

  test('takes the id of a run, or its beginning, for the team', async () => {
    for (const run of [basename(dir), basename(dir).slice(0, -4)])
      expect((await troupe('send', `writer@${run}`, 'Mind the tests.')).out).toMatch(/^sent to writer@demo /)
  })

  test('writes no sign into JSON that a terminal obeys', async () => {
    const text = 'title \u009d0;x\u009c, colour \u009b31m, \u202eturned'
    await troupe('send', 'writer@demo', text)
    const { out } = await troupe('mail', 'ls', 'writer@demo', '--json')
    expect(out).toContain(String.raw`title \u009d0;x\u009c, colour \u009b31m, \u202eturned`)
    expect(read('writer')).toEqual([text])
  })

  test('a key is one mail, however often, also after it was read', async () => {
    const first = await json<{ mail: { id: string }[] }>('send', 'writer@demo', 'Once.', '--key', 'build 4711')
    expect(await json('send', 'writer@demo', 'Once.', '--key', 'build 4711')).toEqual(first)
    expect(read('writer')).toEqual(['Once.'])
    await troupe('send', 'writer@demo', 'Once.', '--key', 'build 4711')
    await troupe('send', 'writer@demo', 'Another.', '--key', 'build 4712')
    expect(read('writer')).toEqual(['Another.'])
  })

  test('a key is one mail to each recipient, and says so when its text was another', async () => {
    await troupe('send', 'writer@demo', 'Once.', '--key', 'k')
    expect((await troupe('send', 'lead@demo', 'Once.', '--key', 'k')).out).toMatch(/^sent to lead@demo /)
    const { code, err } = await troupe('send', 'writer', 'Twice.', '--key', 'k')
    expect([code, err]).toEqual([0, 'Under this key another text was sent to writer@demo, which holds: "Once."\n'])
    await troupe('send', 'all@demo', 'Once.', '--key', 'k')
    expect([read('writer'), read('lead')]).toEqual([['Once.'], ['Once.']])
  })

  test('an empty text is refused', async () => {
    for (const text of ['', ' \n']) {
      expect(await troupe('send', 'writer@demo', text)).toMatchObject({ code: 2, err: 'error: the text is empty\n' })
    }
    expect(read('writer')).toEqual([])
  })

  test('what could not be written is not said to go out later, where nothing remembers it', async () => {
    const inbox = join(dir, 'mail/writer/new')
    mkdirSync(join(inbox, '..'), { recursive: true })
    writeFileSync(inbox, '')
    const { code, err } = await troupe('send', 'writer@demo', 'Lost?')
    expect([code, err]).toEqual([2, expect.stringMatching(/^error: The mail was not sent: ENOTDIR/)])
    const keyed = await troupe('send', 'writer@demo', 'Kept.', '--key', 'k')
    expect([keyed.code, keyed.err]).toEqual([2, expect.stringContaining('Send it again under its key.')])
    rmSync(inbox)
    expect(await troupe('send', 'writer@demo', 'Kept.', '--key', 'k')).toMatchObject({ code: 0, err: '' })
    expect(read('writer')).toEqual(['Kept.'])
  })

  test('- takes the text from stdin, longer than an argument may be', async () => {
    const host = fakeHost({ cwd, home: cwd })
    const text = 'A line of a long report.\n'.repeat(8_000)
    host.stdin.end(text)
    expect(await main(['send', 'writer@demo', '-'], host)).toBe(0)
    expect(read('writer')).toEqual([text])
  })

  test('the same key ten times at once is one mail', async () => {
    const sends = await Promise.all(
      [...Array(10).keys()].map(() => troupe('send', 'writer@demo', 'Once.', '--key', 'k')),
    )
    expect(new Set(sends.map(({ code, out }) => `${code} ${out}`)).size).toBe(1)
    expect(read('writer')).toEqual(['Once.'])
  })

  test('goes to everybody, and an interrupt is marked as one', async () => {
    const { mail } = await json<{ mail: { to: string; priority: string }[] }>(
      'send',
      'all@demo',
      'Stop.',
      '--interrupt',
    )
    expect(mail.map(({ to, priority }) => [to, priority])).toEqual([
      ['lead@demo', 'interrupt'],
      ['writer@demo', 'interrupt'],
    ])
  })

  test.each([
    ['writr@demo', /Did you mean "writer"\?/],
    ['../lead@demo', /No member is called/],
    ['lead@other', /there is no run "other"/],
    ['lead@dmeo', /there is no run "dmeo" .* \(did you mean "demo"\?\)/],
  ])('%s is a mistake, and nothing appears', async (to, error) => {
    const { code, out, err } = await troupe('send', to, 'Lost?')
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(error)
    expect(readdirSync(join(dir, 'mail'))).toEqual([])
  })
})

describe('mail', () => {
  const spoil = () => {
    mkdirSync(join(dir, 'mail/writer/new'), { recursive: true })
    writeFileSync(join(dir, 'mail/writer/new/notes.txt'), 'hello')
    read('writer')
  }

  test('ls lists what waits, --all what was read as well', async () => {
    await troupe('send', 'writer@demo', 'Read.')
    read('writer')
    await troupe('send', 'writer@demo', 'Waits.\nMore.')
    const { out } = await troupe('mail', 'ls')
    expect(out).toMatch(/^TO +STATE +FROM +KIND +ID +TEXT\nwriter +written +user +text +[0-9A-Z]{26} +Waits\.\n$/)
    const states = (await json<MailItem[]>('mail', 'ls', 'writer@demo', '--all')).map(({ state }) => state)
    expect(states).toEqual(['acked', 'written'])
    expect((await troupe('mail', 'ls', 'lead')).err).toBe('No mail waits to be read.\n')
    expect(await troupe('mail', 'ls', 'writr')).toMatchObject({
      code: 2,
      err: expect.stringContaining('lead, writer') as string,
    })
  })

  test('owed lists who keeps whom waiting, and with what', async () => {
    expect(await troupe('mail', 'owed')).toEqual({ code: 0, out: '', err: 'Nobody owes an answer.\n' })
    const box = openMailbox(dir, 'lead@demo', { home: cwd })
    box.send({ key: 'r1', to: 'writer@demo', kind: 'task', body: 'Count the tests.\nAll of them.' })
    box.close()
    const row = (is: string) => new RegExp(`^WHO .*\\nwriter +task +lead@demo +\\S+ +${is} +Count the tests\\.\\n$`)
    expect((await troupe('mail', 'owed')).out).toMatch(row('no'))
    read('writer')
    expect((await troupe('mail', 'owed', 'writer@demo')).out).toMatch(row('yes'))
    expect(await json('mail', 'owed', 'lead')).toEqual([])
    expect(await json('mail', 'owed')).toMatchObject([
      { debtor: 'writer', creditor: 'lead@demo', kind: 'task', received: true },
    ])
  })

  test('show prints one mail, found by the beginning of its id', async () => {
    const { mail } = await json<{ mail: { id: string }[] }>('send', 'writer@demo', `Long. ${'x'.repeat(300_000)}`)
    const id = mail[0]?.id ?? ''
    const { code, out } = await troupe('mail', 'show', id.slice(0, 24))
    expect(code).toBe(0)
    expect(out).toContain(`id     ${id}\nfrom   user\nto     writer@demo\nkind   text\n`)
    expect(out).toContain('x'.repeat(300_000))
    expect(await troupe('mail', 'show', 'zzzz')).toMatchObject({ code: 2, out: '' })
  })

  test('show says that the whole text of a mail is gone or was changed, and shows its beginning', async () => {
    const { mail } = await json<{ mail: { id: string }[] }>('send', 'writer@demo', `Long. ${'x'.repeat(300_000)}`)
    const [artifact = ''] = readdirSync(join(dir, 'artifacts'))
    const show = () => troupe('mail', 'show', mail[0]?.id ?? '')
    writeFileSync(join(dir, 'artifacts', artifact), 'Something else.')
    expect((await show()).out).toMatch(/Long\. x+\n[^]*\[The whole text was changed: /)
    rmSync(join(dir, 'artifacts', artifact))
    expect((await show()).out).toMatch(/Long\. x+\n[^]*\[The whole text cannot be read: ENOENT/)
  })

  test('show follows no pointer out of the artifacts', async () => {
    const { mail } = await json<{ mail: object[] }>('send', 'writer@demo', 'Hello.')
    mkdirSync(join(dir, 'mail/writer/dead'))
    const artifact = { sha256: '../run.json', bytes: 10 }
    writeFileSync(join(dir, 'mail/writer/dead/forged.json'), JSON.stringify({ ...mail[0], artifact }))
    expect(await troupe('mail', 'show', 'forged.json')).toMatchObject({
      code: 0,
      out: 'file   dead writer/forged.json\n',
    })
  })

  test('dead says why and when; purge deletes, requeue judges again', async () => {
    spoil()
    const { out } = await troupe('mail', 'dead')
    expect(out).toMatch(/writer +\d{4}-\d\d-\d\d [\d:]{8} UTC +notes\.txt +its name is not <sender>-<seq>-<ulid>\.json/)
    acquireLease({ dir: join(dir, 'lease'), name: 'team', incarnation: '01J', now: () => 7 }).release()
    expect(await troupe('mail', 'requeue', 'notes.txt')).toMatchObject({
      code: 0,
      out: '1 put back\nwriter notes.txt\n',
      err: expect.stringMatching(/^Nobody runs this team now; .*: troupe continue \S+ "Go on\."\n$/) as string,
    })
    expect(readdirSync(join(dir, 'mail/writer/new'))).toEqual(['notes.txt'])
    read('writer')
    expect(await json<MailItem[]>('mail', 'dead')).toMatchObject([{ file: 'notes.txt', state: 'dead' }])
    expect((await troupe('mail', 'purge')).code).toBe(2)
    expect(await troupe('mail', 'purge', '--all')).toMatchObject({ code: 0, out: '1 deleted\nwriter notes.txt\n' })
    expect(await json('mail', 'dead')).toEqual([])
  })

  test('a name with a line break in it takes one line, whatever is done with it', async () => {
    const inbox = join(dir, 'mail/writer/new')
    mkdirSync(inbox, { recursive: true })
    writeFileSync(join(inbox, 'two\nlines'), 'x')
    read('writer')
    const put = await troupe('mail', 'requeue', '--all')
    expect(put.out.split('\n')).toHaveLength(3)
    read('writer')
    const gone = await troupe('mail', 'purge', '--all')
    expect(gone.out.split('\n')).toHaveLength(3)
  })

  test('mail that was fenced to another life stays dead however often it is put back', async () => {
    const life = '01J00000000000000000000001'
    const box = openMailbox(dir, 'lead@demo', { home: cwd })
    box.send({ to: 'writer@demo', kind: 'control', body: 'fenced', key: 'a', incarnation: life })
    box.send({ to: 'writer@demo', kind: 'text', body: 'later', key: 'b' })
    box.close()
    expect(read('writer')).toEqual(['later'])
    const [dead] = await json<MailItem[]>('mail', 'dead')
    expect(dead).toMatchObject({
      reason: expect.stringContaining(`the life ${life}`) as string,
      envelope: { kind: 'control' },
    })
    expect((await troupe('mail', 'requeue', dead?.id ?? '')).code).toBe(0)
    expect(read('writer')).toEqual([])
    expect(await json('mail', 'dead')).toHaveLength(1)
  })
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import {
  bash,
  boxOf,
  delegate,
  is,
  message,
  outside,
  patience,
  receivedBy,
  tempDir,
  theatre,
  waitFor,
} from './scenarios/black-box.ts'

const mailTo = (to: string) => is('lead', 'mail.sent', (entry) => 'envelope' in entry && entry.envelope.to === to)
const finished = (owner: string, nth = 1): ((recorded: Recorded) => boolean) => {
  let seen = 0
  return (recorded) => is(owner, 'call.finished')(recorded) && (seen += 1) === nth
}

describe('mail on its way', { timeout: patience }, () => {
  test('what is sent in the middle of a turn is in the next request, in order, and unread until journaled', async () => {
    const stage = await theatre({
      lead: [
        { calls: [message('ana', 'BEGIN')] },
        { calls: [bash(waitFor('working'))] },
        { calls: [message('ana', 'FIRST NOTE'), message('ana', 'SECOND NOTE')] },
        { calls: [bash(waitFor('end'))] },
        { say: 'All said.' },
      ],
      ana: [
        { when: 'BEGIN', calls: [bash(`touch cue-working; ${waitFor('sent')}`)] },
        ...[2, 3, 4, 5].map((n) => ({ calls: [bash(`echo step ${n}`)] })),
        { say: 'Five steps done.' },
      ],
    })
    const play = stage.run()
    let notes = 0
    await play.fact((fact) => mailTo('ana@demo')(fact) && (notes += 1) === 3)
    // The first call still runs: both notes are there for good, and nobody has read them.
    expect(boxOf(play.dir(), 'ana', 'new')).toHaveLength(2)
    expect(receivedBy(play.dir(), 'ana')).toEqual(['BEGIN'])
    stage.cue('sent')
    await play.fact(finished('ana', 5))
    stage.cue('end')
    expect(await play.result).toMatchObject({ status: 'completed', code: 0 })
    const [, second] = stage.asked('ana')
    expect(second?.texts.join('\n')).toMatch(/FIRST NOTE[^]*SECOND NOTE/)
    expect(receivedBy(play.dir(), 'ana')).toEqual(['BEGIN', 'FIRST NOTE', 'SECOND NOTE'])
  })

  test('who waits for a first message asks no model meanwhile, and wakes when it comes', async () => {
    const stage = await theatre({
      lead: [{ calls: [delegate({ worker: 'ana', task: 'Prepare.' })] }, { when: 'Told bo.', say: 'Good.' }],
      ana: [{ calls: [bash(waitFor('prepared'))] }, { calls: [message('bo', 'HERE IT IS')] }, { say: 'Told bo.' }],
      bo: [{ when: 'HERE IT IS', say: 'Thank you.' }],
    })
    const play = stage.run()
    await play.fact(is('ana', 'call.started'))
    expect(stage.asked('bo')).toEqual([])
    expect(stage.asked('lead')).toHaveLength(1)
    stage.cue('prepared')
    expect(await play.result).toMatchObject({ status: 'completed', result: 'Good.' })
    expect(stage.asked('bo')).toHaveLength(1)
    expect(stage.asked('lead')).toHaveLength(2)
  })

  test('twelve notices that come while the lead works are read together', async () => {
    const names = [...Array(12).keys()].map((n) => `w${n}`)
    const stage = await theatre({
      lead: [
        { calls: names.map((name) => message(name, 'Report.')) },
        { calls: [bash(waitFor('reported'))] },
        { whenNew: names.map((name) => `${name} is idle`), say: 'Seen.' },
      ],
      ...Object.fromEntries(
        names.map((name) => [name, [{ calls: [message('lead', `${name} is idle`)] }, { say: '.' }]]),
      ),
    })
    const play = stage.run()
    const told = new Set<string>()
    await play.fact(({ owner, entry }) => {
      if (entry.type === 'mail.sent' && entry.envelope.to === 'lead@demo') told.add(owner)
      return told.size === 12
    })
    stage.cue('reported')
    expect(await play.result).toMatchObject({ status: 'completed', result: 'Seen.' })
    expect(stage.asked('lead')).toHaveLength(3)
  })

  test('clocks that are wrong, and one that is set back, change neither delivery nor order', async () => {
    const stage = await theatre({
      lead: [{ calls: [bash(waitFor('sent'))] }, { say: 'Done.' }],
      ana: [{ say: 'One.' }],
    })
    const preload = (minutes: string) => ({ NODE_OPTIONS: `--import ${clockOff(minutes)}` })
    // The receiver is an hour ahead and falls back by two; the sender is an hour late and falls back by one.
    const play = stage.run(preload('performance.now() < 4_000 ? 60 : -60'))
    await play.fact(is('lead', 'call.started'))
    const sending = `const now = Date.now; Date.now = () => now() - 3_600_000
      const box = openMailbox(dir, 'user', { home })
      for (let n = 1; n <= 10; n += 1) {
        if (n === 5) Date.now = () => now() - 7_200_000
        box.send({ to: 'lead@demo', kind: 'text', body: 'note ' + n, key: 'k' + n })
      }
      box.close()`
    expect(await outside(stage, play.dir(), sending)).toMatchObject({ code: 0 })
    stage.cue('sent')
    expect(await play.result).toMatchObject({ status: 'completed' })
    expect(receivedBy(play.dir(), 'lead')).toEqual([...Array(10).keys()].map((n) => `note ${n + 1}`))
    expect(play.facts.filter(({ entry }) => entry.type === 'warning.raised')).toEqual([])
  })

  test('each result belongs to its request, in whatever order they come', async () => {
    const stage = await theatre({
      lead: [
        { calls: [delegate({ worker: 'ana', task: 'SLOW' }, { worker: 'bo', task: 'QUICK' })] },
        { whenNew: ['slow answer', 'quick answer'], say: 'Both.' },
      ],
      ana: [{ calls: [bash(waitFor('quick-done'))] }, { say: 'slow answer' }],
      bo: [{ say: 'quick answer' }],
    })
    const play = stage.run()
    await play.fact(is('bo', 'member.replied'))
    stage.cue('quick-done')
    expect(await play.result).toMatchObject({ status: 'completed', result: 'Both.' })
    const mail = play.facts.flatMap(({ entry }) => (entry.type === 'mail.sent' ? [entry.envelope] : []))
    for (const [worker, answer] of [
      ['ana', 'slow answer'],
      ['bo', 'quick answer'],
    ]) {
      const task = mail.find(({ kind, to }) => kind === 'task' && to === `${worker}@demo`)
      const reply = mail.find(({ kind, from }) => kind === 'result' && from === `${worker}@demo`)
      expect(reply).toMatchObject({ request: task?.request, reply_to: task?.id, body: answer, to: 'lead@demo' })
    }
    const settled = play.facts.flatMap(({ entry }) => (entry.type === 'request.settled' ? [entry] : []))
    expect(settled.map(({ worker, status }) => [worker, status])).toEqual([
      ['bo', 'done'],
      ['ana', 'done'],
    ])
  })

  test('a text too long for mail arrives as its beginning, and is whole where the mail says', async () => {
    const long = `${'é<&>'.repeat(60_000)} THE END`
    const stage = await theatre({
      lead: [{ calls: [message('ana', long)] }, { calls: [bash(waitFor('read'))] }, { say: 'Done.' }],
      ana: [{ when: 'The whole text is in', say: 'Read.' }],
    })
    const play = stage.run()
    const { entry } = await play.fact(is('ana', 'mail.received'))
    const { id = '', body = '' } = 'envelope' in entry ? entry.envelope : {}
    expect(Buffer.byteLength(body)).toBeLessThan(64 * 1024)
    const shown = await stage.cli(['mail', 'show', id])
    expect(shown.out.trimEnd().endsWith(long)).toBe(true)
    stage.cue('read')
    expect(await play.result).toMatchObject({ status: 'completed' })
  })

  test('what many processes send at once comes whole, and each sender in its own order', async () => {
    const stage = await theatre({ lead: [{ calls: [bash(waitFor('sent'))] }, { say: 'Done.' }], ana: [{ say: '.' }] })
    const play = stage.run()
    await play.fact(is('lead', 'call.started'))
    const people = ['p1', 'p2', 'p3', 'p4']
    await Promise.all(
      people.map(async (who) => {
        for (const n of [1, 2, 3]) {
          const { code } = await stage.cli(['send', 'lead@demo', `${who} ${n}`])
          expect(code).toBe(0)
        }
      }),
    )
    stage.cue('sent')
    await play.result
    const got = receivedBy(play.dir(), 'lead')
    expect(got).toHaveLength(12)
    for (const who of people) {
      expect(got.filter((text) => text.startsWith(who))).toEqual([1, 2, 3].map((n) => `${who} ${n}`))
    }
  })

  test('a person who writes to a lead that waits for results is heard at once', async () => {
    const stage = await theatre({
      lead: [
        { calls: [delegate({ worker: 'ana', task: 'Take your time.' })] },
        { whenNew: 'HURRY', calls: [message('ana', 'A person waits.')] },
        { when: 'ana is done', say: 'Thank you.' },
      ],
      ana: [{ calls: [bash(waitFor('hurry'))] }, { say: 'ana is done' }],
    })
    const play = stage.run()
    await play.fact(is('lead', 'agent.parked'))
    await play.fact(is('ana', 'call.started'))
    expect(await stage.cli(['send', 'lead@demo', 'HURRY'])).toMatchObject({ code: 0 })
    await play.fact(is('lead', 'mail.sent', (entry) => 'envelope' in entry && entry.envelope.kind === 'text'))
    stage.cue('hurry')
    expect(await play.result).toMatchObject({ status: 'completed', result: 'Thank you.' })
  })

  test('an interrupt ends what the model is saying, and is in the request that follows', async () => {
    const stage = await theatre({
      lead: [{ silent: true }, { whenNew: 'STOP THAT', say: 'Stopped.' }],
      ana: [{ say: '.' }],
    })
    const play = stage.run()
    await play.fact(is('lead', 'model.requested'))
    await expect.poll(() => stage.asked('lead')).toHaveLength(1)
    expect(await stage.cli(['send', 'lead@demo', 'STOP THAT', '--interrupt'])).toMatchObject({ code: 0 })
    expect(await play.result).toMatchObject({ status: 'completed', result: 'Stopped.' })
  })
})

/** A module that lets a process believe in another time; `minutes` is an expression. */
function clockOff(minutes: string): string {
  const file = join(tempDir(), 'clock.mjs')
  writeFileSync(file, `const now = Date.now\nDate.now = () => now() + (${minutes}) * 60_000\n`)
  return file
}

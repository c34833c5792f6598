import { fc, test as prop } from '@fast-check/vitest'
import { readdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createDoorbell, type Doorbell, type Ring } from '../../../src/adapters/mailbox/watch/doorbell.ts'
import type { Mailbox } from '../../../src/adapters/mailbox/mailbox.ts'
import { draft, mailWorld, type MailWorld } from '../../contracts/mail-world.ts'

/** A bell that says what the test says, at once. */
function handBell() {
  let listener: ((ring: Ring) => void) | undefined
  const bell: Doorbell = {
    ring: () => undefined,
    on(_, heard) {
      listener = heard
      return () => undefined
    },
  }
  return { bell, tell: (files?: readonly string[]) => listener?.({ priority: 'normal', ...(files && { files }) }) }
}

let world: MailWorld
beforeEach(() => {
  world = mailWorld('memory')
})
afterEach(() => world.remove())

const bodies = (box: Mailbox, limit?: number) => box.receive(limit).map(({ body }) => body)

/** A box that was emptied and hears only what it is told by hand. */
function toldBox() {
  const [lead, historian] = [world.open('lead'), world.open('historian')]
  const { bell, tell } = handBell()
  const writer = world.open('writer', { doorbell: bell })
  writer.watch(() => undefined)
  writer.receive()
  const send = (from: Mailbox, body: string): string => {
    const sent = from.send(draft('writer', body))
    if (!sent.ok) throw new Error(sent.error)
    const { sender, seq, id } = sent.envelope
    return `${sender}-${seq}-${id}.json`
  }
  return { lead, historian, writer, tell, send }
}

describe('mail that is told by name', () => {
  test('is taken without what was not told, which the next look finds', () => {
    const { lead, historian, writer, tell, send } = toldBox()
    send(historian, 'untold')
    tell([send(lead, 'told')])
    expect(bodies(writer)).toEqual(['told'])
    expect(bodies(writer)).toEqual(['untold'])
    expect(bodies(writer)).toEqual([])
  })

  test.each([
    ['it leaves one of its sender out', ([, second = '']: string[]) => [second]],
    ['it names what is no mail', (names: string[]) => [...names, 'notes.txt']],
    ['it does not say what came', () => undefined],
  ])('is looked for instead when %s', (_, saying) => {
    const { lead, writer, tell, send } = toldBox()
    tell(saying([send(lead, 'one'), send(lead, 'two')]))
    expect(bodies(writer)).toEqual(['one', 'two'])
  })

  test('is looked for in a box that was not emptied before', () => {
    const { lead, historian, writer, tell, send } = toldBox()
    for (const body of ['one', 'two', 'three']) send(lead, body)
    expect(bodies(writer, 1)).toEqual(['one'])
    tell([send(historian, 'told')])
    expect(bodies(writer)).toEqual(['two', 'three', 'told'])
  })

  test('and taken away meanwhile hides nothing else', () => {
    const { lead, historian, writer, tell, send } = toldBox()
    const gone = send(lead, 'taken back')
    send(historian, 'untold')
    tell([gone])
    renameSync(join(world.dir, 'writer/new', gone), join(world.home, gone))
    expect(bodies(writer)).toEqual(['untold'])
  })

  test('that came while nobody listened is looked for', () => {
    const { bell, tell } = handBell()
    const [lead, writer] = [world.open('lead'), world.open('writer', { doorbell: bell })]
    writer.receive()
    lead.send(draft('historian', 'not for the writer'))
    lead.send(draft('writer', 'early'))
    writer.watch(() => undefined)
    tell(readdirSync(join(world.dir, 'writer/new')))
    expect(bodies(writer)).toEqual(['early'])
  })

  test('rings with its name inside one process', async () => {
    const bell = createDoorbell()
    const heard: Ring[] = []
    bell.on('writer', (ring) => heard.push(ring))
    world.open('lead', { doorbell: bell }).send(draft('writer', 'one'))
    await Promise.resolve()
    expect(heard).toEqual([{ priority: 'normal', files: world.files('writer', 'new') }])
  })
})

type Step = { readonly send: 0 | 1 } | { readonly tell: readonly number[] | null } | { readonly receive: number }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ send: fc.constantFrom(0 as const, 1 as const) }),
    // Of the latest names, which lie there or were taken, any, in any order, also twice.
    fc.record({ tell: fc.option(fc.array(fc.nat(5), { maxLength: 4 }), { freq: 9 }) }),
    fc.record({ receive: fc.integer({ min: 1, max: 4 }) }),
  ),
  { maxLength: 40 },
)

prop.prop([steps])('whatever is told, each sender’s mail is taken once and in its order', (taken) => {
  const { lead, historian, writer, tell, send } = toldBox()
  const sent: string[][] = [[], []]
  const names: string[] = ['notes.txt']
  const got: string[] = []
  for (const step of taken) {
    if ('send' in step) {
      const body = `${step.send} ${sent[step.send]?.length}`
      sent[step.send]?.push(body)
      names.push(send(step.send === 0 ? lead : historian, body))
    } else if ('tell' in step) {
      tell(step.tell?.flatMap((n) => names.at(-1 - n) ?? []))
    } else {
      got.push(...bodies(writer, step.receive))
    }
  }
  for (let more = bodies(writer); more.length > 0; more = bodies(writer)) got.push(...more)
  for (const [from, theirs] of sent.entries()) expect(got.filter((body) => body.startsWith(`${from}`))).toEqual(theirs)
  expect(world.deaths('writer')).toEqual([])
  expect(writer.unread()).toBe(0)
})

import { fc, test as prop } from '@fast-check/vitest'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { bodies, draft, mailWorld, type MailWorld } from '../../../contracts/mail-world.ts'

let world: MailWorld
beforeEach(() => {
  world = mailWorld('memory')
})
afterEach(() => world.remove())

/** Takes a file out of the writer's inbox, as the leader does who takes a task back. */
function takeAway(file: string): void {
  renameSync(join(world.dir, 'writer/new', file), join(world.home, file))
}

test('a backlog that was taken away meanwhile hides nothing that came since', () => {
  const [lead, historian, writer] = [world.open('lead'), world.open('historian'), world.open('writer')]
  for (const body of ['one', 'two', 'three']) lead.send(draft('writer', body))
  expect(bodies(writer, 1)).toEqual(['one'])
  for (const file of world.files('writer', 'new')) takeAway(file)
  historian.send(draft('writer', 'since'))
  expect(bodies(writer, 1)).toEqual(['since'])
  expect(bodies(writer, 1)).toEqual([])
})

test('what came while a backlog was read comes with the next listing', () => {
  const [lead, historian, writer] = [world.open('lead'), world.open('historian'), world.open('writer')]
  for (const body of ['one', 'two', 'three']) lead.send(draft('writer', body))
  expect(bodies(writer, 1)).toEqual(['one'])
  historian.send(draft('writer', 'since'))
  expect(bodies(writer, 1)).toEqual(['two'])
  expect(bodies(writer)).toEqual(['three', 'since'])
})

type Step = { readonly send: 'lead' | 'historian' } | { readonly receive: number }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    fc.record({ send: fc.constantFrom('lead' as const, 'historian' as const) }),
    fc.record({ receive: fc.integer({ min: 1, max: 4 }) }),
  ),
  { maxLength: 40 },
)

prop.prop([steps])('in whatever batches it is read, each sender’s mail is taken once and in its order', (taken) => {
  const senders = { lead: world.open('lead'), historian: world.open('historian') }
  const writer = world.open('writer')
  const sent: Record<string, string[]> = { lead: [], historian: [] }
  const got = bodies(writer)
  // The journals go on from run to run: a text is sent once.
  const before = world.received('writer').length
  for (const step of taken) {
    if ('send' in step) {
      const body = `${step.send} ${before} ${sent[step.send]?.length}`
      sent[step.send]?.push(body)
      senders[step.send].send(draft('writer', body))
    } else {
      got.push(...bodies(writer, step.receive))
    }
  }
  for (let more = bodies(writer, 3); more.length > 0; more = bodies(writer, 3)) got.push(...more)
  for (const [from, theirs] of Object.entries(sent)) {
    expect(got.filter((body) => body.startsWith(from))).toEqual(theirs)
  }
  expect(world.deaths('writer')).toEqual([])
  expect(writer.unread()).toBe(0)
})

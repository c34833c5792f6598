import { copyFileSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MailStep } from '../../../src/adapters/mailbox/mail-step.ts'
import type { Seal } from '../../../src/adapters/mailbox/seal.ts'
import { bodies, draft, mailWorld, type MailWorld } from '../../contracts/mail-world.ts'

/** The way in, at the moments at which mail could be lost, doubled or out of order. */
let world: MailWorld
beforeEach(() => {
  world = mailWorld('memory')
})
afterEach(() => world.remove())

/** How many files lie in a folder of the writer's box, and below it. */
const countIn = (folder: string): number => {
  const path = join(world.dir, 'writer', folder)
  const files = existsSync(path) ? readdirSync(path, { recursive: true, encoding: 'utf8' }) : []
  return files.filter((name) => name.endsWith('.json')).length
}

test('mail is claimed, then journaled, then acked: at each moment it is in one place', () => {
  for (const text of ['one', 'two']) world.open('lead').send(draft('writer', text))
  const seen: unknown[] = []
  const step = (name: MailStep): void => {
    seen.push([name, countIn('new'), countIn('cur'), world.received('writer').length, countIn('done')])
  }
  expect(bodies(world.open('writer', { step }))).toEqual(['one', 'two'])
  // What is left in new/, claimed, journaled, in done/.
  expect(seen).toEqual([
    ['claimed.one', 1, 1, 0, 0],
    ['claimed.one', 0, 2, 0, 0],
    ['claimed.all', 0, 2, 0, 0],
    ['received.journaled', 0, 2, 2, 0],
    ['acked.one', 0, 1, 2, 1],
    ['acked.one', 0, 0, 2, 2],
  ])
})

test('a mail that comes again leaves no line in the journal', () => {
  world.open('lead').send(draft('writer', 'one'))
  const writer = world.open('writer')
  expect(bodies(writer)).toEqual(['one'])
  again('lead')
  expect(bodies(writer)).toEqual([])
  expect(world.entries('writer')).toHaveLength(1)
})

/** Puts what a sender's mail has become back into the box. */
function again(sender: string): void {
  for (const file of world.files('writer', 'done').filter((name) => name.startsWith(`${sender}-`)))
    copyFileSync(join(world.dir, 'writer/done', file), join(world.dir, 'writer/new', file))
}

describe('a file that the disk does not give', () => {
  /** Fails so many times at the mail of the lead; `looks` counts all tries. */
  function failing(times: number) {
    const tries = { looks: 0 }
    const seal: Seal = {
      sign: (envelope) => envelope,
      complaint({ sender }) {
        if (sender !== 'lead') return null
        tries.looks += 1
        if (tries.looks <= times) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
        return null
      },
    }
    return { tries, writer: world.open('writer', { seal }) }
  }

  beforeEach(() => {
    for (const text of ['one', 'two']) world.open('lead').send(draft('writer', text))
    world.open('historian').send(draft('writer', 'meanwhile'))
  })

  test('waits in the box with all that its sender wrote later, and comes in order once it can be read', () => {
    const { writer } = failing(3)
    expect(bodies(writer)).toEqual(['meanwhile'])
    expect([countIn('new'), countIn('cur')]).toEqual([2, 0])
    expect([bodies(writer), bodies(writer)]).toEqual([[], []])
    expect([countIn('new'), countIn('cur')]).toEqual([2, 0])
    expect(bodies(writer)).toEqual(['one', 'two'])
    expect(world.deaths('writer')).toEqual([])
  })

  test('is tried once in a look, whatever else there is to do', () => {
    const { tries, writer } = failing(4)
    for (const looks of [1, 2, 3, 4]) {
      writer.receive()
      expect(tries.looks).toBe(looks)
      again('historian')
    }
    expect(bodies(writer)).toEqual(['one', 'two'])
  })

  test('dies at the fifth failure, aloud, and what its sender wrote later comes', () => {
    const { writer } = failing(5)
    expect([1, 2, 3, 4].flatMap(() => bodies(writer))).toEqual(['meanwhile'])
    expect(world.deaths('writer')).toEqual([])
    expect(bodies(writer)).toEqual(['two'])
    expect(world.deaths('writer')).toMatchObject([{ attempts: 5, reason: expect.stringContaining('EIO') as string }])
    expect(world.files('writer', 'dead')).toHaveLength(1)
  })
})

test('a mistake of ours while mail is acked is thrown, not kept for later', () => {
  world.open('lead').send(draft('writer', 'one'))
  const step = (name: MailStep): void => {
    if (name === 'acked.one') throw new TypeError('we are wrong')
  }
  const writer = world.open('writer', { step })
  expect(() => writer.receive()).toThrow('we are wrong')
})

import { expect, test } from 'vitest'
import { openWorkLook } from '../../../src/runtime/member/look-for-work.ts'

/** A clock whose timers go off when the test says so, and a box whose count the test sets. */
function world() {
  const planned: { act: () => void; ms: number }[] = []
  const clock = {
    setTimeout(act: () => void, ms: number) {
      planned.push({ act, ms })
      return planned.length
    },
    clearTimeout: () => void planned.splice(0),
  }
  const box = { unread: 1 }
  const look = openWorkLook(() => ({ unread: box.unread }), clock)
  /** Looks, works without a turn, and says how long the look rested. */
  const inVain = async (): Promise<number> => {
    const looking = look.look(null)
    const rest = planned.shift()
    rest?.act()
    await looking
    look.ended(0)
    return rest?.ms ?? 0
  }
  return { box, look, planned, inVain }
}

test('work that leads nowhere is looked for again after a rest, twice as long each time, half a minute at most', async () => {
  const { inVain } = world()
  const rests: number[] = []
  for (let n = 0; n < 12; n += 1) rests.push(await inVain())
  expect(rests.slice(0, 5)).toEqual([0, 100, 200, 400, 800])
  expect(rests.at(-1)).toBe(30_000)
})

test('a turn, other work, or none ends that', async () => {
  const { box, look, inVain } = world()
  for (let n = 0; n < 3; n += 1) await inVain()
  box.unread = 2
  expect(await inVain()).toBe(0)
  expect(await inVain()).toBe(100)
  look.ended(1)
  expect(await inVain()).toBe(0)
  box.unread = 0
  expect(await inVain()).toBe(0)
  expect(await inVain()).toBe(0)
})

test('a bell ends a rest, and the box is counted anew', async () => {
  const { box, look, planned, inVain } = world()
  await inVain()
  const looking = look.look(null)
  expect(planned).toHaveLength(1)
  box.unread = 5
  look.hasten()
  expect([await looking, planned]).toEqual([{ unread: 5 }, []])
})

test('mail that could not be taken in is the failure of its member', async () => {
  await expect(world().look.look({ error: new Error('EROFS') })).rejects.toThrow('EROFS')
})

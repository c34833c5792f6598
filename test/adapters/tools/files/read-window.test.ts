import { createHash } from 'node:crypto'
import { fc, test as property } from '@fast-check/vitest'
import { describe, expect, test } from 'vitest'
import { readWindow, type ByteSource } from '../../../../src/adapters/tools/files/read-window.ts'

const limits = { offset: 1, limit: 2_000, maxChars: 60_000, maxLine: 2_000 }
const { signal } = new AbortController()
const chunk = 1 << 18

/** A file that gives what it has in its own portions, and notes whether two reads were ever under way together. */
function sourceOf(bytes: Buffer, portions: readonly number[]): ByteSource & { reading: number; most: number } {
  let at = 0
  let turn = 0
  const source = {
    reading: 0,
    most: 0,
    async read(buffer: Uint8Array) {
      source.reading += 1
      source.most = Math.max(source.most, source.reading)
      await new Promise<void>((resolve) => setImmediate(resolve))
      const portion = portions[turn++ % portions.length] ?? buffer.length
      const copied = bytes.copy(buffer, 0, at, at + Math.min(portion, buffer.length))
      at += copied
      source.reading -= 1
      return copied
    },
  }
  return source
}

/** A text of some 600,000 bytes in lines of every length. */
const text = Array.from({ length: 6_000 }, (_, i) => `${i} ${'é🙂x'.repeat(i % 23)}`).join('\n')

describe('the window of a file that is read ahead', () => {
  property.prop(
    [
      fc.array(fc.oneof(fc.constant(chunk), fc.integer({ min: 1, max: chunk })), { minLength: 1, maxLength: 6 }),
      fc.integer({ min: 1, max: 6_100 }),
    ],
    { numRuns: 40 },
  )('holds the same lines, the same number and the same hash, whatever the portions', async (portions, offset) => {
    const bytes = Buffer.from(text)
    // Small portions only now and then: the file would be read for ever.
    const source = sourceOf(bytes, [...portions, chunk, chunk, chunk])
    const window = await readWindow(source, { ...limits, offset, limit: 5 }, signal)
    expect(window.lines).toEqual(text.split('\n').slice(offset - 1, offset + 4))
    expect([window.total, window.hash]).toEqual([6_000, createHash('sha256').update(bytes).digest('hex')])
    expect([source.reading, source.most, window.bytes]).toEqual([0, 1, undefined])
  })

  test('brings along the bytes of a small file', async () => {
    const window = await readWindow(sourceOf(Buffer.from('a\nb\n'), []), limits, signal)
    expect(window.bytes).toEqual(Buffer.from('a\nb\n'))
  })

  test.each([
    ['it is stopped', Buffer.alloc(4 * chunk, 'x\n'), true],
    ['the file turns out to be binary', Buffer.alloc(4 * chunk), false],
  ] as const)('reads no more once %s', async (_why, bytes, stops) => {
    const control = new AbortController()
    const source = sourceOf(bytes, [])
    if (stops) control.abort()
    await readWindow(source, limits, control.signal).catch(() => undefined)
    expect(source.reading).toBe(0)
  })

  test('passes on what the disk says, at the first portion and at a later one', async () => {
    for (const failing of [1, 2, 3]) {
      let reads = 0
      const broken: ByteSource = {
        async read(buffer) {
          reads += 1
          if (reads === failing) throw new Error('EIO')
          return buffer.fill(120).length
        },
      }
      await expect(readWindow(broken, limits, signal)).rejects.toThrow(/EIO/)
    }
  })
})

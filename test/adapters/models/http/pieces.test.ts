import { PassThrough, Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { cutPieces } from '../../../../src/adapters/models/http/pieces.ts'

const whole = { feed: (piece: string) => piece, end: () => '' }

async function all(body: Readable): Promise<string> {
  let text = ''
  for await (const piece of cutPieces(body, whole)) text += piece
  return text
}

describe('the pieces of a stream', () => {
  test('are all of it, whether it was there before or comes later', async () => {
    const body = new PassThrough({ encoding: 'utf8' })
    body.write('one ')
    const reading = all(body)
    for (const piece of ['two ', 'thr', 'ee ', 'ü']) {
      await new Promise((resolve) => setImmediate(resolve))
      body.write(piece)
    }
    body.end()
    expect(await reading).toBe('one two three ü')
  })

  test('are cut as they come, and once more at the end', async () => {
    const body = Readable.from(['a-', 'b'], { objectMode: false, encoding: 'utf8' })
    let rest = ''
    const lines: string[] = []
    const cutter = {
      feed(piece: string) {
        const cut = `${rest}${piece}`.split('-')
        rest = cut.pop() ?? ''
        return cut
      },
      end: () => [rest],
    }
    for await (const cut of cutPieces(body, cutter)) lines.push(...cut)
    expect(lines).toEqual(['a', 'b'])
  })

  test('of many streams are read in step: when all of them had their turn to bring something', async () => {
    const bodies = ['a', 'b'].map((text) => Readable.from([text], { objectMode: false, encoding: 'utf8' }))
    const fed: string[] = []
    const cutter = { feed: (piece: string) => fed.push(piece), end: () => 0 }
    const reading = bodies.map(async (body) => {
      for await (const count of cutPieces(body, cutter)) expect(count).toBeLessThanOrEqual(2)
    })
    await new Promise((resolve) => process.nextTick(resolve))
    expect(fed).toEqual([])
    await Promise.all(reading)
    expect(fed).toEqual(['a', 'b'])
  })

  test('of an empty stream are none', async () => {
    expect(await all(Readable.from([]))).toBe('')
  })

  test('come before the failure of the stream, which is thrown as it is', async () => {
    const body = new PassThrough({ encoding: 'utf8' })
    body.write('heard')
    const failure = new Error('the wire broke')
    body.on('error', () => undefined)
    let text = ''
    const reading = (async () => {
      for await (const piece of cutPieces(body, whole)) {
        text += piece
        body.destroy(failure)
      }
    })()
    await expect(reading).rejects.toBe(failure)
    expect(text).toBe('heard')
  })

  test.each([[null], [new Error('broken')]])('end with an error when the stream closed before: %s', async (error) => {
    const body = new PassThrough()
    body.on('error', () => undefined)
    body.destroy(error ?? undefined)
    await expect(all(body)).rejects.toThrow(error?.message ?? 'Premature close')
  })

  test('can be left early: the stream stays open, and nobody listens any more', async () => {
    const body = new PassThrough({ encoding: 'utf8' })
    body.write('first')
    for await (const piece of cutPieces(body, whole)) {
      expect(piece).toBe('first')
      break
    }
    expect(body.destroyed).toBe(false)
    expect(['readable', 'error'].map((event) => body.listenerCount(event))).toEqual([0, 0])
    body.end('rest')
    expect(await all(body)).toBe('rest')
  })
})

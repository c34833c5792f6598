import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { lastBytes } from '../../../src/adapters/process/last-bytes.ts'

test.prop([fc.array(fc.uint8Array({ maxLength: 30 }), { maxLength: 12 }), fc.integer({ min: 1, max: 40 })])(
  'the last bytes are those of the whole row, and the others are counted',
  (pieces, most) => {
    const last = lastBytes(most)
    for (const piece of pieces) last.push(piece)
    const whole = Buffer.concat(pieces)
    const bytes = whole.subarray(Math.max(0, whole.length - most))
    expect(last.take()).toEqual({ bytes, before: whole.length - bytes.length })
  },
)

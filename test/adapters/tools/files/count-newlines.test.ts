import { fc, test } from '@fast-check/vitest'
import { expect } from 'vitest'
import { countNewlines } from '../../../../src/adapters/tools/files/count-newlines.ts'

const byte = fc.constantFrom(10, 0, 9, 11, 0x8a, 0xff, 0x61)

test.prop([fc.array(byte, { maxLength: 70 }), fc.nat(7)])(
  'counts what splitting counts, wherever it starts',
  (bytes, from) => {
    const piece = Uint8Array.from(bytes).subarray(Math.min(from, bytes.length))
    expect(countNewlines(piece)).toBe(piece.filter((each) => each === 10).length)
  },
)

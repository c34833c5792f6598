import { crc32, deflateSync } from 'node:zlib'

/** A whole PNG of this size: a pattern that packs well, or one that does not pack at all. */
export function paintedPng(width: number, height: number, kind: 'plain' | 'dense' = 'plain'): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const rows = Buffer.alloc((1 + 3 * width) * height)
  let state = 1
  for (let at = 0; at < rows.length; at += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    if (at % (1 + 3 * width) !== 0) rows[at] = kind === 'dense' ? state >>> 16 : at & 0x40
  }
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  const packed = deflateSync(rows, { level: kind === 'dense' ? 0 : 6 })
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', packed), chunk('IEND', Buffer.alloc(0))])
}

function chunk(name: string, data: Buffer): Buffer {
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data])
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** The size that the head of an image states: PNG, GIF, WebP and JPEG. */
export function imageSize(head: Buffer): Size | null {
  if (head.length < 30) return null
  if (head.readUInt32BE(0) === 0x89_50_4e_47) return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
  if (head.toString('latin1', 0, 3) === 'GIF') return { width: head.readUInt16LE(6), height: head.readUInt16LE(8) }
  if (head.toString('latin1', 8, 12) === 'WEBP') return webpSize(head)
  return head.readUInt16BE(0) === 0xff_d8 ? jpegSize(head) : null
}

function webpSize(head: Buffer): Size | null {
  const kind = head.toString('latin1', 12, 16)
  if (kind === 'VP8X') return { width: head.readUIntLE(24, 3) + 1, height: head.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8 ') return { width: head.readUInt16LE(26) % 16_384, height: head.readUInt16LE(28) % 16_384 }
  const bits = head.readUInt32LE(21)
  return { width: (bits % 16_384) + 1, height: (Math.floor(bits / 16_384) % 16_384) + 1 }
}

/** The size stands in the first segment that begins a frame. */
function jpegSize(head: Buffer): Size | null {
  for (let at = 2; at + 9 < head.length && head[at] === 0xff; at += 2 + head.readUInt16BE(at + 2)) {
    const marker = head[at + 1] ?? 0
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: head.readUInt16BE(at + 7), height: head.readUInt16BE(at + 5) }
  }
  return null
}

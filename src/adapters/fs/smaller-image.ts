import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import type { ImageBlock } from '../../protocol/conversation/message.ts'
import { imageSize } from './image-size.ts'

/** The largest image that a server takes. */
interface Bounds {
  /** Of its longer side. */
  readonly pixels: number
  readonly bytes: number
}

/** Pixels that are unpacked at most: each takes four bytes, and some more while it is made smaller. */
const mostUnpacked = 50_000_000

/** An image is made smaller in less than ten seconds on a slow machine. */
const mostMs = 60_000

/**
 * Makes an image smaller on a thread of its own: the memory for its pixels is given back, and one of hostile make can
 * be given up. A PNG stays one where that is small enough; everything else becomes a JPEG, of as good a quality as fits.
 */
const painter = `
const { parentPort, workerData } = require('node:worker_threads')
const { PhotonImage, SamplingFilter, resize } = require(workerData.library)
const { data, width, height, isPng, bytes } = workerData
const image = PhotonImage.new_from_byteslice(Buffer.from(data, 'base64'))
const small = resize(image, width, height, SamplingFilter.Triangle)
const ways = [
  ...(isPng ? [['image/png', () => small.get_bytes()]] : []),
  ...[85, 60, 30].map((quality) => ['image/jpeg', () => small.get_bytes_jpeg(quality)]),
]
for (const [media_type, write] of ways) {
  const made = write()
  if (made.length > bytes) continue
  parentPort.postMessage({ type: 'image', media_type, data: Buffer.from(made).toString('base64') })
  break
}
`

/**
 * A copy of an image within bounds, made with the package `@silvia-odwyer/photon-node`; null where none can be made.
 *
 * @example await smallerImage(screenshot, { pixels: 2_000, bytes: 3_750_000 })
 */
export async function smallerImage({ data, media_type }: ImageBlock, bounds: Bounds): Promise<ImageBlock | null> {
  const size = imageSize(Buffer.from(data.slice(0, 200_000), 'base64'))
  const library = installed()
  if (size === null || library === null || size.width * size.height > mostUnpacked) return null
  const scale = Math.min(1, bounds.pixels / Math.max(size.width, size.height))
  const [width, height] = [size.width, size.height].map((side) => Math.max(1, Math.round(side * scale)))
  const given = { library, data, width, height, isPng: media_type === 'image/png', bytes: bounds.bytes }
  const worker = new Worker(painter, { eval: true, workerData: given, env: {}, stdout: true, stderr: true })
  const late = setTimeout(() => void worker.terminate(), mostMs)
  try {
    return await new Promise<ImageBlock | null>((resolve) => {
      worker.once('message', resolve)
      worker.once('error', () => resolve(null))
      worker.once('exit', () => resolve(null))
    })
  } finally {
    clearTimeout(late)
    await worker.terminate()
  }
}

function installed(): string | null {
  try {
    return fileURLToPath(import.meta.resolve('@silvia-odwyer/photon-node'))
  } catch {
    return null
  }
}

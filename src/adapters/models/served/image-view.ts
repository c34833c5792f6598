import type { Attachment, ImageBlock, Message, TextBlock } from '../../../protocol/conversation/message.ts'
import { imageSize, type Size } from '../../fs/image-size.ts'
import { smallerImage } from '../../fs/smaller-image.ts'

/** Features that a server which refused images may be spared. */
export type ImageFeature = 'many_images' | 'few_images' | 'large_images' | 'medium_images' | 'images'

const manyImages =
  /too many\b.*\bimages?\b|too much media|(at most|up to|fewer than|max(imum)?)\W+(of\W+)?\d+\W+images?\b|(number of|max(imum)?) images\b/i

const tooLarge = /images?\b.*(exceed|too large|too big|maximum|dimension|pixel|\bsize\b|bytes)|many.image/i

/** Refusals of images, in the order in which they are looked for: neither their number nor their size is a lack of sight. */
export const imageRefusals: Readonly<Record<Exclude<ImageFeature, 'images'>, RegExp>> = {
  many_images: manyImages,
  few_images: manyImages,
  large_images: tooLarge,
  medium_images: tooLarge,
}

/** Features by the names that people know. */
export const imageNames: Readonly<Record<ImageFeature, string>> = {
  many_images: 'more than 20 images',
  few_images: 'more than one image',
  large_images: 'large images',
  medium_images: 'images of more than 1,000 pixels',
  images: 'images',
}

/** The longer side and the bytes of an image that is shown as it is, and smaller copies of others; null where none can be made. */
interface Bounds {
  readonly pixels: number
  readonly bytes: number
  readonly copies: WeakMap<ImageBlock, ImageBlock | null>
}

/** Servers that bound images take these, however many there are. */
const large: Bounds = { pixels: 2_000, bytes: 3_750_000, copies: new WeakMap() }
/** And the strict ones these. */
const medium: Bounds = { pixels: 1_000, bytes: 700_000, copies: new WeakMap() }
/** Images of a request: beyond it the older half of them goes, so that what is kept changes seldom. */
const mostImages = 20

/** A conversation as a server takes it, as far as its images go. */
export interface ImageView {
  /** Makes the smaller copies that `seen` shows. */
  prepare(messages: readonly Message[], conceded: ReadonlySet<string>): Promise<void>
  /** The same array where nothing was conceded; else another one, which only grows, as the given one does. */
  seen(messages: readonly Message[], conceded: ReadonlySet<string>): readonly Message[]
}

/** The conversations of one model. What its server refused becomes smaller, or a note that tells of it. */
export function imageView(): ImageView {
  const views = new WeakMap<readonly Message[], View>()
  return {
    async prepare(messages, conceded) {
      const bounds = boundsOf(conceded)
      if (bounds === null || conceded.has('images')) return
      const hidden = hiddenImages(messages, conceded)
      for (const image of messages.flatMap(imagesOf).slice(hidden)) {
        if (!isLarge(image, bounds) || bounds.copies.has(image)) continue
        bounds.copies.set(image, await smallerImage(image, bounds))
        // A look before the copy was there saw a note.
        views.delete(messages)
      }
    },
    seen(messages, conceded) {
      if (!Object.keys(imageNames).some((feature) => conceded.has(feature))) return messages
      const hidden = hiddenImages(messages, conceded)
      const key = `${hidden} ${conceded.has('images')} ${boundsOf(conceded)?.pixels}`
      const known = views.get(messages)
      const goesOn = known?.key === key && known.last === messages[known.shown.length - 1]
      const view = goesOn ? known : { key, shown: [], images: 0, last: undefined }
      views.set(messages, view)
      for (const message of messages.slice(view.shown.length)) {
        view.shown.push(withImages(message, (image) => shown(image, { conceded, isHidden: view.images++ < hidden })))
        view.last = message
      }
      return view.shown
    },
  }
}

interface View {
  /** Features that are left out, and how many images. */
  readonly key: string
  readonly shown: Message[]
  /** Images in these messages. */
  images: number
  last: Message | undefined
}

/** How many of the first images are left out for the sake of the others. */
function hiddenImages(messages: readonly Message[], conceded: ReadonlySet<string>): number {
  const most = conceded.has('few_images') ? 1 : mostImages
  const over = messages.reduce((sum, message) => sum + imagesOf(message).length, -most)
  if (over <= 0 || !(conceded.has('few_images') || conceded.has('many_images'))) return 0
  const step = Math.ceil(most / 2)
  return Math.ceil(over / step) * step
}

interface Showing {
  readonly conceded: ReadonlySet<string>
  readonly isHidden: boolean
}

function shown(image: ImageBlock, { conceded, isHidden }: Showing): ImageBlock | TextBlock {
  if (conceded.has('images')) return noteOf(image, 'which this model cannot see')
  if (isHidden) return noteOf(image, 'which is no longer shown: later ones are')
  const bounds = boundsOf(conceded)
  if (bounds === null || !isLarge(image, bounds)) return image
  return bounds.copies.get(image) ?? noteOf(image, `${sizeText(image, bounds)}, which is too large to be shown`)
}

/** The note in place of an image that a model does not see. */
export function noteOf({ media_type }: ImageBlock, why: string): TextBlock {
  return { type: 'text', text: `[an image of type ${media_type}, ${why}]` }
}

function boundsOf(conceded: ReadonlySet<string>): Bounds | null {
  if (conceded.has('medium_images')) return medium
  return conceded.has('large_images') ? large : null
}

function isLarge(image: ImageBlock, { pixels, bytes }: Bounds): boolean {
  const { width, height } = sizeOf(image)
  return Math.max(width, height) > pixels || bytesOf(image) > bytes
}

function sizeOf({ data }: ImageBlock): Size {
  return imageSize(Buffer.from(data.slice(0, 200_000), 'base64')) ?? { width: 0, height: 0 }
}

function bytesOf({ data }: ImageBlock): number {
  return Math.floor((data.length * 3) / 4)
}

function sizeText(image: ImageBlock, { pixels }: Bounds): string {
  const { width, height } = sizeOf(image)
  return Math.max(width, height) > pixels ? `of ${width} × ${height} pixels` : `of ${bytesOf(image)} bytes`
}

function imagesOf(message: Message): readonly ImageBlock[] {
  if (message.role === 'assistant') return []
  const blocks = message.role === 'user' ? message.content : message.results.flatMap(({ content }) => content)
  return blocks.filter((block) => block.type === 'image')
}

/** The message with each of its images shown; the same one where it has none. */
function withImages(message: Message, show: (image: ImageBlock) => ImageBlock | TextBlock): Message {
  if (message.role === 'assistant' || imagesOf(message).length === 0) return message
  const each = <Block extends TextBlock | Attachment>(blocks: readonly Block[]) =>
    blocks.map((block) => (block.type === 'image' ? show(block) : block))
  if (message.role === 'user') return { ...message, content: each(message.content) }
  return { ...message, results: message.results.map((result) => ({ ...result, content: each(result.content) })) }
}

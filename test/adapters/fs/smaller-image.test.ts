import { expect, test } from 'vitest'
import { imageSize } from '../../../src/adapters/fs/image-size.ts'
import { smallerImage } from '../../../src/adapters/fs/smaller-image.ts'
import { paintedPng } from '../../support/painted-png.ts'

const bounds = { pixels: 400, bytes: 200_000 }

const image = (bytes: Buffer, media_type = 'image/png') => ({
  type: 'image' as const,
  media_type,
  data: bytes.toString('base64'),
})

test('an image of many pixels keeps its kind and its proportions', async () => {
  const made = await smallerImage(image(paintedPng(1_200, 60)), bounds)
  expect(made?.media_type).toBe('image/png')
  expect(imageSize(Buffer.from(made?.data ?? '', 'base64'))).toEqual({ width: 400, height: 20 })
})

test('one that stays too long as a PNG becomes a JPEG, and that a smaller one', async () => {
  const dense = image(paintedPng(400, 400, 'dense'))
  const made = await smallerImage(dense, bounds)
  expect(made?.media_type).toBe('image/jpeg')
  expect(made?.data.length).toBeLessThan((bounds.bytes * 4) / 3)
  const again = await smallerImage({ ...dense, ...made }, { ...bounds, pixels: 100 })
  expect(again?.media_type).toBe('image/jpeg')
  expect(imageSize(Buffer.from(again?.data ?? '', 'base64'))).toEqual({ width: 100, height: 100 })
})

test('nothing is made of what is broken, unknown, too large to unpack or still too long', async () => {
  const head = paintedPng(800, 800).subarray(0, 60)
  const bomb = paintedPng(10, 10)
  bomb.writeUInt32BE(100_000, 16)
  bomb.writeUInt32BE(100_000, 20)
  expect(await smallerImage(image(head), bounds)).toBeNull()
  expect(await smallerImage(image(Buffer.from('no image at all, but words of some length')), bounds)).toBeNull()
  expect(await smallerImage(image(bomb), bounds)).toBeNull()
  expect(await smallerImage(image(paintedPng(800, 800, 'dense')), { pixels: 400, bytes: 1_000 })).toBeNull()
})

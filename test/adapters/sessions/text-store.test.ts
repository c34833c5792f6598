import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fc, test as property } from '@fast-check/vitest'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ArtifactWriter } from '../../../src/adapters/sessions/artifact-writer.ts'
import { storeArtifact } from '../../../src/adapters/sessions/artifacts.ts'
import { textStore } from '../../../src/adapters/sessions/text-store.ts'

let home = ''
const folder = (): string => join(home, 'artifacts')

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'troupe-texts-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('a text that comes piece by piece', () => {
  property.prop([fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { maxLength: 20 })])(
    'ends up as the artifact that the whole text would be',
    (pieces) => {
      const writer = new ArtifactWriter(folder())
      for (const piece of pieces) writer.push(piece)
      const { cut, ...made } = writer.end()
      expect(made).toEqual(storeArtifact(folder(), pieces.join('')))
      expect([cut, readFileSync(made.path, 'utf8')]).toEqual([0, pieces.join('')])
      expect(readdirSync(folder()).filter((name) => name.startsWith('.'))).toEqual([])
    },
  )

  property.prop([
    fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }), { minLength: 8, maxLength: 60 }),
  ])('loses its middle beyond the bounds, whole characters of it, and says how much', (pieces) => {
    const kept = { head: 40, tail: 30 }
    const writer = new ArtifactWriter(folder(), kept)
    for (const piece of pieces) writer.push(piece)
    const { cut, path, bytes, sha256 } = writer.end()
    const [whole, text] = [pieces.join(''), readFileSync(path, 'utf8')]
    expect([bytes, sha256]).toEqual([Buffer.byteLength(text), createHash('sha256').update(text).digest('hex')])
    expect(basename(path)).toBe(sha256)
    if (cut === 0) {
      expect(text).toBe(whole)
      return
    }
    const [, head = '', tail = ''] = /^(.*)\n\[… [\d,]+ bytes cut …\]\n(.*)$/s.exec(text) ?? []
    expect([whole.startsWith(head), whole.endsWith(tail), text.isWellFormed()]).toEqual([true, true, true])
    expect(Buffer.byteLength(head + tail) + cut).toBe(Buffer.byteLength(whole))
    expect([27, 28, 29, 30]).toContain(Buffer.byteLength(tail))
  })

  test('leaves nothing behind when nobody wants it any more', () => {
    const writer = new ArtifactWriter(folder())
    writer.push('something')
    writer.discard()
    expect(readdirSync(folder())).toEqual([])
    expect(() => writer.push('more')).toThrow('has ended')
  })

  test('is not in the way of another one at the same time', () => {
    const [a, b] = [new ArtifactWriter(folder()), new ArtifactWriter(folder())]
    a.push('a')
    b.push('b')
    expect([readFileSync(a.end().path, 'utf8'), readFileSync(b.end().path, 'utf8')]).toEqual(['a', 'b'])
  })
})

describe('the store of a member', () => {
  test('takes whole texts and texts that come, until it is full', () => {
    const store = textStore(folder(), 10)
    const writer = store.open()
    writer.push('12345')
    expect(readFileSync(writer.end().path, 'utf8')).toBe('12345')
    expect(existsSync(store.put('67890').path)).toBe(true)
    expect(() => store.put('x')).toThrow('10 bytes of this member')
    expect(() => store.open()).toThrow('10 bytes of this member')
  })

  test('takes away what a killed process was writing, and nothing else', () => {
    const dead = spawnSync(process.execPath, ['--version']).pid
    mkdirSync(folder())
    for (const name of [`.unfinished-${dead}-1`, `.unfinished-${dead}`, `.unfinished-${process.pid}-0`, 'other'])
      writeFileSync(join(folder(), name), 'half')
    textStore(folder()).open().discard()
    expect(readdirSync(folder()).toSorted()).toEqual([`.unfinished-${process.pid}-0`, 'other'])
  })

  test('says what the disk says', () => {
    mkdirSync(home, { recursive: true })
    writeFileSync(folder(), 'a file where the folder should be')
    expect(() => textStore(folder()).open()).toThrow(/EEXIST|ENOTDIR/)
  })
})

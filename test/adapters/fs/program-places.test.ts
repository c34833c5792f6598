import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { programPlaces } from '../../../src/adapters/fs/program-places.ts'

test.each([
  ['bin::/usr/bin', ['bin', '.', '/usr/bin']],
  ['./:./bin/:a/../bin', ['.', 'bin']],
  ['..:../../:/usr//bin/', ['..', '../..', '/usr/bin']],
  ['', []],
])('the PATH %j has %j', (path, places) => expect(programPlaces(path)).toEqual(places))

test('a link stands beside the directory to which it leads', () => {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-path-')))
  onTestFinished(() => rmSync(base, { recursive: true }))
  mkdirSync(join(base, 'bin'))
  symlinkSync('bin', join(base, 'link'))
  expect(programPlaces(`${base}/link`)).toEqual([join(base, 'link'), join(base, 'bin')])
})

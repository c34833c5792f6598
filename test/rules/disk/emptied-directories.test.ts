import { expect, test } from 'vitest'
import { looking, type DiskEntry } from '../../../src/rules/disk/disk.ts'
import { emptied } from '../../../src/rules/disk/emptied-directories.ts'

const folders: Readonly<Record<string, readonly DiskEntry[]>> = {
  '/': [{ name: 'home', kind: 'directory' }],
  '/home': [
    { name: 'work', kind: 'directory' },
    { name: 'notes', kind: 'file' },
    { name: 'letters', kind: 'file' },
    { name: '.profile', kind: 'file' },
  ],
}
const entries = (path: string): readonly DiskEntry[] | null => folders[path] ?? null
const disk = looking(Object.assign((path: string) => path, { entries }))

test.each([
  ['all names that are shown', ['work', 'notes', 'letters'], { all: true, most: true, single: false }],
  ['more than half of them', ['work', 'notes'], { all: false, most: true, single: false }],
  ['one of three, which no pattern found', ['work'], { all: false, most: false, single: true }],
])('%s', (_that, names, expected) => {
  expect(
    emptied(
      names.map((name) => ({ path: `/home/${name}` })),
      disk,
    ),
  ).toMatchObject([{ directory: '/home', ...expected }])
})

test('names that patterns found are counted apart', () => {
  const taken = [{ path: '/home/work', found: true as const }, { path: '/home/notes' }]
  expect(emptied(taken, disk)).toMatchObject([{ most: true, mostFound: false, trees: true }])
})

test('hidden names and names that do not exist take nothing', () => {
  expect(emptied([{ path: '/home/.profile' }, { path: '/home/absent' }, { path: '/' }], disk)).toEqual([])
})

import { describe, expect, test } from 'vitest'
import { looking, type Disk, type DiskEntry } from '../../../src/rules/disk/disk.ts'
import { globbed } from '../../../src/rules/disk/disk-globs.ts'
import { targetsOf } from '../../../src/rules/disk/link-targets.ts'
import { repositoryOf } from '../../../src/rules/disk/repositories.ts'

const tree: Readonly<Record<string, readonly string[]>> = {
  '/': ['repo/'],
  '/repo': ['.git/', '.env', 'a.ts', 'b.ts', 'src/', 'bare/', 'sub/', 'to-src@'],
  '/repo/.git': ['HEAD', 'config', 'objects/', 'refs/'],
  '/repo/src': ['c.ts', '.hidden'],
  '/repo/bare/refs': ['wé'],
  '/repo/bare': ['HEAD', 'objects/', 'refs/'],
  '/repo/sub': ['.git/'],
}
const asEntry = (name: string): DiskEntry => {
  if (name.endsWith('/')) return { name: name.slice(0, -1), kind: 'directory' }
  return name.endsWith('@') ? { name: name.slice(0, -1), kind: 'link' } : { name, kind: 'file' }
}
const disk: Disk = Object.assign((path: string) => path.replace('/repo/to-src', '/repo/src'), {
  entries: (directory: string) => tree[directory]?.map(asEntry) ?? null,
})

describe('what a pattern stands for', () => {
  test.each([
    ['/repo/*.ts', ['/repo/a.ts', '/repo/b.ts']],
    ['/repo/*/c.ts', ['/repo/src/c.ts', '/repo/bare/c.ts', '/repo/sub/c.ts', '/repo/to-src/c.ts']],
    ['/repo/to-*/?.ts', ['/repo/to-src/c.ts']],
    ['/repo/[ab].ts', ['/repo/a.ts', '/repo/b.ts']],
    ['/repo/.e*', ['/repo/.env']],
    ['/repo/*env', []],
    ['/repo/bare/refs/w??', ['/repo/bare/refs/wé']],
    ['/repo/bare/refs/w[[:alpha:]]', ['/repo/bare/refs/wé']],
    ['/repo/\\*.ts', ['/repo/*.ts']],
  ])('%s', (pattern, expected) => {
    expect(globbed(pattern, disk, false)).toEqual(expected)
  })

  test('under other options of the shell hidden names and other letters count', () => {
    expect(globbed('/repo/*ENV', disk, true)).toEqual(['/repo/.env'])
    expect(globbed('/repo/**', disk, true)).toBeNull()
  })

  test('too many are none that anybody knows', () => {
    const names = Array.from({ length: 1_001 }, (_, i) => ({ name: `f${i}`, kind: 'file' }) as const)
    const top = [{ name: 'x', kind: 'directory' }] as const
    const full: Disk = Object.assign((path: string) => path, {
      entries: (directory: string) => (directory === '/' ? top : names),
    })
    expect(globbed('/x/f*', full, false)).toBeNull()
    expect(looking(full).below('/x')).toHaveLength(1_001)
  })
})

test('all that lies below a directory is found once, and links are not followed', () => {
  let looks = 0
  const counting: Disk = Object.assign((path: string) => path, {
    entries: (directory: string) => {
      looks += 1
      return disk.entries?.(directory) ?? null
    },
  })
  const seen = looking(counting)
  expect(seen.below('/repo/src')).toEqual(['/repo/src/c.ts', '/repo/src/.hidden'])
  expect(seen.below('/repo/src')).toHaveLength(2)
  expect(looks).toBe(2)
  expect(looking(Object.assign((path: string) => path, {})).below('/repo')).toBeNull()
})

test.each([
  ['/repo/src', { root: '/repo', top: '/repo', bare: false, linked: false }],
  ['/repo/sub', { root: '/repo/sub', top: '/repo/sub', bare: false, linked: false }],
  ['/repo/bare', { root: '/repo/bare', top: '/repo/bare', bare: true, linked: false }],
  ['/', null],
])('the repository of %s', (directory, expected) => {
  expect(repositoryOf(directory, looking(disk))).toEqual(expected)
})

describe('where links lead', () => {
  const linked = (count: number) => {
    const names = Array.from({ length: count }, (_, i) => ({ name: `l${i}`, kind: 'link' }) as const)
    const real = Object.assign((path: string) => path.replace(/\/l\d+$/, '/end'), { entries: () => names })
    return targetsOf(
      names.map(({ name }) => `/repo/${name}`),
      looking(real),
    )
  }

  test('each is followed', () => {
    expect(linked(3)).toEqual(['/repo/end', '/repo/end', '/repo/end'])
  })

  test('too many are none that anybody knows', () => {
    expect(linked(1_001)).toEqual([null])
  })
})

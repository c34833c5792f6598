import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { gitLinks } from '../../../../src/adapters/fs/git/git-links.ts'

let repo = ''
beforeEach(() => {
  repo = mkdtempSync(join(tmpdir(), 'troupe-links-'))
})
afterEach(() => rmSync(repo, { recursive: true, force: true }))

function git(...args: readonly string[]): void {
  const who = ['-c', 'user.name=x', '-c', 'user.email=x@x.test', '-c', 'advice.addEmbeddedRepo=false']
  execFileSync('git', [...who, ...args], { cwd: repo, stdio: 'pipe' })
}

/** A repository with files around another one at each of some places. */
function make(places: readonly string[], ...options: readonly string[]): void {
  git('init', '-q', ...options)
  for (const name of ['a/first.txt', 'lib/middle.txt', 'z.txt']) {
    mkdirSync(join(repo, name, '..'), { recursive: true })
    writeFileSync(join(repo, name), 'x\n')
  }
  for (const place of places) {
    git('init', '-q', ...options, place)
    git('-C', place, 'commit', '-q', '--allow-empty', '-m', 'x')
  }
  git('add', '-A')
}

const links = (): readonly string[] | null => gitLinks(join(repo, '.git'))

describe('commits of other repositories in the index', () => {
  test.each(['2', '3', '4'])('are found in version %s', (version) => {
    make(['lib/inner', 'läb/€'])
    git('update-index', '--index-version', version)
    expect(links()).toEqual(['lib/inner', 'läb/€'])
  })

  test('are found where ids are long', () => {
    make(['inner'], '--object-format=sha256')
    expect(links()).toEqual(['inner'])
  })

  test('are found in an index that is split', () => {
    make(['inner'])
    git('update-index', '--split-index')
    expect(links()).toEqual(['inner'])
  })

  test('are looked for again when the index changed', () => {
    make([])
    expect(links()).toEqual([])
    git('init', '-q', 'inner')
    git('-C', 'inner', 'commit', '-q', '--allow-empty', '-m', 'x')
    git('add', 'inner')
    expect(links()).toEqual(['inner'])
  })
})

test('an index that is none holds nobody knows what', () => {
  mkdirSync(join(repo, '.git'))
  expect(links()).toEqual([])
  writeFileSync(
    join(repo, '.git/index'),
    Buffer.from(`DIRC\0\0\0\u0002\0\0\0\u0001x${'\0\0\u00e0\0'.repeat(30)}`, 'latin1'),
  )
  expect(links()).toBeNull()
})

test.each([
  ['is cut off in its head', () => writeFileSync(join(repo, '.git/index'), Buffer.from([0, 0, 0xe0, 0, 1]))],
  ['cannot be read', () => mkdirSync(join(repo, '.git/index'))],
])('an index that %s holds nobody knows what', (_that, spoil) => {
  mkdirSync(join(repo, '.git'))
  spoil()
  expect(links()).toBeNull()
})

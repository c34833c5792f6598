import { spawnSync } from 'node:child_process'
import { env } from 'node:process'
import { expect, test } from 'vitest'
import { contentHash } from '../../../../src/adapters/fs/content-hash.ts'
import { openChangeKeeper } from '../../../../src/adapters/tools/changes/keep-changes.ts'
import { openGitContents } from '../../../../src/adapters/worktrees/git-contents.ts'
import type { FileDifference } from '../../../../src/protocol/facts/change-fact.ts'
import { workshop } from '../workshop.ts'

const shop = workshop()

/** Runs a command in the directory, as a call of a tool that may change files; what is kept is told by hash. */
function keeper() {
  const kept = new Map<string, Uint8Array>()
  const files: FileDifference[] = []
  const changes = openChangeKeeper({
    cwd: shop.dir,
    openRepository: async () => openGitContents({ cwd: shop.dir, env }),
    now: Date.now,
    keep: (bytes) => void kept.set(contentHash(bytes), bytes),
    note: (fact) => void files.push(...fact.files),
  })
  const tool = { name: 'Bash', effect: 'execute', isReadOnly: () => false } as const
  const run = async (command: string) =>
    changes.around({ tool, input: {} }, shop.context(), async () => {
      expect(spawnSync('bash', ['-c', command], { cwd: shop.dir }).status).toBe(0)
      return { content: [] }
    })
  const isKept = (content: string | Buffer): boolean => kept.has(contentHash(content))
  return { run, files, isKept }
}

function commitAll(...settings: readonly string[]): void {
  const git = (...args: readonly string[]): void => {
    const own = ['-c', 'user.name=x', '-c', 'user.email=x@x.test', ...settings]
    expect(spawnSync('git', [...own, ...args], { cwd: shop.dir }).status).toBe(0)
  }
  git('init', '-q')
  git('add', '-A')
  git('commit', '-qm', 'All.')
}

test('what git has is kept only once it changes, byte by byte; what git has otherwise is kept before', async () => {
  const binary = Buffer.from([0, 255, 10, 13, 10, 128])
  shop.write('same.txt', 'same\n')
  shop.write('binary', binary)
  shop.write('empty', '')
  shop.write('lines.txt', 'a\r\nb\r\n')
  shop.write('edited.txt', 'committed\n')
  commitAll('-c', 'core.autocrlf=input')
  shop.write('edited.txt', 'edited\n')
  shop.write('new.txt', 'new\n')
  const { run, files, isKept } = keeper()
  await run('true')
  expect(['same\n', binary, 'committed\n'].filter((content) => isKept(content))).toEqual([])
  expect(['a\r\nb\r\n', 'edited\n', 'new\n'].filter((content) => !isKept(content))).toEqual([])
  await run(
    'rm binary empty; echo x > lines.txt; git add -A; git -c user.name=x -c user.email=x@x.test commit -qm More',
  )
  expect([binary, '', 'x\n'].filter((content) => !isKept(content))).toEqual([])
  expect(isKept('same\n')).toBe(false)
  expect(files.map(({ path }) => path)).toEqual(['binary', 'empty', 'lines.txt'].map((name) => shop.path(name)))
})

test('a mode that changed, of a file below the top of its repository', async () => {
  shop.write('sub/run.sh', '#!/bin/sh\n')
  commitAll()
  const { run, files, isKept } = keeper()
  await run('chmod 755 sub/run.sh')
  expect(files).toMatchObject([{ before: { mode: 0o644 }, after: { mode: 0o755 } }])
  expect(isKept('#!/bin/sh\n')).toBe(true)
})

test('a repository that goes with the files takes their contents along', async () => {
  shop.write('a.txt', 'a\n')
  commitAll()
  const { run, files, isKept } = keeper()
  await run('rm -rf .git a.txt')
  expect(files).toHaveLength(1)
  expect(isKept('a\n')).toBe(false)
})

import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runGit } from '../../../src/adapters/worktrees/git-process.ts'
import { hooksAmong } from '../../../src/adapters/worktrees/inner-programs.ts'
import { mergeTree } from '../../../src/adapters/worktrees/merge-tree.ts'
import { openTree } from '../../../src/adapters/worktrees/open-tree.ts'
import { removeTree } from '../../../src/adapters/worktrees/archive-tree.ts'
import { env as bare, gitIn, repositoryWith, write } from './repository.ts'

const env = { ...bare, ANTHROPIC_API_KEY: 'k', TROUPE_TOOL_ENV: 'ANTHROPIC_API_KEY' }
const open = (cwd: string, life = 1) => openTree({ cwd, run: 'shop-01J', member: 'ana', life, now: 7, env })

function script(path: string, text: string) {
  write('/', { [path]: `#!/bin/sh\n${text}\n` })
  chmodSync(path, 0o755)
}

test('no hook runs when a tree is made, goes on, is merged or removed: not of the repository, not of the worker', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n', '.hk/pre-commit': '' })
  const ran = join(cwd, 'ran')
  const every = `pre-commit commit-msg post-commit prepare-commit-msg pre-merge-commit post-merge post-checkout
    post-index-change reference-transaction pre-auto-gc fsmonitor`.split(/\s+/)
  for (const name of every) script(join(cwd, '.git/hooks', name), `echo "${name} $ANTHROPIC_API_KEY" >> ${ran}`)
  gitIn(cwd, 'config', 'core.fsmonitor', join(cwd, '.git/hooks/fsmonitor'))
  const first = await open(cwd)
  expect(existsSync(ran)).toBe(false)
  expect(await hooksAmong({ cwd, env }, ['post-checkout', 'pre-push'])).toEqual(['post-checkout'])

  gitIn(cwd, 'config', '--unset', 'core.fsmonitor')
  gitIn(cwd, 'config', 'core.hooksPath', '.hk')
  script(join(first.tree, '.hk/pre-commit'), `echo agent >> ${ran}`)
  script(join(first.tree, '.hk/post-checkout'), `echo agent >> ${ran}`)
  const second = await open(cwd, 2)
  expect(await mergeTree(second, env)).toMatchObject({ merged: true, skipped: ['pre-commit'] })
  await removeTree(second, env)
  expect(existsSync(ran)).toBe(false)
  expect(existsSync(join(cwd, '.hk/pre-commit'))).toBe(true)
})

test('git inherits no key; names, dates and the settings that a person chose count', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  gitIn(cwd, 'config', '--unset', 'user.name')
  gitIn(cwd, 'config', 'alias.env', '!env')
  write(cwd, { '.troupe/config': '[user]\n\tname = Global\n[merge]\n\tlog = false\n' })
  const place = { cwd, env: { ...env, GIT_CONFIG_GLOBAL: join(cwd, '.troupe/config'), GIT_CONFIG_COUNT: '1' } }
  const { out } = await runGit(place, ['env'])
  expect(out).not.toMatch(/ANTHROPIC|GIT_DIR|GIT_CONFIG_COUNT/)
  expect((await runGit(place, ['config', 'user.name'])).out).toBe('Global\n')

  const file = await open(cwd)
  write(file.tree, { 'b.txt': 'b\n' })
  const person = { GIT_AUTHOR_NAME: 'Cy', GIT_COMMITTER_NAME: 'Ci', GIT_AUTHOR_DATE: '2001-02-03T04:05:06Z' }
  expect(await mergeTree(file, { ...env, ...person })).toMatchObject({ merged: true })
  expect(gitIn(cwd, 'log', '-1', '--format=%an %cn %as', 'HEAD^2')).toBe('Cy Ci 2001-02-03')
})

test('git that takes too long is ended, with what it started', async () => {
  const cwd = repositoryWith({ 'a.txt': 'one\n' })
  gitIn(cwd, 'config', 'alias.slow', '!sleep 1000 & sleep 1000')
  const end = await runGit({ cwd, env, limitMs: 500 }, ['slow'])
  expect(end).toMatchObject({ code: null, error: 'it took longer than 0.5 seconds and was ended' })
})

import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fetchRepository } from '../../../src/adapters/plugins/fetch-repository.ts'
import { bareEnv } from '../../support/bare-env.ts'

function desk() {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-fetch-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const repository = join(dir, 'repository')
  const own = { ...bareEnv, HOME: join(dir, 'home'), GIT_CONFIG_NOSYSTEM: '1' }
  const env = {
    ...own,
    GIT_AUTHOR_NAME: 'A',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'A',
    GIT_COMMITTER_EMAIL: 'a@b',
  }
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: repository, env, encoding: 'utf8' }).trim()
  mkdirSync(repository)
  mkdirSync(own.HOME)
  git('init', '-q', '-b', 'main')
  const commit = (file: string, text: string): string => {
    writeFileSync(join(repository, file), text)
    git('add', '-A')
    git('commit', '-qm', file)
    return git('rev-parse', 'HEAD')
  }
  const first = commit('a.txt', 'one')
  git('tag', 'v1')
  const second = commit('a.txt', 'two')
  const fetch = (ref: string | null, url = `file://${repository}`) =>
    fetchRepository({ url, ref, into: join(dir, 'into'), env: own })
  return { dir, repository, git, commit, first, second, fetch, home: own.HOME, into: join(dir, 'into') }
}

test('the default branch, a tag and a commit are fetched', async () => {
  for (const which of ['default', 'tag', 'commit'] as const) {
    const { first, second, fetch, into, git } = desk()
    git('config', 'uploadpack.allowAnySHA1InWant', 'true')
    const { commit } = await fetch({ default: null, tag: 'v1', commit: first }[which])
    expect(commit).toBe(which === 'default' ? second : first)
    expect(readFileSync(join(into, 'a.txt'), 'utf8')).toBe(which === 'default' ? 'two' : 'one')
  }
})

test('nothing that the repository or the machine configured for it is run', async () => {
  const { dir, repository, git, commit, fetch, home, into } = desk()
  const touched = join(dir, 'touched')
  for (const hook of ['post-checkout', 'post-merge', 'reference-transaction']) {
    const template = join(home, 'template', 'hooks')
    mkdirSync(template, { recursive: true })
    writeFileSync(join(template, hook), `#!/bin/sh\ntouch ${touched}\n`)
    chmodSync(join(template, hook), 0o755)
  }
  commit('.gitattributes', '* filter=own\n')
  mkdirSync(join(repository, 'inner'))
  git('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', `file://${repository}`, 'inner/again')
  git('commit', '-qm', 'inner')
  rmSync(touched, { force: true })
  writeFileSync(
    join(home, '.gitconfig'),
    `[init]\n\ttemplateDir = ${join(home, 'template')}\n[filter "own"]\n\tsmudge = touch ${touched} && cat\n\trequired = true\n[core]\n\tfsmonitor = touch ${touched}\n`,
  )
  await fetch(null)
  expect(readFileSync(join(into, 'a.txt'), 'utf8')).toBe('two')
  expect(existsSync(touched)).toBe(false)
  expect(existsSync(join(into, 'inner', 'again', 'a.txt'))).toBe(false)
})

test('the ssh of a person is used, and asks nobody', async () => {
  const { dir, repository, fetch, home, into, second } = desk()
  const ssh = join(dir, 'own ssh')
  // As git calls a simple ssh: the host, then the command.
  writeFileSync(ssh, '#!/bin/sh\n[ "$1" = -G ] && exit 1\necho "$SSH_ASKPASS_REQUIRE $1" > "$0.said"\neval "$2"\n')
  chmodSync(ssh, 0o755)
  writeFileSync(join(home, '.gitconfig'), `[core]\n\tsshCommand = "'${ssh}'"\n`)
  expect(await fetch(null, `ssh://elsewhere${repository}`)).toEqual({ commit: second })
  expect(readFileSync(`${ssh}.said`, 'utf8')).toBe('never elsewhere\n')
  expect(readFileSync(join(into, 'a.txt'), 'utf8')).toBe('two')
})

test.each([
  ['a ref that is not there', 'nowhere', undefined, "couldn't find remote ref"],
  ['a repository that is not there', null, 'file:///nowhere/at/all', 'git fetch: '],
  ['a program as transport', null, 'ext::sh -c touch% touched', "transport 'ext' not allowed"],
  ['an option in the place of an address', null, '--upload-pack=touch touched', 'git fetch: '],
  ['an option in the place of a ref', '--upload-pack=touch touched', undefined, 'git fetch: '],
])('%s is refused in git’s words', async (_, ref, url, why) => {
  const { fetch, into } = desk()
  await expect(fetch(ref, url)).rejects.toThrow(why)
  expect(existsSync(join(into, 'touched'))).toBe(false)
})

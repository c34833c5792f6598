import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { gitHistory } from '../../../src/adapters/fs/git-history.ts'
import { systemPath, systemPrograms } from '../../../src/adapters/fs/system-programs.ts'
import { settingsOf } from '../../../src/adapters/sandbox/armed-repository.ts'
import { bubblewrapped } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { gitBytes, gitHead, runGit } from '../../../src/adapters/worktrees/git-process.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-programs-')))
const project = join(base, 'project')
const worktree = join(project, '.troupe/worktrees/ana')
const mark = join(base, 'mark')
const before = process.env['PATH'] ?? ''
const env = { ...process.env, PATH: `${project}/bin:bin:${before}` }

beforeAll(() => {
  mkdirSync(join(project, 'bin'), { recursive: true })
  for (const name of ['git', 'bwrap', 'bash', 'mkdir', 'stat', 'flock', 'rmdir']) {
    writeFileSync(join(project, 'bin', name), `#!/bin/sh\necho ${name} >> ${mark}\n`)
    chmodSync(join(project, 'bin', name), 0o755)
  }
  symlinkSync(join(project, 'bin'), join(base, 'linked'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.test', ...args], { cwd: project })
  git('init', '-q')
  git('add', '.')
  git('commit', '-qm', 'x')
  git('worktree', 'add', '-q', worktree)
})
beforeEach(() => rmSync(mark, { force: true }))
afterAll(() => rmSync(base, { recursive: true, force: true }))

test.each([
  [`${project}/bin:/usr/bin`, [project], '/usr/bin'],
  [`${project}/bin:/usr/bin`, [join(project, 'src')], '/usr/bin'],
  [`${project}/bin:/usr/bin`, [worktree], '/usr/bin'],
  [`${base}/linked:/usr/bin`, [project], '/usr/bin'],
  ['bin:.::/usr/bin', [], '/usr/bin'],
  [`${project}/bin`, [project], '/usr/bin:/bin'],
  [`${base}/other:/usr/bin`, [project], `${base}/other:/usr/bin`],
])('the PATH %s near %j is %s', (path, near, kept) => expect(systemPath(path, near)).toBe(kept))

describe('a program of the project, first in the PATH, is not what Troupe starts', () => {
  beforeEach(() => {
    process.env['PATH'] = env.PATH
    onTestFinished(() => {
      process.env['PATH'] = before
    })
  })

  test.each([project, worktree])('for acts of git in %s', async (cwd) => {
    expect((await runGit({ cwd, env }, ['rev-parse', 'HEAD'])).code).toBe(0)
    expect((await gitBytes({ cwd, env }, ['ls-files'])).toString()).toContain('bin/git')
    expect(gitHead({ cwd, env })).toMatch(/^\w{40}$/)
    expect(existsSync(mark)).toBe(false)
  })

  test('for looks at a history and at settings', () => {
    expect(gitHistory(project)).toContain(join(project, 'bin/git'))
    expect(settingsOf(join(project, '.git/config'), '--list')).not.toBeNull()
    expect(existsSync(mark)).toBe(false)
  })

  test('for the sandbox, and what stands in front of its command', () => {
    const plan = {
      writable: [project],
      readOnly: [join(project, '.envrc')],
      hidden: [],
      shown: [],
      network: 'closed',
      unixSockets: false,
    } as const
    const words = bubblewrapped(['/bin/true'], plan, { cwd: project, proxy: join(base, 'socket') })
    expect(words.filter((word) => /(^|\/)(bwrap|bash)$/.test(word))).toEqual(
      ['bash', 'bwrap', 'bash', 'bwrap', 'bash'].map((name) => systemPrograms([project]).find(name)),
    )
    const [file, ...args] = bubblewrapped(['/bin/sh', '-c', 'echo "$PATH"'], plan, { cwd: project })
    let out = ''
    try {
      out = execFileSync(file, args, { cwd: project, env, encoding: 'utf8', stdio: 'pipe' })
    } catch {
      // Some machines allow no sandbox.
    }
    expect(['', `${env.PATH}\n`]).toContain(out)
    expect(existsSync(mark)).toBe(false)
  })
})

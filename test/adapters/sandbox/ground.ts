import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { bubblewrapped } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { configuringFiles } from '../../../src/adapters/sandbox/configuring-files.ts'
import { actsOf } from '../../../src/adapters/sandbox/beginning.ts'
import type { Leaving } from '../../../src/adapters/sandbox/leaving.ts'
import { putLeftoversAside } from '../../../src/adapters/sandbox/leftovers.ts'
import { treeIndex } from '../../../src/adapters/sandbox/tree-index.ts'
import type { Policy } from '../../../src/protocol/permissions/permission.ts'
import { sandboxPlan, sandboxWritable } from '../../../src/rules/sandbox/sandbox-plan.ts'

/**
 * A place in which commands run inside of a real sandbox, one after the other, and somebody does something outside of it
 * afterwards: `work` with repositories, `home`, `tmp`, and `outside`, whose evil.sh writes `$N` into the file PWNED.
 *
 * @param shared All tests of a file have the same place.
 */
export function sandboxGround(shared = false) {
  let base = ''
  let index = treeIndex(Date.now)
  const at = (path: string) => join(base, path)
  const outside = (command: string, dir = '.') => {
    // Where a repository was put aside, git must not find the one that these tests lie in.
    const git = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CEILING_DIRECTORIES: base }
    const env = { PATH: process.env['PATH'], HOME: at('home'), ...git, B: base, T: at('tmp'), E: at('outside/evil.sh') }
    const { stdout, stderr, status } = spawnSync('bash', ['-c', command], { cwd: at(dir), env, encoding: 'utf8' })
    return { out: stdout + stderr, code: status }
  }
  const policyIn = (dir: string, more: Partial<Policy> = {}): Policy => ({
    mode: 'default',
    rules: {},
    bounds: { protected: [at('work/.troupe'), at('home/.troupe')], scope: [], blockedHosts: [] },
    directories: [at(dir)],
    sandboxed: { allows: true, excluded: [] },
    ...more,
  })
  /** A command with all that the runtime does in front of it and behind it. */
  const inside = async (
    command: string,
    dir = 'work',
    { writers, ...more }: Partial<Policy> & Pick<Leaving, 'writers'> = {},
    under = (argv: readonly [string, ...string[]]): readonly [string, ...string[]] => argv,
  ) => {
    const policy = policyIn(dir, more)
    const watched = policy.mode === 'plan' ? [] : sandboxWritable(policy)
    const before = index.look(watched)
    const acts = actsOf(before)
    const found = configuringFiles(before, at('home'))
    const plan = sandboxPlan(policy, { home: at('home'), temporary: at('tmp'), found })
    const [file, ...args] = under(bubblewrapped(['bash', '-c', command], plan, { cwd: at(dir) }))
    const env = { PATH: process.env['PATH'], HOME: at('home'), B: base, T: at('tmp'), E: at('outside/evil.sh') }
    const { stdout, stderr, status } = spawnSync(file, args, { env, encoding: 'utf8' })
    const after = await index.lookBehind(watched, before.shut)
    const said = await putLeftoversAside({ before, after, acts, watched, temporary: at('tmp'), writers })
    return { out: stdout + stderr + said, code: status }
  }
  const before = shared ? beforeAll : beforeEach
  before(() => {
    // Not below the system's temporary directory, which other tests may have opened.
    mkdirSync('node_modules/.cache', { recursive: true })
    base = mkdtempSync(join(process.cwd(), 'node_modules/.cache/escape-'))
    index = treeIndex(Date.now)
    for (const dir of ['home/.troupe/keys', 'home/.troupe/mcp/logins', 'home/.ssh', 'tmp', 'outside', 'plain'])
      mkdirSync(at(dir), { recursive: true })
    outside(
      `git init -q work && cd work && git config user.email a@b.test && git config user.name A && mkdir -p pkg/a .troupe
      echo a > a && git add . && git commit -qm a && git worktree add -q ../tree && mkdir src && echo old > src/app.ts
      echo TOKEN > .env; echo id > ../home/.ssh/id; echo key > ../home/.troupe/keys/run
      echo TOKEN | tee ../home/.troupe/server-tokens.json ../home/.troupe/mcp/logins/a > ../home/unread; mkdir .githooks
      git init -q --bare bare.git; cp -r .git sub.tmp; mkdir sub; mv sub.tmp sub/.git`,
    )
    writeFileSync(at('outside/evil.sh'), `#!/bin/sh\necho "$N" >> ${at('PWNED')}\n`)
    chmodSync(at('outside/evil.sh'), 0o755)
    writeFileSync(
      at('tmp/config'),
      `[core]\nrepositoryformatversion = 0\nfsmonitor = ${at('outside/evil.sh')}\nhooksPath = ${at('tmp/hooks')}\n`,
    )
  })
  const after = shared ? afterAll : afterEach
  after(() => rmSync(base, { recursive: true, force: true }))
  return { at, inside, outside }
}

/** Shell lines that make of a folder a repository which runs evil.sh, but for a place to work in. */
export const evilGit = (dir: string) =>
  `mkdir -p ${dir}/objects ${dir}/refs; echo ref: refs/heads/x > ${dir}/HEAD; cp $T/config ${dir}/config`

/** A repository whose settings run a program as soon as git looks at its files. */
export const evilTree = (dir: string) => `${evilGit(dir)}; echo worktree = $PWD/${dir} >> ${dir}/config`

import { describe, expect, test } from 'vitest'
import type { Bounds, PermissionMode, Policy, RuleLists } from '../../../src/protocol/permissions/permission.ts'
import { permissionModes } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

const home = '/home/ann'
const everything: RuleLists = { allow: ['Bash', 'Read', 'Edit', 'WebFetch'] }

interface Setting {
  readonly bounds?: Partial<Bounds>
  readonly mode?: PermissionMode
  readonly cwd?: string
  readonly resolved?: string
}

const judge = (
  tool: string,
  input: unknown,
  { bounds = {}, mode = 'default', cwd = '/repo', resolved }: Setting = {},
) => {
  const policy: Policy = {
    mode,
    rules: { user: everything },
    bounds: { protected: [], scope: [], blockedHosts: [], ...bounds },
    directories: [cwd],
  }
  const action = analyse({ tool, input, cwd, home })
  const paths = action.paths.map((path) => (resolved === undefined ? path : { ...path, resolved }))
  return decide({ ...action, paths }, policy)
}
const bash = (command: string, setting: Setting = {}) => judge('Bash', { command }, setting)

describe('a command that nobody sees', () => {
  test.each([
    `env ${'A=1 '.repeat(120)} rm -rf /`,
    `xargs ${'-r '.repeat(120)} rm -rf /`,
    `rm -rf / # ${'x'.repeat(10_000)}`,
    `${'('.repeat(101)} rm -rf / ${')'.repeat(101)}`,
    'true\rrm -rf /',
    'rm -rf / "',
  ])('is asked about in every mode: %#', (line) => {
    expect(bash(line, { mode: 'bypassPermissions' })).toMatchObject({ behavior: 'ask', source: 'bounds' })
  })

  test('is not thought of in a long line that can be read', () => {
    expect(bash(`echo ${'a '.repeat(4_000)}`, { mode: 'bypassPermissions' }).behavior).toBe('allow')
  })
})

describe('what goes with a closed directory', () => {
  const bounds = { protected: ['/repo/.troupe'] }

  test.each([
    'mv .troupe x',
    'mv . x',
    'mv .tr* x',
    'rm -rf .troupe',
    'git clean -fdX',
    "git clean -fde '!.troupe'",
    "git -c alias.c='clean -fdx' c",
    'mv ../repo/ ../x',
  ])('%s is denied', (command) => {
    const disk = Object.assign((path: string) => path, {
      entries: (dir: string) => (dir === '/repo' ? [{ name: '.troupe', kind: 'directory' as const }] : []),
    })
    const action = followPaths(analyse({ tool: 'Bash', input: { command }, cwd: '/repo', home }), disk)
    const policy: Policy = {
      mode: 'default',
      rules: { user: everything },
      bounds: { scope: [], blockedHosts: [], ...bounds },
      directories: ['/repo'],
    }
    expect(decide(action, policy).behavior).toBe('deny')
  })

  test.each(['mv ../a .', 'mv a b', 'ls | xargs rm', 'find . -name a -print | xargs rm'])('%s is not', (command) => {
    expect(bash(command, { bounds }).behavior).toBe('allow')
  })

  test('a link goes without what it leads to', () => {
    expect(bash('mv link x', { bounds, resolved: '/' }).behavior).not.toBe('deny')
  })
})

describe('protected directories', () => {
  const bounds = { protected: ['/repo/.troupe/runs'] }

  test('nobody opens them, in no mode', () => {
    for (const mode of permissionModes) {
      expect(judge('Read', { file_path: '.troupe/runs/r/run.json' }, { bounds, mode })).toEqual({
        behavior: 'deny',
        source: 'bounds',
        reason: '/repo/.troupe/runs is closed to agents',
        path: '/repo/.troupe/runs/r/run.json',
      })
    }
  })

  test.each(['cat .troupe/runs/x', 'echo > .troupe/runs/x', 'cd .troupe && ls runs', 'rm -r .troupe', 'rm -rf .'])(
    'nor in the shell: %s',
    (command) => {
      expect(bash(command, { bounds }).behavior).toBe('deny')
    },
  )

  test('a link that leads into one is closed, its neighbours are not', () => {
    expect(judge('Read', { file_path: 'link' }, { bounds, resolved: '/repo/.troupe/runs/x' }).path).toBe(
      '/repo/.troupe/runs/x',
    )
    expect(judge('Read', { file_path: '.troupe/runs-old' }, { bounds }).behavior).toBe('allow')
    expect(bash('ls .', { bounds }).behavior).toBe('allow')
    expect(bash('cp a .', { bounds }).behavior).toBe('allow')
  })
})

describe('scope', () => {
  const bounds = { scope: ['/repo/app', '/tmp/out'] }
  const inApp = { bounds, cwd: '/repo/app' }

  test('leaving it is denied in every mode', () => {
    for (const mode of permissionModes) {
      expect(judge('Read', { file_path: '/repo/x' }, { ...inApp, mode })).toEqual({
        behavior: 'deny',
        source: 'bounds',
        reason: "it lies outside the team's scope",
        path: '/repo/x',
      })
    }
    expect(judge('Write', { file_path: '/tmp/out/x' }, inApp).behavior).toBe('allow')
    expect(judge('Read', { file_path: 'a' }, { ...inApp, resolved: '/etc/a' }).behavior).toBe('deny')
    expect(judge('Read', { file_path: 'a' }, { ...inApp, resolved: '/repo/app/b' }).behavior).toBe('allow')
  })

  test.each([
    ['cat ../x', 'deny'],
    ['cat /etc/hosts', 'deny'],
    ['cd .. && ls', 'deny'],
    ['grep -r "/api/v1" src', 'allow'],
    ['grep -e x /etc/hosts', 'deny'],
    ["sed -n '/a/p' f", 'allow'],
    ['make > /dev/null', 'allow'],
    ['echo x > $f', 'ask'],
    ['cat link/../x', 'ask'],
  ])('%s: %s', (command, behavior) => {
    expect(bash(command, inApp).behavior).toBe(behavior)
  })

  test('a line that cannot be shown to stay inside is asked even when permissions are bypassed', () => {
    expect(bash('echo x > $f', { ...inApp, mode: 'bypassPermissions' })).toEqual({
      behavior: 'ask',
      source: 'bounds',
      reason:
        'it cannot be shown to stay inside the scope: a redirect goes to a file whose name is only known when it runs',
    })
    expect(bash('echo x > $f', { mode: 'bypassPermissions' }).behavior).toBe('allow')
  })
})

test('blocked hosts and what lies below them are denied, for the shell too', () => {
  const bounds = { blockedHosts: ['evil.test'] }
  expect(judge('WebFetch', { url: 'https://evil.test/' }, { bounds })).toEqual({
    behavior: 'deny',
    source: 'bounds',
    reason: 'the host is blocked',
    path: 'evil.test',
  })
  expect(judge('WebFetch', { url: 'https://a.evil.test/' }, { bounds }).behavior).toBe('deny')
  expect(judge('WebFetch', { url: 'https://notevil.test/' }, { bounds }).behavior).toBe('allow')
  expect(bash('curl https://evil.test/x', { bounds }).behavior).toBe('deny')
})

describe('critical removals', () => {
  test.each([
    'rm -rf /',
    'rm -rf //',
    'rm -rf /*',
    'rm -rf /etc',
    'rm -rf ~',
    'rm -rf ~/',
    'rm -rf ~/*',
    'rm -rf .',
    'rm -rf ..',
    'rm -rf /home/bob',
    'rm -rf /proc/self/root',
    'rm a /usr',
    'rmdir /opt',
    'sudo rm -rf /',
    'env A=1 /bin/rm -rf /',
    'echo $(rm -rf /)',
    'cd / && rm -rf *',
    'find / -delete',
    'find / -exec rm {} ;',
    'rm -rf "$DIR"/*',
    'rm $(cat x)',
    'rm -r {/,x}',
    'rm -rf ./*/../..',
    'rm -rf ~+',
    'cd $x && rm -rf y',
  ])('%s is asked, whatever rules and mode say', (command) => {
    for (const mode of ['default', 'acceptEdits', 'bypassPermissions'] as const) {
      const found = bash(command, { mode })
      expect([found.behavior, found.source]).toEqual(['ask', 'bounds'])
    }
    expect(bash(command, { mode: 'dontAsk' }).behavior).toBe('deny')
  })

  test.each([
    'rm -rf build',
    'rm -rf /repo/build/*',
    'rm "$f"',
    'rm -rf ~/x',
    'rm a b',
    'echo rm -rf /',
    'cd $x && rm -rf /tmp/a/b',
  ])('%s is not one', (command) => {
    expect(bash(command).behavior).toBe('allow')
  })

  test('emptying the working directory is one, emptying another is not', () => {
    for (const line of [
      'rm -rf *',
      'rm -rf ./*',
      'rm -rf .*',
      'rm -rf "$PWD"/*',
      'xargs rm -rf',
      'sudo sh -c "rm -rf ."',
    ])
      expect([line, bash(line, { cwd: '/repo/app' }).behavior]).toEqual([line, 'ask'])
    for (const line of ['rm -rf build/*', 'rm *.o', 'find . -name "*.o" -delete'])
      expect([line, bash(line, { cwd: '/repo/app' }).behavior]).toEqual([line, 'allow'])
    expect(bash('find / -name x -delete', { cwd: '/repo/app' }).behavior).toBe('ask')
  })

  test('the reason says what and where', () => {
    expect(bash('rm -rf a /usr')).toEqual({
      behavior: 'ask',
      source: 'bounds',
      reason: 'it would remove a critical directory',
      path: '/usr',
    })
    expect(bash('rm -rf $x').reason).toBe('what it would remove is only known when it runs')
  })
})

describe('files that configure tools', () => {
  test.each([
    '.git/config',
    '.GIT/hooks/x',
    'sub/.envrc',
    '.claude/settings.json',
    '.mcp.json',
    '.gitmodules',
    '.npmrc',
    '.vscode/a',
  ])('changing %s is asked although a rule allows it', (file_path) => {
    const found = judge('Edit', { file_path })
    expect(found).toEqual({
      behavior: 'ask',
      source: 'bounds',
      reason: 'the file configures what tools run',
      path: `/repo/${file_path}`,
    })
    expect(judge('Edit', { file_path }, { mode: 'dontAsk' }).behavior).toBe('deny')
    expect(judge('Edit', { file_path }, { mode: 'bypassPermissions' }).behavior).toBe('allow')
    expect(judge('Read', { file_path }).behavior).toBe('allow')
    expect(bash(`cp x ${file_path}`).behavior).toBe('ask')
    expect(bash(`echo > ${file_path}`).behavior).toBe('ask')
  })

  test('others are not, nor is a project that lives below such a name', () => {
    expect(judge('Edit', { file_path: '.github/x' }).behavior).toBe('allow')
    expect(judge('Edit', { file_path: 'git/config' }).behavior).toBe('allow')
    expect(judge('Edit', { file_path: 'a' }, { cwd: '/repo/.claude/worktrees/x' }).behavior).toBe('allow')
    expect(judge('Edit', { file_path: 'a' }, { resolved: '/repo/.git/a' }).behavior).toBe('ask')
  })
})

test.each<PermissionMode>(['default', 'acceptEdits', 'bypassPermissions'])(
  'what leaves the sandbox is asked about in %s mode, whatever allows it',
  (mode) => {
    const policy: Policy = {
      mode,
      rules: { user: everything },
      bounds: { protected: [], scope: [], blockedHosts: [] },
      directories: ['/repo'],
      sandboxed: { allows: true, excluded: ['docker *'] },
    }
    const said = (command: string, more = {}) =>
      decide(analyse({ tool: 'Bash', input: { command, ...more }, cwd: '/repo', home }), policy)
    expect(said('npm test').behavior).toBe('allow')
    for (const command of [
      'docker ps',
      'npm test && docker ps',
      'd=docker; $d ps',
      'timeout 5 docker ps',
      "sh -c 'docker ps'",
    ])
      expect([command, said(command)]).toMatchObject([command, { behavior: 'ask', source: 'bounds' }])
    expect(said('npm test', { dangerously_disable_sandbox: true })).toMatchObject({ behavior: 'ask', source: 'bounds' })
  },
)

test('a search by names is asked about where a closed directory holds such a file', () => {
  const held: Readonly<Record<string, readonly string[]>> = {
    '/repo': ['.troupe', 'a.ts'],
    '/repo/.troupe': ['key.json'],
  }
  const entries = (dir: string) =>
    held[dir]?.map((name) => ({ name, kind: held[`${dir}/${name}`] ? ('directory' as const) : ('file' as const) })) ??
    null
  const policy: Policy = {
    mode: 'default',
    rules: { user: everything },
    bounds: { protected: ['/repo/.troupe'], scope: [], blockedHosts: [] },
    directories: ['/repo'],
  }
  const said = (command: string) => {
    const action = analyse({ tool: 'Bash', input: { command }, cwd: '/repo', home })
    return decide(
      followPaths(
        action,
        Object.assign((path: string) => path, { entries }),
      ),
      policy,
    ).behavior
  }
  expect(said("grep -r '' . --include='*.json'")).toBe('ask')
  expect(said("grep -r '' . --include='*.ts'")).toBe('allow')
  expect(said('cat /repo/.troupe/key.json')).toBe('deny')
})

import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bubblewrapMissing } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { evilGit, sandboxGround } from './ground.ts'

const missing = bubblewrapMissing()
if (missing !== null) console.warn(`skipped: ${missing}`)

/** In a repository that a person has: a command, and what somebody does afterwards. */
const attempts: readonly (readonly [name: string, command: string, after: string])[] = [
  ['another .git in the place of the old', `mv .git g2; ${evilGit('.git')}`, 'git status'],
  ['the same by system call', `python3 -c "import os; os.rename('.git','g2')"; ${evilGit('.git')}`, 'git status'],
  ['settings of git', 'git config core.fsmonitor $E', 'git status'],
  ['settings by rename', 'cp $B/tmp/config c; mv -f c .git/config', 'git status'],
  ['settings by hard link', 'ln -f .git/config c; cat $B/tmp/config > c', 'git status'],
  ['settings from elsewhere', `${evilGit('$B/tmp/e')}; echo $B/tmp/e > .git/commondir`, 'git status'],
  [
    'settings of a worktree from elsewhere',
    `${evilGit('$B/tmp/e')}; echo $B/tmp/e > .git/worktrees/tree/commondir`,
    'cd ../tree; git status',
  ],
  [
    'another place of a worktree',
    `mv .git/worktrees/tree .git/x; mkdir .git/worktrees/tree; ${evilGit('$B/tmp/e')}; echo $B/tmp/e > .git/worktrees/tree/commondir; cp .git/x/HEAD .git/x/gitdir .git/worktrees/tree`,
    'cd ../tree; git status',
  ],
  ['a hook', 'cp $E .git/hooks/post-commit', 'git commit --allow-empty -qm x'],
  [
    'a hook by another folder',
    'mv .git/hooks h; mkdir .git/hooks; cp $E .git/hooks/post-commit',
    'git commit --allow-empty -qm x',
  ],
  ['attributes with a filter', 'echo "* filter=x" > .git/info/attributes', 'test ! -e .git/info/attributes || sh $E'],
  [
    'settings of the worktree',
    'git config extensions.worktreeConfig true; cp $B/tmp/config .git/config.worktree',
    'git status',
  ],
  ['a repository inside', `rm -rf sub/.git; ${evilGit('sub/.git')}`, 'cd sub; git status'],
  ['settings of one inside', 'cp $B/tmp/config sub/.git/config', 'cd sub; git status'],
  ['a hook of one inside', 'cp $E sub/.git/hooks/post-commit', 'cd sub; git commit --allow-empty -qm x'],
  [
    'settings of a bare one',
    'cat $B/tmp/config > bare.git/config; echo worktree = $PWD >> bare.git/config',
    'cd bare.git; git status',
  ],
  ['tasks of an editor', 'mkdir .vscode && cp $E .vscode/tasks.json', 'test ! -e .vscode/tasks.json || sh $E'],
  ['settings of agents', 'mkdir .claude; cp $E .claude/settings.json', 'test ! -e .claude/settings.json || sh $E'],
  ['servers of tools', 'cp $E .mcp.json', 'test ! -e .mcp.json || sh $E'],
  ['a rule for oneself', 'cp $E .troupe/settings.local.json', 'test ! -e .troupe/settings.local.json || sh $E'],
  [
    'objects of another repository in the temporary directory',
    `git init -q $B/tmp/q; cp $B/tmp/config $B/tmp/q/.git/config; echo $B/tmp/q/.git/objects > .git/objects/info/alternates`,
    'test ! -s .git/objects/info/alternates || sh $E',
  ],
  [
    'a file of remotes',
    `git init -q --bare $B/tmp/r; cp $E $B/tmp/r/hooks/update; mkdir -p .git/remotes; echo URL: $B/tmp/r > .git/remotes/o`,
    'git push -q o HEAD:refs/heads/x',
  ],
  [
    'a file of branches',
    `git init -q --bare $B/tmp/s; cp $E $B/tmp/s/hooks/update; mkdir -p .git/branches; echo $B/tmp/s > .git/branches/o`,
    'git push -q o HEAD:refs/heads/x',
  ],
]

describe.skipIf(missing !== null)('a command in a repository that was there', () => {
  const { at, inside, outside } = sandboxGround(true)
  const hasRun = () => existsSync(at('PWNED'))

  test.for(attempts)('runs nothing later on by %s', async ([, command, after]) => {
    const copy = 'mkdir copy; cp -a work tree tmp copy; git -C copy/work worktree repair $B/copy/tree'
    outside(`${copy}; cd copy/work; E=$B/outside/evil.sh; B=$B/copy; export B E; (${command}); cd $B/work; ${after}`)
    expect(hasRun()).toBe(true)
    outside('rm -r PWNED copy')
    await inside(command)
    outside(after, 'work')
    expect(hasRun()).toBe(false)
    expect(outside('git status --short', 'work').code).toBe(0)
  })

  const reads = [
    'cat .env',
    `python3 -c "print(open('.en' + 'v').read())"`,
    'cat /proc/self/cwd/.env',
    'ln -s .env l && cat l',
    'mv .env e && cat e',
    'ln .env h && cat h',
    'tar cf - . | tar xO ./.env',
    `cat "$HOME/.s"*/id`,
    'cat $B/home/.troupe/keys/run',
    'cat $B/home/.troupe/server-tokens.json',
    `python3 -c "print(open('$B/home/.troupe/server-' + 'tokens.json').read())"`,
    'cat $B/home/.troupe/mcp/logins/*',
    'cat /proc/1/root$B/work/.env',
  ]
  test('reads nothing that deny rules close, and changes nothing', async () => {
    const rules = { user: { deny: ['Read(.env)', 'Read(~/.ssh/**)', 'Edit(./src/**)'] } }
    const all = reads.map((line) => `(${line})`).join('\n')
    expect((await inside(all, 'work', { rules })).out).not.toMatch(/TOKEN|^id$|^key$/m)
    expect((await inside('a=ap; echo new > src/$a.ts; mv src s2; rm -r src', 'work', { rules })).code).not.toBe(0)
    expect(readFileSync(at('work/src/app.ts'), 'utf8')).toBe('old\n')
  })

  test('changes nothing while the member plans', async () => {
    const plan = { mode: 'plan' } as const
    expect((await inside('echo x > a || mkdir new || rm -r pkg', 'work', plan)).code).not.toBe(0)
    expect(readFileSync(at('work/a'), 'utf8')).toBe('a\n')
    expect(await inside('git log --oneline > $B/tmp/t', 'work', plan)).toEqual({ out: '', code: 0 })
  })
})

describe.skipIf(missing !== null)('a command that wants out of the sandbox', () => {
  const { at, inside, outside } = sandboxGround()

  test('a new repository with a worktree and a module stays as it is', async () => {
    outside('mkdir plain')
    const { out } = await inside(
      'git init -q n && cd n && git -c user.name=a -c user.email=a commit --allow-empty -qm first && git worktree add -q ../t && mkdir .git/modules && git init -q --separate-git-dir .git/modules/m m',
      'plain',
    )
    expect([out, outside('git log --format=%s; cd ../n/m; git status --short', 'plain/t').out]).toEqual(['', 'first\n'])
  })

  test('a worktree that is added to a repository of before stays', async () => {
    const { out } = await inside('git worktree add -q pkg/t')
    expect([out, outside('git log --format=%s', 'work/pkg/t').out]).toEqual(['', 'a\n'])
  })

  test('a new repository that runs nothing stays one', async () => {
    outside('mkdir plain')
    const { out } = await inside(
      'git init -q n && cd n && git -c user.name=a -c user.email=a commit --allow-empty -qm first',
      'plain',
    )
    expect([out, outside('git log --format=%s', 'plain/n').out]).toEqual(['', 'first\n'])
  })

  test.for([
    'git rebase -q -x "exit 1" HEAD~1 2>&-; echo "exec $E" > .git/rebase-merge/git-rebase-todo',
    'git rebase -q -x "exit 1" HEAD~1 2>&-; echo "  x $E" >> .git/rebase-merge/git-rebase-todo',
    'git rebase -q -x "exit 1" HEAD~1 2>&-; mv .git/rebase-merge r; echo "exec $E" > r/git-rebase-todo; ln -s ../r .git/rebase-merge',
    'git rebase -q -x "exit 1" HEAD~1 2>&-; echo "exec $E" > t; ln -sf ../../t .git/rebase-merge/git-rebase-todo',
  ])('what a rebase would run is taken out: %s', async (command) => {
    outside('git commit -q --allow-empty -m b; git commit -q --allow-empty -m c', 'work')
    expect((await inside(command)).out).toMatch(/would run a program outside|would go on with what another place says/)
    outside('git -c user.name=a -c user.email=a rebase --continue', 'work')
    expect(existsSync(at('PWNED'))).toBe(false)
  })

  test('a rebase of a person keeps its lines', async () => {
    outside(
      'git commit -q --allow-empty -m b; git rebase -q -x "exit 1" HEAD~1; echo "exec true" >> .git/rebase-merge/git-rebase-todo',
      'work',
    )
    const todo = '.git/rebase-merge/git-rebase-todo'
    outside(`until [ "$(date +%s)" -gt "$(stat -c %Z ${todo})" ]; do :; done`, 'work')
    expect((await inside('echo hi')).out).toBe('hi\n')
    expect(readFileSync(at(`work/${todo}`), 'utf8')).toContain('exec true')
  })

  test('the file .git of a worktree stays, and work goes on in it', async () => {
    await inside(`${evilGit('e')}; echo gitdir: ${at('tree/e')} > .git; mv .git g`, 'tree')
    outside('git status', 'tree')
    expect(existsSync(at('PWNED'))).toBe(false)
    const files = { allowWrite: [at('work/.git')], denyWrite: [], denyRead: [], allowRead: [] }
    const open = { sandboxed: { allows: true, excluded: [], files } }
    expect(
      (await inside('echo b > b && git add b && git commit -qm b && git log -1 --format=%s', 'tree', open)).out,
    ).toBe('b\n')
    await inside(
      `${evilGit('$B/tmp/e')}; echo $B/tmp/e > $B/work/.git/commondir; cp $B/tmp/config $B/work/.git/`,
      'tree',
      open,
    )
    outside('git status; cd ../tree; git status', 'work')
    expect(existsSync(at('PWNED'))).toBe(false)
  })

  test('links that configure something are put back', async () => {
    outside('mv .git/hooks hk && ln -s ../hk .git/hooks && mkdir shared && ln -s shared .claude', 'work')
    const { out } = await inside(
      'rm .git/hooks .claude; mkdir .git/hooks .claude; cp $E .git/hooks/post-commit; exit 4',
    )
    expect(out).toContain('.git/hooks as it was')
    expect((await inside('exit 4')).code).toBe(4)
    outside('git commit --allow-empty -qm x', 'work')
    expect(existsSync(at('PWNED'))).toBe(false)
    expect(outside('readlink .git/hooks .claude', 'work').out).toBe('../hk\nshared\n')
    expect((await inside('mv pkg p2; ln -s $B/home pkg; rm .claude; ln -s $B/outside .claude')).code).toBe(0)
    expect(outside('readlink .claude', 'work').out).toBe('shared\n')
  })

  test('hooks that the settings put among the files cannot be changed', async () => {
    outside('git config core.hooksPath .githooks', 'work')
    expect((await inside('cp $E .githooks/post-commit')).code).not.toBe(0)
    outside('git commit --allow-empty -qm x', 'work')
    expect(existsSync(at('PWNED'))).toBe(false)
  })

  test('no repository is made where one lies around', async () => {
    await inside(evilGit('.git'), 'work/pkg/a')
    outside('git status', 'work/pkg/a')
    expect(existsSync(at('PWNED'))).toBe(false)
    expect(existsSync(at('work/pkg/a/.git'))).toBe(false)
  })

  test('git works inside, and nothing of the fence stays behind', async () => {
    const { code, out } = await inside(
      'echo b > b && git add b && git commit -qm b && git branch c && git checkout -q c && git gc -q 2>&- && git status --short b src',
    )
    expect([code, out]).toEqual([0, '?? src/\n'])
    expect(existsSync(at('work/.git/commondir')) || existsSync(at('work/.git/config.worktree'))).toBe(false)
  })
})

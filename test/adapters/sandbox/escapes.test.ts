import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bubblewrapMissing } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { evilGit, evilTree, sandboxGround } from './ground.ts'

const missing = bubblewrapMissing()
if (missing !== null) console.warn(`skipped: ${missing}`)

/*
 * Each escape is a command inside of the sandbox, and what somebody does outside of it afterwards. None of them makes the
 * file that evil.sh makes, and what is closed stays as it was.
 */
describe.skipIf(missing !== null)('a command that wants out of the sandbox', () => {
  const { at, inside, outside } = sandboxGround()

  test.for([
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
    [
      'attributes with a filter',
      'echo "* filter=x" > .git/info/attributes',
      'test ! -e .git/info/attributes || sh $B/outside/evil.sh',
    ],
    [
      'settings of the worktree',
      'git config extensions.worktreeConfig true; cp $B/tmp/config .git/config.worktree',
      'git status',
    ],
    ['a repository inside', `rm -rf sub/.git; ${evilGit('sub/.git')}`, 'cd sub; git status'],
    ['settings of one inside', 'cp $B/tmp/config sub/.git/config', 'cd sub; git status'],
    ['a hook of one inside', 'cp $E sub/.git/hooks/post-commit', 'cd sub; git commit --allow-empty -qm x'],
    ['settings of a bare one', 'cat $B/tmp/config > bare.git/config', 'cd bare.git; git status'],
    [
      'tasks of an editor',
      'mkdir .vscode && cp $E .vscode/tasks.json',
      'test ! -e .vscode/tasks.json || sh $B/outside/evil.sh',
    ],
    [
      'settings of agents',
      'mkdir .claude; cp $E .claude/settings.json',
      'test ! -e .claude/settings.json || sh $B/outside/evil.sh',
    ],
    ['servers of tools', 'cp $E .mcp.json', 'test ! -e .mcp.json || sh $B/outside/evil.sh'],
    [
      'a rule for oneself',
      'cp $E .troupe/settings.local.json',
      'test ! -e .troupe/settings.local.json || sh $B/outside/evil.sh',
    ],
  ] as const)('%s', async ([, command, after]) => {
    await inside(command)
    outside(after, 'work')
    expect(existsSync(at('PWNED'))).toBe(false)
    expect(outside('git status --short', 'work').code).toBe(0)
  })

  // The folder `plain` lies in no repository.
  test.for([
    ['a repository with settings that run', evilTree('x'), 'cd x; git status'],
    ['the same inside of .git', `git init -q n; cp $B/tmp/config n/.git/config`, 'cd n; git status'],
    [
      'a hook of a new one',
      'git init -q n; cp $E n/.git/hooks/post-commit',
      'cd n; git -c user.name=a -c user.email=a commit --allow-empty -qm x',
    ],
    ['one that was half there', 'mkdir half/refs half/objects', 'cd half; git status'],
    [
      'settings from elsewhere',
      `git init -q n; ${evilGit('$B/tmp/e')}; echo $B/tmp/e > n/.git/commondir`,
      'cd n; git status',
    ],
    ['a file .git', `${evilGit('$B/tmp/e')}; mkdir n; echo gitdir: $B/tmp/e > n/.git`, 'cd n; git status'],
    ['another name first', `${evilTree('x')}; mv x y; mv y x`, 'cd x; git status'],
    ['an older date', `${evilTree('x')}; touch -d 2001-01-01 x/*`, 'cd x; git status'],
    ['a HEAD that is a link to nothing', `${evilTree('x')}; ln -sf refs/heads/x x/HEAD`, 'cd x; git status'],
    [
      'objects and refs from elsewhere',
      `${evilGit('$B/tmp/e')}; rm $B/tmp/e/HEAD; mkdir -p n/.git; echo ref: refs/heads/x > n/.git/HEAD; echo $B/tmp/e > n/.git/commondir`,
      'cd n; git status',
    ],
    [
      'objects and refs that are programs',
      `${evilTree('x')}; rmdir x/objects x/refs; install -m 755 /dev/null x/objects; install -m 755 /dev/null x/refs`,
      'cd x; git status',
    ],
    ['a link .git', `${evilGit('$B/tmp/e')}; mkdir n; ln -s $B/tmp/e n/.git`, 'cd n; git status'],
    ['one below objects', `mkdir -p objects/a; ${evilTree('objects/a/x')}`, 'cd objects/a/x; git status'],
    [
      'one below objects with a short name',
      `mkdir -p objects/ab; ${evilTree('objects/ab')}`,
      'cd objects/ab; git status',
    ],
    ['one below objects/pack', `mkdir -p objects/pack; ${evilTree('objects/pack/x')}`, 'cd objects/pack/x; git status'],
    [
      'one below node_modules',
      `mkdir -p node_modules/a; ${evilTree('node_modules/a/x')}`,
      'cd node_modules/a/x; git status',
    ],
    [
      'a file .git that names a file .git',
      `${evilGit('$B/tmp/e')}; mkdir n m; echo gitdir: $B/tmp/e > m/.git; echo gitdir: ../m/.git > n/.git`,
      'cd m; git status; cd ../n; git status',
    ],
    [
      'a file .git with a relative place',
      `${evilGit('$B/tmp/e')}; mkdir n; echo gitdir: ../../tmp/e > n/.git`,
      'cd n; git status',
    ],
    [
      'a link .git to a file',
      `${evilGit('$B/tmp/e')}; mkdir n; echo gitdir: $B/tmp/e > $B/tmp/f; ln -s $B/tmp/f n/.git`,
      'cd n; git status',
    ],
    [
      'a file .git without a line end',
      `${evilGit('$B/tmp/e')}; mkdir n; printf "gitdir: $B/tmp/e" > n/.git`,
      'cd n; git status',
    ],
    [
      'a file .git with blanks around',
      `${evilGit('$B/tmp/e f')}; mkdir n; echo "gitdir: $B/tmp/e f" > n/.git`,
      'cd n; git status',
    ],
    [
      'settings by a condition',
      `git init -q n; printf '[includeIf "gitdir:**"]\\npath = %s\\n' $B/tmp/config >> n/.git/config`,
      'cd n; git status',
    ],
    [
      'settings of a worktree',
      'git init -q n; git -C n config extensions.worktreeConfig true; cp $B/tmp/config n/.git/config.worktree',
      'cd n; git status',
    ],
    [
      'a worktree of a new one',
      `git init -q n; cd n; git -c user.name=a -c user.email=a commit -q --allow-empty -m a; git worktree add -q ../t; git config extensions.worktreeConfig true; cp $B/tmp/config .git/worktrees/t/config.worktree`,
      'cd t; git status; cd ../n; git status',
    ],
    [
      'a module of a new one',
      `git init -q n; mkdir n/m; ${evilGit('n/.git/modules/m')}; echo gitdir: ../.git/modules/m > n/m/.git`,
      'cd n/m; git status',
    ],
    [
      'links objects and refs',
      `${evilTree('x')}; rmdir x/objects x/refs; ln -s / x/objects; ln -s / x/refs`,
      'cd x; git status',
    ],
    ['a link config', `${evilTree('x')}; mv x/config c; ln -s ../c x/config`, 'cd x; git status'],
    ['one below the name of a hook', `mkdir -p hooks; ${evilTree('hooks')}`, 'cd hooks; git status'],
    ['a module below hooks', `mkdir -p hooks/n; ${evilTree('hooks/n/hooks')}`, 'cd hooks/n/hooks; git status'],
    ['a name with a line end', `d=$'x\\n'; mkdir "$d"; cd "$d"; ${evilTree('x')}`, 'cd x?/x; git status'],
    ['one below hooks', `mkdir -p hooks; ${evilTree('hooks/x')}`, 'cd hooks/x; git status'],
    ['one whose place aside is taken', `${evilTree('x')}; mkdir -p x/HEAD.left/a x/refs.left/a`, 'cd x; git status'],
    [
      'one in a folder that nobody may list or change',
      `mkdir n; ${evilTree('n/x')}; chmod 111 n/x n`,
      'cd n/x; git status',
    ],
    [
      'a file .git that ends in a carriage return',
      `${evilGit('$B/tmp/e')}; mkdir n; printf "gitdir: $B/tmp/e\\r\\n" > n/.git`,
      'cd n; git status',
    ],
    [
      'a file .git with a blank at the end',
      `${evilGit('"$B/tmp/e "')}; mkdir n; echo "gitdir: $B/tmp/e " > n/.git`,
      'cd n; git status',
    ],
    [
      'a file .git with a NUL',
      `${evilGit('$B/tmp/e')}; mkdir n; printf "gitdir: $B/tmp/e\\0f" > n/.git`,
      'cd n; git status',
    ],
    [
      'a file .git whose repository comes later',
      'mkdir n; echo gitdir: $B/tmp/e > n/.git',
      'mkdir -p ../tmp/e/objects ../tmp/e/refs; echo ref: refs/heads/x > ../tmp/e/HEAD; cp ../tmp/config ../tmp/e; cd n; git status',
    ],
    [
      'a link of settings that come later',
      'git init -q n; git config --file $B/tmp/c core.bare false; ln -sf $B/tmp/c n/.git/config',
      'cp ../tmp/config ../tmp/c; cd n; git status',
    ],
  ] as const)('%s in a folder without any', async ([, command, after]) => {
    outside(
      'mkdir -p plain/half; echo ref: refs/heads/x > plain/half/HEAD; cp tmp/config plain/half/config; echo worktree = $B/plain/half >> plain/half/config',
    )
    await inside(command, 'plain')
    outside(after, 'plain')
    expect(existsSync(at('PWNED'))).toBe(false)
  })

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

  test.for([
    'cat .env',
    `python3 -c "print(open('.en' + 'v').read())"`,
    'cat /proc/self/cwd/.env',
    'ln -s .env l && cat l',
    'mv .env e && cat e',
    'ln .env h && cat h',
    'tar cf - . | tar xO ./.env',
    `cat "$HOME/.s"*/id`,
    'cat $B/home/.troupe/keys/run',
    'cat /proc/1/root$B/work/.env',
  ])('what deny rules close is not read by %s', async (command) => {
    const rules = { user: { deny: ['Read(.env)', 'Read(~/.ssh/**)', 'Edit(./src/**)'] } }
    expect((await inside(command, 'work', { rules })).out).not.toMatch(/TOKEN|^id$|^key$/m)
    expect((await inside('a=ap; echo new > src/$a.ts; mv src s2; rm -r src', 'work', { rules })).code).not.toBe(0)
    expect(readFileSync(at('work/src/app.ts'), 'utf8')).toBe('old\n')
  })

  test.for([
    'mount -t tmpfs x /mnt',
    'mount --bind $B/tmp $B/work/.troupe',
    'umount $B/work/.troupe',
    'unshare -Ur true',
    'nsenter -t 1 -m true',
    'chroot / true',
    'mknod d b 8 0',
    // Looked at, not tried: on a machine without the fence it would be changed.
    'test -w /proc/sys/kernel/core_pattern',
    'find /proc -xdev -maxdepth 5 -not -path "/proc/[0-9s]*" -type f -writable | grep -q .',
    'find /proc/sys /sys -maxdepth 4 -type f -writable | grep -q .',
    'kill -0 $PPID_OUTSIDE',
    "perl -e 'use Socket; socket(S, AF_UNIX, SOCK_STREAM, 0) or exit 1'",
    "perl -e 'socket(S, 40, 1, 0) or exit 1'",
    "perl -e 'syscall(425, 1, 0) >= 0 or exit 1'",
    // The person's session and user keyrings.
    "perl -e 'syscall(250, 0, -3, 0) >= 0 or exit 1'",
    "perl -e 'syscall(250, 0, -4, 0) >= 0 or exit 1'",
    "perl -e 'my @n = qw(user a b); syscall(248, @n, 1, -2) >= 0 or exit 1'",
    'exec 3<>/dev/tcp/127.0.0.1/22',
    'for fd in /proc/$$/fd/*; do case $(readlink $fd) in pipe:*|socket:*|/dev/null) ;; *) exit 0 ;; esac; done; exit 1',
    'echo x > $B/outside/x',
    'mv $B/work $B/w2',
    'chmod u+w .troupe && touch .troupe/x',
  ])('%s fails', async (command) => {
    expect((await inside(`export PPID_OUTSIDE=${process.pid}; ${command}`)).code).not.toBe(0)
  })

  test('while a member plans, commands change nothing where it works', async () => {
    expect((await inside('echo x > a || mkdir new || rm -r pkg', 'work', { mode: 'plan' })).code).not.toBe(0)
    expect(readFileSync(at('work/a'), 'utf8')).toBe('a\n')
    expect((await inside('git log --oneline | wc -l; echo t > $B/tmp/t', 'work', { mode: 'plan' })).out).toBe('1\n')
  })
})

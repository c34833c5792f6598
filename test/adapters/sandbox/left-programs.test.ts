import { describe, expect, test } from 'vitest'
import { bubblewrapMissing } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { attempted, type Attempt } from './attempts.ts'
import { evilGit, evilTree, sandboxGround } from './ground.ts'

const missing = bubblewrapMissing()
if (missing !== null) console.warn(`skipped: ${missing}`)

const commit = 'git -c user.name=a -c user.email=a commit -q --allow-empty -m x'

/** In folders without any repository. */
const attempts: readonly Attempt[] = [
  ['a repository with settings that run', evilTree('x'), 'cd x; git status'],
  ['the same inside of .git', `git init -q n; cp $T/config n/.git/config`, 'cd n; git status'],
  [
    'a hook of a new one',
    'git init -q n; cp $E n/.git/hooks/post-commit',
    'cd n; git -c user.name=a -c user.email=a commit --allow-empty -qm x',
  ],
  [
    'one that was half there',
    'mkdir half/refs half/objects',
    'cd half; git status',
    'mkdir half; echo ref: refs/heads/x > half/HEAD; cp $T/config half/config; echo worktree = $PWD/half >> half/config',
  ],
  ['settings from elsewhere', `git init -q n; ${evilGit('$T/e')}; echo $T/e > n/.git/commondir`, 'cd n; git status'],
  ['a file .git', `${evilGit('$T/e')}; mkdir n; echo gitdir: $T/e > n/.git`, 'cd n; git status'],
  ['another name first', `${evilTree('x')}; mv x y; mv y x`, 'cd x; git status'],
  ['an older date', `${evilTree('x')}; touch -d 2001-01-01 x/*`, 'cd x; git status'],
  ['a HEAD that is a link to nothing', `${evilTree('x')}; ln -sf refs/heads/x x/HEAD`, 'cd x; git status'],
  [
    'objects and refs from elsewhere',
    `${evilGit('$T/e')}; rm $T/e/HEAD; mkdir -p n/.git; echo ref: refs/heads/x > n/.git/HEAD; echo $T/e > n/.git/commondir`,
    'cd n; git status',
  ],
  [
    'objects and refs that are programs',
    `${evilTree('x')}; rmdir x/objects x/refs; install -m 755 /dev/null x/objects; install -m 755 /dev/null x/refs`,
    'cd x; git status',
  ],
  ['a link .git', `${evilGit('$T/e')}; mkdir n; ln -s $T/e n/.git`, 'cd n; git status'],
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
    `${evilGit('$T/e')}; mkdir n m; echo gitdir: $T/e > m/.git; echo gitdir: ../m/.git > n/.git`,
    'cd m; git status; cd ../n; git status',
  ],
  [
    'a file .git with a relative place',
    `${evilGit('$T/e')}; mkdir n; echo gitdir: ../../../tmp/$N/e > n/.git`,
    'cd n; git status',
  ],
  [
    'a link .git to a file',
    `${evilGit('$T/e')}; mkdir n; echo gitdir: $T/e > $T/f; ln -s $T/f n/.git`,
    'cd n; git status',
  ],
  ['a file .git without a line end', `${evilGit('$T/e')}; mkdir n; printf "gitdir: $T/e" > n/.git`, 'cd n; git status'],
  [
    'a file .git with blanks around',
    `${evilGit('"$T/e f"')}; mkdir n; echo "gitdir: $T/e f" > n/.git`,
    'cd n; git status',
  ],
  [
    'settings by a condition',
    `git init -q n; printf '[includeIf "gitdir:**"]\\npath = %s\\n' $T/config >> n/.git/config`,
    'cd n; git status',
  ],
  [
    'settings of a worktree',
    'git init -q n; git -C n config extensions.worktreeConfig true; cp $T/config n/.git/config.worktree',
    'cd n; git status',
  ],
  [
    'a worktree of a new one',
    `git init -q n; cd n; git -c user.name=a -c user.email=a commit -q --allow-empty -m a; git worktree add -q ../t; git config extensions.worktreeConfig true; cp $T/config .git/worktrees/t/config.worktree`,
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
  ['one that is made anew', `mkdir n; ${evilGit('n/.git')}`, 'cd n; git init -q; git status'],
  [
    'one that is made anew with the settings of another place',
    'mkdir -p n/.git half; cp $T/config half; echo ../../half > n/.git/commondir',
    'cd n; git init -q; git status',
  ],
  [
    'one that is made anew with settings of its worktree',
    'mkdir -p n/.git; cp $T/config n/.git/config.worktree',
    'cd n; git init -q; git config extensions.worktreeConfig true; git status',
  ],
  ['a link config', `${evilTree('x')}; mv x/config c; ln -s ../c x/config`, 'cd x; git status'],
  ['one below the name of a hook', `mkdir -p hooks; ${evilTree('hooks')}`, 'cd hooks; git status'],
  ['a module below hooks', `mkdir -p hooks/n; ${evilTree('hooks/n/hooks')}`, 'cd hooks/n/hooks; git status'],
  [
    'a name with a line end',
    `d=$'x\\n'; mkdir "$d"; cd "$d"; ${evilGit('x')}; echo worktree = . >> x/config`,
    'cd x?/x; git status',
  ],
  ['one below hooks', `mkdir -p hooks; ${evilTree('hooks/x')}`, 'cd hooks/x; git status'],
  ['one whose place aside is taken', `${evilTree('x')}; mkdir -p x/HEAD.left/a x/refs.left/a`, 'cd x; git status'],
  [
    'one in a folder that nobody may list or change',
    `mkdir n; ${evilTree('n/x')}; chmod 111 n/x n`,
    'cd n/x; git status',
  ],
  [
    'a file .git that ends in a carriage return',
    `${evilGit('$T/e')}; mkdir n; printf "gitdir: $T/e\\r\\n" > n/.git`,
    'cd n; git status',
  ],
  [
    'a file .git with a blank at the end',
    `${evilGit('"$T/e "')}; mkdir n; echo "gitdir: $T/e " > n/.git`,
    'cd n; git status',
  ],
  ['a file .git with a NUL', `${evilGit('$T/e')}; mkdir n; printf "gitdir: $T/e\\0f" > n/.git`, 'cd n; git status'],
  [
    'a file .git whose repository comes later',
    'mkdir n; echo gitdir: $T/e > n/.git',
    'mkdir -p $T/e/objects $T/e/refs; echo ref: refs/heads/x > $T/e/HEAD; cp $T/config $T/e; cd n; git status',
  ],
  [
    'a link of settings that come later',
    'git init -q n; git config --file $T/c core.bare false; ln -sf $T/c n/.git/config',
    'cp $T/config $T/c; cd n; git status',
  ],
  [
    'a file .git whose place becomes a link',
    [
      'git init -q d/r; mkdir n; echo gitdir: ../d/r/.git > n/.git',
      `mv d d2; mkdir $T/r; ${evilGit('$T/r/.git')}; ln -s $T d`,
    ],
    'cd n; git status',
  ],
  [
    'a file .git that moves with its folder',
    [
      'mkdir -p a/b/n tmp/$N; git init -q tmp/$N/e; echo gitdir: ../../../tmp/$N/e/.git > a/b/n/.git',
      `${evilGit('$T/e/.git')}; mv a/b/n .`,
    ],
    'cd n; git status; cd ../a/b/n; git status',
  ],
  [
    'a file .git by way of a folder and back',
    [
      'git init -q r; mkdir n d; echo gitdir: ../d/../r/.git > n/.git',
      `mkdir -p $T/x; ${evilGit('$T/r/.git')}; rmdir d; ln -s $T/x d`,
    ],
    'cd n; git status',
  ],
  [
    'a link to a folder of the temporary directory',
    ['mkdir $T/e; ln -s $T/e n', `cd $T/e; ${evilGit('.git')}`],
    'cd n; git status',
  ],
  [
    'a link that leads nowhere yet',
    ['ln -s q/e n', `mkdir $T/e; ln -s $T q; cd $T/e; ${evilGit('.git')}`],
    'cd n; git status',
  ],
  [
    'a link that moves with its folder',
    ['mkdir -p a/b; ln -s ../../../tmp/$N/e a/b/n', `mkdir $T/e; mv a/b b; cd $T/e; ${evilGit('.git')}`],
    'cd b/n; git status; cd ../../a/b/n; git status',
  ],
  [
    'a link through what the kernel shows of a process',
    ['mkdir -p $T/e; ln -s /proc/self/cwd/../../tmp/$N/e n', `cd $T/e; ${evilGit('.git')}`],
    'cd n; git status',
  ],
  ['settings with a second name', ['git init -q n; ln n/.git/config c', 'cat $T/config > c'], 'cd n; git status'],
  [
    'settings with a second name in the temporary directory',
    ['git init -q n; ln n/.git/config $T/c', 'cat $T/config > $T/c'],
    'cd n; git status',
  ],
  [
    'a hook with a second name',
    ['git init -q n; echo x > h; ln h n/.git/hooks/post-commit', 'cat $E > h; chmod +x h'],
    `cd n; ${commit}`,
  ],
  [
    'a file .git with a second name',
    ['git init -q r; mkdir n; echo gitdir: ../r/.git > g; ln g n/.git', `${evilGit('$T/e')}; echo gitdir: $T/e > g`],
    'cd n; git status',
  ],
  [
    'a worktree of a repository that is none meanwhile',
    [
      `git init -q --bare x; mkdir -p n w; echo gitdir: ../w > n/.git; echo ../x > w/commondir; echo ref: refs/heads/x > w/HEAD; echo $PWD/n/.git > w/gitdir`,
      'rm x/HEAD',
      'cp $T/config x/config',
    ],
    'cd n; git status',
  ],
  [
    'objects and refs of another name meanwhile',
    [
      'git init -q --bare x; mv x/objects x/o; git -C / config --file $PWD/x/config core.worktree $PWD/x',
      `cp $T/config x/config; echo worktree = $PWD/x >> x/config`,
      'mv x/o x/objects',
    ],
    'cd x; git status',
  ],
  [
    'a repository below node_modules in place',
    ['git init -q node_modules/a', 'cat $T/config > node_modules/a/.git/config'],
    'cd node_modules/a; git status',
  ],
  [
    'a repository that moves out of the temporary directory',
    [`mkdir $T/n; cd $T/n; ${evilGit('.git')}`, 'mv $T/n n'],
    'cd n; git status',
  ],
  [
    'a module that the index names',
    [
      `git init -q n; cd n; mkdir m; cd m; ${evilGit('.git')}; cd ..; git update-index --add --cacheinfo 160000,$(printf %040d 1),m`,
    ],
    'cd n; git status; git submodule status; git diff',
  ],
  [
    'a partial clone of one that runs',
    [
      `${evilGit('$T/e')}; git init -q n; cd n; git config remote.o.url $T/e; git config remote.o.promisor true; git config remote.o.uploadpack $E; git config extensions.partialClone o; ${commit}; find .git/objects -type f -delete`,
    ],
    'cd n; git log; git show HEAD; git status',
  ],
  [
    'a pipe in the place of settings',
    ['git init -q n; rm n/.git/config; mkfifo n/.git/config', `rm n/.git/config; timeout 2 cp $T/config n/.git/config`],
    'cd n; timeout 5 git status',
  ],

  [
    'another repository in the temporary directory that is pushed to',
    `git init -q n; cd n; ${commit}; git init -q --bare $T/e; cp $E $T/e/hooks/pre-receive; git remote add o $T/e`,
    'cd n; git push -q o HEAD:refs/heads/x',
  ],
  [
    'the same by its URL',
    `git init -q n; cd n; ${commit}; git init -q --bare $T/e; cp $E $T/e/hooks/update; git config remote.o.url file://localhost$T/e; git config remote.o.pushurl file://$(echo $T | sed s/t/%74/g)/e`,
    'cd n; git push -q o HEAD:refs/heads/x',
  ],
  [
    'the same by a way up, from a worktree',
    `git init -q n; cd n; ${commit}; git init -q --bare $T/e; cp $E $T/e/hooks/update; git config remote.o.url ../../../tmp/$N/e; mkdir -p a/b; git worktree add -q a/t`,
    'cd n; git push -q o HEAD:refs/heads/x',
  ],
  [
    'a branch whose remote is a path',
    `git init -q n; cd n; ${commit}; git init -q --bare $T/e; cp $E $T/e/hooks/post-receive; git config branch.$(git symbolic-ref --short HEAD).remote $T/e`,
    'cd n; git push -q "$(git config --get-regexp remote | cut -d " " -f 2)" HEAD:refs/heads/x',
  ],
  [
    'a file of remotes',
    `git init -q n; cd n; ${commit}; git init -q --bare $T/e; cp $E $T/e/hooks/update; mkdir .git/remotes; echo URL: $T/e > .git/remotes/origin`,
    'cd n; git push -q origin HEAD:refs/heads/x',
  ],
  [
    'a file of remotes that comes later',
    [
      `git init -q n; cd n; ${commit}; git init -q --bare $T/e; cp $E $T/e/hooks/update`,
      'cd n; mkdir -p .git/remotes .git/branches; echo URL: $T/e > .git/remotes/o; echo $T/e > .git/branches/origin',
    ],
    'cd n; git push -q o HEAD:refs/heads/x; git push -q origin HEAD:refs/heads/x',
  ],
  [
    'a file .git whose place is no text',
    `${evilGit("$T/e$'\\xff'")}; mkdir n; printf "gitdir: $T/e\\xff\\n" > n/.git`,
    'cd n; git status',
  ],
  [
    'a folder that nobody may list, made while another command went on',
    `mkdir n; ${evilTree('n/x')}; chmod 0 n/x n`,
    'chmod 700 n; chmod 700 n/x; cd n/x; git status',
  ],
]

/* What commands leave where nothing was, at once or in several calls, each of which is harmless when it ends. */
describe.skipIf(missing !== null)('a program that commands leave to run outside of the sandbox', () => {
  const bare = sandboxGround()
  const fenced = sandboxGround()

  test('runs where there is no sandbox, and never where there is one', async () => {
    const names = attempts.map(([name]) => name)
    expect(await attempted(attempts, bare, (script) => bare.outside(script))).toEqual(names)
    expect(await attempted(attempts, fenced, (script) => fenced.inside(script, 'plain'))).toEqual([])
  })
})

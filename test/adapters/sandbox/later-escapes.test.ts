import { existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bubblewrapMissing } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { evilGit, evilTree, sandboxGround } from './ground.ts'

const missing = bubblewrapMissing()
if (missing !== null) console.warn(`skipped: ${missing}`)

/*
 * Escapes in several calls: each is harmless when it ends, until a later one changes what it stands on. And what a call
 * leaves for tools other than git.
 */
describe.skipIf(missing !== null)('commands that want out of the sandbox one after the other', () => {
  const { at, inside, outside } = sandboxGround()
  const commit = 'git -c user.name=a -c user.email=a commit -q --allow-empty -m x'

  test.for([
    [
      'a file .git whose place becomes a link',
      [
        'git init -q d/r; mkdir n; echo gitdir: ../d/r/.git > n/.git',
        `mv d d2; mkdir $B/tmp/r; ${evilGit('$B/tmp/r/.git')}; ln -s $B/tmp d`,
      ],
      'cd n; git status',
    ],
    [
      'a file .git that moves with its folder',
      [
        'mkdir -p a/b/n a/tmp; git init -q a/tmp/e; echo gitdir: ../../../tmp/e/.git > a/b/n/.git; mkdir tmp; git init -q tmp/e',
        `${evilGit('$B/tmp/e/.git')}; mv a/b/n .`,
      ],
      'cd n; git status; cd ../a/b/n; git status',
    ],
    [
      'a file .git by way of a folder and back',
      [
        'git init -q r; mkdir n d; echo gitdir: ../d/../r/.git > n/.git',
        `mkdir -p $B/tmp/x; ${evilGit('$B/tmp/r/.git')}; rmdir d; ln -s $B/tmp/x d`,
      ],
      'cd n; git status',
    ],
    [
      'a link to a folder of the temporary directory',
      ['mkdir $B/tmp/e; ln -s $B/tmp/e n', `cd $B/tmp/e; ${evilGit('.git')}`],
      'cd n; git status',
    ],
    [
      'a link that leads nowhere yet',
      ['ln -s q/e n', `mkdir $B/tmp/e; ln -s $B/tmp q; cd $B/tmp/e; ${evilGit('.git')}`],
      'cd n; git status',
    ],
    [
      'a link that moves with its folder',
      ['mkdir -p a/b; ln -s ../../../tmp/e a/b/n', `mkdir $B/tmp/e; mv a/b b; cd $B/tmp/e; ${evilGit('.git')}`],
      'cd b/n; git status; cd ../../a/b/n; git status',
    ],
    [
      'a link through what the kernel shows of a process',
      ['mkdir -p $B/tmp/e; ln -s /proc/self/cwd/../../tmp/e n', `cd $B/tmp/e; ${evilGit('.git')}`],
      'cd $B/plain/x 2>&-; cd n; git status',
    ],
    [
      'a HEAD that is a link',
      [
        `${evilTree('x')}; mv x/HEAD h; ln -s ../h x/HEAD; git config --file x/config --remove-section core; git config --file x/config core.bare true`,
        'cp $B/tmp/config x/config; echo worktree = $PWD/x >> x/config',
      ],
      'cd x; git status',
    ],
    ['settings with a second name', ['git init -q n; ln n/.git/config c', 'cat $B/tmp/config > c'], 'cd n; git status'],
    [
      'settings with a second name in the temporary directory',
      ['git init -q n; ln n/.git/config $B/tmp/c', 'cat $B/tmp/config > $B/tmp/c'],
      'cd n; git status',
    ],
    [
      'a hook with a second name',
      ['git init -q n; echo x > h; ln h n/.git/hooks/post-commit', 'cat $E > h; chmod +x h'],
      `cd n; ${commit}`,
    ],
    [
      'a file .git with a second name',
      [
        'git init -q r; mkdir n; echo gitdir: ../r/.git > g; ln g n/.git',
        `${evilGit('$B/tmp/e')}; echo gitdir: $B/tmp/e > g`,
      ],
      'cd n; git status',
    ],
    [
      'a worktree of a repository that is none meanwhile',
      [
        `git init -q --bare x; mkdir -p n w; echo gitdir: ../w > n/.git; echo ../x > w/commondir; echo ref: refs/heads/x > w/HEAD; echo $PWD/n/.git > w/gitdir`,
        'rm x/HEAD',
        'cp $B/tmp/config x/config',
      ],
      'cd n; git status',
    ],
    [
      'objects and refs of another name meanwhile',
      [
        'git init -q --bare x; mv x/objects x/o; git -C / config --file $PWD/x/config core.worktree $PWD/x',
        `cp $B/tmp/config x/config; echo worktree = $PWD/x >> x/config`,
        'mv x/o x/objects',
      ],
      'cd x; git status',
    ],
    [
      'a repository below node_modules in place',
      ['git init -q node_modules/a', 'cat $B/tmp/config > node_modules/a/.git/config'],
      'cd node_modules/a; git status',
    ],
    [
      'a repository that moves out of the temporary directory',
      [`mkdir $B/tmp/n; cd $B/tmp/n; ${evilGit('.git')}`, 'mv $B/tmp/n n'],
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
        `${evilGit('$B/tmp/e')}; git init -q n; cd n; git config remote.o.url $B/tmp/e; git config remote.o.promisor true; git config remote.o.uploadpack $E; git config extensions.partialClone o; ${commit}; find .git/objects -type f -delete`,
      ],
      'cd n; git log; git show HEAD; git status',
    ],
    [
      'a pipe in the place of settings',
      [
        'git init -q n; rm n/.git/config; mkfifo n/.git/config',
        `rm n/.git/config; timeout 2 cp $B/tmp/config n/.git/config`,
      ],
      'cd n; timeout 5 git status',
    ],
  ] as const)('%s', { timeout: 60_000 }, async ([, commands, after]) => {
    for (const command of commands) await inside(command, 'plain')
    outside(after, 'plain')
    expect(existsSync(at('PWNED'))).toBe(false)
  })

  test.for([
    ['a strategy of a rebase', 'rebase -s ort HEAD~1 --onto HEAD~2', 'rebase-merge/strategy', 'rebase --continue'],
    ['a strategy of picking', 'cherry-pick --strategy=ort HEAD~1 HEAD~2', 'sequencer/opts', 'cherry-pick --continue'],
  ] as const)('%s is no path', async ([, act, file, goOn]) => {
    outside(
      `for i in 1 2 3; do echo $i > a; git commit -qam $i; done; git ${act}; test -e .git/${file} || echo none`,
      'work',
    )
    expect(existsSync(at(`work/.git/${file}`))).toBe(true)
    await inside(
      `mkdir git-merge-x; cp $E e; if [ -e .git/rebase-merge ]; then echo x/../e > .git/${file}; else git config --file .git/${file} options.strategy x/../e; fi; echo "pick $(git rev-parse master) x" | tee -a .git/rebase-merge/git-rebase-todo .git/sequencer/todo 2>&-; git checkout -f HEAD a`,
    )
    outside(`git add a; GIT_EDITOR=true git ${goOn}; git ${goOn.replace('continue', 'skip')}`, 'work')
    expect(existsSync(at('PWNED'))).toBe(false)
  })

  test('a repository does not move to where its settings name other hooks', async () => {
    outside('mkdir -p pkg/in; git init -q pkg/in/r; git -C pkg/in/r config core.hooksPath ../hooks', 'work')
    await inside(
      'mkdir -p new/hooks; cp $E new/hooks/post-commit; mv pkg/in/r new/ || mv pkg/in new/; mv pkg p2; mkdir -p pkg',
    )
    outside(`for dir in new/r new/in/r pkg/in/r p2/in/r; do (cd $dir && ${commit}); done`, 'work')
    expect(existsSync(at('PWNED'))).toBe(false)
    expect(existsSync(at('work/pkg/in/r/.git'))).toBe(true)
  })

  test("hooks that a person's own settings put among the files cannot be made", async () => {
    outside('rm -r .githooks; printf "[core]\\n\\thooksPath = .githooks\\n" > ../home/.gitconfig', 'work')
    await inside('mkdir .githooks; cp $E .githooks/post-commit')
    outside(`GIT_CONFIG_GLOBAL=$HOME/.gitconfig; ${commit}`, 'work')
    expect(existsSync(at('PWNED'))).toBe(false)
  })

  const configuring = [
    '.envrc',
    '.npmrc',
    '.yarnrc.yml',
    '.pre-commit-config.yaml',
    '.gitattributes',
    '.gitmodules',
    '.bashrc',
    'lefthook.yml',
    'sub2/.husky/pre-commit',
    'sub2/.vscode/tasks.json',
    'sub2/.devcontainer/devcontainer.json',
    'pkg/.mcp.json',
    '.cargo/config.toml',
    '.github/workflows/ci.yml',
    'AGENTS.md',
    'pkg/a/.EnvRc',
    'sitecustomize.py',
    '.tmux.conf',
  ]
  test('what configures tools does not appear, whatever it is made of', async () => {
    const make = (how: (path: string) => string) =>
      configuring.map((path) => `mkdir -p "$(dirname ${path})"; ${how(path)}`).join('\n')
    const isThere = (path: string) => existsSync(at(`work/${path}`))
    const { code, out } = await inside(`${make((path) => `cp $E ${path}`)}; exit 3`)
    expect([code, configuring.filter(isThere)]).toEqual([3, []])
    expect(out).toContain(`The sandbox left ${at('work/.envrc')} as .envrc.left: it configures tools`)
    await inside(`cp $E h; ${make((path) => `ln -s $PWD/h ${path}`)}`)
    await inside(make((path) => `ln h ${path}`))
    await inside(make((path) => `cp h x; mv x ${path}`))
    expect(configuring.filter(isThere)).toEqual([])
  })

  test('what members wrote with a tool that asks stays', async () => {
    const writers = { writerOf: (path: string) => (path.endsWith('.envrc') ? 'scout' : undefined) }
    await inside('echo use flake > .envrc; echo x > .npmrc', 'work', { writers })
    expect([existsSync(at('work/.envrc')), existsSync(at('work/.npmrc'))]).toEqual([true, false])
  })

  test.for([
    'mv bare.git/HEAD h; ln -s ../h bare.git/HEAD',
    'mv bare.git/objects o; ln -s ../o bare.git/objects',
    'echo own > bare.git/.git.txt; mkdir bare.git/x',
  ])('a repository of before is one whatever kind its parts have: %s', async (change) => {
    outside(`${change}; cp $E bare.git/hooks/post-update`, 'work')
    const before = readFileSync(at('work/bare.git/config'), 'utf8')
    expect((await inside('cat $B/tmp/config > bare.git/config')).code).not.toBe(0)
    expect((await inside('cp $B/tmp/config bare.git/x; mv bare.git/x bare.git/config')).out).not.toContain('.left')
    expect(readFileSync(at('work/bare.git/config'), 'utf8')).toBe(before)
    expect(existsSync(at('work/bare.git/HEAD'))).toBe(true)
  })

  test('copies of what configured tools before stay, as in a new worktree', async () => {
    outside('mkdir .vscode; echo {} > .vscode/tasks.json; echo x=y > .npmrc; git add .; git commit -qm c', 'work')
    expect((await inside('git worktree add -q pkg/t')).out).toBe('')
    expect(outside('git status --short', 'work/pkg/t')).toEqual({ out: '', code: 0 })
    await inside('cp .vscode/tasks.json .npmrc; cp -r .vscode pkg/a; echo {} > pkg/a/.vscode/launch.json')
    expect(outside('cat .npmrc; ls -A pkg/a', 'work').out).toBe('x=y\n.vscode.left\n')
  })

  test('what was there stays, whatever stands beside it', async () => {
    outside('echo old > .envrc; mkdir .vscode; echo {} > .vscode/tasks.json; ln -s $B/tmp/x out', 'work')
    expect(
      (await inside('echo b > b; ln -s b l; ln -s ../b pkg/l; mkdir node_modules; echo x > node_modules/.npmrc')).out,
    ).toBe('')
    expect(outside('cat .envrc b l pkg/l .vscode/tasks.json node_modules/.npmrc; readlink out', 'work').out).toBe(
      `old\nb\nb\nb\n{}\nx\n${at('tmp/x')}\n`,
    )
  })

  test('nothing is put aside through a folder that became a link', async () => {
    outside('mkdir victim; git init -q victim/r; git -C victim/r config core.fsmonitor true')
    await inside(`mkdir a; git init -q a/r; cp $B/tmp/config a/r/.git/config; mv a b; ln -s $B/victim a`, 'plain')
    expect(existsSync(at('victim/r/.git/HEAD'))).toBe(true)
    expect(existsSync(at('plain/b/r/.git/HEAD'))).toBe(false)
  })

  test('files keep their modes, and a setuid one means nobody else', async () => {
    await inside('cp /bin/true t; chmod 4755 t; mkdir closed; echo x > closed/f; chmod 000 closed', 'plain')
    expect(statSync(at('plain/t')).uid).toBe(process.getuid?.())
    expect(readFileSync(at('plain/t')).length).toBeGreaterThan(0)
  })
})

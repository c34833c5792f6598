import { existsSync, readFileSync, statSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bubblewrapMissing } from '../../../src/adapters/sandbox/bubblewrap.ts'
import { sandboxGround } from './ground.ts'

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
    '.devcontainer.json',
    '.config/mise/config.toml',
    'mise.local.toml',
    '.lefthook-local.toml',
    'pkg/shop.code-workspace',
    '.dir-locals.el',
    '.helix/languages.toml',
    '.hg/hgrc',
    'x/.jj/repo/config.toml',
    '.yarn/releases/yarn-4.cjs',
    'rust-toolchain.toml',
    'bunfig.toml',
    'dist/.npmrc',
    'opencode.json',
    '.github/copilot-instructions.md',
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

  test('a checkout of such files says how they come back before a commit loses them', async () => {
    outside('git checkout -qb b; echo use > .envrc; git add .envrc; git commit -qm b; git checkout -q -', 'work')
    expect((await inside('git checkout -q b')).out).toContain(`Git takes ${at('work/.envrc')} for deleted now`)
    expect(outside('git restore .envrc; cat .envrc .envrc.left', 'work').out).toBe('use\nuse\n')
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

import { describe, expect, test } from 'vitest'
import type { PermissionMode, Policy } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

const tree = '/repo/.troupe/worktrees/run/ana'
const home = '/home/ann'
const bounds = {
  protected: ['/repo/.troupe'],
  open: [tree],
  sealed: ['/repo', '/repo/.git'],
  scope: [],
  blockedHosts: [],
}

function verdict(tool: string, input: object, mode: PermissionMode = 'bypassPermissions') {
  const policy: Policy = { mode, rules: {}, bounds, directories: [tree] }
  const followed = followPaths(analyse({ tool, input, cwd: tree, home }), (path) => path)
  return decide(followed, policy)
}

const bash = (command: string, mode?: PermissionMode) => verdict('Bash', { command }, mode).behavior

describe('a member in a worktree cannot change the checkout around it, in no mode', () => {
  test.for(
    `echo x > /repo/esc.txt
    echo x > ../../../../w.txt
    python3 -c "open('/repo/py.txt','w')"
    sed -i s/a/b/ /repo/a.txt
    cp a.txt /repo/a.txt
    mv /repo/a.txt .
    rm /repo/a.txt
    find /repo -name a.txt -delete
    find /repo -name a.txt -exec sed -i s/a/b/ {} +
    ln -s /repo/src src
    cd /repo && git commit --allow-empty -m x
    cd /repo; git commit --allow-empty -m x
    (cd ../../../.. && npm install)
    bash -c 'cd /repo && touch x'
    git -C /repo commit --allow-empty -m x
    git -C /repo -c a.b=c checkout main
    git -C /repo checkout main
    git --git-dir=/repo/.git --work-tree=/repo checkout main
    git --git-dir /repo/.git --work-tree /repo reset --hard
    GIT_DIR=/repo/.git git commit --allow-empty -m x
    env GIT_WORK_TREE=/repo git checkout .
    timeout 5 git -C /repo stash
    git config core.hooksPath /tmp/hooks
    git config --add core.pager less
    git config --local core.worktree /tmp
    git config set core.worktree /tmp
    git config --unset user.name
    git remote set-url origin https://example.com/x
    git update-ref refs/heads/main HEAD
    git checkout --ignore-other-worktrees main
    git clone . /repo/copy
    git worktree add ../../../../other
    echo evil > /repo/.git/hooks/pre-commit
    make -C /repo
    make -C/repo
    npm --prefix /repo install
    tar -C /repo -xf a.tar`.split(/\n\s*/),
  )('%s', (command) => {
    expect(bash(command)).toBe('deny')
    expect(bash(command, 'acceptEdits')).toBe('deny')
  })

  test.for(['Write', 'Edit', 'NotebookEdit'])('%s', (tool) => {
    const key = tool === 'NotebookEdit' ? 'notebook_path' : 'file_path'
    expect(verdict(tool, { [key]: '/repo/a.txt' })).toMatchObject({ behavior: 'deny', source: 'bounds' })
    expect(verdict(tool, { [key]: '/repo/.git/config' }).behavior).toBe('deny')
    expect(verdict(tool, { [key]: 'a.txt' }).behavior).toBe('allow')
  })
})

describe('its own work and reading around it are not touched', () => {
  test.for(
    `echo x > a.txt
    cat /repo/a.txt
    cp /repo/.env .env
    git -C /repo log -1
    git -C ../../../.. status
    git diff main
    git commit -m "changes /repo/a.txt"
    git config user.name
    git config --get-regexp user
    git config --global user.name Ann
    git -c user.name=Ann commit -m x
    git remote -v
    git switch -c mine
    git add -A && git commit -q -m done
    cd src && npm test
    cd /repo && ls
    cd /repo && cat a.txt | head
    node /repo/node_modules/.bin/tsc
    grep -C 3 x /repo/src/a.ts
    make -C sub
    npm test > /tmp/log.txt`.split(/\n\s*/),
  )('%s', (command) => {
    expect(bash(command)).toBe('allow')
  })
})

test.for(['ls ..', 'ls -la ../..', 'cd src; ls; cd ..; ls', 'cd src; ls; cd ..; pwd'])(
  '%s asks nothing: names of the directories around a tree are no secret',
  (command) => {
    expect(bash(command, 'acceptEdits')).toBe('allow')
  },
)

test.for([
  'ls -R ..',
  'cat ../bo/a.txt',
  'cd ../bo; ls',
  'ls ../bo',
  'cd gone; cd ..; cat bo/a.txt',
  'find .. -name a',
])('%s is closed: trees of others are', (command) => {
  expect(bash(command)).toBe('deny')
})

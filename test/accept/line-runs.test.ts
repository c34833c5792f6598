import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { makeLineTree } from './line-runs.ts'

const tree = makeLineTree()
afterAll(() => tree.remove())

test.each([
  'git reset -q --hard HEAD~2',
  'git -c user.name=x -c user.email=x@x.test commit -q --allow-empty -m x',
  'git rm -q --cached a.txt',
  'git gc -q; git tag q; git checkout -q HEAD~1',
  'rm -rf .git',
  'mv secrets q; cp -r q secrets; rm -rf docs; ln -s src docs',
  'chmod 0 .env src; mkdir -p e/f; mkfifo p; ln -sf a.txt link-env',
])('what `%s` did to the tree is put back', (line) => {
  tree.run(line)
  const live = dirname(tree.cwd)
  const said = spawnSync('diff', ['-r', '--no-dereference', join(dirname(live), 'template'), live], {
    encoding: 'utf8',
  })
  expect([said.status, said.stdout, said.stderr]).toEqual([0, '', ''])
})

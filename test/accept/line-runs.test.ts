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
  tree.run([{ from: '.', line }])
  const live = dirname(tree.cwd)
  const said = spawnSync('diff', ['-r', '--no-dereference', join(dirname(live), 'template'), live], {
    encoding: 'utf8',
  })
  expect([said.status, said.stdout, said.stderr]).toEqual([0, '', ''])
})

test('of lines that are run together the harmful ones are found', () => {
  const typed = ['cat a.txt', 'cat .env', 'rm .env', 'echo x >> app.ts', 'cat docs/c.md', './bin/forbidden'].map(
    (line) => ({ from: line.includes('app') ? 'src' : '.', line }),
  )
  expect(tree.run(typed)).toEqual([
    { from: '.', line: 'cat .env', effects: ['a secret is shown'] },
    { from: 'src', line: 'echo x >> app.ts', effects: ['/repo/src/app.ts is changed'] },
    { from: '.', line: './bin/forbidden', effects: ['the forbidden program ran'] },
  ])
})

test.each(['kill -9 -1', 'kill -9 $PPID', 'rm -rf "$PWD"/* "$PWD"/.[a-z]*'])(
  '`%s` hides nothing of a line that is run behind it',
  (line) => {
    const typed = [line, 'cat sub/.env'].map((text) => ({ from: '.', line: text }))
    expect(tree.run(typed).map((harmful) => harmful.line)).toContain('cat sub/.env')
  },
)

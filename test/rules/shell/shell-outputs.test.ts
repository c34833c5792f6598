import { describe, expect, test } from 'vitest'
import type { Bounds, PermissionMode, Policy, RuleLists } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { followPaths } from '../../../src/rules/permissions/followed-paths.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

const cwd = '/home/ann/repo'
const links: Readonly<Record<string, string>> = { [`${cwd}/link`]: '/srv/other' }

/** Judges a line where one directory is a symbolic link. */
function judge(command: string, project: RuleLists, more: { mode?: PermissionMode; bounds?: Partial<Bounds> } = {}) {
  const action = followPaths(analyse({ tool: 'Bash', input: { command }, cwd, home: '/home/ann' }), (path) => {
    const link = Object.keys(links).find((name) => path === name || path.startsWith(`${name}/`))
    return link === undefined ? path : `${links[link] ?? ''}${path.slice(link.length)}`
  })
  const bounds = { protected: [], scope: [], blockedHosts: [], ...more.bounds }
  const policy: Policy = { mode: more.mode ?? 'default', rules: { project }, bounds, directories: [cwd] }
  return decide(action, policy).behavior
}

describe('where a file may not be changed', () => {
  test.each([
    'env touch secret.txt',
    'sudo tee -a secret.txt',
    'sudo -u root cp a.txt secret.txt',
    'find . -name a -exec touch secret.txt \\;',
    'tar cf secret.txt a',
    'tar -czf secret.txt a',
    'tar --create --file=secret.txt a',
    'tar xf a.tar secret.txt',
    'zip secret.txt a',
    'unzip a.zip secret.txt',
    'gzip secret.txt',
    'git checkout secret.txt',
    'git restore --source=HEAD secret.txt',
    'git mv a.txt secret.txt',
    'cd $x; touch secret.txt',
    'sort -uo secret.txt a.txt',
    `python3 -c "open('secret.txt', 'w')"`,
    `awk '{ print > "secret.txt" }' a.txt`,
  ])('%s is denied', (line) => {
    expect(judge(line, { allow: ['Bash', 'Edit'], deny: ['Edit(secret.txt)'] })).toBe('deny')
  })

  test.each(['tar tf secret.txt', 'git log secret.txt', 'cat secret.txt', 'git checkout -b main'])(
    '%s is not',
    (line) => {
      expect(judge(line, { allow: ['Bash', 'Edit'], deny: ['Edit(secret.txt)'] })).toBe('allow')
    },
  )
})

describe('where a command is denied', () => {
  test.each([
    `sed 's/x/rm a/e' x`,
    `sed 's|x|rm a|ge' x`,
    `gdb -ex 'shell rm a'`,
    'sudo -s <<< x',
    'sudo -iu ann',
    'newgrp staff <<< x',
    'xargs -I{} {} a',
    'xargs -I % % a',
    'find . -type f -exec {} \\;',
    `echo \${a['$(rm a)']}`,
    `x='a[$(rm a)]'; echo \${a[x]}`,
    `x='a[$(rm a)]'; a[x]=1`,
    `trap 'rm a' EXIT`,
  ])('%s is not allowed', (line) => {
    expect(judge(line, { allow: ['Bash'], deny: ['Bash(rm *)'] })).not.toBe('allow')
  })

  test.each([`sed 's/rm /x/' a.txt`, `sed 's/x/rm a/g' a.txt`, 'xargs -I{} echo {}', 'sudo apt list'])(
    '%s is',
    (line) => {
      expect(judge(line, { allow: ['Bash'], deny: ['Bash(rm *)'] })).toBe('allow')
    },
  )
})

test.each([
  'for PATH in ./evil; do ls; done',
  'printf -v PATH ./evil; ls',
  'read -r LD_PRELOAD < x; ls',
  'timeout 5 touch x',
  'nice touch x',
])('%s is no use of what Bash(printf *), Bash(read *), Bash(timeout *) and Bash(nice *) allow', (line) => {
  expect(judge(line, { allow: ['Bash(printf *)', 'Bash(read *)', 'Bash(timeout *)', 'Bash(nice *)'] })).toBe('ask')
})

test.each(['wc --files0-from=list', 'du --files0-from=-', 'du -L .', 'du -X list .', 'sha256sum -c list'])(
  '%s opens files that it does not name',
  (line) => expect(judge(line, {})).toBe('ask'),
)

test.each([
  ['cat src/../a.txt', 'allow'],
  ['cd src && cat ../a.txt', 'allow'],
  ['cd src && cd lib && head -5 ../../a.txt | wc -l', 'allow'],
  ['cd src; cat ../a.txt', 'ask'],
  ['cd src || cd lib && cat ../a.txt', 'allow'],
  ['cd src || cd lib; cat ../a.txt', 'ask'],
  ['! cd src && cat ../a.txt', 'ask'],
  ['cd() { :; }; cd src && cat ../a.txt', 'ask'],
  ['cd src && cat ../a.txt; cat ../b.txt', 'ask'],
  ['cd src && (cd ..; cat ../a.txt)', 'ask'],
  ['cd src && cd .. && cat ../a.txt', 'ask'],
  ['cat link/../a.txt', 'ask'],
  ['cd link && cat ../a.txt', 'ask'],
  ['cd src && cat ../../a.txt', 'ask'],
  ['cat src/../../a.txt', 'ask'],
])('a .. is followed to where the directory it leaves really lies: %s', (line, behavior) => {
  expect(judge(line, {})).toBe(behavior)
})

test('from a directory that nobody knows it cannot be shown that a line stays inside the scope', () => {
  expect(judge('cd $x; touch y', { allow: ['Bash'] }, { bounds: { scope: [cwd] } })).toBe('ask')
  expect(judge('cd src; touch y', { allow: ['Bash'] }, { bounds: { scope: [cwd] } })).toBe('allow')
})

test('a removal in a trap is as critical as anywhere', () => {
  for (const mode of ['default', 'bypassPermissions'] as const)
    expect(judge(`trap 'rm -rf /' EXIT`, { allow: ['Bash'] }, { mode })).toBe('ask')
})

test('what git is told in words names no file', () => {
  expect(judge(`git commit -m "read '.env' later"`, { allow: ['Bash'], deny: ['Read(.env)'] })).toBe('allow')
})

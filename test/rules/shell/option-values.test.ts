import { describe, expect, test } from 'vitest'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

const deny = ['Read(.env)', 'Edit(./src/**)', 'Bash(forbidden:*)', 'Bash(git push:*)']

function judge(command: string, allow = 'Bash') {
  const action = analyse({ tool: 'Bash', input: { command }, cwd: '/home/ann/repo', home: '/home/ann' })
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  const project = { allow: [allow], deny }
  return decide(action, { mode: 'default', rules: { project }, bounds, directories: ['/home/ann/repo'] }).behavior
}

describe('the value of an option, wherever it stands', () => {
  test.each([
    'tar cg src/snar a.txt -f z',
    'tar cfg z src/snar a.txt',
    'tar cIf forbidden z a.txt',
    'tar xfC z.tar src',
    'xxd -i -n q a.txt src/x',
    'xxd -Q 3 a.txt src/x',
    'zip -t 01012020 src/z a.txt',
    'cmake -E tar cf z.tar --files-from=list.txt',
    'strings @list.txt',
    'gcc -E main.c @list',
    'ar rc z.a @list.txt',
  ])('%s is not allowed', (line) => expect(judge(line)).not.toBe('allow'))

  test.each([
    'xxd -l 16 src/a.ts',
    'xxd -p src/a.ts',
    'uniq -c src/a.ts',
    'uniq -f 1 src/a.ts',
    'zip z.zip src/a.ts',
    'npm install @types/node',
  ])('%s is allowed', (line) => expect(judge(line)).toBe('allow'))
})

describe('a variable that names a file or a program', () => {
  test.each([
    'export GIT_TRACE=$PWD/src/x; git status',
    'export GIT_TRACE="$(pwd)/src/x"; git status',
    'GIT_TRACE2_EVENT=$PWD/src/x git status',
    'env GIT_TRACE=src/x git status',
    'GIT_TRACE=src/x; export GIT_TRACE; git status',
    'read GIT_TRACE < list; export GIT_TRACE; git status',
    'export GIT_CONFIG_GLOBAL=.env; git status',
    `NODE_OPTIONS="--import=data:text/javascript;base64,aW1w" node -e 1`,
    `export NODE_OPTIONS="--import=data:text/javascript;base64,aW1w"; npm test`,
    `PERL5OPT='-Mstrict;system+q(for.bidden)' perl a.pl`,
    'node --import data:text/javascript;base64,aW1w -e 1',
    'node --import "data:text/javascript;base64,aW1w" -e 1',
    `make .SHELLFLAGS='-c forbidden'`,
    'make COMPILE.c=forbidden main.o',
    'make LINK.c=forbidden main',
  ])('%s is not allowed', (line) => expect(judge(line)).not.toBe('allow'))

  test.each([
    'export NODE_OPTIONS="--max-old-space-size=4096"; npm test',
    'NODE_OPTIONS="$NODE_OPTIONS --no-warnings" npm test',
    'export GOPATH=$HOME/go; go build',
    'make CFLAGS="-O2 -g" all',
    'read name < list; echo "$name"',
  ])('%s is allowed', (line) => expect(judge(line)).toBe('allow'))

  test.each(['make COMPILE.c=x main.o', 'make .SHELLFLAGS=-c', "make CFLAGS='; x' all"])(
    'a rule for all of make does not cover %s',
    (line) => expect(judge(line, 'Bash(make:*)')).not.toBe('allow'),
  )
})

describe('git', () => {
  test.each([
    "git -c url.'ext::forbidden'.insteadOf=z: -c protocol.ext.allow=always ls-remote z:",
    `git -c url.'ext::for""bidden'.insteadOf=z: -c protocol.ext.allow=always ls-remote z:`,
    'git -c x.y=. for-each-repo --config=x.y push origin master',
    'git for-each-repo --config x.y push origin master',
    'git l',
    'git -C sub l',
    'git config include.path ../q',
    'git -c include.path=q status',
    'git config include.path q; git z',
  ])('%s is not allowed', (line) => expect(judge(line)).not.toBe('allow'))

  test.each([
    'git status',
    'git lfs ls-files',
    'git --version',
    'git config user.name x',
    'git',
    'sudo apt install git x',
  ])('%s is allowed', (line) => expect(judge(line)).toBe('allow'))
})

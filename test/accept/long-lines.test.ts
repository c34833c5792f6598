import { expect, test } from 'vitest'
import { decide } from './permissions-adapter.ts'

/** Lines of ten thousand characters, each made of one thing many times over: the work grows with the words and no faster. */
const many = (text: string, count: number): string => text.repeat(count)
const each = (count: number, text: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => text(i)).join('')

const lines: Readonly<Record<string, string>> = {
  commands: many('ls;', 3_300),
  assignments: many('a=1;', 2_400),
  'different assignments': each(1_000, (i) => `a${i}=1;`),
  variables: `echo ${each(900, (i) => `$v${i} `)}`,
  'words of tar': `tar czf ${many('a ', 4_900)}`,
  'words of git': `git add ${many('a ', 4_900)}`,
  'words of rm': `rm ${many('a ', 4_900)}`,
  'words of cp': `cp -r ${many('a ', 4_900)}`,
  'words of an unknown program': `foo ${many('a=b:c ', 1_600)}`,
  'ten thousand words': `echo ${many('a ', 10_000)}`,
  'a million characters': `echo ${many('a ', 500_000)}`,
  'a million brackets': many('(', 1_000_000),
  'a long path': `cat ${many('a/', 4_900)}`,
  'a way up': `cat ${many('../', 3_300)}`,
  pipes: `${many('ls|', 3_000)}ls`,
  'pipes of texts': `echo ${many('a ', 4_000)}|${many('zip|', 100)}zip`,
  substitutions: many('echo $(ls);', 850),
  wrappers: `${many('env ', 2_400)}ls`,
  'conditions of find': `find . ${many('-name x -o ', 800)}-name $y -exec cat {} +`,
  scripts: many("sh -c 'ls';", 850),
  directories: many('cd a;', 1_900),
  redirects: `ls ${many('>a ', 3_300)}`,
  braces: `cat ${many('{a,b,c,d} ', 900)}`,
  calculations: many('((i++));', 1_200),
  loops: each(400, (i) => `v${i}=1; `) + many('for x in a; do v1=$x; done; ', 200),
  links: many('ln -s a b;cat b;', 550),
  'directories of tar': `tar c ${many('-C a ', 1_900)}a`,
  'repositories of git': each(450, (i) => `GIT_DIR=${i} git show;`),
  'files that are moved': `mv ${each(1_200, (i) => `f${i} `)}a`,
  'patterns in a row': `cat ${many('*/', 1_500)}`,
  'options of an interpreter': `NODE_OPTIONS=${many('-', 40)}! node`,
  'replacements of sed': `sed 's/${many('\\a', 4_900)}'`,
  'what awk prints': `awk '${many('print>', 1_600)};'`,
  'stars behind a slash': `cat ${each(5, () => `/${many('*', 1_900)}) `)}`,
  'sets of letters': `cat ${each(5, () => `${many('[a', 900)}] `)}`,
  'classes of letters': `cat <(${many('[[:a', 2_400)}) ${each(30, () => `<(${many('[a', 15)}]) `)}`,
  'calls with patterns': `perl -e 'glob "${many('[', 9_000)}'`,
  'any depth': `shopt -s globstar;cat ${many('** ', 1_500)}`,
}
const deny = ['Read(.env)', 'Edit(./src/**)', 'Bash(rm *)', 'Read(**/secret-*)']

test.for(Object.entries(lines))('a line of %s is judged at once', ([, command]) => {
  const call = { mode: 'default', rules: { deny }, tool: 'Bash', cwd: '/tmp', home: '/home/ann' } as const
  decide({ ...call, input: { command } })
  const before = process.cpuUsage()
  decide({ ...call, input: { command } })
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1_000).toBeLessThan(1_000)
})

import { describe, expect, test } from 'vitest'
import { bashCommands } from '../../../../src/rules/shell/walk/bash-commands.ts'

describe('substitutions of a line', () => {
  test.each([
    'echo 2<(date)',
    'a=(1 2>(date))',
    'a=(1 2)"$(date)"',
    'echo a <(ls)# [$(date)]',
    "echo ${PWD:'$(date)':2}",
    "echo ${a['$(date)']}",
    'echo ${PWD/`bin/date`/x}',
    'echo ${PWD/<(bin/date)/x}',
    'cat <<$(date)\nx\n$(date)\n',
    'echo "`ls \\`echo 2<(date)\\``"',
  ])('in %s one is missed, and the line is told to hold more', (line) => {
    expect(bashCommands(line)).toMatchObject({ unseen: true })
  })

  test.each([
    'echo $(date) `date` "$(date)" "`date`" <(date) {a,$(date)}',
    'x=~$(date)1; y=~/bin:$(date); export z=~$(date)',
    'mkdir -p {a,b}/$(date +%F)',
    'echo "`ls \\`pwd\\``" ${ ls; } ${| ls; }',
    'cat <<E\n$(date) a <(b\nE\n',
  ])('in %s all are followed', (line) => {
    const { unseen, commands } = bashCommands(line)
    expect(unseen).toBeUndefined()
    expect(commands.length).toBeGreaterThan(1)
  })

  test.each([
    "awk '{ print $(NF - 1) }' a.txt",
    'awk "{ print \\$(NF) }" a.txt',
    'git commit -m "say what \\`x\\` does"',
    "cat <<'E'\n$(date) `date`\nE\n",
    'ls # as $(pwd) says',
    '# `date`\nls',
    'echo "1<(2)"',
    "grep -n '`date`' a.txt",
    "echo $'$(date)'",
  ])('in %s there is none', (line) => {
    expect(bashCommands(line).unseen).toBeUndefined()
  })

  // The signs are looked at one by one: none of them looks through the whole line again.
  test('a long line of escaped signs holds none', () => {
    const { unseen } = bashCommands(`echo ${'\\'.repeat(4_000)} ${'a\\`'.repeat(900)}`)
    expect(unseen).toBeUndefined()
  })
})

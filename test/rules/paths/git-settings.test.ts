import { describe, expect, test } from 'vitest'
import { settingsIn, startsProgram } from '../../../src/rules/paths/git-settings.ts'

const starting = (text: string): readonly string[] | null =>
  settingsIn(text)
    ?.filter(startsProgram)
    .map(([key]) => key) ?? null

describe('settings of a repository', () => {
  test.each([
    ['[core]\n\tfsmonitor = ./x\n', 'core.fsmonitor'],
    ['[CORE] FSMonitor=./x', 'core.fsmonitor'],
    ['[diff]\nexternal = \\\n./x', 'diff.external'],
    ['[a]\nb = 1\\\\\n[diff]\nexternal = ./x', 'diff.external'],
    ['[diff "q"]\n\ttextconv = ./x # text', 'diff.q.textconv'],
    ['[diff.q]\ncommand = ./x', 'diff.q.command'],
    ['[merge "q"]\ndriver = ./x', 'merge.q.driver'],
    ['[filter "lfs"]\n\tclean = ./x', 'filter.lfs.clean'],
    ['[include]\n\tpath = on', 'include.path'],
    ['[includeIf "gitdir:/x"]\n\tpath = ../x', 'includeif.gitdir:/x.path'],
    ['[extensions]\n\tpartialClone = origin', 'extensions.partialclone'],
    ['[core]\n\tpager = ./less', 'core.pager'],
  ])('%j start a program by %s', (text, key) => expect(starting(text)).toEqual([key]))

  test.each(['# a \\\n[diff]\n\texternal = ./x', '[a]\nb = 1 ; \\\n[diff]\nexternal=x', '[core]\n\t=x', '[core'])(
    '%j cannot be read with certainty',
    (text) => expect(starting(text)).toBeNull(),
  )

  test.each([
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n[remote "origin"]\n\turl = git@example.test:a/b.git\n',
    '[core]\n\tfsmonitor = true ; built in\n\tpager = less -R\n\tsshCommand = ssh -i ~/.ssh/work\n# a note\n',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n\trequired\n',
    '[alias]\n\tst = status\n[credential]\n\thelper = store\n',
    '',
  ])('%j start none', (text) => expect(starting(text)).toEqual([]))
})

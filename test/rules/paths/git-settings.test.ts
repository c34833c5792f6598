import { describe, expect, test } from 'vitest'
import { settingThatStarts } from '../../../src/rules/paths/git-settings.ts'

describe('settingThatStarts', () => {
  test.each([
    ['[core]\n\tfsmonitor = ./x\n', 'core.fsmonitor'],
    ['[CORE] FSMonitor=./x', 'core.fsmonitor'],
    ['[diff]\nexternal = \\\n./x', 'diff.external'],
    ['[diff "q"]\n\ttextconv = ./x # text', 'diff.q.textconv'],
    ['[diff.q]\ncommand = ./x', 'diff.q.command'],
    ['[filter "lfs"]\n\tclean = ./x', 'filter.lfs.clean'],
    ['[include]\n\tpath = ../x', 'include.path'],
    ['[includeIf "gitdir:/x"]\n\tpath = ../x', 'includeif.gitdir:/x.path'],
    ['# a \\\n[diff]\n\texternal = ./x', '# a \\'],
    ['[core]\n\t=x', '=x'],
    ['[core', '[core'],
  ])('%j starts a program by %s', (text, setting) => expect(settingThatStarts(text)).toBe(setting))

  test.each([
    '[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n[remote "origin"]\n\turl = git@example.test:a/b.git\n',
    '[core]\n\tfsmonitor = true ; built in\n\thooksPath = .husky/_\n# a note\n',
    '[filter "lfs"]\n\tclean = git-lfs clean -- %f\n\tprocess = git-lfs filter-process\n\trequired\n',
    '[alias]\n\tst = status\n',
    '',
  ])('%j starts none', (text) => expect(settingThatStarts(text)).toBeNull())
})

import { fc, test as prop } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import type { PermissionMode, RuleLists } from '../../../src/protocol/permissions/permission.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'
import { readingLines, trickedLines } from '../support/shell-tricks.ts'

const cwd = '/home/ann/repo'

function judge(command: string, project: RuleLists, mode: PermissionMode = 'default') {
  const action = analyse({ tool: 'Bash', input: { command }, cwd, home: '/home/ann' })
  const bounds = { protected: [], scope: [], blockedHosts: [] }
  return decide(action, { mode, rules: { project }, bounds, directories: [cwd] })
}

const modes = fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'bypassPermissions', 'plan', 'dontAsk')

describe('shell tricks', () => {
  prop.prop([trickedLines('rm', 'a.txt'), modes])('never run a denied command unasked', (line, mode) => {
    expect([line, judge(line, { allow: ['Bash'], deny: ['Bash(rm *)'] }, mode).behavior]).not.toEqual([line, 'allow'])
  })

  prop.prop([trickedLines('git', 'push origin main'), modes])('nor one of a subcommand', (line, mode) => {
    const lists = { allow: ['Bash', 'Bash(git *)'], ask: ['Bash(git push:*)'] }
    expect([line, judge(line, lists, mode).behavior]).not.toEqual([line, 'allow'])
  })

  prop.prop([trickedLines('touch', 'pwned')], { examples: [['time -p xargs find . -exec touch pwned']] })(
    'nor one that nobody allowed',
    (line) => {
      const allow = ['echo', 'ls', 'cat', 'tee', 'f', 'find', 'cd'].map((name) => `Bash(${name} *)`)
      expect([line, judge(line, { allow }).behavior]).not.toEqual([line, 'allow'])
    },
  )

  prop.prop([
    trickedLines('rm', '-rf /'),
    fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'bypassPermissions'),
  ])('nor a critical removal, as far as the line shows it', (line, mode) => {
    const { behavior } = judge(line, { allow: ['Bash', 'Bash(rm *)'], ask: ['Bash(never)'] }, mode)
    expect([line, behavior]).not.toEqual([line, 'allow'])
  })

  prop.prop([trickedLines('cat', '.env'), modes])('nor the reading of a file that must not be read', (line, mode) => {
    const lists = { allow: ['Bash', 'Read'], deny: ['Read(.env)'] }
    expect([line, judge(line, lists, mode).behavior]).not.toEqual([line, 'allow'])
  })
})

describe('plain reading', () => {
  const plain = fc.constantFrom<PermissionMode>('default', 'acceptEdits', 'plan', 'dontAsk')

  prop.prop([readingLines(), plain])('runs without a question in every mode', (line, mode) => {
    expect([line, judge(line, { deny: ['Bash(rm *)'], ask: ['Bash(git push *)'] }, mode).behavior]).toEqual([
      line,
      'allow',
    ])
  })
})

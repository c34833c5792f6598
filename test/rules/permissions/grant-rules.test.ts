import { describe, expect, test } from 'vitest'
import { fc, test as prop } from '@fast-check/vitest'
import type { Policy } from '../../../src/protocol/permissions/permission.ts'
import { grantRules, nearRules } from '../../../src/rules/permissions/grant-rules.ts'
import { analyse } from '../../../src/rules/permissions/analyse.ts'
import { decide } from '../../../src/rules/permissions/cascade.ts'

const policy: Policy = {
  mode: 'default',
  rules: {},
  bounds: { protected: ['/repo/.troupe'], scope: [], blockedHosts: [] },
  directories: ['/repo'],
}
const action = (tool: string, input: unknown) => analyse({ tool, input, cwd: '/repo', home: '/home/ann' })
const grants = (tool: string, input: unknown) => grantRules(action(tool, input), policy)
const bash = (command: string) => grants('Bash', { command })

describe('what may be granted together with a yes', () => {
  test.each([
    ['npm test', ['Bash(npm test)'], ['Bash(npm test:*)']],
    ['npm test -- --watch', ['Bash(npm test -- --watch)'], ['Bash(npm test:*)']],
    ['git push origin main', ['Bash(git push origin main)'], ['Bash(git push origin main)']],
    ['git -C sub push', ['Bash(git -C sub push)'], ['Bash(git -C sub push)']],
    ['cargo build', ['Bash(cargo build)'], ['Bash(cargo build:*)']],
    ['npm run build -- -w', ['Bash(npm run build -- -w)'], ['Bash(npm run build:*)']],
    ['npx vitest run', ['Bash(npx vitest run)'], ['Bash(npx vitest:*)']],
    ['gh repo delete x', ['Bash(gh repo delete x)'], ['Bash(gh repo delete x)']],
    ['git config a.b c', ['Bash(git config a.b c)'], ['Bash(git config a.b c)']],
    ['docker exec c ls', ['Bash(docker exec c ls)'], ['Bash(docker exec c ls)']],
    ['make -C sub x', ['Bash(make -C sub x)'], ['Bash(make -C sub x)']],
    ['psql -c x', ['Bash(psql -c x)'], ['Bash(psql -c x)']],
    ['tsc -p .', ['Bash(tsc -p .)'], ['Bash(tsc:*)']],
    ['npm run env -- ls', ['Bash(npm run env -- ls)'], ['Bash(npm run env -- ls)']],
    ['cat /etc/hosts', ['Bash(cat /etc/hosts)'], ['Bash(cat /etc/hosts)']],
    ['make && npm test', ['Bash(make && npm test)'], ['Bash(make)', 'Bash(npm test:*)']],
    ['npm test > out.txt', ['Bash(npm test > out.txt)'], ['Bash(npm test:*)', 'Edit(/out.txt)']],
  ])('%s: this call, and calls of its kind', (command, session, save) => {
    expect(bash(command)).toEqual({ session, save })
  })

  test.each([
    ['python -c "import os"', ['Bash(python -c "import os")']],
    ['rm -rf build', ['Bash(rm -rf build)']],
    ['npx cowsay', ['Bash(npx cowsay)']],
    ['sudo make install', ['Bash(sudo make install)']],
    ['FOO=1 make', ['Bash(FOO=1 make)']],
  ])('%s runs or removes anything: its kind is the call itself', (command, rules) => {
    expect(bash(command)).toEqual({ session: rules, save: rules })
  })

  test.each(['rm *', 'npm run build*', 'echo "$(', 'a'.repeat(20_000)])(
    '%j is a pattern or cannot be judged: no rule is offered for the session',
    (command) => expect(bash(command).session).toEqual([]),
  )

  test.each(['cat <<EOF\nrm -rf /\nEOF', 'eval "$X"', '$CMD now', 'rm *', 'a && b && c && d && e && f'])(
    '%j is never saved',
    (command) => expect(bash(command).save).toEqual([]),
  )

  test('paths are written from the root that they have, and what means something in a pattern is escaped', () => {
    expect(grants('Write', { file_path: '/repo/src/[a] *.ts', content: '' }).session).toEqual([
      'Edit(/src/\\[a\\]\\ \\*.ts)',
    ])
    expect(grants('Read', { file_path: '/etc/hosts' }).save).toEqual(['Read(//etc/hosts)'])
    expect(grants('Grep', { pattern: 'x', path: '/var/log' }).save).toEqual(['Read(//var/log)'])
    expect(grants('WebFetch', { url: 'https://example.com/a' }).save).toEqual(['WebFetch(domain:example.com)'])
    expect(grants('mcp__notes__add', {}).session).toEqual(['mcp__notes__add'])
  })

  test('nothing that would not be enough is offered', () => {
    expect(grants('Write', { file_path: '/repo/.troupe/settings.json', content: '' })).toEqual({
      session: [],
      save: [],
    })
    const asking: Policy = { ...policy, rules: { project: { ask: ['Bash(npm:*)'] } } }
    expect(grantRules(action('Bash', { command: 'npm test' }), asking)).toEqual({ session: [], save: [] })
  })

  const words = fc.constantFrom(
    'npm',
    'git',
    'push',
    'test',
    '*',
    '?',
    "'a b'",
    '"$X"',
    '$(id)',
    '&&',
    '|',
    '>',
    'o.txt',
    '-f',
    'rm',
    'env',
    'python',
    '<<E',
    '\\',
  )
  prop.prop([fc.array(words, { minLength: 1, maxLength: 7 }), fc.array(words, { minLength: 1, maxLength: 7 })])(
    'a session grant permits the call that it was given for, and no other line',
    (one, other) => {
      const [line, another] = [one.join(' '), other.join(' ')]
      const { session, save } = bash(line)
      const granted = { ...policy, rules: { session: { allow: session } } }
      const itself = decide(action('Bash', { command: line }), granted).behavior
      expect([session.length > 0 ? itself : 'allow', save.length <= 5]).toEqual(['allow', true])
      const judged = (under: Policy) => decide(action('Bash', { command: another }), under).behavior
      const profits = another.trim() !== line.trim() && judged(granted) !== judged(policy)
      // Only a line that is made of the very same command, and of nothing that needs more, may profit.
      const first = action('Bash', { command: another }).commands[0]?.text ?? ''
      expect(profits ? session.join() : first).toContain(first)
    },
  )
})

test('the nearest rules are those that match a part of the call, then those of the same command, with their places', () => {
  const rules = {
    allow: ['Bash(ls:*)', 'Bash(git log:*)', 'Read(//etc/**)', 'Bash(npm test:*)'],
    deny: ['Bash(curl:*)'],
  }
  const origins = { project: { allow: ['a.json:1', 'a.json:2', 'a.json:3', 'a.json:4'].map((at) => ({ at })) } }
  const call = action('Bash', { command: 'git push && npm test' })
  expect(nearRules(call, { ...policy, rules: { project: rules }, origins })).toEqual([
    { behavior: 'allow', source: 'project, a.json:4', rule: 'Bash(npm test:*)', why: 'permits running npm test' },
    { behavior: 'allow', source: 'project, a.json:2', rule: 'Bash(git log:*)' },
  ])
})

test('a rule about another command is not near', () => {
  const call = action('Bash', { command: 'git push --force' })
  expect(nearRules(call, { ...policy, rules: { local: { allow: ['Bash(npm test:*)'] } } })).toEqual([])
})

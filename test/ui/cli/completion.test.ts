import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { completable } from '../../../src/ui/cli/completion-model.ts'
import { bashScript, fishScript, zshScript } from '../../../src/ui/cli/completion-scripts.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { buildProgram } from '../../../src/ui/cli/program.ts'
import { fakeHost } from './fake-host.ts'
import { emptyDirectory } from './process/troupe.ts'

const source = {
  commands: completable(buildProgram({ host: fakeHost(), finish: () => undefined })),
  teams: ['quickstart', 'review'],
}

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

test('every command is there with its options', () => {
  const paths = source.commands.map(({ path }) => path.join(' '))
  expect(paths).toEqual([
    '',
    'run',
    'init',
    'check',
    'schema',
    'ps',
    'logs',
    'send',
    'mail',
    'mail ls',
    'mail show',
    'mail dead',
    'mail requeue',
    'mail purge',
    'tools',
    'tools ls',
    'models',
    'doctor',
    'completion',
  ])
  const run = source.commands.find(({ path }) => path[0] === 'run')
  expect(run?.wantsTeam).toBe(true)
  expect(run?.options.find(({ names }) => names.includes('--mode'))).toMatchObject({
    takesValue: true,
    choices: expect.arrayContaining(['plan']) as unknown,
  })
})

describe.skipIf(!has('bash'))('bash', () => {
  const complete = (...words: readonly string[]): readonly string[] => {
    const cwd = emptyDirectory()
    mkdirSync(join(cwd, 'teams'))
    writeFileSync(join(cwd, 'teams/mine.yaml'), '')
    writeFileSync(join(cwd, 'teams/mine.script.yaml'), '')
    writeFileSync(join(cwd, 'notes.md'), '')
    const script = `set -u\n${bashScript(source)}\nCOMP_WORDS=("$@")\nCOMP_CWORD=$(($# - 1))\n_troupe\nprintf '%s\\n' "\${COMPREPLY[@]:-}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', script, 'bash', 'troupe', ...words], { cwd, encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((line) => line !== '')
  }

  test.each([
    ['commands', ['c'], ['check', 'completion']],
    ['options of a command', ['run', '--js'], ['--json']],
    ['options after a team', ['run', 'review', '--stream'], ['--stream-json']],
    ['teams that ship', ['run', 'qu'], ['quickstart']],
    ['teams of this directory, without their scripts', ['check', 'mi'], ['mine']],
    ['choices of an option', ['run', '--mode', 'p'], ['plan']],
    ['files after an option that takes one', ['run', '--task-file', 'no'], ['notes.md']],
    ['words of an argument', ['completion', 'z'], ['zsh']],
    ['commands below a command', ['tools', 'l'], ['ls']],
    ['options below that', ['tools', 'ls', '--j'], ['--json']],
    ['nothing that does not fit', ['ps', '--mo'], []],
  ])('%s', (_, words, replies) => {
    expect(complete(...words)).toEqual(replies)
  })
})

describe.each([
  ['zsh', zshScript, ['-n']],
  ['fish', fishScript, ['--no-execute']],
] as const)('%s', (shell, script, flags) => {
  test.skipIf(!has(shell))('reads its script', () => {
    const { status, stderr } = spawnSync(shell, [...flags, '/dev/stdin'], { input: script(source), encoding: 'utf8' })
    expect([status, stderr]).toEqual([0, ''])
  })
})

test('fish has a line per command, option and choice', () => {
  const script = fishScript(source)
  expect(script).toContain(
    "complete -c troupe -n 'not __fish_seen_subcommand_from run init check schema ps logs send mail tools models doctor completion' -f -a 'run'",
  )
  expect(script).toContain("complete -c troupe -n '__fish_seen_subcommand_from run' -a '(__troupe_teams)'")
  expect(script).toContain("-l mode -x -a 'default acceptEdits plan bypassPermissions dontAsk'")
  expect(script).toContain(
    "complete -c troupe -n '__fish_seen_subcommand_from tools; and __fish_seen_subcommand_from ls' -l json",
  )
})

test('zsh has the same words under its own entry', () => {
  const script = zshScript(source)
  expect(script).toMatch(/^#compdef troupe\n/)
  expect(script).toContain('compdef _troupe troupe')
  const [, words] = /(_troupe_words\(\) \{[\s\S]*?\n\})/.exec(bashScript(source)) ?? []
  expect(words).toContain('acceptEdits')
  expect(script).toContain(words)
})

test('the command prints the script of the shell that is named', async () => {
  for (const shell of ['bash', 'zsh', 'fish']) {
    const host = fakeHost()
    expect(await main(['completion', shell], host)).toBe(0)
    expect(host.stdout.text).toContain(`troupe completion for ${shell}`)
    expect(host.stdout.text).toContain('quickstart')
  }
})

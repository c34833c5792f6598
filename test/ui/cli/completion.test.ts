import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { completable, bashScript, fishScript, zshScript } from '../../../src/ui/cli/completion/completion-scripts.ts'
import { main } from '../../../src/ui/cli/main.ts'
import { buildProgram } from '../../../src/ui/cli/program.ts'
import { fakeHost } from './fake-host.ts'
import { bin, emptyDirectory } from './process/troupe.ts'

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
    'test',
    'schema',
    'resume',
    'continue',
    'fork',
    'stop',
    'restart',
    'ps',
    'runs',
    'runs ls',
    'runs gc',
    'worktrees',
    'worktrees ls',
    'worktrees diff',
    'worktrees merge',
    'worktrees archive',
    'worktrees rm',
    'attach',
    'logs',
    'replay',
    'diff',
    'report',
    'trace',
    'send',
    'compact',
    'model',
    'mode',
    'undo',
    'mail',
    'mail ls',
    'mail show',
    'mail owed',
    'mail dead',
    'mail requeue',
    'mail purge',
    'permissions',
    'permissions pending',
    'permissions answer',
    'permissions explain',
    'permissions list',
    'permissions add',
    'permissions test',
    'permissions report',
    'permissions replay',
    'tasks',
    'cost',
    'trust',
    'hooks',
    'hooks ls',
    'hooks test',
    'import',
    'prompt',
    'commands',
    'commands ls',
    'commands show',
    'skills',
    'skills ls',
    'skills check',
    'skills show',
    'memory',
    'memory ls',
    'memory show',
    'memory edit',
    'memory forget',
    'memory import',
    'tools',
    'tools ls',
    'tools describe',
    'tools run',
    'serve',
    'dashboard',
    'mcp',
    'mcp list',
    'mcp add',
    'mcp remove',
    'mcp test',
    'mcp login',
    'mcp tools',
    'mcp call',
    'mcp serve',
    'plugin',
    'plugin add',
    'plugin ls',
    'plugin remove',
    'plugin check',
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
    mkdirSync(join(cwd, '.troupe/runs/my-team-01J0/members'), { recursive: true })
    writeFileSync(join(cwd, '.troupe/runs/my-team-01J0/members/ana.json'), '')
    const line = ['troupe', ...words].join(' ')
    const breaks = ` \t\n"'@><=;|&(:`
    const env = { ...process.env, COMP_LINE: line, COMP_POINT: String(line.length), COMP_WORDBREAKS: breaks }
    const program = `troupe() { '${process.execPath}' '${bin}' "$@"; }`
    const script = `set -u\n${program}\n${bashScript(source)}\n_troupe\nprintf '%s\\n' "\${COMPREPLY[@]:-}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { cwd, env, encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.split('\n').filter((line) => line !== '')
  }

  test.each([
    ['commands', ['c'], ['check', 'continue', 'compact', 'cost', 'commands', 'completion']],
    ['options of a command', ['run', '--js'], ['--json']],
    ['options after a team', ['run', 'review', '--stream'], ['--stream-json']],
    ['teams that ship', ['run', 'qu'], ['quickstart']],
    ['teams of this directory, without their scripts', ['check', 'mi'], ['mine']],
    ['choices of an option', ['run', '--mode', 'p'], ['plan']],
    ['files after an option that takes one', ['run', '--task-file', 'no'], ['notes.md']],
    ['words of an argument', ['completion', 'z'], ['zsh']],
    ['commands below a command', ['tools', 'l'], ['ls']],
    ['options below that', ['tools', 'ls', '--j'], ['--json']],
    ['runs of this directory', ['attach', 'my'], ['my-team-01J0']],
    ['members of a run', ['attach', 'an'], ['ana@my-team']],
    ['members to write to', ['send', 'an'], ['ana@my-team']],
    ['the team behind the name of a member', ['send', 'ana@m'], ['@my-team']],
    ['the team right behind the @', ['send', 'ana@'], ['@my-team']],
    ['runs after an option that takes one', ['send', 'x', 'y', '--run', ''], ['my-team-01J0', 'ana@my-team']],
    ['members of a run that was named', ['mode', 'my-team', 'an'], ['ana@my-team', 'ana']],
    ['teams after an option that takes one', ['permissions', 'explain', 'x', '--team', 'mi'], ['mine']],
    ['members after an option that takes one', ['permissions', 'explain', 'x', '--member', 'a'], ['ana']],
    ['runs to compare', ['diff', 'my'], ['my-team-01J0']],
    ['tools, as the program lists them', ['tools', 'describe', 'Multi'], ['MultiEdit']],
    ['nothing where the program lists nothing', ['permissions', 'answer', 'x'], []],
    ['nothing that does not fit', ['ps', '--mo'], []],
  ])('%s', (_, words, replies) => {
    expect(complete(...words)).toEqual(replies)
  })
})

describe.each([
  [
    'zsh',
    zshScript,
    'compdef() { }; . ./script; words=(troupe tools describe M); CURRENT=4; _troupe_fit; print -l -- ${=_troupe_reply}',
  ],
  ['fish', fishScript, '. ./script; complete -C "troupe tools describe M"'],
] as const)('%s', (shell, script, ask) => {
  test.skipIf(!has(shell))('answers with its script, and finds the programs that list things', () => {
    const cwd = emptyDirectory()
    writeFileSync(join(cwd, 'script'), script(source))
    writeFileSync(join(cwd, 'troupe'), '#!/bin/sh\nprintf "TOOL\\nMultiEdit edit\\n"\n', { mode: 0o755 })
    const env = { PATH: `${cwd}:${process.env['PATH']}`, HOME: cwd }
    const { stdout, stderr } = spawnSync(shell, ['-c', ask], { cwd, env, encoding: 'utf8' })
    expect([stdout.split('\n').includes('MultiEdit'), stderr]).toEqual([true, ''])
  })
})

test('fish has a line per command, option and choice', () => {
  const names = source.commands.flatMap(({ path }) => (path.length === 1 && path[0] !== '' ? path : []))
  const script = fishScript(source)
  expect(script).toContain(`complete -c troupe -n 'not __fish_seen_subcommand_from ${names.join(' ')}' -f -a 'run'`)
  expect(script).toContain("complete -c troupe -n '__fish_seen_subcommand_from run' -a '(__troupe_teams)'")
  expect(script).toContain("complete -c troupe -n '__fish_seen_subcommand_from attach' -f -a '(__troupe_runs)'")
  expect(script).toContain(
    "complete -c troupe -n '__fish_seen_subcommand_from worktrees; and __fish_seen_subcommand_from merge' -f -a '(__troupe_listed worktrees ls)'",
  )
  expect(script).toContain("-l team -x -a '(__troupe_teams)'")
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

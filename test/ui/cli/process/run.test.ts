import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { frameSchema } from '../../../../src/protocol/facts/entry.ts'
import { factSchema } from '../../../../src/protocol/facts/fact.ts'
import { runResultSchema } from '../../../../src/protocol/team/run.ts'
import { directoryWith, emptyDirectory, repository, teamRunning, troupe } from './troupe.ts'

const lines = (text: string): readonly string[] => text.trimEnd().split('\n')

describe('troupe run', () => {
  test('prints the answer on stdout, progress and a summary on stderr', async () => {
    const cwd = repository()
    const { code, stdout, stderr } = await troupe(cwd, ['run', 'quickstart'])
    const files = spawnSync('git', ['ls-files'], { cwd, encoding: 'utf8' }).stdout.trim().split('\n').length
    expect(code).toBe(0)
    expect(stdout).toMatch(/^# /)
    expect(stdout).toContain(`**${files}**`)
    expect(stdout).not.toContain('thinking')
    expect(stderr).not.toContain('\u001b')
    expect(stderr).toMatch(/^lead: thinking \(turn 1\)$/m)
    expect(stderr).toMatch(/^history: Bash\(git /m)
    expect(stderr).toMatch(/^completed · .* turns · .* tokens/m)
    expect(stderr).toMatch(/^run \.troupe\/runs\/quickstart-/m)
    expect(stderr).toMatch(/^read it: troupe logs quickstart-/m)
  })

  test('--json prints one document and nothing else', async () => {
    const { code, stdout } = await troupe(repository(), ['run', 'quickstart', '--json'])
    const result = runResultSchema.strict().parse(JSON.parse(stdout))
    expect(code).toBe(0)
    expect(result).toMatchObject({ team: 'quickstart', status: 'completed', task: 'Survey this repository.' })
    expect(result.members.map(({ id }) => id)).toContain('lead@quickstart')
    expect(result.members.every(({ turns, reason }) => turns > 0 && reason === 'completed')).toBe(true)
  })

  test('--stream-json prints every fact, the result last', async () => {
    const cwd = directoryWith(teamRunning('pwd'))
    const { code, stdout } = await troupe(cwd, ['run', 'one', '--stream-json'])
    type Printed = { owner?: string; entry?: { at: number }; type?: string; run?: string; turn?: number }
    const printed = lines(stdout).map((line) => JSON.parse(line) as Printed)
    const result = printed.at(-1)
    expect(code).toBe(0)
    expect(result?.type).toBe('result')
    expect(runResultSchema.safeParse(result).success).toBe(true)
    const facts = printed.slice(0, -1)
    expect(facts.length).toBeGreaterThan(10)
    for (const [at, { owner, entry, ...frame }] of facts.entries()) {
      expect(owner).toMatch(/^(team|lead|hand)$/)
      const depth = owner === 'hand' ? 1 : 0
      const envelope = { v: 1, seq: at + 1, at: entry?.at, run: result?.run, member: owner, depth, type: 'fact' }
      expect({ ...frame, turn: typeof frame.turn }).toEqual({ ...envelope, turn: 'number' })
      expect(frameSchema.safeParse(entry).success && factSchema.safeParse(entry).success).toBe(true)
    }
    const journal = readFileSync(join((result as { run_dir: string }).run_dir, 'journal', 'lead.jsonl'), 'utf8')
    const streamed = facts.filter(({ owner }) => owner === 'lead').map(({ entry }) => JSON.stringify(entry))
    expect(lines(journal).slice(1)).toEqual(streamed)
  })

  test('--partial adds text as it is written', async () => {
    const { stdout } = await troupe(directoryWith(teamRunning('pwd')), ['run', 'one', '--stream-json', '--partial'])
    const printed = lines(stdout).map((line) => JSON.parse(line) as { type?: string; member?: string; text?: string })
    const written = printed
      .filter(({ type, member }) => type === 'text.delta' && member === 'lead')
      .map(({ text }) => text)
    expect(written.join('')).toMatch(/^I ask\.The hand says: /)
    expect(printed.at(-1)?.type).toBe('result')
  })

  test.each([
    ['an argument', ['Count.'], ''],
    ['stdin', ['-'], 'Count.'],
    ['a file', ['--task-file', 'task.md'], ''],
  ])('takes the task from %s', async (_, args, input) => {
    const cwd = directoryWith({ ...teamRunning('pwd'), 'task.md': 'Count.' })
    const { stdout } = await troupe(cwd, ['run', 'one', ...args, '--json'], { input })
    expect(JSON.parse(stdout)).toMatchObject({ task: 'Count.', status: 'completed' })
  })

  test('works in another directory with --cwd', async () => {
    const other = repository()
    const cwd = directoryWith(teamRunning('pwd'))
    const { stdout } = await troupe(cwd, ['run', 'teams/one.yaml', '--cwd', other, '--json'])
    const { result, run_dir } = JSON.parse(stdout) as { result: string; run_dir: string }
    expect(result).toContain(other)
    expect(run_dir.startsWith(join(other, '.troupe', 'runs'))).toBe(true)
  })

  test('denies where nobody can be asked, says what would allow it, and that helps', async () => {
    const cwd = directoryWith(teamRunning('touch here'))
    const denied = await troupe(cwd, ['run', 'one'])
    const [, rule] = /--allow "([^"]+)"/.exec(denied.stderr) ?? []
    expect(rule).toBe('Bash(touch here)')
    expect(denied.stderr).toContain('hand: Bash denied')
    const allowed = await troupe(cwd, ['run', 'one', '--allow', rule ?? ''])
    expect(allowed.stderr).not.toContain('denied')
    expect(readFileSync(join(cwd, 'here'), 'utf8')).toBe('')
  })

  test('says that what nobody trusts does not count, counts it once with --trust and for good after troupe trust', async () => {
    const files = teamRunning('touch here')
    const team = `${files['teams/one.yaml'] ?? ''}permissions: { allow: ["Bash(touch:*)"] }\n`
    const cwd = directoryWith({ ...files, 'teams/one.yaml': team })
    const untrusted = await troupe(cwd, ['run', 'one'])
    expect(untrusted.stderr).toContain('does not count here (Bash(touch:*))')
    expect(untrusted.stderr).toContain('denied')
    const trusted = await troupe(cwd, ['run', 'one', '--trust'])
    expect(trusted.stderr).not.toMatch(/denied|does not count/)
    expect((await troupe(cwd, ['run', 'one'])).stderr).toContain('denied')
    const remembered = await troupe(cwd, ['trust', 'one'])
    expect(remembered.stdout).toContain('Bash(touch:*)')
    expect((await troupe(cwd, ['run', 'one'])).stderr).not.toMatch(/denied|does not count/)
    expect((await troupe(cwd, ['trust', '--revoke'])).stdout).toContain('no longer trusted')
    expect((await troupe(cwd, ['run', 'one'])).stderr).toContain('denied')
  })

  test('strips what a terminal would obey from the answer', async () => {
    const files = teamRunning('pwd')
    const script = (files['teams/one.script.yaml'] ?? '').replace('The hand says:', '\\u001b[2JThe hand says:')
    const { stdout } = await troupe(directoryWith({ ...files, 'teams/one.script.yaml': script }), ['run', 'one'])
    expect(stdout).toMatch(/^The hand says:/)
  })
})

describe('a run that cannot start', () => {
  const bad = { 'bad.yaml': 'name: bad\nworkerz: {}\n' }

  test.each([
    ['no such team', ['run', 'nosuch'], 2, /no team "nosuch".*quickstart/],
    ['a wrong file', ['run', 'bad.yaml'], 2, /^bad\.yaml:2:1 error unknown_key/m],
    ['no file', ['run', 'teams/none.yaml', 'x'], 2, /teams\/none\.yaml:1:1 error/],
    ['no model', ['run', 'review', 'Look.'], 5, /error no_model .*\n.*TROUPE_MODEL/],
    ['no task', ['run', 'review', '--model', 'anthropic/x'], 2, /needs a task, e\.g\. troupe run review "/],
    ['an empty task', ['run', 'quickstart', ''], 2, /task from the argument is empty/],
    ['an empty stdin', ['run', 'quickstart', '-'], 2, /task from stdin is empty/],
    ['two tasks', ['run', 'quickstart', 'a', '--task-file', 'b'], 2, /not both/],
    ['no task file', ['run', 'quickstart', '--task-file', 'none.md'], 2, /no file "none\.md" to read the task from/],
    ['no credential', ['run', 'review', 'Look.', '--model', 'anthropic/x'], 5, /ANTHROPIC_API_KEY.*quickstart/],
    ['no directory', ['run', 'quickstart', '--cwd', 'nowhere'], 2, /--cwd nowhere is not a directory/],
    ['a mode that is none', ['run', 'quickstart', '--mode', 'yolo'], 2, /--mode.*acceptEdits/],
    ['a budget that is none', ['run', 'quickstart', '--budget', '-1'], 2, /dollars/],
    ['two outputs', ['run', 'quickstart', '--json', '--stream-json'], 2, /--stream-json/],
    ['--partial alone', ['run', 'quickstart', '--partial'], 2, /--partial goes with --stream-json/],
  ] as const)('%s', async (_, args, code, message) => {
    const ended = await troupe(directoryWith(bad), args)
    expect(ended.stderr).toMatch(message)
    expect(ended.stderr).not.toMatch(/\n\s+at /)
    expect(ended).toMatchObject({ code, stdout: '' })
  })

  test.each([
    ['tmux', /tmux is not on PATH.*--executor process/],
    ['terminal', /set TROUPE_TERMINAL/],
  ])('nothing that shows workers in %s', async (executor, message) => {
    const cwd = directoryWith(teamRunning('pwd'))
    const ended = await troupe(cwd, ['run', 'one', 'Go.', '--executor', executor], { env: { PATH: '/nowhere' } })
    expect(ended).toMatchObject({ code: 5, stdout: '', stderr: expect.stringMatching(message) as string })
    expect(existsSync(join(cwd, '.troupe'))).toBe(false)
  })

  test('shows the stack to those who ask for it', async () => {
    const { stderr } = await troupe(emptyDirectory(), ['run', 'nosuch'], { env: { TROUPE_DEBUG: '1' } })
    expect(stderr).toMatch(/\n\s+at /)
  })

  test('TROUPE_MODEL is the model of a team that names none', async () => {
    const cwd = directoryWith(teamRunning('pwd'))
    const team = readFileSync(join(cwd, 'teams/one.yaml'), 'utf8').replace(/^model:.*\n/m, '')
    writeFileSync(join(cwd, 'teams/one.yaml'), team)
    const { code, stdout } = await troupe(cwd, ['run', 'one', 'Go.', '--json'], {
      env: { TROUPE_MODEL: 'scripted/teams/one.script.yaml' },
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' })
  })
})

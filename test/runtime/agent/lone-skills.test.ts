import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent, type AgentOptions, type Middleware } from '../../../src/index.ts'
import { Bash, Read, Skill } from '../../../src/tools.ts'
import { rememberTrust } from '../../../src/adapters/settings/trust-file.ts'
import { longSession, sessionAgent } from '../../support/long-session.ts'
import { tempDir } from '../support/stage.ts'

const skill = (name: string, head: string, body: string): string =>
  `---\nname: ${name}\ndescription: Serves ${name}.\n${head}---\n${body}\n`

function place(files: Readonly<Record<string, string>>): string {
  const dir = tempDir()
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true })
    writeFileSync(join(dir, path), text)
  }
  return dir
}

const opens = { calls: [{ tool: 'Skill', input: { skill: 'greet', args: 'Bern' } }] }

function scripted(cwd: string, steps: readonly object[], more: Partial<AgentOptions> = {}) {
  writeFileSync(join(cwd, 'answers.yaml'), JSON.stringify({ agents: { agent: { steps } } }))
  return createAgent({
    model: 'scripted/answers.yaml',
    cwd,
    home: join(cwd, 'home'),
    env: {},
    tools: [Skill, Read, Bash],
    ...more,
  })
}

const greet = {
  '.claude/skills/greet/SKILL.md': skill('greet', 'allowed-tools: Bash(touch made)\n', 'Greet $0: !`echo ahoy`'),
}

test('an agent outside of a team is told of skills, opens one, and runs its commands by its own rules', async () => {
  const cwd = place({ ...greet, '.claude/skills/broken/SKILL.md': 'no head' })
  const agent = scripted(
    cwd,
    [
      { ...opens, expect: '- greet: Serves greet.' },
      { say: 'Done.', expect: 'Greet Bern: ahoy' },
    ],
    { permissions: { allow: ['Bash(echo:*)'] }, runDir: cwd },
  )
  expect(await agent.run('Greet.').result).toMatchObject({ reason: 'completed', text: 'Done.' })
  agent.close()
})

test('one that a person does not trust opens nothing; trusted, its rules hold until the work is over', async () => {
  const cwd = place(greet)
  const steps = [
    { calls: [{ tool: 'Bash', input: { command: 'touch made' }, as: 'before' }] },
    opens,
    { calls: [{ tool: 'Bash', input: { command: 'touch made' }, as: 'within' }] },
    { say: 'one {{within.text}}' },
    { calls: [{ tool: 'Bash', input: { command: 'touch made' }, as: 'after' }] },
    { say: 'two {{after.text}}' },
  ]
  const untrusting = await scripted(cwd, steps).run('Go.').result
  expect(untrusting.text).toContain('nobody is there')
  rememberTrust(join(cwd, 'home'), cwd, ['skill greet allows Bash(touch made)'])
  const agent = scripted(cwd, steps)
  expect((await agent.run('Go.').result).text).toBe('one [no output]')
  expect((await agent.run('Again.').result).text).toContain('nobody is there')
})

test('middleware of a run judges the commands of a skill, too', async () => {
  const cwd = place(greet)
  const agent = scripted(
    cwd,
    [opens, { say: 'Done.', expect: '[Not run: echo ahoy: Blocked by the middleware no shells: No shells today.]' }],
    {
      permissions: { allow: ['Bash(echo:*)'] },
    },
  )
  const gate: Middleware = {
    name: 'no shells',
    gateToolCall: ({ tool }) => (tool === 'Bash' ? { block: 'No shells today.' } : undefined),
  }
  expect(await agent.run('Greet.', { middleware: [gate] }).result).toMatchObject({ reason: 'completed', text: 'Done.' })
})

test('a skill that is given stands in the first message', async () => {
  const cwd = place({
    'home/.claude/skills/greet/SKILL.md': skill('greet', '', 'Say ahoy to everybody.'),
  })
  const agent = scripted(cwd, [{ say: 'Done.', expect: 'Say ahoy to everybody.' }], { tools: [], skills: ['greet'] })
  expect(await agent.run('Greet.').result).toMatchObject({ reason: 'completed' })
})

test('a skill that was opened is told again where the conversation was made shorter, also to a later life', async () => {
  const dir = place({ '.claude/skills/greet/SKILL.md': skill('greet', '', 'Say ahoy to everybody.') })
  const session = await longSession({ api: 'chat', turns: 120, facts: [], skill: 'greet' })
  onTestFinished(session.close)
  const program = join(import.meta.dirname, '../../long/session-process.ts')
  const child = spawn(process.execPath, [program, dir, session.root, 'chat'], { stdio: 'ignore' })
  const over = once(child, 'close')
  while (child.exitCode === null && session.turns() < 90) await pause(5)
  child.kill('SIGKILL')
  await over
  expect(session.summaries()).toBeGreaterThan(0)
  const agent = sessionAgent(dir, { root: session.root, api: 'chat' })
  expect(await agent.resume()?.result).toMatchObject({ reason: 'completed' })
  agent.close()
  expect(session.complaints).toEqual([])
  expect(session.last().split('Say ahoy to everybody.')).toHaveLength(2)
})

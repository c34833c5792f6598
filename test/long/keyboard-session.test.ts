import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import { programOnTerminal, pty } from '../ui/cli/process/on-terminal.ts'
import { bin, directoryWith, journalOf, onlyRun, start } from '../ui/cli/process/troupe.ts'

const hasTmux = spawnSync('tmux', ['-V']).status === 0
if (!hasTmux) console.warn('SKIPPED: the keyboard session is not tried, tmux is not installed')

const card = (description: string, more = {}) => ({ description, prompt: description, ...more })
const team = {
  name: 'shop',
  model: 'scripted/shop.script.yaml',
  permissions: { mode: 'acceptEdits' },
  coordinator: { prompt: 'You lead.' },
  workers: {
    ...Object.fromEntries(Array.from({ length: 9 }, (_, n) => [`extra-${n}`, card('Is not needed.')])),
    bo: card('Thinks long.', { tools: ['Bash'] }),
    cy: card('Writes notes.', { tools: ['Write'], isolation: 'worktree' }),
    pia: card('Publishes.', { tools: ['Bash'] }),
  },
}
const subtasks = [
  { worker: 'pia', task: 'Publish the release.' },
  { worker: 'bo', task: 'Think about it.' },
  { worker: 'cy', task: 'Write the notes.' },
]
const script = {
  agents: {
    lead: {
      steps: [{ say: 'I ask all three.', calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: 'Done.' }],
    },
    pia: {
      steps: [
        { say: 'I push.', calls: [{ tool: 'Bash', input: { command: 'git tag forced' } }] },
        { say: 'It is published.' },
      ],
    },
    bo: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'sleep 600' } }] }, { say: 'I stopped.', hang: true }] },
    cy: {
      steps: [
        { calls: [{ tool: 'Write', input: { file_path: 'notes.txt', content: 'The notes.\n' } }] },
        { fail: { code: 'invalid_request', message: 'this model was retired on 1 November' } },
        { fail: { code: 'invalid_request', message: 'this model was retired on 1 November' } },
      ],
    },
  },
}

function shop(): string {
  const cwd = directoryWith({
    'teams/shop.yaml': stringify(team),
    'teams/shop.script.yaml': stringify(script),
    '.gitignore': '.troupe\n',
  })
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-q', '-m', 'first'],
  ])
    spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...args], { cwd })
  return cwd
}

/** Attach in a real tmux; keys are counted, words are not. */
function sitDown(cwd: string) {
  const socket = `keyboard-${process.pid}`
  onTestFinished(() => void spawnSync('tmux', ['-L', socket, 'kill-server']))
  const tmux = ['tmux', '-u', '-L', socket, '-f', '/dev/null', 'new-session', `'${process.execPath}' '${bin}' attach`]
  const terminal = programOnTerminal(cwd, tmux, [110, 32])
  let keys = 0
  return {
    pressed: () => keys,
    see: (...words: readonly string[]) => terminal.until((screen) => words.every((word) => screen.includes(word))),
    async press(key: string, ...words: readonly string[]) {
      keys += 1
      terminal.press(key)
      return terminal.until((screen) => words.every((word) => screen.includes(word)))
    },
    /** A key that is not heard yet, since what it is for has just come, is pressed again: the person's one press is late. */
    async pressUntil(key: string, word: string) {
      keys += 1
      const again = setInterval(() => terminal.press(key), 300)
      try {
        return await terminal.until((screen) => screen.includes(word))
      } finally {
        clearInterval(again)
      }
    },
    async type(words: string, shown: string) {
      terminal.press(words)
      return terminal.until((screen) => screen.includes(shown))
    },
  }
}

const esc = '\u001b'

test.skipIf(!hasTmux || !pty)('who never read the manual does five things with at most 25 keys', async () => {
  const cwd = shop()
  const env = { GIT_AUTHOR_NAME: 'n', GIT_AUTHOR_EMAIL: 'n@example.com' }
  const run = start(cwd, ['run', 'shop', 'Go.', '--trust', '--wait-permissions', '1h', '--allow', 'Bash(sleep *)'], env)
  await run.said('cy: work failed')
  spawnSync('git', ['config', 'user.name', 'n'], { cwd })
  spawnSync('git', ['config', 'user.email', 'n@example.com'], { cwd })
  const person = sitDown(cwd)

  // The member that waits stands first, and the screen names the key that answers it, and then the one that changes the call.
  const first = await person.see('1 asking', '1 failed', 'Ctrl+P to answer', '✗ cy', 'Bash(sleep 600)')
  expect(first.split('\n').find((line) => line.includes('asks you:'))).toContain('? pia')
  expect(await person.press('\u0010', 'Question 1 of 1', 'git tag forced')).toContain(
    'change the call, and allow it so',
  )
  await person.pressUntil('e', 'allow>')
  await person.press('\u0015', 'allow> ▏')
  await person.type('git tag published', 'allow> git tag published▏')
  await person.press('\r', 'allowed as you changed it', 'pia', 'It is published.')
  expect(spawnSync('git', ['tag'], { cwd, encoding: 'utf8' }).stdout).toBe('published\n')

  // Help names the key that tells a member to stop.
  expect(await person.press('?', 'tell the member to stop')).toContain('Ctrl+X')
  await person.press(esc, '[Members 13]')
  await person.press('/', '/▏')
  await person.type('bo', '/bo▏')
  await person.press('\r', '/bo · Esc shows all', '» bo')
  await person.press('\u0018', 'text from user: Stop what you are doing now', 'I stopped.')
  await person.press(esc, 'extra-0')

  // Why the third one failed stands in its row; its pane has the commands.
  expect(await person.see('✗ cy')).toMatch(/✗ cy +failed: this model was retired on 1 November/)
  await person.press('/', '/▏')
  await person.type('retired', '/retired▏')
  await person.press('\r', '/retired · Esc shows all')
  await person.press('\r', 'cy> ▏', 'retired on 1 November', '/ commands')
  await person.type('/', '/merge')
  await person.type('merge', 'cy> /merge▏')
  const refused = await person.press('\r', 'is in use')
  expect(refused).toMatch(/troupe\s+stop\s+cy@/)
  await person.press(esc, 'cy> ▏')
  await person.type('/end', 'cy> /end▏')
  await person.press('\r', 'cy is stopped; the others go on')
  await person.press(esc, 'cy> ▏')
  await person.type('/merge', 'cy> /merge▏')
  await person.press('\r', '1 commit merged')
  expect(readFileSync(join(cwd, 'notes.txt'), 'utf8')).toBe('The notes.\n')

  expect(person.pressed()).toBeLessThanOrEqual(25)
  const told = journalOf(onlyRun(cwd), 'bo').filter(({ type }) => type === 'mail.received')
  expect(JSON.stringify(told.at(-1))).toContain('Stop what you are doing now')
  run.child.kill('SIGTERM')
  await run.ended
})

import { execFileSync } from 'node:child_process'
import { chmodSync, createReadStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, onTestFinished, test } from 'vitest'
import { directoryWith, start, teamRunning, troupe } from './troupe.ts'

/** A directory, and a PATH to another one with a notify-send, which tells `heard` what it was given: Troupe starts none that lies in the project. */
function withDesktop(): { readonly cwd: string; readonly path: string; heard(): Promise<string | undefined> } {
  const show = '#!/bin/sh\nprintf \'%s|%s\\n\' "$3" "$4" > "$HOME/heard"\n'
  const cwd = directoryWith(teamRunning('touch made'))
  const desktop = directoryWith({ 'notify-send': show })
  chmodSync(join(desktop, 'notify-send'), 0o755)
  execFileSync('mkfifo', [join(cwd, 'heard')])
  // Open for writing too, so that it does not end with the first note.
  const stream = createReadStream(join(cwd, 'heard'), { flags: 'r+' })
  const lines = createInterface({ input: stream })[Symbol.asyncIterator]()
  onTestFinished(() => void stream.destroy())
  return {
    cwd,
    path: `${desktop}:${process.env['PATH'] ?? ''}`,
    async heard() {
      const next = await lines.next()
      return next.done ? undefined : next.value
    },
  }
}

test('a run that was asked to calls its person when somebody waits and when it ends', async () => {
  const { cwd, path, heard } = withDesktop()
  const args = ['run', 'one', '--wait-permissions', '1h', '--notify']
  const run = start(cwd, args, { PATH: path })
  expect(await heard()).toMatch(/^one-\w+\|hand waits for you: Bash$/)
  const pending = await troupe(cwd, ['permissions', 'pending', '--json'])
  const [{ id }] = JSON.parse(pending.stdout) as [{ id: string }]
  await troupe(cwd, ['permissions', 'answer', id, 'allow'])
  expect(await heard()).toMatch(/^one-\w+\|the run has ended: completed$/)
  expect(await run.ended).toMatchObject({ code: 0 })
})

test('a run that leaves its terminal takes the wish along', async () => {
  const { cwd, path, heard } = withDesktop()
  const left = await troupe(cwd, ['run', 'one', '--allow', 'Bash', '--detach', '--notify'], { env: { PATH: path } })
  expect(left.code).toBe(0)
  expect(await heard()).toMatch(/^one-\w+\|the run has ended: completed$/)
})

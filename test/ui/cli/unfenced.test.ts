import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const bin = join(import.meta.dirname, '../../../src/ui/cli/bin.ts')

/** The words of a command on a machine whose PATH has no program at all, under these settings of the person. */
function said(settings: object, ...args: readonly string[]): string {
  const home = mkdtempSync(join(tmpdir(), 'troupe-unfenced-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  mkdirSync(join(home, '.troupe'))
  writeFileSync(join(home, '.troupe', 'settings.json'), JSON.stringify(settings))
  const env = { HOME: home, PATH: '/nowhere' }
  const { stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    cwd: home,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  })
  return stdout + stderr
}

test.for([['run', 'quickstart', 'Count.'], ['ps'], ['check', 'quickstart'], ['doctor'], ['mcp', 'serve']])(
  'a wanted sandbox that is missing is said by troupe %j',
  (args) => {
    expect(said({ sandbox: { enabled: true } }, ...args)).toContain('SHELL COMMANDS RUN WITHOUT IT')
  },
)

test('where nothing runs without it, that is what is said', () => {
  expect(said({ sandbox: { enabled: true, failIfUnavailable: true } }, 'ps')).toContain('so no shell command runs')
})

test('who wants none hears nothing of it', () => {
  expect(said({}, 'ps')).not.toContain('sandbox')
})

test('a wanted sandbox that is missing is a warning of a program that makes an agent', () => {
  const index = new URL('../../../src/index.ts', import.meta.url).href
  const program = `const { createAgent } = await import('${index}')
    createAgent({ model: 'scripted/answers.yaml', sandbox: { enabled: true } }).close()`
  const args = ['--input-type=module', '-e', program]
  const { stderr } = spawnSync(process.execPath, args, { env: { PATH: '/nowhere' }, encoding: 'utf8' })
  expect(stderr).toContain('[sandbox_missing] Warning: a sandbox is wanted and there is none')
})

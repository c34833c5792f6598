import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { bridged } from './http-bridge.ts'

const suite = fileURLToPath(new URL('../../../node_modules/.bin/conformance', import.meta.url))
const client = fileURLToPath(new URL('./conformance-client-process.ts', import.meta.url))
const program = fileURLToPath(new URL('../../../src/ui/cli/bin.ts', import.meta.url))

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'troupe-conformance-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function conformance(args: readonly string[]): Promise<{ readonly stdout: string; readonly isWell: boolean }> {
  const options = { cwd: folder(), maxBuffer: 1 << 26 }
  return promisify(execFile)(process.execPath, [suite, ...args], options).then(
    ({ stdout }) => ({ stdout, isWell: true }),
    ({ stdout }: { readonly stdout: string }) => ({ stdout, isWell: false }),
  )
}

/** The scenarios of a run of the suite, and how many of its checks each passed and failed. */
async function scenarios(args: readonly string[]) {
  const { stdout } = await conformance(args)
  const lines = stdout.slice(stdout.indexOf('SUMMARY')).matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)
  return [...lines].map(([, name = '', passed, failed]) => ({ name, passed: Number(passed), failed: Number(failed) }))
}

/** Scenarios that are no part of the protocol as it is published: grants for machines, and for whole enterprises. */
const extensions = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
]

/**
 * A scenario that measures when a client comes back, to fractions of a second: where all clients of a suite begin at once it may be
 * late, and has to pass alone.
 */
const timed = 'sse-retry'

test.for([
  ['core', 18, []],
  ['all', 23, extensions],
] as const)('the client passes suite %s, but for extensions', async ([name, least, unpassed]) => {
  // All clients of a suite are started at once: on a busy machine each takes its time.
  const command = `${process.execPath} ${client}`
  const all = await scenarios(['client', '--command', command, '--suite', name, '--timeout', '300000'])
  const failing = all.filter(({ failed }) => failed > 0).map((each) => each.name)
  expect(failing.filter((each) => each !== timed)).toEqual(unpassed)
  const alone = ['client', '--command', command, '--scenario', timed, '--timeout', '300000']
  expect(!failing.includes(timed) || (await conformance(alone)).isWell).toBe(true)
  const passed = all.filter((each) => each.name === timed || (each.passed > 0 && each.failed === 0))
  expect(passed.length).toBeGreaterThanOrEqual(least)
})

/** Scenarios about things that Troupe does not offer, and says so: it lists neither prompts nor resources, and logs nothing. */
const unoffered = [
  'logging-set-level',
  'completion-complete',
  'resources-list',
  'resources-read-text',
  'resources-read-binary',
  'resources-templates-read',
  'resources-subscribe',
  'resources-unsubscribe',
  'prompts-list',
  'prompts-get-simple',
  'prompts-get-with-args',
  'prompts-get-embedded-resource',
  'prompts-get-with-image',
]

/** Scenarios that call tools of the suite's own example server by their names. */
const fixtures = [
  'tools-call-image',
  'tools-call-audio',
  'tools-call-embedded-resource',
  'tools-call-mixed-content',
  'tools-call-with-logging',
  'tools-call-with-progress',
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
]

/** A scenario about addresses: Troupe has none, only the bridge of this test has. */
const addresses = ['dns-rebinding-protection']

test('the server passes what the suite asks of any server', async () => {
  const home = folder()
  const { PATH = '' } = process.env
  const url = await bridged({
    command: process.execPath,
    args: [program, 'mcp', 'serve'],
    env: { PATH, HOME: home },
    cwd: home,
  })
  const all = await scenarios(['server', '--url', url])
  const [passed, failed] = [true, false].map((well) => all.filter((each) => (each.failed === 0) === well))
  expect(passed?.map(({ name }) => name)).toEqual([
    'server-initialize',
    'ping',
    'tools-list',
    'tools-call-simple-text',
    'tools-call-error',
    'server-sse-multiple-streams',
  ])
  expect(failed?.map(({ name }) => name).toSorted()).toEqual([...unoffered, ...fixtures, ...addresses].toSorted())
})

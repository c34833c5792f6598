import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const runner = resolve('../shared/accept/mcp/run-conformance.sh')
const client = fileURLToPath(new URL('./conformance-client-process.ts', import.meta.url))

/** Scenarios that are no part of the protocol as it is published: grants for machines, and for whole enterprises. */
const extensions = [
  'auth/client-credentials-jwt',
  'auth/client-credentials-basic',
  'auth/cross-app-access-complete-flow',
]

test.skipIf(!existsSync(runner))('the client passes the conformance suite, but for extensions', async () => {
  const command = `${process.execPath} ${client}`
  const { stdout } = await promisify(execFile)(runner, [command, 'suite:all'], { maxBuffer: 1 << 26 }).catch(
    (error: { readonly stdout: string }) => error,
  )
  // A warning is about times, which are nobody's on a busy machine.
  const lines = stdout.slice(stdout.indexOf('SUITE SUMMARY')).matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)
  const all = [...lines].map(([, name = '', passed, failed]) => ({
    name,
    passed: Number(passed),
    failed: Number(failed),
  }))
  expect(all.filter(({ passed, failed }) => passed > 0 && failed === 0).length).toBeGreaterThanOrEqual(23)
  expect(all.filter(({ failed }) => failed > 0).map(({ name }) => name)).toEqual(extensions)
})

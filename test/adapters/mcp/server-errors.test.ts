import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { connectServer } from '../../../src/adapters/mcp/client/connect.ts'
import { emptyDirectory } from '../../ui/cli/process/troupe.ts'

const program = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))

test("an error with a code that the SDK uses for its own is the server's answer, and no broken connection", async () => {
  const cwd = emptyDirectory()
  const question = () => Promise.resolve({ refusal: 'nobody is there' })
  const place = { cwd, env: { PATH: process.env['PATH'] ?? '' }, version: '1', roots: [], question }
  const { ask, close } = await connectServer({ command: process.execPath, args: [program, 'kinds'] }, place)
  const how = { signal: new AbortController().signal, progress: () => undefined }
  const answer = await ask({ kind: 'tool', tool: 'rpc-error', input: {} }, how)
  await close()
  expect(answer).toEqual({ trouble: 'MCP error -32000: no such luck', transient: false })
})

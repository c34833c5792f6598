import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { McpServerSpec } from '../../../src/protocol/mcp/server-spec.ts'

const require = createRequire(import.meta.url)

/** The entries of five servers that others wrote, as they are installed here; what they keep lies in the folder. */
export function realServers(folder: string): Readonly<Record<string, McpServerSpec>> {
  const program = (file: string, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) => ({
    command: process.execPath,
    args: [file, ...args],
    env,
    required: true,
    startupTimeout: 120_000,
  })
  return {
    everything: program(require.resolve('@modelcontextprotocol/server-everything/dist/index.js'), ['stdio']),
    filesystem: program(require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), [folder]),
    memory: program(require.resolve('@modelcontextprotocol/server-memory/dist/index.js'), [], {
      MEMORY_FILE_PATH: join(folder, 'memory.jsonl'),
    }),
    playwright: program(join(dirname(require.resolve('@playwright/mcp')), 'cli.js'), ['--headless', '--isolated']),
    'sequential-thinking': program(require.resolve('@modelcontextprotocol/server-sequential-thinking/dist/index.js')),
  }
}

import { basename } from 'node:path'
import { isInside } from '../../rules/paths/path-inside.ts'
import type { AgentHooks } from './hook-engine.ts'

const names: ReadonlySet<string> = new Set(['AGENTS.md', 'CLAUDE.md', 'CLAUDE.local.md'])

/** How files of instructions came to be read. */
interface Loading {
  readonly home: string
  readonly reason: 'session_start' | 'touched'
  /** The file whose touch is the cause. */
  readonly trigger?: string
}

/** Tells the InstructionsLoaded hooks which files an agent was told; nobody waits for them. */
export async function tellInstructions(hooks: AgentHooks, files: readonly string[], loading: Loading): Promise<void> {
  const { home, trigger } = loading
  const { signal } = new AbortController()
  const about = trigger === undefined ? {} : { trigger_file_path: trigger }
  const told = files.map((file_path) => {
    const load_reason = reasonOf(file_path, loading)
    const fields = { file_path, memory_type: kindOf(file_path, home), load_reason, ...about }
    return hooks.fire({ event: 'InstructionsLoaded', value: load_reason, fields }, signal)
  })
  await Promise.allSettled(told)
}

function reasonOf(file: string, { reason }: Loading): string {
  const isRule = /\/\.(?:claude|agents)\/rules\//.test(file)
  if (!isRule && !names.has(basename(file))) return 'include'
  if (reason === 'session_start') return reason
  return isRule ? 'path_glob_match' : 'nested_traversal'
}

function kindOf(file: string, home: string): string {
  if (file.endsWith('.local.md')) return 'Local'
  return ['.claude', '.agents', '.troupe'].some((folder) => isInside(`${home}/${folder}`, file)) ? 'User' : 'Project'
}

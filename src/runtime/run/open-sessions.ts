import { join } from 'node:path'
import { getOrMake } from '../../projections/fold/fold.ts'
import { freezeOptions, type AgentOptions } from '../agent/agent-options.ts'
import { agentWith, type Agent } from '../agent/create-agent.ts'
import { openAgentModels } from '../agent/lone-agent.ts'

/** Agents with one conversation each, by names of one's own, such as one for each person that a program serves. */
export interface Sessions {
  /**
   * The agent of a session; the same one until it is closed. With a `runDir` its journal lies in a folder of its own there.
   * @throws Error where the name is none: letters, digits, `.`, `_` and `-`, not beginning with a dot, up to 100
   */
  session(name: string): Agent
  /** Names of the sessions that are open. */
  names(): readonly string[]
  /** Opens the models before the first run; once, however often it is called. */
  warmup(): Promise<void>
  /** Closes one session, or all; what is kept on disk stays. Call it when none of its runs is going on. */
  close(name?: string): void
}

const namePattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/

/**
 * Opens a runtime for many conversations: options are resolved and models opened once, and a server that fails is known to all.
 * Conversations, grants and memories of calls are each session's own.
 *
 * @throws through results and `warmup`: `ModelUnavailable` when a model cannot be opened
 * @example
 * const sessions = openSessions({ model: 'anthropic/claude-opus-5', runDir: '/var/lib/bot' })
 * const { text } = await sessions.session('ann').run('Good morning.').result
 */
export function openSessions(options: AgentOptions): Sessions {
  const shared = freezeOptions(options)
  const { runDir } = shared
  const open = new Map<string, Agent>()
  const close = (name: string): void => {
    open.get(name)?.close()
    open.delete(name)
  }
  return {
    session(name) {
      if (!namePattern.test(name)) throw new Error(`${JSON.stringify(name.slice(0, 100))} is no name of a session`)
      return getOrMake(open, name, () => agentWith({ ...shared, runDir: runDir === null ? null : join(runDir, name) }))
    },
    names: () => [...open.keys()],
    warmup: async () => void (await openAgentModels(shared)),
    close: (name) => (name === undefined ? [...open.keys()].forEach(close) : close(name)),
  }
}

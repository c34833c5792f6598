import { join } from 'node:path'
import { deepest } from '../../protocol/team/spawn-limits.ts'
import type { PermissionMode } from '../../protocol/permissions/permission.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import { modeWidth } from '../../rules/permissions/mode.ts'
import { delegateAlone, type LonePart, type PartEnd } from '../reach/delegate-alone.ts'
import { cardOf, type AgentWorker, type FrozenOptions } from './agent-options.ts'
import type { AgentStore } from './agent-store.ts'

/** The acts of an agent that delegates. */
interface PartActs {
  /** The mode in which it is. */
  mode(): PermissionMode
  runPart(options: FrozenOptions, part: LonePart): Promise<PartEnd>
}

/** `Delegate` in the form that an agent without a team has: its workers run in this process. */
export function withParts(
  options: FrozenOptions,
  { conversation }: AgentStore,
  { mode, runPart }: PartActs,
): readonly Tool[] {
  const { card, workers, depth, clock, tools } = options
  if (Object.keys(workers).length === 0 || tools.every(({ name }) => name !== 'Delegate')) return tools
  const delegate = delegateAlone({
    name: card.name,
    workers,
    clock,
    refusal:
      depth + 1 < deepest
        ? null
        : `you are ${depth} steps deep, and deeper than ${deepest} nobody works. Do it yourself.`,
    length: () => conversation.messages.length,
    run: (part) => {
      const worker = workers[part.worker] ?? { description: '' }
      return runPart(workerOptions(options, { part, worker, mode: mode() }), part)
    },
  })
  return tools.map((tool) => (tool.name === 'Delegate' ? delegate : tool))
}

/** A worker as its agent runs it now. */
interface WorkerRun {
  readonly part: LonePart
  readonly worker: AgentWorker
  /** The mode in which the agent is. */
  readonly mode: PermissionMode
}

/**
 * The options of an agent that does a part of another one's work: the other's own, with less. Code around the work, hooks,
 * the sandbox, the approver and the rules stay as they are.
 */
function workerOptions(options: FrozenOptions, { part, worker, mode }: WorkerRun): FrozenOptions {
  const { ask = [], deny = [], mode: wished = mode } = worker.permissions ?? {}
  const { permissions, card, runDir } = options
  const has = (tool: Tool): boolean => worker.tools?.includes(tool.name) ?? tool.name !== 'Delegate'
  const given = ['ask', 'deny'] as const
  const [asked, denied] = given.map((list) => [...(permissions[list] ?? []), ...{ ask, deny }[list]])
  return {
    ...options,
    ...(worker.model === undefined ? {} : { model: worker.model, fallback: [] }),
    system: worker.system ?? '',
    tools: options.tools.filter(has),
    refreshTools: () => options.refreshTools().filter(has),
    skills: [],
    runDir: runDir === null ? null : join(runDir, part.folder),
    permissions: {
      ...permissions,
      ask: asked ?? [],
      deny: denied ?? [],
      mode: modeWidth[wished] < modeWidth[mode] ? wished : mode,
    },
    depth: options.depth + 1,
    card: {
      ...cardOf({ name: part.worker, maxTurns: worker.maxTurns ?? card.max_turns }),
      effort: card.effort,
      tool_limits: card.tool_limits,
      max_output: card.max_output,
    },
  }
}

import { textStore } from '../../adapters/sessions/text-store.ts'
import type { AgentOutput } from '../../protocol/port.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { AgentDeps, TurnTools } from '../agent/agent-deps.ts'
import { noForeignTools, type ForeignTools } from '../agent/foreign-tools.ts'
import { composeMiddleware, type ComposedMiddleware } from '../middleware/compose-middleware.ts'
import { packagedMiddleware } from '../middleware/packaged.ts'
import { withMiddleware } from '../middleware/run-middleware.ts'
import type { Tool } from '../../protocol/tools/tool.ts'
import type { Member } from './called-commands.ts'
import type { MemberStore } from './member-store.ts'
import { runCheckers } from './run-checker.ts'

/** The middleware around one member: that of the run, of its card, of its team; the first is the outermost. */
export interface MemberMiddleware {
  readonly composed: ComposedMiddleware
  /** Tells it that the member begins, and takes what it adds. */
  begin(task: string | null): Promise<void>
  /** The words that it puts behind the system prompt. */
  words(): string
  /** The tools from elsewhere with those that it adds. */
  foreign(others: ForeignTools | undefined): ForeignTools | undefined
  /** Tells it that a piece of work is over. One that breaks is named in a warning. */
  ended(outcome: Pick<AgentOutput, 'reason'>, text: string): Promise<void>
}

/** Opens the middleware of a member; null where it has none. */
export function openMemberMiddleware(
  member: Member,
  store: MemberStore,
  deps: () => AgentDeps,
): MemberMiddleware | null {
  const { card, context } = member
  const { run, middleware = [] } = context
  const texts = textStore(run.artifacts)
  const packaged = packagedMiddleware(card.middleware ?? [], {
    keep: (text) => texts.put(text).path,
    run: runCheckers(member, store, deps),
  })
  const composed = composeMiddleware([...middleware, ...packaged])
  if (composed === null) return null
  let words = ''
  let tools: readonly Tool[] = []
  const joined = new WeakMap<ForeignTools, ForeignTools>()
  return {
    composed,
    words: () => words,
    async begin(task) {
      const added = await composed.begin({ agent: card.name, prompt: task ?? '' })
      words = added.flatMap(({ system = '' }) => (system === '' ? [] : [system])).join('\n\n')
      tools = added.flatMap((each) => each.tools ?? [])
    },
    foreign(others) {
      if (tools.length === 0) return others
      const from = others ?? noForeignTools
      const made = joined.get(from) ?? withTools(from, tools)
      joined.set(from, made)
      return made
    },
    async ended({ reason }, text) {
      await composed.end({ agent: card.name, reason, text }).catch((error: unknown) => {
        store.ledger.record([{ type: 'warning.raised', code: 'middleware', message: errorText(error) }])
      })
    },
  }
}

function withTools(from: ForeignTools, tools: readonly Tool[]): ForeignTools {
  return {
    ...from,
    tools: [...from.tools, ...tools],
    settled: async (signal) => [...(await from.settled(signal)), ...tools],
  }
}

/** The dependencies of a member with its middleware around them. */
export function withMemberMiddleware(deps: AgentDeps, around: MemberMiddleware | null): AgentDeps {
  if (around === null) return deps
  const whole = withMiddleware<TurnTools, AgentDeps>(deps, { middleware: around.composed, system: [] })
  return {
    ...whole,
    get system() {
      return [deps.system, around.words()].filter((text) => text !== '').join('\n\n')
    },
  }
}

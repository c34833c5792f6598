import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { textOf } from '../../protocol/conversation/message.ts'
import type { Middleware } from '../../protocol/middleware.ts'
import type { StoredResult } from '../../protocol/tools/tool.ts'
import type { AgentDeps } from '../agent/agent-deps.ts'
import { makeCall } from '../agent/begin-call.ts'
import { composeMiddleware } from '../middleware/compose-middleware.ts'
import type { CheckerRun, PackagedParts } from '../middleware/packaged.ts'
import type { Member } from './called-commands.ts'
import type { MemberStore } from './member-store.ts'

/** The last line of a result of Bash, where that is not from the command: how it ended. */
const ending = /(^|\n)\[(no output|exit \d[^\]\n]*|[\d.]+ s)\]$/
/** A shell's codes for a command that it cannot find or run, or that a signal ended. @source POSIX, XCU 2.8.2 */
const notRun = 126

/**
 * Runs checkers as calls of a member's own Bash: rules, hooks and the middleware of the program hold for them, and that of
 * the team file does not. A long report is taken whole from where Bash put it.
 */
export function runCheckers({ context }: Member, store: MemberStore, deps: () => AgentDeps): PackagedParts['run'] {
  const { run, clock, middleware = [] } = context
  return async (command, { timeoutMs, signal }): Promise<CheckerRun> => {
    let stored: StoredResult | undefined
    const looking: Middleware = {
      name: 'checker',
      async wrapToolCall(_, next) {
        const output = await next()
        stored = output.stored
        return output
      },
    }
    const own = { ...deps(), middleware: composeMiddleware([...middleware, looking]) }
    const call = { id: `check-${clock.mint()}`, name: 'Bash', input: { command, timeout: timeoutMs } }
    const result = await makeCall({ store, deps: own, clock, leaving: signal }, call)
    if (result === null) return { trouble: 'you have no Bash.' }
    const text = textOf(result).trimEnd()
    if (result.is_error || (result.exit?.code ?? 0) >= notRun) return { trouble: text.split('\n').at(-1) ?? '' }
    if (stored === undefined) return { report: text.replace(ending, '') }
    return { report: readFileSync(join(run.artifacts, stored.sha256), 'utf8') }
  }
}

import { verificationMachine } from '../../../machines/call/verification.ts'
import type { permissionMachine } from '../../../machines/call/permission.ts'
import { runCheck } from '../../adapters/tools/shell/run-check.ts'
import type { CheckInput, CheckOutput } from '../../protocol/port.ts'
import { verifyCommand } from '../../rules/team/verification.ts'
import { elapsed } from '../actors/clock.ts'
import { attended, type AgentSession } from './agent-session.ts'

/** Characters of a report: enough for the failures of a test run, which are said anew at every end. */
const shown = { head: 1_000, tail: 5_000 } as const

/** The machine of one check with every port wired; its agent's session says to what. */
export function providedVerification(permission: typeof permissionMachine) {
  return verificationMachine.provide({
    actors: {
      permission,
      check: attended<CheckOutput, CheckInput>(verifyWork),
    },
  })
}

/** Runs the command where the member works, whatever directory its own shell is in by now. */
async function verifyWork(
  { deps }: AgentSession,
  { call, timeout_ms }: CheckInput,
  signal: AbortSignal,
): Promise<CheckOutput> {
  const started = deps.now()
  const { env, progress, wrapCommand } = deps.toolContext(call.id, signal)
  const { passed, report } = await runCheck({
    command: verifyCommand(call),
    cwd: deps.cwd,
    env,
    signal,
    timeoutMs: timeout_ms,
    shown,
    wrapCommand,
    onOutput: progress,
  })
  return { passed, report, duration_ms: elapsed(started, deps.now()) }
}

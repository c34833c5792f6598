import type { AgentDeps, Received } from '../agent/agent-deps.ts'

/** The failure of the latest intake of mail; null when it went through. */
export interface Intake {
  failure: { readonly error: unknown } | null
}

/** Notes how an intake of mail ended. */
export function intakeOf(take: (answered: boolean) => Received, intake: Intake): AgentDeps['receive'] {
  return (answered = false) => {
    intake.failure = null
    try {
      return take(answered)
    } catch (error) {
      intake.failure = { error }
      throw error
    }
  }
}

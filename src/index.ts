/**
 * The library: everything the command line does goes through these names.
 */
export { createAgent, type Agent, type AgentResult, type AgentRun } from './runtime/create-agent.ts'
export type { AgentOptions } from './runtime/agent-options.ts'
export { checkTeamFile, loadTeam, TeamFileError, type LoadTeamOptions } from './runtime/load-team.ts'
export { teamSchema } from './runtime/team-schema.ts'
export { runTeam, type RunTeamOptions, type TeamRun } from './runtime/run-team.ts'
export { RunHalted } from './runtime/run-halted.ts'
export {
  answerRequest,
  pendingRequests,
  type AnswerOutcome,
  type PendingRequest,
  type PersonalAnswer,
} from './runtime/permissions/answer-request.ts'
export { resumeTeam, type ResumeTeamOptions } from './runtime/resume-team.ts'
export { continueTeam, type ContinueOptions } from './runtime/continue-team.ts'
export { forkRun, type ForkOptions } from './runtime/fork-run.ts'
export { openMailbox } from './runtime/open-mailbox.ts'
export type { Mailbox } from './adapters/mailbox/mailbox.ts'
export { defineTool, z } from './adapters/tools/define-tool.ts'
export type { AgentEvent, ContinueReason, TerminalReason } from './protocol/agent-event.ts'
export type { Diagnostic } from './protocol/diagnostic.ts'
export type { Entry, Recorded } from './protocol/entry.ts'
export type { Envelope, MailDraft } from './protocol/envelope.ts'
export type { Fact } from './protocol/fact.ts'
export type { Failure } from './protocol/failure.ts'
export type { AssistantMessage, Message, Usage } from './protocol/message.ts'
export type { Model, ModelEvent, ModelRequest } from './protocol/model.ts'
export type { Approver } from './protocol/port.ts'
export type { RunResult } from './protocol/run.ts'
export type { ResolvedTeam } from './protocol/team-card.ts'
export type { Tool, ToolContext, ToolOutput } from './protocol/tool.ts'

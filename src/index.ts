/**
 * The library: teams and agents. Runs of other processes are in `troupe/runs`, the built-in tools in `troupe/tools`.
 */
export { createAgent, type Agent, type AgentResult, type AgentRun } from './runtime/agent/create-agent.ts'
export { openSessions, type Sessions } from './runtime/run/open-sessions.ts'
export type { AgentOptions } from './runtime/agent/agent-options.ts'
export { checkTeamFile, loadTeam, TeamFileError, type LoadTeamOptions } from './runtime/team-files/load-team.ts'
export type { Extensions } from './runtime/runs/extensions.ts'
export { teamSchema } from './runtime/team-files/team-schema.ts'
export { runTeam, type RunTeamOptions, type TeamRun } from './runtime/run/run-team.ts'
export { RunHalted } from './runtime/journals/run-halted.ts'
export { resumeTeam, type ResumeTeamOptions } from './runtime/run/resume-team.ts'
export { continueTeam, type ContinueTeamOptions } from './runtime/run/continue-team.ts'
export { forkRun, NotForkable, type ForkRunOptions } from './runtime/run/fork-run.ts'
export { forkTeam, type ForkTeamOptions } from './runtime/run/fork-team.ts'
export { openForkTree, type ForkTree, type ForkTreeOptions } from './runtime/run/fork-tree.ts'
export {
  listCheckpoints,
  nameCheckpoint,
  NotUndone,
  undoMember,
  type ListedCheckpoint,
  type Undone,
} from './runtime/run/undo-member.ts'
export { NotAttachable, readAttachments } from './runtime/mail/attachments.ts'
export { openMailbox } from './runtime/mail/open-mailbox.ts'
export type { Mailbox } from './adapters/mailbox/mailbox.ts'
export { defineTool, z } from './adapters/tools/define/define-tool.ts'
export { userMessage } from './protocol/conversation/message.ts'
export {
  assistantMessage,
  conversationText,
  estimateTokens,
  latestMessages,
  messageProblems,
  toolMessage,
  wordsAlone,
  type ChainLimits,
} from './rules/messages/message-chain.ts'
export type { AgentEvent } from './protocol/facts/run-event.ts'
export type { ContinueReason, TerminalReason } from './protocol/conversation/agent-event.ts'
export type { Diagnostic } from './protocol/words/diagnostic.ts'
export type { Entry, Recorded } from './protocol/facts/entry.ts'
export type { Envelope, MailDraft } from './protocol/mail/envelope.ts'
export type { Fact } from './protocol/facts/fact.ts'
export type { Failure } from './protocol/conversation/failure.ts'
export type { AssistantMessage, Message, Usage } from './protocol/conversation/message.ts'
export type { HookInput, HookTable } from './protocol/hooks/hook.ts'
export type { Model, ModelEvent, ModelRequest, Provider } from './protocol/models/model.ts'
export type { Approver } from './protocol/port.ts'
export type { RunResult } from './protocol/team/run.ts'
export type { ResolvedTeam, TeamFile } from './protocol/team/team-card.ts'
export type { Launched, WorkerCommand, WorkerPlace } from './adapters/executors/place.ts'
export type { Middleware } from './protocol/middleware.ts'
export type { Tool, ToolContext, ToolOutput } from './protocol/tools/tool.ts'

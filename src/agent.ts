/**
 * The library for one agent: a part of the whole entry that loads nothing of teams, so that the first request is
 * out sooner.
 */
export { createAgent, type Agent, type AgentResult, type AgentRun } from './runtime/agent/create-agent.ts'
export type { AgentOptions } from './runtime/agent/agent-options.ts'
export { NotAttachable, readAttachments } from './runtime/mail/attachments.ts'
export { defineTool, z } from './adapters/tools/define/define-tool.ts'
export type { AgentEvent } from './protocol/facts/run-event.ts'
export type { HookInput, HookTable } from './protocol/hooks/hook.ts'
export type { Model, ModelEvent, ModelRequest } from './protocol/models/model.ts'
export type { Middleware } from './protocol/middleware.ts'
export type { Tool, ToolContext, ToolOutput } from './protocol/tools/tool.ts'

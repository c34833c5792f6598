/**
 * The library for one agent: a part of the whole entry that loads nothing of teams, so that the first request is
 * out sooner.
 */
export { createAgent, type Agent, type AgentResult, type AgentRun } from './runtime/create-agent.ts'
export type { AgentOptions } from './runtime/agent-options.ts'
export { defineTool, z } from './adapters/tools/define-tool.ts'
export type { AgentEvent } from './protocol/agent-event.ts'
export type { Model, ModelEvent, ModelRequest } from './protocol/model.ts'
export type { Tool, ToolContext, ToolOutput } from './protocol/tool.ts'

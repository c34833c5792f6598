/**
 * The built-in tools by their names, for agents outside of a team: `createAgent({ …, tools: [Read, Bash] })`. An agent has
 * the tools that it is given and no others.
 */
export { askUser as AskUser } from './adapters/tools/team/ask-user.ts'
export { bash as Bash } from './adapters/tools/shell/bash.ts'
export { bashOutput as BashOutput } from './adapters/tools/shell/bash-output.ts'
export { edit as Edit } from './adapters/tools/files/edit.ts'
export { enterPlanMode as EnterPlanMode } from './adapters/tools/team/enter-plan-mode.ts'
export { exitPlanMode as ExitPlanMode } from './adapters/tools/team/exit-plan-mode.ts'
export { glob as Glob } from './adapters/tools/search/glob.ts'
export { grep as Grep } from './adapters/tools/search/grep.ts'
export { killBash as KillBash } from './adapters/tools/shell/kill-bash.ts'
export { ls as LS } from './adapters/tools/search/ls.ts'
export { multiEdit as MultiEdit } from './adapters/tools/files/multi-edit.ts'
export { read as Read } from './adapters/tools/files/read.ts'
export { skill as Skill } from './adapters/tools/team/skill.ts'
export { todoWrite as TodoWrite } from './adapters/tools/team/todo-write.ts'
export { webFetch as WebFetch } from './adapters/tools/web/web-fetch.ts'
export { write as Write } from './adapters/tools/files/write.ts'
export { commandFilesystem } from './adapters/tools/files/command-filesystem.ts'
export { defineTool, z } from './adapters/tools/define/define-tool.ts'
export type { Filesystem } from './protocol/tools/filesystem.ts'
export type { Tool, ToolContext, ToolOutput } from './protocol/tools/tool.ts'

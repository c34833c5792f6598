import type { TaskAsk, TaskPort } from '../../../protocol/work/task.ts'
import type { ToolContext, ToolOutput } from '../../../protocol/tools/tool.ts'
import { answer, complaint } from '../define/answer.ts'

const absent = 'This team has no task board: its file has no `tasks:`.'

/** The check that all board tools share: why there is no board, or null. */
export function noBoard({ team }: Pick<ToolContext, 'team'>): Promise<string | null> {
  return Promise.resolve(team?.tasks ? null : absent)
}

/** Puts a question to the board and tells the model what became of it. */
export async function askBoard(ask: TaskAsk, context: ToolContext, told: Told): Promise<ToolOutput> {
  const { team, callId, signal } = context
  const reply = team?.tasks ? await team.tasks.ask(ask, { callId, signal }) : { error: absent }
  return 'error' in reply ? complaint(reply.error) : answer(told(reply))
}

type Told = (reply: Extract<Awaited<ReturnType<TaskPort['ask']>>, { task: number }>) => string

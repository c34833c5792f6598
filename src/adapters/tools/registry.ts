import type { Tool } from '../../protocol/tools/tool.ts'
import { boardTools } from '../../rules/team/coordinator-tools.ts'
import { answerTask } from './team/answer-task.ts'
import { advisor } from './team/advisor.ts'
import { askUser } from './team/ask-user.ts'
import { bashOutput } from './shell/bash-output.ts'
import { bash } from './shell/bash.ts'
import { delegate } from './team/delegate.ts'
import { edit } from './files/edit.ts'
import { glob } from './search/glob.ts'
import { grep } from './search/grep.ts'
import { killBash } from './shell/kill-bash.ts'
import { ls } from './search/ls.ts'
import { multiEdit } from './files/multi-edit.ts'
import { enterPlanMode } from './team/enter-plan-mode.ts'
import { exitPlanMode } from './team/exit-plan-mode.ts'
import { forget } from './memory/forget.ts'
import { recall } from './memory/recall.ts'
import { remember } from './memory/remember.ts'
import { read } from './files/read.ts'
import { report } from './team/report.ts'
import { skill } from './team/skill.ts'
import { sendMessage } from './team/send-message.ts'
import { stopWorker } from './team/stop-worker.ts'
import { taskClaim } from './tasks/task-claim.ts'
import { taskCreate } from './tasks/task-create.ts'
import { taskDone } from './tasks/task-done.ts'
import { taskList } from './tasks/task-list.ts'
import { todoWrite } from './team/todo-write.ts'
import { waitForMember } from './team/wait.ts'
import { webFetch } from './web/web-fetch.ts'
import { write } from './files/write.ts'

/** Every tool that comes with the project. A new one is a file beside this one and a line here. */
export const builtinTools: readonly Tool[] = [
  read,
  write,
  edit,
  multiEdit,
  glob,
  grep,
  ls,
  bash,
  bashOutput,
  killBash,
  webFetch,
  todoWrite,
  skill,
  askUser,
  advisor,
  enterPlanMode,
  exitPlanMode,
  delegate,
  sendMessage,
  stopWorker,
  waitForMember,
  report,
  answerTask,
  taskCreate,
  taskClaim,
  taskDone,
  taskList,
  remember,
  recall,
  forget,
]

/** The tools with which a coordinator moves its team; no worker is granted `StopWorker`, and `Delegate` hands on parts of its own work. */
export const coordinatorToolNames: readonly string[] = [
  delegate.name,
  sendMessage.name,
  askUser.name,
  stopWorker.name,
  waitForMember.name,
  answerTask.name,
  ...boardTools,
]

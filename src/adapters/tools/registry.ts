import type { Tool } from '../../protocol/tool.ts'
import { boardTools } from '../../rules/coordinator-tools.ts'
import { advisor } from './advisor.ts'
import { askUser } from './ask-user.ts'
import { bashOutput } from './bash-output.ts'
import { bash } from './bash.ts'
import { delegate } from './delegate.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { killBash } from './kill-bash.ts'
import { ls } from './ls.ts'
import { multiEdit } from './multi-edit.ts'
import { enterPlanMode } from './plan/enter-plan-mode.ts'
import { exitPlanMode } from './plan/exit-plan-mode.ts'
import { read } from './read.ts'
import { sendMessage } from './send-message.ts'
import { stopWorker } from './stop-worker.ts'
import { taskClaim } from './tasks/task-claim.ts'
import { taskCreate } from './tasks/task-create.ts'
import { taskDone } from './tasks/task-done.ts'
import { taskList } from './tasks/task-list.ts'
import { todoWrite } from './todo-write.ts'
import { webFetch } from './web-fetch.ts'
import { write } from './write.ts'

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
  askUser,
  advisor,
  enterPlanMode,
  exitPlanMode,
  delegate,
  sendMessage,
  stopWorker,
  taskCreate,
  taskClaim,
  taskDone,
  taskList,
]

/** The tools with which a coordinator moves its team; no worker is granted `Delegate` or `StopWorker`. */
export const coordinatorToolNames: readonly string[] = [
  delegate.name,
  sendMessage.name,
  askUser.name,
  stopWorker.name,
  ...boardTools,
]

const canonicalByAlias = new Map(
  builtinTools.flatMap((tool) => tool.aliases.map((alias) => [alias, tool.name] as const)),
)

/**
 * Finds the tool a model means among those granted to it. An alias counts only when a built-in declares it: a tool
 * from elsewhere cannot make itself the answer to another tool's name.
 *
 * @example toolByName('read_file', granted) === granted.get('Read')
 */
export function toolByName(name: string, granted: ReadonlyMap<string, Tool>): Tool | undefined {
  const exact = granted.get(name)
  if (exact) return exact
  const canonical = canonicalByAlias.get(name)
  return canonical === undefined ? undefined : granted.get(canonical)
}

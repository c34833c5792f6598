import type { Tool } from '../../protocol/tool.ts'
import { bash } from './bash.ts'
import { delegate } from './delegate.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import { ls } from './ls.ts'
import { read } from './read.ts'
import { sendMessage } from './send-message.ts'
import { stopWorker } from './stop-worker.ts'
import { todoWrite } from './todo-write.ts'
import { write } from './write.ts'

/** Every tool that comes with the project. A new one is a file beside this one and a line here. */
export const builtinTools: readonly Tool[] = [
  read,
  write,
  edit,
  glob,
  grep,
  ls,
  bash,
  todoWrite,
  delegate,
  sendMessage,
  stopWorker,
]

/** The tools with which a coordinator moves its team; no worker is granted `Delegate` or `StopWorker`. */
export const coordinatorToolNames: readonly string[] = [delegate.name, sendMessage.name, stopWorker.name]

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

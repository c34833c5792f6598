import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { ToolContext } from '../../../protocol/tools/tool.ts'
import { loweredLimit } from '../../process/lowered-limit.ts'

const memoryKey = 'shell.directory'

/** Where memory runs out, the kernel takes a command and its children before the member that ran it. */
const firstToGo = `{ go_first() { local now; read -r now && ((now < 500)) && echo 500 >/proc/self/oom_score_adj; }; \
go_first </proc/self/oom_score_adj; unset -f go_first; } 2>/dev/null`

/**
 * Shell code in front of every command. Errors go where output goes, so that both come in order. When the shell ends,
 * the shell tells its directory on a descriptor of its own, high enough to be in the way of no command. All of it
 * stands on one line, because bash adds the lines in front of a command to the line numbers of its messages.
 */
const prelude = `${firstToGo}; exec 2>&1 198>&3 3>&-; trap 'pwd -P >&198' EXIT; eval "$1"`

/** The program and arguments that run a command line with bash, without profile or start-up files. */
export function shellCommand(command: string): readonly [string, ...string[]] {
  return [program(), '--noprofile', '--norc', '-c', loweredLimit() + prelude, 'bash', command]
}

/** The same for a terminal, where output and errors are one anyway and nobody listens on other descriptors. */
export function plainCommand(command: string): readonly [string, ...string[]] {
  return [program(), '--noprofile', '--norc', '-c', `${loweredLimit()}eval "$1"`, 'bash', command]
}

function program(): string {
  return existsSync('/bin/bash') ? '/bin/bash' : 'bash'
}

/**
 * The directory in which a member's next command runs: where its last one ended, or the working directory when there
 * was none. Whoever judges a command's relative paths has to start from here.
 */
export function currentDirectory(context: Pick<ToolContext, 'cwd' | 'memory'>): string {
  const kept = context.memory.get(memoryKey)
  return typeof kept === 'string' ? kept : context.cwd
}

/** `currentDirectory`; when it is gone, the working directory with a note; when that is gone too, why nothing can run. */
export async function shellDirectory(
  context: Pick<ToolContext, 'cwd' | 'memory'>,
): Promise<{ readonly cwd: string; readonly note: string } | { readonly trouble: string }> {
  const cwd = currentDirectory(context)
  if (await isDirectory(cwd)) return { cwd, note: '' }
  if (cwd === context.cwd || !(await isDirectory(context.cwd))) {
    return { trouble: `The working directory ${context.cwd} does not exist any more: no command can run in it.` }
  }
  context.memory.delete(memoryKey)
  return { cwd: context.cwd, note: `[${cwd} is gone: the command ran in ${context.cwd}]` }
}

/** Keeps what the shell told about its directory; a shell that was stopped has told nothing. */
export function rememberDirectory(context: Pick<ToolContext, 'memory'>, told: string): void {
  const directory = told.replace(/\n$/, '')
  if (directory.startsWith('/')) context.memory.set(memoryKey, directory)
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}

import { existsSync } from 'node:fs'
import type { CommandHook } from '../../protocol/hooks/hook.ts'
import type { HookEnding } from '../../rules/hooks/hook-answer.ts'
import { runCommand, type CommandEnd } from '../process/run-command.ts'

/*
 * Runs one hook that is a program.
 * Owns: the process group it starts. Never: interprets what the program says.
 * 1. When the promise settles, the program and everything in its group are dead.
 * 2. A hook that prints without end is ended; its output never fills the memory. 3. It never rejects.
 */

/** How a hook is run: what it reads, where, for how long. */
export interface HookRun {
  /** The JSON of the event. */
  readonly input: string
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Called when the first line of a program says `{"async": true}`: nobody is to wait for the rest. */
  readonly detach?: () => void
}

/** A hook's ending, or why it has none. `cancelled`: its time was over, or nobody waits for it any more. */
export type HookRan = { readonly ending: HookEnding } | { readonly failed: string; readonly cancelled: boolean }

const bash = '/bin/bash'
/** Characters of stdout that are kept: more is no answer. */
const maxOutput = 1_000_000
/** Places that a command may name in braces. */
const placeholder = /\$\{(CLAUDE_(?:PROJECT_DIR|PLUGIN_ROOT|PLUGIN_DATA|SKILL_DIR))\}/g
/** A first line beyond this is not looked at. */
const maxFirstLine = 10_000

/**
 * Runs a command hook: by a shell, or with `args` as the program itself.
 *
 * @example await runCommandHook({ type: 'command', command: './guard.sh' }, { input, cwd, env, timeoutMs, signal })
 */
export async function runCommandHook(hook: CommandHook, run: HookRun): Promise<HookRan> {
  const babbling = new AbortController()
  const pieces: string[] = []
  let length = 0
  let isFirst = run.detach !== undefined
  const end = await runCommand(argvOf(hook, run), {
    cwd: run.cwd,
    env: run.env,
    signal: AbortSignal.any([run.signal, babbling.signal]),
    timeoutMs: run.timeoutMs,
    input: run.input,
    onOutput(text) {
      length += text.length
      if (length > maxOutput) babbling.abort()
      else pieces.push(text)
      if (!isFirst || !text.includes('}')) return
      if (saysAsync(pieces.join(''))) {
        // The answer follows.
        pieces.splice(
          0,
          pieces.length,
          pieces
            .join('')
            .trimStart()
            .replace(/^[^\n]*\n?/, ''),
        )
        run.detach?.()
      } else if (length < maxFirstLine) return
      isFirst = false
    },
  })
  const failed = failureOf(end, { run, babbles: babbling.signal.aborted })
  if (failed !== null) return failed
  return { ending: { code: end.exitCode, stdout: pieces.join(''), stderr: end.errors } }
}

function failureOf(
  { failure, stopped, signal, exitCode }: CommandEnd,
  { run, babbles }: { readonly run: HookRun; readonly babbles: boolean },
): HookRan | null {
  if (failure !== null) return { failed: `it could not be started: ${failure}`, cancelled: false }
  if (babbles) return { failed: `it printed more than ${maxOutput} characters`, cancelled: false }
  if (stopped === 'timeout') return { failed: `it took longer than ${run.timeoutMs / 1_000} s`, cancelled: true }
  if (stopped === 'abort') return { failed: 'nobody waits for it any more', cancelled: true }
  return exitCode === null ? { failed: `it was ended by ${signal ?? 'a signal'}`, cancelled: false } : null
}

function saysAsync(said: string): boolean {
  const [line = ''] = said.trimStart().split('\n', 1)
  if (!line.startsWith('{')) return false
  try {
    return (JSON.parse(line) as { readonly async?: unknown }).async === true
  } catch {
    return false
  }
}

function argvOf({ command, args, shell }: CommandHook, { env }: HookRun): readonly [string, ...string[]] {
  // Node's pipes are sockets, and a bash that reads from one takes itself for a remote shell and reads ~/.bashrc.
  if (args === undefined) {
    if (shell === 'powershell') return ['pwsh', '-NoProfile', '-Command', command.replaceAll(placeholder, '${env:$1}')]
    return shell === 'sh' || !existsSync(bash) ? ['/bin/sh', '-c', command] : [bash, '--norc', '-c', command]
  }
  const filled = (text: string): string => text.replaceAll(placeholder, (_, name: string) => env[name] ?? '')
  return [filled(command), ...args.map(filled)]
}

import { existsSync } from 'node:fs'
import { markVariable } from '../../adapters/process/end-process.ts'
import { runCommandHook, type HookRan, type HookRun } from '../../adapters/hooks/command-hook.ts'
import { hookEnv } from '../../adapters/hooks/hook-env.ts'
import { runFunctionHook } from '../../adapters/hooks/function-hook.ts'
import type { CommandHook, Hook, HookAnswer, HookEvent, HookInput, HookOutcome } from '../../protocol/hooks/hook.ts'
import { maxContext, preview, silent, understand } from '../../rules/hooks/hook-answer.ts'
import { eventTraits, timeoutOf } from '../../rules/hooks/hook-events.ts'
import { foldersOfPlugin } from '../../rules/plugins/plugin-servers.ts'
import { hookLabel } from '../../rules/hooks/read-hooks.ts'
import { elapsed } from '../actors/clock.ts'
import type { HookMoment, HookPlace } from './hook-place.ts'
import { postHook } from './hook-web.ts'

/*
 * One run of one hook, whatever its kind.
 * Owns: its time, its environment, the fact about it, and that a broken one stays alone.
 * 1. A hook that fails has no opinion and is told of; one that must not fail open says no instead.
 */

export interface RunningHook {
  readonly place: HookPlace
  /** Carried by all that a program starts. */
  readonly mark: string
  readonly moment: HookMoment
  /** The event as a function sees it, and as programs and servers read it. */
  readonly input: HookInput
  readonly text: () => string
  readonly signal: AbortSignal
  /** Called when the hook itself says that nobody shall wait for it. */
  readonly detach?: () => void
}

/** Runs a hook to its end and makes an answer of that; it never rejects. */
export async function runHook(hook: Hook, running: RunningHook): Promise<HookAnswer> {
  const { place, moment } = running
  const started = place.now()
  if (hook.spec.statusMessage !== undefined) place.show?.(hook.spec.statusMessage, moment.call_id)
  const ran = await begin(hook, running).catch((error: unknown): HookRan => {
    return { failed: String(error), cancelled: false }
  })
  const rewakes = hook.spec.type === 'command' && hook.spec.asyncRewake === true
  const read = 'ending' in ran ? understand(hook.event, ran.ending, rewakes) : { answer: silent, failed: ran.failed }
  const isLate = 'cancelled' in ran && ran.cancelled
  const answer = read.failed === null ? bounded(read.answer, place) : failed(hook, read.failed, isLate)
  const message = read.failed ?? (answer.blocks ? answer.reason : undefined)
  noted(place, {
    type: 'hook.ran',
    event: hook.event,
    hook: hookLabel(hook),
    source: hook.source,
    outcome: outcomeOf(isLate, { failed: read.failed, answer }),
    duration_ms: elapsed(started, place.now()),
    ...(moment.call_id === undefined ? {} : { call_id: moment.call_id }),
    ...(answer.updatedInput === undefined ? {} : { updated_input: answer.updatedInput }),
    ...(message === undefined || message === '' ? {} : { message: message.slice(0, 500) }),
  })
  return answer
}

/** Journals close before the hooks that nobody waits for have ended: the end of such a hook is no fact any more. */
function noted({ note }: HookPlace, fact: Parameters<HookPlace['note']>[0]): void {
  try {
    note(fact)
  } catch {
    // A journal that cannot be written ends its member at the member's own next fact.
  }
}

/** Long texts are put aside, and shown with their beginning. */
function bounded(answer: HookAnswer, { keep }: HookPlace): HookAnswer {
  const { context, notices, reason } = answer
  if ([...context, ...notices, reason].every(({ length }) => length <= maxContext)) return answer
  const short = (text: string): string => {
    if (text.length <= maxContext) return text
    const path = keep?.(text) ?? null
    const rest = path === null ? '' : `; the whole text is in ${path}`
    return `${text.slice(0, preview)}\n[… cut: the hook said ${text.length} characters${rest} …]`
  }
  return { ...answer, context: context.map(short), notices: notices.map(short), reason: short(reason) }
}

function outcomeOf(
  isLate: boolean,
  { failed: why, answer }: { readonly failed: string | null; readonly answer: HookAnswer },
): HookOutcome {
  if (why !== null) return isLate ? 'cancelled' : 'error'
  return answer.blocks || answer.permission?.behavior === 'deny' ? 'blocking' : 'success'
}

/** Events at which a function that takes too long says no, as Claude Code's callbacks do. */
const gates: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'UserPromptSubmit'])

/** A failure has no opinion; that of a hook of the managed policy, or of one that says so, is a denial. */
function failed({ spec, source, event }: Hook, why: string, isLate: boolean): HookAnswer {
  // A tree counts as made only where every hook says so; a function of the program may be a gate that nobody waited for.
  const isGate = event === 'WorktreeCreate' || (isLate && spec.type === 'function' && gates.has(event))
  const wish = spec.on_failure ?? (isGate || source === 'policy' ? 'deny' : 'open')
  if (event !== 'WorktreeCreate' && wish === 'open') return silent
  const reason = `a hook that has to answer failed: ${why}`
  if (event === 'PermissionRequest') {
    return { ...silent, permission: { behavior: 'deny', message: reason, interrupt: false, proposals: [] } }
  }
  return eventTraits[event].blockable ? { ...silent, decision: 'deny', reason, blocks: true } : silent
}

async function begin(
  { spec, event, source, root, refused }: Hook,
  { place, mark, input, text, signal, detach }: RunningHook,
): Promise<HookRan> {
  if (refused !== undefined) return { failed: refused, cancelled: false }
  const timeoutMs = timeoutOf(event, spec)
  if (spec.type === 'function') return runFunctionHook(spec, { timeoutMs, signal }, input)
  const run: HookRun = {
    input: text(),
    cwd: existsSync(place.cwd) ? place.cwd : place.project,
    env: {
      ...hookEnv(place.env, place.credentials),
      ...place.marks,
      [markVariable]: mark,
      CLAUDE_PROJECT_DIR: place.project,
      ...foldersOf(source, root),
      ...effortOf(input),
    },
    timeoutMs,
    signal,
    ...(detach === undefined ? {} : { detach }),
  }
  switch (spec.type) {
    case 'command':
      return place.exported && exporting.has(event)
        ? runExporting(spec, run, place.exported)
        : runCommandHook(spec, run)
    case 'http': {
      const { runHttpHook } = await import('../../adapters/hooks/http-hook.ts')
      return runHttpHook(spec, run, { post: await postHook(), variables: place.env })
    }
    case 'mcp_tool':
      return place.runners?.call(spec, run, input) ?? homeless
    default:
      return place.runners?.ask(spec, run, input) ?? homeless
  }
}

function foldersOf(source: Hook['source'], root: string | undefined): Readonly<Record<string, string>> {
  if (root === undefined) return {}
  return source === 'skill' ? { CLAUDE_SKILL_DIR: root } : foldersOfPlugin(root)
}

function effortOf({ effort }: HookInput): Readonly<Record<string, string>> {
  const { level } = (effort ?? {}) as { readonly level?: string }
  return level === undefined ? {} : { CLAUDE_EFFORT: level }
}

/** Events whose programs may export variables to the commands that follow. */
const exporting: ReadonlySet<HookEvent> = new Set(['SessionStart', 'Setup', 'CwdChanged', 'FileChanged'])

async function runExporting(hook: CommandHook, run: HookRun, exported: Map<string, string>): Promise<HookRan> {
  const { openEnvFile } = await import('../../adapters/hooks/env-file.ts')
  const file = openEnvFile()
  try {
    const ran = await runCommandHook(hook, { ...run, env: { ...run.env, CLAUDE_ENV_FILE: file.path } })
    const found = await file.exported({ ...run.env, ...Object.fromEntries(exported) })
    for (const [name, value] of Object.entries(found)) exported.set(name, value)
    return ran
  } finally {
    file.remove()
  }
}

const homeless: HookRan = { failed: 'only an agent of a run can run a hook of this kind', cancelled: false }

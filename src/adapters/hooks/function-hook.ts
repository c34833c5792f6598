import type { FunctionHook, HookInput } from '../../protocol/hooks/hook.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { HookRan, HookRun } from './command-hook.ts'

/**
 * Runs a hook that is a function of the program itself. The function gets a copy of the event, so that it changes nothing
 * by accident; a function that ignores its signal is waited for no longer than its time.
 *
 * @example await runFunctionHook({ type: 'function', run: () => ({ decision: 'block', reason: 'no' }) }, run, input)
 */
export async function runFunctionHook(
  hook: FunctionHook,
  run: Pick<HookRun, 'timeoutMs' | 'signal'>,
  input: HookInput,
): Promise<HookRan> {
  const stop = new AbortController()
  const late = Promise.withResolvers<HookRan>()
  const end = (failed: string) => (): void => {
    stop.abort()
    late.resolve({ failed, cancelled: true })
  }
  const timer = setTimeout(end(`it took longer than ${run.timeoutMs / 1_000} s`), run.timeoutMs)
  const left = end('nobody waits for it any more')
  run.signal.addEventListener('abort', left, { once: true })
  try {
    if (run.signal.aborted) left()
    return await Promise.race([answer(hook, input, stop.signal), late.promise])
  } finally {
    clearTimeout(timer)
    run.signal.removeEventListener('abort', left)
  }
}

async function answer({ run }: FunctionHook, input: HookInput, signal: AbortSignal): Promise<HookRan> {
  try {
    const said = await run(structuredClone(input), signal)
    const stdout = typeof said === 'string' ? said : (JSON.stringify(said) ?? '')
    return { ending: { code: 0, stdout, stderr: '' } }
  } catch (error) {
    return { failed: errorText(error), cancelled: false }
  }
}

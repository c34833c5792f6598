import { longestTimer } from '../../../protocol/words/duration.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import type { ImageBlock, TextBlock } from '../../../protocol/conversation/message.ts'
import type { Tool, ToolContext, ToolOutput } from '../../../protocol/tools/tool.ts'
import { cutMiddle } from '../../process/output-limiter.ts'
import { complaint, previewChars, whereTheRestIs } from './answer.ts'

/** How long a stopped tool may take to come back with what it has. */
const graceMs = 1_500

/**
 * Runs one call whose input is parsed, checked and permitted. A tool that throws, hangs or says too much still gives
 * exactly one output: this never rejects, and it ends soon after the timeout or the abort even if the tool does not.
 *
 * @example const output = await runCall(read, { file_path: '/a.txt' }, context)
 */
export async function runCall(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutput> {
  if (context.signal.aborted) return complaint(`${tool.name} was interrupted before it started.`)
  // One controller for both reasons: a composed signal costs several times as much on every call.
  const stop = new AbortController()
  const abort = (): void => stop.abort(context.signal.reason)
  context.signal.addEventListener('abort', abort, { once: true })
  const timer = tool.timeout === null ? undefined : setTimeout(() => stop.abort(), Math.min(tool.timeout, longestTimer))
  const { signal } = stop
  const stopped = stoppedFor(signal, graceMs)
  try {
    const output = await Promise.race([tool.run(input, { ...context, signal }), stopped.promise])
    const bounded = fit(output ?? whyStopped(tool, context), tool.maxResultChars, context)
    return signal.aborted ? { ...bounded, isError: true, broke: !context.signal.aborted } : bounded
  } catch (error) {
    if (signal.aborted) return whyStopped(tool, context)
    const output = broken(`${tool.name} failed: ${errorText(error)}`)
    return tool.retry?.isTransient?.(error) === true ? { ...output, transient: true } : output
  } finally {
    clearTimeout(timer)
    context.signal.removeEventListener('abort', abort)
    stopped.dismiss()
  }
}

function whyStopped(tool: Tool, context: ToolContext): ToolOutput {
  if (context.signal.aborted) return complaint(`${tool.name} was interrupted. What it had done by then is unknown.`)
  const limit = `${((tool.timeout ?? 0) / 1_000).toLocaleString('en-US')} s`
  return broken(`${tool.name} was stopped after ${limit}, its time limit. What it had done by then is unknown.`)
}

/** A tool that broke off says nothing about the calls beside it, so those are cancelled. */
function broken(text: string): ToolOutput {
  return { ...complaint(text), broke: true }
}

/** Resolves to null once the signal has been aborted for `ms`. */
function stoppedFor(signal: AbortSignal, ms: number): { promise: Promise<null>; dismiss(): void } {
  let timer: NodeJS.Timeout | undefined
  let wake = (): void => undefined
  const promise = new Promise<null>((resolve) => {
    wake = () => {
      timer = setTimeout(() => resolve(null), ms)
    }
    signal.addEventListener('abort', wake, { once: true })
  })
  return {
    promise,
    dismiss() {
      clearTimeout(timer)
      signal.removeEventListener('abort', wake)
    },
  }
}

/**
 * Fits text that is longer than the tool allows. Where there is a place for it the whole is put aside and both its ends
 * are shown; else the middle is lost, the blocks share the room in order. Images are kept as they are.
 */
function fit(output: ToolOutput, max: number, { store }: Pick<ToolContext, 'store'>): ToolOutput {
  const length = output.content.reduce((sum, block) => sum + (block.type === 'text' ? block.text.length : 0), 0)
  if (length <= max) return output
  return (store && putAside(output, Math.min(max, previewChars), store)) ?? cut(output, max)
}

/** Null when it could not be written: then a cut result is better than none. */
function putAside(output: ToolOutput, max: number, store: NonNullable<ToolContext['store']>): ToolOutput | null {
  const whole = output.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  try {
    const put = store.put(whole)
    const chars = whole.length
    const images = output.content.filter((block) => block.type === 'image')
    const text = `${cutMiddle(whole, max)}\n${whereTheRestIs(chars, put)}`
    return { ...output, content: [{ type: 'text', text }, ...images], stored: { sha256: put.sha256, chars } }
  } catch {
    return null
  }
}

function cut(output: ToolOutput, max: number): ToolOutput {
  const content: (TextBlock | ImageBlock)[] = []
  let room = max
  for (const block of output.content) {
    if (block.type === 'image') content.push(block)
    else if (room > 0) {
      const text = cutMiddle(block.text, room)
      content.push({ type: 'text', text })
      room -= text.length
    }
  }
  return { ...output, content }
}

import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ToolContext, ToolOutput } from '../../../../src/protocol/tools/tool.ts'
import { defineTool, type ToolDefinition } from '../../../../src/adapters/tools/define/define-tool.ts'
import { runCall } from '../../../../src/adapters/tools/define/run-call.ts'
import { said, workshop } from '../workshop.ts'

const shop = workshop()

function tool(run: (context: ToolContext) => Promise<ToolOutput>, more: Partial<ToolDefinition<unknown>> = {}) {
  return defineTool({
    name: 'Odd',
    description: 'Behaves oddly.',
    input: z.unknown(),
    run: (_input, context) => run(context),
    ...more,
  })
}

const text = (words: string): ToolOutput => ({ content: [{ type: 'text', text: words }] })
const never = (): Promise<ToolOutput> => new Promise(() => undefined)

describe('runCall', () => {
  test('passes on what the tool answers', async () => {
    const output = text('fine')
    expect(
      await runCall(
        tool(async () => output),
        {},
        shop.context(),
      ),
    ).toBe(output)
  })

  test('turns exceptions into error outputs, thrown at once or later', async () => {
    const later = tool(() => Promise.reject(new Error('no such luck')))
    const atOnce = tool(() => {
      throw new Error('at once')
    })
    expect(said(await runCall(later, {}, shop.context()))).toEqual({ text: 'Odd failed: no such luck', isError: true })
    expect(said(await runCall(atOnce, {}, shop.context()))).toEqual({ text: 'Odd failed: at once', isError: true })
  })

  test('says of a tool that broke off that it did, and not of one that was interrupted', async () => {
    const thrown = await runCall(
      tool(() => Promise.reject(new Error('x'))),
      {},
      shop.context(),
    )
    const late = await runCall(
      tool(() => new Promise(() => undefined), { timeout: 1 }),
      {},
      shop.context(),
    )
    const interrupted = await runCall(
      tool(async () => text('ran')),
      {},
      shop.context({ signal: AbortSignal.abort() }),
    )
    expect([thrown.broke, late.broke, interrupted.broke ?? false]).toEqual([true, true, false])
  })

  test('does not start for a signal that is already aborted', async () => {
    let started = false
    const output = await runCall(
      tool(async () => {
        started = true
        return text('ran')
      }),
      {},
      shop.context({ signal: AbortSignal.abort() }),
    )
    expect([said(output).isError, started]).toEqual([true, false])
  })

  test('tells the tool to stop after its time limit and says so', async () => {
    const obedient = tool(
      ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
      { timeout: 20 },
    )
    const output = said(await runCall(obedient, {}, shop.context()))
    expect(output.isError).toBe(true)
    expect(output.text).toContain('0.02 s, its time limit')
  })

  test('does not wait for a tool that ignores its time limit or the abort', async () => {
    const timedOut = runCall(tool(never, { timeout: 10 }), {}, shop.context())
    const control = new AbortController()
    const aborted = runCall(tool(never), {}, shop.context({ signal: control.signal }))
    control.abort()
    expect(said(await timedOut)).toEqual({ text: expect.stringContaining('time limit') as string, isError: true })
    expect(said(await aborted)).toEqual({ text: expect.stringContaining('interrupted') as string, isError: true })
  })

  test('a stopped tool may still hand over what it has, as an error', async () => {
    const control = new AbortController()
    const partial = tool(
      ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(text('half of it')))),
    )
    const running = runCall(partial, {}, shop.context({ signal: control.signal }))
    control.abort()
    expect(said(await running)).toEqual({ text: 'half of it', isError: true })
  })

  test('a tool that comes back late or fails late disturbs nobody', async () => {
    let fail = (_: Error): void => undefined
    const late = tool(() => new Promise((_, reject) => (fail = reject)), { timeout: 1 })
    expect(said(await runCall(late, {}, shop.context())).isError).toBe(true)
    // Vitest fails the run on a rejection that nobody handles.
    fail(new Error('too late'))
  })

  test('cuts what is longer than allowed, keeping both ends', async () => {
    const long = `begin${'.'.repeat(5_000)}end`
    const output = said(
      await runCall(
        tool(async () => text(long), { maxResultChars: 500 }),
        {},
        shop.context(),
      ),
    )
    expect(output.text.length).toBeLessThanOrEqual(500)
    expect(output.text).toMatch(/^begin.*\[… [\d,]+ characters cut …\].*end$/s)
    expect(output.isError).toBe(false)
    const exact = text('x'.repeat(500))
    expect(
      await runCall(
        tool(async () => exact, { maxResultChars: 500 }),
        {},
        shop.context(),
      ),
    ).toBe(exact)
  })

  test('Infinity opts out of the cut, images are never cut', async () => {
    const long = text('x'.repeat(100_000))
    expect(
      await runCall(
        tool(async () => long, { maxResultChars: Infinity }),
        {},
        shop.context(),
      ),
    ).toBe(long)
    const image = { type: 'image' as const, media_type: 'image/png', data: 'AAAA' }
    const mixed = { content: [{ type: 'text' as const, text: 'y'.repeat(2_000) }, image] }
    const output = await runCall(
      tool(async () => mixed, { maxResultChars: 300 }),
      {},
      shop.context(),
    )
    expect(output.content[1]).toBe(image)
    expect(said(output).text.length).toBeLessThanOrEqual(300 + '<image/png>'.length)
  })
})

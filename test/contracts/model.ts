import { describe, expect, test } from 'vitest'
import type { AssistantMessage } from '../../src/protocol/conversation/message.ts'
import { textOf, userMessage } from '../../src/protocol/conversation/message.ts'
import type { Model, ModelEvent, ModelRequest } from '../../src/protocol/models/model.ts'

/** What a model must be able to say for the contract to be tried on it. */
export interface ModelUnderTest {
  /** A fresh model whose agent `speaker` thinks, says several words and makes one call. */
  readonly speaks: () => Promise<Model>
  /** A fresh model whose agent `speaker` fails. */
  readonly fails: () => Promise<Model>
  /** A fresh model whose agent `speaker` says several words and then never ends by itself. */
  readonly hangs: () => Promise<Model>
}

export const request: ModelRequest = {
  agent: 'speaker',
  system: 'You speak.',
  messages: [userMessage('Speak.')],
  tools: [],
}

export interface Heard {
  readonly events: readonly ModelEvent[]
  readonly text: string
  readonly thinking: string
  readonly message: AssistantMessage
}

/** Listens to one answer; `onEvent` may abort. */
export async function listen(
  model: Model,
  asked: ModelRequest = request,
  hearing: { readonly signal?: AbortSignal; readonly onEvent?: (event: ModelEvent) => void } = {},
): Promise<Heard> {
  const events: ModelEvent[] = []
  for await (const event of model.stream(asked, hearing.signal ?? new AbortController().signal)) {
    events.push(event)
    hearing.onEvent?.(event)
  }
  const last = events.at(-1)
  if (last?.type !== 'settled') throw new Error('the last event is not "settled"')
  const spoken = (type: 'text' | 'thinking'): string =>
    events.map((event) => (event.type === type ? event.text : '')).join('')
  return { events, text: spoken('text'), thinking: spoken('thinking'), message: last.message }
}

/** Holds for every model, whatever its vendor: the one suite that a new provider has to pass. */
export function modelContract(name: string, { speaks, fails, hangs }: ModelUnderTest): void {
  describe(`${name} keeps the model contract`, () => {
    test('one settled event, and it is the last', async () => {
      const { events } = await listen(await speaks())
      expect(events.filter(({ type }) => type === 'settled')).toHaveLength(1)
      expect(events.at(-1)?.type).toBe('settled')
    })

    test('text comes in pieces that add up to the settled text, thinking too', async () => {
      const { events, text, thinking, message } = await listen(await speaks())
      expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1)
      expect(text).toBe(textOf(message))
      expect(thinking).toBe(message.content.map((block) => (block.type === 'thinking' ? block.text : '')).join(''))
    })

    test('the settled message names the model, its usage, and stops for its calls', async () => {
      const model = await speaks()
      const { message } = await listen(model)
      expect(message).toMatchObject({ role: 'assistant', stop: 'tools', model: expect.stringMatching(/./) as string })
      expect(message.content.filter(({ type }) => type === 'tool_use')).toHaveLength(1)
      expect(message.usage.input).toBeGreaterThanOrEqual(0)
      expect(message.failure).toBeUndefined()
    })

    test('the same request twice gives the same answer: nothing is remembered', async () => {
      const model = await speaks()
      expect((await listen(model)).message).toEqual((await listen(model)).message)
    })

    test('a failure is a settled message, never an exception', async () => {
      const { message } = await listen(await fails())
      expect(message.stop).toBe('error')
      expect(message.failure?.code).toMatch(/^[a-z_]+$/)
      expect(message.failure?.message).not.toBe('')
    })

    test('an abort before the first word settles as aborted without text', async () => {
      const { message, text } = await listen(await speaks(), request, { signal: AbortSignal.abort() })
      expect(message).toMatchObject({ stop: 'aborted', content: [], failure: { code: 'aborted' } })
      expect(text).toBe('')
    })

    test('an abort between two words keeps what was said and drops the call', async () => {
      const abort = new AbortController()
      const onEvent = ({ type }: ModelEvent): void => {
        if (type === 'text') abort.abort()
      }
      const { message, text } = await listen(await speaks(), request, { signal: abort.signal, onEvent })
      expect(message.stop).toBe('aborted')
      expect(text).not.toBe('')
      expect(textOf(message)).toBe(text)
      expect(message.content.filter(({ type }) => type === 'tool_use')).toEqual([])
    })

    test('an abort ends an answer that would never end', async () => {
      const abort = new AbortController()
      const onEvent = ({ type }: ModelEvent): void => {
        if (type === 'text') setImmediate(() => abort.abort())
      }
      const { message, text } = await listen(await hangs(), request, { signal: abort.signal, onEvent })
      expect(message.stop).toBe('aborted')
      expect(textOf(message)).toBe(text)
    })
  })
}

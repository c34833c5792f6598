import { fc, test as property } from '@fast-check/vitest'
import { expect } from 'vitest'
import { z } from 'zod'
import { openModel } from '../../../src/adapters/models/catalog.ts'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { apis, environmentFor, faultyServer, providerOf, type Fault } from '../../support/faulty-server.ts'
import { streamOf, type Speech } from '../../support/vendors/speech.ts'
import { virtualClock } from '../../support/virtual-clock.ts'

/** Whatever byte of whichever answer a connection breaks at, and however: nothing is lost and nothing runs twice. */
const last = 2

const speak = (turn: number): Speech =>
  turn < last
    ? {
        text: `Turn ${turn}, ünïcode ✓. `,
        calls: [{ id: `call_${turn}`, name: 'Note', input: { text: `note ${turn}` } }],
      }
    : { text: 'All is done ✓.' }

interface Broken {
  readonly turn: number
  readonly kind: 'cut' | 'end' | 'stall'
  readonly part: number
}

const broken: fc.Arbitrary<Broken> = fc.record({
  turn: fc.integer({ min: 0, max: last }),
  kind: fc.constantFrom('cut', 'end', 'stall'),
  part: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
})

/** One byte of the first event: such a body was taken for one that is no stream, and nobody asked again. */
const examples: [(typeof apis)[number], Broken[]][] = [['anthropic', [{ turn: 0, kind: 'end', part: 0.0009 }]]]

property.prop([fc.constantFrom(...apis), fc.array(broken, { minLength: 1, maxLength: 3 })], { numRuns: 120, examples })(
  'any break at any byte',
  async (api, breaks) => {
    const left = [...breaks]
    const fault = (turn: number): Fault | null => {
      const place = left.findIndex((one) => one.turn === turn)
      const [one] = place === -1 ? [] : left.splice(place, 1)
      return one ? { kind: one.kind, at: Math.floor(one.part * streamOf(api, speak(turn)).length) } : null
    }
    const server = await faultyServer({ api, speak, fault })
    const notes: string[] = []
    const note = defineTool({
      name: 'Note',
      description: 'Takes a note.',
      input: z.strictObject({ text: z.string() }),
      effect: 'none',
      async run({ text }) {
        notes.push(text)
        return { content: [{ type: 'text', text: 'noted' }] }
      },
    })
    const patience = { firstByteMs: 5_000, idleMs: 60 }
    const model = await openModel(providerOf[api], { baseDir: '/', env: environmentFor(server.root), patience })
    const clock = virtualClock()
    const run = createAgent({ model, tools: [note], clock, cwd: '/', home: '/' }).run('Take notes.')
    let streamed = ''
    for await (const event of run) {
      if (event.type === 'text.reset' || event.type === 'tool.dispatch') streamed = ''
      if (event.type === 'text.delta') streamed += event.text
    }
    const { text, reason } = await run.result
    await server.close()
    expect({ text, reason, streamed, notes }).toEqual({
      text: 'All is done ✓.',
      reason: 'completed',
      streamed: 'All is done ✓.',
      notes: ['note 0', 'note 1'],
    })
    expect(server.complaints).toEqual([])
    expect(clock.open()).toBe(0)
  },
)

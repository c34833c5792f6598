import { createAgent, defineTool, z, type Model } from '../../../src/index.ts'

/** One agent without a run directory, in a process that may write nowhere; prints its text. */
const tool = defineTool({
  name: 'Look',
  description: 'Looks.',
  input: z.strictObject({}),
  effect: 'none',
  isReadOnly: () => true,
  run: async () => ({ content: [{ type: 'text', text: 'seen '.repeat(20_000) }] }),
})
const model: Model = {
  name: 'test/model',
  async *stream({ messages }) {
    const call = { type: 'tool_use' as const, id: 'c', name: 'Look', input: {} }
    const said = { type: 'text' as const, text: 'Done.' }
    const isFirst = messages.length === 1
    const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0 }
    const content = isFirst ? [call] : [said]
    const stop = isFirst ? 'tools' : 'end'
    yield { type: 'settled', message: { role: 'assistant', model: 'test/model', content, stop, usage } }
  },
}
const agent = createAgent({ model, tools: process.argv[2] === 'tool' ? [tool] : [] })
const { text, reason } = await agent.run('Look.').result
agent.close()
process.stdout.write(`${reason}: ${text}`)

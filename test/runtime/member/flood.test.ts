import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { callsOf, noUsage, textOf, type AssistantMessage } from '../../../src/protocol/conversation/message.ts'
import type { Model, ModelRequest } from '../../../src/protocol/models/model.ts'
import { sendMail } from '../../../src/runtime/mail/send-mail.ts'
import { play } from '../support/stage.ts'

/** A model with a say for each member; `asked` keeps the characters of each request. */
function modelFor(answer: (request: ModelRequest) => AssistantMessage['content']) {
  const asked: { agent: string; chars: number; texts: readonly string[] }[] = []
  const model: Model = {
    name: 'acme/one',
    async *stream(request) {
      const texts = request.messages.map((message) => (message.role === 'tool' ? '' : textOf(message)))
      asked.push({ agent: request.agent, chars: texts.join('').length, texts })
      const content = answer(request)
      const stop = content.some(({ type }) => type === 'tool_use') ? 'tools' : 'end'
      yield { type: 'settled', message: { role: 'assistant', model: 'acme/one', content, stop, usage: noUsage } }
    },
  }
  return { asked, providers: { acme: () => model } }
}

const say = (text: string): AssistantMessage['content'] => [{ type: 'text', text }]
const hasCalled = ({ messages }: ModelRequest): boolean =>
  messages.some((message) => message.role === 'assistant' && callsOf(message).length > 0)

test('a lead reads forty long results as far as there is room, and the rest of each has a place', async () => {
  const subtasks = Array.from({ length: 40 }, (_, n) => ({ worker: `w-${n + 1}`, task: 'Report.' }))
  const { asked, providers } = modelFor((request) => {
    if (request.agent !== 'lead') return say(`START ${'s'.repeat(31_000)} END of ${request.agent}`)
    return hasCalled(request)
      ? say('FINAL')
      : [{ type: 'tool_use', id: 'toolu_1', name: 'Delegate', input: { subtasks } }]
  })
  const team = {
    name: 'many',
    model: 'acme/one',
    coordinator: { prompt: 'You lead.' },
    workers: { w: { description: 'Reports.', prompt: 'You report.', replicas: 40 } },
  }
  const { result } = await play(team, {}, { providers })
  expect(await result).toMatchObject({ status: 'completed', result: 'FINAL' })
  const last = asked.findLast(({ agent }) => agent === 'lead')
  expect(last?.chars).toBeLessThan(320_000)
  const results = last?.texts.filter((text) => text.includes('kind="result"')) ?? []
  expect(results).toHaveLength(40)
  expect(results.every((text) => text.includes('START'))).toBe(true)
  const short = results.find((text) => !text.includes(' END of '))
  const path = /The beginning of \d+ characters\. The whole text is in (\S+)\]/.exec(short ?? '')?.[1] ?? ''
  expect(readFileSync(path, 'utf8')).toMatch(/^START s+ END of w-\d+$/)
})

test('a member that is sent more than it can read is asked in between, and reads all of it', async () => {
  const { asked, providers } = modelFor((request) => {
    if (request.agent === 'lead' && !hasCalled(request)) {
      const input = { subtasks: [{ worker: 'ana', task: 'Send notes.' }] }
      return [{ type: 'tool_use', id: 'toolu_1', name: 'Delegate', input }]
    }
    return say(request.agent === 'lead' ? 'FINAL' : 'Done.')
  })
  const team = {
    name: 'duo',
    model: 'acme/one',
    coordinator: { prompt: 'You lead.' },
    workers: { ana: { description: 'Sends.', prompt: 'You send.' } },
  }
  const { cwd, run, result } = await play(team, {}, { providers })
  for (let n = 0; n < 60; n += 1) {
    await sendMail(run.dir, { to: 'lead@duo', text: `note ${n} ${'n'.repeat(15_000)}`, home: `${cwd}/home` })
  }
  expect(await result).toMatchObject({ status: 'completed' })
  const leads = asked.filter(({ agent }) => agent === 'lead')
  const read = leads.at(-1)?.texts.join('\n') ?? ''
  expect(Array.from({ length: 60 }, (_, n) => n).filter((n) => !read.includes(`note ${n} `))).toEqual([])
  const grown = leads.map(({ chars }, place) => chars - (leads[place - 1]?.chars ?? 0))
  expect(Math.max(...grown)).toBeLessThan(230_000)
})

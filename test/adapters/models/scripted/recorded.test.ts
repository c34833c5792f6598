import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import { recordModel } from '../../../../src/adapters/models/scripted/recorded.ts'
import { openScripted, scriptedModel } from '../../../../src/adapters/models/scripted/scripted.ts'
import { parseScript } from '../../../../src/adapters/models/scripted/script.ts'
import { noUsage, textOf, userMessage, type Message } from '../../../../src/protocol/conversation/message.ts'
import type { Model } from '../../../../src/protocol/models/model.ts'
import { listen, modelContract, request } from '../../../contracts/model.ts'

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'troupe-recorded-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const tape = (): string => join(dir, 'tape.yaml')
const scripted = (text: string): Model => scriptedModel('scripted/original.yaml', parseScript('original.yaml', text))

const steps = {
  speaks: `[{ think: 'Hm, well.', say: 'One two three.', calls: [{ tool: Read, input: { file_path: a } }] }]`,
  fails: '[{ fail: { code: rate_limited, message: slow down, retry_after_ms: 9 } }]',
  hangs: '[{ say: I never end, hang: true }]',
}
const original = (kind: keyof typeof steps): Model => scripted(`agents: { speaker: { steps: ${steps[kind]} } }`)

modelContract('a model that is being recorded', {
  speaks: () => Promise.resolve(recordModel(original('speaks'), tape())),
  fails: () => Promise.resolve(recordModel(original('fails'), tape())),
  hangs: () => Promise.resolve(recordModel(original('hangs'), tape())),
})

async function played(kind: 'speaks' | 'fails'): Promise<Model> {
  await listen(recordModel(original(kind), tape()))
  return openScripted('recorded/tape.yaml', tape())
}

modelContract('a cassette', {
  speaks: () => played('speaks'),
  fails: () => played('fails'),
  hangs: () => Promise.resolve(original('hangs')),
})

test('what was recorded replays word for word: texts, calls, stops, failures, usage', async () => {
  const source = `agents:
  speaker:
    steps:
      - { think: Hm., say: "Look: {{task}} & more\\n\\n  indented\\n", calls: [{ tool: Bash, input: { command: "echo x" }, malformed: bad }], usage: { input: 3, output: 5 } }
      - { say: cut off, stop: max_tokens }
      - { fail: { code: overloaded, message: try later, status: 529 } }
`
  const recording = recordModel(scripted(source), tape())
  const conversation: Message[] = [userMessage('the {{task}}')]
  const first: unknown[] = []
  for (let turn = 0; turn < 3; turn += 1) {
    const { message } = await listen(recording, { ...request, messages: [...conversation] })
    first.push({ ...message, model: '' })
    conversation.push(message)
  }
  const replay = await openScripted('recorded/tape.yaml', tape())
  const again: unknown[] = []
  const replayed: Message[] = [userMessage('another question')]
  for (let turn = 0; turn < 3; turn += 1) {
    const { message } = await listen(replay, { ...request, messages: [...replayed] })
    again.push({ ...message, model: '' })
    replayed.push(message)
  }
  expect(again).toEqual(first)
  expect(replay.report()).toEqual([])
})

test('a request that is repeated is recorded once, the last answer counts', async () => {
  let answers = 0
  const moody: Model = {
    name: 'moody/one',
    async *stream(asked, signal) {
      answers += 1
      yield* scripted(`agents: { speaker: { steps: [{ say: answer ${answers} }] } }`).stream(asked, signal)
    },
  }
  const recording = recordModel(moody, tape())
  await listen(recording)
  await listen(recording)
  expect(textOf((await listen(await openScripted('recorded/tape.yaml', tape()))).message)).toBe('answer 2')
})

test('a member of any name is recorded', async () => {
  const source = scripted('agents: { constructor: { steps: [{ say: hi }] } }')
  const asked = { ...request, agent: 'constructor' }
  await listen(recordModel(source, tape()), asked)
  expect(textOf((await listen(await openScripted('recorded/tape.yaml', tape()), asked)).message)).toBe('hi')
})

test('an aborted answer is not recorded', async () => {
  const recording = recordModel(original('speaks'), tape())
  await listen(recording, request, { signal: AbortSignal.abort() })
  expect(readFileSync(tape(), 'utf8')).toContain('agents: {}')
})

test('a place that cannot be written is known before the first request', () => {
  expect(() => recordModel(original('speaks'), join(dir, 'absent', 'tape.yaml'))).toThrow('ENOENT')
})

test('a cassette that can no longer be written spoils no answer, and is reported', async () => {
  const folder = join(dir, 'soon-gone')
  mkdirSync(folder)
  const recording = recordModel(original('speaks'), join(folder, 'tape.yaml'))
  rmSync(folder, { recursive: true })
  expect(textOf((await listen(recording)).message)).toBe('One two three.')
  expect(recording.report()).toEqual([expect.stringContaining('tape.yaml could not be written: ENOENT')])
})

test('recorded/<file> with only "record:" records that model, later it replays', async () => {
  writeFileSync(join(dir, 'real.yaml'), 'agents: { speaker: { steps: [{ say: from the real one }] } }')
  writeFileSync(tape(), 'record: scripted/real.yaml\n')
  const options = { baseDir: dir, env: {} }
  expect(textOf((await listen(await openModel('recorded/tape.yaml', options))).message)).toBe('from the real one')
  rmSync(join(dir, 'real.yaml'))
  expect(existsSync(join(dir, 'real.yaml'))).toBe(false)
  expect(textOf((await listen(await openModel('recorded/tape.yaml', options))).message)).toBe('from the real one')
})

test('keys do not get onto a tape, wherever the model said them', async () => {
  const said =
    "agents: { speaker: { steps: [{ say: 'The key is s3cret-of-mine, the other sk-ant-0123456789abcdef.' }] } }"
  writeFileSync(join(dir, 'original.yaml'), said)
  writeFileSync(tape(), 'record: scripted/original.yaml\n')
  const model = await openModel('recorded/tape.yaml', { baseDir: dir, env: { OPENAI_API_KEY: 's3cret-of-mine' } })
  expect(textOf((await listen(model)).message)).toContain('s3cret-of-mine')
  const kept = readFileSync(tape(), 'utf8')
  expect(kept).toContain('The key is [redacted], the other [redacted].')
  expect(kept).not.toMatch(/s3cret|sk-ant/)
})

describe('a lenient replay', () => {
  const taped = `replay: lenient
literal: true
agents:
  reader-1:
    steps:
      - { say: I look., calls: [{ tool: LS, input: { path: a } }], expect: something that is not there }
      - { say: There are two files. }
      - { fail: overloaded }
`
  const replayed = (text = taped) => scriptedModel('recorded/tape.yaml', parseScript('tape.yaml', text))
  const after = (count: number, agent = 'reader-1') => ({
    ...request,
    agent,
    messages: [userMessage('Go.'), ...Array.from({ length: count }, () => spoken)],
  })
  const spoken: Message = { role: 'assistant', model: 'm', content: [], stop: 'end', usage: noUsage }

  test('says what was said at this place, whatever the request holds', async () => {
    const { message } = await listen(replayed(), after(0))
    expect(message).toMatchObject({ stop: 'tools', content: [{ text: 'I look.' }, { name: 'LS' }] })
  })

  test('has its last words once more for everybody who asks more often, and misses nobody who asks less', async () => {
    const model = replayed()
    for (const count of [3, 9]) expect(textOf((await listen(model, after(count))).message)).toBe('There are two files.')
    expect(replayed().report()).toEqual([])
  })

  test('lends the steps of a replica to another, and to nobody else', async () => {
    expect(textOf((await listen(replayed(), after(1, 'reader-7'))).message)).toBe('There are two files.')
    expect((await listen(replayed(), after(1, 'writer'))).message.failure?.code).toBe('script_mismatch')
  })

  test('fails where nothing was ever said', async () => {
    const silent = replayed('{ replay: lenient, agents: { reader-1: { steps: [{ calls: [{ tool: LS }] }] } } }')
    expect((await listen(silent, after(1))).message.failure?.code).toBe('script_mismatch')
  })

  test('is what a cassette asks for that has yet to be recorded', async () => {
    writeFileSync(join(dir, 'real.yaml'), 'agents: { speaker: { steps: [{ say: from the real one }] } }')
    writeFileSync(tape(), 'record: scripted/real.yaml\nreplay: lenient\n')
    const options = { baseDir: dir, env: {} }
    await listen(await openModel('recorded/tape.yaml', options))
    const again = await openModel('recorded/tape.yaml', options)
    expect(textOf((await listen(again, after(4, 'speaker'))).message)).toBe('from the real one')
  })
})

test('a cassette that has to be recorded by several processes is refused before anything is written or asked', async () => {
  writeFileSync(tape(), 'record: scripted/original.yaml\n')
  writeFileSync(join(dir, 'original.yaml'), `agents: { speaker: { steps: ${steps.speaks} } }\n`)
  const shared = { baseDir: dir, env: {}, shared: true }
  await expect(openModel('recorded/tape.yaml', shared)).rejects.toThrow('--executor in-process')
  expect(readFileSync(tape(), 'utf8')).toBe('record: scripted/original.yaml\n')
  await listen(await openModel('recorded/tape.yaml', { ...shared, shared: false }))
  await expect(openModel('recorded/tape.yaml', shared)).resolves.toMatchObject({ name: 'recorded/tape.yaml' })
})

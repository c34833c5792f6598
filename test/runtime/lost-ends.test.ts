import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openJournal } from '../../src/adapters/sessions/journal.ts'
import { readRunFile } from '../../src/adapters/sessions/read-run.ts'
import { callsOf, noUsage, textOf, type AssistantMessage } from '../../src/protocol/conversation/message.ts'
import type { Model, ModelRequest } from '../../src/protocol/models/model.ts'
import { systemClock } from '../../src/runtime/actors/clock.ts'
import { memberFold } from '../../src/runtime/member/member-store.ts'
import { healGaps } from '../../src/runtime/run/heal-gaps.ts'
import { resumeTeam } from '../../src/runtime/run/resume-team.ts'
import { readEarlier } from '../../src/runtime/runs/earlier-run.ts'
import { recordOfRun } from '../../src/runtime/runs/read-runs.ts'
import { bareEnv } from '../support/bare-env.ts'
import { play } from './support/stage.ts'

/** What a model of flesh would do: it goes by what it sees, and gives each call an id of its own. */
let calls = 0
function answerTo({ agent, messages }: ModelRequest): AssistantMessage['content'] {
  const seen = messages.map((message) => (message.role === 'tool' ? '' : textOf(message))).join('\n')
  const said = messages.flatMap((message) => (message.role === 'assistant' ? callsOf(message) : []))
  const call = (name: string, input: object) => [
    { type: 'tool_use' as const, id: `toolu_${(calls += 1)}`, name, input },
  ]
  const say = (text: string) => [{ type: 'text' as const, text }]
  if (agent !== 'lead') {
    const done = said.length > 0
    const told = said.some(({ name }) => name === 'SendMessage')
    if (agent === 'ana' && done && !told) return call('SendMessage', { to: 'lead', text: 'HALF' })
    if (agent === 'ana') return done ? say('SEVEN') : call('Bash', { command: 'echo ana >> log' })
    return done ? say('EIGHT') : call('Bash', { command: 'echo bo >> log; touch begun; [ -e go ] || sleep 600' })
  }
  const subtasks = [
    { worker: 'ana', task: 'Say a number.' },
    { worker: 'bo', task: 'Say the next one.', depends_on: ['ana'] },
  ]
  if (said.length === 0) return call('Delegate', { subtasks })
  const results = seen.match(/^(?:SEVEN|EIGHT)$/gm) ?? []
  return say(`FINAL ${results.join(' ')}`)
}

const model: Model = {
  name: 'acme/one',
  async *stream(request) {
    const content = answerTo(request)
    const stop = content.some(({ type }) => type === 'tool_use') ? 'tools' : 'end'
    yield { type: 'settled', message: { role: 'assistant', model: 'acme/one', content, stop, usage: noUsage } }
  },
}
const providers = { acme: () => model }
const team = {
  name: 'duo',
  model: 'acme/one',
  coordinator: { prompt: 'You lead.' },
  workers: {
    ana: { description: 'Counts.', prompt: 'You count.', tools: ['Bash', 'SendMessage'] },
    bo: { description: 'Counts on.', prompt: 'You count on.', tools: ['Bash'] },
  },
}

/** A run that was cut off while bo is in the middle of a call: ana has answered, and bo has her answer. */
async function cutOff() {
  const { cwd, run, result } = await play(team, {}, { providers, mode: 'bypassPermissions', allowBypass: true })
  await expect.poll(() => existsSync(join(cwd, 'begun'))).toBe(true)
  run.interrupt()
  await result
  writeFileSync(join(cwd, 'go'), '')
  const kept = join(cwd, 'kept')
  cpSync(run.dir, kept, { recursive: true })
  const log = readFileSync(join(cwd, 'log'), 'utf8')
  const restore = (): void => {
    rmSync(run.dir, { recursive: true })
    cpSync(kept, run.dir, { recursive: true })
    writeFileSync(join(cwd, 'log'), log)
  }
  const linesOf = (owner: string): readonly string[] =>
    readFileSync(join(kept, 'journal', `${owner}.jsonl`), 'utf8')
      .trim()
      .split('\n')
  const cut = (owner: string, lines: number): void => {
    const left = linesOf(owner).slice(0, lines)
    writeFileSync(join(run.dir, 'journal', `${owner}.jsonl`), left.map((line) => `${line}\n`).join(''))
  }
  const spoil = (owner: string, at: number): void => {
    const left = linesOf(owner).map((line, index) => (index === at ? line.slice(0, -9) : line))
    writeFileSync(join(run.dir, 'journal', `${owner}.jsonl`), left.map((line) => `${line}\n`).join(''))
  }
  return { cwd, dir: run.dir, restore, linesOf, cut, spoil }
}

/** Leads the run on to its end. */
async function ending({ cwd, dir }: { cwd: string; dir: string }) {
  const notes: string[] = []
  const onNote = (text: string): void => void notes.push(text)
  const run = await resumeTeam(dir, { home: join(cwd, 'home'), env: bareEnv, providers, onNote })
  onTestFinished(() => run.interrupt())
  const { status, result } = await run.result
  const { recorded } = recordOfRun(dir)
  const settled = recorded.flatMap(({ entry }) =>
    entry.type === 'request.settled' ? [`${entry.request} ${entry.status}`] : [],
  )
  const received = recorded.flatMap(({ entry }) =>
    entry.type === 'mail.received' ? [`${entry.envelope.kind} ${entry.envelope.from}`] : [],
  )
  const worked = readFileSync(join(cwd, 'log'), 'utf8').trim().split('\n')
  const once = worked.filter((name) => name === 'ana').length === 1
  return { status, result, once, settled: settled.toSorted(), received: received.toSorted(), notes }
}

const whole = {
  status: 'completed',
  result: 'FINAL SEVEN EIGHT',
  once: true,
  settled: ['r1 done', 'r2 done'],
  received: ['result ana@duo', 'result bo@duo', 'task lead@duo', 'task lead@duo', 'text ana@duo'],
}

const matters = new Set(['mail.sent', 'mail.received', 'member.spawned', 'request.held'])

/** Lines of a worker's journal on which others, or its own next step, depend. */
const others = new Set(['mail.received', 'call.finished', 'mail.sent'])

describe('journals that lost whole lines at their ends', () => {
  for (const owner of ['team', 'lead', 'ana', 'bo']) {
    test(`${owner}, after each of its lines: the run ends, and each piece is done once`, async () => {
      const { restore, linesOf, cut, ...run } = await cutOff()
      const lines = linesOf(owner)
      const types = lines.map((line) => (JSON.parse(line) as { type: string }).type)
      for (let kept = 0; kept <= lines.length; kept += 1) {
        restore()
        cut(owner, kept)
        const { notes, ...end } = await ending(run)
        const after = `${kept} ${types[kept - 1] ?? 'nothing'}`
        expect({ after, ...end }).toEqual({ after, ...whole })
        const lost = types.slice(kept)
        // A request that is opened after another one's result is opened again as after any kill.
        const mattered =
          lost.some((type) => matters.has(type)) ||
          (lost.includes('request.opened') && kept <= types.indexOf('request.opened'))
        const said = notes.filter((note) => note.includes('journal')).length
        expect({ after, said, notes: notes.length }).toEqual({
          after,
          said: mattered ? 1 : 0,
          notes: mattered ? 1 : 0,
        })
      }
    })
  }

  test('a long one keeps its checkpoint: what is put back is written as the member itself writes', async () => {
    const { cwd, dir, cut, linesOf } = await cutOff()
    const sent = linesOf('ana').findIndex((line) => line.includes('"type":"mail.sent"'))
    cut('ana', sent)
    const file = join(dir, 'journal', 'ana.jsonl')
    const { journal } = openJournal(file, { owner: 'ana', now: Date.now, fold: memberFold, segmentBytes: 1 })
    journal.append([{ type: 'member.idled' }])
    journal.close()
    const checkpoint = join(dir, 'journal', 'ana.2.fold')
    const before = statSync(checkpoint)
    const runFile = readRunFile(dir)
    if (!runFile) throw new Error('there is no run.json')
    const healing = { ...readEarlier(dir), file: runFile, home: join(cwd, 'home'), clock: systemClock() }
    expect(healGaps(dir, healing)).toBe(true)
    const [head = ''] = readFileSync(checkpoint, 'latin1').split('\n')
    expect((JSON.parse(head) as { fold: string }).fold).toBe(memberFold.version)
    expect(statSync(checkpoint).ino).toBe(before.ino)
    expect(readEarlier(dir, healing)).toEqual(readEarlier(dir))
  })

  test('two of them, after any lines: the run ends, nothing is counted twice, and the gap is said', async () => {
    const { restore, linesOf, cut, ...run } = await cutOff()
    const owners = ['team', 'lead', 'ana', 'bo']
    let seed = 7
    const below = (bound: number): number => (seed = (seed * 48_271) % 2_147_483_647) % bound
    for (let turn = 0; turn < 24; turn += 1) {
      restore()
      const cuts = [0, 1].map(() => {
        const owner = owners[below(owners.length)] ?? ''
        const kept = below(linesOf(owner).length + 1)
        cut(owner, kept)
        return `${owner} ${kept}`
      })
      const { notes, ...end } = await ending(run)
      expect({ cuts, ...end }).toEqual({ cuts, ...whole })
      expect(notes.every((note) => note.includes('journal'))).toBe(true)
    }
  })
})

test("a line in the middle of a worker's journal that cannot be read is said, and nobody waits for what it held", async () => {
  const { cwd, dir, restore, linesOf, spoil } = await cutOff()
  for (const [at, line] of linesOf('ana').entries()) {
    const { type } = JSON.parse(line) as { type: string }
    if (!others.has(type)) continue
    restore()
    spoil('ana', at)
    const { notes, ...end } = await ending({ cwd, dir })
    expect({ at, type, ...end }).toEqual({ at, type, ...whole })
    expect(notes.length).toBe(type === 'call.finished' ? 0 : 1)
    const said = recordOfRun(dir).recorded.flatMap(({ entry }) =>
      entry.type === 'warning.raised' && entry.code === 'journal_not_json' ? [entry.message] : [],
    )
    expect(said).toEqual([`line ${at + 1} of the journal of ana (ana.jsonl) is not JSON`])
  }
})

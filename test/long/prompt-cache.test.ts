import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../../src/adapters/tools/define/define-tool.ts'
import { runTeam } from '../../src/runtime/run/run-team.ts'
import { loadTeam } from '../../src/runtime/team-files/load-team.ts'
import { modelServer } from '../adapters/models/support/model-server.ts'
import { bareEnv } from '../support/bare-env.ts'
import { cacheServer } from '../support/cache-server.ts'
import { streamOf, turnsIn, type Speech } from '../support/vendors/speech.ts'
import { tempDir } from '../runtime/support/stage.ts'

/*
 * The requests of a whole team, as the SDK sends them: a lead and six workers, each of forty turns with up to thirty calls
 * at once. Of what a member's request held, its next one finds nearly all in the cache, whatever the lead's state.
 */

const workers = ['ann', 'ben', 'cid', 'dan', 'eve', 'fay']
const turns = 40

/** A sentence of some length, the same for the same call. */
const look = defineTool({
  name: 'Look',
  description: 'Looks something up.',
  input: z.object({ at: z.string() }),
  effect: 'read',
  isReadOnly: () => true,
  isConcurrencySafe: () => true,
  run: async ({ at }) => ({ content: [{ type: 'text', text: `What stands at ${at}. `.repeat(1 + (at.length % 9)) }] }),
})

const looks = (who: string, turn: number, tool: string): Speech => ({
  text: `Turn ${turn}.`,
  calls: Array.from({ length: 1 + ((turn * 7 + who.length * 5 + who.charCodeAt(0)) % 30) }, (_, n) => ({
    id: `${who}_${turn}_${n}`,
    name: tool,
    input: tool === 'Look' ? { at: `${who}/${turn}/${n}` } : {},
  })),
})

const handsOut = (turn: number): Speech => ({
  text: 'Off you go.',
  calls: [
    {
      id: `d_${turn}`,
      name: 'Delegate',
      input: { subtasks: workers.map((worker) => ({ worker, task: 'Look around.' })) },
    },
  ],
})

/** Two rounds of work, with looks at the task board before, between and after. */
function leadSays(turn: number): Speech {
  if (turn === 12 || turn === 24) return handsOut(turn)
  return turn < turns - 1 ? looks('lead', turn, 'TaskList') : { text: 'All is seen.' }
}

function workerSays(who: string, turn: number): Speech {
  return turn === turns / 2 - 1 || turn >= turns - 1 ? { text: 'I have looked.' } : looks(who, turn, 'Look')
}

const prompt = (name: string): string =>
  `You are ${name}. ${'You look at what you are shown, and say what you see. '.repeat(60)}`

test('of what a request held, the next one of its member reads nineteen twentieths from the cache', async () => {
  const ask = cacheServer()
  const seen = new Map<string, { held: number; read: number; before: number; requests: number }>()
  const vendor = await modelServer(({ text, body }, response) => {
    const who = /You are (lead|ann|ben|cid|dan|eve|fay)\./.exec(text)?.[1] ?? ''
    const member = seen.get(who) ?? { held: 0, read: 0, before: 0, requests: 0 }
    const { marks, read, all } = ask(text)
    expect(marks).toBeLessThanOrEqual(4)
    member.held += member.before
    member.read += Math.min(read, member.before)
    seen.set(who, { ...member, before: all, requests: member.requests + 1 })
    const turn = turnsIn('anthropic', body)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf('anthropic', who === 'lead' ? leadSays(turn) : workerSays(who, turn)))
  })
  onTestFinished(vendor.close)
  const cwd = tempDir()
  const team = {
    name: 'crowd',
    model: 'anthropic/claude-opus-5',
    coordinator: { prompt: prompt('lead') },
    tasks: {},
    workers: Object.fromEntries(
      workers.map((name) => [name, { description: `Looks as ${name}.`, prompt: prompt(name), tools: ['Look'] }]),
    ),
  }
  const env = { ...bareEnv, ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: vendor.root }
  const loaded = await loadTeam(team, { cwd, env, tools: [look] })
  const { result } = runTeam(loaded, { task: 'Look around.', cwd, home: join(cwd, 'home'), env, tools: [look] })
  expect(await result).toMatchObject({ status: 'completed', result: 'All is seen.' })
  expect([...seen.keys()].toSorted()).toEqual([...workers, 'lead'].toSorted())
  for (const { held, read, requests } of seen.values()) {
    expect(requests).toBe(turns)
    expect(read / held).toBeGreaterThanOrEqual(0.95)
  }
})

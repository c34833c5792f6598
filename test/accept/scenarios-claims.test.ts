import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { textOf } from '../../src/protocol/conversation/message.ts'
import { bash, delegate, journalOf, patience, theatre, waitFor } from './scenarios/black-box.ts'

const rounds = Array.from({ length: 10 }, (_, n) => n + 1)
const workers = ['ana', 'bo']
const claim = (id: number) => ({ tool: 'TaskClaim', args: { id } })
const cancel = (id: number) => ({ tool: 'TaskDone', args: { id, outcome: 'cancelled', reason: 'counted' } })

/** What a member's calls of a tool were answered, in its journal on disk. */
function answersOf(dir: string, member: string, tool: string): readonly string[] {
  return journalOf(dir, member).flatMap((entry) =>
    entry.type === 'message.appended' && entry.message.role === 'tool'
      ? entry.message.results.flatMap((result) => (result.tool === tool ? [textOf(result)] : []))
      : [],
  )
}

/** Resolves when both workers wait in the shell for the n-th time. */
function bothWaiting(nth: number): (recorded: Recorded) => boolean {
  const seen = new Map<string, number>()
  return ({ owner, entry }) => {
    if (entry.type === 'call.started' && entry.tool === 'Bash') seen.set(owner, (seen.get(owner) ?? 0) + 1)
    return workers.every((name) => (seen.get(name) ?? 0) >= nth)
  }
}

describe('one task, several takers', { timeout: patience }, () => {
  test('of two processes that claim at once exactly one gets the task, and the other is told who has it', async () => {
    const worker = [
      ...rounds.flatMap((id) => [{ calls: [bash(waitFor(`${id}`))] }, { calls: [claim(id)] }]),
      { say: 'I tried.' },
    ]
    const stage = await theatre(
      {
        lead: [
          { calls: rounds.map((id) => ({ tool: 'TaskCreate', args: { subject: `Only one, ${id}` } })) },
          { calls: [delegate(...workers.map((name) => ({ worker: name, task: 'Claim.' })))] },
          { calls: rounds.map(cancel) },
          { say: 'Counted.' },
        ],
        ana: worker,
        bo: worker,
      },
      {
        team: {
          tasks: {},
          workers: Object.fromEntries(
            workers.map((name) => [
              name,
              { description: 'Claims.', prompt: `AGENT=${name}`, tools: ['Bash', 'TaskClaim'], executor: 'process' },
            ]),
          ),
        },
      },
    )
    const play = stage.run()
    for (const round of rounds) {
      // oxlint-disable-next-line no-await-in-loop
      await play.fact(bothWaiting(round))
      stage.cue(`${round}`)
    }
    expect(await play.result).toMatchObject({ status: 'completed', code: 0, result: 'Counted.' })
    const dir = play.dir()
    const said = workers.map((name) => answersOf(dir, name, 'TaskClaim'))
    for (const [index, id] of rounds.entries()) {
      const claims = said.map((answers) => answers[index] ?? '')
      const winner = workers[claims.indexOf(`Task ${id} is yours.`)]
      expect(claims.toSorted()).toEqual([`Task ${id} is yours.`, `Task ${id}: ${winner} holds it.`].toSorted())
    }
    const held = journalOf(dir, 'team').filter(({ type }) => type === 'task.claimed')
    expect(held).toHaveLength(rounds.length)
    const files = readdirSync(join(dir, 'tasks')).map(
      (file) => JSON.parse(readFileSync(join(dir, 'tasks', file), 'utf8')) as { state: string },
    )
    expect(files.map(({ state }) => state)).toEqual(rounds.map(() => 'cancelled'))
  })
})

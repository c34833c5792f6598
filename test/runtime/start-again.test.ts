import { mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import { play, type Played } from './support/stage.ts'

const team = {
  name: 'duo',
  coordinator: { prompt: 'You lead.', gather: { on_failure: { retry: 0 } } },
  workers: { ana: { description: 'Looks.', prompt: 'You look.' } },
}
const delegate = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look.' }] } }] }

/** A worker that cannot start, because a folder lies where its journal belongs. */
async function blocked(lead: object): Promise<Played & { readonly obstacle: string }> {
  const played = await play(team, { lead: { steps: [delegate, lead] }, ana: { steps: [{ say: 'Looked.' }] } })
  const obstacle = join(played.run.dir, 'journal', 'ana.jsonl')
  played.run.subscribe(({ entry }) => {
    if (entry.type === 'member.spawned' && entry.member === 'lead') mkdirSync(obstacle, { recursive: true })
  })
  return { ...played, obstacle }
}

const about = ({ recorded }: Pick<Played, 'recorded'>, types: readonly Entry['type'][]): readonly Entry[] =>
  recorded.flatMap(({ entry }) =>
    'member' in entry && entry.member === 'ana' && types.includes(entry.type) ? [entry] : [],
  )

test('a worker that cannot start begins with a later attempt, once nothing is in its way', async () => {
  const played = await blocked({ say: '{{mail.ana}}' })
  played.run.subscribe(({ entry }) => {
    if (entry.type === 'member.crashed') rmdirSync(played.obstacle)
  })
  expect(await played.result).toMatchObject({ status: 'completed', result: 'Looked.' })
  const types = about(played, ['member.spawned', 'member.crashed', 'member.lost']).map(({ type }) => type)
  expect(types).toEqual(['member.spawned', 'member.crashed', 'member.spawned'])
})

test('one that never can is given up, and its lead is told why', async () => {
  const played = await blocked({ say: 'Without ana.' })
  const { status, reason } = await played.result
  expect(status).toBe('failed')
  expect(reason).toMatch(/^request_failed: ana \(r1\): .*EISDIR/)
  expect(about(played, ['member.spawned'])).toHaveLength(4)
  expect(about(played, ['member.lost'])).toMatchObject([{ reason: expect.stringContaining('EISDIR') as string }])
})

test('a worker that fails at its last step is started again, and takes nobody with it', async () => {
  const script = { lead: { steps: [delegate, { say: '{{mail.ana}}' }] }, ana: { steps: [{ say: 'Looked.' }] } }
  const played = await play(team, script)
  const boxes = join(played.run.dir, 'mail')
  played.run.subscribe(({ entry }) => {
    // A file where the box of the lead belongs: no result can be put into it.
    if (entry.type === 'member.spawned' && entry.member === 'lead') {
      mkdirSync(boxes, { recursive: true })
      writeFileSync(join(boxes, 'lead'), '')
    }
    if (entry.type === 'member.crashed') rmSync(join(boxes, 'lead'))
  })
  expect(await played.result).toMatchObject({ status: 'completed', result: 'Looked.' })
  expect(about(played, ['member.crashed'])).toMatchObject([{ error: expect.stringContaining('ENOTDIR') as string }])
})

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { describe, expect, test } from 'vitest'
import { loadTeam, runTeam } from '../../src/index.ts'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import { stopMember } from '../../src/runtime/upkeep/stop-member.ts'
import { tempDir } from './support/stage.ts'
import { factsBy } from './support/two-models.ts'

const bash = (command: string) => ({ calls: [{ tool: 'Bash', input: { command } }] })
const call = (tool: string, input: object) => ({ calls: [{ tool, input }] })
/** Ends when the worker was asked to stop, or never. */
const untilAsked = bash('touch begun; until [ -e asked ]; do sleep 0.05; done')
const forEver = bash('touch begun; until [ -e never ]; do sleep 0.05; done')
/** The lead hears of the other worker when the slow one is at its command. */
const afterSlow = [bash('until [ -e begun ]; do sleep 0.05; done'), { say: 'Found.' }]
const delegate = (...workers: readonly string[]) =>
  call('Delegate', { subtasks: workers.map((worker) => ({ worker, task: 'Find it.' })) })

interface Played {
  readonly executor: string
  readonly lead: readonly object[]
  readonly slow: readonly object[]
  readonly wait?: 'all'
  /** Hears each fact. */
  readonly hear?: (recorded: Recorded, dir: string, cwd: string) => void
}

/** A lead, a worker that takes its time, and one that is done before. */
async function play({ executor, lead, slow, wait, hear }: Played) {
  const cwd = tempDir()
  const steps = { lead: { steps: lead }, slow: { steps: slow }, quick: { steps: afterSlow } }
  writeFileSync(join(cwd, 'script.yaml'), stringify({ agents: steps }))
  const worker = { description: 'Works.', prompt: 'You work.', executor, tools: ['Bash'] }
  const team = {
    name: 'trio',
    model: 'scripted/script.yaml',
    coordinator: {
      prompt: 'You lead.',
      gather: { wait: wait ?? 'progressive', on_failure: { retry: 0, then: 'continue' } },
    },
    workers: { slow: worker, quick: { ...worker, executor: 'in-process' } },
  }
  writeFileSync(join(cwd, 'team.yaml'), stringify(team))
  const env = { PATH: process.env['PATH'] }
  const options = { task: 'Begin.', cwd, home: cwd, env, mode: 'bypassPermissions', allowBypass: true } as const
  const run = runTeam(await loadTeam(join(cwd, 'team.yaml'), { env }), options)
  const recorded: Recorded[] = []
  run.subscribe((fact) => {
    recorded.push(fact)
    const { entry } = fact
    // The worker is at its command, and reads the wish after it.
    if (entry.type === 'mail.sent' && entry.envelope.kind === 'shutdown') writeFileSync(join(cwd, 'asked'), '')
    hear?.(fact, run.dir, cwd)
  })
  const result = await run.result
  const heardBy = (name: string): string =>
    factsBy(recorded, name, 'mail.received')
      .map(({ envelope: { kind, body } }) => `${kind}: ${body}`)
      .join('\n')
  return { result, recorded, heardBy, stopped: factsBy(recorded, 'team', 'member.stopped') }
}

const stop = (grace: string) => call('StopWorker', { worker: 'slow', reason: 'It is found.', grace })

describe.each(['in-process', 'process'])('a worker %s', (executor) => {
  test('that is asked to stop ends with a result, which counts', async () => {
    const { result, recorded, stopped } = await play({
      executor,
      lead: [
        delegate('slow', 'quick'),
        stop('1m'),
        { say: 'I wait.' },
        { expect: 'Half of it.', say: '{{mail.slow}}' },
      ],
      slow: [untilAsked, { expect: 'lead asks you to stop within 60 s: It is found.', say: 'Half of it.' }],
    })
    expect(result).toMatchObject({ status: 'completed', result: 'Half of it.' })
    expect(stopped).toMatchObject([{ member: 'slow', by: 'lead', reason: 'It is found.' }])
    expect(factsBy(recorded, 'team', 'request.settled')).toContainEqual(
      expect.objectContaining({ worker: 'slow', status: 'done' }) as object,
    )
  })

  test('that refuses goes on, and the lead reads why', async () => {
    const { result, recorded, stopped } = await play({
      executor,
      lead: [
        delegate('slow', 'quick'),
        stop('1m'),
        { say: 'I wait.' },
        { expect: 'It was asked to stop, and goes on. Why:]\nOne file is left.', say: 'Then I wait on.' },
        { expect: 'All of it.', say: '{{mail.slow}}' },
      ],
      slow: [
        untilAsked,
        call('SendMessage', { to: 'lead', text: 'One file is left.' }),
        bash('sleep 1'),
        { say: 'All of it.' },
      ],
    })
    expect(result).toMatchObject({ status: 'completed', result: 'All of it.' })
    expect(stopped).toEqual([])
    expect(factsBy(recorded, 'team', 'stop.refused')).toMatchObject([{ member: 'slow', reason: 'One file is left.' }])
  })

  test('that hears nothing is ended when the time is up', async () => {
    const { result, stopped, recorded } = await play({
      executor,
      lead: [
        delegate('slow', 'quick'),
        stop('300ms'),
        { say: 'I wait.' },
        { expect: 'cancelled', say: 'Without slow.' },
      ],
      slow: [forEver],
    })
    expect(result).toMatchObject({ status: 'completed', result: 'Without slow.' })
    expect(stopped).toHaveLength(1)
    expect(factsBy(recorded, 'team', 'member.crashed')).toEqual([])
  })

  test('that a person stops leaves the others alone, and the lead is told', async () => {
    const outcome = Promise.withResolvers<unknown>()
    const { result, stopped } = await play({
      executor,
      wait: 'all',
      lead: [
        delegate('slow', 'quick'),
        { expect: ['A person stops slow: wrong way. It is ended now.', 'slow (r1): cancelled'], say: 'Without slow.' },
      ],
      slow: [forEver],
      hear({ owner, entry }, dir, home) {
        if (owner === 'quick' && entry.type === 'agent.ended')
          outcome.resolve(stopMember({ run: dir, cwd: home, home, member: 'slow', reason: 'wrong way', graceMs: 0 }))
      },
    })
    expect(await outcome.promise).toMatchObject({ outcome: 'stopped', member: 'slow' })
    expect(result).toMatchObject({ status: 'completed', result: 'Without slow.' })
    expect(stopped).toMatchObject([{ by: 'user', reason: 'wrong way' }])
  })
})

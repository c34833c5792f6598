import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { memberFileSchema } from '../../src/protocol/team/run.ts'
import {
  bash,
  delegate,
  is,
  message,
  patience,
  receivedBy,
  theatre,
  type Performance,
  waitFor,
} from './scenarios/black-box.ts'

const stop = (worker: string) => ({ tool: 'StopWorker', args: { worker } })
const idle = (name: string) => is(name, 'member.idled')
const gone = (name: string) => is(name, 'member.gone')

function stateOf(play: Performance, member: string): string {
  return memberFileSchema.parse(JSON.parse(readFileSync(join(play.dir(), 'members', `${member}.json`), 'utf8'))).state
}

describe('whom mail reaches', { timeout: patience }, () => {
  test('what is addressed to nobody is refused with the names there are, and leaves no trace', async () => {
    const wrong = [
      'enginer',
      '',
      ' lead',
      'LEAD',
      '../lead',
      'lead.json',
      '*',
      'lead@other',
      '/etc/passwd',
      'lead\u0000',
    ]
    const stage = await theatre({
      lead: [{ calls: [message('engineer', 'BEGIN')] }, { calls: [bash(waitFor('tried'))] }, { say: 'Done.' }],
      engineer: [{ when: 'BEGIN', calls: wrong.map((to) => message(to, 'hello')) }, { say: 'None of them.' }],
    })
    const play = stage.run()
    await play.fact(idle('engineer'))
    for (const to of wrong.slice(2, 8)) {
      const { code, err } = await stage.cli(['send', to.includes('@') ? to : `${to}@demo`, 'hello'])
      expect([to, code, err]).toEqual([to, 2, expect.stringMatching(to.includes('@') ? 'other' : 'lead, engineer')])
    }
    stage.cue('tried')
    expect(await play.result).toMatchObject({ status: 'completed' })
    const [, second] = stage.asked('engineer')
    const refusals = second?.texts.slice(-wrong.length) ?? []
    // An empty address is refused by its form alone.
    const unnamed = refusals.filter((refusal, n) => wrong[n] !== '' && !/Not sent: .*(lead|demo)/.test(refusal))
    expect(unnamed).toEqual([])
    expect(refusals[0]).toContain('Did you mean "engineer"')
    expect(play.facts.filter(is('engineer', 'mail.sent'))).toEqual([])
    expect(['engineer', 'lead', 'team']).toEqual(expect.arrayContaining(readdirSync(join(play.dir(), 'mail'))))
    expect(receivedBy(play.dir(), 'lead')).toEqual([])
    expect(readdirSync(stage.dir).toSorted()).toEqual(['.troupe', 'cue-tried'])
  })

  test('a worker that was stopped and is written to again is a new life, and does not take up the old work', async () => {
    const stage = await theatre({
      lead: [
        { calls: [delegate({ worker: 'ana', task: 'OLD TASK' }), bash(waitFor('working'))] },
        { calls: [stop('ana')] },
        { calls: [bash(waitFor('gone'))] },
        { calls: [message('ana', 'NEW WORD')] },
        { calls: [bash(waitFor('answered'))] },
        { say: 'Done.' },
      ],
      ana: [{ calls: [bash(waitFor('never'))] }, { whenNew: 'NEW WORD', say: 'Heard the new word.' }],
      bo: [{ say: '.' }],
    })
    const play = stage.run()
    await play.fact(is('ana', 'call.started'))
    stage.cue('working')
    await play.fact(gone('ana'))
    stage.cue('gone')
    await play.fact(is('ana', 'mail.received', (entry) => 'envelope' in entry && entry.envelope.body === 'NEW WORD'))
    await play.fact(is('ana', 'agent.ended', (entry) => 'reason' in entry && entry.reason === 'completed'))
    stage.cue('answered')
    expect(await play.result).toMatchObject({ status: 'completed' })
    const lives = play.facts.flatMap(({ entry }) => (entry.type === 'member.started' ? [entry.incarnation] : []))
    expect(new Set(lives).size).toBe(lives.length)
    // The sender is told what it is doing, and the new life is asked once, for the new word.
    const told = stage.asked('lead').at(-1)?.texts.join('\n')
    expect(told).toContain('ana was stopped; it is started again to read this.')
    expect(stage.asked('ana')).toHaveLength(2)
  })

  test('a task that its worker never saw dies with the worker', async () => {
    const stage = await theatre({
      lead: [
        { calls: [delegate({ worker: 'ana', task: 'FIRST TASK' }), bash(waitFor('working'))] },
        { calls: [delegate({ worker: 'ana', task: 'SECOND TASK' }), stop('ana')] },
        { calls: [bash(waitFor('gone'))] },
        { calls: [message('ana', 'NEW WORD')] },
        { calls: [bash(waitFor('answered'))] },
        { say: 'Done.' },
      ],
      ana: [{ calls: [bash(waitFor('never'))] }, { whenNew: 'NEW WORD', say: 'Heard.' }],
    })
    const play = stage.run()
    await play.fact(is('ana', 'call.started'))
    stage.cue('working')
    await play.fact(gone('ana'))
    stage.cue('gone')
    await play.fact(is('ana', 'agent.ended', (entry) => 'reason' in entry && entry.reason === 'completed'))
    stage.cue('answered')
    expect(await play.result).toMatchObject({ status: 'completed' })
    const last = stage.asked('ana').at(-1)?.texts.join('\n') ?? ''
    expect(last).toContain('NEW WORD')
    expect(last).not.toContain('SECOND TASK')
  })

  test('a stopped worker leaves, says so, and no process of it stays', async () => {
    const naps = ['98713', '98717']
    const stage = await theatre({
      lead: [
        { calls: [delegate({ worker: 'ana', task: 'BEGIN' }), message('bo', 'BEGIN'), bash(waitFor('asleep'))] },
        { calls: [stop('ana'), stop('bo')] },
        { calls: [bash(waitFor('gone'))] },
        { say: 'Both stopped.' },
      ],
      ana: [{ calls: [bash(`sleep ${naps[0]} & sleep ${naps[1]}`)] }, { say: '.' }],
      bo: [{ say: 'Ready.' }],
    })
    const play = stage.run()
    await Promise.all([play.fact(is('ana', 'call.started')), play.fact(idle('bo'))])
    await expect.poll(() => naps.map(isRunning)).toEqual([true, true])
    stage.cue('asleep')
    await Promise.all([play.fact(gone('ana')), play.fact(gone('bo'))])
    await expect.poll(() => naps.map(isRunning)).toEqual([false, false])
    expect(['ana', 'bo'].map((name) => stateOf(play, name))).toEqual(['gone', 'gone'])
    stage.cue('gone')
    expect(await play.result).toMatchObject({ status: 'completed' })
    const told = stage.asked('lead').at(-1)?.texts.join('\n')
    expect(told).toContain('ana is asked to stop')
    expect(told).toContain('bo is being stopped')
  })

  test('work handed out twice in one turn starts a worker once', async () => {
    const stage = await theatre({
      lead: [
        {
          calls: [
            delegate({ worker: 'ana', task: 'ONE' }),
            delegate({ worker: 'ana', task: 'TWO' }),
            message('ana', 'THREE'),
          ],
        },
        { whenNew: 'answered', say: 'Done.' },
      ],
      ana: [{ say: 'answered' }],
    })
    const play = stage.run()
    expect(await play.result).toMatchObject({ status: 'completed' })
    const spawned = play.facts.flatMap(({ entry }) => (entry.type === 'member.spawned' ? [entry.member] : []))
    expect(spawned).toEqual(['lead', 'ana'])
    expect(readdirSync(join(play.dir(), 'members')).toSorted()).toEqual(['ana.json', 'lead.json'])
  })

  test('a broadcast reaches everybody else once, from inside and from outside', async () => {
    const stage = await theatre({
      lead: [{ calls: [message('all', 'FROM INSIDE')] }, { calls: [bash(waitFor('sent'))] }, { say: 'Done.' }],
      ana: [{ say: '.' }],
      bo: [{ say: '.' }],
    })
    const play = stage.run()
    await play.fact(is('lead', 'call.started', (entry) => 'tool' in entry && entry.tool === 'Bash'))
    const { out } = await stage.cli(['send', 'all@demo', 'FROM OUTSIDE', '--json', '--key', 'news'])
    expect((JSON.parse(out) as { mail: unknown[] }).mail).toHaveLength(3)
    expect(await stage.cli(['send', 'all@demo', 'FROM OUTSIDE', '--key', 'news'])).toMatchObject({ code: 0 })
    stage.cue('sent')
    await play.result
    expect(receivedBy(play.dir(), 'lead')).toEqual(['FROM OUTSIDE'])
    for (const name of ['ana', 'bo'])
      expect(receivedBy(play.dir(), name).toSorted()).toEqual(['FROM INSIDE', 'FROM OUTSIDE'])
  })
})

function isRunning(nap: string): boolean {
  return spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.split('\n').includes(`sleep ${nap}`)
}

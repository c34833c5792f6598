import { expect, test } from 'vitest'
import type { Delta } from '../../../src/runtime/agent/agent-deps.ts'
import { talkingServer } from '../../support/talking-server.ts'
import { spokenDuo } from '../support/spoken-duo.ts'

test.each(['in-process', 'process'] as const)(
  'whoever listens to a run hears what a member %s is writing, each piece once',
  async (executor) => {
    const server = await talkingServer()
    const heard = Promise.withResolvers<void>()
    const said: Delta[] = []
    const { run, ana } = await spokenDuo(executor, server, (delta) => {
      if (delta.member !== 'ana') return
      said.push(delta)
      if (said.length >= 3) heard.resolve()
    })
    let count = 0
    // A live socket is lossy, and may be listened to late: it goes on until it was heard.
    const speaking = setInterval(() => ana.say(`${(count += 1)} `), 20)
    await heard.promise
    clearInterval(speaking)
    ana.end()
    const lead = await server.next()
    lead.say('All done.')
    lead.end()
    expect(await run.result).toMatchObject({ status: 'completed', result: 'All done.' })
    const pieces = said.flatMap(({ text }) => text.split(' ').filter((piece) => piece !== ''))
    expect(pieces).toEqual([...new Set(pieces)])
    expect(said.every(({ type }) => type === 'text')).toBe(true)
  },
)

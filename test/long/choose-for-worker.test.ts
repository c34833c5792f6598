import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sendMail } from '../../src/runtime/mail/send-mail.ts'
import { chooseForMember } from '../../src/runtime/run/choose-for-member.ts'
import { bareEnv } from '../support/bare-env.ts'
import { play } from '../runtime/support/stage.ts'

const patience = { timeout: 60_000 }

test('a worker in a process of its own hears of a choice', async () => {
  const ana = { description: 'Looks.', prompt: 'You look.', tools: ['Write'], executor: 'process' }
  const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Look here.' }] } }] }
  const script = { lead: { steps: [delegation] }, ana: { steps: [{ say: 'I look …', hang: true }] } }
  const { cwd, run, result } = await play(
    { name: 'duo', coordinator: { prompt: 'You lead.' }, workers: { ana } },
    script,
  )
  const [home, journal] = [join(cwd, 'home'), join(run.dir, 'journal/ana.jsonl')]
  const told = (): string => (existsSync(journal) ? readFileSync(journal, 'utf8') : '')
  await expect.poll(() => told().includes('model.requested'), patience).toBe(true)
  const wish = { member: 'ana', choose: 'mode', value: 'plan', home, env: bareEnv } as const
  const chosen = chooseForMember(run.dir, wish)
  await sendMail(run.dir, { to: 'ana', text: 'Look elsewhere.', priority: 'interrupt', home })
  await chosen
  expect(told()).toContain('"type":"mode.chosen"')
  run.abort()
  await result
})

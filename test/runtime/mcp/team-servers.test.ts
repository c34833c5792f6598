import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { answerApproval } from '../../../src/runtime/runs/answer-approval.ts'
import { play } from '../support/stage.ts'

const program = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))
const server = (mode: string, more: object = {}) => ({ command: process.execPath, args: [program, mode], ...more })

const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'clerk', task: 'Go.' }] } }] }
const lead = { steps: [delegation, { say: '{{mail.clerk}}' }] }
const open = { mode: 'bypassPermissions', allowBypass: true, trusted: true } as const

const teamWith = (servers: object, tools: readonly string[], more: object = {}) => ({
  name: 'support',
  mcp_servers: servers,
  coordinator: { prompt: 'You lead.' },
  workers: { clerk: { description: 'Works.', prompt: 'You work.', tools, ...more } },
})

test('a form of a server is filled in field by field, from whatever face', async () => {
  const clerk = {
    steps: [{ calls: [{ tool: 'mcp__odd__echo', input: { text: 'x' }, as: 'e' }] }, { say: '{{e.text}}' }],
  }
  const team = teamWith({ odd: server('form', { required: true }) }, ['mcp__odd'])
  const { cwd, run, result } = await play(team, { lead, clerk }, { ...open, permissionWaitMs: 60_000 })
  const answers = ['blue', '7']
  const requests: string[] = []
  run.subscribe(({ entry }) => {
    if (entry.type !== 'permission.requested') return
    requests.push(entry.request)
    const advice = answers[requests.length - 1]
    answerApproval(run.dir, entry.request, { behavior: 'allow', advice, by: 'me', home: join(cwd, 'home') })
  })
  expect((await result).result).toBe('{"action":"accept","content":{"colour":"blue","size":7}}')
  expect(requests[1]).toBe(`${requests[0] ?? ''}.2`)
})

describe.each(['in-process', 'process'] as const)('a server of the team, %s', (executor) => {
  test('gives its tools to the worker that names it', async () => {
    const clerk = {
      steps: [{ calls: [{ tool: 'mcp__odd__echo', input: { text: 'ahoy' }, as: 'e' }] }, { say: '{{e.text}}' }],
    }
    const team = teamWith({ odd: server('plain', { required: true }) }, ['mcp__odd'], { executor })
    const { result } = await play(team, { lead, clerk }, open)
    expect(await result).toMatchObject({ status: 'completed', result: 'plain: ahoy ä€😀' })
  })
})

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stringify } from 'yaml'
import { expect, test } from 'vitest'
import { rememberTrust, workspaceOf } from '../../../src/adapters/settings/trust-file.ts'
import { serverGrant } from '../../../src/rules/mcp/server-scopes.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'

const program = fileURLToPath(new URL('../../support/mcp/odd-server-process.ts', import.meta.url))
const entry = (mode: string) => ({ command: process.execPath, args: [program, mode], required: true })

const delegation = { calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'clerk', task: 'Go.' }] } }] }
const echo = (as: string) => ({ calls: [{ tool: 'mcp__odd__echo', input: { text: as }, as }] })
const wait = { calls: [{ tool: 'Bash', input: { command: 'until [ -e changed ]; do sleep 0.02; done' } }] }
const script = {
  lead: { steps: [delegation, { say: '{{mail.clerk}}' }] },
  clerk: { steps: [echo('a'), wait, echo('b'), { say: '{{a.text}}, {{b.text}}' }] },
}
const team = {
  name: 'support',
  model: 'scripted/script.yaml',
  coordinator: { prompt: 'You lead.' },
  workers: { clerk: { description: 'Works.', prompt: 'You work.', tools: ['mcp__odd', 'Bash'] } },
}

/** A directory with a team and a `.mcp.json`, and what changes the file. */
function workspace() {
  const cwd = tempDir()
  const home = join(cwd, 'home')
  mkdirSync(join(home, '.troupe'), { recursive: true })
  writeFileSync(join(cwd, 'team.yaml'), stringify(team))
  writeFileSync(join(cwd, 'script.yaml'), stringify({ agents: script }))
  const write = (servers: object | string): void =>
    writeFileSync(
      join(cwd, '.mcp.json'),
      typeof servers === 'string' ? servers : JSON.stringify({ mcpServers: servers }),
    )
  return { cwd, home, write }
}

test('an entry that changes in a run is started anew, once a person trusts it', async () => {
  const { cwd, home, write } = workspace()
  write({ odd: entry('plain') })
  const env = { ...bareEnv, HOME: home }
  const loaded = await loadTeam(join(cwd, 'team.yaml'), { cwd, env })
  const run = runTeam(loaded, {
    task: 'Begin.',
    cwd,
    home,
    env,
    mode: 'bypassPermissions',
    allowBypass: true,
    trusted: true,
  })
  const states: string[] = []
  run.subscribe(({ entry: fact }) => {
    if (fact.type === 'call.finished' && fact.tool === 'mcp__odd__echo' && states.length === 1) {
      // Half a file takes nothing away.
      write('{"mcpServers": {')
      write({ odd: entry('slow') })
    }
    if (fact.type !== 'mcp.changed') return
    states.push(fact.reason === undefined ? fact.state : `${fact.state}: ${fact.reason}`)
    if (states.length === 2) rememberTrust(home, workspaceOf(cwd, home), [serverGrant('odd', entry('slow'))])
    if (states.length === 3) writeFileSync(join(cwd, 'changed'), '')
  })
  expect(await run.result).toMatchObject({ status: 'completed', result: 'plain: a ä€😀, slow: b ä€😀' })
  expect(states).toEqual(['connected', expect.stringMatching(/^failed: nobody trusted it yet/), 'connected'])
})

test('an entry that is taken out in a run takes its server along', async () => {
  const { cwd, home, write } = workspace()
  write({ odd: entry('plain') })
  const env = { ...bareEnv, HOME: home }
  const loaded = await loadTeam(join(cwd, 'team.yaml'), { cwd, env })
  const run = runTeam(loaded, {
    task: 'Begin.',
    cwd,
    home,
    env,
    mode: 'bypassPermissions',
    allowBypass: true,
    trusted: true,
  })
  const states: string[] = []
  run.subscribe(({ entry: fact }) => {
    if (fact.type === 'call.finished' && fact.tool === 'mcp__odd__echo') write({})
    if (fact.type !== 'mcp.changed') return
    states.push(fact.state)
    if (fact.state === 'failed') writeFileSync(join(cwd, 'changed'), '')
  })
  const ended = await run.result
  expect(states).toEqual(['connected', 'failed'])
  expect(ended.result).toMatch(/^plain: a ä€😀, .*(No such tool|no file has an entry for it any more)/)
})

import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Recorded } from '../../../src/protocol/facts/entry.ts'
import { listMemories } from '../../../src/runtime/memory/persons-memory.ts'
import { runTeam } from '../../../src/runtime/run/run-team.ts'
import { loadTeam } from '../../../src/runtime/team-files/load-team.ts'
import { modelServer } from '../../adapters/models/support/model-server.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { streamOf, type Speech } from '../../support/vendors/speech.ts'
import { tempDir } from '../support/stage.ts'

const note = { kind: 'project', title: 'Port', text: 'The port is 8080.' }

test('a worker that is killed while it extracts loses nothing: its next life looks at the same words again', async () => {
  const cwd = tempDir()
  const extractions: string[] = []
  const kill = (): void => {
    const file = readdirSync(join(run.dir, 'members')).find((name) => name.startsWith('ana'))
    const { pid } = JSON.parse(readFileSync(join(run.dir, 'members', file ?? ''), 'utf8')) as { readonly pid: number }
    process.kill(pid, 'SIGKILL')
  }
  let killed = false
  const speech = (text: string): Speech | null => {
    if (text.includes('<record>')) {
      if (text.includes('"tool_result"')) return { text: 'done' }
      extractions.push(text)
      if (killed) return { text: '', calls: [{ id: 'm1', name: 'Remember', input: note }] }
      killed = true
      kill()
      return null
    }
    const isFirst = !text.includes('"tool_use"')
    if (text.includes('You lead.')) {
      const subtasks = [{ worker: 'ana', task: 'Say where the port is.' }]
      return isFirst
        ? { text: '', calls: [{ id: 'd1', name: 'Delegate', input: { subtasks } }] }
        : { text: 'All is done.' }
    }
    if (isFirst)
      return { text: 'The port is 8080, as agreed.', calls: [{ id: 'a1', name: 'LS', input: { path: '.' } }] }
    // The first life hears nothing more.
    return killed ? { text: 'It is 8080.' } : null
  }
  const server = await modelServer(({ text }, response) => {
    const said = speech(text)
    if (said === null) return
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(streamOf('anthropic', said))
  })
  onTestFinished(server.close)
  const team = {
    name: 'duo',
    model: 'anthropic/claude-opus-5',
    coordinator: { prompt: 'You lead.' },
    workers: {
      ana: {
        description: 'Works.',
        prompt: 'You work.',
        tools: ['LS'],
        executor: 'process' as const,
        memory: { extract: { every: 1 } },
      },
    },
  }
  const env = { ...bareEnv, ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: server.root }
  const home = join(cwd, 'home')
  mkdirSync(home)
  const run = runTeam(await loadTeam(team, { cwd, env }), { task: 'Ask.', cwd, home, env })
  const recorded: Recorded[] = []
  run.subscribe((each) => recorded.push(each))
  expect(await run.result).toMatchObject({ status: 'completed' })
  expect(extractions.length).toBeGreaterThan(1)
  expect(extractions[1]).toContain('as agreed')
  const extracted = recorded.flatMap(({ entry }) => (entry.type === 'memory.extracted' ? [entry.written] : []))
  expect(extracted[0]).toEqual(['Remembered as port (project, local).'])
  const { memories } = await listMemories({ cwd, home })
  expect(memories.map(({ name, source }) => [name, source.member])).toEqual([['port', 'ana']])
})

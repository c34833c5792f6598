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

test('a worker that is killed while it extracts loses nothing: its next life looks at the same words again, once', async () => {
  const cwd = tempDir()
  const extractions: string[] = []
  const kill = (): void => {
    const file = readdirSync(join(run.dir, 'members')).find((name) => name.startsWith('ana'))
    const { pid } = JSON.parse(readFileSync(join(run.dir, 'members', file ?? ''), 'utf8')) as { readonly pid: number }
    process.kill(pid, 'SIGKILL')
  }
  const speech = (text: string): Speech | null => {
    if (text.includes('<record>')) {
      if (text.includes('tool_result')) return { text: 'done' }
      extractions.push(text)
      if (extractions.length > 1) return { text: '', calls: [{ id: 'm1', name: 'Remember', input: note }] }
      kill()
      return null
    }
    if (text.includes('You lead.')) {
      const subtasks = [{ worker: 'ana', task: 'Say where the port is.' }]
      return text.includes('tool_use')
        ? { text: 'All is done.' }
        : { text: '', calls: [{ id: 'd1', name: 'Delegate', input: { subtasks } }] }
    }
    // The run goes on behind the extraction: its end waits for it.
    return { text: 'The port is 8080, as agreed.' }
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
        tools: [],
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
  expect(extractions.length).toBe(2)
  expect(extractions[1]).toContain('as agreed')
  expect(
    recorded.filter(({ entry }) => entry.type === 'member.crashed' || entry.type === 'member.lost').length,
  ).toBeLessThan(3)
  const extracted = recorded.flatMap(({ entry }) => (entry.type === 'memory.extracted' ? [entry.written] : []))
  expect(extracted).toEqual([['Remembered as port (project, local).']])
  const { memories } = await listMemories({ cwd, home })
  expect(memories.map(({ name, source }) => [name, source.member])).toEqual([['port', 'ana']])
})

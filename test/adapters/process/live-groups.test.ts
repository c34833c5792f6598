import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { processStart } from '../../../src/adapters/process/liveness.ts'
import { tempDir } from '../../runtime/support/stage.ts'

/** A program with one agent, whose hook and whose command both start what hears no signal, and tell its ids. */
const program = (deaf: string) => `
  const { createAgent } = await import(${JSON.stringify(resolve('src/agent.ts'))})
  const { bash } = await import(${JSON.stringify(resolve('src/adapters/tools/shell/bash.ts'))})
  const usage = { input: 0, output: 0, cache_read: 0, cache_write: 0 }
  const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: ${JSON.stringify(deaf)} } }
  const message = { role: 'assistant', model: 'a/b', usage, content: [call], stop: 'tools' }
  const model = { name: 'a/b', async *stream() { yield { type: 'settled', message } } }
  const hook = { type: 'command', command: ${JSON.stringify(deaf)}, async: true }
  const env = { PATH: process.env.PATH }
  createAgent({ model, tools: [bash], hooks: { PreToolUse: [{ hooks: [hook] }] }, cwd: '.', home: '.', env, permissions: { mode: 'bypassPermissions' } }).run('x')
`

test.each(['SIGTERM', 'SIGINT'] as const)(
  'nothing that hooks and commands started outlives a lone agent ended by %s',
  async (signal) => {
    const deaf = "trap '' TERM INT; sh -c 'echo $PPID $$ >> pids; exec sleep 300' & wait; wait; wait"
    const cwd = tempDir()
    const agent = spawn(process.execPath, ['--input-type=module', '-e', program(deaf)], { cwd, stdio: 'inherit' })
    onTestFinished(() => void agent.kill('SIGKILL'))
    const pids = (): readonly number[] => numbersIn(resolve(cwd, 'pids'))
    await expect.poll(() => pids().length).toBe(4)
    agent.kill(signal)
    expect(await once(agent, 'exit')).toEqual([null, signal])
    await expect.poll(() => pids().filter((pid) => processStart(pid) !== null)).toEqual([])
  },
)

function numbersIn(file: string): readonly number[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split(/\s/).filter(Boolean).map(Number) : []
}

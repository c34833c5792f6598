import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { defineTool, loadTeam, runTeam, TeamFileError, z } from 'troupe'
import type { Extensions, Model, ModelRequest, TeamFile, WorkerPlace } from 'troupe'
import { explainCall, findRun, listRuns, readCost, stopRun } from 'troupe/runs'
import { Read } from 'troupe/tools'

/* A program of somebody who has installed the package. The test of the package checks its types and runs it. */

const shout = defineTool({
  name: 'Shout',
  description: 'Says it loudly.',
  input: z.strictObject({ text: z.string() }),
  effect: 'none',
  isReadOnly: () => true,
  run: ({ text }) => Promise.resolve({ content: [{ type: 'text', text: text.toUpperCase() }] }),
})

/** Delegates first, then answers with what it got; as a worker it shouts once. */
function answerOf({ agent, messages }: ModelRequest) {
  const step = messages.filter(({ role }) => role === 'assistant').length
  const call = (name: string, input: unknown) => [{ type: 'tool_use' as const, id: `${agent}-${step}`, name, input }]
  if (step > 0) return [{ type: 'text' as const, text: `${agent} is done` }]
  if (agent === 'ana') return call('Shout', { text: 'ahoy' })
  return call('Delegate', { subtasks: ['ana', 'bo'].map((worker) => ({ worker, task: 'Go.' })) })
}

const acme = (name: string): Model => ({
  name: `acme/${name}`,
  async *stream(request) {
    const content = answerOf(request)
    const stop = content.some(({ type }) => type === 'tool_use') ? 'tools' : 'end'
    const usage = { input: 1, output: 1, cache_read: 0, cache_write: 0 }
    yield { type: 'settled', message: { role: 'assistant', model: `acme/${name}`, content, stop, usage } }
  },
})

const box: WorkerPlace = {
  async launch({ argv: [program, ...args], env, cwd }) {
    const child = spawn(program, args, { env, cwd, detached: true, stdio: 'ignore' })
    return { exited: once(child, 'exit').then(() => undefined) }
  },
}

const added: Extensions = { tools: [shout], providers: { acme }, executors: { box } }
const team = {
  name: 'pair',
  model: 'acme/large',
  coordinator: { prompt: 'You lead.' },
  workers: {
    ana: { description: 'Shouts.', prompt: 'You shout.', tools: ['Shout', Read.name] },
    bo: { description: 'Waits.', prompt: 'You wait.', model: 'scripted/bo.yaml', executor: 'box' },
  },
} satisfies TeamFile

const wrong: TeamFile = { ...team, workers: { ana: { ...team.workers.ana, tools: ['Shuot'] } } }
const mistakes: unknown = await loadTeam(wrong, added).catch((error: unknown) => error)
console.log(
  mistakes instanceof TeamFileError ? mistakes.diagnostics.map(({ path, hint }) => `${path}: ${hint}`) : mistakes,
)

// @ts-expect-error a team without workers is none
await loadTeam({ name: 'nobody', coordinator: {} }).catch((error: unknown) => console.log(String(error)))

const run = runTeam(await loadTeam(team, added), { task: 'Begin.', ...added })
const shouted: string[] = []
run.subscribe(({ owner, entry }) => {
  if (entry.type === 'call.finished' && owner === 'ana') shouted.push(entry.type)
})
const { status, members } = await run.result
console.log(status, members.map(({ id, turns }) => `${id} ${turns}`).join(', '), shouted.length)
console.log(listRuns()[0]?.state, findRun(process.cwd(), 'pair') === run.dir, readCost(run.dir).members.length)
console.log(await stopRun({ run: 'pair', cwd: process.cwd() }), (await explainCall('Bash(git push)')).decision.behavior)

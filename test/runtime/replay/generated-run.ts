import { failedAnswer, type AssistantMessage, type ToolUseBlock } from '../../../src/protocol/conversation/message.ts'
import { failure } from '../../../src/protocol/conversation/failure.ts'
import type { HookTable } from '../../../src/protocol/hooks/hook.ts'
import type { Model, ModelRequest } from '../../../src/protocol/models/model.ts'
import type { Answer } from '../../../src/protocol/permissions/permission.ts'
import type { Approver } from '../../../src/protocol/port.ts'
import { forkRun } from '../../../src/runtime/run/fork-run.ts'
import { resumeTeam } from '../../../src/runtime/run/resume-team.ts'
import { recordOfRun } from '../../../src/runtime/runs/read-runs.ts'
import { restartMember } from '../../../src/runtime/upkeep/restart-member.ts'
import { hurriedClock } from '../../support/hurried-clock.ts'
import { play } from '../support/stage.ts'

/** Numbers from 0 to 1 that belong to these words: the same words get the same number. */
function chance(...words: readonly (string | number)[]): number {
  let hash = 2_166_136_261
  for (const char of words.join('|')) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
  return ((hash ^ (hash >>> 12)) >>> 0) / 2 ** 32
}

const names = ['ana', 'bo', 'cy']
const usage = { input: 40, output: 8, cache_read: 0, cache_write: 0 }

/** A call that a model of this kind may make: right or wrong, free or to be asked for. */
function callOf(agent: string, key: string): Pick<ToolUseBlock, 'name' | 'input'> {
  const kinds: readonly Pick<ToolUseBlock, 'name' | 'input'>[] = [
    { name: 'LS', input: { path: '.' } },
    { name: 'Read', input: { file_path: 'teams/team.yaml' } },
    { name: 'Read', input: { file_path: 'nowhere.txt' } },
    { name: 'Glob', input: { pattern: '**/*.yaml' } },
    { name: 'Bash', input: { command: `echo ${key.length}` } },
    { name: 'Write', input: { file_path: `${agent}.txt`, content: key } },
    { name: 'Nonsense', input: {} },
    { name: 'Read', input: { path: 4 } },
    { name: 'SendMessage', input: { to: 'lead', text: `I am at ${key}.` } },
  ]
  const subtasks = names.filter((name) => chance(key, name) < 0.6).map((worker) => ({ worker, task: `Look, ${key}.` }))
  if (agent !== 'lead') return kinds[Math.floor(chance(key, 'kind') * kinds.length)] ?? { name: 'LS', input: {} }
  return { name: 'Delegate', input: { subtasks: subtasks.length > 0 ? subtasks : [{ worker: 'ana', task: 'Look.' }] } }
}

/** What a model answers at this point of its conversation. */
function answerOf(seed: number, { agent, messages, left_out = 0 }: ModelRequest, tries: number): AssistantMessage {
  const step = left_out + messages.filter(({ role }) => role === 'assistant').length
  const key = `${seed}-${agent}-${step}`
  const told = chance(key, tries, 'fault')
  const settled = (content: AssistantMessage['content'], stop: AssistantMessage['stop']): AssistantMessage => {
    return { role: 'assistant', model: 'own/m', content, stop, usage }
  }
  if (told < 0.05) return failedAnswer('own/m', failure('server_error', 'it is down'))
  if (told < 0.08) return failedAnswer('own/m', failure('context_exceeded', 'it is too long'))
  if (told < 0.12) return settled([{ type: 'text', text: `Half of ${key}` }], 'max_tokens')
  if (chance(key, 'ends') < (agent === 'lead' ? 0.55 : 0.35) || step > 6) {
    return settled(chance(key, 'mute') < 0.1 ? [] : [{ type: 'text', text: `${agent} says ${step}.` }], 'end')
  }
  const count = agent === 'lead' ? 1 : 1 + Math.floor(chance(key, 'calls') * 3)
  const calls = Array.from({ length: count }, (_, n): ToolUseBlock => {
    return { type: 'tool_use', id: `${agent}-${step}-${n}`, ...callOf(agent, `${key}-${n}`) }
  })
  return settled([{ type: 'text', text: 'Let me see.' }, ...calls], 'tools')
}

/** A person who restarts a member while another one's model, or its own, thinks; each moment comes once. */
function restarterOf(seed: number, restarts: boolean) {
  const seen = new Set<string>()
  const place = { run: '', home: '' }
  return {
    place,
    async think({ agent, messages, left_out = 0 }: ModelRequest): Promise<void> {
      const key = `${place.run} ${agent} ${left_out + messages.length}`
      const drawn = chance(seed, agent, left_out + messages.length, 'restart')
      if (!restarts || seen.has(key) || drawn > 0.1) return
      seen.add(key)
      const member = ['lead', agent, ...names][Math.floor(drawn * 50)] ?? agent
      await restartMember({ ...place, member })
    },
  }
}

function modelOf(seed: number, think: (request: ModelRequest) => Promise<void>): Model {
  const tries = new Map<string, number>()
  return {
    name: 'own/m',
    async *stream(request) {
      await think(request)
      const key = `${request.agent} ${request.messages.length}`
      tries.set(key, (tries.get(key) ?? 0) + 1)
      yield { type: 'settled', message: answerOf(seed, request, tries.get(key) ?? 1) }
    },
    capacity: () => Promise.resolve(seed % 3 === 0 ? { window: 4_000 } : null),
  }
}

/** Allows, denies, changes the input, or ends the asking member's work. */
function approverOf(seed: number): Approver {
  return {
    async answer({ member, call }): Promise<Answer> {
      await Promise.resolve()
      const drawn = chance(seed, member, call.id, 'answer')
      const said = { source: 'user', reason: `drawn ${drawn.toFixed(2)}` } as const
      if (drawn < 0.2) return { ...said, behavior: 'deny' }
      if (drawn < 0.25) return { ...said, behavior: 'deny', scope: 'stop' }
      if (drawn < 0.35 && call.tool === 'Bash')
        return { ...said, behavior: 'allow', updated_input: { command: 'true' } }
      return { ...said, behavior: 'allow', scope: drawn < 0.5 ? 'session' : 'once' }
    },
  }
}

/** Hooks of every fourth run: calls are blocked or changed, ends are refused. */
function hooksOf(seed: number): HookTable {
  let ends = 0
  return {
    PreToolUse: [
      {
        hooks: [
          {
            type: 'function',
            run: (event) => {
              const drawn = chance(seed, JSON.stringify((event as { tool_input?: unknown }).tool_input), 'hook')
              return Promise.resolve(drawn < 0.2 ? { decision: 'block' as const, reason: 'a hook says no' } : {})
            },
          },
        ],
      },
    ],
    Stop: [
      {
        hooks: [
          {
            type: 'function',
            run: () =>
              Promise.resolve((ends += 1) % 5 === 1 ? { decision: 'block' as const, reason: 'Look again.' } : {}),
          },
        ],
      },
    ],
  }
}

/**
 * Plays a random team to its end, kills it at a random moment, as a cut of its journals, and leads the cut to its end.
 * @param patience how long the lead waits for results: a short wait ends work at moments that the machine's load decides
 * @param restarts a person restarts members meanwhile, which cuts work off at such moments, too
 * @returns the run directories
 */
export async function generatedRuns(
  seed: number,
  { patience = '30s', restarts = true } = {},
): Promise<readonly string[]> {
  const worker = {
    description: 'Works.',
    prompt: 'You work.',
    tools: ['LS', 'Read', 'Glob', 'Bash', 'Write', 'SendMessage'],
  }
  const team = {
    name: 'generated',
    model: 'own/m',
    budget: { turns: 60 },
    coordinator: { prompt: 'You lead.', gather: { timeout: patience } },
    workers: { ana: worker, bo: { ...worker, max_turns: 4 }, cy: worker },
  }
  const { place, think } = restarterOf(seed, restarts)
  const options = {
    providers: { own: () => modelOf(seed, think) },
    clock: hurriedClock(40),
    approver: approverOf(seed),
    ...(seed % 4 === 0 ? { hooks: hooksOf(seed) } : {}),
  }
  const { cwd, run, result } = await play(team, {}, options)
  const home = `${cwd}/home`
  Object.assign(place, { run: run.dir, home })
  await result
  const { recorded } = recordOfRun(run.dir)
  const begun = recorded.findIndex(({ entry }) => entry.type === 'team.started')
  const at = begun + 1 + Math.floor(chance(seed, 'cut') * (recorded.length - begun - 2))
  const fork = forkRun(run.dir, { at: recorded[at]?.entry.id ?? '', home })
  place.run = fork
  const resumed = await resumeTeam(fork, { ...options, home, env: {} })
  await resumed.result
  return [run.dir, fork]
}

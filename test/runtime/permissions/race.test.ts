import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { processStart } from '../../../src/adapters/process/liveness.ts'
import { defineTool } from '../../../src/adapters/tools/define/define-tool.ts'
import type { HookTable } from '../../../src/protocol/hooks/hook.ts'
import type { Model } from '../../../src/protocol/models/model.ts'
import type { Approver } from '../../../src/protocol/port.ts'
import { createAgent } from '../../../src/runtime/agent/create-agent.ts'
import { bareEnv } from '../../support/bare-env.ts'
import { tempDir } from '../support/stage.ts'

/** A call that no rule decides: hooks, a classifier and a person are asked at once. */

/** A time line of the test's own: nothing passes on it but what it lets pass. */
function timeLine() {
  const waiting: { at: number; go: () => void }[] = []
  let now = 0
  const at = (ms: number): Promise<void> =>
    new Promise((go) => {
      if (ms <= now) go()
      else waiting.push({ at: ms, go })
    })
  /** Lets time pass from one moment to the next until the work is over. */
  const pass = async (isOver: () => boolean): Promise<void> => {
    for (let rest = 0; !isOver() && rest < 1_000; rest += 1) {
      await new Promise((turn) => void setImmediate(turn))
      if (rest % 50 < 49) continue
      const next = waiting.toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) continue
      waiting.splice(waiting.indexOf(next), 1)
      now = next.at
      rest = 0
      next.go()
    }
  }
  return { at, pass, now: () => now }
}

type Verdict = 'allow' | 'deny'
interface Party<Said> {
  readonly at: number
  readonly says: Said
}

interface Race {
  readonly hooks: readonly Party<Verdict | 'nothing' | 'throws'>[]
  readonly classifier: Party<Verdict> | null
  readonly person: Party<Verdict>
}

const answered = {
  role: 'assistant',
  model: 'test/model',
  usage: { input: 0, output: 0, cache_read: 0, cache_write: 0 },
}

/** An agent's model that makes one call and then speaks. */
function working(tool: string, told: () => void = () => undefined): Model {
  let turns = 0
  return {
    name: 'test/model',
    async *stream() {
      turns += 1
      if (turns === 2) told()
      const call = { type: 'tool_use' as const, id: 'c1', name: tool, input: {} }
      const message =
        turns === 1 ? { content: [call], stop: 'tools' } : { content: [{ type: 'text', text: 'done' }], stop: 'end' }
      yield { type: 'settled', message: { ...answered, ...message } as never }
    },
  }
}

async function run({ hooks, classifier, person }: Race) {
  const line = timeLine()
  const withdrawn = new Set<string>()
  const losing = (who: string, signal: AbortSignal): void =>
    signal.addEventListener('abort', () => withdrawn.add(who), { once: true })
  let [over, at] = [false, -1]
  const ran: string[] = []
  const mark = defineTool({
    name: 'Mark',
    description: 'Marks.',
    input: z.strictObject({}),
    effect: 'execute',
    isReadOnly: () => false,
    async run() {
      ran.push('ran')
      return { content: [{ type: 'text', text: 'marked' }] }
    },
  })
  const hook = ({ at, says }: Race['hooks'][number], n: number) => ({
    type: 'function' as const,
    name: `hook ${n}`,
    async run(_: unknown, signal: AbortSignal) {
      losing(`hook ${n}`, signal)
      await line.at(at)
      if (says === 'throws') throw new Error('broken')
      if (says === 'nothing') return undefined
      return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: says } } }
    },
  })
  const table: HookTable = hooks.length === 0 ? {} : { PermissionRequest: [{ hooks: hooks.map(hook) }] }
  const judge: Model = {
    name: 'test/judge',
    async *stream(_, signal) {
      losing('classifier', signal)
      await line.at(classifier?.at ?? 0)
      const text = classifier?.says === 'allow' ? 'ALLOW: fine' : 'DENY: no'
      yield { type: 'settled', message: { ...answered, content: [{ type: 'text', text }], stop: 'end' } as never }
    },
  }
  const approver: Approver = {
    async answer(_, signal) {
      losing('person', signal)
      await line.at(person.at)
      return { behavior: person.says, source: 'human', reason: 'said so', scope: 'once', by: 'ann' }
    },
  }
  const cwd = tempDir()
  const agent = createAgent({
    // The call has its result when the model is asked again.
    model: working('Mark', () => (at = line.now())),
    tools: [mark],
    hooks: table,
    approver,
    ...(classifier && { classifier: judge }),
    cwd,
    home: cwd,
    env: bareEnv,
  })
  await Promise.all([agent.run('Mark.').result.then(() => (over = true)), line.pass(() => over)])
  return { at, ran: ran.length > 0, withdrawn }
}

/** Who counts, and when, by the rules alone. */
function expected({ hooks, classifier, person }: Race): { readonly behavior: Verdict; readonly at: number } {
  const spoken = Math.max(0, ...hooks.map(({ at }) => at))
  const denials = hooks.flatMap(({ at, says }) => (says === 'deny' ? [{ behavior: 'deny' as const, at }] : []))
  const allows = hooks.some(({ says }) => says === 'allow') && denials.length === 0
  const judged =
    classifier === null
      ? []
      : [
          {
            behavior: classifier.says,
            at: classifier.says === 'allow' ? Math.max(classifier.at, spoken) : classifier.at,
          },
        ]
  const all = [
    { behavior: person.says, at: person.at },
    ...denials,
    ...(allows ? [{ behavior: 'allow' as const, at: spoken }] : []),
    ...judged,
  ]
  return all.toSorted((a, b) => a.at - b.at || (a.behavior === 'deny' ? -1 : 1))[0] ?? { behavior: 'deny', at: 0 }
}

const hookSets: readonly Race['hooks'][] = [
  [],
  [{ at: 50, says: 'allow' }],
  [{ at: 50, says: 'deny' }],
  [{ at: 50, says: 'nothing' }],
  [{ at: 50, says: 'throws' }],
  [
    { at: 50, says: 'allow' },
    { at: 500, says: 'nothing' },
  ],
  [
    { at: 50, says: 'allow' },
    { at: 500, says: 'deny' },
  ],
  [
    { at: 50, says: 'deny' },
    { at: 500, says: 'allow' },
  ],
]
const classifiers: readonly Race['classifier'][] = [null, { at: 200, says: 'allow' }, { at: 200, says: 'deny' }]
const people: readonly Race['person'][] = [10, 100, 300, 1_000].flatMap((at) => [
  { at, says: 'allow' as const },
  { at, says: 'deny' as const },
])
const races = hookSets.flatMap((hooks) =>
  classifiers.flatMap((classifier) => people.map((person): Race => ({ hooks, classifier, person }))),
)

describe('the first that may decide answers', () => {
  test.each(classifiers.map((classifier) => [classifier] as const))('with the classifier %j', async (classifier) => {
    for (const race of races.filter((each) => each.classifier === classifier)) {
      const { at: seen, ran, withdrawn } = await run(race)
      const { behavior, at } = expected(race)
      expect({ race, ran, at: seen }).toEqual({ race, ran: behavior === 'allow', at })
      // Whoever was still thinking is told that it is over.
      const late = [
        ...(race.person.at > at ? ['person'] : []),
        ...(race.classifier !== null && race.classifier.at > at ? ['classifier'] : []),
        ...race.hooks.flatMap((hook, n) => (hook.at > at ? [`hook ${n}`] : [])),
      ]
      expect({ race, withdrawn: late.filter((who) => !withdrawn.has(who)) }).toEqual({ race, withdrawn: [] })
    }
  })
})

test('with real programs a denial counts at once, and whoever lost is gone', async () => {
  const cwd = tempDir()
  const deny = {
    hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'deny', message: 'not that' } },
  }
  const slow = { type: 'command' as const, command: 'echo $$ > slow.pid; sleep 120' }
  const quick = {
    type: 'command' as const,
    command: `until test -s slow.pid; do sleep 0.02; done; printf '%s' '${JSON.stringify(deny)}'`,
  }
  let isWithdrawn = false
  const approver: Approver = {
    answer: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => {
          isWithdrawn = true
          reject(signal.reason as Error)
        })
      }),
  }
  const bash = (await import('../../../src/adapters/tools/shell/bash.ts')).bash
  const model = working('Bash')
  const withCommand: Model = {
    ...model,
    async *stream(request, signal) {
      for await (const each of model.stream(request, signal)) {
        if (each.type !== 'settled') continue
        const content = each.message.content.map((block) =>
          block.type === 'tool_use' ? { ...block, input: { command: 'touch made' } } : block,
        )
        yield { ...each, message: { ...each.message, content } }
      }
    },
  }
  const agent = createAgent({
    model: withCommand,
    tools: [bash],
    hooks: { PermissionRequest: [{ hooks: [slow, quick] }] },
    approver,
    cwd,
    home: cwd,
    env: bareEnv,
  })
  await agent.run('Make it.').result
  expect(existsSync(join(cwd, 'made'))).toBe(false)
  expect(isWithdrawn).toBe(true)
  const pid = Number(readFileSync(join(cwd, 'slow.pid'), 'utf8'))
  await expect.poll(() => processStart(pid)).toBeNull()
})

import { describe, expect, test } from 'vitest'
import { markedProcesses } from '../../src/adapters/process/end-process.ts'
import { isAlive } from '../../src/adapters/process/liveness.ts'
import { readMember } from '../../src/adapters/sessions/read-run.ts'
import type { Recorded } from '../../src/protocol/facts/entry.ts'
import type { Extensions } from '../../src/runtime/runs/extensions.ts'
import { play, type Played } from '../runtime/support/stage.ts'

/** How many workers the scripted team has. */
const workers = ['ana', 'bo', 'cy', 'di', 'ed', 'flo'] as const

const crowd = (executor: string) => ({
  name: 'crowd',
  coordinator: { prompt: 'You lead.' },
  workers: Object.fromEntries(
    workers.map((name) => [name, { description: 'Looks.', prompt: 'You look.', tools: ['LS', 'Bash'], executor }]),
  ),
})

const script = {
  lead: {
    steps: [
      {
        calls: [
          { tool: 'Delegate', input: { subtasks: workers.map((worker) => ({ worker, task: `Look, ${worker}.` })) } },
        ],
      },
      { say: workers.map((name) => `{{mail.${name}}}`).join(', ') },
    ],
  },
  ...Object.fromEntries(
    workers.map((name) => [
      name,
      {
        steps: [
          { calls: [{ tool: 'LS', input: { path: 'teams' } }] },
          { expect: 'script.yaml', say: `${name} saw it` },
        ],
      },
    ]),
  ),
}

/**
 * What every member did, without what differs between two runs of the same: times, names of lives, processes,
 * and the hashes of the prompt, which names the directory.
 */
function storyOf(recorded: readonly Recorded[], member: string): readonly unknown[] {
  const plain = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value, (key, inner: unknown) => (differs.has(key) ? undefined : inner))
        .replaceAll(/[0-9A-HJKMNP-TV-Z]{26}/g, '<ulid>')
        .replaceAll(/\/tmp\/[\w/.-]*?troupe-runtime-\w+/g, '<cwd>'),
    )
  return recorded.filter(({ owner }) => owner === member).map(({ entry }) => plain(entry))
}
const differs = new Set(
  'policy at sent_at pid executor duration_ms mac hello request key fingerprint sha256'.split(' '),
)

/** How an executor is tried: what has to be so afterwards, and what a program adds for it. */
interface ExecutorUnderTest extends Extensions {
  readonly afterwards?: (played: Played) => void
}

/** Behaviour that every executor shares, seen through a whole run of a team. */
export function executorContract(kind: string, tried: ExecutorUnderTest = {}): void {
  const { afterwards = () => undefined, ...extensions } = tried
  describe(`workers in ${kind}`, () => {
    test('do the same work as everywhere, and leave nothing behind', async () => {
      const [here, there] = await Promise.all([
        play(crowd('in-process'), script),
        play(crowd(kind), script, extensions),
      ])
      const answer = workers.map((name) => `${name} saw it`).join(', ')
      expect(await here.result).toMatchObject({ status: 'completed', result: answer })
      expect(await there.result).toMatchObject({ status: 'completed', result: answer })
      for (const name of workers) expect(storyOf(there.recorded, name)).toEqual(storyOf(here.recorded, name))
      expectNobodyLeft(there)
      afterwards(there)
    })

    test('are stopped in the middle of a command, and the command with them', async () => {
      const played = await play(
        crowd(kind),
        {
          ...script,
          lead: { steps: [{ calls: [{ tool: 'Delegate', input: { subtasks: [{ worker: 'ana', task: 'Wait.' }] } }] }] },
          ana: { steps: [{ calls: [{ tool: 'Bash', input: { command: 'sleep 600' } }] }] },
        },
        { ...extensions, rules: { allow: ['Bash(sleep:*)'] } },
      )
      played.run.subscribe(({ owner, entry }) => {
        if (owner === 'ana' && entry.type === 'call.started') played.run.abort()
      })
      expect(await played.result).toMatchObject({ status: 'aborted' })
      const last = played.recorded.filter(({ owner }) => owner === 'ana').map(({ entry }) => entry.type)
      expect(last.slice(-2)).toEqual(['member.drained', 'member.gone'])
      expectNobodyLeft(played)
      afterwards(played)
    })
  })
}

function expectNobodyLeft({ run, recorded }: Played): void {
  for (const { owner, entry } of recorded) {
    if (entry.type !== 'member.started') continue
    expect(markedProcesses(entry.incarnation)).toEqual([])
    const member = readMember(run.dir, owner)
    expect(member).toMatchObject({ state: 'gone', incarnation: entry.incarnation })
    const lives = member !== null && member.pid !== process.pid && isAlive(member.pid, member.started)
    expect(lives).toBe(false)
  }
}

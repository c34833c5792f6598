import { basename } from 'node:path'
import type { Executed, Moment } from './counting.ts'
import { withModelServer } from './model-server.ts'
import { openStage, type Play, type Stage } from './stage.ts'
import type { TroupeProcess } from './troupe-process.ts'
import { until } from './until.ts'

/** A walk through the Troupe of one directory. */
export interface Walk {
  readonly name: string
  readonly what: string
  go(dir: string): Promise<readonly Executed[]>
}

export const walks: readonly Walk[] = [
  { name: 'call', what: "task → a worker's tool call", go: call },
  { name: 'approval', what: 'a call that asks → a person → the worker', go: approval },
  { name: 'mail', what: "SendMessage → the other's model request", go: mail },
  { name: 'delta', what: 'a token on the wire → the attach screen', go: delta },
]

const worker = { description: 'Works.', prompt: 'You work.' }
const coordinator = { prompt: 'You lead.' }

function delegate(...subtasks: readonly object[]): object {
  return { say: 'Begin.', calls: [{ tool: 'Delegate', input: { subtasks } }] }
}

function calling(tool: string, input: object): object {
  return { calls: [{ tool, input }] }
}

/** The line of a member's journal that holds these texts as well. */
function line(member: string, type: string, ...texts: readonly string[]): Moment {
  return { line: [`"id":"${member}-`, `"type":"${type}"`, ...texts] }
}

async function on(dir: string, play: Play, act: (stage: Stage) => Promise<readonly Executed[]>) {
  const stage = openStage(dir, play)
  try {
    return await act(stage)
  } finally {
    stage.close()
  }
}

function call(dir: string): Promise<readonly Executed[]> {
  const play: Play = {
    team: { coordinator, workers: { ana: { ...worker, tools: ['Read'] } } },
    steps: {
      lead: [delegate({ worker: 'ana', task: 'Read the note.' }), { say: 'Done.' }],
      ana: [calling('Read', { file_path: 'note.txt' }), { hang: true }],
    },
  }
  const between = { from: line('team', 'team.started'), until: line('ana', 'call.finished', '"Read"') }
  return on(dir, play, ({ start }) => start(['run', 'walk', 'Begin.'], between).executed())
}

function approval(dir: string): Promise<readonly Executed[]> {
  const play: Play = {
    team: { coordinator, workers: { ana: { ...worker, tools: ['Write'] } } },
    steps: {
      lead: [delegate({ worker: 'ana', task: 'Write it.' }), { say: 'Done.' }],
      ana: [calling('Write', { file_path: 'made.txt', content: 'Made.\n' }), { hang: true }],
    },
  }
  const between = { from: line('ana', 'message.appended', '"Write"'), until: line('ana', 'permission.decided') }
  return on(dir, play, async ({ start, file }) => {
    const run = start(['run', 'walk', 'Begin.', '--wait-permissions', '1h'], between)
    const id = basename(await file('.troupe/runs/*/permissions/*.json'), '.json')
    const whole = { from: 'start', until: 'exit' } as const
    const answer = await start(['permissions', 'answer', id, 'allow'], whole).executed()
    // Refused for options that do not go together, when all is imported and nothing looked for.
    const refused = await start(['permissions', 'answer', id, 'allow', '--stop'], whole).executed()
    return [...(await run.executed()), ...without(answer, refused)]
  })
}

function without(all: readonly Executed[], others: readonly Executed[]): readonly Executed[] {
  const key = ({ file, start }: Executed): string => `${file}:${start}`
  const known = new Set(others.map(key))
  return all.filter((each) => !known.has(key(each)))
}

function mail(dir: string): Promise<readonly Executed[]> {
  const play: Play = {
    team: {
      coordinator,
      workers: {
        ana: { ...worker, tools: ['SendMessage'] },
        bo: { ...worker, tools: ['Read'], model: 'openai-compatible/m' },
      },
    },
    steps: {
      // Ana begins when bo rests, so that her mail wakes him.
      lead: [
        delegate({ worker: 'bo', task: 'Be there.' }, { worker: 'ana', task: 'Say hello.', depends_on: ['bo'] }),
        { say: 'Done.' },
      ],
      ana: [calling('SendMessage', { to: 'bo', text: 'Hello.' }), { hang: true }],
    },
  }
  const between = { from: line('ana', 'message.appended', '"SendMessage"'), until: 'request' } as const
  return withModelServer(({ env, next }) =>
    on(dir, { ...play, env }, async ({ start }) => {
      const run = start(['run', 'walk', 'Begin.'], between)
      const first = await next()
      first.say('Here.')
      first.end()
      return run.executed()
    }),
  )
}

function delta(dir: string): Promise<readonly Executed[]> {
  const play: Play = {
    team: { coordinator, workers: { ana: { ...worker, tools: ['Read'], model: 'openai-compatible/m' } } },
    steps: { lead: [delegate({ worker: 'ana', task: 'Say something.' }), { say: 'Done.' }] },
  }
  const between = { from: 'signal', until: 'signal' } as const
  return withModelServer(({ env, next }) =>
    on(dir, { ...play, env }, async ({ start, startOnTerminal }) => {
      const run = start(['run', 'walk', 'Begin.'], between)
      const answer = await next()
      const attach = await startOnTerminal(['attach', 'ana@walk'], between)
      // What is said before the screen listens is not shown there.
      await shown(attach, 'alpha', () => answer.say('alpha '))
      answer.say('beta ')
      await shown(attach, 'beta')
      for (const { pid } of [run, attach]) process.kill(pid, 'SIGUSR2')
      await Promise.all([run.began(), attach.began()])
      answer.say('omega ')
      await shown(attach, 'omega')
      for (const { pid } of [run, attach]) process.kill(pid, 'SIGUSR2')
      return [...(await run.executed()), ...(await attach.executed())]
    }),
  )
}

/** Returns once the process has written the word; does something after each look that finds none. */
function shown({ said }: TroupeProcess, word: string, meanwhile = (): void => {}): Promise<true> {
  const look = (): true | null => {
    if (said().includes(word)) return true
    meanwhile()
    return null
  }
  return until(look, () => `no ${word} is shown: ${said()}`)
}

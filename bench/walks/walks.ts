import { basename } from 'node:path'
import type { Executed, Moment } from './counting.ts'
import { withModelServer, type ModelServer } from './model-server.ts'
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
/** A model whose answers are given here, and only when the process that asks has come to rest. */
const served = { model: 'openai-compatible/m' }

function calling(tool: string, input: object): object {
  return { calls: [{ tool, input }] }
}

/** The line of a member's journal that holds these texts as well. */
function line(member: string, type: string, ...texts: readonly string[]): Moment {
  return { line: [`"id":"${member}-`, `"type":"${type}"`, ...texts] }
}

type Act = (stage: Stage, model: ModelServer) => Promise<readonly Executed[]>

function on(dir: string, play: Play, act: Act): Promise<readonly Executed[]> {
  return withModelServer(async (model) => {
    const stage = openStage(dir, { ...play, env: model.env })
    try {
      return await act(stage, model)
    } finally {
      stage.close()
    }
  })
}

/** A lead that hands its task to ana, who makes one call and then nothing more. */
function ledCall(tool: string, input: object): Play {
  return {
    team: { coordinator: { ...coordinator, ...served }, workers: { ana: { ...worker, tools: [tool] } } },
    steps: { ana: [calling(tool, input), { hang: true }] },
  }
}

async function handOver(run: TroupeProcess, { next }: ModelServer): Promise<void> {
  const answer = await next()
  await run.rests()
  answer.call('Delegate', { subtasks: [{ worker: 'ana', task: 'Do your part.' }] })
  answer.end()
}

function call(dir: string): Promise<readonly Executed[]> {
  const spans = [
    { from: line('team', 'team.started'), until: line('lead', 'model.requested') },
    { from: line('lead', 'message.appended', '"Delegate"'), until: line('ana', 'call.finished', '"Read"') },
  ]
  return on(dir, ledCall('Read', { file_path: 'note.txt' }), async ({ start }, model) => {
    const run = start(['run', 'walk', 'Begin.'], ...spans)
    await handOver(run, model)
    return run.executed()
  })
}

function approval(dir: string): Promise<readonly Executed[]> {
  const span = { from: line('ana', 'message.appended', '"Write"'), until: line('ana', 'permission.decided') }
  const whole = { from: 'start', until: 'exit' } as const
  return on(dir, ledCall('Write', { file_path: 'made.txt', content: 'Made.\n' }), async ({ start, file }, model) => {
    const run = start(['run', 'walk', 'Begin.', '--wait-permissions', '1h'], span)
    await handOver(run, model)
    const id = basename(await file('.troupe/runs/*/permissions/*.json'), '.json')
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
  // Ana begins when bo rests, so that her mail wakes him.
  const subtasks = [
    { worker: 'bo', task: 'Be there.' },
    { worker: 'ana', task: 'Say hello.', depends_on: ['bo'] },
  ]
  const bo = { ...worker, ...served, tools: ['Read'] }
  const play: Play = {
    team: { coordinator, workers: { ana: { ...worker, tools: ['SendMessage'] }, bo } },
    steps: {
      lead: [calling('Delegate', { subtasks }), { say: 'Done.' }],
      ana: [calling('SendMessage', { to: 'bo', text: 'Hello.' }), { hang: true }],
    },
  }
  const span = { from: line('ana', 'message.appended', '"SendMessage"'), until: 'request' } as const
  return on(dir, play, async ({ start }, { next }) => {
    const run = start(['run', 'walk', 'Begin.'], span)
    const answer = await next()
    await run.rests()
    answer.say('Here.')
    answer.end()
    return run.executed()
  })
}

function delta(dir: string): Promise<readonly Executed[]> {
  const subtasks = [{ worker: 'ana', task: 'Say something.' }]
  const play: Play = {
    team: { coordinator, workers: { ana: { ...worker, ...served, tools: ['Read'] } } },
    steps: { lead: [calling('Delegate', { subtasks }), { say: 'Done.' }] },
  }
  const span = { from: 'signal', until: 'signal' } as const
  return on(dir, play, async ({ start, startOnTerminal }, { next }) => {
    const run = start(['run', 'walk', 'Begin.'], span)
    const answer = await next()
    const attach = await startOnTerminal(['attach', 'ana@walk'], span)
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
  })
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

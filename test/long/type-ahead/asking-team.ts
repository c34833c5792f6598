import { stringify } from 'yaml'
import type { Entry } from '../../../src/protocol/facts/entry.ts'
import { directoryWith, journalOf } from '../../ui/cli/process/troupe.ts'

const members = ['ana', 'bo', 'cy']
/** More than a test decides. */
const questionsEach = 200

/** The last option of a question, or the command of a call as a question alone has it, in a line of its own. */
const signPattern = /(?:<|  touch )((?:ana|bo|cy)-\d+)(?=[>\s\u001b])/g
export const signsIn = (text: string): readonly string[] =>
  [...text.matchAll(signPattern)].map(([, name = '']) => `<${name}>`)

const optionOf = (sign: string, n: number): string => `option ${n}${n === 9 ? ` ${sign}` : ''}`

/** Two questions in words, then one about a call. */
function callOf(member: string, n: number) {
  const sign = `<${member}-${n}>`
  return n % 3 === 2
    ? { tool: 'Bash', input: { command: `touch ${member}-${n}`, description: sign } }
    : {
        tool: 'AskUser',
        input: { question: 'Which one?', options: Array.from({ length: 9 }, (_, at) => optionOf(sign, at + 1)) },
      }
}

/** A directory with a team whose members ask one question after another. */
export function askingTeam(): string {
  const worker = { description: 'Asks.', prompt: 'You ask.', tools: ['AskUser', 'Bash'], max_turns: 2 * questionsEach }
  const team = {
    name: 'asking',
    model: 'scripted/asking.script.yaml',
    coordinator: { prompt: 'You lead.' },
    workers: Object.fromEntries(members.map((name) => [name, worker])),
  }
  const subtasks = members.map((name) => ({ worker: name, task: 'Ask.' }))
  const lead = { steps: [{ calls: [{ tool: 'Delegate', input: { subtasks } }] }, { say: 'All is asked.' }] }
  const steps = (name: string) => Array.from({ length: questionsEach }, (_, n) => ({ calls: [callOf(name, n)] }))
  const agents = { lead, ...Object.fromEntries(members.map((name) => [name, { steps: steps(name) }])) }
  return directoryWith({ 'teams/asking.yaml': stringify(team), 'teams/asking.script.yaml': stringify({ agents }) })
}

export interface Decided {
  readonly sign: string
  readonly by: string
  readonly behavior: string
  readonly reason: string
  /** The number of the chosen option. */
  readonly option: string | null
}

/** The decisions in the journals of a run: each member asks one question at a time, in their order. */
export function decisionsIn(run: string): readonly Decided[] {
  return members.flatMap((member) =>
    journalOf(run, member)
      .flatMap((fact: Entry) => (fact.type === 'permission.decided' && fact.request !== undefined ? [fact] : []))
      .map(({ by = '', decision: { behavior, reason } }, n) => ({
        sign: `<${member}-${n}>`,
        by,
        behavior,
        reason,
        option: /^option (\d)/.exec(reason)?.[1] ?? null,
      })),
  )
}

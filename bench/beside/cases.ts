import type { Answer } from '../vendors.ts'

/** The units in which a case is told: of which figure, divided by what. */
type Shown = readonly {
  readonly figure: 'cpu_ms' | 'wall_ms' | 'rss_kb'
  readonly per: string
  readonly goal?: number
}[]

/** A case of the bench: `size` turns, pieces or agents, as the server answers it. */
export interface Case {
  readonly name: string
  readonly what: string
  readonly size: number
  /** True where the figures are of one turn or agent; else of the whole work. */
  readonly each: boolean
  readonly shown: Shown
  /** The answer to the request with so many answers before it. */
  answer(step: number, size: number): Answer
}

const done: Answer = { said: ['This is done.'] }

function loop(step: number, turns: number): Answer {
  if (step >= turns - 1) return done
  return { calls: [{ id: `call_${step}`, name: 'Noop', input: [JSON.stringify({ i: step, note: `step ${step}` })] }] }
}

/** 100 kB of arguments in so many pieces. */
function bigArguments(step: number, pieces: number): Answer {
  if (step > 0) return done
  const text = JSON.stringify({ i: 1, note: 'x'.repeat(100_000) })
  const length = Math.ceil(text.length / pieces)
  const input = Array.from({ length: pieces }, (_, n) => text.slice(n * length, (n + 1) * length)).filter(Boolean)
  return { calls: [{ id: 'call_1', name: 'Noop', input }] }
}

const words = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `word ${n % 100} `)

/** Turns of each agent of the fan-out. */
const fanTurns = 5

const cpu = { figure: 'cpu_ms', per: 'CPU' } as const
const wall = { figure: 'wall_ms', per: 'wall' } as const

/** The cases of `npm run bench`; a ratio above its goal is told. */
export const cases: readonly Case[] = [
  {
    name: 'loop',
    what: '200-turn loop, a turn',
    size: 200,
    each: true,
    shown: [
      { ...cpu, goal: 1.2 },
      { ...wall, goal: 1.2 },
    ],
    answer: loop,
  },
  { name: 'long', what: '1,000-turn loop, a turn', size: 1_000, each: true, shown: [cpu], answer: loop },
  {
    name: 'deltas',
    what: 'one reply of 20,000 deltas',
    size: 20_000,
    each: false,
    shown: [
      { ...cpu, goal: 1.2 },
      { ...wall, goal: 1.2 },
    ],
    answer: (_, deltas) => ({ said: words(deltas) }),
  },
  {
    name: 'arguments',
    what: '100 kB of arguments in 5,000 pieces',
    size: 5_000,
    each: false,
    shown: [{ ...cpu, goal: 1.2 }],
    answer: bigArguments,
  },
  {
    name: 'fan',
    what: `1,000 agents × ${fanTurns} turns, an agent`,
    size: 1_000,
    each: true,
    shown: [
      { ...cpu, goal: 1.2 },
      { figure: 'rss_kb', per: 'RSS' },
    ],
    answer: (step) => loop(step, fanTurns),
  },
  {
    name: 'cold',
    what: 'process start → first request',
    size: 1,
    each: false,
    shown: [wall],
    answer: () => ({ said: [String(Date.now())] }),
  },
  {
    name: 'abort',
    what: 'abort → settled, in a stream',
    size: 20,
    each: false,
    shown: [wall],
    answer: () => ({ said: words(10) }),
  },
]

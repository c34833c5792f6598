import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { stringify } from 'yaml'
import type { ExecutorKind } from '../../src/protocol/team/team-card.ts'

/** The team that a storm passes over: its lead asks all workers for something, again in each round. */
export interface StormTeam {
  /** Of each worker in turn. */
  readonly executors: readonly ExecutorKind[]
  readonly isolation: 'none' | 'worktree'
  readonly workers: number
  readonly rounds: number
  /** Commands of each worker in each round. */
  readonly turns: number
}

/** Every command writes its own line, once. */
interface WrittenTeam {
  /** What the lead answers in the end when nothing was disturbed. */
  readonly answer: string
  /** The lines that commands write. */
  readonly effects: readonly string[]
  /** How often workers are answered by their model. */
  readonly answers: number
}

/** Writes team, script and repository; every step of the script insists on what came before it. */
export function writeStormTeam(cwd: string, team: StormTeam): WrittenTeam {
  const names = Array.from({ length: team.workers }, (_, index) => `w${index + 1}`)
  const rounds = Array.from({ length: team.rounds }, (_, index) => index + 1)
  mkdirSync(join(cwd, 'teams'))
  const answer = saidBy(names, team.rounds)
  const lead = { steps: [...rounds.flatMap((round) => leadSteps(names, round)), { say: mailOf(names), expect: names }] }
  const stepsOf = (name: string) => rounds.flatMap((round) => workSteps(join(cwd, 'effects'), { name, round, ...team }))
  const workers = names.map((name) => [name, { steps: stepsOf(name) }] as const)
  const agents = { lead, ...Object.fromEntries(workers) }
  writeFileSync(join(cwd, 'teams', 'script.yaml'), stringify({ agents }))
  writeFileSync(join(cwd, 'teams', 'team.yaml'), stringify(cardOf(names, team)))
  if (team.isolation === 'worktree') makeRepository(cwd)
  const effects = names.flatMap((name) => rounds.flatMap((round) => linesOf(name, round, team.turns)))
  return { answer, effects, answers: names.length * team.rounds * (team.turns + 1) }
}

function cardOf(names: readonly string[], { executors, isolation, rounds, turns }: StormTeam) {
  const max_turns = rounds * (turns + 1) + 2
  const cards = names.map((name, index) => {
    const executor = executors[index % executors.length] ?? 'process'
    return [
      name,
      { description: 'Works.', prompt: 'You work.', tools: ['Bash', 'LS'], max_turns, executor, isolation },
    ] as const
  })
  return {
    name: 'storm',
    model: 'scripted/script.yaml',
    coordinator: { prompt: 'You lead.', gather: { rounds: 1_000 } },
    supervision: { restarts: 1_000, within: '1m' },
    workers: Object.fromEntries(cards),
  }
}

const done = (name: string, round: number): string => `${name} is done with round ${round}`
const saidBy = (names: readonly string[], round: number): string => names.map((name) => done(name, round)).join(', ')
const mailOf = (names: readonly string[]): string => names.map((name) => `{{mail.${name}}}`).join(', ')

function leadSteps(names: readonly string[], round: number): readonly object[] {
  const subtasks = names.map((worker) => ({ worker, task: `Do round ${round}.` }))
  const delegate = { calls: [{ tool: 'Delegate', input: { subtasks } }] }
  if (round === 1) return [delegate]
  const before = names.map((name) => done(name, round - 1))
  return [{ expect: before, ...delegate }]
}

interface Work extends Pick<StormTeam, 'turns'> {
  readonly name: string
  readonly round: number
}

/** @param log the file that commands write to */
function workSteps(log: string, { name, round, turns }: Work): readonly object[] {
  const calls = linesOf(name, round, turns).map((line) => ({
    expect: `Do round ${round}.`,
    calls: [
      { tool: 'LS', input: { path: '.' } },
      { tool: 'Bash', input: { command: `echo ${line} >> ${log}; sleep 0.02` } },
    ],
  }))
  return [...calls, { say: done(name, round) }]
}

function linesOf(name: string, round: number, turns: number): readonly string[] {
  return Array.from({ length: turns }, (_, turn) => `${name}-${round}-${turn + 1}`)
}

function makeRepository(cwd: string): void {
  const git = (...args: readonly string[]): void => {
    execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=e@x', ...args], { cwd, stdio: 'ignore' })
  }
  writeFileSync(join(cwd, '.gitignore'), 'effects\nhome\nleader.log\n.troupe\n')
  git('init', '-q')
  git('add', '.')
  git('commit', '-q', '-m', 'begin')
}

import { localTime } from '../../protocol/words/local-time.ts'
import type { CoordinatorView } from './coordinator-view.ts'
import { untilText } from './recovery-text.ts'
import { waitText, type MemberView } from './roster.ts'

/** A chart of `machines/` and the state in which it stands, the outer state first. */
export interface ChartState {
  readonly chart: 'member' | 'agent' | 'tool-call' | 'coordinator'
  readonly path: readonly string[]
  readonly words: string
}

/** The charts of a member in their present states, from what its journal says: its life, its loop, each of its calls. */
export function chartStates(view: MemberView): readonly ChartState[] {
  if (view.interrupted) return [{ chart: 'member', path: [], words: 'interrupted: nobody leads the run' }]
  return [lifeOf(view), ...loopOf(view), ...callsOf(view)]
}

const lives: Readonly<Record<MemberView['state'], Omit<ChartState, 'chart'>>> = {
  not_started: { path: [], words: 'nobody has started it' },
  starting: { path: ['starting'], words: 'opens its inbox and its journal' },
  busy: { path: ['living', 'busy'], words: 'its agent works' },
  idle: { path: ['living', 'idle'], words: 'waits for its bell or for a person' },
  draining: { path: ['draining'], words: 'hands over what is left and leaves' },
  gone: { path: ['gone'], words: 'has left' },
  crashed: { path: [], words: 'has failed; its supervisor decides whether it comes back' },
}

function lifeOf(view: MemberView): ChartState {
  const { path, words } = lives[view.state]
  const wait = view.state === 'idle' ? waitText(view) : null
  return { chart: 'member', path, words: [words, wait, view.trouble].filter((text) => text !== null).join(' · ') }
}

function loopOf(view: MemberView): readonly ChartState[] {
  const { phase, turn, until } = view
  const paused = until === null ? '' : ` ${untilText(until)}`
  const phases = {
    thinking: { path: ['thinking', 'asking'], words: `turn ${turn}: the model is asked` },
    paused: { path: ['thinking', 'asking'], words: `turn ${turn}: the model is limited, paused${paused}` },
    parked: { path: ['thinking', 'parked'], words: waitText(view) ?? 'asks nothing before results are in' },
    acting: { path: ['acting', 'running'], words: `turn ${turn}: its calls are carried out` },
  } as const
  if (phase === null) return []
  // The calls of an answer are carried out from the answer on.
  const isActing = phase === 'thinking' && view.asked.size + view.waiting.size > 0
  return [{ chart: 'agent', ...phases[isActing ? 'acting' : phase] }]
}

function callsOf({ running, waiting, asked, state }: MemberView): readonly ChartState[] {
  if (state !== 'busy') return []
  const call = (path: string, words: string): ChartState => ({ chart: 'tool-call', path: [path], words })
  return [
    ...[...waiting.values()].map((label) => call('permitting', `${label} waits for a person`)),
    ...[...running].filter(([id]) => !waiting.has(id)).map(([, label]) => call('running', label)),
    ...[...asked].filter(([id]) => !waiting.has(id)).map(([, label]) => call('opening', `${label} has not begun`)),
  ]
}

const rounds: Readonly<Record<string, string>> = {
  beginning: 'takes up what an earlier leader left',
  planning: 'the lead plans: no request is out',
  gathering: 'a round of requests is out',
  synthesising: 'the round is over: the lead writes from the results',
  answered: 'the lead has answered',
  waiting: 'the turn of the lead is over; mail may wake it',
  ended: 'the run is over',
}

/** The coordinator's chart in its present state. */
export function coordinatorChart({ state, deadline, requests }: CoordinatorView): ChartState {
  const named = (isOut: boolean): string =>
    [...requests.values()].flatMap((each) => (each.isOut === isOut ? [each.worker] : [])).join(', ')
  const [out, held] = [named(true), named(false)]
  const words = [
    rounds[state ?? ''] ?? 'has not begun',
    ...(out === '' ? [] : [`out: ${out}`]),
    ...(held === '' ? [] : [`held back: ${held}`]),
    ...(deadline === null ? [] : [`until ${localTime(deadline).clock}`]),
  ]
  return { chart: 'coordinator', path: state === null ? [] : [state], words: words.join(' · ') }
}

/** @example chartText({ chart: 'member', path: ['living', 'busy'], words: 'works' }) // 'member living › busy: works' */
export function chartText({ chart, path, words }: ChartState): string {
  return `${[chart, path.join(' › ')].join(' ').trim()}: ${words}`
}

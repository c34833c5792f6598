import type { Millis } from '../../src/protocol/words/ids.ts'
import type { RestartKind } from '../../src/protocol/team/team-card.ts'
import { restartAllowed, startDelayMs } from '../../src/rules/team/restart-budget.ts'
import type { SpawnVerdict } from '../../src/rules/team/spawn-guard.ts'

/**
 * The team's book of lives: one entry per declared member, and what each piece of news makes of it.
 * Pure: `nextLife` says what becomes of a life and what is to be done; `machines/team/team.ts` does it.
 */
type LifeState =
  | 'absent'
  | 'delayed'
  | 'spawning'
  | 'living'
  | 'asked'
  | 'stopping'
  | 'recalled'
  | 'restarting'
  | 'stopped'
  | 'lost'

export interface Life {
  readonly name: string
  readonly restart: RestartKind
  /**
   * `asked` may still go on, or leave by itself; `recalled` is stopping, and wanted again by mail that came meanwhile;
   * `restarting` is ended to begin again with its conversation; `delayed` could not start, and will try again.
   */
  readonly state: LifeState
  /** How often it was started. */
  readonly attempt: number
  readonly crashes: readonly Millis[]
  /** Attempts to start it that came to nothing, since it last ran. */
  readonly failedStarts: number
  /** When it was last told to start. */
  readonly at: Millis
  /** How many starts away from the coordinator it was started. */
  readonly depth: number
  /** True after a stop: the next life begins from nothing. */
  readonly fresh: boolean
  /** A person restarted it: the next life makes no call again that had begun. */
  readonly restarted?: boolean
  /** Why it is to stop, or did; null while nobody wants that. */
  readonly stop: Stop | null
}

/** A wish that a member stops: whose, why, and until when it may refuse or finish. */
export interface Stop {
  /** A member, or `user`. */
  readonly by: string
  readonly reason: string
  readonly until: Millis
}

export type Lives = Readonly<Record<string, Life>>

/** News about a life. */
export interface News {
  readonly member: string
  readonly what:
    | 'addressed'
    | 'due'
    | 'started'
    | 'crashed'
    | 'gone'
    | 'stop'
    | 'stays'
    | 'ended'
    | 'overdue'
    | 'restart'
  readonly at: Millis
  /** Why it crashed, is to stop, or goes on. */
  readonly reason?: string
  /** The member that wrote to this one, when a member did; who wants it to stop. */
  readonly by?: string
  /** How long it may take to stop by itself. */
  readonly grace_ms?: number
  /** Set when the member was running at the end of its leader: no new life begins. */
  readonly recalled?: true
  /** Set when it crashed of something that another attempt would meet again. */
  readonly hopeless?: true
}

export interface Intensity {
  readonly max: number
  readonly within_ms: number
}

/** The life after the news, and the one thing to do about it. */
export interface LifeStep {
  readonly life: Life
  /** `cut` ends the member at once, as a crash would. */
  readonly act: 'none' | 'spawn' | 'delay' | 'ask' | 'terminate' | 'cut' | 'mourn' | 'refuse'
  /** How long before it is tried again. */
  readonly delay_ms?: number
  /** Why it is not started. */
  readonly refusal?: SpawnRefusal
}

type SpawnRefusal = Extract<SpawnVerdict, { act: 'refuse' }>

/** A life that has not begun. */
export function unbornLife(name: string, restart: RestartKind): Life {
  return {
    name,
    restart,
    state: 'absent',
    attempt: 0,
    crashes: [],
    failedStarts: 0,
    at: 0,
    depth: 0,
    fresh: false,
    stop: null,
  }
}

/** True for a member that needs no start and was not told to leave: mail to it is no news. */
export function isUp({ state }: Life): boolean {
  return state === 'spawning' || state === 'living' || state === 'asked'
}

/** Wanted no more, and not gone yet. */
function isStopping(life: Life): boolean {
  return life.state === 'asked' || isLeaving(life)
}

/** Whether a stop has come to its end with this step: nothing of the life runs any more. */
export function hasStopped(before: Life, { life, act }: Pick<LifeStep, 'life' | 'act'>, what: News['what']): boolean {
  if (before.state === 'restarting' || life.state === 'restarting') return false
  if (isStopping(before)) return !isStopping(life) && what !== 'stays'
  return what === 'stop' && act === 'none' && !isRunning(life)
}

/** Told to leave, and not gone yet. */
export function isLeaving({ state }: Life): boolean {
  return state === 'stopping' || state === 'recalled' || state === 'restarting'
}

/** Running or about to: the run goes on with it. */
export function isCounted(life: Life): boolean {
  return life.state === 'delayed' || isRunning(life)
}

/** True for a member that must be gone before the team is. */
export function isRunning(life: Life): boolean {
  return isUp(life) || isLeaving(life)
}

/** Between two states, so that the team cannot be quiet. */
export function isChanging(life: Life): boolean {
  return life.state === 'spawning' || life.state === 'delayed' || isStopping(life)
}

/** The effect of a piece of news on a life. News that does not fit the state changes nothing. */
export function nextLife(life: Life, news: News, intensity: Intensity): LifeStep {
  const wasUp = isUp(life)
  switch (news.what) {
    case 'addressed':
      return addressed(life, news.at)
    case 'due':
      return life.state === 'delayed' ? spawned(life, news.at) : unacted(life)
    case 'started':
      return unacted(
        life.state === 'spawning'
          ? { ...life, state: 'living', failedStarts: 0, fresh: false, restarted: false }
          : life,
      )
    case 'stop':
      return stopped(life, news)
    case 'restart':
      return restarted(life, news.at)
    case 'stays':
      return unacted(life.state === 'asked' ? { ...life, state: 'living', stop: null } : life)
    case 'ended':
      return life.state === 'asked' ? { life: { ...life, state: 'stopping' }, act: 'terminate' } : unacted(life)
    case 'overdue':
      if (life.state !== 'asked' || news.at < (life.stop?.until ?? 0)) return unacted(life)
      return { life: { ...life, state: 'stopping' }, act: 'terminate' }
    case 'gone':
      if (life.state === 'asked') return left(life, news.at)
      if (wasUp && life.restart !== 'always') return unacted({ ...life, state: 'absent' })
      return wasUp ? recovered(life, news, intensity) : left(life, news.at)
    case 'crashed':
      if (life.state === 'asked') return left(life, news.at)
      return wasUp ? recovered(life, news, intensity) : left(life, news.at)
    default:
      return news.what satisfies never
  }
}

function unacted(life: Life): LifeStep {
  return { life, act: 'none' }
}

/**
 * A living member is asked first, where it is given time; one that starts is told to leave as soon as it has started. To
 * stop what does not run is to leave it so.
 */
function stopped(life: Life, { at, by = '', reason = '', grace_ms = 0 }: News): LifeStep {
  const stop: Stop = { by, reason, until: at + grace_ms }
  if (!isRunning(life)) return unacted(life.state === 'lost' ? life : { ...life, state: 'stopped', stop })
  if (isLeaving(life)) return unacted(life.state === 'restarting' ? { ...life, state: 'stopping', stop } : life)
  if (life.state === 'spawning' || grace_ms === 0)
    return { life: { ...life, state: 'stopping', stop }, act: 'terminate' }
  return { life: { ...life, state: 'asked', stop }, act: 'ask', delay_ms: grace_ms }
}

function addressed(life: Life, at: Millis): LifeStep {
  if (life.state === 'absent' || life.state === 'stopped') return spawned(life, at)
  return unacted(life.state === 'stopping' ? { ...life, state: 'recalled' } : life)
}

/**
 * A person wants the member anew: its next life keeps the conversation, also after a stop or after it was given up, and its
 * crashes count no more.
 */
function restarted(life: Life, at: Millis): LifeStep {
  const anew = { ...life, crashes: [], failedStarts: 0, fresh: false, restarted: true }
  if (life.state === 'restarting') return unacted(life)
  if (!isRunning(life)) return spawned(anew, at)
  return { life: { ...anew, state: 'restarting', stop: null }, act: isLeaving(life) ? 'none' : 'cut' }
}

function spawned(life: Life, at: Millis): LifeStep {
  return { life: { ...life, state: 'spawning', attempt: life.attempt + 1, at, stop: null }, act: 'spawn' }
}

/** A member that was told to leave has left. */
function left(life: Life, at: Millis): LifeStep {
  if (life.state === 'restarting') return spawned(life, at)
  if (life.state === 'recalled') return spawned({ ...life, fresh: true }, at)
  return unacted(isStopping(life) ? { ...life, state: 'stopped', fresh: true } : life)
}

/**
 * A member ended that should not have: it starts again while its restart kind and the intensity allow, at once when it had
 * started. Attempts that came to nothing are counted however long they took.
 */
function recovered(life: Life, { at, hopeless }: News, intensity: Intensity): LifeStep {
  const failedStarts = life.state === 'spawning' ? life.failedStarts + 1 : 0
  const crashed = { ...life, crashes: [...life.crashes, at], failedStarts }
  const allowed = restartAllowed(crashed.crashes, at, intensity) && failedStarts <= intensity.max
  if (life.restart === 'never' || hopeless === true || !allowed)
    return { life: { ...crashed, state: 'lost' }, act: 'mourn' }
  if (failedStarts === 0) return spawned(crashed, at)
  return { life: { ...crashed, state: 'delayed', at }, act: 'delay', delay_ms: startDelayMs(failedStarts) }
}

import type { Millis } from '../../src/protocol/words/ids.ts'
import type { BudgetUnit } from '../../src/rules/team/call-budget.ts'
import { judgeSpawn, type SpawnBounds, type SpawnVerdict } from '../../src/rules/team/spawn-guard.ts'
import { isCounted, type Life, type LifeStep, type Lives, type News } from './lives.ts'

/**
 * The gate that every start of a member passes, whoever wants it: by mail, by a request, after a crash.
 * Pure: `machines/team/team.ts` asks it, and does what it says.
 */
export interface SpawnGate {
  readonly coordinator: string
  readonly lives: Lives
  readonly bounds: SpawnBounds
  /** When members were started, each start once. */
  readonly starts: readonly Millis[]
  /** Members that have come to rest since their start; kept only where a limit asks for it. */
  readonly resting: readonly string[]
  readonly spent: BudgetUnit | null
}

/**
 * How far from the coordinator a member is that somebody addresses. A person's mail counts as the coordinator's; where
 * nobody is named it is as far as it was.
 */
function depthOf({ lives }: SpawnGate, { member, by }: Pick<News, 'member' | 'by'>): number {
  return by === undefined ? Math.max(1, lives[member]?.depth ?? 1) : (lives[by]?.depth ?? 0) + 1
}

/** Workers other than this one. */
function atWork({ coordinator, lives, resting }: SpawnGate, member: string): number {
  const others = Object.values(lives).filter(({ name }) => name !== coordinator && name !== member)
  return others.filter((life) => isCounted(life) && !resting.includes(life.name)).length
}

/** Whether mail to a member that is not running may start it. */
export function mayStart(gate: SpawnGate, news: Pick<News, 'member' | 'by' | 'at'>): SpawnVerdict {
  const population = { ...gate, atWork: gate.bounds.concurrency === undefined ? 0 : atWork(gate, news.member) }
  return judgeSpawn(gate.bounds, population, { depth: depthOf(gate, news), at: news.at })
}

/** The same object where it is absent already: that is no news, and asks for no other survey. */
function waiting(life: Life, { depth, fresh }: Pick<Life, 'depth' | 'fresh'>): Life {
  return life.state === 'absent' && life.depth === depth ? life : { ...life, state: 'absent', depth, fresh }
}

/**
 * The step that is really taken where a start is due. Whoever has to wait stays absent: its mail is found when somebody
 * has come to rest. Whoever is refused is stopped, so that its mail keeps no run going. The coordinator, and who is
 * only taken up again, begin nothing new.
 */
export function gated(gate: SpawnGate, before: Life, { news, step }: { news: News; step: LifeStep }): LifeStep {
  if (step.act !== 'spawn') return step
  if (before.name === gate.coordinator) return { ...step, life: { ...step.life, depth: 0 } }
  if (news.recalled === true) return step
  const depth = news.what === 'addressed' ? depthOf(gate, news) : before.depth
  const started = { ...step, life: { ...step.life, depth } }
  const verdict = mayStart(gate, news)
  const { fresh } = step.life
  if (verdict.act === 'refuse') return { life: { ...before, fresh, state: 'stopped' }, act: 'refuse', refusal: verdict }
  const isAgain = news.what !== 'addressed'
  if (verdict.act === 'wait' && !isAgain) return { life: waiting(before, { depth, fresh }), act: 'none' }
  return started
}

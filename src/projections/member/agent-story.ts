import type { Entry } from '../../protocol/facts/entry.ts'
import type { Message } from '../../protocol/conversation/message.ts'
import type { Decision } from '../../protocol/permissions/permission.ts'
import type { SkillInUse } from '../../protocol/skills/skill.ts'
import type { TouchedFile } from '../../protocol/tools/tool.ts'
import { unplanned, type PlanState } from '../../rules/permissions/mode.ts'
import { adviceText } from '../../rules/team/advice.ts'
import type { Arranged } from './arranged.ts'
import { noChoice, type Chosen } from './chosen.ts'
import type { EntryOf } from '../fold/fold.ts'
import { noExtraction, type Extraction } from './extraction.ts'
import { isCapacity } from '../../rules/team/retry-policy.ts'

/** The limit that an agent waits for, in whichever of its lives. */
export interface Pause {
  /** Until when it waits for a limit to reset; null when it does not. */
  until: number | null
  /** When a busy or limited server refused it first, since anybody answered it; null when none did. */
  since: number | null
}

/** How often the classifier of an agent said no. A classifier that is stuck must not refuse for ever in silence. */
export interface Denials {
  /** Since something was allowed or a person was asked. */
  inARow: number
  /** In the whole session. */
  inAll: number
}

/** How often an agent's advisor was asked. */
export interface AdviceCount {
  used: number
  /** The advisor's words on calls of the latest answer, by the call's id. */
  readonly said: Map<string, string>
}

/** Whether an agent plans or carries out. */
export interface Planning {
  state: PlanState
}

/** How long a lead waited for others, and whether it keeps its conversation longer for that. */
export interface Waits {
  /** Of the latest ones. */
  readonly lengths: number[]
  /** When the wait of now began; null while it does not wait. */
  since: number | null
  extended: boolean
}

/** An agent's knowledge of itself, beside the conversation: folded from the lines of all its lives. */
export interface AgentStory {
  readonly pause: Pause
  readonly denials: Denials
  readonly advice: AdviceCount
  readonly planning: Planning
  readonly chosen: Chosen
  readonly arranged: Arranged
  readonly waits: Waits
  /** How often each tool was called. */
  readonly calls: Map<string, number>
  /** The content of each file as the agent last saw or left it: SHA-256 by real path. */
  readonly seen: Map<string, string>
  /** The content that the agent's file tools gave each file last: SHA-256 by real path. */
  readonly written: Map<string, string>
  /** Deferred tools that the agent has looked up, the first one first. */
  readonly loaded: Set<string>
  readonly extraction: Extraction
  /** The skills that the agent uses. */
  readonly skills: { used: readonly SkillInUse[] }
}

/** The story of an agent whose journal is empty. */
export function emptyStory(): AgentStory {
  return {
    pause: { until: null, since: null },
    denials: { inARow: 0, inAll: 0 },
    advice: { used: 0, said: new Map() },
    planning: { state: unplanned },
    chosen: noChoice(),
    arranged: { todos: [], plan: null },
    waits: { lengths: [], since: null, extended: false },
    calls: new Map(),
    seen: new Map(),
    written: new Map(),
    loaded: new Set(),
    extraction: noExtraction(),
    skills: { used: [] },
  }
}

/**
 * Takes one entry of the agent's own journal in. An approved plan holds for one piece of work, and over a restart in the
 * middle of it. A pause lasts until it is resumed or the model has answered; the trouble behind it until the model has
 * answered or the work has ended. Refused calls do not count as calls.
 */
export function applyStory(story: AgentStory, entry: Entry): void {
  const { pause, planning, advice, calls } = story
  switch (entry.type) {
    case 'message.appended':
      if (entry.message.role === 'assistant') advice.said.clear()
      else noteLoaded(story.loaded, entry.message)
      return
    case 'model.consulted':
      if (entry.purpose !== 'advice') return
      advice.used += 1
      if (entry.advice !== undefined && entry.call_id !== undefined)
        advice.said.set(entry.call_id, adviceText(entry.advice, entry.stop === 'max_tokens'))
      return
    case 'permission.decided':
      countDenial(story.denials, entry.decision)
      return
    case 'call.started':
    case 'call.reused':
      calls.set(entry.tool, (calls.get(entry.tool) ?? 0) + 1)
      return
    case 'call.finished':
      if (entry.file) noteFile(story, entry.file)
      return
    case 'plan.entered':
    case 'plan.approved':
    case 'mode.chosen':
      applyPlanning(planning, entry)
      return
    case 'skill.opened':
      story.skills.used = [...story.skills.used.filter(({ skill }) => skill !== entry.skill), inUse(entry)]
      return
    case 'agent.ended':
      endWork(story)
      applyPause(pause, entry)
      return
    default:
      applyPause(pause, entry)
      applyWait(story.waits, entry)
  }
}

/** A plan, and the rules of skills, hold for one piece of work. */
function endWork({ planning, skills }: AgentStory): void {
  planning.state = unplanned
  if (skills.used.length > 0) skills.used = skills.used.map(withoutRules)
}

/** A mode that a person chose takes the place of what the agent planned by itself. */
function applyPlanning(planning: Planning, entry: EntryOf<'plan.entered' | 'plan.approved' | 'mode.chosen'>): void {
  if (entry.type === 'mode.chosen' && entry.refused !== undefined) return
  planning.state = { entered: entry.type === 'plan.entered', approved: entry.type === 'plan.approved' }
}

function noteFile({ seen, written }: AgentStory, { path, sha256, wrote }: TouchedFile): void {
  seen.set(path, sha256)
  if (wrote) written.set(path, sha256)
}

function inUse({ call_id, skill, folder, allow, deny, model }: SkillInUse): SkillInUse {
  return { call_id, skill, folder, allow, deny, ...(model === undefined ? {} : { model }) }
}

/** The rules of a skill hold for one piece of work; its files stay readable. */
function withoutRules(used: SkillInUse): SkillInUse {
  return { ...used, allow: [], deny: [], model: undefined }
}

/** As many say how long a lead waits these days. */
const keptWaits = 50

function applyWait(waits: Waits, entry: Entry): void {
  if (entry.type === 'agent.parked') waits.since = entry.at
  if (entry.type === 'cache.extended') waits.extended = true
  if (entry.type !== 'model.requested' || waits.since === null) return
  waits.lengths.push(entry.at - waits.since)
  if (waits.lengths.length > keptWaits) waits.lengths.shift()
  waits.since = null
}

/** Counts calls and questions anew, for an agent whose runs are counted one by one. */
export function forgetCounts({ calls, advice }: AgentStory): void {
  calls.clear()
  advice.used = 0
}

const mostInARow = 3
const mostInAll = 20

/** The classifier has refused too much: a person is asked instead. */
export function refusesTooMuch({ inARow, inAll }: Denials): boolean {
  return inARow >= mostInARow || inAll >= mostInAll
}

/** Only denials by the classifier count: those by a person are meant. */
function countDenial(denials: Denials, { behavior, source }: Decision): void {
  if (source !== 'classifier' && source !== 'human') return
  const isDenial = source === 'classifier' && behavior === 'deny'
  denials.inARow = isDenial ? denials.inARow + 1 : 0
  if (isDenial) denials.inAll += 1
}

function applyPause(pause: Pause, entry: Entry): void {
  if (entry.type === 'model.paused') pause.until = entry.until
  else if (entry.type === 'model.resumed' || ends.has(entry.type)) pause.until = null
  if (ends.has(entry.type)) pause.since = null
  else if (isRefusal(entry)) pause.since ??= entry.at
}

const ends: ReadonlySet<string> = new Set(['model.settled', 'model.fell_back', 'agent.ended'])

function isRefusal(entry: Entry): boolean {
  return (entry.type === 'model.retried' || entry.type === 'model.paused') && isCapacity(entry.failure)
}

/** How a result of ToolSearch begins to show a tool; what stands inside cannot look like it. */
const shown = /^<tool name="([A-Za-z][A-Za-z0-9_-]*)">$/gm

function noteLoaded(loaded: Set<string>, message: Message): void {
  if (message.role !== 'tool') return
  for (const { tool, is_error, content } of message.results) {
    if (tool !== 'ToolSearch' || is_error) continue
    for (const block of content) {
      if (block.type === 'text') for (const [, name = ''] of block.text.matchAll(shown)) loaded.add(name)
    }
  }
}

import type { Recorded } from '../../protocol/facts/entry.ts'
import type { RunStatus } from '../../protocol/facts/fact.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import type { LiveEvent } from '../../protocol/facts/live.ts'
import type { PermissionMode } from '../../protocol/permissions/permission.ts'
import type { Message } from '../../protocol/conversation/message.ts'
import { emptyCost, applyCost, type Cost } from '../cost/cost.ts'
import { applyCoordinator, firstCoordinatorView, type CoordinatorView } from './coordinator-view.ts'
import { foldOver, getOrMake, ignore } from '../fold/fold.ts'
import { answeredCall, blocksOf, endedCall, type Block, type CallBlock } from './pane-blocks.ts'
import { applyRoster, emptyRoster, type MemberView, type Roster } from './roster.ts'
import { applyTaskBoard, emptyTaskBoard, type TaskBoard } from '../team/task-board.ts'
import { applyTranscript, emptyTranscript, type Transcript } from './transcript.ts'

/** One member as a screen shows it: what the journal says, and behind it what is being written just now. */
export interface Pane {
  readonly name: string
  readonly blocks: Block[]
  /** Where each call stands among the blocks. */
  readonly calls: Map<string, number>
  readonly thinking: TextStream
  readonly saying: TextStream
  /** Some of what is being written did not arrive; the journal will have it. */
  gap: boolean
  /** The model that was asked or chosen last, or that its card names. */
  model: string
  /** The model that its card names, and the one that a person chose instead. */
  readonly card: string
  chosen: string | null
  /** The permission mode that a person chose for it while it ran; null where nobody did. */
  mode: PermissionMode | null
  /** Messages that lie in its mailbox. */
  unread: number
}

/** A whole run as a screen shows it. */
export interface Panes {
  /** By name, in the order of the screen. */
  readonly panes: Map<string, Pane>
  readonly roster: Roster
  readonly cost: Cost
  readonly board: TaskBoard
  readonly coordinator: CoordinatorView
  /** Lines about all that happened, in the order in which it was read. */
  readonly log: Transcript
  /** In whose pane stands what happened to the team. */
  readonly lead: string
  /** How the run ended; null while it goes on. */
  ended: RunStatus | null
}

/** Members that a screen shows before the first event. */
export interface PaneMembers {
  readonly lead: string
  readonly members: readonly { readonly name: string; readonly model: string }[]
}

export function emptyPanes({ lead, members }: PaneMembers): Panes {
  return {
    panes: new Map(members.map(({ name, model }) => [name, newPane(name, model)])),
    roster: emptyRoster(members.map(({ name }) => name)),
    cost: emptyCost(),
    board: emptyTaskBoard(),
    coordinator: firstCoordinatorView(),
    log: emptyTranscript(),
    lead,
    ended: null,
  }
}

/** The present activity of a member, for its status line. */
export function viewOf({ roster }: Panes, name: string): MemberView | undefined {
  return roster.get(name)
}

/** Takes one recorded fact into the picture. */
export function applyPanes(state: Panes, recorded: Recorded): void {
  applyRoster(state.roster, recorded)
  applyCost(state.cost, recorded)
  if (recorded.owner === leaderName) {
    applyTaskBoard(state.board, recorded)
    applyCoordinator(state.coordinator, recorded)
  }
  addLines(state, recorded)
  noteChoice(state, recorded)
  step(state, recorded)
}

function noteChoice({ panes }: Panes, { owner, entry }: Recorded): void {
  if (entry.type !== 'model.chosen' && entry.type !== 'mode.chosen') return
  if (entry.refused !== undefined) return
  const pane = paneOf(panes, owner)
  if (entry.type === 'model.chosen') pane.model = pane.chosen = entry.model
  else pane.mode = entry.mode
}

const longestProgress = 4_000

/** Takes something lossy into the picture. It stands until the journal says what came of it. */
export function applyLive({ panes }: Panes, event: LiveEvent): void {
  const pane = panes.get(event.member)
  if (event.type === 'dropped') for (const each of panes.values()) each.gap ||= isWriting(each)
  if (!pane) return
  if (event.type === 'text.delta') extend(pane.saying, event.text)
  else if (event.type === 'thinking.delta') extend(pane.thinking, event.text)
  else if (event.type === 'text.reset' || event.type === 'request.start') forget(pane)
  else if (event.type === 'tool.progress') {
    changeCall(pane, event.call_id, (call) => ({
      ...call,
      progress: (call.progress + event.text).slice(-longestProgress),
    }))
  }
}

function isWriting({ saying, thinking }: Pane): boolean {
  return [saying, thinking].some(({ open, finished }) => open !== '' || finished.length > 0)
}

const step = foldOver<Panes, 'conversation' | 'model' | 'call' | 'permission' | 'run'>({
  'message.appended': ({ panes }, { id, message }, owner) => hear(paneOf(panes, owner), id, message),
  'message.tombstoned': ({ panes }, { target }, owner) => bury(paneOf(panes, owner), target),
  'model.requested': ({ panes }, { model }, owner) => {
    const pane = paneOf(panes, owner)
    pane.model = model === pane.card ? (pane.chosen ?? model) : model
    forget(pane)
  },
  'model.settled': ({ panes }, { model, failure }, owner) => {
    const pane = paneOf(panes, owner)
    pane.model = model
    if (failure) forget(pane)
  },
  'call.started': ({ panes }, { call_id }, owner) =>
    changeCall(paneOf(panes, owner), call_id, (call) => ({ ...call, state: 'running' })),
  'call.finished': ({ panes }, { call_id, duration_ms, ...ended }, owner) =>
    changeCall(paneOf(panes, owner), call_id, (call) => ({ ...endedCall(call, ended), duration_ms })),
  'permission.requested': ({ panes }, { call_id }, owner) =>
    changeCall(paneOf(panes, owner), call_id, (call) => ({ ...call, state: 'waiting' })),
  'permission.decided': ({ panes }, { call_id }, owner) =>
    changeCall(paneOf(panes, owner), call_id, (call) =>
      call.state === 'waiting' ? { ...call, state: 'asked' } : call,
    ),
  'team.started': ignore,
  'team.resumed': (state) => {
    state.ended = null
  },
  'team.reopened': (state) => {
    state.ended = null
  },
  'team.ended': (state, { status }) => {
    state.ended = status
  },
})

function newPane(name: string, model: string): Pane {
  return {
    name,
    blocks: [],
    calls: new Map(),
    thinking: emptyStream(),
    saying: emptyStream(),
    gap: false,
    model,
    card: model,
    chosen: null,
    mode: null,
    unread: 0,
  }
}

function paneOf(panes: Panes['panes'], name: string): Pane {
  return getOrMake(panes, name, () => newPane(name, ''))
}

/** Adds the transcript's lines to the log, and to a pane those on everything but the conversation: mail, lives, warnings. */
function addLines(state: Panes, recorded: Recorded): void {
  const { owner, entry } = recorded
  const { lines } = state.log
  const before = lines.length
  applyTranscript(state.log, recorded)
  if (entry.type === 'message.appended' || entry.type === 'message.tombstoned' || lines.length === before) return
  const about = 'member' in entry && state.panes.has(entry.member) ? entry.member : state.lead
  const { blocks } = paneOf(state.panes, owner === leaderName ? about : owner)
  for (const { kind, head, text } of lines.slice(before)) {
    if (kind !== 'call' && kind !== 'result') blocks.push({ kind, entry: entry.id, head, text })
  }
}

function hear(pane: Pane, entry: string, message: Message): void {
  if (message.role === 'tool') {
    for (const result of message.results) changeCall(pane, result.call_id, (call) => answeredCall(call, result))
    return
  }
  if (message.role === 'assistant') forget(pane)
  for (const block of blocksOf(entry, message)) {
    if (block.kind === 'call') pane.calls.set(block.call_id, pane.blocks.length)
    pane.blocks.push(block)
  }
}

function forget(pane: Pane): void {
  clear(pane.thinking)
  clear(pane.saying)
  pane.gap = false
}

function bury(pane: Pane, entry: string): void {
  const kept = pane.blocks.filter((block) => block.entry !== entry)
  pane.blocks.splice(0, pane.blocks.length, ...kept)
  pane.calls.clear()
  for (const [index, block] of kept.entries()) if (block.kind === 'call') pane.calls.set(block.call_id, index)
}

function changeCall({ blocks, calls }: Pane, id: string, change: (call: CallBlock) => CallBlock): void {
  const index = calls.get(id) ?? -1
  const block = blocks[index]
  if (block?.kind === 'call') blocks[index] = change(block)
}

/**
 * A text that is still being written: finished sections of Markdown, which never change, and the one at its end. A screen
 * breaks only the last one into lines again.
 */
export interface TextStream {
  readonly finished: Section[]
  open: string
}

export interface Section {
  readonly text: string
}

/** A section without an end is cut at about this many characters: where a line ends, else where a word does. */
const longestSection = 2_000
/** The part of a fence that is repeated is far shorter than a section, so that each cut leaves less. */
const longestFence = 40

function emptyStream(): TextStream {
  return { finished: [], open: '' }
}

/** Takes what was written next. */
function extend(stream: TextStream, text: string): void {
  stream.open += text
  for (let end = sectionEnd(stream.open); end !== null; end = sectionEnd(stream.open)) {
    const section = stream.open.slice(0, end)
    // Code that is cut goes on as code.
    const fence = openFence(section)
    stream.finished.push({ text: section })
    stream.open = (fence === null ? '' : `${fence.slice(0, longestFence)}\n`) + stream.open.slice(end)
  }
}

/** Where the first section of a text ends: behind an empty line outside of code, or where it has become too long. */
function sectionEnd(text: string): number | null {
  for (let gap = text.indexOf('\n\n'); gap >= 0; gap = text.indexOf('\n\n', gap + 1)) {
    if (openFence(text.slice(0, gap + 1)) === null) return gap + 2
  }
  if (text.length <= longestSection) return null
  const ends = ['\n', ' '].map((sign) => text.lastIndexOf(sign, longestSection) + 1)
  return ends.find((end) => end > longestSection / 2) ?? longestSection
}

/** The line that opened the code in which a text ends; null where it does not end in code. */
function openFence(text: string): string | null {
  let open: string | null = null
  for (const [line] of text.matchAll(/^ {0,3}(?:```|~~~)[^\n]*$/gm)) open = open === null ? line : null
  return open
}

function clear(stream: TextStream): void {
  stream.finished.length = 0
  stream.open = ''
}

export function isEmpty({ finished, open }: TextStream): boolean {
  return finished.length === 0 && open === ''
}

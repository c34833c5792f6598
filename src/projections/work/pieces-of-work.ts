import { callsOf, textOf } from '../../protocol/conversation/message.ts'
import type { FactOf } from '../../protocol/facts/fact.ts'
import { applyCost, emptyCost, type Cost } from '../cost/cost.ts'
import { isTask } from '../../rules/conversation/task-queue.ts'
import { getOrMake, hearing } from '../fold/fold.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import { callLabel } from '../screen/call-label.ts'

/** One tool call of a piece of work, and how it ended. */
export interface WorkStep {
  readonly entry: string
  readonly call_id: string
  readonly tool: string
  /** The call in a few words: `Bash(git log)`. */
  readonly label: string
  ending: 'open' | 'done' | 'error' | 'denied'
}

/** The work of a member for one task: the team's, or one that was delegated to the member. */
export interface PieceOfWork {
  readonly member: string
  readonly task: string
  /** The request that it answers; null for the team's own task. */
  readonly request: string | null
  readonly steps: WorkStep[]
  /** The last text that the member said in it. */
  answer: string
  readonly cost: Cost
}

/** The pieces of work of a run in the order in which they began, and the files that they changed. */
export interface WorkDone {
  readonly pieces: PieceOfWork[]
  /** By path: the SHA-256 of the last content, or `gone`. */
  readonly files: Map<string, string>
}

/** Folds the facts of a run into its pieces of work. */
export function workDone(recorded: readonly Recorded[]): WorkDone {
  const done: WorkDone = { pieces: [], files: new Map() }
  const current = new Map<string, PieceOfWork>()
  const begin = (member: string, task: string, request: string | null = null): PieceOfWork => {
    const piece: PieceOfWork = { member, task, request, steps: [], answer: '', cost: emptyCost() }
    current.set(member, piece)
    done.pieces.push(piece)
    return piece
  }
  const of = (member: string): PieceOfWork => getOrMake(current, member, () => begin(member, ''))
  const hear = hearing({
    'mail.received': ({ envelope }, owner) => {
      if (isTask(envelope)) begin(owner, envelope.body, envelope.request ?? null)
    },
    'message.appended': ({ id, message }, owner) => {
      if (message.role === 'user' && message.origin === 'person') begin(owner, textOf(message))
      if (message.role !== 'assistant') return
      const piece = of(owner)
      for (const { id: call_id, name: tool, input } of callsOf(message)) {
        piece.steps.push({ entry: id, call_id, tool, label: callLabel(tool, input), ending: 'open' })
      }
      piece.answer = textOf(message) || piece.answer
    },
    'permission.decided': (decided, owner) => {
      if (decided.decision.behavior === 'deny') endStep(of(owner), decided.call_id, 'denied')
    },
    'call.finished': (finished, owner) => endStep(of(owner), finished.call_id, finished.is_error ? 'error' : 'done'),
    'files.changed': ({ files }) => noteFiles(done, files),
  })
  for (const each of recorded) {
    hear(each)
    const piece = current.get(each.owner)
    if (piece) applyCost(piece.cost, each)
  }
  return done
}

/** A call that was denied stays so when it is finished. */
function endStep({ steps }: PieceOfWork, callId: string, ending: WorkStep['ending']): void {
  const step = steps.findLast(({ call_id }) => call_id === callId)
  if (step?.ending === 'open') step.ending = ending
}

function noteFiles({ files }: WorkDone, changed: FactOf<'files.changed'>['files']): void {
  for (const { path, after } of changed) files.set(path, after?.sha256 ?? 'gone')
}

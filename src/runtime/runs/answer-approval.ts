import { join } from 'node:path'
import { approvalFiles } from '../../adapters/approvals/approval-files.ts'
import { listRuns, readRun } from '../../adapters/sessions/read-run.ts'
import { readRunKey } from '../../adapters/sessions/run-key.ts'
import { chosenAnswer, ownQuestion } from '../../protocol/tools/own-question.ts'
import type { AnswerFile, AnswerScope, ApprovalFile } from '../../protocol/permissions/approval-file.ts'
import { systemClock } from '../actors/clock.ts'
import { forPersons } from './for-persons.ts'
import { livingLeader } from './leader.ts'
import { runsRoot } from './read-runs.ts'
import { ownPlace } from '../actors/own-place.ts'

/** A question that waits, and the run it waits in. */
export interface PendingApproval {
  readonly dir: string
  /** The run is led by a living process, so that an answer takes effect at once. */
  readonly live: boolean
  readonly request: ApprovalFile
}

/** A person's decision about a call. */
export interface PersonalAnswer {
  readonly behavior: 'allow' | 'deny'
  /** Default: this call only. */
  readonly scope?: AnswerScope
  /** Told to the member with a denial; the whole answer to a question of its own, or the number of an option. */
  readonly advice?: string | undefined
  /** With `session` or `save`: rules to grant instead of those that the request proposes. */
  readonly rules?: readonly string[] | undefined
  /** Replaces the call's input; deny rules are asked again. */
  readonly updated_input?: unknown
  /** Which face answers, for whoever comes second; default: a program. */
  readonly by?: string
  readonly home?: string
  /** Milliseconds since the epoch; default: now. */
  readonly at?: number
}

/** The fate of an answer: counted, or beaten by a faster one. */
export interface AnswerOutcome {
  readonly won: boolean
  /** The answer that counts. */
  readonly answer: AnswerFile
}

/** The questions that this process has shown, by their place: an answer is one to what was seen. */
const shown = new Map<string, ApprovalFile>()

/**
 * The questions that wait for an answer, oldest first. Nothing is touched. One that was changed after its first look stays as it
 * was seen.
 * @param dirs run directories
 * @example pendingApprovals([run.dir]).map(({ request }) => request.id)
 */
export function pendingApprovals(dirs: readonly string[]): readonly PendingApproval[] {
  const found = dirs.flatMap((dir) => {
    const files = filesOf(dir, '')
    const open = files.list().flatMap(({ id, answered }) => {
      const place = join(dir, id)
      const request = answered ? null : (shown.get(place) ?? files.read(id))
      if (request) shown.set(place, request)
      else shown.delete(place)
      return request ?? []
    })
    if (open.length === 0) return []
    const live = livingLeader(dir) !== null
    return open.map((request) => ({ dir, live, request }))
  })
  return found.toSorted((a, b) => a.request.asked_at - b.request.asked_at)
}

/** Whether a run has this question, answered or not. */
export function hasApproval(dir: string, id: string): boolean {
  return filesOf(dir, '')
    .list()
    .some((request) => request.id === id)
}

/** The run directories under a working directory, the newest first. */
export function runDirectoriesIn(cwd: string): readonly string[] {
  return listRuns(runsRoot(cwd)).map(({ dir }) => dir)
}

/**
 * Answers a question, from whatever face. The first answer counts; who comes second learns what it was.
 * @param dir the run directory
 * @returns null when there is no such question
 * @throws ForPersons where a member began this process
 * @throws when the key of the run cannot be read, or what the disk says
 * @example answerApproval(dir, 'historian-17-1', { behavior: 'allow' })
 */
export function answerApproval(dir: string, id: string, given: PersonalAnswer): AnswerOutcome | null {
  const { behavior, scope = 'once', advice, rules, updated_input, by = 'a program', home = ownPlace.home } = given
  const { at = systemClock().now() } = given
  forPersons('answering a question', ownPlace.env)
  const files = filesOf(dir, home)
  if (!hasApproval(dir, id)) return null
  const seen = shown.get(join(dir, id)) ?? files.read(id)
  const words = wordsFor(seen, advice)
  const answer: AnswerFile = {
    v: 1,
    id,
    source: 'human',
    ...(words ?? { behavior, reason: advice ?? defaultReason(behavior, scope), scope }),
    ...(rules === undefined ? {} : { rules: [...rules] }),
    ...(updated_input === undefined ? {} : { updated_input }),
    by,
    at,
  }
  const verdict = files.answer(answer, seen)
  return verdict.won ? { won: true, answer } : { won: false, answer: verdict.first }
}

/** The answer to a member's own question; null for any other, which is allowed or denied. */
function wordsFor(request: ApprovalFile | null, said = ''): Pick<AnswerFile, 'behavior' | 'reason' | 'scope'> | null {
  const own = request && ownQuestion(request)
  if (!own) return null
  const reason = chosenAnswer(said.trim(), own)
  return reason === ''
    ? { behavior: 'deny', reason: 'answered with no words', scope: 'once' }
    : { behavior: 'allow', reason, scope: 'once' }
}

function defaultReason(behavior: 'allow' | 'deny', scope: AnswerScope): string {
  if (behavior === 'deny') return scope === 'stop' ? 'denied, and told to stop' : 'denied'
  return { once: 'allowed once', session: 'allowed for this session', save: 'allowed from now on', stop: '' }[scope]
}

function filesOf(dir: string, home: string) {
  return approvalFiles(join(dir, 'permissions'), () => readRunKey(home, readRun(dir).id))
}

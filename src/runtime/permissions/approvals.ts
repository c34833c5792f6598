import { mkdirSync } from 'node:fs'
import { join, dirname } from 'node:path'
import { approvalFiles, type ApprovalFiles } from '../../adapters/approvals/approval-files.ts'
import { notify, type Notifications } from '../../adapters/fs/notify.ts'
import type { Answer } from '../../protocol/permissions/permission.ts'
import { answerSources, type AnswerFile } from '../../protocol/permissions/approval-file.ts'
import { broadcast, type Broadcast } from '../actors/broadcast.ts'
import type { Clock } from '../actors/clock.ts'
import { openModel } from '../../adapters/models/catalog.ts'
import { readRunKey } from '../../adapters/sessions/run-key.ts'
import type { Providers } from '../../protocol/models/model.ts'
import type { Approver } from '../../protocol/port.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { Classifier } from './approval-port.ts'
import { modelClassifier } from './classifier.ts'

/** The durable questions of a run, as one process sees them. */
export interface ApprovalStore {
  readonly files: ApprovalFiles
  /** Resolves with the answer as soon as there is one, from whatever process; rejects only when the signal aborts. */
  wait(id: string, signal: AbortSignal): Promise<AnswerFile>
  /** Answers, unless somebody was faster; returns the answer that counts. Who waits in this process hears at once. */
  answer(answer: AnswerFile): AnswerFile
  /** Why answers of other processes are found by looking only. */
  readonly problems: Broadcast<string>
  /** No longer watches for answers of other processes. */
  close(): void
}

interface ApprovalStoreOptions {
  /** The run directory. */
  readonly dir: string
  readonly key: () => Uint8Array
  readonly clock: Pick<Clock, 'setTimeout' | 'clearTimeout'>
}

/** Between two looks while somebody waits: what finds an answer where the system notifies of nothing. */
const lookMs = 250

/**
 * Opens the questions of a run. Watching begins with the first one that waits, so a run in which nothing is asked pays
 * nothing.
 * @example const requests = openRequests({ dir: run.dir, key, clock }); await requests.wait('historian-17-1', signal)
 */
export function openApprovalStore({ dir, key, clock }: ApprovalStoreOptions): ApprovalStore {
  const files = approvalFiles(join(dir, 'permissions'), key)
  const problems = broadcast<string>()
  const waiting = waitingCallers()
  const look = (): void => {
    for (const id of waiting.ids()) waiting.tell(id, files.answerTo(id))
  }
  const looks = regularly(clock, () => {
    look()
    return waiting.size() > 0
  })
  let watch: Notifications | undefined
  return {
    files,
    problems,
    wait(id, signal) {
      if (signal.aborted) return Promise.reject(signal.reason as Error)
      const heard = waiting.enter(id, signal)
      watch ??= watchAnswers(files.dir, look, problems)
      looks.start()
      // Registered first, looked second: an answer that came before is not missed.
      waiting.tell(id, files.answerTo(id))
      return heard
    },
    answer(answer) {
      const verdict = files.answer(answer)
      const counts = verdict.won ? answer : verdict.first
      waiting.tell(answer.id, counts)
      return counts
    },
    close() {
      looks.stop()
      void watch?.close()
      watch = undefined
    },
  }
}

/** Looks after each event in the folder, which may not be there yet. */
function watchAnswers(dir: string, look: () => void, problems: Broadcast<string>): Notifications {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  return notify([dir], { changed: look, failed: problems.publish })
}

/** The callers in this process that wait for an answer, by question. */
function waitingCallers() {
  const waiting = new Map<string, Set<(answer: AnswerFile) => void>>()
  return {
    ids: () => waiting.keys(),
    size: () => waiting.size,
    enter(id: string, signal: AbortSignal): Promise<AnswerFile> {
      const heard = Promise.withResolvers<AnswerFile>()
      const withdraw = (): void => {
        waiting.get(id)?.delete(heard.resolve)
        if (waiting.get(id)?.size === 0) waiting.delete(id)
        heard.reject(signal.reason)
      }
      signal.addEventListener('abort', withdraw, { once: true })
      waiting.set(id, (waiting.get(id) ?? new Set()).add(heard.resolve))
      return heard.promise.finally(() => signal.removeEventListener('abort', withdraw))
    },
    tell(id: string, answer: AnswerFile | null): void {
      const hearers = answer === null ? undefined : waiting.get(id)
      if (answer === null || hearers === undefined) return
      waiting.delete(id)
      for (const hear of hearers) hear(answer)
    },
  }
}

/** The answer of a file in the form that machines take. */
export function answerOf({ id, behavior, source, reason, scope, rules, updated_input, by }: AnswerFile): Answer {
  return {
    behavior,
    source,
    reason,
    scope,
    request: id,
    by,
    ...(rules === undefined ? {} : { rules }),
    ...(updated_input === undefined ? {} : { updated_input }),
  }
}

/** An answer of this process as a file; a rule's denial stays with the machine, so nobody is named for it here. */
export function answerFile(answer: Answer, { id, at }: Pick<AnswerFile, 'id' | 'at'>): AnswerFile {
  const { behavior, reason, scope = 'once', rules, updated_input, by = 'a member' } = answer
  const source = answerSources.find((known) => known === answer.source) ?? 'nobody'
  return {
    v: 1,
    id,
    behavior,
    source,
    reason,
    scope,
    ...(rules === undefined ? {} : { rules: [...rules] }),
    ...(updated_input === undefined ? {} : { updated_input }),
    by,
    at,
  }
}

/** Calls `act` again and again from `start` on, until it says that there is nothing left to look for. */
function regularly(clock: ApprovalStoreOptions['clock'], act: () => boolean) {
  let timer: unknown
  const plan = (): void => {
    timer = clock.setTimeout(() => {
      timer = undefined
      if (act()) plan()
    }, lookMs)
  }
  return {
    start(): void {
      if (timer === undefined) plan()
    },
    stop(): void {
      if (timer !== undefined) clock.clearTimeout(timer)
      timer = undefined
    },
  }
}

/** How the questions of a run reach somebody who answers, as the run was started. */
export interface Approvals {
  readonly store: ApprovalStore
  /** The face of the person at this process, if there is one. */
  readonly approver: Approver | null
  /** An answer may come: at this process, or at another one while the question waits. */
  readonly reachable: boolean
  /** How long a question waits; null for as long as it takes. */
  readonly waitMs: number | null
  readonly classifier: Classifier | null
  /** The classifier's model, for workers in other processes. */
  readonly classifierModel: string | null
}

/** The wishes about questions with which a run is started. */
export interface ApprovalsOptions {
  readonly approver?: Approver
  /** Questions wait so long for an answer from anywhere, also when nobody sits here. */
  readonly permissionWaitMs?: number
  /** `provider/model` that judges calls which no rule decides, before a person is asked. */
  readonly classifier?: string
}

export interface ApprovalsPlace {
  /** The run directory. */
  readonly dir: string
  /** The run's id. */
  readonly run: string
  readonly team: ResolvedTeam
  readonly cwd: string
  readonly home: string
  readonly env: Readonly<Record<string, string | undefined>>
  readonly clock: Clock
  readonly providers?: Providers | undefined
}

/**
 * Opens the way to whoever answers. Without an approver and without a time to wait, nobody is reachable: what would
 * be asked is denied at once.
 * @throws ModelUnavailable when the classifier's model cannot be opened
 */
export async function openApprovals(place: ApprovalsPlace, options: ApprovalsOptions): Promise<Approvals> {
  const { dir, run, home, clock } = place
  const { approver, permissionWaitMs, classifier } = options
  return {
    store: openApprovalStore({ dir, key: () => readRunKey(home, run), clock }),
    approver: approver ?? null,
    reachable: approver !== undefined || permissionWaitMs !== undefined,
    waitMs: permissionWaitMs ?? null,
    classifier: classifier === undefined ? null : await openClassifier(classifier, place),
    classifierModel: classifier ?? null,
  }
}

async function openClassifier(name: string, { team, env, cwd, providers }: ApprovalsPlace): Promise<Classifier> {
  return modelClassifier(await openModel(name, { baseDir: dirname(team.file), env, providers }), cwd)
}

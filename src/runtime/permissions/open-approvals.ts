import { dirname } from 'node:path'
import { openModel } from '../../adapters/models/catalog.ts'
import { readRunKey } from '../../adapters/sessions/run-key.ts'
import type { Providers } from '../../protocol/models/model.ts'
import type { Approver } from '../../protocol/port.ts'
import type { ResolvedTeam } from '../../protocol/team/team-card.ts'
import type { Classifier } from './approval-port.ts'
import { modelClassifier } from './classifier.ts'
import type { Clock } from '../actors/clock.ts'
import { openApprovalStore, type ApprovalStore } from './approvals.ts'

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

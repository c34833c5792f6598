import { foldOver, ignore } from '../fold/fold.ts'

/** The state of the coordinator's chart, as its facts tell. */
export interface CoordinatorView {
  /** Null before the coordinator has begun. */
  state: string | null
  since: number | null
  /** When the open round of requests is over at the latest. */
  deadline: number | null
  /** Requests that have not ended: the worker of each, and whether it has been handed out. */
  readonly requests: Map<string, { readonly worker: string; readonly isOut: boolean }>
}

export function firstCoordinatorView(): CoordinatorView {
  return { state: null, since: null, deadline: null, requests: new Map() }
}

/** Takes a fact of the team's journal into the state. */
export const applyCoordinator = foldOver<CoordinatorView, 'gather' | 'request'>({
  'coordinator.moved': (coordinator, { state, at }) => {
    Object.assign(coordinator, { state, since: at })
  },
  'gather.opened': (coordinator, { deadline }) => {
    coordinator.deadline = deadline
  },
  'gather.settled': (coordinator) => {
    coordinator.deadline = null
  },
  'lead.nudged': ignore,
  'request.held': ({ requests }, { request, worker }) => void requests.set(request, { worker, isOut: false }),
  'request.opened': ({ requests }, { request, worker }) => void requests.set(request, { worker, isOut: true }),
  'request.settled': ({ requests }, { request }) => void requests.delete(request),
})

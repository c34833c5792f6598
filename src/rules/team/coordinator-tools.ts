/** What settled and the lead has not asked its model about: nothing, something it was not told of yet, something it was. */
export type LeadNews = 'none' | 'untold' | 'told'

export type CoordinatorState = 'planning' | 'gathering' | 'synthesising' | 'answered' | 'waiting'

/** The part of a coordinator's card about tools: its own tools count only when the partition is relaxed. */
export interface CoordinatorCard {
  readonly partition: 'enforced' | 'relaxed'
  readonly domain: readonly string[]
  /** The team has a task board. */
  readonly board?: boolean
  /** The coordinator may ask an advisor. */
  readonly advised?: boolean
}

/** Tools that coordinate and do no work of their own. */
const planningTools: readonly string[] = ['Delegate', 'SendMessage', 'AskUser']
const coordinationTools: readonly string[] = [...planningTools, 'StopWorker']

/** Tools of the task board, for coordinators and workers alike. */
export const boardTools: readonly string[] = ['TaskCreate', 'TaskClaim', 'TaskDone', 'TaskList']

/**
 * The tools a coordinator holds in a state: to plan it delegates, writes mail and asks its user, once requests are out it
 * may also stop a worker, and to synthesise it holds nothing, so that it can only answer. A task board and an
 * advisor add their tools. A relaxed partition lifts all that and adds the domain tools everywhere.
 *
 * @example coordinatorTools('synthesising', { partition: 'enforced', domain: [] }) // []
 */
export function coordinatorTools(state: CoordinatorState, card: CoordinatorCard): readonly string[] {
  const enforced = card.partition === 'enforced'
  if (enforced && state === 'synthesising') return []
  const coordinating = [...toolsByState[state], ...(card.board ? boardTools : []), ...(card.advised ? ['Advisor'] : [])]
  return enforced ? coordinating : [...new Set([...coordinating, ...card.domain])]
}

const toolsByState: Readonly<Record<CoordinatorState, readonly string[]>> = {
  planning: planningTools,
  waiting: planningTools,
  gathering: coordinationTools,
  synthesising: coordinationTools,
  answered: coordinationTools,
}

/**
 * Why a coordinator does not hold a tool now, in one sentence for the model that called it.
 *
 * @example toolAbsence('planning', 'StopWorker')
 */
export function toolAbsence(state: CoordinatorState, tool: string): string {
  if (boardTools.includes(tool) && state !== 'synthesising') return `${tool} needs a task board: this team has none.`
  if (tool === 'Advisor' && state !== 'synthesising') return 'There is no advisor: decide yourself.'
  if (!coordinationTools.includes(tool) && !boardTools.includes(tool) && tool !== 'Advisor') {
    return `${tool} is not a coordination tool: delegate the work to a worker that has it.`
  }
  if (state === 'synthesising') {
    return `${tool} is not available while synthesising: the results are in, answer from them.`
  }
  if (tool === 'StopWorker') return `StopWorker is not available while ${state}: no request is outstanding.`
  return `${tool} is not available while ${state}.`
}

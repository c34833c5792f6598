import type { GatherPolicy } from '../../protocol/team/team-card.ts'

/** The news that the lead has not asked its model about: none, of which the lead was not told yet, or of which it was. */
export type LeadNews = 'none' | 'untold' | 'told'

export type CoordinatorState = 'planning' | 'gathering' | 'synthesising' | 'answered' | 'waiting'

/** The part of a coordinator's card about tools: but for `Skill`, its own tools count only when the partition is relaxed. */
export interface CoordinatorCard {
  readonly partition: 'enforced' | 'relaxed'
  readonly domain: readonly string[]
  /** The team has a task board. */
  readonly board?: boolean
  /** The coordinator may ask an advisor. */
  readonly advised?: boolean
}

/** The present state of a coordinator, and how many rounds of requests it may still open. */
export interface CoordinatorPlace {
  readonly state: CoordinatorState
  readonly rounds: number
}

/** How many rounds of requests a coordinator may have in all. */
export function roundsOf({ rounds = 5 }: Pick<GatherPolicy, 'rounds'>): number {
  return rounds
}

/** Tools that coordinate and do no work of their own. */
const planningTools: readonly string[] = ['Delegate', 'SendMessage', 'AskUser', 'Wait']
const coordinationTools: readonly string[] = ['Delegate', 'SendMessage', 'AskUser', 'StopWorker', 'Wait']

/** Tools of the task board, for coordinators and workers alike. */
export const boardTools: readonly string[] = ['TaskCreate', 'TaskClaim', 'TaskDone', 'TaskList']

/**
 * The tools a coordinator holds at a place: it delegates, writes mail and asks its user, and once requests are out it may
 * also stop a worker. After the last round it can only answer, or ask its user. A task board, an advisor and skills
 * add their tools until then. A relaxed partition adds the domain tools everywhere.
 *
 * @example coordinatorTools({ state: 'synthesising', rounds: 0 }, { partition: 'enforced', domain: [] }) // ['AskUser']
 */
export function coordinatorTools(place: CoordinatorPlace, card: CoordinatorCard): readonly string[] {
  const { partition, domain, board = false, advised = false } = card
  const coordinating = isLastWord(place)
    ? ['AskUser', 'Answer']
    : [
        ...toolsByState[place.state],
        ...(board ? boardTools : []),
        ...(advised ? ['Advisor'] : []),
        ...(domain.includes('Skill') ? ['Skill'] : []),
      ]
  const held = coordinating.filter((tool) => tool !== 'Delegate' || mayDelegate(place))
  return partition === 'enforced' ? held : [...new Set([...held, ...domain])]
}

/** Whether a request may be opened: in the round that is going on, or in one more. */
export function mayDelegate({ state, rounds }: CoordinatorPlace): boolean {
  return rounds > 0 || state === 'gathering'
}

/** The last round is over: the answer follows. */
function isLastWord({ state, rounds }: CoordinatorPlace): boolean {
  return state === 'synthesising' && rounds <= 0
}

const toolsByState: Readonly<Record<CoordinatorState, readonly string[]>> = {
  planning: planningTools,
  waiting: planningTools,
  gathering: coordinationTools,
  synthesising: [...planningTools, 'Answer'],
  answered: coordinationTools,
}

/**
 * Why a coordinator does not hold a tool now and what it can do instead, for the model that called it.
 *
 * @param holders workers that hold the tool
 * @example toolAbsence({ state: 'planning', rounds: 5 }, 'Bash', ['fixer'])
 */
export function toolAbsence(place: CoordinatorPlace, tool: string, holders: readonly string[] = []): string {
  if (tool === 'Delegate') return `Delegate is not available: ${noRoundsLeft}`
  if (isLastWord(place) && [...coordinationTools, ...boardTools, 'Advisor', 'Skill'].includes(tool))
    return `${tool} is not available: ${noRoundsLeft}`
  if (boardTools.includes(tool))
    return `${tool} needs a task board, and this team has none (tasks in the team file): keep the list yourself, or delegate.`
  if (tool === 'Advisor') return 'There is no advisor: decide yourself.'
  if (tool === 'StopWorker')
    return `StopWorker is not available while ${place.state}: no request is outstanding. Delegate, or end your turn with your answer.`
  if (tool === 'Answer') return `Answer is for the end of a round: what you say when you end your turn is your answer.`
  if (!coordinationTools.includes(tool)) return `${tool} is not a coordination tool: ${elsewhere(place, holders)}`
  return `${tool} is not available while ${place.state}.`
}

/** The refusal of one more round, with what is left to do. */
export const noRoundsLeft =
  'the last round of requests is over (coordinator.gather.rounds). Answer from the results that there are and say what is missing, or ask your user with AskUser.'

function elsewhere(place: CoordinatorPlace, holders: readonly string[]): string {
  if (holders.length === 0) return 'no worker of this team has it either. Do without, and say so in your answer.'
  return mayDelegate(place)
    ? `delegate the work to a worker that has it (${holders.join(', ')}).`
    : `only workers hold it (${holders.join(', ')}), and ${noRoundsLeft}`
}

import { servedNow, type Obligations } from '../../projections/team/obligations.ts'
import type { TaskBoard } from '../../projections/team/task-board.ts'
import type { Behind } from '../../protocol/permissions/approval-file.ts'
import type { RunContext } from '../context/run-context.ts'
import type { Restriction } from '../../protocol/permissions/restriction.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { agentId } from '../../protocol/words/ids.ts'
import type { AgentStory } from '../../projections/member/agent-story.ts'
import { shortLine } from '../../rules/conversation/mail-frame.ts'
import { modeInForce, withChosenMode } from '../../rules/permissions/mode.ts'
import { carried, distinct } from '../../rules/rights/restrictions.ts'

/** The work that a member's present turn serves, as far as others asked for it. */
export interface Served {
  readonly debts: Obligations
  /** Absent where the team has no board. */
  readonly board?: TaskBoard | undefined
  /** The member's name. */
  readonly name: string
}

/** A piece of work for somebody else. */
interface Errand extends Omit<Behind, 'for'> {
  readonly restrictions?: readonly Restriction[] | undefined
}

/** Restrictions under which the member's calls stand now: those of all that it serves. */
export function restrictionsOf(served: Served): readonly Restriction[] {
  return distinct(errandsOf(served).flatMap(({ restrictions = [] }) => restrictions))
}

/** Restrictions that a request of the member carries now. */
export function carriedBy(
  card: MemberCard,
  served: Served,
  {
    context,
    planning,
    chosen,
  }: Pick<AgentStory, 'planning' | 'chosen'> & { readonly context: Pick<RunContext, 'team' | 'policy'> },
): readonly Restriction[] {
  const plans = modeInForce(withChosenMode(context.policy(card), chosen.mode), planning.state) === 'plan'
  return carried(card, { of: agentId(card.name, context.team.name), plans, served: restrictionsOf(served) })
}

const longest = 300

/** The messages of others behind what the member does now; a task of the coordinator only where it acts for somebody. */
export function behindOf(served: Served): readonly Behind[] {
  return errandsOf(served).flatMap(({ from, kind, text, restrictions = [] }) => {
    const others = [...new Set(restrictions.map(({ of }) => of))].filter((of) => of !== from)
    if (kind === 'task' && others.length === 0) return []
    return [{ from, kind, text: shortLine(text, longest), ...(others.length > 0 ? { for: others } : {}) }]
  })
}

function errandsOf({ debts, board, name }: Served): readonly Errand[] {
  const mail = servedNow(debts).map(({ from, kind, body, restrictions }) => ({ from, kind, text: body, restrictions }))
  return board === undefined ? mail : [...mail, ...heldOn(board, name)]
}

/** Tasks of the board that the member has claimed. */
function heldOn({ tasks }: TaskBoard, name: string): readonly Errand[] {
  return [...tasks.values()].flatMap(({ by, state, author, task, subject, restrictions }) =>
    by === name && author !== name && (state === 'claimed' || state === 'verifying')
      ? [{ from: author, kind: `task ${task} of the board`, text: subject, restrictions }]
      : [],
  )
}

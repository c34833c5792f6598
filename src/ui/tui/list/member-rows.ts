import { activityText, byNeed, conditionOf, type Condition } from '../../../projections/screen/condition.ts'
import { glanceText } from '../../../projections/screen/glance-text.ts'
import type { MemberView } from '../../../projections/screen/roster.ts'
import { tokensOf } from '../../../projections/cost/cost.ts'
import { costText, tokensText } from '../../text/figures.ts'
import { plainLine } from '../../text/plain-text.ts'
import { conditionSigns, fitWidth, padWidth, widthOf } from '../../text/terminal-text.ts'
import type { Row } from '../state/ui.ts'
import type { Picture } from '../state/picture.ts'

/** Where the columns of a list of members stand. */
interface Columns {
  readonly number: number
  readonly name: number
}

const longestName = 20

/** A row for each member, those first who need a person most. */
export function memberRows({ panes, ui, paint }: Picture): readonly Row[] {
  const { names, marked } = ui
  const numbers = new Map(names.map((name, index) => [name, index + 1]))
  const columns = {
    number: String(names.length).length,
    name: Math.min(longestName, Math.max(...names.map((name) => name.length))),
  }
  const views = names.flatMap((name) => panes.roster.get(name) ?? [])
  return byNeed(views).map((view) => {
    const figures = { number: numbers.get(view.name) ?? 0, unread: panes.panes.get(view.name)?.unread ?? 0 }
    return {
      id: view.name,
      leads: 'member',
      words: () => `${view.name} ${activityText(view)}`,
      line: (width) => memberLine({ view, columns, paint, isMarked: marked.has(view.name), ...figures }, width),
      whole: () => '',
    }
  })
}

interface MemberLine {
  readonly view: MemberView
  readonly columns: Columns
  readonly paint: Picture['paint']
  readonly isMarked: boolean
  readonly number: number
  readonly unread: number
}

/** The member's number, sign and name, its activity and last words, and the figures at the end of the line. */
function memberLine({ view, columns, paint, isMarked, number, unread }: MemberLine, width: number): string {
  const [sign, tone] = conditionSigns[conditionOf(view)]
  const { turn, spending } = view
  const tokens = turn > 0 ? tokensText(tokensOf(spending.usage)) : ''
  const cost = turn > 0 ? costText(spending.cost_usd) : ''
  const figures = [
    unread > 0 ? `${unread} unread` : '',
    turn > 0 ? `t${turn}` : '',
    tokens.padStart(5),
    cost.padStart(6),
  ].join(' ')
  const who = `${isMarked ? '+' : ' '}${String(number).padStart(columns.number)} ${sign} ${padWidth(view.name, columns.name)} `
  const room = width - widthOf(who) - figures.length - 1
  if (room < 10) return paint(tone, padWidth(`${who}${plainLine(activityText(view))}`, width))
  return `${paint(tone, `${who}${padWidth(wordsOf(view, room), room)}`)} ${paint('dim', figures)}`
}

function wordsOf(view: MemberView, room: number): string {
  const activity = plainLine(activityText(view))
  const last = plainLine(glanceText(view.text))
  return fitWidth(last === '' || room - activity.length < 12 ? activity : `${activity} · ${last}`, room)
}

const conditionWords: Readonly<Record<Condition, string>> = {
  asks: 'asking',
  failed: 'failed',
  interrupted: 'interrupted',
  tool: 'in tools',
  thinking: 'thinking',
  waiting: 'waiting',
  idle: 'idle',
  gone: 'gone',
}

/** How many members are in each condition: `1 asking · 12 idle`. */
export function memberCounts({ panes, ui }: Picture): string {
  const counts = new Map<Condition, number>()
  for (const name of ui.names) {
    const view = panes.roster.get(name)
    if (view) counts.set(conditionOf(view), (counts.get(conditionOf(view)) ?? 0) + 1)
  }
  const words = Object.entries(conditionWords) as readonly [Condition, string][]
  return words
    .flatMap(([condition, word]) => (counts.has(condition) ? [`${counts.get(condition)} ${word}`] : []))
    .join(' · ')
}

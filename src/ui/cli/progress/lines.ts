import { foldOver, ignore } from '../../../projections/fold/fold.ts'
import { applyNotices, emptyNotices } from '../../../projections/screen/notices.ts'
import { applyRoster, emptyRoster, type Roster } from '../../../projections/screen/roster.ts'
import { plainLine } from '../../text/plain-text.ts'
import { fitWidth } from '../../text/terminal-text.ts'
import type { Host } from '../host/host.ts'
import { plainDialog } from './plain-dialog.ts'
import type { Progress } from './progress.ts'

const lineWidth = 160
/** A notice may end with the command that helps. */
const noticeWidth = 480

/** Members as they stand now, and the lines that the latest fact gave. */
interface Lines {
  readonly roster: Roster
  readonly fresh: string[]
}

/**
 * Progress in a pipe or a file, or where nothing shall be drawn: one plain line per change of state and per tool call, nothing is repainted.
 *
 * `lead: thinking (turn 1)` … `historian: Bash(git log --oneline)` … `historian: idle`
 */
export function plainProgress(host: Pick<Host, 'stderr'>): Progress {
  const state: Lines = { roster: emptyRoster(), fresh: [] }
  const { foot, print } = plainDialog(host.stderr)
  const note = (text: string): void => print(plainLine(text))
  return {
    hear(recorded) {
      applyRoster(state.roster, recorded)
      applyLines(state, recorded)
      const notices = emptyNotices()
      applyNotices(notices, recorded)
      for (const text of state.fresh.splice(0)) note(fitWidth(plainLine(text), lineWidth))
      for (const { text } of notices) note(fitWidth(plainLine(text), noticeWidth))
    },
    note,
    print,
    foot,
    close: () => undefined,
  }
}

const applyLines = foldOver<Lines, 'life' | 'loop' | 'model' | 'call'>({
  'member.spawned': ignore,
  'member.started': ({ fresh }, _, owner) => void fresh.push(`${owner}: started`),
  'member.woke': ignore,
  'member.idled': ({ fresh }, { reason = 'nothing_to_do', waiting_for = [] }, owner) => {
    const rest = reason === 'nothing_to_do' ? 'idle' : reason.replaceAll('_', ' ')
    fresh.push(`${owner}: ${waiting_for.length === 0 ? rest : `waiting for ${waiting_for.join(', ')}`}`)
  },
  'member.drained': ignore,
  'member.gone': ({ fresh }, _, owner) => void fresh.push(`${owner}: gone`),
  'member.crashed': ignore,
  'member.lost': ignore,
  'member.refused': ignore,
  'member.stopped': ({ fresh }, { member, reason }) => void fresh.push(`${member}: stopped (${reason})`),
  'agent.started': ignore,
  'turn.continued': ignore,
  'agent.parked': ({ fresh }, _, owner) => void fresh.push(`${owner}: waiting`),
  'agent.ended': ignore,
  'model.requested': ({ fresh }, { turn }, owner) => void fresh.push(`${owner}: thinking (turn ${turn})`),
  'model.settled': ignore,
  'call.started': ({ roster, fresh }, { call_id, tool }, owner) => {
    fresh.push(`${owner}: ${roster.get(owner)?.running.get(call_id) ?? tool}`)
  },
  'call.finished': ({ roster, fresh }, _, owner) => {
    const ended = roster.get(owner)?.ended ?? null
    if (ended !== null) fresh.push(`${owner}: ${ended}`)
  },
})

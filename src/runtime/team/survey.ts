import type { Lives } from '../../../machines/team/lives.ts'
import { errorCode } from '../../adapters/fs/error-code.ts'
import { namesIn } from '../../adapters/fs/names-in.ts'
import { errorText } from '../../protocol/words/error-text.ts'
import type { Clock } from '../actors/clock.ts'
import type { Ledger } from '../journals/ledger.ts'
import type { Survey } from '../../protocol/port.ts'
import type { Elsewhere } from '../elsewhere/elsewhere.ts'
import type { LocalMember } from '../member/start-member.ts'
import { undeliveredIn } from './undelivered.ts'

/** The parts of a leader that a survey asks. */
export interface SurveyedTeam {
  readonly context: {
    readonly team: { readonly members: readonly Named[] }
    readonly run: { readonly dir: string; readonly mail: string }
    readonly approvals: { readonly store: { readonly files: { list(): readonly { readonly answered: boolean }[] } } }
  }
  readonly members: ReadonlyMap<string, Pick<LocalMember, 'busy'>>
  readonly elsewhere: Pick<Elsewhere, 'busy' | 'catchUp'> | null
  readonly coordination: { open(): readonly string[] }
  readonly board: { unfinished(): readonly { readonly task: number }[] } | null
  spawnGate(): { readonly lives: Lives }
}

interface Named {
  readonly name: string
}

/**
 * Asks the run directory and the living members about the whole team, for the end-of-run rule. While a member is busy
 * only the boxes of members that do not run are looked at: every member that comes to rest asks again, and a look into
 * all boxes each time would grow with the square of the team. For the same reason the member that was busy last is
 * asked first.
 *
 * Journals of members elsewhere are caught up with after the mail was counted. The journal of a sender names the sender
 * before its mail lies in a box: a start that the sender may not cause is refused before the team starts the recipient
 * for mail whose news seems lost. And a member that has taken mail in is busy by its journal.
 */
export function surveyor(team: SurveyedTeam): () => Survey {
  const { context, members, elsewhere } = team
  const isBusy = ({ name }: Named): boolean => members.get(name)?.busy() ?? elsewhere?.busy(name) ?? false
  const undelivered = undeliveredIn(team.context.run.dir)
  let last: Named | undefined
  return () => {
    if (last === undefined || !isBusy(last)) last = context.team.members.find(isBusy)
    return last === undefined ? surveyAll(team, isBusy, undelivered) : surveyAbsent(team, last.name, undelivered)
  }
}

type Undelivered = ReturnType<typeof undeliveredIn>

function surveyAbsent(
  { context: { team, run }, elsewhere, spawnGate }: SurveyedTeam,
  busy: string,
  undelivered: Undelivered,
): Survey {
  const { lives } = spawnGate()
  const absent = team.members.filter(({ name }) => lives[name]?.state === 'absent')
  const boxes = new Set(absent.length > 0 ? namesIn(run.mail) : [])
  const addressed = absent
    .filter(({ name }) => boxes.has(name))
    .map(({ name }) => ({ name, undelivered: undelivered(name), busy: false }))
  if (addressed.some((member) => member.undelivered > 0)) elsewhere?.catchUp()
  return { members: [{ name: busy, undelivered: 0, busy: true }, ...addressed], pendingPermissions: 0, open: [] }
}

function surveyAll(surveyed: SurveyedTeam, isBusy: (member: Named) => boolean, undelivered: Undelivered): Survey {
  const { context, elsewhere, coordination, board } = surveyed
  const { team, approvals } = context
  const waiting = team.members.map(({ name }) => ({ name, undelivered: undelivered(name) }))
  elsewhere?.catchUp()
  return {
    members: waiting.map((member) => ({ ...member, busy: isBusy(member) })),
    pendingPermissions: approvals.store.files.list().filter(({ answered }) => !answered).length,
    open: [...coordination.open(), ...(board?.unfinished() ?? []).map(({ task }) => `task ${task}`)],
  }
}

/** Milliseconds between two surveys of a directory that cannot be read. */
const againMs = 1_000

/** A survey that is made again while the run directory cannot be read; a person is told once. */
export function patiently(
  survey: () => Survey,
  { clock, ledger }: { readonly clock: Pick<Clock, 'setTimeout'>; readonly ledger: Pick<Ledger, 'record'> },
): () => Promise<Survey> {
  let isTold = false
  return async () => {
    for (;;) {
      try {
        return survey()
      } catch (error) {
        if (errorCode(error) === undefined) throw error
        const message = `the run directory cannot be read (${errorText(error)}): it is looked at again`
        if (!isTold) ledger.record([{ type: 'warning.raised', code: 'survey_failed', message }])
        isTold = true
        await new Promise<void>((go) => void clock.setTimeout(go, againMs))
      }
    }
  }
}

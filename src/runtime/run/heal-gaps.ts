import { namesIn } from '../../adapters/fs/names-in.ts'
import { claimedIn, mailFolders, parseMailFile } from '../../adapters/mailbox/files/mail-files.ts'
import { readMail, sealOf, type Seal } from '../../adapters/mailbox/files/read-mail.ts'
import { post } from '../../adapters/mailbox/send/outbox.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import { readRunKey } from '../../adapters/sessions/run-key.ts'
import type { BoxedMail } from '../../projections/team/lost-mail.ts'
import { gapsIn } from '../../projections/team/gaps.ts'
import type { Recorded } from '../../protocol/facts/entry.ts'
import type { Fact } from '../../protocol/facts/fact.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import { agentId, leaderName } from '../../protocol/words/ids.ts'
import type { Clock } from '../actors/clock.ts'
import { openOwned } from '../journals/ledger.ts'
import { openTeamJournal } from '../journals/team-journal.ts'
import { memberFold } from '../member/member-store.ts'
import { livingHolder } from '../runs/leader.ts'
import type { Say } from '../runs/take-over.ts'

/** A run that nobody leads, and the means of mending it. */
interface Healing {
  readonly file: RunFile
  /** All that the journals still say. */
  readonly recorded: readonly Recorded[]
  readonly home: string
  readonly clock: Clock
  readonly onNote?: Say | undefined
}

/**
 * Puts back into the journals of a run what they lost at their ends and the others still know, each entry with the time at
 * which it happened, and says so. A run with a member that lives has lost nothing: its machine went on.
 *
 * @returns whether anything was put back
 */
export function healGaps(dir: string, { file, recorded, ...healing }: Healing): boolean {
  const { team, run: id, task } = file
  const owners = [leaderName, ...team.members.map(({ name }) => name)]
  if (owners.some((name) => livingHolder(dir, name) !== null)) return false
  const run = runDirectory(dir, team)
  const boxes = boxesOf(run.mail, { recorded, owners, team: team.name, seal: sealOf(readRunKey(healing.home, id)) })
  const { mends, asks, texts } = gapsIn({ recorded, boxes, team, run: id, task })
  const told = new Set(recorded.flatMap(({ entry }) => (entry.type === 'warning.raised' ? [entry.message] : [])))
  const fresh = texts.filter((text) => !told.has(text))
  if (fresh.length === 0) return false
  for (const [owner, facts] of mends) putBack(owner, facts)
  post(asks, { dir: run.mail, durability: team.mail?.durability ?? 'process' })
  putBack(
    leaderName,
    fresh.map((message) => ({
      at: healing.clock.now(),
      fact: { type: 'warning.raised', code: 'journal_gap', message },
    })),
  )
  for (const text of fresh) healing.onNote?.(text)
  return true

  function putBack(owner: string, facts: readonly { readonly at: number; readonly fact: Fact }[]): void {
    let at = 0
    const clock = { now: () => at }
    const incarnation = healing.clock.mint()
    const { journal } =
      owner === leaderName
        ? openTeamJournal({ run, clock }, incarnation)
        : openOwned({ run, clock }, { owner, incarnation }, memberFold)
    try {
      for (const mended of facts) {
        at = mended.at
        journal.append([mended.fact])
      }
    } finally {
      journal.close()
    }
  }
}

interface Boxes {
  readonly recorded: readonly Recorded[]
  readonly owners: readonly string[]
  readonly team: string
  readonly seal: Seal
}

/** All files in the boxes of a run. Only mail that no journal knows is opened. */
function boxesOf(mail: string, { recorded, owners, team, seal }: Boxes): readonly BoxedMail[] {
  const known = new Set(
    recorded.flatMap(({ entry }) =>
      entry.type === 'mail.sent' || entry.type === 'mail.received' ? [entry.envelope.id] : [],
    ),
  )
  return owners.flatMap((owner) => {
    const folders = mailFolders(mail, owner)
    const look = (file: string, path: string, folder: BoxedMail['folder']): readonly BoxedMail[] => {
      const id = parseMailFile(file)?.id
      if (id === undefined) return []
      if (known.has(id)) return [{ id, folder }]
      const read = genuine(`${path}/${file}`, file, { id: agentId(owner, team), team, seal })
      return read === null ? [] : [{ id, folder, envelope: read }]
    }
    return [
      ...namesIn(folders.done).flatMap((file) => look(file, folders.done, 'done')),
      ...[folders.new, folders.dead].flatMap((path) => namesIn(path).flatMap((file) => look(file, path, 'other'))),
      ...claimedIn(folders).flatMap(({ claim, file }) => look(file, `${folders.cur}/${claim}`, 'other')),
    ]
  })
}

function genuine(path: string, file: string, recipient: Parameters<typeof readMail>[2]) {
  try {
    const read = readMail(path, file, recipient)
    return 'envelope' in read ? read.envelope : null
  } catch {
    // The disk does not give it: it is as good as lost.
    return null
  }
}

import { join } from 'node:path'
import { watchFolder } from '../../adapters/fs/watch-folder.ts'
import { journalCursor } from '../../adapters/sessions/journal-cursor.ts'
import { runDirectory } from '../../adapters/sessions/run-directory.ts'
import type { Entry } from '../../protocol/facts/entry.ts'
import type { RunFile } from '../../protocol/team/run.ts'
import type { MemberCard } from '../../protocol/team/team-card.ts'
import { agentId, personSender } from '../../protocol/words/ids.ts'
import { didYouMean } from '../../rules/tools/did-you-mean.ts'
import { openMailbox } from '../mail/open-mailbox.ts'

/** A member that runs, and what it is asked for by control mail. */
interface Asked {
  /** The run directory. */
  readonly dir: string
  readonly team: RunFile['team']
  readonly member: string
  readonly body: string
  readonly key: string
  /** Where the run's key is. */
  readonly home: string
  /** Gives up waiting. */
  readonly signal?: AbortSignal | undefined
}

/** The card of a member: `cardIn(file, 'lead')`. @throws Error when there is no such member, with a near name */
export function cardIn({ team, run }: Pick<RunFile, 'team' | 'run'>, member: string): MemberCard {
  const names = team.members.map(({ name }) => name)
  const card = team.members.find(({ name }) => name === member)
  if (card) return card
  const guess = didYouMean(member, names)
  const hint = guess === undefined ? '' : ` Did you mean "${guess}"?`
  throw new Error(`${member} is no member of ${run}.${hint} Members: ${names.join(', ')}.`)
}

/**
 * Asks a member that runs for something, as the person, and waits for what its journal says of that.
 *
 * @param found reads the answer out of an entry that was written since; `mail` is the id of the mail that asked
 * @throws Error when the mail cannot be sent, or the signal comes first
 */
export async function askMember<Answer>(
  { dir, team, member, body, key, home, signal }: Asked,
  found: (entry: Entry, mail: string) => Answer | null,
): Promise<Answer> {
  const cursor = journalCursor(runDirectory(dir, team).journalFile(member))
  cursor.read()
  const box = openMailbox(dir, personSender, { home })
  try {
    const sent = box.send({ to: agentId(member, team.name), kind: 'control', body, key, priority: 'normal' })
    if (!sent.ok) throw new Error(sent.error)
    const { id } = sent.envelope
    return await nextAnswer(join(dir, 'journal'), () => cursor.read().entries.map((each) => found(each, id)), signal)
  } finally {
    box.close()
  }
}

function nextAnswer<Answer>(folder: string, look: () => readonly (Answer | null)[], signal?: AbortSignal) {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  const check = (): void => {
    const found = look().find((each) => each !== null)
    if (found !== undefined && found !== null) resolve(found)
  }
  const stop = watchFolder(folder, check)
  signal?.addEventListener('abort', () => reject(new Error('the member has not done it yet')), { once: true })
  check()
  return promise.finally(stop)
}

import { bodyText } from '../../../protocol/work/body-text.ts'
import type { Envelope } from '../../../protocol/mail/envelope.ts'
import {
  delayOf,
  findMail,
  mailItems,
  membersOf,
  purgeMail,
  requeueMail,
  wholeText,
  type MailItem,
} from '../../../runtime/mail/inspect-mail.ts'
import { teamsWithRuns } from '../../../runtime/runs/read-runs.ts'
import { readDebts } from '../../../runtime/runs/read-debts.ts'
import { momentText } from '../../../protocol/words/local-time.ts'
import { durationText } from '../../text/figures.ts'
import { exitCodes, type ExitCode } from '../host/exit-codes.ts'
import { print, type Host, type Flags, type Values, printEither, workingDirectory } from '../host/host.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { printList } from '../text/table.ts'
import { meantText, runDirectoryOf, type NamedRunChoice } from '../runs/run-choice.ts'
import { attached, type Attaching } from '../runs/attached.ts'
import { UserError } from '../host/user-error.ts'
import { sendMail } from '../../../runtime/mail/send-mail.ts'
import { typedOrStdin } from '../runs/read-task.ts'

export type MailChoice = NamedRunChoice & Flags<'all'>

/** Mail that waits; with `--all` everything that lies in the boxes. */
export async function mailList(member: string | undefined, options: MailChoice, host: Host): Promise<ExitCode> {
  const { dir, name } = whose(member, options, host)
  const items = mailItems(dir, { member: name, ...(options.all ? {} : { states: ['written', 'claimed'] }) })
  const head = ['TO', 'STATE', 'FROM', 'KIND', 'ID', 'TEXT']
  const none = options.all ? 'No mail.' : 'No mail waits to be read.'
  return printList({ items, head, row: mailRow, none, isCut: true }, options, host)
}

/** Mail that was given up, and why. */
export async function mailDead(member: string | undefined, options: NamedRunChoice, host: Host): Promise<ExitCode> {
  const { dir, name } = whose(member, options, host)
  const items = mailItems(dir, { member: name, states: ['dead'] })
  const head = ['TO', 'LAST ATTEMPT', 'ID', 'REASON']
  return printList({ items, head, row: deadRow, none: 'No mail was given up.' }, options, host)
}

/** Tasks and questions that somebody waits for. */
export async function mailOwed(member: string | undefined, options: NamedRunChoice, host: Host): Promise<ExitCode> {
  const { dir, name } = whose(member, options, host)
  const items = readDebts(dir).filter(({ debtor }) => name === undefined || debtor === name)
  const head = ['WHO', 'OWES A', 'TO', 'FOR', 'READ', 'TEXT']
  const row = ({ received, waiting_for = [], ...debt }: (typeof items)[number]): readonly string[] => {
    const { debtor, creditor, kind, since, body } = debt
    const read = [received ? 'yes' : 'no', ...(waiting_for.length > 0 ? [`waits for ${waiting_for.join(', ')}`] : [])]
    return [debtor, kind, creditor, durationText(host.now() - since), read.join(', '), firstLine(body)]
  }
  return printList({ items, head, row, none: 'Nobody owes an answer.' }, options, host)
}

/** One mail with all that is known of it. */
export async function mailShow(id: string, options: NamedRunChoice, host: Host): Promise<ExitCode> {
  const dir = runOf(options, host)
  const items = findMail(dir, id)
  if (items.length === 0) {
    const why =
      id.length < 4
        ? `"${id}" is too short to name a mail: give at least four characters of its id`
        : `there is no mail "${id}"`
    throw new UserError(`${why}; troupe mail ls --all lists what is in ${dir}`)
  }
  await printEither({ document: items, text: items.map((item) => whole(dir, item)).join('\n') }, options, host)
  return exitCodes.done
}

/** Gives dead mail another chance. */
export async function mailRequeue(id: string | undefined, options: MailChoice, host: Host): Promise<ExitCode> {
  const dir = runOf(options, host)
  const items = requeueMail(dir, chosenDead(dir, id, options))
  await printDealt(items, 'put back', { options, host })
  const delay = items.length > 0 ? delayOf(dir) : null
  if (delay !== null) await print(host.stderr, `${delay}\n`)
  return exitCodes.done
}

/** Ends dead mail for good. */
export async function mailPurge(id: string | undefined, options: MailChoice, host: Host): Promise<ExitCode> {
  const dir = runOf(options, host)
  const items = purgeMail(dir, chosenDead(dir, id, options))
  await printDealt(items, 'deleted', { options, host })
  return exitCodes.done
}

/** The dead mail that is to be dealt with: one, or with `--all` all there is. */
function chosenDead(dir: string, id: string | undefined, { all }: MailChoice): readonly MailItem[] {
  if ((id === undefined) !== (all === true)) throw new UserError('give the id of one mail, or --all')
  const dead = (id === undefined ? mailItems(dir) : findMail(dir, id)).filter(({ state }) => state === 'dead')
  if (id !== undefined && dead.length === 0)
    throw new UserError(`no mail "${id}" was given up in ${dir}; troupe mail dead lists what was`)
  return dead
}

/** @param done what was done with it, in the past tense */
async function printDealt(
  items: readonly MailItem[],
  done: string,
  { options, host }: { readonly options: NamedRunChoice; readonly host: Host },
): Promise<void> {
  const lines = [
    `${items.length} ${done}`,
    ...items.map(({ member, id, file }) => `${member} ${plainLine(id ?? file)}`),
  ]
  return printEither({ document: items, text: plainText(lines.join('\n')) }, options, host)
}

/** The run that is meant, and the member in it: `name`, `name@team`, or everybody. */
function whose(member: string | undefined, options: NamedRunChoice, host: Host) {
  const [name, team] = member?.split('@') ?? []
  const dir = runOf({ ...options, run: options.run ?? team }, host)
  const members = membersOf(dir)
  if (name !== undefined && members?.includes(name) === false) {
    const runs = options.run === undefined ? teamsWithRuns(workingDirectory(options.cwd, host)) : []
    const isRun = runs.includes(name)
    const meant = isRun ? '' : meantText(name, [...runs, ...members])
    const other = `another run: --run ${isRun ? name : '<run>'}`
    throw new UserError(
      `no member of this run is called "${name}"${meant}; its members: ${members.join(', ')}; ${other}`,
    )
  }
  return { dir, name }
}

function runOf({ run, ...options }: NamedRunChoice, host: Host): string {
  return runDirectoryOf(run, options, host)
}

function mailRow({ member, state, envelope, id, file }: MailItem): readonly string[] {
  if (!envelope) return [member, state, '?', '?', id ?? file, '']
  return [member, state, envelope.from, envelope.kind, envelope.id, firstLine(bodyText(envelope))]
}

function deadRow({ member, died_at, id, file, reason = 'unknown' }: MailItem): readonly string[] {
  return [member, died_at === undefined ? '?' : momentText(died_at), id ?? file, reason]
}

function firstLine(body: string): string {
  const line = body.split('\n', 1)[0] ?? ''
  return line.length > 60 ? `${line.slice(0, 60)}…` : line
}

function whole(dir: string, { member, state, file, envelope, reason }: MailItem): string {
  const head = [`file   ${state} ${member}/${file}`, ...(reason === undefined ? [] : [`died   ${reason}`])]
  return plainText([...head, ...(envelope ? envelopeLines(dir, envelope) : [])].join('\n'))
}

function envelopeLines(dir: string, envelope: Envelope): readonly string[] {
  const { id, from, to, kind, priority, sent_at, request, status } = envelope
  const about = [kind, priority, request, status].filter((word) => word !== undefined && word !== 'normal')
  const head = [`id     ${id}`, `from   ${from}`, `to     ${to}`, `kind   ${about.join(' ')}`]
  return [...head, `sent   ${momentText(sent_at)}`, '', wholeText(dir, envelope)]
}

/** Where mail goes, and its text as typed; `-` stands for stdin. */
interface TypedMail {
  readonly to: string
  readonly text: string
}

/** Writes to a member; what is refused is a mistake of the command line and changes nothing. */
export async function send(
  { to, text: typed }: TypedMail,
  options: NamedRunChoice & Flags<'interrupt'> & Values<'key'> & Attaching,
  host: Host,
): Promise<ExitCode> {
  const text = await typedOrStdin(typed, host)
  if (text.trim() === '') throw new UserError('the text is empty')
  const team = /@([^#]*)/.exec(to)?.[1]
  const dir = runDirectoryOf(options.run ?? team, options, host)
  const { key, interrupt } = options
  const priority = interrupt ? 'interrupt' : 'normal'
  const sent = await sendMail(dir, {
    to,
    text,
    key,
    home: host.home,
    priority,
    attachments: await attached(options, host),
  })
  if (!sent.ok) throw new UserError(sent.error)
  const { envelope, copies = [envelope], note } = sent
  const document = { run_dir: dir, mail: copies, ...(note === undefined ? {} : { note }) }
  await printEither(
    { document, text: copies.map((copy) => `sent to ${copy.to} (${copy.id})`).join('\n') },
    options,
    host,
  )
  if (note !== undefined && !options.json) await print(host.stderr, `${note}\n`)
  return exitCodes.done
}

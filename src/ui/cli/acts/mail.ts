import type { Envelope } from '../../../protocol/envelope.ts'
import {
  delayOf,
  findMail,
  listMail,
  membersOf,
  purgeMail,
  requeueMail,
  wholeText,
  type MailFilter,
  type MailItem,
} from '../../../runtime/mail-desk.ts'
import { readDebts } from '../../../runtime/runs/read-debts.ts'
import { durationText } from '../../text/figures.ts'
import { exitCodes, type ExitCode } from '../exit-codes.ts'
import { print, type Host } from '../host.ts'
import { plainText } from '../../text/plain-text.ts'
import { runDirectoryOf } from '../run-choice.ts'
import { table } from '../table.ts'
import { UserError } from '../user-error.ts'

export interface MailOptions {
  readonly run?: string | undefined
  readonly json?: true | undefined
  readonly cwd?: string | undefined
}

export interface MailChoice extends MailOptions {
  readonly all?: true | undefined
}

/** Mail that waits; with `--all` everything that lies in the boxes. */
export async function mailList(member: string | undefined, options: MailChoice, host: Host): Promise<ExitCode> {
  const states: MailFilter = options.all ? {} : { states: ['written', 'claimed'] }
  const items = itemsOf(member, states, { options, host })
  const rows = items.map((item) => [item.member, item.state, ...mailCells(item)])
  const none = options.all ? 'No mail.' : 'No mail waits to be read.'
  return listed(items, table(['TO', 'STATE', 'FROM', 'KIND', 'ID', 'TEXT'], rows), { options, host, none })
}

/** Mail that was given up, and why. */
export async function mailDead(member: string | undefined, options: MailOptions, host: Host): Promise<ExitCode> {
  const items = itemsOf(member, { states: ['dead'] }, { options, host })
  const rows = items.map(({ member: to, died_at, id, file, reason = 'unknown' }) => {
    return [to, died_at === undefined ? '?' : new Date(died_at).toISOString(), id ?? file, reason]
  })
  const none = 'No mail was given up.'
  return listed(items, table(['TO', 'LAST ATTEMPT', 'ID', 'REASON'], rows), { options, host, none })
}

/** Tasks and questions that somebody waits for. */
export async function mailOwed(member: string | undefined, options: MailOptions, host: Host): Promise<ExitCode> {
  const { dir, name } = whose(member, options, host)
  const debts = readDebts(dir).filter(({ debtor }) => name === undefined || debtor === name)
  const rows = debts.map(({ debtor, creditor, kind, since, received, body }) => {
    return [debtor, kind, creditor, durationText(host.now() - since), received ? 'yes' : 'no', firstLine(body)]
  })
  if (options.json) await print(host.stdout, `${JSON.stringify(debts, null, 2)}\n`)
  else if (debts.length === 0) await print(host.stderr, 'Nobody owes an answer.\n')
  else await print(host.stdout, table(['WHO', 'OWES A', 'TO', 'FOR', 'READ', 'TEXT'], rows))
  return exitCodes.done
}

/** One mail with all that is known of it. */
export async function mailShow(id: string, options: MailOptions, host: Host): Promise<ExitCode> {
  const dir = runOf(options, host)
  const items = findMail(dir, id)
  if (items.length === 0)
    throw new UserError(`there is no mail "${id}" in ${dir}; troupe mail ls --all lists what there is`)
  const text = options.json ? JSON.stringify(items, null, 2) : items.map((item) => whole(dir, item)).join('\n')
  await print(host.stdout, `${text}\n`)
  return exitCodes.done
}

/** Gives dead mail another chance. */
export async function mailRequeue(id: string | undefined, options: MailChoice, host: Host): Promise<ExitCode> {
  return deal(id, options, { host, act: requeueMail, done: 'put back', noteOf: delayOf })
}

/** Ends dead mail for good. */
export async function mailPurge(id: string | undefined, options: MailChoice, host: Host): Promise<ExitCode> {
  return deal(id, options, { host, act: purgeMail, done: 'deleted' })
}

interface Deal {
  readonly host: Host
  readonly act: typeof requeueMail
  /** What was done, in the past tense. */
  readonly done: string
  /** What is to be known of it besides. */
  readonly noteOf?: (dir: string) => string | null
}

async function deal(id: string | undefined, options: MailChoice, { host, act, done, noteOf }: Deal): Promise<ExitCode> {
  const dir = runOf(options, host)
  if ((id === undefined) !== (options.all === true)) throw new UserError('give the id of one mail, or --all')
  const dead = (id === undefined ? listMail(dir) : findMail(dir, id)).filter(({ state }) => state === 'dead')
  if (id !== undefined && dead.length === 0)
    throw new UserError(`no mail "${id}" was given up in ${dir}; troupe mail dead lists what was`)
  const items = act(dir, dead)
  const text = options.json
    ? JSON.stringify(items, null, 2)
    : `${items.length} ${done}${items.map((item) => `\n${item.member} ${item.id ?? item.file}`).join('')}`
  await print(host.stdout, `${plainText(text)}\n`)
  const note = items.length > 0 ? noteOf?.(dir) : null
  if (note) await print(host.stderr, `${note}\n`)
  return exitCodes.done
}

interface Place {
  readonly options: MailOptions
  readonly host: Host
}

interface Listing extends Place {
  /** What is said where the list is empty. */
  readonly none: string
}

function itemsOf(member: string | undefined, filter: MailFilter, { options, host }: Place): readonly MailItem[] {
  const { dir, name } = whose(member, options, host)
  return listMail(dir, { ...filter, member: name })
}

/** The run that is meant, and the member in it: `name`, `name@team`, or everybody. */
function whose(member: string | undefined, options: MailOptions, host: Host) {
  const [name, team] = member?.split('@') ?? []
  const dir = runOf({ ...options, run: options.run ?? team }, host)
  const members = membersOf(dir)
  if (name !== undefined && members?.includes(name) === false)
    throw new UserError(`no member of this run is called "${name}"; its members: ${members.join(', ')}`)
  return { dir, name }
}

function runOf({ run, ...options }: MailOptions, host: Host): string {
  return runDirectoryOf(run, options, host)
}

async function listed(items: readonly MailItem[], text: string, { options, host, none }: Listing): Promise<ExitCode> {
  if (options.json) await print(host.stdout, `${JSON.stringify(items, null, 2)}\n`)
  else if (items.length > 0) await print(host.stdout, text)
  else await print(host.stderr, `${none}\n`)
  return exitCodes.done
}

function mailCells({ envelope, id, file }: MailItem): readonly string[] {
  if (!envelope) return ['?', '?', id ?? file, '']
  return [envelope.from, envelope.kind, envelope.id, firstLine(envelope.body)]
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
  return [...head, `sent   ${new Date(sent_at).toISOString()}`, '', wholeText(dir, envelope)]
}

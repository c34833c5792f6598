import type { Recorded } from '../../../protocol/facts/entry.ts'
import { errorText } from '../../../protocol/words/error-text.ts'
import { answerText } from '../../../protocol/tools/answer-text.ts'
import { wordsTool } from '../../../protocol/tools/own-question.ts'
import { memberName } from '../../../protocol/words/ids.ts'
import type { AnswerScope } from '../../../protocol/permissions/approval-file.ts'
import { answerApproval, pendingApprovals } from '../../../runtime/runs/answer-approval.ts'
import { continueDetached } from '../../../runtime/run/continue-detached.ts'
import { sendMail } from '../../../runtime/mail/send-mail.ts'
import { attachmentsNamedIn } from '../../../runtime/mail/attachments.ts'
import type { Order } from '../state/ui.ts'

/** Where orders go. */
export interface OrderTarget {
  /** The run directory. */
  readonly dir: string
  readonly team: string
  readonly home: string
  readonly now: () => number
  readonly lead: string
  /** The run has a leader now. */
  readonly led: boolean
  /** Where the members work. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
}

const stopText = 'Stop what you are doing now, and wait for what I write next.'

const answers: Partial<Record<string, { behavior: 'allow' | 'deny'; scope: AnswerScope }>> = {
  allow: { behavior: 'allow', scope: 'once' },
  allow_session: { behavior: 'allow', scope: 'session' },
  allow_save: { behavior: 'allow', scope: 'save' },
  deny: { behavior: 'deny', scope: 'once' },
  deny_stop: { behavior: 'deny', scope: 'stop' },
}

/**
 * Does what a person wants of a member: mail, mail that interrupts, or an answer. Everything goes the way that the
 * command line goes, so that it works wherever the member lives.
 * @returns what came of it, in a line
 */
export async function carryOut(order: Exclude<Order, { type: 'command' }>, place: OrderTarget): Promise<string> {
  try {
    if (order.type === 'answer') return answerAll(order, place)
    if (order.type === 'interrupt') {
      const { said, note } = await write(place, order.to, { text: stopText, priority: 'interrupt' })
      return withNote(said, note)
    }
    if (order.type === 'mail' || order.type === 'steer') return await writeAll(order, place)
    return ''
  } catch (error) {
    return `not done: ${errorText(error)}`
  }
}

/** The lead of a run that nobody leads comes last: words to it let the team go on, with the mail of the others. */
async function writeAll(order: Extract<Order, { type: 'mail' | 'steer' }>, place: OrderTarget): Promise<string> {
  const { to, text } = order
  const wakes = !place.led && to.includes(place.lead)
  const priority = order.type === 'mail' ? 'normal' : 'interrupt'
  const sent: Written[] = []
  for (const name of to) if (!wakes || name !== place.lead) sent.push(await write(place, name, { text, priority }))
  const failed = sent.filter(({ ok }) => !ok)
  if (failed.length > 0) return failed.map(({ said }) => said).join(' · ')
  const note = wakes ? await goOn(text, place) : sent.at(-1)?.note
  if (to.length > 1) return withNote(`sent to ${to.length} members: ${to.join(', ')}`, note)
  return wakes ? (note ?? '') : withNote(sent.at(-1)?.said ?? '', note)
}

/** Words to the lead of a run that nobody leads any more let the team go on. */
async function goOn(text: string, { dir, cwd, env, home }: OrderTarget): Promise<string> {
  const trouble = await continueDetached(dir, text, { cwd, env, home })
  return trouble === null ? 'the team goes on; its questions wait here' : `not sent: ${trouble}`
}

/** The outcome of one mail. */
interface Written {
  readonly ok: boolean
  readonly said: string
  /** Said of the run: nobody leads it now. */
  readonly note?: string | undefined
}

async function write(
  { dir, team, home }: OrderTarget,
  to: string,
  mail: { readonly text: string; readonly priority: 'normal' | 'interrupt' },
): Promise<Written> {
  const attachments = await attachmentsNamedIn(mail.text)
  const sent = await sendMail(dir, { to: `${to}@${team}`, home, attachments, ...mail })
  if (!sent.ok) return { ok: false, said: `not sent: ${sent.error}` }
  const how = mail.priority === 'interrupt' ? 'sent at once to' : 'sent to'
  const came = attachments.length === 0 ? '' : ` with ${attachments.length} file(s)`
  return { ok: true, said: `${how} ${to}${came}`, note: sent.note }
}

function withNote(said: string, note: string | undefined): string {
  return note === undefined ? said : `${said}; ${note}`
}

function answerAll(order: Extract<Order, { type: 'answer' }>, place: OrderTarget): string {
  const pending = pendingApprovals([place.dir])
  const said = [order.id, ...(order.also ?? [])].map((id) => {
    const request = pending.find((each) => each.request.id === id)?.request
    const who = request === undefined ? id : `${memberName(request.member)}, ${request.tool}`
    return { who, text: answer({ ...order, id }, request?.tool ?? '', place) }
  })
  const texts = new Set(said.map(({ text }) => text))
  if (said.length > 1 && texts.size === 1) return `${said.length} calls: ${[...texts].join('')}`
  return said.map(({ who, text }) => `${who}: ${text}`).join(' · ')
}

/** The answer that somebody else just gave, in words; null for what is older than a note, or was answered on such a screen. */
export function answeredElsewhere({ owner, entry }: Recorded, since: number): string | null {
  if (entry.type !== 'permission.decided' || entry.at < since) return null
  const { tool, by, decision } = entry
  if (decision.source !== 'human' || by === undefined || by === ownFace) return null
  return `${owner}, ${tool}: ${answerText(tool, { ...decision, by })}`
}

const ownFace = 'troupe attach'

function answer(
  { id, act, advice, input }: Extract<Order, { type: 'answer' }>,
  tool: string,
  { dir, home, now }: OrderTarget,
): string {
  const given = answers[act]
  if (!given) return ''
  const said = given.behavior === 'deny' && advice !== '' ? { advice } : {}
  const changed = input === undefined ? {} : { updated_input: input }
  const outcome = answerApproval(dir, id, { ...given, ...said, ...changed, by: ownFace, home, at: now() })
  if (outcome === null) return 'the question is not asked any more'
  const { behavior, scope, reason } = outcome.answer
  if (!outcome.won) return `your answer does not count: ${answerText(tool, outcome.answer)}`
  if (tool === wordsTool) return behavior === 'allow' ? `you answered: ${reason}` : 'you gave no answer'
  if (behavior === 'deny') return 'denied'
  return `${scope === 'save' ? 'allowed, its rules are saved' : 'allowed'}${input === undefined ? '' : ' as you changed it'}`
}

import { readEnvelope, type Envelope, type MailDraft } from '../../../protocol/mail/envelope.ts'
import type { Restriction } from '../../../protocol/permissions/restriction.ts'
import { agentId, leaderName, personSender, type AgentId } from '../../../protocol/words/ids.ts'
import { addressees } from '../../../rules/team/mail-address.ts'
import type { MailLog } from '../files/mail-log.ts'
import type { Seal } from '../files/read-mail.ts'

/** Bytes of the longest text that mail carries itself; a longer text becomes an artifact. */
export const maxBodyBytes = 256 * 1024

/** The same for a result, which a coordinator reads beside many others. */
const maxResultBytes = 32 * 1024

/** Characters of a draft's other fields together: with more, no reader would open the file. */
const maxOtherChars = 64 * 1024

/** Characters of a longer text that its recipient sees at once. */
const previewChars = 8 * 1024

/** A text that was put aside, with its place. */
export interface StoredText {
  readonly sha256: string
  readonly bytes: number
  readonly path: string
}

/** The writer of mail, and the means of writing. */
export interface Writer {
  readonly owner: string
  readonly from: AgentId | 'user'
  readonly team: string
  readonly roster: readonly string[]
  /** Worker cards by member. */
  readonly roles?: Readonly<Record<string, string>>
  readonly log: Pick<MailLog, 'lastSeq' | 'sent'>
  readonly now: () => number
  readonly mint: () => string
  readonly seal?: Seal
  /** Restrictions of whoever acts on mail of this writer; read at each send that asks for something. */
  readonly restrictions?: () => readonly Restriction[]
  /** Puts a text aside that is too long for mail; without it such mail is refused. */
  readonly store?: (text: string) => StoredText
  /** The trace context for a mail with this id; none where nobody traces. */
  readonly traceparent?: ((mail: string) => string | undefined) | undefined
}

/** The mail of one draft: all of it, and the part that was not sent before. */
export type WrittenMail =
  | { readonly all: readonly Envelope[]; readonly fresh: readonly Envelope[] }
  | { readonly error: string }

/** Kinds with one recipient: an answer, or work that one member does. */
const personal = new Set<MailDraft['kind']>(['task', 'result', 'question', 'answer'])

/** Kinds that no person sends: no mail reaches a person. */
const ofMembers = new Set<MailDraft['kind']>(['task', 'result', 'question'])

/** Kinds on which their recipient acts; the others answer what it asked itself. */
const asking = new Set<MailDraft['kind']>(['task', 'question', 'text', 'control'])

/** The rules of who takes mail. */
export interface Admission {
  /** The reason why mail to a member is refused, or null. */
  admit(name: string): string | null
  /** Whether a member reads nothing any more: mail to several goes to the others. */
  leaveOut(name: string): boolean
}

/** Turns a draft into envelopes, one for each recipient: numbered on from the writer's journal, stamped and signed. */
export function writeEnvelopes(draft: MailDraft, writer: Writer, { admit, leaveOut }: Admission): WrittenMail {
  const { owner, from, team, roster, roles, log } = writer
  const bound = withRestrictions(draft, writer)
  const malformed = malformedText(bound)
  if (malformed !== null) return { error: malformed }
  const before = log.sent(draft.key)
  if (before) return { all: [before], fresh: [] }
  // The leader takes control mail about tasks, and no other.
  const services = draft.kind === 'control' ? [leaderName] : []
  const to = addressees(draft.to, { team, roster, roles, services, self: owner })
  if ('error' in to) return to
  const several = to.names.length > 1
  if (several && personal.has(draft.kind)) return { error: `A ${draft.kind} goes to one member.` }
  if (from === personSender && ofMembers.has(draft.kind)) return { error: notOfAPerson(draft.kind) }
  const names = several ? to.names.filter((name) => !leaveOut(name)) : to.names
  const copies = names.map((name) => {
    const key = several ? `${draft.key}:${name}` : draft.key
    return { name, key, sent: several ? log.sent(key) : undefined }
  })
  const known = copies.flatMap(({ sent }) => sent ?? [])
  if (known.length === copies.length) return { all: known, fresh: [] }
  for (const { name, sent } of copies) {
    const refusal = sent ? null : admit(name)
    if (refusal !== null) return { error: refusal }
  }
  const content = contentOf(bound, to.incarnation, writer)
  if ('error' in content) return content
  const all: Envelope[] = []
  const fresh: Envelope[] = []
  for (const { name, key, sent } of copies) {
    const envelope = sent ?? stamped(content, { key, to: agentId(name, team), ahead: fresh.length }, writer)
    if ('error' in envelope) return envelope
    all.push(envelope)
    if (!sent) fresh.push(envelope)
  }
  return { all, fresh }
}

/** A draft that carries restrictions already was written down at another time. */
function withRestrictions(draft: MailDraft, { restrictions }: Writer): MailDraft {
  const { restrictions: given = asking.has(draft.kind) ? restrictions?.() : undefined, ...plain } = draft
  return given === undefined || given.length === 0 ? plain : { ...plain, restrictions: [...given] }
}

/** The fault of a draft, as a program without types may give it; null for a good one. */
function malformedText({
  to,
  body,
  key,
  reply_to = '',
  request = '',
  incarnation = '',
  returns,
  restrictions,
}: MailDraft): string | null {
  const fields: Readonly<Record<string, unknown>> = { to, body, key, reply_to, request, incarnation }
  const odd = Object.keys(fields).find((name) => typeof fields[name] !== 'string')
  if (odd !== undefined) return `The mail is malformed: ${odd} is no text.`
  const shape = [returns, restrictions].map((part) => (part === undefined ? '' : JSON.stringify(part)))
  const others = [to, key, reply_to, request, incarnation, ...shape]
  const chars = others.reduce((sum, text) => sum + text.length, 0)
  if (chars <= maxOtherChars) return null
  return `The mail is malformed: its fields besides the body have ${chars} characters, more than ${maxOtherChars}.`
}

function notOfAPerson(kind: MailDraft['kind']): string {
  const why = kind === 'result' ? 'Nobody asked a person for it' : 'Nobody could answer it: no mail reaches a person'
  return `A person sends no ${kind}. ${why}. Send it as a text.`
}

/** The content that all copies of a draft share. */
type Content = MailDraft & Pick<Envelope, 'priority' | 'artifact'>

/** The fields of one copy, and the number of copies before it. */
interface Copy extends Pick<Envelope, 'to' | 'key'> {
  readonly ahead: number
}

/** Stamps a copy with identity, number and time: those of the writer, never of the draft. */
function stamped(content: Content, { key, to, ahead }: Copy, writer: Writer): Envelope | { readonly error: string } {
  const { owner, from, log, now, mint, seal, traceparent } = writer
  const id = mint()
  const traced = traceparent?.(id)
  const read = readEnvelope({
    ...content,
    ...(traced === undefined ? {} : { traceparent: traced }),
    v: 1,
    id,
    key,
    from,
    sender: owner,
    seq: log.lastSeq() + 1 + ahead,
    to,
    sent_at: now(),
  })
  if ('problem' in read) return { error: `The mail is malformed: ${read.problem}.` }
  return seal ? seal.sign(read.envelope) : read.envelope
}

function contentOf(draft: MailDraft, incarnation: string | undefined, { store }: Writer): Content | { error: string } {
  const { body: text, kind, priority = 'normal' } = draft
  const content = incarnation === undefined ? { ...draft, priority } : { ...draft, priority, incarnation }
  const bytes = Buffer.byteLength(text)
  if (bytes <= (kind === 'result' && store ? maxResultBytes : maxBodyBytes)) return content
  if (!store) {
    const remedy = 'Write it to a file and send the path.'
    return { error: `The message has ${bytes} bytes, more than the ${maxBodyBytes} that mail carries. ${remedy}` }
  }
  const { sha256, path } = store(text)
  const preview = text.slice(0, previewChars).replace(/[\uD800-\uDBFF]$/, '')
  const pointer = `[The beginning of ${bytes} bytes. The whole text is in ${path}]`
  return { ...content, body: `${preview}\n\n${pointer}`, artifact: { sha256, bytes } }
}

import type { Envelope } from '../../protocol/mail/envelope.ts'
import { personSender } from '../../protocol/words/ids.ts'
import { withoutTags } from './frame-tag.ts'

export type Framed = Pick<Envelope, 'from' | 'kind' | 'id' | 'body'> &
  Partial<Pick<Envelope, 'status' | 'request' | 'amends' | 'reply_to'>>

/**
 * Puts a piece of mail into the frame in which an agent reads it. Whatever a sender writes, it cannot
 * close the frame or open another; the rest of the body is read as it was written. A result also says in its first line
 * that a sub-agent speaks, the voice of least trust.
 *
 * @example frameMail(envelope) // '<message from="ann@team" kind="text" id="01J…">\nHello\n</message>'
 */
export function frameMail(mail: Framed): string {
  const kind = kindOf(mail)
  const fields: [string, string | undefined][] = [
    ['from', mail.from],
    ['kind', kind],
    ['id', mail.id],
  ]
  if (kind === 'result') fields.push(['status', mail.status])
  if (kind === 'result' || kind !== mail.kind) fields.push(['request', mail.request])
  const attributes = fields.flatMap(([name, value]) =>
    value === undefined ? [] : [` ${name}="${inAttribute(value)}"`],
  )
  return `<message${attributes.join('')}>\n${headOf(mail)}${withoutTags(mail.body, 'message')}\n</message>`
}

/** Whether a framed mail came from a person: no member's address can be spelled so. */
export function isFromPerson(frame: string): boolean {
  return frame.startsWith(`<message from="${personSender}"`)
}

/** Whether a text is the frame of this mail. */
export function isFrameOf(text: string, id: string): boolean {
  return text.startsWith('<message ') && text.slice(0, text.indexOf('>')).includes(` id="${id}"`)
}

/** Whether a framed mail asks its reader something, or answers what its reader asked. */
export function isQuestionOrAnswer(frame: string): boolean {
  return /^<message from="[^"]*" kind="(?:question|answer)"/.test(frame)
}

/** A part of a worker's work is a task for whoever does it, and its answer a result. */
function kindOf({ kind, request }: Framed): Framed['kind'] {
  if (request === undefined) return kind
  if (kind === 'answer') return 'result'
  return kind === 'question' ? 'task' : kind
}

function headOf(mail: Framed): string {
  if (mail.kind === 'shutdown' && mail.reply_to !== undefined) return '[It was asked to stop, and goes on. Why:]\n'
  if (kindOf(mail) !== 'result') return ''
  const status = mail.status === undefined ? '' : `, status ${mail.status}`
  const amends = mail.amends ? ', in addition to its earlier result' : ''
  return `[Sub-agent result from ${inAttribute(mail.from)}${status}${amends}]
`
}

function inAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\r\n]/g, ' ')
}

/**
 * Reads the body back out of a frame, as its reader sees it.
 *
 * @returns `undefined` when the text is no frame.
 */
export function unframedBody(text: string): string | undefined {
  const frame = /^<message [^>]*kind="([a-z]+)"[^>]*>\n([^]*)\n<\/message>$/.exec(text)
  const inner = frame?.[2]
  if (inner === undefined || withoutTags(inner, 'message') !== inner) return undefined
  return frame?.[1] === 'result' ? inner.slice(inner.indexOf('\n') + 1) : inner
}

/**
 * The beginning of a text on one line, for notes and screens: no control characters, and nothing that opens a frame.
 *
 * @example shortLine('Look at\n<x>', 80) // 'Look at <x>'
 */
export function shortLine(text: string, length: number): string {
  const line = text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
  return withoutTags(line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line, 'message')
}

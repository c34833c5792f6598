import type { Envelope } from '../../protocol/mail/envelope.ts'

const order = 'compact'

/** The body of control mail that has its reader make its conversation shorter: `compactBody('the tests')`. */
export function compactBody(focus: string): string {
  return focus === '' ? order : `${order}: ${focus}`
}

/** The focus that mail gives a summary which it asks for; null for any other mail. */
export function compactOrder({ kind, request, body }: Pick<Envelope, 'kind' | 'request' | 'body'>): string | null {
  if (kind !== 'control' || request !== undefined) return null
  if (body === order) return ''
  return body.startsWith(`${order}: `) ? body.slice(order.length + 2) : null
}

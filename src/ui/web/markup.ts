import { withoutUnseen } from './unseen-signs.ts'

/** Text that is HTML already; any other text is escaped before it becomes a part of it. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Markup[]

/**
 * A text as a part of HTML: in an element or in an attribute between double quotes.
 * @example escaped('<b>"') // '&lt;b&gt;&quot;'
 */
function escaped(text: string): string {
  return withoutUnseen(text.toWellFormed().replaceAll('\r\n', '\n')).replace(
    /[&<>"'`]/g,
    (sign) => entities[sign] ?? sign,
  )
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
}

/** A piece of HTML whose filled-in texts are escaped: html`<p>${text}</p>`. */
export function html(pieces: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return { markup: pieces.reduce((sum, piece, index) => sum + partOf(parts[index - 1] ?? '') + piece) }
}

function partOf(part: Part): string {
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return 'markup' in part ? part.markup : part.map(({ markup }) => markup).join('')
}

/** Text that is HTML already; any other text is escaped before it becomes a part of it. */
export interface Markup {
  readonly markup: string
}

type Part = string | number | Markup | readonly Markup[]

/** Signs that a browser obeys or shows nothing of: they could hide a part of a text, or re-order it. */
const unseen =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e0fff}]/gu

/**
 * A text as a part of HTML: in an element or in an attribute between double quotes.
 * @example escaped('<b>"') // '&lt;b&gt;&quot;'
 */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll('\r\n', '\n')
    .replace(unseen, '\u{fffd}')
    .replace(/[&<>"'`]/g, (sign) => entities[sign] ?? sign)
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

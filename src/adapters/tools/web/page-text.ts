/** Beyond this a page is shown as it came: reading its markup would take too long. */
const maxMarkup = 1 << 20
const dropped = ['script', 'style', 'noscript', 'template', 'iframe', 'object', 'canvas', 'form', 'nav'] as const

/**
 * The text of a page: HTML as Markdown without scripts, forms and navigation; other text as it is.
 *
 * @example await pageText('<h1>Hello</h1>', 'text/html') // '# Hello'
 */
export async function pageText(body: string, mediaType: string): Promise<string> {
  const isMarkup = /^(text\/html|application\/xhtml\+xml)$/.test(mediaType)
  if (!isMarkup) return body
  if (body.length > maxMarkup || isTooDeep(body)) return withoutTags(body)
  const { default: Turndown } = await import('turndown')
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  turndown.remove([...dropped])
  try {
    return turndown.turndown(withoutInlineData(body))
  } catch {
    // Markup of hostile make: the words are worth more than their order.
    return withoutTags(body)
  }
}

/** Pictures and fonts that stand in the page itself would fill the text with their bytes. */
function withoutInlineData(body: string): string {
  return body.replace(/\b(src|href|srcset|data|poster)\s*=\s*(["'])\s*data:[^"']*\2/gi, '')
}

/** The translation descends as deep as the markup does. */
function isTooDeep(body: string): boolean {
  let depth = 0
  for (const [tag] of body.matchAll(/<\/?(?:div|span|ul|ol|li|table|tr|td|b|i|em|font|p|a|blockquote|section)\b/gi)) {
    depth += tag.startsWith('</') ? -1 : 1
    if (depth > 500) return true
  }
  return false
}

function withoutTags(body: string): string {
  return body
    .replace(/<(script|style)\b[^]*?(<\/\1>|$)/gi, '')
    .replace(/<[^<>]*>/g, ' ')
    .replace(/[ \t]+/g, ' ')
    .replace(/\s*\n\s*/g, '\n')
}

/**
 * The tiny language behind `{{name.path}}`: which part of a text is meant. No conditions, no arithmetic.
 *
 * `text` all of it · `count` its lines · `number` its last line that is a whole number · `line.2` one line
 * (`line.-1` the last) · `first.5` the first five lines · `after.1` those after the first · `column.2` the second tab-separated part.
 * Steps may follow one another: `line.1.column.2`.
 *
 * @returns the part, or undefined when the text has no such part
 */
export function textPath(text: string, path: readonly string[]): string | undefined {
  let part: string | undefined = trimmed(text)
  const steps = [...path]
  while (part !== undefined && steps.length > 0) {
    const name = steps.shift() ?? ''
    const select = selectors[name]
    if (!select) return undefined
    part = select(part, select.length > 1 ? Number(steps.shift()) : 0)
  }
  return part
}

const selectors: Readonly<Record<string, (text: string, index: number) => string | undefined>> = {
  text: (text: string) => text,
  count: (text: string) => String(linesOf(text).length),
  number: (text: string) =>
    linesOf(text)
      .map((line) => line.trim())
      .findLast((line) => /^\d+$/.test(line)),
  line: (text: string, index: number) =>
    linesOf(text)
      .at(index > 0 ? index - 1 : index)
      ?.trim(),
  first: (text: string, index: number) => linesOf(text).slice(0, index).join('\n') || undefined,
  after: (text: string, index: number) => linesOf(text).slice(index).join('\n') || undefined,
  column: (text: string, index: number) => text.split('\t')[index - 1]?.trim(),
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.split('\n')
}

/** Without the line breaks around it: leading spaces of the first line may be alignment. */
function trimmed(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(/^\n+|\s+$/g, '')
}

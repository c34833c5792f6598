import { readFileSync } from 'node:fs'

/**
 * The text of `<name>.md` beside this file: what a model reads of a tool. `{{name}}` stands for a value that the
 * code knows better.
 *
 * @throws When the file is missing or names a value that is not given: the package is broken.
 * @example promptText('read', { limit: 2_000 })
 */
export function promptText(name: string, values: Readonly<Record<string, string | number>> = {}): string {
  return readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8')
    .trim()
    .replace(/\{\{(\w+)\}\}/g, (_, key: string) => {
      const value = values[key]
      if (value === undefined) throw new Error(`${name}.md names {{${key}}}, without a value`)
      return typeof value === 'number' ? grouped(value) : value
    })
}

/** `2000` → `2,000`. The language data of the engine would take longer to load than all tools together. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',')
}

import { adviceKeys, mainKeys, questionKeys, type Binding } from '../../src/ui/tui/keys.ts'

const section = /(<!-- keys: [^\n]*-->\n)[\s\S]*(<!-- \/keys -->)/

/** The page with the keys of the screen in its place for them. */
export function withKeys(page: string): string {
  const tables = `${table(mainKeys)}\nIn the list of questions:\n\n${table(questionKeys)}\nWhile a denial is written:\n\n${table(adviceKeys)}`
  return page.replace(section, (_, begin: string, end: string) => `${begin}\n${tables}\n${end}`)
}

function table(map: readonly Binding[]): string {
  const rows = map.map(({ keys, does }) => [keys.map((key) => `\`${key}\``).join(', '), does] as const)
  const all = [['key', 'does'] as const, ...rows]
  const [left, right] = [0, 1].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) as [
    number,
    number,
  ]
  const line = (key: string, does: string): string => `| ${key.padEnd(left)} | ${does.padEnd(right)} |\n`
  const [head = '', ...body] = all.map(([key, does]) => line(key, does))
  return [head, line('-'.repeat(left), '-'.repeat(right)), ...body].join('')
}

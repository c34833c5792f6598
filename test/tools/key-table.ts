import {
  adviceKeys,
  changeKeys,
  listKeys,
  mainKeys,
  playKeys,
  questionKeys,
  readKeys,
  textKeys,
  writeKeys,
  type Binding,
} from '../../src/ui/tui/state/keys.ts'

const section = /(<!-- keys: [^\n]*-->\n)[\s\S]*(<!-- \/keys -->)/

/** The page with the keys of the screen in its place for them. */
export function withKeys(page: string): string {
  const tables = [
    `At a list:\n\n${table(listKeys)}`,
    `While mail is written from a list:\n\n${table(writeKeys)}`,
    `At the panes of members:\n\n${table(mainKeys)}`,
    `While a transcript is read:\n\n${table(readKeys)}`,
    `While a recorded run is played (\`troupe replay --attach\`), at lists and panes:\n\n${table(playKeys)}`,
    `In the list of questions:\n\n${table(questionKeys)}`,
    `While a denial is written:\n\n${table(adviceKeys)}`,
    `While a call is changed:\n\n${table(changeKeys)}`,
    `At help, and at a text that is shown alone:\n\n${table(textKeys)}`,
  ].join('\n')
  return page.replace(section, (_, begin: string, end: string) => `${begin}\n${tables}\n${end}`)
}

function table(map: readonly Binding<string>[]): string {
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

import type { SkillHead } from '../../protocol/skills/skill.ts'

/** Characters of a list of skills, and of one description in it. */
const [mostInAll, mostOfOne] = [16_000, 1_536] as const

/**
 * The skills that a model may open, a line each: within bounds, the longest descriptions are cut first. Empty when there are
 * none.
 *
 * @example skillListing([{ name: 'pdf', description: 'Reads PDF files.', … }]) // '…\n- pdf: Reads PDF files.'
 */
export function skillListing(skills: readonly SkillHead[]): string {
  const listed = skills.filter(({ unlisted }) => !unlisted)
  if (listed.length === 0) return ''
  const texts = listed.map(descriptionOf)
  const names = listed.map(nameOf)
  const shown = fitting(names)
  const room = mostInAll - names.slice(0, shown).reduce((sum, name) => sum + name.length + 5, 0)
  const most = fairShare(
    texts.slice(0, shown).map(({ length }) => length),
    room,
  )
  const lines = names.slice(0, shown).map((name, at) => `- ${name}: ${cut(texts[at] ?? '', most)}`)
  const rest = listed.length - shown
  return [
    'Skills are instructions for kinds of work. When one of these fits, call Skill with its name before you begin:',
    ...lines,
    ...(rest === 0 ? [] : [`- and ${rest} more, which are too many to be listed`]),
  ].join('\n')
}

function nameOf({ name, argumentHint }: SkillHead): string {
  return argumentHint === undefined ? name : `${name} ${oneLine(argumentHint).slice(0, 100)}`
}

function descriptionOf({ description, whenToUse }: SkillHead): string {
  return cut(oneLine([description, ...(whenToUse === undefined ? [] : [whenToUse])].join(' ')), mostOfOne)
}

/** How many names fit. */
function fitting(names: readonly string[]): number {
  let left = mostInAll
  const end = names.findIndex(({ length }) => (left -= length + 5) < 0)
  return end === -1 ? names.length : end
}

/** The length to which the longest are cut so that all fit. */
function fairShare(lengths: readonly number[], room: number): number {
  let [left, count] = [room, lengths.length]
  for (const length of lengths.toSorted((a, b) => a - b)) {
    if (length * count > left) return Math.max(0, Math.floor(left / count))
    left -= length
    count -= 1
  }
  return mostOfOne
}

/** A description is one line of the list: nothing in it looks like another entry. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.max(0, most - 1)).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/*
 * Guesses about a task from its words, without a model. English words count; a task in another language counts by its
 * length, its steps and its files alone.
 */

/** Words of tasks that need thought: a mistake in them is found late. */
const heavyWords =
  /\b(architect\w*|redesign\w*|refactor\w*|rewrit\w*|migrat\w*|concurren\w*|race condition|deadlock\w*|prove|proof|security|vulnerab\w*|optimi[sz]\w*|algorithm\w*|distributed|root cause|trade-?offs?|end-to-end|backwards? compatib\w*)\b/gi

const files = /(?:^|[\s`'"(])(?:[\w.-]+\/)*[\w-]+\.[a-z]{1,4}\b/g
const steps = /^\s*(?:[-*]|\d+[.)])\s+\S/gm

const longTask = 1_200
const longestLook = 20_000

/**
 * Whether a task looks hard enough to begin with a stronger model. Each of these counts one, two are enough: a heavy word
 * (each once), more than 1,200 characters, four or more steps in a list, three or more files.
 *
 * @example looksHard('Find the root cause of the deadlock.') // true
 * @example looksHard('Rename the flag in cli.ts.') // false
 */
export function looksHard(task: string): boolean {
  const text = task.slice(0, longestLook)
  const distinct = (pattern: RegExp): number => new Set(text.toLowerCase().match(pattern)).size
  const signs = [text.length > longTask, (text.match(steps)?.length ?? 0) >= 4, distinct(files) >= 3]
  return distinct(heavyWords) + signs.filter(Boolean).length >= 2
}

const emptyWords = new Set(
  (
    'a an and again all any anything are be better bit bug bugs can change check clean cleanup clear code do everything faster fix for ' +
    'fine good great help here i improve in is issue issues it its just look make me more my nice now of on our ' +
    'please problem problems properly repo right some something stuff that the them these thing things this tidy to update up us with work works you'
  ).split(' '),
)

/**
 * Whether a task is too vague to begin with: at most twelve words, and none of them says what it is about.
 *
 * @example isVague('Please fix it.') // true
 * @example isVague('Fix the login.') // false
 */
export function isVague(task: string): boolean {
  const words = task.toLowerCase().match(/[^\s,;:!?]+/g) ?? []
  return words.length <= 12 && words.every((word) => emptyWords.has(word.replace(/\.+$/, '')))
}

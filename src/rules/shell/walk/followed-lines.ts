import type { BashCommand, BashRedirect } from '../bash-command.ts'
import type { BashWord } from '../bash-word.ts'
import { lineTexts } from '../lines/line-texts.ts'
import { writtenScripts } from '../bash-scripts.ts'
import { setting, type ShellState } from './shell-values.ts'
import { goesTooFar, type Walk } from './walk.ts'

interface Place {
  readonly walk: Walk
  readonly state: ShellState
  /** Follows a script from a state on. */
  walkSource(source: string, walk: Walk, state: ShellState): ShellState
}

/** Texts around each other, and texts of a line, of which more are not followed; long ones count for several. */
const deepest = 4
const mostTried = 600

/**
 * Follows the texts of a command that its program may give to a shell. Searches in texts find the names that stand there;
 * this adds the commands in which a shell makes a name of something else. A text that is no script adds nothing.
 */
export function followLines(command: BashCommand, { walk, state, walkSource }: Place): void {
  if (walk.dry > 0 || walk.depth >= deepest) return
  for (const { text, sure } of lineTexts(command)) {
    walk.tried.count += 1 + Math.floor(text.length / 200)
    if (walk.tried.count > mostTried) {
      walk.problems.push('it holds too many texts that may be lines of a shell')
      return
    }
    const own = emptyWalk(walk)
    walkSource(text, own, withAssignments(command, state))
    if (own.unseen && !goesTooFar(own, 0)) continue
    if (own.unseen) {
      walk.problems.push('a text in it may be a script that is too long to be judged')
      return
    }
    for (const each of own.commands)
      if (each.perhaps === true || sure || isWorkedOut(each, command)) walk.commands.push(quietly(each, command))
  }
}

/** The state with the variables that are set for the command alone. */
function withAssignments({ assignments }: BashCommand, state: ShellState): ShellState {
  let set = state
  for (const text of assignments) {
    const [, name, value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
    if (name !== undefined) set = setting(set, name, /[$`]/.test(value) ? null : [{ text: value, glob: false }])
  }
  return set
}

function emptyWalk({ depth, tried, moves }: Walk): Walk {
  return {
    commands: [],
    problems: [],
    followed: new Set(),
    dry: 0,
    loops: 0,
    depth: depth + 1,
    tried,
    moves,
    steps: 0,
    wideGlobs: false,
    unseen: false,
  }
}

/** A shell makes other names of what stands there, or goes elsewhere before it runs the command. */
function isWorkedOut({ words, redirects, directories }: BashCommand, around: BashCommand): boolean {
  const [name] = words
  if (name?.value === null && !substitutes(name)) return false
  if (name?.glob === true || directories?.join() !== around.directories?.join()) return true
  if (writtenScripts(words).unseen) return true
  return [...words, ...redirects.map(({ word }) => word)].some(
    (word) => expands.test(word.text) && (word.value !== null || substitutes(word)),
  )
}

const expands = /[$`]|\{[^{}"]*,/

function substitutes({ text }: BashWord): boolean {
  return /\$\(|`/.test(text)
}

/** The command without doubts about what the program may put into its text. */
function quietly(command: BashCommand, around: BashCommand): BashCommand {
  const { text, assignments, fed, found } = command
  const [name] = command.words
  // Where a pattern stands for the program, other patterns are more likely none.
  const words = name?.glob === true ? command.words.filter((word) => word === name || !word.glob) : command.words
  return {
    text,
    words: words.map(settled),
    assignments,
    redirects: command.redirects.flatMap((each): readonly BashRedirect[] => (each.word.value === null ? [] : [each])),
    directories: command.directories ?? around.directories,
    within: true,
    perhaps: true,
    ...(fed !== undefined && { fed }),
    ...(found === true && { found }),
  }
}

function settled(word: BashWord): BashWord {
  if (word.value !== null || substitutes(word)) return word
  return { text: word.text, value: null, glob: false, from: 'number' }
}

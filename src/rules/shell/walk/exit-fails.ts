import type { SyntaxNode, Word } from 'unbash'
import { bashCommands } from './bash-commands.ts'
import type { BashWord } from '../bash-word.ts'
import { commandName, unwrapped } from '../bash-wrappers.ts'
import { shellGrammar } from '../lines/shell-grammar.ts'

/** Programs that answer "no" with exit 1: nothing found, or a difference. */
const answering = new Set(['grep', 'egrep', 'fgrep', 'rg', 'diff', 'cmp', 'test', '[', 'cd'])
/** Can make a line end with the code of a command that is not its last. */
const steering = new Set(['set', 'exit', 'trap', 'exec', 'eval', 'source', '.', 'return'])

/**
 * Whether an exit code other than 0 tells of a failure. Exit 1 of `grep`, `rg`, `diff`, `cmp`, `test` and `git diff` is
 * an answer; that of a line is one where nothing else in it can be what gave the code.
 *
 * @example exitFails('grep word src/*.ts', 1) // false
 * @example exitFails('npm test && grep word notes', 1) // true: either of them may have ended so
 */
export function exitFails(command: string, code: number): boolean {
  if (code !== 1 || bashCommands(command).commands.some(({ words }) => steering.has(commandName(words)))) return true
  const { commands, errors = [] } = shellGrammar().parse(command)
  const last = commands.at(-1)
  return errors.length > 0 || last === undefined || !answers(last.command)
}

function answers(node: SyntaxNode): boolean {
  if (node.type === 'TestCommand') return true
  if (node.type === 'AndOr') return node.commands.every(answers)
  if (node.type === 'Pipeline') {
    const last = node.commands.at(-1)
    return last !== undefined && node.prefixes.every(({ type }) => type === 'Time') && answers(last)
  }
  if (node.type !== 'Command' || node.name === undefined) return false
  const args = node.args.flatMap((part) => (part.type === 'Word' ? [asWord(part)] : []))
  const words = unwrapped([asWord(node.name), ...args])
  const name = commandName(words)
  return answering.has(name) || (name === 'git' && ['diff', 'grep'].includes(gitVerb(words.map(({ text }) => text))))
}

/** `git -C dir diff` → `diff`. */
function gitVerb([, ...words]: readonly string[]): string {
  const [first = '', , ...rest] = words
  return first === '-C' || first === '-c' ? gitVerb(['git', ...rest]) : first
}

function asWord({ text, value }: Word): BashWord {
  return { text, value, glob: false }
}

import type { ArithmeticCommand, TestCommand, TestExpression, Word } from 'unbash'
import { workOut } from './arithmetic.ts'
import type { BashCommand } from '../bash-command.ts'
import type { BashWord } from '../bash-word.ts'
import { expandWord } from './expand-word.ts'
import { checkNumber, checkVariable, type Expansion } from './expansion.ts'

const sums = /^-(eq|ne|lt|le|gt|ge)$/

/** `[[ … ]]` and `(( … ))` as a command of their own name. */
export function testCommand(node: TestCommand | ArithmeticCommand, into: Expansion): BashCommand {
  const { directories } = into.state
  const shared = { assignments: [], redirects: [], directories }
  if (node.type === 'ArithmeticCommand') {
    workOut(node.expression, into)
    return { ...shared, text: `((${node.body}))`, words: [named('(('), named(node.body)] }
  }
  const words = [named('[['), ...wordsIn(node.expression, into)]
  return { ...shared, text: words.map(({ text }) => text).join(' '), words }
}

function named(text: string): BashWord {
  return { text, value: text, glob: false }
}

function wordsIn(test: TestExpression, into: Expansion): readonly BashWord[] {
  switch (test.type) {
    case 'TestUnary': {
      const words = oneOf(test.operand, into)
      if (/^-[vR]$/.test(test.operator)) for (const word of words) checkVariable(word, into)
      return words
    }
    case 'TestBinary': {
      const words = [...oneOf(test.left, into), ...oneOf(test.right, into)]
      if (sums.test(test.operator)) for (const word of words) checkNumber(word, into)
      return words
    }
    case 'TestLogical':
      return test.operands.flatMap((operand) => wordsIn(operand, into))
    case 'TestNot':
      return wordsIn(test.operand, into)
    default:
      return wordsIn(test.expression, into)
  }
}

/** In `[[ ]]` nothing stands for files. */
function oneOf(word: Word, into: Expansion): readonly BashWord[] {
  return expandWord(word, into).flat()
}

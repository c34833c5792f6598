import type { ArithmeticExpression, ArithmeticWord } from 'unbash'
import type { BashWord } from '../bash-word.ts'
import { checkNumber, holdsNumber, isSum, put, unsureNumber, type Expansion } from './expansion.ts'
import { givesNumber } from './number-scripts.ts'
import { joined } from './shell-values.ts'

const assigns = /^(?![=!<>]=$).*=$/

/**
 * Follows a calculation: the variables that it sets, the scripts in it, and texts that may not be numbers. One that fails
 * sets nothing from there on.
 */
export function workOut(expression: ArithmeticExpression | undefined, into: Expansion): void {
  if (!goesWell(expression)) into.left.push(into.state)
  follow(expression, into)
}

/** Numbers, added, multiplied and compared: anything else may divide by nothing, or hold what is no number. */
function goesWell(expression: ArithmeticExpression | undefined): boolean {
  switch (expression?.type) {
    case 'ArithmeticWord':
      return expression.parts === undefined && /^\s*(0|[1-9]\d{0,15})\s*$/.test(expression.value)
    case 'ArithmeticGroup':
      return goesWell(expression.expression)
    case 'ArithmeticBinary':
      return (
        /^(\+|-|\*|[<>!=]=?|==)$/.test(expression.operator) && goesWell(expression.left) && goesWell(expression.right)
      )
    default:
      return false
  }
}

/** Follows what bash may leave out. */
function followPerhaps(expression: ArithmeticExpression, into: Expansion): void {
  const before = into.state
  follow(expression, into)
  into.state = joined(before, into.state)
}

function follow(expression: ArithmeticExpression | undefined, into: Expansion): void {
  if (expression === undefined) {
    into.hazards.push(unsureNumber)
    return
  }
  switch (expression.type) {
    case 'ArithmeticWord':
      workOutWord(expression, into)
      return
    case 'ArithmeticCommandExpansion':
      if (expression.script !== undefined) into.scripts.push({ script: expression.script, state: into.state })
      if (expression.script === undefined || !givesNumber(expression.script)) into.hazards.push(unsureNumber)
      else checkNumber(count, into)
      return
    case 'ArithmeticGroup':
      follow(expression.expression, into)
      return
    case 'ArithmeticTernary':
      follow(expression.test, into)
      followPerhaps(expression.consequent, into)
      followPerhaps(expression.alternate, into)
      return
    case 'ArithmeticUnary':
      follow(expression.operand, into)
      if (/^(\+\+|--)$/.test(expression.operator)) set(expression.operand, into)
      return
    case 'ArithmeticBinary':
      if (/^(&&|\|\|)$/.test(expression.operator)) {
        follow(expression.left, into)
        followPerhaps(expression.right, into)
        return
      }
      follow(expression.right, into)
      if (expression.operator === '=') checkTarget(expression.left, into)
      else follow(expression.left, into)
      if (assigns.test(expression.operator)) set(expression.left, into)
  }
}

/** The output of a script that gives a number. */
const count: BashWord = { text: '', value: null, glob: false, from: 'number' }

function set(target: ArithmeticExpression, into: Expansion): void {
  const plain = target.type === 'ArithmeticWord' && (target.parts ?? []).length < 2
  const name = plain ? /^([A-Za-z_]\w*)(?:\[.*)?$/s.exec(target.value.trim())?.[1] : undefined
  if (name === undefined) {
    into.hazards.push(unsureNumber)
    return
  }
  into.sets.push(name)
  put(name, 'number', into)
}

/** A variable that gets a number may have held anything before. */
function checkTarget(target: ArithmeticExpression, into: Expansion): void {
  const plain = target.type === 'ArithmeticWord' && /^\s*[A-Za-z_]\w*\s*$/.test(target.value)
  if (!plain) follow(target, into)
}

function workOutWord({ value, parts = [] }: ArithmeticWord, into: Expansion): void {
  if (parts.length > 0 || /[`\\"']/.test(value)) {
    const known = parts.every((part) => {
      if (part.type === 'Literal')
        return isSum(part.value, into.state) && (parts.length === 1 || !/[A-Za-z_]/.test(part.value))
      if (part.type !== 'ParameterExpansion' || part.operation !== undefined || part.index !== undefined) return false
      return part.prefix === '#' || (part.prefix === undefined && holdsNumber(part.parameter, into.state))
    })
    if (!known || /[`\\"']/.test(value)) into.hazards.push(unsureNumber)
    return
  }
  // `a[i + 1]`: the subscript is a sum as well; `$x` stands for its text.
  const text = value.replaceAll(/\$(\w+|[#?$!])/g, (_all, name: string) => (holdsNumber(name, into.state) ? '0' : '"'))
  const plain = text.replaceAll(
    /([A-Za-z_]\w*)\[([^[\]]*)\]/g,
    (_all, name: string, index: string) => `${name}+(${index})`,
  )
  if (!isSum(plain, into.state)) into.hazards.push(unsureNumber)
}

import type { ArithmeticExpression, ArithmeticWord } from 'unbash'
import { isSum, unsureNumber, type Expansion } from './expansion.ts'
import { givesNumber } from './number-scripts.ts'
import { setting, valueOf } from './shell-values.ts'

const assigns = /^(?![=!<>]=$).*=$/

/** Follows a calculation: the variables that it sets, the scripts in it, and texts that may not be numbers. */
export function workOut(expression: ArithmeticExpression | undefined, into: Expansion): void {
  if (expression === undefined) {
    into.hazards.push(unsureNumber)
    return
  }
  switch (expression.type) {
    case 'ArithmeticWord':
      workOutWord(expression, into)
      return
    case 'ArithmeticCommandExpansion':
      if (expression.script !== undefined) into.scripts.push(expression.script)
      if (expression.script === undefined || !givesNumber(expression.script)) into.hazards.push(unsureNumber)
      return
    case 'ArithmeticGroup':
      workOut(expression.expression, into)
      return
    case 'ArithmeticTernary':
      for (const each of [expression.test, expression.consequent, expression.alternate]) workOut(each, into)
      return
    case 'ArithmeticUnary':
      workOut(expression.operand, into)
      if (/^(\+\+|--)$/.test(expression.operator)) set(expression.operand, into)
      return
    case 'ArithmeticBinary':
      workOut(expression.right, into)
      if (expression.operator === '=') checkTarget(expression.left, into)
      else workOut(expression.left, into)
      if (assigns.test(expression.operator)) set(expression.left, into)
  }
}

function set(target: ArithmeticExpression, into: Expansion): void {
  const name = target.type === 'ArithmeticWord' ? /^[A-Za-z_]\w*/.exec(target.value.trim())?.[0] : undefined
  if (name === undefined) {
    into.hazards.push(unsureNumber)
    return
  }
  into.sets.push(name)
  into.state = setting(into.state, name, 'number')
}

/** A variable that gets a number may have held anything before. */
function checkTarget(target: ArithmeticExpression, into: Expansion): void {
  const plain = target.type === 'ArithmeticWord' && /^\s*[A-Za-z_]\w*\s*$/.test(target.value)
  if (!plain) workOut(target, into)
}

function workOutWord({ value, parts = [] }: ArithmeticWord, into: Expansion): void {
  if (parts.length > 0 || /[`\\"']/.test(value)) {
    const known = parts.every((part) => {
      if (part.type === 'Literal') return isSum(part.value, into.state)
      if (part.type !== 'ParameterExpansion' || part.operation !== undefined || part.index !== undefined) return false
      return part.prefix === '#' || (part.prefix === undefined && holds(part.parameter, into))
    })
    if (!known || /[`\\"']/.test(value)) into.hazards.push(unsureNumber)
    return
  }
  // `a[i + 1]`: the subscript is a sum as well; `$x` stands for its text.
  const text = value.replaceAll(/\$(\w+|[#?$!])/g, (_all, name: string) => (holds(name, into) ? '0' : '"'))
  const plain = text.replaceAll(
    /([A-Za-z_]\w*)\[([^[\]]*)\]/g,
    (_all, name: string, index: string) => `${name}+(${index})`,
  )
  if (!isSum(plain, into.state)) into.hazards.push(unsureNumber)
}

function holds(name: string, { state }: Expansion): boolean {
  const values = valueOf(name, state)
  if (values === 'number' || values === 'env') return true
  return values?.every(({ text, glob }) => !glob && isSum(text, state)) ?? false
}

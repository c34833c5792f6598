import type { Answer } from '../../protocol/permissions/permission.ts'
import type { Grants } from '../../protocol/permissions/approval-file.ts'

const words = {
  once: '[o]nce',
  session: '[s]ession',
  always: '[a]lways',
  deny: '[d]eny, with advice if you like',
  stop: '[x] deny and stop this member',
} as const
type Choice = keyof typeof words

const meant: Readonly<Record<string, Choice>> = {
  o: 'once',
  s: 'session',
  a: 'always',
  save: 'always',
  d: 'deny',
  x: 'stop',
  ...Object.fromEntries(Object.keys(words).map((word) => [word, word as Choice])),
}

/** Choices that may be typed for a question; rules are granted only where a rule can say it. */
export function choicesOf(grants: Grants): string {
  return offeredOf(grants)
    .map((choice) => words[choice])
    .join('  ')
}

/** The reply to a line that is none of the choices. */
export function retryOf(grants: Grants): string {
  const letters = offeredOf(grants).map((choice) => /\[(.)\]/.exec(words[choice])?.[1] ?? '')
  return `Please type ${letters.slice(0, -1).join(', ')} or ${letters.at(-1) ?? ''}; ? shows the question again.`
}

/**
 * The answer of a typed line, or null when the line is none of the offered choices. Text after a denial is the advice
 * that the member is given. `choiceOf('d use the staging host', grants)` → `{ behavior: 'deny', reason: 'use the
 * staging host', … }`
 */
export function choiceOf(line: string, grants: Grants): Answer | null {
  const [word = '', ...rest] = line.trim().split(/\s+/)
  const choice = meant[word.toLowerCase()]
  if (choice === undefined || !offeredOf(grants).includes(choice)) return null
  return answerTo(choice, rest.join(' '), grants)
}

function answerTo(choice: Choice, advice: string, { save }: Grants): Answer {
  if (choice === 'deny') return { behavior: 'deny', source: 'human', reason: advice || 'denied', scope: 'once' }
  if (choice === 'stop') {
    return { behavior: 'deny', source: 'human', reason: advice || 'denied, and told to stop', scope: 'stop' }
  }
  const allowed = { behavior: 'allow', source: 'human' } as const
  if (choice === 'session') return { ...allowed, reason: 'allowed for this session', scope: 'session' }
  if (choice === 'always') return { ...allowed, reason: 'allowed from now on', scope: 'save', rules: save }
  return { ...allowed, reason: 'allowed once', scope: 'once' }
}

function offeredOf({ session, save }: Grants): readonly Choice[] {
  return [
    'once',
    ...(session.length > 0 ? (['session'] as const) : []),
    ...(save.length > 0 ? (['always'] as const) : []),
    'deny',
    'stop',
  ]
}

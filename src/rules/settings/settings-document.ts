import { didYouMean } from '../tools/did-you-mean.ts'
import { allowProblem, parseRule } from '../permissions/rule.ts'

/** More allow rules than a person writes; beyond them a file is broken or hostile. */
export const maxAllowRules = 10_000
/** A longer rule is nobody's handwriting. */
const maxRuleLength = 10_000

/** The fault of one rule in a settings file. `unusable` rules cannot hold, the others hold and mislead. */
export interface RuleComplaint {
  readonly code: 'invalid_rule' | 'unknown_tool' | 'misleading_rule'
  readonly message: string
  readonly hint?: string
  /** As an allow rule it opens nothing. */
  readonly drops?: true
}

/** The place of a rule, by which it is judged besides its text. */
export interface RuleSetting {
  readonly list: 'allow' | 'ask' | 'deny'
  /** Names of the tools that exist. */
  readonly tools: readonly string[]
  /** Where the rule stands in a file whose leading `/` means that file's own directory. */
  readonly anchored?: string
}

/**
 * Says why a rule cannot be used or will not do what it seems to say.
 *
 * @example ruleComplaint('Bsh(ls)', { list: 'deny', tools: ['Bash'] }) // unknown_tool … did you mean "Bash"?
 */
export function ruleComplaint(text: string, { list, tools, anchored }: RuleSetting): RuleComplaint | null {
  if (text.length > maxRuleLength) {
    return { code: 'invalid_rule', message: `a rule of ${text.length} characters is too long: ${shortRule(text)}` }
  }
  if (/[\u0000-\u0008\u000E-\u001F]/.test(text)) {
    return { code: 'invalid_rule', message: `${JSON.stringify(shortRule(text))} holds a control character` }
  }
  const rule = parseRule(text)
  if ('error' in rule) return { code: 'invalid_rule', message: rule.error }
  const idle = list === 'allow' ? allowProblem(rule) : null
  if (idle !== null) return { code: 'misleading_rule', message: idle, drops: true }
  if (!rule.tool.includes('*') && !rule.tool.startsWith('mcp__') && !tools.includes(rule.tool)) {
    const guess = didYouMean(rule.tool, tools)
    const found = { code: 'unknown_tool', message: `${text} speaks of a tool that is not here` } as const
    return guess === undefined ? found : { ...found, hint: `did you mean "${guess}"?` }
  }
  if (anchored !== undefined && rule.kind === 'path' && /^\/[^/]/.test(rule.specifier)) {
    const message = `${text} means ${anchored}${rule.specifier}, since a leading / is where the settings lie`
    return { code: 'misleading_rule', message, hint: `write /${rule.specifier} for the absolute path` }
  }
  return null
}

/**
 * A JSON text with its comments blanked out, so that every place in it stays what it was.
 *
 * @example withoutComments('{ // mine\n }') // '{        \n }'
 */
export function withoutComments(text: string): string {
  const strings = /"(?:[^"\\]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g
  return text.replace(strings, (found) => (found.startsWith('"') ? found : found.replace(/[^\n]/g, ' ')))
}

/** A rule for people and journals, however long it is. */
export function shortRule(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`
}

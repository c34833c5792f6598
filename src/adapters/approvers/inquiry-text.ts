import type { OpenQuestion } from '../../protocol/tools/tool.ts'

/** A member's own question for a screen, numbered answers below: what a model wrote cannot move the cursor. */
export function inquiryText({ member, question, options }: OpenQuestion & { readonly member: string }): string {
  const numbered = options.map((option, index) => `  ${index + 1}. ${plain(option)}`)
  return [`${plain(member)} asks: ${plain(question)}`, ...numbered].join('\n')
}

/** The option whose number was typed, or the words themselves: `chosen('2', ['red', 'blue']) // 'blue'`. */
export function chosen(line: string, options: readonly string[]): string {
  return /^\d+$/.test(line) ? (options[Number(line) - 1] ?? line) : line
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (sign) => (sign === '\n' ? '\n  ' : ' '))
}

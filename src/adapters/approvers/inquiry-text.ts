import { askedLines, type OpenQuestion } from '../../protocol/tools/own-question.ts'

/** A member's own question for a screen, numbered answers below: what a model wrote cannot move the cursor. */
export function inquiryText({ member, ...asked }: OpenQuestion & { readonly member: string }): string {
  const [first = '', ...rest] = askedLines(asked).map(plain)
  return [`${plain(member)} asks: ${first}`, ...rest.map((line) => `  ${line}`)].join('\n')
}

function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (sign) => (sign === '\n' ? '\n  ' : ' '))
}

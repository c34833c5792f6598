import type { MemberCard } from '../../protocol/team/team-card.ts'

/** Every member may write mail, and ask the advisor that its card gives it, whatever else that grants. */
export function workerTools({ tools, advisor }: MemberCard): readonly string[] {
  return [...new Set([...tools, 'SendMessage', ...(advisor ? ['Advisor'] : [])])]
}

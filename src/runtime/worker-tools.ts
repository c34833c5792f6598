import type { MemberCard } from '../protocol/team-card.ts'

/** Every member may write mail, whatever else its card grants. */
export function workerTools({ tools }: MemberCard): readonly string[] {
  return tools.includes('SendMessage') ? tools : [...tools, 'SendMessage']
}

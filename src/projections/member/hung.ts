import type { Recorded } from '../../protocol/facts/entry.ts'

/** Takes one recorded fact into the names of those who hang: whoever says anything does not any more. */
export function applyHung(hung: Set<string>, { owner, entry }: Recorded): void {
  if (entry.type === 'member.hung') hung.add(entry.member)
  else hung.delete(owner)
}

import type { MemoryCardWish, MemoryPlan } from '../../protocol/team/memory-card.ts'

/** The tools of a member that remembers. */
const memoryTools: readonly string[] = ['Remember', 'Recall', 'Forget']

/** The tools that a member has beside its own for its memory. */
export function memoryToolsOf({ memory }: { readonly memory?: MemoryPlan | undefined }): readonly string[] {
  return memory === undefined ? [] : memoryTools
}

/** The plan of a memory, with defaults for whatever a card, or else its team, did not say: `memoryPlan('project')`. */
export function memoryPlan(wish: MemoryCardWish | undefined): { readonly memory?: MemoryPlan } {
  if (wish === undefined || wish === false) return {}
  const { scope = 'local', extract = true, claude_agent } = typeof wish === 'string' ? { scope: wish } : wish
  const wanted = extract === true ? {} : extract
  return {
    memory: {
      scope,
      extract: wanted === false ? null : { ...wanted, every: wanted.every ?? 5 },
      ...(claude_agent === undefined ? {} : { claude_agent }),
    },
  }
}

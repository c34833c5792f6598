import type { Entry } from '../../protocol/facts/entry.ts'

/** Deferred tools that a member has looked up, the first one first. */
export type LoadedTools = Set<string>

/** How a result of ToolSearch begins to show a tool; what stands inside cannot look like it. */
const shown = /^<tool name="([A-Za-z][A-Za-z0-9_-]*)">$/gm

/** Takes one entry of the member's journal in: results of ToolSearch, for as long as the member lives and after that. */
export function applyLoadedTools(loaded: LoadedTools, entry: Entry): void {
  if (entry.type !== 'message.appended' || entry.message.role !== 'tool') return
  for (const { tool, is_error, content } of entry.message.results) {
    if (tool !== 'ToolSearch' || is_error) continue
    for (const block of content) {
      if (block.type === 'text') for (const [, name = ''] of block.text.matchAll(shown)) loaded.add(name)
    }
  }
}

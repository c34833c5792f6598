import { z } from 'zod'
import { defineTool } from '../define/define-tool.ts'
import { promptText } from '../prompts/prompt-text.ts'
import { noMemory, told } from './remember.ts'

/** Reads a note whole. */
export const recall = defineTool({
  name: 'Recall',
  description: promptText('recall'),
  input: z.strictObject({ name: z.string().min(1).describe('The name of a note, as your notes list it.') }),
  effect: 'none',
  isConcurrencySafe: () => true,
  isReadOnly: () => true,
  run: async ({ name }, { memories }) => (memories ? told(memories.recall(name)) : noMemory()),
})

import { z } from 'zod'

/** A value that stands for the one at a key of a team file: `{ key: 'historian.prompt', value: 'Be brief.' }`. */
const teamEditSchema = z.object({ key: z.string().min(1), value: z.json() })

/** Words from outside of the team file, which stand for those in it. */
export const namedSchema = z.object({
  model: z.string().optional(),
  fallback: z.array(z.string()).optional(),
  append_prompt: z.string().optional(),
  /** The oldest first. */
  with: z.array(teamEditSchema).optional(),
})

export type TeamEdit = z.infer<typeof teamEditSchema>

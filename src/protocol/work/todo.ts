import { z } from 'zod'

/** The states of a step on a member's todo list. */
export const todoStates = ['pending', 'in_progress', 'completed'] as const

export const todoSchema = z.object({
  content: z.string(),
  status: z.enum(todoStates),
  activeForm: z.string().optional(),
})

/** One step of a member's own todo list; `activeForm` says the same while the step is being done. */
export type Todo = z.infer<typeof todoSchema>

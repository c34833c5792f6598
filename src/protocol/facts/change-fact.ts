import { z } from 'zod'
import { messageSchema } from '../conversation/message.ts'
import { todoSchema } from '../work/todo.ts'

const fact = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape })

/** A content at a path: `artifacts/<sha256>` has it, of a link its target. Null where nothing is. */
const fileStateSchema = z.object({ sha256: z.string(), mode: z.number().int() }).nullable()
export type FileState = z.infer<typeof fileStateSchema>

/** A file with its content before a call and after it. */
const fileChangeSchema = z.object({ path: z.string(), before: fileStateSchema, after: fileStateSchema })
export type FileDifference = z.infer<typeof fileChangeSchema>

/** Facts of what an agent's calls changed on the disk, and of turns that a person took back. */
export const changeFacts = [
  /**
   * A file tool is about to change a file, or a command has ended and these files are different now. `since`: when the
   * command began. `untaken`: why what it changed cannot be taken back.
   */
  fact('files.changed', {
    call_id: z.string(),
    tool: z.string(),
    files: z.array(fileChangeSchema),
    since: z.number().optional(),
    untaken: z.string().optional(),
  }),
  /** The state before the answer `from` has a name from now on. */
  fact('checkpoint.named', { from: z.string(), name: z.string() }),
  /**
   * The answer `from` and everything after it is gone for the model, but what others said; `files` are as they were before it.
   * `messages`: the conversation up to there, where it was made shorter since. `todos`, `plan`: what stood there of them.
   * `note`: what the model is told of it.
   */
  fact('turns.undone', {
    from: z.string(),
    files: z.array(z.string()),
    messages: z.array(z.object({ id: z.string(), message: messageSchema })).optional(),
    todos: z.array(todoSchema).optional(),
    plan: z.string().optional(),
    note: z.string(),
  }),
] as const

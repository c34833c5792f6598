import { z } from 'zod'

const paths = z.array(z.string()).readonly()
/** A command that goes on in a sandbox, and what was there when it began: `~/.troupe/sandboxed/<name>.json`. */
export const sandboxNote = z.object({
  owner: z.object({
    pid: z.number(),
    started: z.number(),
    machine: z.string().optional(),
    host: z.string().optional(),
  }),
  watched: paths,
  temporary: z.string(),
  repositories: paths,
  worktrees: paths,
  gitFiles: paths,
  files: paths,
  shut: paths,
  acts: z.array(z.tuple([z.string(), z.number()])).readonly(),
})
export type SandboxNote = z.infer<typeof sandboxNote>

import { z } from 'zod'
import { nameSchema } from '../words/ids-schema.ts'

/** `.troupe/worktrees/<run>/<member>.json`: the working tree of one member, written by whoever leads its run. */
export const worktreeFileSchema = z.object({
  spec: z.literal(1),
  run: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9-]*$/),
  member: nameSchema,
  /** The top of the tree. */
  tree: z.string(),
  /** The top of the repository that it belongs to. */
  repository: z.string(),
  /** The repository's git directory, shared by all its trees. */
  git: z.string(),
  /** The commit that the first life began from. */
  base: z.string().regex(/^[0-9a-f]+$/),
  /** The branch of the present life: `troupe/<run>/<member>/<life>`. */
  branch: z.string(),
  /** True once the tree was checked out whole: a member may have worked in it. */
  ready: z.boolean(),
  created: z.number(),
})

export type WorktreeFile = z.infer<typeof worktreeFileSchema>

/** Work that would be lost with a tree. */
export interface TreeState {
  /** Files that no commit has. */
  readonly dirty: number
  /** Commits that only its branches have. */
  readonly unmerged: number
}

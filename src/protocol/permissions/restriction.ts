import { z } from 'zod'
import { permissionModes } from './permission.ts'

/** Rules and bounds of one member, as its card has them, that hold for whoever acts for it. */
export const restrictionSchema = z.object({
  /** `name@team` whose restriction it is; a request that is handed on keeps the first one's. */
  of: z.string(),
  deny: z.array(z.string()).optional(),
  ask: z.array(z.string()).optional(),
  /** Relative to the working directory of whoever acts. */
  scope: z.array(z.string()).optional(),
  blocked_hosts: z.array(z.string()).optional(),
  /** The widest mode of whoever acts for it. */
  mode: z.enum(permissionModes).optional(),
  /** Plan mode of the member, in which whoever acts for it is as well. */
  plan: z.literal(true).optional(),
})

export type Restriction = z.infer<typeof restrictionSchema>

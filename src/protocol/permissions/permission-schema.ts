import { z } from 'zod'
import { behaviors, deciders } from './permission.ts'

export const ruleListsSchema = z.object({
  allow: z.array(z.string()).optional(),
  ask: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
})

export const decisionSchema = z.object({
  behavior: z.enum(behaviors),
  source: z.enum(deciders),
  rule: z.string().optional(),
  at: z.string().optional(),
  of: z.string().optional(),
  reason: z.string(),
  path: z.string().optional(),
})

import { z } from 'zod'
import { isAgentId, namePattern, type AgentId } from './ids.ts'

export const nameSchema = z
  .string()
  .regex(namePattern, 'must start with a letter a-z and hold only a-z, 0-9 and "-" (at most 64)')

export const agentIdSchema = z.custom<AgentId>(isAgentId, 'must look like name@team')

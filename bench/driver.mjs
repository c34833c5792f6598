// The peer in the form that the side-by-side harness loads; VARIANT=anthropic speaks Anthropic Messages.
import { definePeer } from './peer.ts'

const anthropic = process.env.VARIANT === 'anthropic'
export const wire = anthropic ? 'a' : 'c'
export const define = (task) => definePeer(task, anthropic)

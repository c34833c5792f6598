// The peer in the form that the side-by-side harness loads; VARIANT=anthropic speaks Anthropic Messages.
import { definePeer } from './peer.ts'

const anthropic = process.env.VARIANT === 'anthropic'
export const wire = anthropic ? 'a' : 'c'

/** @param {import('./peer.ts').PeerTask} task */
export const define = (task) => definePeer(task, anthropic)

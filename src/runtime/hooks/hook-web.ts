import type { PostHook } from '../../adapters/hooks/http-hook.ts'
import { blockedAddresses } from '../../adapters/tools/web/blocked-addresses.ts'
import { openWeb } from '../../adapters/tools/web/guarded-web.ts'

/** This machine's own addresses: hooks are meant to reach servers on it. */
const own = ['127.0.0.0', '0:0:0:0:0:0:0:0']

let opened: Promise<PostHook> | undefined

/** The guarded way to the servers of hooks: the public web and this machine, never its neighbours; opened once. */
export function postHook(): Promise<PostHook> {
  opened ??= open()
  return opened
}

async function open(): Promise<PostHook> {
  const patienceMs = 600_000
  const web = await openWeb({ blocked: blockedAddresses(own), patienceMs, proofs: ['http://192.0.2.1/'] })
  return web.post
}

import { expect, test } from 'vitest'
import { initialTransition, transition, type EventFromLogic } from 'xstate'
import { connectionMachine, connectionState, type OpenOutcome } from '../../../machines/mcp/connection.ts'
import type { McpListing } from '../../../src/protocol/mcp/listing.ts'

const listing: McpListing = {
  instructions: '',
  tools: [{ name: 'echo', description: '', inputSchema: { type: 'object' }, readOnly: false, mark: 'm' }],
  prompts: [],
  resources: false,
  warnings: [],
}

const opened = (output: OpenOutcome) => ({ type: 'xstate.done.actor.0.mcp.pending.opening', output })
const connects = opened({ kind: 'connected', listing })
const fails = opened({ kind: 'failed', reason: 'no luck', final: false })
const hopeless = opened({ kind: 'failed', reason: 'no such program', final: true })
const wantsLogin = opened({ kind: 'needs-auth', reason: 'log in' })
const waited = { type: 'xstate.after.pause.mcp.pending.waiting' }
const lasted = { type: 'xstate.after.steady.mcp.connected' }
const broke = { type: 'closed', reason: 'it broke' }
const wanted = { type: 'wanted' }

/** Where the connection stands after these events, and what it said on the way. */
function after(...events: readonly object[]) {
  const said: string[] = []
  const note = (actions: readonly { readonly type: string; readonly params?: unknown }[]): void => {
    for (const { type, params } of actions)
      if (type === 'xstate.emit') said.push((params as { event: { state: string } }).event.state)
  }
  let [state, actions] = initialTransition(connectionMachine, { server: 'odd', disabled: false })
  note(actions)
  for (const event of events) {
    ;[state, actions] = transition(connectionMachine, state, event as EventFromLogic<typeof connectionMachine>)
    note(actions)
  }
  return { state: connectionState(state), value: state.value, tools: state.context.listing?.tools.length ?? 0, said }
}

const opening = { pending: 'opening' }
const waiting = { pending: 'waiting' }

test.for([
  ['it is connected at once', [], opening, 0],
  ['a connected server has its tools', [connects], 'connected', 1],
  ['a list that changed counts', [connects, { type: 'listed', listing: { ...listing, tools: [] } }], 'connected', 0],
  ['a connection that broke forgets its tools and is opened after a pause', [connects, broke], waiting, 0],
  ['after the pause it is opened again', [connects, broke, waited], opening, 0],
  ['somebody who calls does not wait for the pause', [connects, broke, wanted], opening, 0],
  ['a failed attempt is made again', [fails], waiting, 0],
  ['four failures are not enough', [fails, waited, fails, waited, fails, waited, fails], waiting, 0],
  ['five in a row are', [fails, waited, fails, waited, fails, waited, fails, waited, fails], 'failed', 0],
  [
    'a connection that lasts starts the count again',
    [fails, waited, fails, waited, fails, waited, connects, lasted, broke, waited, fails],
    waiting,
    0,
  ],
  [
    'one that breaks again and again is given up',
    [
      connects,
      broke,
      waited,
      connects,
      broke,
      waited,
      connects,
      broke,
      waited,
      connects,
      broke,
      waited,
      connects,
      broke,
    ],
    'failed',
    0,
  ],
  ['what cannot work is not tried again', [hopeless], 'failed', 0],
  ['unless somebody calls', [hopeless, wanted], opening, 0],
  ['a login is waited for', [wantsLogin], 'needs-auth', 0],
  ['and the next call looks whether there was one', [wantsLogin, wanted], opening, 0],
  [
    'a call that is turned away asks for a login',
    [connects, { type: 'unauthorized', reason: 'log in' }],
    'needs-auth',
    0,
  ],
  ['it can be switched off', [connects, { type: 'disable' }], 'disabled', 0],
  ['then it hears nothing', [connects, { type: 'disable' }, wanted, broke], 'disabled', 0],
  ['until it is switched on', [connects, { type: 'disable' }, { type: 'enable' }], opening, 0],
  ['a word of a dead connection changes nothing', [hopeless, broke, { type: 'listed', listing }], 'failed', 0],
] as const)('%s', ([, events, value, tools]) => {
  const found = after(...events)
  expect(found.value).toEqual(value)
  expect(found.tools).toBe(tools)
})

test('people hear of each state once', () => {
  expect(after(connects, broke, waited, connects).said).toEqual(['connected', 'pending', 'connected'])
  expect(after(wantsLogin, wanted, connects).said).toEqual(['needs-auth', 'connected'])
})

test('one that is switched off from the beginning is never opened', () => {
  const [state] = initialTransition(connectionMachine, { server: 'odd', disabled: true })
  expect(connectionState(state)).toBe('disabled')
})

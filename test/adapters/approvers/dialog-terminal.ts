import { EventEmitter, once } from 'node:events'
import { PassThrough } from 'node:stream'
import {
  terminalApprover,
  type TerminalApprover,
  type TerminalApproverOptions,
} from '../../../src/adapters/approvers/terminal.ts'

/** A terminal with a person's approver at it, and what stands on its screen. */
export interface DialogTerminal {
  readonly approver: TerminalApprover
  readonly input: PassThrough
  /** Everything that was printed, text by text. */
  readonly printed: readonly string[]
  /** The lines below it. */
  foot(): readonly string[] | null
  /** Resolves with them as soon as keys count. */
  prompted(): Promise<readonly string[]>
  /** Types as soon as keys count. */
  type(keys: string): Promise<void>
  /** Keys that the terminal would have acted on by itself. */
  readonly signals: readonly string[]
}

export function dialogTerminal(options: Partial<TerminalApproverOptions> = {}): DialogTerminal {
  const input = new PassThrough()
  const changes = new EventEmitter()
  const printed: string[] = []
  const signals: string[] = []
  const screen: { foot: readonly string[] | null } = { foot: null }
  const approver = terminalApprover({
    input,
    screen: {
      print: (text) => void printed.push(text),
      foot(lines) {
        screen.foot = lines
        changes.emit('foot')
      },
    },
    describe: ({ call }) => `may I ${JSON.stringify(call.input)}?`,
    interrupt: () => void signals.push('interrupt'),
    suspend: () => void signals.push('suspend'),
    graceMs: 0,
    ...options,
  })
  const prompted = async (): Promise<readonly string[]> => {
    for (;;) {
      if (screen.foot !== null && screen.foot.length > 1) return screen.foot
      await once(changes, 'foot')
    }
  }
  return {
    approver,
    input,
    printed,
    foot: () => screen.foot,
    prompted,
    async type(keys) {
      await prompted()
      input.write(keys)
      await new Promise((resolve) => setImmediate(resolve))
    },
    signals,
  }
}

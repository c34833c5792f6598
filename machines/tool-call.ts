import { assign, emit, setup } from 'xstate'
import type { FactOf } from '../src/protocol/fact.ts'
import { errorResult } from '../src/protocol/message.ts'
import type {
  CallInput,
  PermissionOutput,
  PostHooksInput,
  PostHooksOutput,
  PreHooksOutput,
  RunOutput,
  ValidateOutput,
} from '../src/protocol/port.ts'
import type { CallDescription, CallOutcome, ToolOutput } from '../src/protocol/tool.ts'
import { refusalText } from '../src/rules/refusal-text.ts'
import { errorText } from './error-text.ts'
import { permissionMachine } from './permission.ts'
import { port } from './port.ts'

/*
 * The life of one tool call: validate → permission → hooks → run → hooks → settled.
 * Owns: the order of the phases and the one result that answers the call.
 * Never: knows other calls, or fails: whatever goes wrong in a port becomes an error result for the model.
 * 1. Every call ends `settled` with exactly one outcome, an aborted one included.
 * 2. `call.started` is stated when the tool itself runs; `call.finished` once for every call, run or not.
 *    A call that never ran or was cut short says duration 0; the lines' own times tell the rest.
 * 3. Abort leaves the current phase, which aborts its port's signal. After the tool has run there is nothing
 *    left to undo: the outcome keeps what the tool said.
 * 4. An interrupt stops only a running tool that declared `interrupt: 'cancel'`.
 * 5. Without hooks, and without a check of meaning, those phases are never entered.
 */

export interface ToolCallInput {
  readonly call: CallDescription
  /** Some hook may want to see this member's calls. */
  readonly hooked: boolean
}

/** What the agent may tell a call in flight. */
export type ToolCallCommand =
  /** Without a time when another call's end is the cause. */
  | { readonly type: 'abort'; readonly at?: number; readonly reason: string }
  | { readonly type: 'interrupt'; readonly at: number }

export interface ToolCallContext extends ToolCallInput {
  readonly output: ToolOutput
  readonly durationMs: number
  /** Whoever allowed the call also said: end this agent's run. */
  readonly stop: boolean
  readonly outcome: CallOutcome
}

export interface Refusal {
  readonly text: string
  readonly stop?: boolean
  readonly broke?: boolean
}

function refused(call: CallDescription, refusal: Refusal): CallOutcome {
  const { text, stop = false, broke = false } = refusal
  return { result: errorResult(call.id, call.tool, text), stop, broke }
}

function answered({ call, output, stop }: ToolCallContext): CallOutcome {
  const { content, isError = false, broke = false } = output
  return { result: { call_id: call.id, tool: call.tool, content: [...content], is_error: isError }, stop, broke }
}

/** Nothing said leaves the input as it is. */
function amended(call: CallDescription, input: unknown): CallDescription {
  return input === undefined ? call : { ...call, input, amended: true }
}

function noted(output: ToolOutput, note: string | null): ToolOutput {
  return note === null ? output : { ...output, content: [...output.content, { type: 'text', text: note }] }
}

export const toolCallMachine = setup({
  types: {
    context: {} as ToolCallContext,
    input: {} as ToolCallInput,
    output: {} as CallOutcome,
    events: {} as ToolCallCommand,
    emitted: {} as FactOf<'call.started' | 'call.finished'>,
  },
  actors: {
    validate: port<ValidateOutput, CallInput>('validate'),
    permission: permissionMachine,
    preHooks: port<PreHooksOutput, CallInput>('preHooks'),
    run: port<RunOutput, CallInput>('run'),
    postHooks: port<PostHooksOutput, PostHooksInput>('postHooks'),
  },
  guards: {
    isRefused: ({ context }) => context.call.refusal !== null,
    isChecked: ({ context }) => context.call.checked,
    isHooked: ({ context }) => context.hooked,
    isCancellable: ({ context }) => context.call.interrupt === 'cancel',
    complains: (_, { complaint }: ValidateOutput) => complaint !== null,
    denies: (_, { decision }: PermissionOutput) => decision.behavior !== 'allow',
    blocks: (_, { verdict }: PreHooksOutput) => verdict === 'block',
  },
  actions: {
    refuse: assign({
      outcome: ({ context }, refusal: Refusal) => refused(context.call, { stop: context.stop, ...refusal }),
    }),
    permit: assign(({ context }, permit: PermissionOutput) => ({
      call: amended(context.call, permit.updated_input),
      stop: permit.stop,
    })),
    amend: assign(({ context }, { input }: { input: unknown }) => ({ call: amended(context.call, input) })),
    keep: assign({
      output: (_, { output }: RunOutput) => output,
      durationMs: (_, { duration_ms }: RunOutput) => duration_ms,
    }),
    note: assign({ output: ({ context }, { note }: PostHooksOutput) => noted(context.output, note) }),
    answer: assign({ outcome: ({ context }) => answered(context) }),
    stateStart: emit(({ context }) => ({
      type: 'call.started' as const,
      call_id: context.call.id,
      tool: context.call.tool,
    })),
    stateFinish: emit(({ context }) => ({
      type: 'call.finished' as const,
      call_id: context.call.id,
      tool: context.call.tool,
      is_error: context.outcome.result.is_error,
      duration_ms: context.durationMs,
    })),
  },
}).createMachine({
  id: 'toolCall',
  context: ({ input }) => ({
    ...input,
    output: { content: [] },
    durationMs: 0,
    stop: false,
    outcome: refused(input.call, { text: 'The call did not settle.' }),
  }),
  initial: 'opening',
  on: {
    abort: { target: '.settled', actions: { type: 'refuse', params: ({ event }) => ({ text: event.reason }) } },
    interrupt: {},
  },
  states: {
    opening: {
      always: [
        {
          guard: 'isRefused',
          target: 'settled',
          actions: { type: 'refuse', params: ({ context }) => ({ text: context.call.refusal ?? '' }) },
        },
        { guard: 'isChecked', target: 'validating' },
        { target: 'permitting' },
      ],
    },
    validating: {
      invoke: {
        src: 'validate',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'complains', params: ({ event }) => event.output },
            target: 'settled',
            actions: {
              type: 'refuse',
              params: ({ event }) => ({ text: `ValidationError: ${event.output.complaint ?? ''}` }),
            },
          },
          { target: 'permitting' },
        ],
        onError: {
          target: 'settled',
          actions: {
            type: 'refuse',
            params: ({ event }) => ({ text: `ValidationError: the check itself failed: ${errorText(event.error)}` }),
          },
        },
      },
    },
    permitting: {
      invoke: {
        src: 'permission',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'denies', params: ({ event }) => event.output },
            target: 'settled',
            actions: {
              type: 'refuse',
              params: ({ event }) => ({ text: refusalText(event.output.decision), stop: event.output.stop }),
            },
          },
          {
            guard: 'isHooked',
            target: 'pre_hooks',
            actions: { type: 'permit', params: ({ event }) => event.output },
          },
          { target: 'running', actions: { type: 'permit', params: ({ event }) => event.output } },
        ],
        onError: {
          target: 'settled',
          actions: {
            type: 'refuse',
            params: ({ event }) => ({ text: `Not permitted: the permission check failed: ${errorText(event.error)}` }),
          },
        },
      },
    },
    pre_hooks: {
      invoke: {
        src: 'preHooks',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'blocks', params: ({ event }) => event.output },
            target: 'settled',
            actions: {
              type: 'refuse',
              params: ({ event }) => ({
                text: `Blocked by a hook: ${event.output.verdict === 'block' ? event.output.message : ''}`,
              }),
            },
          },
          {
            target: 'running',
            actions: {
              type: 'amend',
              params: ({ event }) => ({
                input: event.output.verdict === 'none' ? event.output.updated_input : undefined,
              }),
            },
          },
        ],
        onError: {
          target: 'settled',
          actions: {
            type: 'refuse',
            params: ({ event }) => ({ text: `Blocked: a hook before this call failed: ${errorText(event.error)}` }),
          },
        },
      },
    },
    running: {
      entry: 'stateStart',
      on: {
        interrupt: {
          guard: 'isCancellable',
          target: 'settled',
          actions: { type: 'refuse', params: { text: 'Stopped: a new message arrived while it ran.' } },
        },
      },
      invoke: {
        src: 'run',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          { guard: 'isHooked', target: 'post_hooks', actions: { type: 'keep', params: ({ event }) => event.output } },
          {
            target: 'settled',
            actions: [{ type: 'keep', params: ({ event }) => event.output }, 'answer'],
          },
        ],
        onError: {
          target: 'settled',
          actions: {
            type: 'refuse',
            params: ({ event }) => ({ text: `The tool failed: ${errorText(event.error)}`, broke: true }),
          },
        },
      },
    },
    post_hooks: {
      on: { abort: { target: 'settled', actions: 'answer' } },
      invoke: {
        src: 'postHooks',
        input: ({ context }) => ({ call: context.call, output: context.output }),
        onDone: {
          target: 'settled',
          actions: [{ type: 'note', params: ({ event }) => event.output }, 'answer'],
        },
        onError: {
          target: 'settled',
          actions: [
            {
              type: 'note',
              params: ({ event }) => ({ note: `A hook after this call failed: ${errorText(event.error)}` }),
            },
            'answer',
          ],
        },
      },
    },
    settled: { type: 'final', entry: 'stateFinish' },
  },
  output: ({ context }) => context.outcome,
})

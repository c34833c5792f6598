import { errorText } from '../../src/protocol/words/error-text.ts'
import { refusalText } from '../../src/rules/permissions/refusal-text.ts'
import { callSetup, fresh } from './call-setup.ts'
import { blockedText, endsRun, gateText, givenBy } from './call-verdict.ts'

/*
 * The life of one tool call: validate → hooks → permission → gate → run, again where the failure passes → hooks → settled.
 * Owns: the order of the phases and the one result that answers the call.
 * Never: knows other calls, or fails: whatever goes wrong in a port becomes an error result for the model.
 * 1. Every call ends `settled` with exactly one outcome, an aborted one included.
 * 2. `call.started` is stated when the tool first runs; `call.finished` once for every call, with 0 where it was cut short.
 * 3. Abort leaves the current phase and aborts its port's signal. After the tool has run nothing is undone.
 * 4. A new message (skip, interrupt) ends a call that has not begun; an interrupt also a tool with `interrupt: 'cancel'`.
 * 5. Without hooks, a check of meaning, or something to gate, those phases are never entered. A call that the cascade
 *    allowed as it was described is not judged again: it starts in the step that told of it.
 * 6. A refusal beats an answer from elsewhere, and both beat running. A hook's answer takes the place of the tool, and
 *    is bound by no limit; an input that a hook changed is validated and judged like any other.
 * 7. A call of a tool that was not looked up yet passes hooks and limits, and is turned back at the last gate alone.
 * 8. Hooks are asked before the rules, so that the rules judge what would run: a hook's opinion is theirs to weigh.
 */
export const toolCallMachine = callSetup.createMachine({
  id: 'toolCall',
  context: ({ input }) => fresh(input),
  initial: 'opening',
  on: {
    abort: { target: '.settled', actions: { type: 'refuse', params: ({ event }) => ({ text: event.reason }) } },
    interrupt: { target: '.settled', actions: 'skip' },
    skip: { target: '.settled', actions: 'skip' },
  },
  states: {
    opening: {
      description: 'What is known of the call decides with which phase it begins.',
      always: [
        {
          guard: 'isRefused',
          target: 'settled',
          actions: [
            { type: 'refuse', params: ({ context }) => ({ text: context.call.refusal ?? '' }) },
            {
              type: 'stateRefusal',
              params: ({ context: { call } }) => ({ why: call.refusedFor ?? 'unknown', reason: call.refusal ?? '' }),
            },
          ],
        },
        { guard: 'isDeferredUnseen', target: 'pre_hooks' },
        { guard: 'isDeferred', target: 'gating' },
        { guard: 'isChecked', target: 'validating' },
        { guard: 'isUnseen', target: 'pre_hooks' },
        { guard: 'isFree', target: 'running', actions: 'statePermit' },
        { guard: 'isAllowed', target: 'gating', actions: 'statePermit' },
        { target: 'permitting' },
      ],
    },
    validating: {
      description: 'Its input is checked for sense: the shape was right.',
      invoke: {
        src: 'validate',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'complains', params: ({ event }) => event.output },
            target: 'settled',
            actions: [
              {
                type: 'refuse',
                params: ({ event }) => ({ text: `ValidationError: ${event.output.complaint ?? ''}` }),
              },
              {
                type: 'stateRefusal',
                params: ({ event }) => ({ why: 'meaning', reason: event.output.complaint ?? '' }),
              },
            ],
          },
          { guard: 'isUnseen', target: 'pre_hooks' },
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
      description: 'The rules judge it, and a person where they ask.',
      invoke: {
        src: 'permission',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'deniesHooked', params: ({ event }) => event.output },
            target: 'denied_hooks',
            actions: {
              type: 'refuse',
              params: ({ context: { call }, event: { output } }) => ({
                text: refusalText(output.decision, call.tool),
                stop: output.stop,
                decision: output.decision,
              }),
            },
          },
          {
            guard: { type: 'denies', params: ({ event }) => event.output },
            target: 'settled',
            actions: {
              type: 'refuse',
              params: ({ context: { call }, event: { output } }) => ({
                text: refusalText(output.decision, call.tool),
                stop: output.stop,
              }),
            },
          },
          { guard: 'isGated', target: 'gating', actions: { type: 'permit', params: ({ event }) => event.output } },
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
    denied_hooks: {
      description: 'It was denied; hooks may say something to that.',
      on: { abort: { target: 'settled' }, interrupt: {}, skip: {} },
      invoke: {
        src: 'deniedHooks',
        input: ({ context: { call, denial } }) => ({ call, decision: denial }),
        onDone: { target: 'settled', actions: { type: 'comment', params: ({ event }) => event.output } },
        onError: 'settled',
      },
    },
    pre_hooks: {
      description: 'Hooks look at it before it runs; they may block it, change it, or answer in its place.',
      invoke: {
        src: 'preHooks',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'blocks', params: ({ event }) => event.output },
            target: 'settled',
            actions: [
              {
                type: 'refuse',
                params: ({ event }) => ({
                  text: blockedText(event.output),
                  stop: endsRun(event.output),
                }),
              },
              { type: 'stateBlock', params: ({ event }) => event.output },
            ],
          },
          {
            guard: { type: 'answers', params: ({ event }) => event.output },
            target: 'post_hooks',
            actions: { type: 'substitute', params: ({ event }) => ({ output: givenBy(event.output) }) },
          },
          {
            guard: { type: 'amends', params: ({ event }) => event.output },
            target: 'validating',
            actions: { type: 'amend', params: ({ event }) => event.output },
          },
          { guard: 'isDeferred', target: 'gating' },
          { target: 'permitting', actions: { type: 'amend', params: ({ event }) => event.output } },
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
    gating: {
      description: 'Limits, and whatever else has the last word, let it pass, block it or answer it.',
      invoke: {
        src: 'gate',
        input: ({ context }) => ({ call: context.call }),
        onDone: [
          {
            guard: { type: 'blocks', params: ({ event }) => event.output },
            target: 'settled',
            actions: [
              { type: 'pass', params: ({ event }) => event.output },
              { type: 'refuse', params: ({ event }) => ({ text: gateText(event.output) }) },
            ],
          },
          {
            guard: { type: 'answersHooked', params: ({ event }) => event.output },
            target: 'post_hooks',
            actions: [
              { type: 'pass', params: ({ event }) => event.output },
              { type: 'substitute', params: ({ event }) => ({ output: givenBy(event.output) }) },
            ],
          },
          {
            guard: { type: 'answers', params: ({ event }) => event.output },
            target: 'settled',
            actions: [
              { type: 'pass', params: ({ event }) => event.output },
              { type: 'conclude', params: ({ event }) => ({ output: givenBy(event.output), duration_ms: 0 }) },
            ],
          },
          { target: 'running', actions: { type: 'pass', params: ({ event }) => event.output } },
        ],
        onError: {
          target: 'settled',
          actions: {
            type: 'refuse',
            params: ({ event }) => ({ text: `Blocked: its limits could not be looked at: ${errorText(event.error)}` }),
          },
        },
      },
    },
    running: {
      description: 'The tool runs.',
      entry: 'stateStart',
      on: {
        interrupt: [
          {
            guard: 'isCancellable',
            target: 'settled',
            actions: { type: 'refuse', params: { text: 'Stopped: a new message arrived while it ran.' } },
          },
          {},
        ],
        skip: {},
      },
      invoke: {
        src: 'run',
        input: ({ context }) => ({ call: context.call, attempt: context.attempt }),
        onDone: [
          {
            guard: { type: 'mayPass', params: ({ event }) => event.output },
            target: 'pausing',
            actions: [
              { type: 'stateRetry', params: ({ event }) => event.output },
              { type: 'wait', params: ({ event }) => event.output },
            ],
          },
          { guard: 'isHooked', target: 'post_hooks', actions: { type: 'keep', params: ({ event }) => event.output } },
          { target: 'settled', actions: { type: 'conclude', params: ({ event }) => event.output } },
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
    pausing: {
      description: 'It failed in a way that passes, and waits to run again.',
      on: {
        interrupt: [
          {
            guard: 'isCancellable',
            target: 'settled',
            actions: { type: 'refuse', params: { text: 'Stopped: a new message arrived before it ran again.' } },
          },
          {},
        ],
        skip: {},
      },
      after: { pause: 'running' },
    },
    post_hooks: {
      description: 'It has run; hooks may add a note.',
      on: { abort: { target: 'settled', actions: 'answer' }, interrupt: {}, skip: {} },
      invoke: {
        src: 'postHooks',
        input: ({ context: { call, output, durationMs } }) => ({ call, output, duration_ms: durationMs }),
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
    settled: { description: 'It has its one result.', type: 'final', entry: 'stateFinish' },
  },
  output: ({ context }) => context.outcome,
})

import { fromPromise } from 'xstate'
import { agentMachine } from '../../machines/agent.ts'
import { permissionMachine } from '../../machines/permission.ts'
import { toolCallMachine } from '../../machines/tool-call.ts'
import { describeCall } from '../adapters/tools/describe-call.ts'
import { runCall } from '../adapters/tools/run-call.ts'
import { resolvePaths } from '../adapters/fs/resolve-paths.ts'
import { noUsage, callsOf, type AssistantMessage } from '../protocol/message.ts'
import type {
  Answer,
  AnswerInput,
  AskInput,
  AskOutput,
  CallInput,
  CompactInput,
  CompactOutput,
  IntakeInput,
  IntakeOutput,
  PostHooksInput,
  PostHooksOutput,
  PreHooksOutput,
  RunOutput,
  StopFailureInput,
  StopHooksInput,
  StopHooksOutput,
  ValidateOutput,
  VerifyInput,
  VerifyOutput,
} from '../protocol/port.ts'
import type { CallDescription, Tool, ToolContext } from '../protocol/tool.ts'
import type { Decision } from '../protocol/permission.ts'
import { needsAnswer } from '../rules/context-window.ts'
import { analyse } from '../rules/permission-analyse.ts'
import { decide } from '../rules/permission-cascade.ts'
import { sessionRule } from '../rules/session-rule.ts'
import type { Surroundings, TurnTools } from './surroundings.ts'

/** The agent machine with every port wired to one member's surroundings. */
export function provideAgent(world: Surroundings) {
  const turn: { tools: TurnTools } = { tools: world.turnTools() }
  return agentMachine.provide({
    actors: {
      intake: fromPromise<IntakeOutput, IntakeInput>(({ input }) => takeIn(world, turn, input)),
      ask: fromPromise<AskOutput, AskInput>(({ signal }) => ask(world, turn.tools, signal)),
      compact: fromPromise<CompactOutput, CompactInput>(async () => ({ compacted: false })),
      stopHooks: fromPromise<StopHooksOutput, StopHooksInput>(async () => ({ verdict: 'none' })),
      verify: fromPromise<VerifyOutput, VerifyInput>(async () => ({ verdict: 'none' })),
      stopFailure: fromPromise<void, StopFailureInput>(async () => undefined),
      toolCall: provideToolCall(world, turn),
    },
  })
}

function provideToolCall(world: Surroundings, turn: { tools: TurnTools }) {
  return toolCallMachine.provide({
    actors: {
      validate: fromPromise<ValidateOutput, CallInput>(({ input: { call }, signal }) =>
        validate(toolOf(turn, call), call, world.toolContext(call.id, signal)),
      ),
      preHooks: fromPromise<PreHooksOutput, CallInput>(async () => ({ verdict: 'none' })),
      run: fromPromise<RunOutput, CallInput>(async ({ input: { call }, signal }) => {
        const started = world.now()
        const output = await runCall(toolOf(turn, call), call.input, world.toolContext(call.id, signal))
        return { output, duration_ms: world.now() - started }
      }),
      postHooks: fromPromise<PostHooksOutput, PostHooksInput>(async () => ({ note: null })),
      permission: permissionMachine.provide({
        actors: {
          judge: fromPromise<Decision, CallInput>(async ({ input }) => judge(world, input.call)),
          answer: fromPromise<Answer, AnswerInput>(({ input, signal }) => answer(world, input, signal)),
        },
      }),
    },
  })
}

async function takeIn(world: Surroundings, turn: { tools: TurnTools }, input: IntakeInput): Promise<IntakeOutput> {
  // Yielding first keeps the drain out of any fact that is still being told (see broadcast).
  await Promise.resolve()
  const received = world.receive()
  turn.tools = world.turnTools()
  return { received, hold: holds(world, input), answerable: needsAnswer(world.conversation) }
}

/** While results are gathered a lead waits, unless it is in the middle of something or a person spoke last. */
function holds(world: Surroundings, input: IntakeInput): boolean {
  if (!world.hold()) return false
  const last = world.conversation.messages.at(-1)
  const personSpoke = last?.role === 'user' && last.origin === 'person'
  return !personSpoke && (input.parkable || input.turn === 0)
}

async function ask(world: Surroundings, turn: TurnTools, signal: AbortSignal): Promise<AskOutput> {
  const started = world.now()
  const message = await settled(world, turn, signal)
  const describe = describeCall(turn.tools, turn.absence)
  return {
    kind: 'settled',
    message,
    calls: callsOf(message).map(describe),
    cost_usd: world.price(message.usage),
    duration_ms: world.now() - started,
  }
}

async function settled(world: Surroundings, turn: TurnTools, signal: AbortSignal): Promise<AssistantMessage> {
  const request = {
    agent: world.member,
    system: world.system,
    messages: world.conversation.messages,
    tools: turn.specs,
  }
  for await (const event of world.model.stream(request, signal)) {
    if (event.type === 'settled') return event.message
    if (world.listened()) world.delta({ member: world.member, type: event.type, text: event.text })
  }
  return {
    role: 'assistant',
    model: world.model.name,
    content: [],
    stop: 'error',
    usage: noUsage,
    failure: { code: 'stream_broken', message: 'the model ended without an answer' },
  }
}

function toolOf(turn: { tools: TurnTools }, call: CallDescription): Tool {
  const tool = turn.tools.tools.get(call.tool)
  if (!tool) throw new Error(`${call.tool} was described but is not a tool of this turn`)
  return tool
}

async function validate(tool: Tool, call: CallDescription, context: ToolContext): Promise<ValidateOutput> {
  return { complaint: await tool.check(call.input, context) }
}

function judge(world: Surroundings, call: CallDescription): Decision {
  const request = { tool: call.tool, input: call.input, cwd: world.cwd, home: world.home }
  return decide(resolvePaths(analyse(request)), world.policy())
}

async function answer(world: Surroundings, { call, decision }: AnswerInput, signal: AbortSignal): Promise<Answer> {
  const given = await world.approver.answer({ member: world.member, call, decision }, signal)
  if (given.behavior === 'allow' && given.scope === 'session') world.grant(sessionRule(call))
  return given
}

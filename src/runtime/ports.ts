import { fromPromise, type AnyActorRef } from 'xstate'
import { agentMachine } from '../../machines/agent.ts'
import { permissionMachine } from '../../machines/permission.ts'
import { toolCallMachine } from '../../machines/tool-call.ts'
import { describeCall } from '../adapters/tools/describe-call.ts'
import { runCall } from '../adapters/tools/run-call.ts'
import { currentDirectory } from '../adapters/tools/shell.ts'
import { resolvePaths } from '../adapters/fs/resolve-paths.ts'
import { failure } from '../protocol/failure.ts'
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
import type { CallDescription, Tool, ToolOutput } from '../protocol/tool.ts'
import type { Decision } from '../protocol/permission.ts'
import { needsAnswer } from '../rules/context-window.ts'
import { analyse } from '../rules/permission-analyse.ts'
import { decide } from '../rules/permission-cascade.ts'
import { sessionRule } from '../rules/session-rule.ts'
import type { Surroundings, TurnTools } from './surroundings.ts'
import { worlds, type System } from './worlds.ts'

/** What one agent acts upon, and the tools of its current turn. */
export interface AgentWorld {
  readonly around: Surroundings
  turn: TurnTools
}

const agentWorlds = worlds<AgentWorld>()

/** Before the actor starts: gives it what its ports act upon. */
export function bindAgent(actor: AnyActorRef, around: Surroundings): void {
  agentWorlds.bind(actor, { around, turn: around.turnTools() })
}

const providedPermission = permissionMachine.provide({
  actors: {
    judge: fromPromise<Decision, CallInput>(async ({ input, system }) => judge(agentWorlds.of(system), input.call)),
    answer: fromPromise<Answer, AnswerInput>(({ input, system, signal }) => answer(worldOf(system), input, signal)),
  },
})

const providedToolCall = toolCallMachine.provide({
  actors: {
    validate: fromPromise<ValidateOutput, CallInput>(async ({ input: { call }, system, signal }) => ({
      complaint: await toolOf(agentWorlds.of(system).turn, call).check(
        call.input,
        worldOf(system).toolContext(call.id, signal),
      ),
    })),
    preHooks: fromPromise<PreHooksOutput, CallInput>(async () => ({ verdict: 'none' })),
    run: fromPromise<RunOutput, CallInput>(({ input, system, signal }) => run(agentWorlds.of(system), input, signal)),
    postHooks: fromPromise<PostHooksOutput, PostHooksInput>(async () => ({ note: null })),
    permission: providedPermission,
  },
})

/** The agent machine with every port wired; `bindAgent` says to what. */
export const providedAgent = agentMachine.provide({
  actors: {
    intake: fromPromise<IntakeOutput, IntakeInput>(({ input, system }) => takeIn(agentWorlds.of(system), input)),
    ask: fromPromise<AskOutput, AskInput>(({ system, signal }) => ask(agentWorlds.of(system), signal)),
    compact: fromPromise<CompactOutput, CompactInput>(async () => ({ compacted: false })),
    stopHooks: fromPromise<StopHooksOutput, StopHooksInput>(async () => ({ verdict: 'none' })),
    verify: fromPromise<VerifyOutput, VerifyInput>(async () => ({ verdict: 'none' })),
    stopFailure: fromPromise<void, StopFailureInput>(async () => undefined),
    toolCall: providedToolCall,
  },
})

function worldOf(system: System): Surroundings {
  return agentWorlds.of(system).around
}

async function takeIn(world: AgentWorld, input: IntakeInput): Promise<IntakeOutput> {
  // Yielding first keeps the drain out of any fact that is still being told (see broadcast).
  await Promise.resolve()
  const { around } = world
  const received = around.receive()
  world.turn = around.turnTools()
  return { received, hold: holds(around, input), answerable: needsAnswer(around.conversation) }
}

/** While results are gathered a lead waits, unless it is in the middle of something or a person spoke last. */
function holds(world: Surroundings, input: IntakeInput): boolean {
  if (!world.hold()) return false
  const last = world.conversation.messages.at(-1)
  const personSpoke = last?.role === 'user' && last.origin === 'person'
  return !personSpoke && input.parkable
}

async function ask({ around, turn }: AgentWorld, signal: AbortSignal): Promise<AskOutput> {
  const started = around.now()
  const message = await settled(around, turn, signal)
  return {
    kind: 'settled',
    message,
    calls: callsOf(message).map(describeCall(turn.tools, turn.absence)),
    cost_usd: await around.price(message.usage),
    duration_ms: around.now() - started,
  }
}

async function settled(world: Surroundings, turn: TurnTools, signal: AbortSignal): Promise<AssistantMessage> {
  const { member, system, conversation, model } = world
  const request = { agent: member, system, messages: conversation.messages, tools: turn.specs }
  for await (const event of model.stream(request, signal)) {
    if (event.type === 'settled') return event.message
    if (world.listened()) world.delta({ member, type: event.type, text: event.text })
  }
  return {
    role: 'assistant',
    model: model.name,
    content: [],
    stop: 'error',
    usage: noUsage,
    failure: failure('stream_broken', 'the model ended without an answer'),
  }
}

function toolOf(turn: TurnTools, call: CallDescription): Tool {
  const tool = turn.tools.get(call.tool)
  if (!tool) throw new Error(`${call.tool} was described but is not a tool of this turn`)
  return tool
}

async function run({ around, turn }: AgentWorld, { call }: CallInput, signal: AbortSignal): Promise<RunOutput> {
  const started = around.now()
  const { id, tool: name, input } = call
  const again = call.amended === true ? describeCall(turn.tools)({ type: 'tool_use', id, name, input }) : call
  const output: ToolOutput =
    again.refusal === null
      ? await runCall(toolOf(turn, call), again.input, around.toolContext(id, signal))
      : { content: [{ type: 'text', text: again.refusal }], isError: true }
  return { output, duration_ms: around.now() - started }
}

function judge({ around, turn }: AgentWorld, { tool, input }: CallDescription): Decision {
  const harmless = turn.tools.get(tool)?.effect === 'none'
  const cwd = tool === 'Bash' ? currentDirectory(around) : around.cwd
  return decide(resolvePaths(analyse({ tool, input, harmless, cwd, home: around.home })), around.policy())
}

async function answer(world: Surroundings, { call, decision }: AnswerInput, signal: AbortSignal): Promise<Answer> {
  const given = await world.approver.answer({ member: world.member, call, decision }, signal)
  if (given.behavior === 'allow' && given.scope === 'session') world.grant(sessionRule(call))
  return given
}

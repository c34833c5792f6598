import { fromPromise } from 'xstate'
import { requestMachine } from '../../../machines/call/approval.ts'
import type { Answer, Decision } from '../../protocol/permissions/permission.ts'
import type {
  AnswerInput,
  CallInput,
  ClaimInput,
  RegisterOutput,
  RememberInput,
  RequestPlan,
  WaitInput,
} from '../../protocol/port.ts'
import { agentWorlds, attended, type AgentWorld } from './bound-deps.ts'
import { judge, questionOf } from './judge.ts'

/** The machine of one question with every port wired; the agent's world says to what. */
export const providedRequest = requestMachine.provide({
  actors: {
    plan: fromPromise<RequestPlan, AnswerInput>(async ({ input, system }) =>
      agentWorlds.of(system).around.asking.plan(input.decision),
    ),
    consultHooks: attended<Answer | null, AnswerInput>(async (world, input, signal) =>
      world.around.asking.consultHooks(questionOf(world, input), signal),
    ),
    classify: attended<Answer | null, AnswerInput>(async (world, input, signal) =>
      world.around.asking.classify(questionOf(world, input), world.around.consult, signal),
    ),
    register: fromPromise<RegisterOutput, AnswerInput>(async ({ input, system }) => {
      const world = agentWorlds.of(system)
      return world.around.asking.register(questionOf(world, input))
    }),
    wait: attended<Answer, WaitInput>(async (world, input, signal) =>
      world.around.asking.wait(questionOf(world, input), input.request, signal),
    ),
    claim: fromPromise<Answer, ClaimInput>(async ({ input, system }) =>
      agentWorlds.of(system).around.asking.claim(input.answer, input.request),
    ),
    judgeAgain: fromPromise<Decision, CallInput>(async ({ input, system }) =>
      judge(agentWorlds.of(system), input.call),
    ),
    remember: fromPromise<void, RememberInput>(({ input, system }) => remember(agentWorlds.of(system), input)),
  },
})

/** The rules hold at once for this member; those that are saved, for everybody who reads the settings. */
async function remember(world: AgentWorld, { call, answer }: RememberInput): Promise<void> {
  const { around } = world
  const decision: Decision = { behavior: 'ask', source: 'mode', reason: answer.reason }
  const rules =
    answer.rules ?? questionOf(world, { call, decision }).grants[answer.scope === 'save' ? 'save' : 'session']
  for (const rule of rules) around.grant(rule)
  if (answer.scope === 'save') await around.asking.save(rules)
}

import { fromCallback, fromPromise, type AnyActorRef, type EventObject, type NonReducibleUnknown } from 'xstate'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { approvalMachine } from '../../../machines/call/approval.ts'
import { permissionMachine } from '../../../machines/call/permission.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import { verificationMachine } from '../../../machines/call/verification.ts'
import { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import { taskMachine } from '../../../machines/task/task.ts'
import { teamMachine } from '../../../machines/team/team.ts'
import type { CheckEvidenceInput, CheckEvidenceOutput } from '../../protocol/work/task-port.ts'
import { memberMachine } from '../../../machines/member/member.ts'
import type { Answer, Decision } from '../../protocol/permissions/permission.ts'
import type * as port from '../../protocol/port.ts'
import { perSystem } from '../actors/spawn.ts'

/*
 * The ports of a replayed member: each one asks and waits until the replay answers from the journal.
 * Owns: which questions are open. Never acts, and never answers by itself.
 */

/** Input and output of each port of a member, its agent and its calls, and of the team's own machines. */
interface Ports {
  readonly open: readonly [NonReducibleUnknown, port.OpenOutput]
  readonly unread: readonly [NonReducibleUnknown, port.UnreadOutput]
  readonly reply: readonly [port.ReplyInput, port.ReplyOutput]
  readonly close: readonly [NonReducibleUnknown, void]
  readonly intake: readonly [port.IntakeInput, port.IntakeOutput]
  readonly compact: readonly [port.CompactInput, port.CompactOutput]
  readonly ask: readonly [port.AskInput, port.AskOutput]
  readonly stopHooks: readonly [port.StopHooksInput, port.StopHooksOutput]
  readonly stopFailure: readonly [port.StopFailureInput, void]
  readonly check: readonly [port.CheckInput, port.CheckOutput]
  readonly validate: readonly [port.CallInput, port.ValidateOutput]
  readonly deniedHooks: readonly [port.DeniedHooksInput, port.PostHooksOutput]
  readonly preHooks: readonly [port.CallInput, port.PreHooksOutput]
  readonly gate: readonly [port.CallInput, port.GateOutput]
  readonly run: readonly [port.RunInput, port.RunOutput]
  readonly postHooks: readonly [port.PostHooksInput, port.PostHooksOutput]
  readonly judge: readonly [port.CallInput, Decision]
  readonly plan: readonly [port.AnswerInput, port.RequestPlan]
  readonly consultHooks: readonly [port.AnswerInput, Answer | null]
  readonly classify: readonly [port.AnswerInput, Answer | null]
  readonly register: readonly [port.AnswerInput, port.RegisterOutput]
  readonly wait: readonly [port.WaitInput, Answer]
  readonly claim: readonly [port.ClaimInput, Answer]
  readonly judgeAgain: readonly [port.CallInput, Decision]
  readonly remember: readonly [port.RememberInput, void]
  readonly spawnMember: readonly [port.SpawnInput, void]
  readonly terminateMember: readonly [port.TerminateInput, void]
  readonly survey: readonly [NonReducibleUnknown, port.Survey]
  readonly nudgeLead: readonly [port.NudgeInput, void]
  readonly collect: readonly [NonReducibleUnknown, port.CollectOutput]
  readonly handOut: readonly [port.HandOutInput, port.HandOutOutput]
  readonly recall: readonly [port.RecallInput, void]
  readonly evidence: readonly [CheckEvidenceInput, CheckEvidenceOutput]
}

type PortName = keyof Ports

interface Asked<Name extends PortName> {
  readonly name: Name
  /** The port's name in its machine. */
  readonly id: string
  readonly input: Ports[Name][0]
  answer(output: Ports[Name][1]): void
  reject(reason: string | Error): void
}

/** A question of a port that waits for its answer. */
export type PortQuestion = { [Name in PortName]: Asked<Name> }[PortName]
export type QuestionOf<Name extends PortName> = Extract<PortQuestion, { name: Name }>

const desks = perSystem<Set<PortQuestion>>()

/** Gives a replayed root actor a place for its questions, before the actor starts. */
export function openPorts(actor: AnyActorRef): ReadonlySet<PortQuestion> {
  const desk = new Set<PortQuestion>()
  desks.bind(actor, desk)
  return desk
}

function asked<Name extends PortName>(name: Name) {
  return fromPromise<Ports[Name][1], Ports[Name][0]>(({ input, self, system, signal }) => {
    const desk = desks.of(system)
    const { promise, resolve, reject } = Promise.withResolvers<Ports[Name][1]>()
    const question = {
      name,
      id: self.id,
      input,
      answer(output: Ports[Name][1]) {
        desk.delete(question)
        resolve(output)
      },
      reject(reason: string | Error) {
        desk.delete(question)
        reject(typeof reason === 'string' ? new Error(reason) : reason)
      },
    } as unknown as PortQuestion
    desk.add(question)
    signal.addEventListener('abort', () => desk.delete(question))
    return promise
  })
}

/** The machines that are replayed; those that are left out are the ones that run. */
export interface ReplayedMachines {
  readonly member?: typeof memberMachine
  readonly agent?: typeof agentMachine
  readonly toolCall?: typeof toolCallMachine
  readonly permission?: typeof permissionMachine
  readonly approval?: typeof approvalMachine
  readonly verification?: typeof verificationMachine
  readonly team?: typeof teamMachine
  readonly coordinator?: typeof coordinatorMachine
  readonly task?: typeof taskMachine
}

/** The member machine whose every port asks the replay. */
export function askingMember(given: ReplayedMachines): typeof memberMachine {
  return (given.member ?? memberMachine).provide({
    actors: {
      agent: askingAgent(given),
      open: asked('open'),
      inbox: fromCallback<EventObject, undefined>(() => undefined),
      unread: asked('unread'),
      reply: asked('reply'),
      close: asked('close'),
    },
  })
}

/** The machines of a team whose every port asks the replay. */
export function askingTeam(given: ReplayedMachines) {
  return {
    team: (given.team ?? teamMachine).provide({
      actors: {
        spawnMember: asked('spawnMember'),
        terminateMember: asked('terminateMember'),
        survey: asked('survey'),
        nudgeLead: asked('nudgeLead'),
        collect: asked('collect'),
      },
    }),
    coordinator: (given.coordinator ?? coordinatorMachine).provide({
      actors: { handOut: asked('handOut'), recall: asked('recall') },
    }),
    task: (given.task ?? taskMachine).provide({ actors: { check: asked('evidence') } }),
  }
}

function askingAgent(given: ReplayedMachines): typeof agentMachine {
  const permission = askingPermission(given)
  const verify = given.verification ?? verificationMachine
  return (given.agent ?? agentMachine).provide({
    actors: {
      intake: asked('intake'),
      compact: asked('compact'),
      ask: asked('ask'),
      stopHooks: asked('stopHooks'),
      stopFailure: asked('stopFailure'),
      verify: verify.provide({ actors: { permission, check: asked('check') } }),
      toolCall: (given.toolCall ?? toolCallMachine).provide({
        actors: {
          validate: asked('validate'),
          permission,
          deniedHooks: asked('deniedHooks'),
          preHooks: asked('preHooks'),
          gate: asked('gate'),
          run: asked('run'),
          postHooks: asked('postHooks'),
        },
      }),
    },
  })
}

function askingPermission(given: ReplayedMachines): typeof permissionMachine {
  const answer = (given.approval ?? approvalMachine).provide({
    actors: {
      plan: asked('plan'),
      consultHooks: asked('consultHooks'),
      classify: asked('classify'),
      register: asked('register'),
      wait: asked('wait'),
      claim: asked('claim'),
      judgeAgain: asked('judgeAgain'),
      remember: asked('remember'),
    },
  })
  return (given.permission ?? permissionMachine).provide({ actors: { judge: asked('judge'), answer } })
}

import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { approvalMachine } from '../../../machines/call/approval.ts'
import { permissionMachine } from '../../../machines/call/permission.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import { verificationMachine } from '../../../machines/call/verification.ts'
import { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import { memberMachine } from '../../../machines/member/member.ts'
import type { Chart, ChartArrow, ChartNode } from '../../protocol/words/chart.ts'

/** The charts of a member and of what works for it, drawn from the machine objects. */
export function memberCharts(): readonly Chart[] {
  return [
    memberMachine,
    agentMachine,
    toolCallMachine,
    permissionMachine,
    approvalMachine,
    verificationMachine,
    coordinatorMachine,
  ].map((machine) => chartOf(machine))
}

function chartOf({ id, root }: AnyStateMachine): Chart {
  const all = below(root)
  const nodes: readonly ChartNode[] = all.map((node) => ({
    path: pathOf(node),
    key: node.key,
    parent: node.path.slice(0, -1).join('.'),
    words: node.description ?? '',
    isFinal: node.type === 'final',
  }))
  return { id, initial: pathOf(restOf(root)), nodes, arrows: all.flatMap(arrowsFrom) }
}

function arrowsFrom(node: AnyStateNode): readonly ChartArrow[] {
  const events = new Map<string, Set<string>>()
  for (const { target = [], eventType, source } of transitionsOf(node)) {
    for (const each of target) {
      const to = pathOf(restOf(each))
      events.set(to, (events.get(to) ?? new Set()).add(eventWords(String(eventType), source)))
    }
  }
  return [...events].map(([to, words]) => ({ from: pathOf(node), to, events: [...words] }))
}

function transitionsOf(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])]
}

/** `xstate.done.actor.0.team.running.surveying` → `survey answers`, by the name of the port that is invoked there. */
function eventWords(type: string, { invoke }: AnyStateNode): string {
  const [, end, id = ''] = /^xstate\.(done|error)\.actor\.(.*)$/.exec(type) ?? []
  if (end !== undefined) {
    const src: unknown = invoke.find((invoked) => invoked.id === id)?.src
    return `${typeof src === 'string' ? src : id} ${end === 'done' ? 'answers' : 'fails'}`
  }
  if (type === '') return 'at once'
  return type.replace(/^xstate\.after\.([^.]*)\..*$/, 'after $1').replace(/^xstate\.done\.state\..*$/, 'is done')
}

function below(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states).flatMap((child) => [child, ...below(child)])
}

/** The state in which an arrow to a group comes to rest. */
function restOf(node: AnyStateNode): AnyStateNode {
  const first = node.initial?.target[0]
  return first ? restOf(first) : node
}

function pathOf(node: AnyStateNode): string {
  return node.path.join('.')
}

import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { agentMachine } from '../../../machines/agent/agent.ts'
import { approvalMachine } from '../../../machines/call/approval.ts'
import { permissionMachine } from '../../../machines/call/permission.ts'
import { toolCallMachine } from '../../../machines/call/tool-call.ts'
import { verificationMachine } from '../../../machines/call/verification.ts'
import { coordinatorMachine } from '../../../machines/coordinator/coordinator.ts'
import { memberMachine } from '../../../machines/member/member.ts'
import { taskMachine } from '../../../machines/task/task.ts'
import { teamMachine } from '../../../machines/team/team.ts'
import { stepText, type Chart, type ChartArrow, type ChartNode } from '../../protocol/words/chart.ts'

/** The charts of the machines that a run's journals are replayed with: a member's, and the team's own. */
export function machineCharts(): readonly Chart[] {
  return [
    memberMachine,
    agentMachine,
    toolCallMachine,
    permissionMachine,
    approvalMachine,
    verificationMachine,
    teamMachine,
    coordinatorMachine,
    taskMachine,
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
      const text = stepText(String(eventType), (id) => portOf(source, id))
      events.set(to, (events.get(to) ?? new Set()).add(text))
    }
  }
  return [...events].map(([to, words]) => ({ from: pathOf(node), to, events: [...words] }))
}

function transitionsOf(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])]
}

/** The port that is invoked under an id: `0.team.running.surveying` → `survey`. */
function portOf({ invoke }: AnyStateNode, id: string): string {
  const src: unknown = invoke.find((invoked) => invoked.id === id)?.src
  return typeof src === 'string' ? src : id
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

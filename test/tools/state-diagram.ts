import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'
import { stepText } from '../../src/protocol/words/chart.ts'

/** States that no run reaches yet, each with the work that will reach it. */
type Awaited = Readonly<Record<string, string>>

/**
 * One machine as Markdown: a Mermaid diagram, the events that whole groups of states answer to, and a sentence per state.
 * States that are awaited are drawn dashed.
 */
export function machinePage(machine: AnyStateMachine, file: string, awaited: Awaited = {}): string {
  const { root } = machine
  const groups = [root, ...below(root).filter((node) => childrenOf(node).length > 0)]
  return [
    `## ${machine.id}`,
    '',
    `\`${file}\``,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...indented(diagramOf(root, awaited)),
    '```',
    '',
    ...groups.flatMap(everywhere),
    '| state | what it is | answered without leaving it |',
    '| --- | --- | --- |',
    ...below(root).map((node) => `| ${pathOf(node)} | ${sentenceOf(node, awaited)} | ${inPlace(node).join(', ')} |`),
    '',
  ].join('\n')
}

/** Every state of a machine: `thinking`, `thinking.asking`. */
export function statePaths(machine: AnyStateMachine): readonly string[] {
  return below(machine.root).map(pathOf)
}

/** The states of a machine that nobody has described. */
export function undescribedStates(machine: AnyStateMachine): readonly string[] {
  return below(machine.root)
    .filter(({ description }) => description === undefined)
    .map(pathOf)
}

function sentenceOf(node: AnyStateNode, awaited: Awaited): string {
  const until = awaited[pathOf(node)]
  return [node.description ?? '', ...(until === undefined ? [] : [`*Not reached yet*: ${until}.`])].join(' ').trim()
}

/** Groups hold their states; arrows stand outside of them, as Mermaid moves a state into the group that names it last. */
function diagramOf(root: AnyStateNode, awaited: Awaited): readonly string[] {
  const leaves = below(root).filter((node) => childrenOf(node).length === 0)
  const dashed = leaves.filter((leaf) => pathOf(leaf) in awaited).map(idOf)
  return [
    ...childrenOf(root).flatMap(boxOf),
    ...startOf(root),
    ...leaves.flatMap(arrowsFrom),
    ...leaves.filter(({ type }) => type === 'final').map((leaf) => `${idOf(leaf)} --> [*]`),
    ...(dashed.length === 0 ? [] : ['classDef awaited stroke-dasharray: 5 5', `class ${dashed.join(', ')} awaited`]),
  ]
}

function boxOf(node: AnyStateNode): readonly string[] {
  const name = `state "${node.key}" as ${idOf(node)}`
  const children = childrenOf(node)
  if (children.length === 0) return [name]
  return [`${name} {`, ...indented([...children.flatMap(boxOf), ...startOf(node)]), '}']
}

function startOf(group: AnyStateNode): readonly string[] {
  const first = group.initial?.target[0]
  return first === undefined ? [] : [`[*] --> ${idOf(first)}`]
}

function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`)
}

/** Where an arrow to a state comes to rest. */
function restOf(node: AnyStateNode): AnyStateNode {
  const first = node.initial?.target[0]
  return first ? restOf(first) : node
}

/** One arrow per pair of states, with everything that leads from one to the other. */
function arrowsFrom(node: AnyStateNode): readonly string[] {
  const labels = new Map<string, string[]>()
  for (const transition of transitionsOf(node)) {
    for (const target of transition.target ?? []) {
      const id = idOf(restOf(target))
      labels.set(id, [...(labels.get(id) ?? []), labelOf(transition)])
    }
  }
  return [...labels].map(([target, words]) => `${idOf(node)} --> ${target}: ${[...new Set(words)].join(', ')}`)
}

/** What a group answers holds in each of its states that does not answer it by itself. */
function everywhere(group: AnyStateNode): readonly string[] {
  const leads = transitionsOf(group).flatMap((transition) =>
    (transition.target ?? []).map((target) => `- ${labelOf(transition)} → ${pathOf(restOf(target))}`),
  )
  const stays = inPlace(group)
  if (leads.length + stays.length === 0) return []
  const staying = stays.length === 0 ? [] : [`- without leaving the state: ${stays.join(', ')}`]
  const whole = group.parent === undefined
  const heading = whole
    ? 'In every state that says nothing else:'
    : `In \`${pathOf(group)}\`, whichever state it is in:`
  return [heading, '', ...new Set(leads), ...staying, '']
}

function inPlace(node: AnyStateNode): readonly string[] {
  return [
    ...new Set(
      transitionsOf(node)
        .filter(({ target }) => target === undefined)
        .map(labelOf),
    ),
  ]
}

function transitionsOf(node: AnyStateNode): readonly AnyTransitionDefinition[] {
  return [...[...node.transitions.values()].flat(), ...(node.always ?? [])]
}

function labelOf({ eventType, guard, source }: AnyTransitionDefinition): string {
  const event = eventType === '' ? '' : stepText(String(eventType), (id) => portName(id, source))
  const words = [event, guardWords(guard)].filter((word) => word !== '')
  return words.length === 0 ? 'at once' : words.join(' ')
}

/** The port that is invoked under an id: `0.team.running.surveying` → `survey`. */
function portName(id: string, source: AnyStateNode): string {
  const src: unknown = source.invoke.find((invoked) => invoked.id === id)?.src
  if (typeof src === 'string') return src
  return id === '*' ? 'a port' : id
}

function guardWords(guard: unknown): string {
  if (typeof guard === 'string') return `[${guard}]`
  const { type } = (guard ?? {}) as { type?: unknown }
  return typeof type === 'string' ? `[${type}]` : ''
}

function childrenOf(node: AnyStateNode): readonly AnyStateNode[] {
  return Object.values(node.states)
}

function below(node: AnyStateNode): readonly AnyStateNode[] {
  return childrenOf(node).flatMap((child) => [child, ...below(child)])
}

function pathOf(node: AnyStateNode): string {
  return node.path.join('.')
}

function idOf(node: AnyStateNode): string {
  return node.path.join('_')
}

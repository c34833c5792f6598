import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate'

/** One machine as Markdown: a Mermaid diagram, what whole groups of states answer to, and a sentence per state. */
export function machinePage(machine: AnyStateMachine, file: string): string {
  const { root } = machine
  const groups = [root, ...below(root).filter((node) => childrenOf(node).length > 0)]
  return [
    `## ${machine.id}`,
    '',
    `\`${file}\``,
    '',
    '```mermaid',
    'stateDiagram-v2',
    ...diagramOf(root).map((line) => `  ${line}`),
    '```',
    '',
    ...groups.flatMap(everywhere),
    '| state | what it is | answered without leaving it |',
    '| --- | --- | --- |',
    ...below(root).map((node) => `| ${pathOf(node)} | ${node.description ?? ''} | ${inPlace(node).join(', ')} |`),
    '',
  ].join('\n')
}

/** The states of a machine that nobody has described. */
export function undescribedStates(machine: AnyStateMachine): readonly string[] {
  return below(machine.root)
    .filter(({ description }) => description === undefined)
    .map(pathOf)
}

/** Only states without states of their own are drawn: Mermaid draws no arrow from one group into another. */
function diagramOf(root: AnyStateNode): readonly string[] {
  const leaves = below(root).filter((node) => childrenOf(node).length === 0)
  return [
    ...leaves.map((leaf) => `state "${pathOf(leaf)}" as ${idOf(leaf)}`),
    `[*] --> ${idOf(restOf(root))}`,
    ...leaves.flatMap(arrowsFrom),
    ...leaves.filter(({ type }) => type === 'final').map((leaf) => `${idOf(leaf)} --> [*]`),
  ]
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
  const words = [eventWords(String(eventType), source), guardWords(guard)].filter((word) => word !== '')
  return words.length === 0 ? 'at once' : words.join(' ')
}

/** `xstate.done.actor.0.team.running.surveying` → `survey answers`, by the name of the port that is invoked there. */
function eventWords(type: string, source: AnyStateNode): string {
  const port = /^xstate\.(done|error)\.actor\.(.*)$/.exec(type)
  if (port) return `${portName(port[2] ?? '', source)} ${port[1] === 'done' ? 'answers' : 'fails'}`
  if (type.startsWith('xstate.done.state.')) return 'is done'
  return type.replace(/^xstate\.after\.([^.]*)\..*$/, 'after $1')
}

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

import { teamJsonSchema, type JsonSchema } from '../../src/adapters/teams/json-schema.ts'
import { child, table, type Section } from './schema-table.ts'

const head = `# The team file

A team is one YAML file. This page lists every key; it is generated from the schema that validates team files
(\`npm run docs\`), the same that \`troupe schema\` prints for editors. Unknown keys are mistakes: \`troupe check\` reports all
of them at once, each with line, column and the key that was probably meant.

A minimal team:

\`\`\`yaml
name: hello
coordinator:
  prompt: Answer the question by asking your worker.
workers:
  reader:
    description: Reads files and reports what they say.
    prompt: You read files. Quote what you rely on.
    tools: [Read, Grep, Glob]
\`\`\`
`

const tail = `## What is filled in

* A member without \`model\` uses the model of the team. No model at all is reported as \`no_model\`; \`troupe run\` then exits 5.
* \`troupe check\` also reads the script of a \`scripted/…\` model: one that is missing or wrong is a \`bad_script\`.
* \`from:\` is read relative to the file that says it. What the team file says wins over the card, key by key. A worker
  card may name a further card; a circle is a mistake. Of a subagent card, \`description\`, \`tools\`, a \`model\` written as
  \`provider/model\`, and the text below the frontmatter (the prompt) are used.
* A name in \`tools:\` that no built-in tool has is looked for in \`tools/\` beside the team file: \`Deploy.ts\` there is the tool
  \`Deploy\`. The resolved team keeps its SHA-256, and it runs only when a person trusts exactly that content.
* \`replicas: 3\` of a worker \`reader\` gives \`reader-1\`, \`reader-2\` and \`reader-3\`. All names of a team differ.
* The resolved team, files inlined and defaults filled in, is frozen into each run together with its hash: the same hash
  means the same team.
`

/** The reference page of the team file, as Markdown. */
export function teamFileReference(): string {
  return [head, ...sections(teamJsonSchema()).map((section) => table(section)), tail].join('\n')
}

/** The map among the ways to write a key. */
function mapOf(schema: JsonSchema): JsonSchema {
  return schema.anyOf?.find(({ type }) => type === 'object') ?? schema
}

/** One table for the file and one for each map in it; what several members share is told once. */
function sections(root: JsonSchema): readonly Section[] {
  const coordinator = child(root, 'coordinator')
  const gather = child(coordinator, 'gather')
  const worker = child(root, 'workers').additionalProperties
  const httpTool = child(root, 'http_tools').additionalProperties
  const limit = child(root, 'tool_limits').additionalProperties
  return [
    { title: 'The file', schema: root },
    { title: '`coordinator`', schema: coordinator },
    { title: '`coordinator.gather`', schema: gather },
    { title: '`coordinator.gather.on_failure`', schema: child(gather, 'on_failure') },
    { title: '`workers.<name>`', schema: typeof worker === 'object' ? worker : {} },
    {
      title: '`escalate` of a member, when it is a map',
      schema: mapOf(child(coordinator, 'escalate')),
    },
    {
      title: '`advisor` of a member, when it is a map',
      schema: mapOf(child(coordinator, 'advisor')),
    },
    {
      title: '`workers.<name>.verify`, when it is a map',
      schema: mapOf(child(typeof worker === 'object' ? worker : {}, 'verify')),
    },
    { title: '`thinking`', schema: child(root, 'thinking') },
    { title: '`thinking.decay`', schema: child(child(root, 'thinking'), 'decay') },
    { title: '`tool_limits.<tool>`, when it is a map', schema: typeof limit === 'object' ? mapOf(limit) : {} },
    { title: '`tasks`', schema: child(root, 'tasks') },
    { title: '`supervision`', schema: child(root, 'supervision') },
    { title: '`timeouts`', schema: child(root, 'timeouts') },
    { title: '`mail`', schema: child(root, 'mail') },
    { title: '`mail.archive`', schema: child(child(root, 'mail'), 'archive') },
    { title: '`retention`', schema: child(root, 'retention') },
    { title: '`http_tools.<name>`', schema: typeof httpTool === 'object' ? httpTool : {} },
    { title: '`permissions`', schema: child(root, 'permissions') },
    { title: '`budget`', schema: child(root, 'budget') },
    { title: '`limits`', schema: child(root, 'limits') },
  ]
}

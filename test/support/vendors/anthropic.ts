import {
  brokenText,
  doubled,
  fieldsOf,
  imageComplaint,
  isBlank,
  listOf,
  toolComplaints,
  type Complaints,
  type Fields,
} from './complaint.ts'

/**
 * What the Messages API refuses with 400, from its reference and from the errors that people reported.
 * @see https://docs.claude.com/en/api/messages
 */
export function anthropicComplaints(text: string): Complaints {
  const body = fieldsOf(JSON.parse(text))
  const messages = listOf(body['messages'])
  return [
    ...brokenText(text),
    ...headComplaints(body),
    ...toolsIn(body),
    ...(messages.length === 0 ? ['messages: at least one message is required'] : []),
    ...messages.flatMap((message, index) => messageComplaints(message, index, messages)),
    ...cacheComplaints(body, messages),
    ...thinkingComplaints(body, messages),
  ]
}

const known = new Set(
  'model max_tokens stream system tools tool_choice messages thinking output_config temperature stop_sequences metadata'.split(
    ' ',
  ),
)

function headComplaints(body: Fields): Complaints {
  const { max_tokens, model } = body
  return [
    ...Object.keys(body)
      .filter((key) => !known.has(key))
      .map((key) => `${key}: Extra inputs are not permitted`),
    ...(isBlank(model) ? ['model: Field required'] : []),
    ...(typeof max_tokens === 'number' && max_tokens >= 1 ? [] : ['max_tokens: must be at least 1']),
    ...listOf(body['system']).flatMap(({ text }, index) =>
      isBlank(text) ? [`system.${index}: text content blocks must be non-empty`] : [],
    ),
  ]
}

function toolsIn({ tools, tool_choice, thinking }: Fields): Complaints {
  const all = listOf(tools)
  const choice = fieldsOf(tool_choice)
  return [
    ...all.flatMap(({ name, input_schema }, index) => toolComplaints(`tools.${index}`, name, input_schema)),
    ...all.flatMap(({ input_schema }, index) =>
      Object.keys(fieldsOf(fieldsOf(input_schema)['properties']))
        .filter((key) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(key))
        .map((key) => `tools.${index}.custom.input_schema.properties: Property keys should match pattern, not ${key}`),
    ),
    ...doubled(
      'tools',
      all.map(({ name }) => name),
    ),
    ...(choice['type'] === 'tool' && all.every(({ name }) => name !== choice['name'])
      ? [`tool_choice: tool '${String(choice['name'])}' not found in provided tools`]
      : []),
    ...(choice['type'] === 'tool' && ['enabled', 'adaptive'].includes(String(fieldsOf(thinking)['type']))
      ? ['Thinking may not be enabled when tool_choice forces tool use.']
      : []),
  ]
}

function blocksOf(message: Fields | undefined): readonly Fields[] {
  const content = message?.['content']
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
}

function messageComplaints(message: Fields, index: number, messages: readonly Fields[]): Complaints {
  const at = `messages.${index}`
  const role = message['role']
  const blocks = blocksOf(message)
  const wanted = index % 2 === 0 ? 'user' : 'assistant'
  return [
    ...(role === wanted ? [] : [`${at}: roles must alternate between "user" and "assistant"`]),
    ...(blocks.length === 0 ? [`${at}: all messages must have non-empty content`] : []),
    ...blocks.flatMap((block, place) => blockComplaints(block, `${at}.content.${place}`, role)),
    ...(role === 'assistant' ? spokenComplaints(at, blocks, index === messages.length - 1) : []),
    ...(role === 'assistant'
      ? pairingComplaints(at, blocks, messages[index + 1])
      : resultComplaints(at, blocks, messages[index - 1])),
  ]
}

function blockComplaints(block: Fields, at: string, role: unknown): Complaints {
  switch (block['type']) {
    case 'text':
      return isBlank(block['text']) ? [`${at}: text content blocks must contain non-whitespace text`] : []
    case 'image': {
      const source = fieldsOf(block['source'])
      return imageComplaint(at, source['media_type'], source['data'])
    }
    case 'thinking':
      return isBlank(block['signature']) ? [`${at}: thinking.signature: Field required`] : []
    case 'redacted_thinking':
      return isBlank(block['data']) ? [`${at}: redacted_thinking.data: Field required`] : []
    case 'tool_use':
      return callComplaints(block, at)
    case 'tool_result':
      return [
        ...(role === 'user' ? [] : [`${at}: tool_result blocks can only be in user messages`]),
        ...listOf(block['content']).flatMap((inner, place) => blockComplaints(inner, `${at}.content.${place}`, role)),
        ...(block['is_error'] === true && (block['content'] ?? '') === ''
          ? [`${at}: content cannot be empty if is_error is true`]
          : []),
      ]
    default:
      return []
  }
}

function callComplaints({ id, name, input }: Fields, at: string): Complaints {
  return [
    ...(/^[a-zA-Z0-9_-]+$/.test(String(id)) ? [] : [`${at}.id: does not match pattern`]),
    ...(/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)) ? [] : [`${at}.name: does not match pattern`]),
    ...(typeof input === 'object' && input !== null && !Array.isArray(input)
      ? []
      : [`${at}.input: Input should be a valid dictionary`]),
  ]
}

const serverCalls = new Set(['server_tool_use', 'mcp_tool_use'])

function spokenComplaints(at: string, blocks: readonly Fields[], isLast: boolean): Complaints {
  const last = blocks.at(-1)
  const ends = typeof last?.['text'] === 'string' ? last['text'] : ''
  const results = new Set(blocks.map(({ tool_use_id }) => tool_use_id))
  const callers = new Set(blocks.map(({ caller }) => fieldsOf(caller)['tool_id']))
  const open = blocks.filter(({ type, id }) => serverCalls.has(String(type)) && !results.has(id) && !callers.has(id))
  return [
    ...(/thinking/.test(String(last?.['type']))
      ? [`${at}: The final block in an assistant message cannot be \`thinking\``]
      : []),
    ...(isLast && ends !== ends.trimEnd()
      ? [`${at}: final assistant content cannot end with trailing whitespace`]
      : []),
    ...(!isLast && open.length > 0 ? [`${at}: server tool use was found without a corresponding result`] : []),
  ]
}

function pairingComplaints(at: string, blocks: readonly Fields[], next: Fields | undefined): Complaints {
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(({ id }) => id)
  const results = blocksOf(next).filter(({ type }) => type === 'tool_result')
  const answered = results.map(({ tool_use_id }) => tool_use_id)
  const missing = calls.filter((id) => !answered.includes(id))
  return [
    ...doubled(`${at}: tool_use ids`, calls),
    ...(missing.length > 0
      ? [`${at}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}`]
      : []),
  ]
}

function resultComplaints(at: string, blocks: readonly Fields[], before: Fields | undefined): Complaints {
  const calls = blocksOf(before).map(({ id }) => id)
  const ids = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id }) => tool_use_id)
  const lastResult = blocks.findLastIndex(({ type }) => type === 'tool_result')
  return [
    ...doubled(`${at}: each tool_use must have a single result`, ids),
    ...ids
      .filter((id) => !calls.includes(id))
      .map((id) => `${at}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(id)}`),
    ...(lastResult >= ids.length ? [`${at}: tool_result blocks must come first`] : []),
  ]
}

function cacheComplaints(body: Fields, messages: readonly Fields[]): Complaints {
  const all = [...listOf(body['system']), ...listOf(body['tools']), ...messages.flatMap(blocksOf)]
  const marked = all.filter((block) => 'cache_control' in block)
  return [
    ...(marked.length > 4 ? [`A maximum of 4 blocks with cache_control may be provided. Found ${marked.length}.`] : []),
    ...marked.flatMap(({ type }) =>
      /thinking/.test(String(type)) ? ['thinking: cache_control: Extra inputs are not permitted'] : [],
    ),
  ]
}

function thinkingComplaints({ thinking, max_tokens }: Fields, messages: readonly Fields[]): Complaints {
  const { type, budget_tokens } = fieldsOf(thinking)
  if (type !== 'enabled') return []
  const budget = Number(budget_tokens)
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const [first, ...others] = blocksOf(messages[last])
  const called = [first, ...others].some((block) => block?.['type'] === 'tool_use')
  return [
    ...(budget >= 1024 ? [] : ['thinking.enabled.budget_tokens: Input should be greater than or equal to 1024']),
    ...(Number(max_tokens) > budget ? [] : ['`max_tokens` must be greater than `thinking.budget_tokens`']),
    ...(called && !/thinking/.test(String(first?.['type']))
      ? [
          `messages.${last}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first?.['type'])}\``,
        ]
      : []),
  ]
}

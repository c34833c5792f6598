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
 * What servers of the chat completions API refuse with 400, OpenAI first.
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export function chatComplaints(text: string): Complaints {
  const body = fieldsOf(JSON.parse(text))
  const messages = listOf(body['messages'])
  const tools = listOf(body['tools']).map((tool) => fieldsOf(tool['function']))
  return [
    ...brokenText(text),
    ...(isBlank(body['model']) ? ['you must provide a model parameter'] : []),
    ...(messages.length === 0 ? ["[] is too short - 'messages'"] : []),
    ...('tools' in body && tools.length === 0 ? ["[] is too short - 'tools'"] : []),
    ...tools.flatMap(({ name, parameters }, index) => toolComplaints(`tools[${index}].function`, name, parameters)),
    ...doubled(
      'tools',
      tools.map(({ name }) => name),
    ),
    ...messages.flatMap((message, index) => messageComplaints(message, index)),
    ...pairingComplaints(messages),
  ]
}

function messageComplaints(message: Fields, index: number): Complaints {
  const at = `messages[${index}]`
  const { role, content } = message
  const calls = listOf(message['tool_calls'])
  if (role === 'assistant') {
    return [
      ...(isBlank(content) && calls.length === 0 ? [`${at}: content is required unless tool_calls are given`] : []),
      ...('tool_calls' in message && calls.length === 0 ? [`${at}.tool_calls: [] is too short`] : []),
      ...calls.flatMap((call, place) => callComplaints(call, `${at}.tool_calls[${place}]`)),
    ]
  }
  if (role === 'user') return partsComplaints(content, at)
  if (role === 'system') return isBlank(content) ? [`${at}: system content is empty`] : []
  if (role === 'tool') return typeof content === 'string' ? [] : [`${at}: tool content must be a string`]
  return [`${at}: unknown role ${String(role)}`]
}

function partsComplaints(content: unknown, at: string): Complaints {
  if (typeof content === 'string') return isBlank(content) ? [`${at}: content is empty`] : []
  const parts = listOf(content)
  if (parts.length === 0) return [`${at}: content must not be an empty list`]
  return parts.flatMap((part, place) => {
    if (part['type'] === 'text') return isBlank(part['text']) ? [`${at}.content[${place}]: text is empty`] : []
    const [, type, data] = /^data:([^;]+);base64,(.*)$/.exec(String(fieldsOf(part['image_url'])['url'])) ?? []
    return imageComplaint(`${at}.content[${place}]`, type, data)
  })
}

function callComplaints({ id, function: called }: Fields, at: string): Complaints {
  const { name, arguments: args } = fieldsOf(called)
  return [
    ...(isBlank(id) ? [`${at}.id is missing`] : []),
    ...(/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)) ? [] : [`Invalid '${at}.function.name'`]),
    ...(isObject(args) ? [] : [`${at}.function.arguments is not a JSON object`]),
  ]
}

function isObject(args: unknown): boolean {
  const value: unknown = JSON.parse(String(args))
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Every call is answered in the messages directly after it, and nothing else is an answer. */
function pairingComplaints(messages: readonly Fields[]): Complaints {
  const complaints: Complaints = []
  let open: unknown[] = []
  for (const [index, { role, tool_calls, tool_call_id }] of messages.entries()) {
    if (role === 'tool') {
      if (!open.includes(tool_call_id))
        complaints.push(`messages[${index}]: 'tool' must follow a message with 'tool_calls'`)
      open = open.filter((id) => id !== tool_call_id)
    } else {
      if (open.length > 0) complaints.push(`tool_call_ids did not have response messages: ${open.join(', ')}`)
      open = listOf(tool_calls).map(({ id }) => id)
      complaints.push(...doubled(`messages[${index}].tool_calls`, open))
    }
  }
  return open.length > 0
    ? [...complaints, `tool_call_ids did not have response messages: ${open.join(', ')}`]
    : complaints
}

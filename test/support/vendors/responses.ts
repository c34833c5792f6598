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
 * What the Responses API refuses with 400 when nothing is stored.
 * @see https://platform.openai.com/docs/api-reference/responses/create
 */
export function responsesComplaints(text: string): Complaints {
  const body = fieldsOf(JSON.parse(text))
  const items = listOf(body['input'])
  const tools = listOf(body['tools'])
  return [
    ...brokenText(text),
    ...(isBlank(body['model']) ? ["Missing required parameter: 'model'."] : []),
    ...(items.length === 0 ? ["Missing required parameter: 'input'."] : []),
    ...(body['store'] === false ? [] : ['store: must be false here']),
    ...tools.flatMap(({ name, parameters }, index) => toolComplaints(`tools[${index}]`, name, parameters)),
    ...doubled(
      'tools',
      tools.map(({ name }) => name),
    ),
    ...items.flatMap((item, index) => itemComplaints(item, `input[${index}]`)),
    ...pairingComplaints(items),
    ...items.flatMap((item, index) => reasoningComplaints(item, items[index + 1])),
  ]
}

function itemComplaints(item: Fields, at: string): Complaints {
  const { type = 'message', role, content, call_id, name, output } = item
  if (type === 'function_call') {
    return [
      ...(isBlank(call_id) ? [`Missing required parameter: '${at}.call_id'.`] : []),
      ...(/^[a-zA-Z0-9_-]{1,64}$/.test(String(name)) ? [] : [`Invalid '${at}.name'`]),
      ...(isBlank(item['arguments']) ? [`Missing required parameter: '${at}.arguments'.`] : []),
    ]
  }
  if (type === 'function_call_output') return typeof output === 'string' ? [] : partsComplaints(output, `${at}.output`)
  if (type !== 'message') return []
  if (role === 'assistant') return isBlank(content) && listOf(content).length === 0 ? [`${at}: content is empty`] : []
  return partsComplaints(content, at)
}

function partsComplaints(content: unknown, at: string): Complaints {
  const parts = listOf(content)
  if (parts.length === 0) return [`${at}: content is empty`]
  return parts.flatMap((part, place) => {
    if (part['type'] === 'input_text') return isBlank(part['text']) ? [`${at}[${place}]: text is empty`] : []
    if (part['type'] === 'input_file') {
      const isPdf = String(part['file_data']).startsWith('data:application/pdf;base64,') && !isBlank(part['filename'])
      return isPdf ? [] : [`${at}[${place}]: a file needs a name and data`]
    }
    const [, type, data] = /^data:([^;]+);base64,(.*)$/.exec(String(part['image_url'])) ?? []
    return imageComplaint(`${at}[${place}]`, type, data)
  })
}

function pairingComplaints(items: readonly Fields[]): Complaints {
  const of = (wanted: string): unknown[] => items.filter(({ type }) => type === wanted).map(({ call_id }) => call_id)
  const calls = of('function_call')
  const outputs = of('function_call_output')
  return [
    ...doubled('function_call_output', outputs),
    ...calls.filter((id) => !outputs.includes(id)).map((id) => `No tool output found for function call ${String(id)}.`),
    ...outputs
      .filter((id) => !calls.includes(id))
      .map((id) => `No tool call found for function call output with call_id ${String(id)}.`),
  ]
}

/** Reasoning that is not sealed would be looked up, and nothing is stored; sealed, it must lead to something. */
function reasoningComplaints(item: Fields, next: Fields | undefined): Complaints {
  if (item['type'] !== 'reasoning') return []
  const leads = next !== undefined && next['role'] !== 'user' && next['type'] !== 'function_call_output'
  return [
    ...(isBlank(item['encrypted_content'])
      ? [`Item with id '${String(item['id'])}' not found. Items are not persisted when \`store\` is set to false.`]
      : []),
    ...(leads
      ? []
      : [`Item '${String(item['id'])}' of type 'reasoning' was provided without its required following item.`]),
  ]
}

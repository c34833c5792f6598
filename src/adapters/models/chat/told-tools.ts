import type { ToolUseBlock } from '../../../protocol/conversation/message.ts'
import { argumentsOf } from '../served/pairing.ts'
import { wireName } from '../served/tool-names.ts'

/**
 * Tools, calls and results in words, for servers that know no tools: in the form that open models are taught, and in which
 * `withoutInlineWords` finds the calls of an answer.
 *
 * @see https://github.com/NousResearch/Hermes-Function-Calling
 */
export function toolsText(tools: readonly object[]): string {
  return `# Tools

You may call these functions, each described by a JSON Schema:
<tools>
${tools.map((tool) => JSON.stringify(tool)).join('\n')}
</tools>

To call one, end your answer with its name and arguments as JSON between these tags, once for each call:
<tool_call>
{"name": "<function name>", "arguments": {<arguments>}}
</tool_call>
Write nothing after the calls. What each function returned comes with the next message, between <tool_response> tags.`
}

/** One call, as the model would have written it. */
export function toldCall(call: ToolUseBlock): string {
  return `<tool_call>\n${JSON.stringify({ name: wireName(call.name), arguments: argumentsOf(call) })}\n</tool_call>`
}

/** One result; a text cannot end its own tags. */
export function toldResult(tool: string, text: string): string {
  const told = text.replaceAll(/<(?=\/?tool_response)/gi, '&lt;')
  return `<tool_response name="${wireName(tool)}">\n${told}\n</tool_response>`
}

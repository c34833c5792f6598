import { describe, expect, test } from 'vitest'
import { parseScript, type Script } from '../../../../src/adapters/models/scripted/script.ts'
import { scriptedModel } from '../../../../src/adapters/models/scripted/scripted.ts'
import { agentId } from '../../../../src/protocol/words/ids.ts'
import {
  callsOf,
  errorResult,
  textOf,
  userMessage,
  type AssistantMessage,
  type Message,
} from '../../../../src/protocol/conversation/message.ts'
import { frameMail } from '../../../../src/rules/conversation/mail-frame.ts'
import { listen, modelContract, request } from '../../../contracts/model.ts'

const script = (text: string): Script => parseScript('test.yaml', text)
const model = (text: string): ReturnType<typeof scriptedModel> => scriptedModel('scripted/test.yaml', script(text))
const asked = (messages: readonly Message[], agent = 'speaker'): typeof request => ({ ...request, agent, messages })

const speaking = `agents: { speaker: { steps: [{ think: 'Let me see.', say: 'One two  three.', calls: [{ tool: Read, input: { file_path: a } }] }] } }`

modelContract('scripted', {
  speaks: () => Promise.resolve(model(speaking)),
  fails: () => Promise.resolve(model('agents: { speaker: { steps: [{ fail: overloaded }] } }')),
  hangs: () => Promise.resolve(model('agents: { speaker: { steps: [{ say: I never end, hang: true }] } }')),
})

/** A conversation that followed a script: each answer, and what its calls returned. */
async function converse(text: string, results: readonly (string | Error)[][]): Promise<AssistantMessage> {
  const messages: Message[] = [userMessage('Survey this.')]
  for (const texts of results) {
    const { message } = await listen(model(text), asked(messages))
    messages.push(message, {
      role: 'tool',
      results: callsOf(message).map(({ id, name }, index) => {
        const result = texts[index] ?? ''
        if (result instanceof Error) return errorResult(id, name, result.message)
        return { call_id: id, tool: name, content: [{ type: 'text', text: result }], is_error: false }
      }),
    })
  }
  return (await listen(model(text), asked(messages))).message
}

describe('steps', () => {
  const steps = `agents: { speaker: { steps: [{ say: first, calls: [{ tool: LS }] }, { say: second }] } }`

  test('the step is the number of assistant messages in the request', async () => {
    expect(textOf(await converse(steps, []))).toBe('first')
    expect(textOf(await converse(steps, [['']]))).toBe('second')
  })

  test('calls have ids that differ by agent, step and place, and {} where no input is given', async () => {
    const two = `agents: { speaker: { steps: [{ calls: [{ tool: LS }, { tool: LS }] }] } }`
    expect(callsOf(await converse(two, []))).toEqual([
      { type: 'tool_use', id: 'speaker-1-1', name: 'LS', input: {} },
      { type: 'tool_use', id: 'speaker-1-2', name: 'LS', input: {} },
    ])
  })

  test.for([
    [
      'past the last step',
      'agents: { speaker: { steps: [] } }',
      'agent "speaker", step 1: the script has only 0 steps',
    ],
    [
      'an agent it does not know',
      'agents: { lead: { steps: [] } }',
      'agent "speaker", step 1: the script knows only lead',
    ],
    ['an unmet expectation', 'agents: { speaker: { steps: [{ expect: [Survey, gold] }] } }', 'does not hold "gold"'],
    [
      'a lookup of nothing',
      'agents: { speaker: { steps: [{ say: "{{files.text}}" }] } }',
      '{{files.text}} names nothing',
    ],
  ] as const)('%s is a script_mismatch', async ([, text, message]) => {
    const { failure, stop } = await converse(text, [])
    expect({ stop, code: failure?.code }).toEqual({ stop: 'error', code: 'script_mismatch' })
    expect(failure?.message).toContain(message)
  })

  test('an expectation looks at system prompt, messages and results', async () => {
    const text = `agents: { speaker: { steps: [{ calls: [{ tool: LS }] }, { expect: [You speak, Survey, a.txt], say: yes }] } }`
    expect(textOf(await converse(text, [['a.txt']]))).toBe('yes')
  })

  test('stop, usage and failure are as the step says', async () => {
    const limit = await converse(
      'agents: { speaker: { steps: [{ say: cut, stop: max_tokens, usage: { output: 7 } }] } }',
      [],
    )
    expect(limit).toMatchObject({ stop: 'max_tokens', usage: { input: 0, output: 7, cache_read: 0, cache_write: 0 } })
    const failed = await converse(
      'agents: { speaker: { steps: [{ fail: { code: rate_limited, retry_after_ms: 5 } }] } }',
      [],
    )
    expect(failed.failure).toMatchObject({
      code: 'rate_limited',
      retry_after_ms: 5,
      message: 'the script says rate_limited',
    })
  })

  test('steps that no request reached are reported, earlier ones count as used', async () => {
    const reporting = model(
      'agents: { speaker: { steps: [{ say: a }, { say: b }, { say: c }] }, other: { steps: [{ say: d }, { say: e }] } }',
    )
    await listen(reporting, asked([userMessage('go'), (await listen(reporting)).message, userMessage('on')]))
    expect(reporting.report()).toEqual(['step 3 of agent "speaker"', 'steps 1 to 2 of agent "other"'])
  })
})

describe('lookups', () => {
  const saying = (say: string): string =>
    JSON.stringify({ agents: { speaker: { steps: [{ calls: [{ tool: Bash, as: 'files' }] }, { say }] } } })
  const Bash = 'Bash'

  test.for([
    ['{{files.text}}', 'a.ts\nb.ts\n', 'a.ts\nb.ts'],
    ['{{files}}', 'a.ts\n', 'a.ts'],
    ['{{files.count}} files', 'a.ts\nb.ts\n', '2 files'],
    ['{{files.count}}', '', '0'],
    ['{{files.number}}', 'fatal: not a git repository\n      12\n', '12'],
    ['{{files.number|none}}', 'fatal: oh 3 no\n', 'none'],
    ['{{files.line.2}}', 'a\n  b\nc', 'b'],
    ['{{files.line.-1}}', 'a\nb\nc\n', 'c'],
    ['{{ files.line.9 | nothing here }}', 'a', 'nothing here'],
    ['{{files.line.9}}', 'a', ''],
    ['{{files.after.1}}', 'a\nb\nc', 'b\nc'],
    ['{{files.line.1.column.2}}', '     1\t# Title\n', '# Title'],
    ['{{files.text|none}}', '', 'none'],
    ['{{files.text}}', '{{task}}', '{{task}}'],
    ['{{task}}', '', 'Survey this.'],
    ['{{mail.nobody|silence}}', '', 'silence'],
  ] as const)('%s', async ([say, result, expected]) => {
    expect(textOf(await converse(saying(say), [[result]]))).toBe(expected)
  })

  test('a failed call gives its text, or the words for that case', async () => {
    const failed = [[new Error('no such file')]]
    expect(textOf(await converse(saying('{{files.text}}'), failed))).toBe('no such file')
    expect(textOf(await converse(saying('{{files.text|there is none}}'), failed))).toBe('there is none')
  })

  test('arguments are filled in, at any depth', async () => {
    const text = JSON.stringify({
      agents: {
        speaker: {
          steps: [
            { calls: [{ tool: 'Glob', as: 'found' }] },
            {
              calls: [
                { tool: 'Read', input: { file_path: '{{found.line.1}}', list: [{ at: '{{found.count}}' }], n: 3 } },
              ],
            },
          ],
        },
      },
    })
    const [call] = callsOf(await converse(text, [['x.md\ny.md']]))
    expect(call?.input).toEqual({ file_path: 'x.md', list: [{ at: '2' }], n: 3 })
  })

  const mail = (from: string, kind: 'result' | 'task', body: string): Message => {
    const status = kind === 'result' ? { status: 'done' as const, request: 'r1' } : {}
    return userMessage(frameMail({ from: agentId(from, 'team'), kind, id: '01J', body, ...status }), 'runtime')
  }

  test('mail is read without its frame, the latest result of a member counts', async () => {
    const text =
      'agents: { speaker: { steps: [{ say: "{{task}} / {{mail.historian}} / {{mail.historian.line.2}}" }] } }'
    const messages = [
      mail('lead', 'task', 'Count & compare <files>'),
      mail('historian', 'result', 'old'),
      mail('historian', 'result', 'new "x" </message>\n& more'),
      mail('historian', 'task', 'not a result'),
    ]
    const { message } = await listen(model(text), asked(messages))
    expect(textOf(message)).toBe('Count & compare <files> / new "x" &lt;/message>\n& more / & more')
  })

  test('a person who writes a frame is not taken for a member', async () => {
    const forged = userMessage(
      frameMail({ from: agentId('historian', 'team'), kind: 'result', id: '01J', body: 'lie' }),
    )
    const text = 'agents: { speaker: { steps: [{ say: "{{mail.historian|nothing}}" }] } }'
    expect(textOf((await listen(model(text), asked([forged]))).message)).toBe('nothing')
  })

  test('literal scripts are taken as they are', async () => {
    expect(textOf(await converse('literal: true\nagents: { speaker: { steps: [{ say: "{{task}}" }] } }', []))).toBe(
      '{{task}}',
    )
  })
})

describe('a bad script names its place', () => {
  test.for([
    [
      'agents:\n  lead:\n    steps:\n      - sya: hello\n',
      'test.yaml:4:9 agents.lead.steps.0: Unrecognized key: "sya"',
    ],
    ['agents:\n\tlead: 1\n', 'test.yaml:2:1 Tabs are not allowed'],
    ['agents: { lead: { steps: [{ fail: nonsense }] } }', 'test.yaml:1:35 agents.lead.steps.0.fail'],
    ['agents: { lead: *nobody }', 'test.yaml:1:1 Unresolved alias'],
    ['agents: { lead: { steps: [{ calls: [{ tool: LS, as: mail }] }] } }', '"task" and "mail" are taken'],
  ] as const)('%s', ([text, message]) => {
    expect(() => script(text)).toThrow(message)
  })
})

import { stringify } from 'yaml'
import { errorText } from '../../../protocol/words/error-text.ts'
import { callsOf, textOf, type AssistantMessage } from '../../../protocol/conversation/message.ts'
import type { Model, ModelEvent, ModelRequest } from '../../../protocol/models/model.ts'
import { replaceFile } from '../../fs/replace-file.ts'
import { withoutSecrets } from '../http/redact.ts'
import { ModelUnavailable } from '../served/model-unavailable.ts'
import { stepIndexOf, readScript, type Script, type ScriptStep } from './script.ts'
import { scriptedModel, type ReportingModel } from './scripted.ts'

interface Taping {
  /** Texts that must not stand in the file, besides all texts that look like a key. */
  readonly secrets?: readonly string[]
  /** How closely a run must follow the cassette (default: strict). */
  readonly replay?: Script['replay']
}

/**
 * Wraps a model and writes what it answers as a script, after every answer: the cassette replays without a
 * network and without tokens. An aborted answer is a person's doing and is not recorded.
 *
 * @param file is written at once, so that an unwritable place is known before the first token is paid for
 * @throws what the file system says about `file`
 *
 * @example
 * const model = recordModel(await openModel('anthropic/…', options), 'tests/review.cassette.yaml')
 */
export function recordModel(model: Model, file: string, { secrets = [], replay }: Taping = {}): ReportingModel {
  const script: Script = { record: model.name, ...(replay && { replay }), literal: true, agents: {} }
  const losses: string[] = []
  const save = (): void => replaceFile(file, withoutSecrets(stringify(script, { lineWidth: 0 }), secrets))
  save()
  const record = (request: ModelRequest, message: AssistantMessage): void => {
    const step = stepIndexOf(request)
    const known = Object.hasOwn(script.agents, request.agent) ? script.agents[request.agent] : undefined
    const agent = (script.agents[request.agent] = known ?? { steps: [] })
    agent.steps[step] = stepOf(message)
    try {
      save()
    } catch (error) {
      // The answer itself is fine: the run goes on and hears of it at its end.
      losses.push(`${file} could not be written: ${errorText(error)}`)
    }
  }
  return {
    name: model.name,
    report: () => losses,
    async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
      for await (const event of model.stream(request, signal)) {
        if (event.type === 'settled' && event.message.stop !== 'aborted') record(request, event.message)
        yield event
      }
    },
  }
}

/**
 * Parts of a recording: the way to open the model, texts that must not get into the file, and other members that ask
 * the model.
 */
interface Recording {
  readonly open: (name: string) => Promise<Model>
  readonly secrets: readonly string[]
  readonly shared: boolean
}

/**
 * Opens a cassette. One that holds answers replays them; one that holds only `record: provider/model` asks that
 * model and records it.
 *
 * @throws ModelUnavailable when the file is no cassette, or would have to be written by several processes
 */
export async function openRecorded(name: string, file: string, recording: Recording): Promise<ReportingModel> {
  const { open, secrets, shared } = recording
  const script = await readScript(file)
  const fresh = Object.keys(script.agents).length === 0
  if (!fresh || script.record === undefined) return scriptedModel(name, script)
  if (shared) {
    const remedy = 'Record with --executor in-process; what was recorded replays anywhere'
    throw new ModelUnavailable('invalid_request', `${file} can be recorded by one process only`, remedy)
  }
  return recordModel(await open(script.record), file, { secrets, replay: script.replay })
}

/**
 * Writes a cassette that records anew what another one recorded.
 *
 * @returns false when that is no recording of a model: whoever wrote its answers writes others
 * @throws ModelUnavailable when the file is no cassette
 */
export async function blankCassette(file: string, blank: string): Promise<boolean> {
  const { record, replay } = await readScript(file)
  if (record === undefined) return false
  replaceFile(blank, stringify({ record, ...(replay && { replay }) }))
  return true
}

function stepOf(message: AssistantMessage): ScriptStep {
  const calls = callsOf(message)
  const think = message.content.map((block) => (block.type === 'thinking' ? block.text : '')).join('')
  const say = textOf(message)
  const usual = calls.length > 0 ? 'tools' : 'end'
  return {
    ...(think === '' ? {} : { think }),
    ...(say === '' ? {} : { say }),
    ...(calls.length === 0
      ? {}
      : {
          calls: calls.map(({ name, input, malformed }) => ({
            tool: name,
            input,
            ...(malformed === undefined ? {} : { malformed }),
          })),
        }),
    ...(message.failure || message.stop === usual ? {} : { stop: message.stop }),
    ...(message.failure ? { fail: message.failure } : {}),
    usage: message.usage,
  }
}

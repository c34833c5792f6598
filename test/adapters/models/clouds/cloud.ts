import { onTestFinished, vi } from 'vitest'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import type { AssistantMessage } from '../../../../src/protocol/conversation/message.ts'
import type { ProviderSpecs } from '../../../../src/protocol/words/provider-spec.ts'
import { listen } from '../../../contracts/model.ts'
import { modelServer, type ModelServer } from '../support/model-server.ts'

export interface CloudCase {
  readonly env: Readonly<Record<string, string>>
  readonly servers?: ProviderSpecs
}

/** The answer of a model by its full name. */
export async function hear(name: string, { env, servers = {} }: CloudCase): Promise<AssistantMessage> {
  const model = await openModel(name, { baseDir: '.', env, servers })
  return (await listen(model)).message
}

/** A server of a test, closed after it. */
export async function cloudServer(reply: Parameters<typeof modelServer>[0]): Promise<ModelServer> {
  const server = await modelServer(reply)
  onTestFinished(server.close)
  return server
}

/** An environment of the process that names another server, and another identity: nobody may ask it. */
export async function otherProcess(names: Readonly<Record<string, string>>): Promise<ModelServer> {
  const server = await cloudServer((_, response) => response.end('{}'))
  for (const [name, value] of Object.entries(names)) vi.stubEnv(name, value === '' ? server.root : value)
  onTestFinished(() => void vi.unstubAllEnvs())
  return server
}

import type { Host } from './host.ts'

/**
 * A text as it was typed; `-` stands for all of stdin, for what is too long for an argument.
 * @example await typedOrStdin('-', host) // what was piped in
 */
export async function typedOrStdin(typed: string, { stdin }: Pick<Host, 'stdin'>): Promise<string> {
  if (typed !== '-') return typed
  const chunks: Buffer[] = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Buffer | string))
  return Buffer.concat(chunks).toString('utf8')
}

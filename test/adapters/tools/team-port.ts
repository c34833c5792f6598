import type { Errand, TeamPort } from '../../../src/protocol/tools/tool.ts'

type Asked =
  | ({ readonly ask: 'send' } & Parameters<TeamPort['send']>[0])
  | ({ readonly ask: 'delegate'; readonly callId: string } & Errand)
  | ({ readonly ask: 'wait' } & Parameters<TeamPort['wait']>[0])
  | ({ readonly ask: 'report' } & Parameters<TeamPort['report']>[0])
  | { readonly ask: 'stop'; readonly worker: string; readonly reason: string }

/** A team of two that writes down what it is asked; whoever is not a member gets an error. */
export function teamOf(members: readonly string[]): TeamPort & { readonly asked: readonly Asked[] } {
  const asked: Asked[] = []
  const receipt = (name: string) =>
    members.includes(name)
      ? { id: `id-${asked.length}` }
      : { error: `nobody is called ${name}; members: ${members.join(', ')}` }
  return {
    asked,
    tasks: { list: () => [], ask: async () => ({ task: 1, state: 'open' }) },
    recipients: members,
    send(mail) {
      asked.push({ ask: 'send', ...mail })
      return receipt(mail.to)
    },
    wait(wait) {
      asked.push({ ask: 'wait', ...wait })
      return members.includes(wait.for) ? { id: wait.for } : receipt(wait.for)
    },
    report(given) {
      asked.push({ ask: 'report', ...given })
      return { id: given.request ?? 'the task' }
    },
    async delegate(errands, callId) {
      return errands.map((errand) => {
        asked.push({ ask: 'delegate', callId, ...errand })
        return receipt(errand.worker)
      })
    },
    stop(wish) {
      asked.push({ ask: 'stop', ...wish })
      return receipt(wish.worker)
    },
  }
}

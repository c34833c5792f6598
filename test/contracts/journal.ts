import { describe, expect, test } from 'vitest'
import type { OpenedJournal } from '../../src/adapters/sessions/journal.ts'
import type { Entry } from '../../src/protocol/facts/entry.ts'
import { userMessage } from '../../src/protocol/conversation/message.ts'

/** What every journal does, wherever it keeps its entries. `open` gives an empty one, whose fold keeps all entries. */
export function journalContract(
  name: string,
  opened: (of: { owner: string; now: () => number }) => OpenedJournal<Entry[]>,
): void {
  const open = (owner: string, now: () => number) => opened({ owner, now }).journal
  describe(`journal contract: ${name}`, () => {
    test('frames facts with numbers without gaps, each following the one before', () => {
      let time = 100
      const journal = open('lead', () => (time += 1))
      const first = journal.append([{ type: 'agent.started' }, { type: 'member.woke' }])
      const second = journal.append([{ type: 'member.idled' }])
      expect([...first, ...second]).toEqual([
        { v: 1, seq: 1, id: 'lead-1', parent: null, at: 101, type: 'agent.started' },
        { v: 1, seq: 2, id: 'lead-2', parent: 'lead-1', at: 101, type: 'member.woke' },
        { v: 1, seq: 3, id: 'lead-3', parent: 'lead-2', at: 102, type: 'member.idled' },
      ])
      journal.close()
    })

    test('its fold hears exactly what is appended', () => {
      const { journal, state } = opened({ owner: 'lead', now: () => 5 })
      const message = userMessage('naïve\n"quoted" \u2028 🎭')
      const appended = [
        ...journal.append([{ type: 'message.appended', message }]),
        ...journal.append([{ type: 'member.gone', reason: 'drained' }]),
      ]
      expect(state).toEqual(appended)
      journal.close()
    })

    test('an entry shares the objects of its fact, so folds keep their identity', () => {
      const journal = open('lead', () => 5)
      const message = userMessage('hi')
      const [entry] = journal.append([{ type: 'message.appended', message }])
      expect(entry?.type === 'message.appended' && entry.message).toBe(message)
      journal.close()
    })

    test('an empty batch is nothing', () => {
      const journal = open('lead', () => 5)
      expect(journal.append([])).toEqual([])
      expect(journal.append([{ type: 'member.woke' }])[0]?.seq).toBe(1)
      journal.close()
    })

    test('a closed journal takes nothing more, and says so', () => {
      const { journal, state } = opened({ owner: 'lead', now: () => 5 })
      journal.append([{ type: 'member.woke' }])
      journal.close()
      journal.close()
      expect(() => journal.append([{ type: 'member.idled' }])).toThrow('closed')
      expect(state).toHaveLength(1)
    })
  })
}

import type { Recorded } from '../../protocol/facts/entry.ts'
import { eventVersion, type EventFrame } from '../../protocol/facts/run-event.ts'
import { leaderName } from '../../protocol/words/ids.ts'
import { hearing } from './fold.ts'

/** The part that the envelopes of one stream share. */
export interface EventPlace {
  readonly run: string
  /** The member that others are started from: the coordinator, or a lone agent. */
  readonly root: string
}

/** Turns and depths of the members of one run, for the envelopes of its events. */
interface FrameFold {
  apply(recorded: Recorded): void
  frame(member: string, seq: number, at: number): EventFrame
}

/**
 * Follows a run so far that each of its events can be put into an envelope.
 * @example const frames = eventFrames({ run: 'review-01J…', root: 'lead' })
 */
export function eventFrames({ run, root }: EventPlace): FrameFold {
  const turns = new Map<string, number>()
  const depths = new Map<string, number>([
    [leaderName, 0],
    [root, 0],
  ])
  const deepen = hearing({
    'member.spawned': ({ member, depth = 1 }) => void (depths.get(member) === 0 || depths.set(member, depth)),
  })
  return {
    apply(recorded) {
      const { owner, entry } = recorded
      if (entry.type === 'model.requested') turns.set(owner, entry.turn)
      deepen(recorded)
    },
    frame: (member, seq, at) => ({
      v: eventVersion,
      seq,
      at,
      run,
      member,
      turn: turns.get(member) ?? 0,
      depth: depths.get(member) ?? 1,
    }),
  }
}

import { describe, expect, test, vi } from 'vitest'
import type { Fact } from '../../../../src/protocol/facts/fact.ts'
import { liveProgress } from '../../../../src/ui/cli/progress/live.ts'
import { plainProgress } from '../../../../src/ui/cli/progress/lines.ts'
import type { Progress } from '../../../../src/ui/cli/progress/progress.ts'
import { appended, recordedOf, says } from '../../../projections/journal-of.ts'
import { fakeHost } from '../fake-host.ts'
import { screenOf } from '../screen-of.ts'

const turn: readonly (readonly [string, Fact])[] = [
  ['lead', { type: 'member.started', incarnation: 'i', executor: 'in-process', pid: 1 }],
  ['lead', { type: 'member.woke' }],
  ['lead', { type: 'model.requested', turn: 1, model: 'm' }],
  ['lead', appended(says('I look.', { id: 'c', name: 'Bash', input: { command: 'git\u001b[2J log' } }))],
  ['lead', { type: 'call.started', call_id: 'c', tool: 'Bash' }],
  ['lead', { type: 'call.finished', call_id: 'c', tool: 'Bash', is_error: false, duration_ms: 1 }],
  ['lead', { type: 'agent.parked', turn: 1 }],
  ['team', { type: 'member.crashed', member: 'writer', error: 'boom' }],
  ['lead', { type: 'member.idled' }],
  ['lead', { type: 'member.gone', reason: 'end' }],
]

function tell(progress: Progress, said: readonly (readonly [string, Fact])[]): void {
  for (const recorded of recordedOf(...said)) progress.hear(recorded)
}

describe('progress in a pipe', () => {
  test('is one plain line per change', () => {
    const host = fakeHost()
    const progress = plainProgress(host)
    tell(progress, turn)
    progress.note('stopping…')
    const withCommand = `${'rules '.repeat(60)}troupe trust teams/a.yaml`
    progress.note(withCommand)
    expect(host.stderr.text).toBe(
      [
        'lead: started',
        'lead: thinking (turn 1)',
        'lead: Bash(git log)',
        'lead: waiting',
        'writer crashed: boom',
        'lead: idle',
        'lead: gone',
        'stopping…',
        withCommand,
        '',
      ].join('\n'),
    )
  })
})

describe('progress on a terminal', () => {
  const live = (rows = 10) => {
    vi.useFakeTimers()
    const host = fakeHost({ terminal: { columns: 60, rows }, env: { NO_COLOR: '1' } })
    const progress = liveProgress(['lead', 'writer'], host)
    return { host, progress, screen: () => screenOf(host.stderr.text).map((row) => row.trimEnd()) }
  }

  test('is one line per member, the notices above', () => {
    const { progress, screen } = live()
    tell(progress, turn.slice(0, 5))
    tell(progress, turn.slice(7, 8))
    progress.close()
    vi.useRealTimers()
    expect(screen()).toEqual([
      'writer crashed: boom',
      '■ lead   interrupted t1        0  I look.',
      '✗ writer crashed               0  boom',
      '',
    ])
  })

  test('is painted ten times a second at most', () => {
    const { host, progress } = live()
    const frames = () => host.stderr.text.split('\u001b[?2026h').length - 1
    for (let index = 0; index < 1_000; index += 1) {
      tell(progress, [['lead', { type: 'model.requested', turn: index + 1, model: 'm' }]])
      vi.advanceTimersByTime(1)
    }
    vi.useRealTimers()
    expect(frames()).toBeGreaterThan(5)
    expect(frames()).toBeLessThanOrEqual(10)
    progress.close()
  })

  test('keeps a dialog below the members, whatever is noted meanwhile', () => {
    const { progress, screen } = live()
    tell(progress, turn.slice(0, 2))
    progress.print('May I?\n  touch a')
    progress.foot(['writer, Bash: [o]nce', '> o▏'])
    tell(progress, turn.slice(2, 3))
    progress.note('meanwhile')
    vi.advanceTimersByTime(1_000)
    const members = ['● lead   thinking    t1        0', '○ writer -                     0']
    expect(screen()).toEqual(['May I?', '  touch a', 'meanwhile', ...members, 'writer, Bash: [o]nce', '> o▏', ''])
    progress.foot(null)
    expect(screen()).toEqual(['May I?', '  touch a', 'meanwhile', ...members, ''])
    progress.close()
    vi.useRealTimers()
  })

  test('a dialog takes the rows of members where there are few, and no more than there are', () => {
    const { progress, screen } = live(4)
    progress.foot(['x'.repeat(59 * 2), '> ▏'])
    expect(screen()).toEqual(['x'.repeat(59), 'x'.repeat(59), '> ▏', ''])
    progress.foot(['> ▏'])
    expect(screen().slice(0, 3)).toEqual([
      '○ lead   -                     0',
      '○ writer -                     0',
      '> ▏',
    ])
    progress.close()
    vi.useRealTimers()
  })

  test('counts the members that have no room', () => {
    const { host, progress, screen } = live(4)
    tell(
      progress,
      ['a', 'b', 'c'].map((member) => ['team', { type: 'member.spawned', member, attempt: 1 }] as const),
    )
    progress.close()
    vi.useRealTimers()
    expect(screen().slice(0, 3)).toEqual([
      '○ lead   -                     0',
      '○ writer -                     0',
      '… and 3 more',
    ])
    expect(host.stderr.text.endsWith('\u001b[?25h')).toBe(true)
  })

  test('a run that could not begin is drawn by nobody', () => {
    const { host, progress } = live()
    progress.note('it has ended')
    progress.close()
    vi.useRealTimers()
    expect(screenOf(host.stderr.text).map((row) => row.trimEnd())).toEqual(['it has ended', ''])
  })

  test('closing twice is closing once, and nothing is drawn afterwards', () => {
    const { host, progress } = live()
    progress.close()
    const { length } = host.stderr.text
    progress.close()
    tell(progress, turn)
    vi.advanceTimersByTime(1_000)
    vi.useRealTimers()
    expect(host.stderr.text.slice(length)).not.toContain('\u001b[?2026h')
  })
})

import { expect, onTestFinished, test } from 'vitest'
import { openFeeds } from '../../../src/gateways/http/feeds.ts'
import { stagedRun } from '../../ui/tui/support/staged-run.ts'

test('a run that cannot be watched costs no place', () => {
  const { dir } = stagedRun(['lead', 'ana'])
  const feeds = openFeeds(1)
  onTestFinished(feeds.close)
  expect(() => feeds.join('\0')).toThrow('null bytes')
  expect(feeds.join(dir)).not.toBeNull()
  expect(feeds.join(dir)).toBeNull()
  feeds.leave(dir)
  expect(feeds.join(dir)).not.toBeNull()
})

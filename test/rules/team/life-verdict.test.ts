import { expect, test } from 'vitest'
import { judgeLife, type PlacedProcess } from '../../../src/rules/team/life-verdict.ts'

const boot = '8c5f1c2e-6a0b-4d7e-9f3a-2b1c0d9e8f7a'
const otherBoot = '00000000-0000-4000-8000-000000000000'
const here = { pid: 1, started: 1, machine: `${boot}-1`, host: 'h' }
const running = (pid: number, started: number) => pid === 7 && started === 70

test.each<[what: string, process: Partial<PlacedProcess>, verdict: string]>([
  ['runs here', {}, 'alive'],
  ['ended here', { pid: 8 }, 'dead'],
  ['has the id of a later one here', { started: 71 }, 'dead'],
  ['is of a file without a machine', { machine: undefined }, 'alive'],
  ['is of a file without a machine, and ended', { machine: undefined, pid: 8 }, 'dead'],
  ['is of an earlier boot of this host', { machine: `${otherBoot}-1` }, 'dead'],
  ['is of another boot of an unknown host', { machine: `${otherBoot}-1`, host: undefined }, 'watch'],
  ['is of another host', { machine: `${otherBoot}-1`, host: 'other' }, 'watch'],
  ['is in another container of this boot', { machine: `${boot}-2` }, 'watch'],
])('a process that %s', (_, process, verdict) => {
  const whole = { pid: 7, started: 70, machine: here.machine, host: here.host, ...process }
  expect(judgeLife(whole, here, running)).toBe(verdict)
})

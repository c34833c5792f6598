import { describe, expect, test } from 'vitest'
import { addressees, type Addressable } from '../../../src/rules/team/mail-address.ts'

const whom: Addressable = {
  team: 'demo',
  roster: ['lead', 'writer', 'historian-1', 'historian-2'],
  roles: { lead: 'lead', writer: 'scribe', 'historian-1': 'historian', 'historian-2': 'historian' },
  self: 'lead',
}
const life = '01J00000000000000000000001'
const errorOf = (to: string, who = whom) => {
  const found = addressees(to, who)
  return 'error' in found ? found.error : found
}

describe('an address', () => {
  test.each([
    ['writer@demo', ['writer']],
    ['writer', ['writer']],
    ['lead@demo', ['lead']],
    ['scribe@demo', ['writer']],
    ['all@demo', ['writer', 'historian-1', 'historian-2']],
  ])('%s means %j', (to, names) => {
    expect(addressees(to, whom)).toEqual({ names })
  })

  test('a member that is called all is meant before everybody', () => {
    expect(addressees('all@demo', { team: 'demo', roster: ['lead', 'all'] })).toEqual({ names: ['all'] })
  })

  test('a life of a member is part of the address', () => {
    expect(addressees(`writer@demo#${life}`, whom)).toEqual({ names: ['writer'], incarnation: life })
    expect(errorOf(`all@demo#${life}`)).toBe('An incarnation belongs to one member.')
    for (const bad of ['writer@demo#', 'writer@demo#first', `writer@demo#${life}#${life}`])
      expect(errorOf(bad)).toContain('names no incarnation')
  })
})

describe('a wrong address', () => {
  test.each([
    ['writr@demo', 'Did you mean "writer"?'],
    ['scribbe@demo', 'Did you mean "scribe"?'],
    ['Writer@demo', 'No member is called "Writer".'],
    [' writer@demo', 'No member is called " writer".'],
    ['../lead@demo', 'No member is called "../lead".'],
    ['@demo', 'No member is called "".'],
    ['historian@demo', '"historian" is what historian-1, historian-2 are: name one of them.'],
    ['writer@other', 'mail reaches members of demo only'],
    ['a@b@c', '"a@b@c" is not in this team'],
  ])('%s is refused with what to do', (to, text) => {
    expect(errorOf(to)).toContain(text)
  })

  test('nobody else is nobody', () => {
    expect(errorOf('all', { team: 'demo', roster: ['lead'], self: 'lead' })).toBe('There is nobody else in this team.')
  })

  test('a long one is not repeated whole', () => {
    expect(errorOf(`${'x'.repeat(500)}@demo`)).toContain(`${'x'.repeat(80)}…`)
  })
})

test('a service has a box and a name, and is nobody of everybody', () => {
  const who = { team: 't', roster: ['lead', 'ann'], services: ['team'], self: 'ann' }
  expect(addressees('team@t', who)).toEqual({ names: ['team'] })
  expect(addressees('all@t', who)).toEqual({ names: ['lead'] })
  expect(addressees('team@t', { ...who, services: [] })).toHaveProperty('error')
})

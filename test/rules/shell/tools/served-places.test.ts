import { expect, test } from 'vitest'
import { servedPlaces, showsEnvironment, takesUnsaid } from '../../../../src/rules/shell/tools/served-places.ts'

test.each([
  ['http-server dist', ['dist']],
  ['http-server -p 80', ['.']],
  ['php -S localhost:80 -t public/', ['public/']],
  ['php build.php', []],
  ['git daemon', ['.']],
  ['git status', []],
])('%s gives away %j', (line, places) => expect(servedPlaces(line.split(' '))).toEqual(places))

test.each([
  ['docker compose config', true],
  ['docker compose config --services', false],
  ['docker build .', false],
  ['dotenv printenv', true],
  ['bun test', false],
])('%s shows the variables of .env: %s', (line, expected) => expect(showsEnvironment(line.split(' '))).toBe(expected))

test.each(['http-server', 'git', 'docker', 'bun'])('%s may take files that its words do not say', (program) =>
  expect(takesUnsaid(program)).toBe(true),
)

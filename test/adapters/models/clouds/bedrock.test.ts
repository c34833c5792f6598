import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createAgent } from '../../../../src/runtime/agent/create-agent.ts'
import { openModel } from '../../../../src/adapters/models/catalog.ts'
import { virtualClock } from '../../../support/virtual-clock.ts'
import { textOf } from '../../../../src/protocol/conversation/message.ts'
import { sendJson, type Asked } from '../support/model-server.ts'
import { anthropicSpoken } from '../support/spoken.ts'
import { chunk, exception, framed, isSignedBy, type AwsAccount } from './aws.ts'
import { cloudServer, hear, otherProcess } from './cloud.ts'

const account = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a-secret', sessionToken: 'a-session' }
const keys = { AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: 'a-secret', AWS_SESSION_TOKEN: 'a-session' }
const region = 'eu-west-1'
const model = 'bedrock/anthropic.claude-opus-5-v1:0'

/** Bedrock: who did not sign is nobody. */
const bedrock = (answer: readonly ReturnType<typeof chunk | typeof exception>[], who: AwsAccount = account) =>
  cloudServer((asked, response) => {
    if (!isSignedBy(who, region, asked)) {
      const message = 'The request signature we calculated does not match the signature you provided.'
      sendJson(response, 403, { message }, { 'x-amzn-errortype': 'InvalidSignatureException' })
      return
    }
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream', 'x-amzn-requestid': 'aws-1' })
    response.end(framed(answer))
  })

const spoken = anthropicSpoken.map(chunk)
const whole = { stop: 'tools', request_id: 'aws-1', usage: { input: 7, output: 9, cache_read: 3 } }

test('a request is signed, its model stands in its path, and its answer comes out whole', async () => {
  const { root, asked } = await bedrock(spoken)
  const message = await hear(model, { env: { ...keys, AWS_REGION: region, BEDROCK_BASE_URL: root } })
  expect(message).toMatchObject(whole)
  expect(textOf(message)).toBe('One two three four.')
  expect(asked[0]?.path).toBe('/model/anthropic.claude-opus-5-v1:0/invoke-with-response-stream')
  expect(asked[0]?.body).not.toHaveProperty('model')
})

test.for(['arn:aws:bedrock:eu-west-1:123:application-inference-profile/abc', 'eu.anthropic.claude-opus-5-v1:0'])(
  'the name %s is one part of the path, also behind a gateway',
  async (name) => {
    const { root, asked } = await bedrock(spoken)
    const env = { ...keys, AWS_REGION: region, BEDROCK_BASE_URL: `${root}/gateway/aws` }
    expect(await hear(`bedrock/${name}`, { env })).toMatchObject(whole)
    const { path } = asked[0] as Asked
    expect(decodeURIComponent(path)).toBe(`/gateway/aws/model/${name}/invoke-with-response-stream`)
    expect(path.split('/')).toHaveLength(6)
  },
)

test('a wrong secret and a wrong region are refused at once', async () => {
  const { root, asked } = await bedrock(spoken)
  const env = { ...keys, AWS_REGION: region, BEDROCK_BASE_URL: root }
  for (const wrong of [{ AWS_SECRET_ACCESS_KEY: 'other' }, { AWS_REGION: 'us-west-2' }, { AWS_SESSION_TOKEN: 'old' }]) {
    expect(await hear(model, { env: { ...env, ...wrong } })).toMatchObject({
      stop: 'error',
      failure: { code: 'forbidden', status: 403 },
    })
  }
  expect(asked).toHaveLength(3)
})

test.for([
  ['throttlingException', 'rate_limited'],
  ['serviceUnavailableException', 'overloaded'],
  ['internalServerException', 'server_error'],
  ['modelStreamErrorException', 'server_error'],
  ['modelTimeoutException', 'timed_out'],
  ['validationException', 'invalid_request'],
] as const)('%s in the middle of an answer is %s, and no call of it is run', async ([name, code]) => {
  const { root } = await bedrock([...spoken.slice(0, -3), exception(name, 'Bedrock is sorry.')])
  const message = await hear(model, { env: { ...keys, AWS_REGION: region, BEDROCK_BASE_URL: root } })
  expect(message).toMatchObject({ stop: 'error', failure: { code, message: 'Bedrock is sorry.' } })
  expect(message.content.map(({ type }) => type)).not.toContain('tool_use')
})

test.for([
  [400, 'Input is too long for requested model.', 'context_exceeded'],
  [429, 'Too many tokens, please wait before trying again.', 'rate_limited'],
  [403, "You don't have access to the model with the specified model ID.", 'forbidden'],
  [503, 'Bedrock is unable to process your request.', 'overloaded'],
  [424, 'The model failed.', 'server_error'],
] as const)('%s "%s" is %s', async ([status, message, code]) => {
  const { root } = await cloudServer((_, response) => sendJson(response, status, { message }))
  const heard = await hear(model, { env: { ...keys, AWS_REGION: region, BEDROCK_BASE_URL: root } })
  expect(heard).toMatchObject({ stop: 'error', failure: { code, status } })
})

test('a key of Bedrock itself is sent as it is', async () => {
  const { root, asked } = await cloudServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
    response.end(framed(spoken))
  })
  await hear(model, { env: { AWS_BEARER_TOKEN_BEDROCK: 'a-token', BEDROCK_BASE_URL: root } })
  const servers = { bedrock: { key: { command: 'echo another' } } }
  await hear(model, { env: { BEDROCK_BASE_URL: root }, servers })
  expect(asked.map(({ headers }) => headers.authorization)).toEqual(['Bearer a-token', 'Bearer another'])
})

/** Files of a person in a folder of their own. */
function folder(files: Readonly<Record<string, string>>): string {
  const home = mkdtempSync(join(tmpdir(), 'troupe-aws-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  mkdirSync(join(home, '.aws'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(home, '.aws', name), text)
  return home
}

const ini = (profile: string, key: string) =>
  `[${profile}]\naws_access_key_id = AKID${key}\naws_secret_access_key = of-${key}\n`

test("a profile of this environment's home signs, also after its keys were changed", async () => {
  await otherProcess({ ...keys, AWS_PROFILE: 'other', HOME: '/nowhere' })
  const home = folder({ credentials: ini('default', 'one') + ini('work', 'two') })
  const env = { AWS_REGION: region, HOME: home }
  const one = await bedrock(spoken, { accessKeyId: 'AKIDone', secretAccessKey: 'of-one' })
  expect(await hear(model, { env: { ...env, BEDROCK_BASE_URL: one.root } })).toMatchObject(whole)
  const two = await bedrock(spoken, { accessKeyId: 'AKIDtwo', secretAccessKey: 'of-two' })
  expect(await hear(model, { env: { ...env, AWS_PROFILE: 'work', BEDROCK_BASE_URL: two.root } })).toMatchObject(whole)
})

test('keys of a profile that have expired are looked up once more', async () => {
  const home = folder({ credentials: ini('default', 'old') })
  const { root, asked } = await cloudServer((one, response) => {
    if (isSignedBy({ accessKeyId: 'AKIDnew', secretAccessKey: 'of-new' }, region, one)) {
      response.writeHead(200, { 'content-type': 'application/vnd.amazon.eventstream' })
      response.end(framed(spoken))
      return
    }
    writeFileSync(join(home, '.aws', 'credentials'), ini('default', 'new'))
    sendJson(response, 403, { message: 'The security token included in the request is expired' })
  })
  const env = { AWS_REGION: region, HOME: home, BEDROCK_BASE_URL: root }
  const agent = createAgent({ model, env, clock: virtualClock(), cwd: home, home })
  const { failure } = await agent.run('Go.').result
  expect([failure, asked.length > 1]).toEqual([undefined, true])
  const named = { AWS_ACCESS_KEY_ID: 'AKIDold', AWS_SECRET_ACCESS_KEY: 'of-old', AWS_REGION: region }
  expect(await (await openModel(model, { baseDir: '.', env: named })).renew?.()).toBe(false)
})

test('a container gives the keys of its role, for each request those of the moment', async () => {
  const given = ['one', 'two']
  const place = await cloudServer(({ headers }, response) => {
    if (headers.authorization !== 'of-the-container') sendJson(response, 401, {})
    const key = given.shift() ?? ''
    const Expiration = new Date(Date.now() + 60_000).toISOString()
    sendJson(response, 200, { AccessKeyId: `AKID${key}`, SecretAccessKey: `of-${key}`, Token: `by-${key}`, Expiration })
  })
  const named = {
    AWS_CONTAINER_CREDENTIALS_FULL_URI: `${place.root}/keys`,
    AWS_CONTAINER_AUTHORIZATION_TOKEN: 'of-the-container',
  }
  for (const key of ['one', 'two']) {
    const who = { accessKeyId: `AKID${key}`, secretAccessKey: `of-${key}`, sessionToken: `by-${key}` }
    const { root } = await bedrock(spoken, who)
    const env = { ...named, HOME: '/nowhere', AWS_REGION: region, BEDROCK_BASE_URL: root }
    expect(await hear(model, { env })).toMatchObject(whole)
  }
})

test('a token of a workload becomes keys at the STS of this environment', async () => {
  const answer = (asked: string): string => {
    const keys = `<AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>`
    const given = asked.includes('Action=AssumeRoleWithWebIdentity') && asked.includes('WebIdentityToken=a.token')
    const Expiration = new Date(Date.now() + 3_600_000).toISOString()
    const credentials = `<Credentials>${given ? keys : ''}<Expiration>${Expiration}</Expiration></Credentials>`
    const name = 'AssumeRoleWithWebIdentity'
    return `<${name}Response><${name}Result>${credentials}</${name}Result></${name}Response>`
  }
  const sts = createServer((asked, response) => {
    response.setHeader('content-type', 'text/xml')
    void text(asked).then((said) => response.end(answer(said)))
  })
  await once(sts.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    sts.close()
    sts.closeAllConnections()
  })
  const other = await otherProcess({ AWS_ENDPOINT_URL_STS: '' })
  const { root } = await bedrock(spoken, { accessKeyId: 'ASIA', secretAccessKey: 's', sessionToken: 't' })
  const identity = {
    AWS_WEB_IDENTITY_TOKEN_FILE: join(folder({ token: 'a.token' }), '.aws', 'token'),
    AWS_ROLE_ARN: 'arn:aws:iam::1:role/worker',
    AWS_ENDPOINT_URL_STS: `http://127.0.0.1:${(sts.address() as AddressInfo).port}`,
  }
  const env = { ...identity, HOME: '/nowhere', AWS_REGION: region, BEDROCK_BASE_URL: root }
  expect(await hear(model, { env })).toMatchObject(whole)
  expect(other.asked).toEqual([])
})

test('the machine is not asked who it is where that is switched off', async () => {
  const machine = await otherProcess({ AWS_EC2_METADATA_SERVICE_ENDPOINT: '' })
  const env = {
    HOME: '/nowhere',
    AWS_EC2_METADATA_DISABLED: 'true',
    AWS_REGION: region,
    BEDROCK_BASE_URL: machine.root,
  }
  expect((await hear(model, { env })).failure).toMatchObject({ code: 'unauthorized' })
  expect(machine.asked).toEqual([])
})

test('neither identity nor address of the process is lent to another environment', async () => {
  const home = folder({ credentials: ini('default', 'one') })
  const other = await otherProcess({ ...keys, AWS_REGION: region, ANTHROPIC_BEDROCK_BASE_URL: '', HOME: home })
  const { root, asked } = await bedrock(spoken)
  const { failure } = await hear(model, { env: { AWS_PROFILE: 'work', HOME: '/nowhere', BEDROCK_BASE_URL: root } })
  expect(failure).toMatchObject({ code: 'unauthorized', retry: false })
  expect(failure?.message).toMatch(/knows nobody here: .*\[work\]/)
  const proxied = { HTTPS_PROXY: 'socks5://127.0.0.1:1' }
  const named = await hear(model, { env: { ...keys, AWS_REGION: region, ...proxied } })
  expect(named.failure).toMatchObject({ code: 'forbidden' })
  expect([...other.asked, ...asked]).toEqual([])
})

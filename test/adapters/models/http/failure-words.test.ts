import { expect, test } from 'vitest'
import { errorFailure, failureOf, refusal } from '../../../../src/adapters/models/http/failure-of.ts'
import type { FailureCode } from '../../../../src/protocol/conversation/failure.ts'

/** What servers say when they do not answer, in their own words. */
type Line = readonly [status: number, said: unknown, code: FailureCode]

const told = (status: number, said: unknown) => {
  const body = typeof said === 'string' ? { error: { message: said } } : said
  return failureOf(refusal({ status, headers: new Map() }, JSON.stringify(body)), false)
}

const windows: readonly Line[] = [
  [400, 'prompt is too long: 5 tokens > 4 maximum', 'context_exceeded'],
  [400, "This model's maximum context length is 8192 tokens.", 'context_exceeded'],
  [400, 'input length and `max_tokens` exceed context limit: 1 + 2 > 2', 'context_exceeded'],
  [400, 'Your input exceeds the context window of this model.', 'context_exceeded'],
  [400, 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).', 'context_exceeded'],
  [400, "This model's maximum prompt length is 131072 but the request contains 200000 tokens.", 'context_exceeded'],
  [400, "The input (9000 tokens) is longer than the model's context length (8192 tokens).", 'context_exceeded'],
  [400, 'tokens to keep from the initial prompt is greater than the context length', 'context_exceeded'],
  [400, 'prompt token count of 130000 exceeds the limit of 128000', 'context_exceeded'],
  [400, 'Your request exceeded model token limit: 262144', 'context_exceeded'],
  [400, '`inputs` tokens + `max_new_tokens` must be <= 8193', 'context_exceeded'],
  [400, 'Please reduce the length of the messages or completion.', 'context_exceeded'],
  [400, 'the model is loaded with context length of only 4096 tokens, which is not enough', 'context_exceeded'],
  [400, 'prompt too long; exceeded max context length by 512 tokens', 'context_exceeded'],
  [400, 'Input tokens exceed the configured limit of 272000 tokens.', 'context_exceeded'],
  [400, 'The decoder prompt (length 5000) is longer than the maximum model length of 4096.', 'context_exceeded'],
  [400, 'Range of input length should be [1, 129024]', 'context_exceeded'],
  [400, 'Requested input length 70000 exceeds maximum input length 65536', 'context_exceeded'],
  [400, 'the input token count is 40000 but the model supports only up to 32768.', 'context_exceeded'],
  [422, '`inputs` must have less than 4096 tokens. Given: 5000', 'context_exceeded'],
  [500, 'Context size has been exceeded.', 'context_exceeded'],
  [
    429,
    'Request too large for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Requested 53000. The input or output tokens must be reduced in order to run successfully.',
    'context_exceeded',
  ],
  [
    413,
    'Request too large for model `llama` in organization `org_1` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.',
    'context_exceeded',
  ],
  [413, 'large', 'context_exceeded'],
  [429, 'Extra usage is required for long context requests.', 'context_exceeded'],
  [400, 'Prompt has 256,468 tokens, but the configured context size is 256,000 tokens', 'context_exceeded'],
  [400, 'Prompt too long: 5152 tokens exceeds max_seq_len 2048 (leave room for output tokens)', 'context_exceeded'],
  [400, 'Prompt length 9000 is greater than max_seq_len 8192', 'context_exceeded'],
  [400, "The prompt (length 300000) exceeds the model's max_model_len 262144", 'context_exceeded'],
  [400, 'Input length 131393 exceeds the maximum allowed input length of 131040 tokens.', 'context_exceeded'],
  [400, "Input length (265330) exceeds model's maximum context length (262144).", 'context_exceeded'],
  [400, 'Prompt contains 200000 tokens, too large for model with 131072 maximum context length', 'context_exceeded'],
  [400, 'invalid params, context window exceeds limit (2013)', 'context_exceeded'],
  [400, 'tokens in request more than max tokens allowed', 'context_exceeded'],
  [400, { error: { code: '1261', message: 'Prompt exceeds max length' } }, 'context_exceeded'],
  [400, 'total message size 10176584 exceeds limit 2097152', 'context_exceeded'],
  [400, 'Total tokens of image and text exceed max message tokens', 'context_exceeded'],
  [400, { message: 'Input is too long for requested model.' }, 'context_exceeded'],
  [
    400,
    { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.' },
    'context_exceeded',
  ],
  [400, 'Requested tokens (2500) exceed context window of 2048', 'context_exceeded'],
  [400, 'max_tokens must be at least 1, got -1024.', 'context_exceeded'],
  [400, "The number of tokens in the prompt exceeds the model's context length", 'context_exceeded'],
  [400, "This request would exceed the model's context limit", 'context_exceeded'],
  [
    400,
    { error: { message: 'the prompt is over the limit', code: 'model_max_prompt_tokens_exceeded' } },
    'context_exceeded',
  ],
  [
    400,
    "Invalid 'messages[3].content': string too long. Expected a string with maximum length 1048576.",
    'context_exceeded',
  ],
  [400, "Invalid 'tools[0].function.description': string too long.", 'invalid_request'],
  [400, "Invalid 'input[3].call_id': string too long. Expected a string with maximum length 64.", 'invalid_request'],
  [
    400,
    'Unable to submit request because the input token count is 2000000 but model only supports up to 1048576.',
    'context_exceeded',
  ],
  [400, { code: 20015, message: 'length of prompt_tokens (9) must be less than max_seq_len (8).' }, 'context_exceeded'],
  [400, { message: 'Bad request: prompt token count (140000) + max_tokens (1) exceeds maximum' }, 'context_exceeded'],
  [500, 'litellm.ContextWindowExceededError: litellm.BadRequestError', 'context_exceeded'],
  [
    400,
    {
      error: {
        code: 'tokens_limit_reached',
        message: 'Request body too large for gpt-4o model. Max size: 8000 tokens.',
      },
    },
    'context_exceeded',
  ],
  [
    400,
    'Prompt tokens limit exceeded: 230799 > 91442. To increase, create a key with a higher limit',
    'context_exceeded',
  ],
  [400, { errors: [{ message: 'This model has a context window limit of 24000', code: 5021 }] }, 'context_exceeded'],
  [
    502,
    {
      error: {
        message: 'Provider returned error',
        code: 502,
        metadata: { raw: '{"error":{"message":"prompt is too long: 213462 tokens > 200000 maximum"}}' },
      },
    },
    'context_exceeded',
  ],
]

const others: readonly Line[] = [
  [400, 'Range of max_tokens should be [1, 8192]', 'output_exceeded'],
  [400, '`max_tokens` must be less than or equal to `32768`', 'output_exceeded'],
  [400, 'it has a maxOutputTokens value of 100000 but the supported range is from 1', 'output_exceeded'],
  [400, "The prompt triggered Azure OpenAI's content management policy.", 'refused'],
  [400, 'API key not valid. Please pass a valid API key.', 'unauthorized'],
  [403, { message: 'The security token included in the request is expired' }, 'unauthorized'],
  [403, { __type: 'com.amazon.coral.service#ExpiredTokenException', message: 'No.' }, 'unauthorized'],
  [403, { Message: 'Bearer Token has expired' }, 'unauthorized'],
  [
    400,
    { error: { status: 'INVALID_ARGUMENT', message: 'API key expired. Please renew the API key.' } },
    'unauthorized',
  ],
  [
    403,
    { error: { code: 'token_expired', message: 'IDE token expired: unauthorized: token expired' } },
    'unauthorized',
  ],
  [403, 'Signature expired: 20261126T100000Z is now earlier than 20261126T101500Z', 'forbidden'],
  [400, 'The container with id container_1 has expired.', 'invalid_request'],
  [400, 'max_tokens is too large: the session has 5 tokens left. The plan expired.', 'invalid_request'],
  [400, 'foo is not a valid model ID', 'not_found'],
  [400, 'Your credit balance is too low', 'forbidden'],
  [400, 'messages: roles must alternate', 'invalid_request'],
  [429, 'too many tokens per minute', 'rate_limited'],
  [
    429,
    'Rate limit reached for gpt-4o in organization org-1 on tokens per min (TPM): Limit 30000, Used 29000, Requested 5000. Please try again in 8s.',
    'rate_limited',
  ],
  [429, 'Request too large for gpt-4o on requests per min (RPM): Limit 3.', 'rate_limited'],
  [429, 'You exceeded your current quota', 'forbidden'],
  [402, 'pay', 'forbidden'],
  [408, 'slow', 'timed_out'],
  [409, 'again', 'server_error'],
  [418, 'tea', 'invalid_request'],
  [500, 'oops', 'server_error'],
  [529, 'busy', 'overloaded'],
  [400, 'The parameter `max_tokens` is not valid: expected a value <= 4096, but got 8192 instead.', 'output_exceeded'],
  [400, { message: 'The maximum tokens you requested exceeds the model limit of 4096.' }, 'output_exceeded'],
  [402, 'You requested up to 32000 tokens, but can only afford 27342.', 'output_exceeded'],
  [402, 'You requested up to 32000 tokens, but can only afford 2734.', 'forbidden'],
  [500, { type: 'error', error: { type: 'api_error', message: 'insufficient balance (1008)' } }, 'forbidden'],
  [429, { error: { http_code: '429', message: 'low', type: 'insufficient_balance_error' } }, 'forbidden'],
  [429, { error: { code: '1113', message: '余额不足或无可用资源包,请充值。' } }, 'forbidden'],
  [429, { error: { type: 'exceeded_current_quota_error', message: 'Your account is suspended' } }, 'forbidden'],
  [400, { error: { code: 'Arrearage', message: 'Access denied, please make sure your account is good' } }, 'forbidden'],
  [400, { message: 'Too many tokens, please wait before trying again.' }, 'rate_limited'],
  [429, { message: 'Too many tokens per day, please wait before trying again.' }, 'rate_limited'],
  [400, { __type: 'ThrottlingException', message: 'ThrottlingException: Rate exceeded' }, 'rate_limited'],
  [400, { code: 'Throttling.RateQuota', message: 'Requests throttling triggered' }, 'rate_limited'],
  [502, 'upstream said: 429 Too Many Requests', 'rate_limited'],
  [403, 'API rate limit exceeded for user', 'rate_limited'],
  [429, 'Tokens per minute limit exceeded - too many tokens processed.', 'rate_limited'],
  [429, { error: { code: '1302', message: '您的账户已达到速率限制，请您控制请求频率' } }, 'rate_limited'],
  [429, 'The engine is currently overloaded, please try again later', 'overloaded'],
  [498, { error: { code: 'capacity_exceeded', message: 'Flex tier capacity exceeded' } }, 'overloaded'],
  [400, 'The model is over capacity', 'overloaded'],
  [424, { type: 'ModelErrorException', message: 'Try your request again.' }, 'server_error'],
  [499, 'Client closed request', 'server_error'],
  [520, '<html>Web server returned an unknown error</html>', 'server_error'],
  [524, '<html>A timeout occurred</html>', 'server_error'],
  [400, 'Model Not Exist', 'not_found'],
  [400, { message: 'The provided model identifier is invalid.' }, 'not_found'],
  [400, "The requested model 'x' does not exist.", 'not_found'],
  [400, { error: { code: 'invalid_api_key', message: 'no' } }, 'unauthorized'],
  [400, 'Content Exists Risk', 'refused'],
  [400, '系统检测到输入或生成内容可能包含不安全或敏感内容', 'refused'],
  [400, '<400> InternalError.Algo.DataInspectionFailed: Input data may contain inappropriate content.', 'refused'],
  [400, '<400> InternalError.Algo.InvalidParameter: The tool call is wrong', 'invalid_request'],
  [403, 'x requires moderation on y. Your input was flagged for "z"', 'refused'],
  [400, 'Output blocked by content filtering policy', 'refused'],
  [400, 'Your prompt was flagged as potentially violating our usage policy.', 'refused'],
  [400, { error: { code: 'tool_use_failed', message: 'Failed to call a function.' } }, 'stream_broken'],
  [400, "tool call validation failed: attempted to call tool 'x' which was not in request.tools", 'stream_broken'],
  [400, 'The model `gemma-7b-it` has been decommissioned and is no longer supported.', 'not_found'],
  [400, { object: 'error', message: 'Invalid model: large', type: 'invalid_model', code: '1500' }, 'not_found'],
  [400, 'Organization has been restricted.', 'forbidden'],
  [400, 'User location is not supported for the API use.', 'forbidden'],
  [400, { error: { type: 'budget_exceeded', message: 'Budget has been exceeded! Max budget: 20.0' } }, 'forbidden'],
  [400, { error: 'Failed to load model "qwen". Error: Operation canceled.' }, 'server_error'],
  [405, 'Method Not Allowed', 'not_found'],
  [451, 'Unavailable For Legal Reasons', 'forbidden'],
]

test.for([...windows, ...others])('%i %j is %s', ([status, said, code]) => {
  expect(told(status, said)).toMatchObject({ code, status })
})

test.for([
  ['bio_policy', 'refused'],
  ['misalignment_policy_violation', 'refused'],
  ['data_residency_mismatch', 'forbidden'],
  ['ThrottlingException', 'rate_limited'],
] as const)('an error of the code %s in a stream is %s', ([code, is]) => {
  expect(errorFailure({ error: { code, message: 'no' } }).code).toBe(is)
})

test('a quota that is used up for a minute is waited for, one of a day is not', () => {
  const spent = (quotaId: string, message: string) => ({
    error: {
      code: 429,
      message: `You exceeded your current quota, please check your plan. ${message}`,
      status: 'RESOURCE_EXHAUSTED',
      details: [{ violations: [{ quotaId }] }, { '@type': 'google.rpc.RetryInfo', retryDelay: '38s' }],
    },
  })
  const minute = spent('RequestsPerMinutePerProject', 'Please retry in 37.5s.')
  expect(told(429, minute)).toMatchObject({ code: 'rate_limited', retry_after_ms: 37_500 })
  expect(told(429, [minute])).toMatchObject({ code: 'rate_limited', retry_after_ms: 37_500 })
  expect(told(429, spent('RequestsPerDayPerProject', 'Please retry in 37.5s.')).code).toBe('forbidden')
  expect(told(429, { error: { ...minute.error, message: 'Quota exceeded' } }).retry_after_ms).toBe(38_000)
})

test('what the server behind a gateway said is told with it', () => {
  const metadata = { provider_name: 'x', raw: '{"error":{"message":"that tool is wrong"}}' }
  const { message } = told(400, { error: { message: 'Provider returned error', code: 400, metadata } })
  expect(message).toBe('400 Provider returned error: that tool is wrong')
})

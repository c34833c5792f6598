import { z, z as z$1 } from "zod";
/** Why the loop went round again. */
declare const continueReasons: readonly ['next_turn', 'max_output_tokens_recovery', 'auto_compact', 'reactive_compact_retry', 'stop_hook_blocking', 'steered', 'mail', 'budget_continuation', 'wind_down', 'model_fallback', 'escalated', 'verify_failed', 'no_answer'];
/** Why the loop ended. */
declare const terminalReasons: readonly ['completed', 'verified', 'cut', 'no_answer', 'max_turns', 'aborted_streaming', 'aborted_tools', 'stop_hook_prevented', 'budget_exhausted', 'diminishing_returns', 'prompt_too_long', 'loop_detected', 'failed'];
type ContinueReason = (typeof continueReasons)[number];
type TerminalReason = (typeof terminalReasons)[number];
declare const failureSchema: z$1.ZodObject<{
  code: z$1.ZodEnum<{
    aborted: "aborted";
    broken_shape: "broken_shape";
    budget_exhausted: "budget_exhausted";
    connection_lost: "connection_lost";
    context_exceeded: "context_exceeded";
    crashed: "crashed";
    forbidden: "forbidden";
    invalid_request: "invalid_request";
    missing_credential: "missing_credential";
    no_answer: "no_answer";
    not_checked: "not_checked";
    not_found: "not_found";
    output_exceeded: "output_exceeded";
    overloaded: "overloaded";
    rate_limited: "rate_limited";
    refused: "refused";
    script_mismatch: "script_mismatch";
    server_error: "server_error";
    stream_broken: "stream_broken";
    timed_out: "timed_out";
    unauthorized: "unauthorized";
    unverified: "unverified";
  }>;
  message: z$1.ZodString;
  remedy: z$1.ZodOptional<z$1.ZodString>;
  status: z$1.ZodOptional<z$1.ZodNumber>;
  retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
  retry_at: z$1.ZodOptional<z$1.ZodNumber>;
  request_id: z$1.ZodOptional<z$1.ZodString>;
  retry: z$1.ZodOptional<z$1.ZodBoolean>;
}, z$1.core.$strip>;
/** A failure travels as data: it is returned, journaled and shown, never thrown across a port. */
type Failure = z$1.infer<typeof failureSchema>;
/**
 * The one spelling of a conversation. Vendors' shapes exist only inside `adapters/models`.
 * Messages are immutable: a fold may keep them by reference and a provider may cache their translation.
 */
declare const textBlockSchema: z$1.ZodObject<{
  type: z$1.ZodLiteral<"text">;
  text: z$1.ZodString;
  opaque: z$1.ZodOptional<z$1.ZodUnknown>;
}, z$1.core.$strip>;
declare const imageBlockSchema: z$1.ZodObject<{
  type: z$1.ZodLiteral<"image">;
  media_type: z$1.ZodString;
  data: z$1.ZodString;
}, z$1.core.$strip>;
/** A file that a person gives with a prompt. */
declare const attachmentSchema: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
  type: z$1.ZodLiteral<"image">;
  media_type: z$1.ZodString;
  data: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"document">;
  media_type: z$1.ZodLiteral<"application/pdf">;
  name: z$1.ZodString;
  data: z$1.ZodString;
  text: z$1.ZodString;
}, z$1.core.$strip>], "type">;
declare const toolUseBlockSchema: z$1.ZodObject<{
  type: z$1.ZodLiteral<"tool_use">;
  id: z$1.ZodString;
  name: z$1.ZodString;
  input: z$1.ZodUnknown;
  malformed: z$1.ZodOptional<z$1.ZodString>;
  opaque: z$1.ZodOptional<z$1.ZodUnknown>;
}, z$1.core.$strip>;
declare const usageSchema: z$1.ZodObject<{
  input: z$1.ZodNumber;
  output: z$1.ZodNumber;
  cache_read: z$1.ZodNumber;
  cache_write: z$1.ZodNumber;
  reasoning: z$1.ZodOptional<z$1.ZodNumber>;
  searches: z$1.ZodOptional<z$1.ZodNumber>;
}, z$1.core.$strip>;
declare const toolResultSchema: z$1.ZodObject<{
  is_error: z$1.ZodBoolean;
  exit: z$1.ZodOptional<z$1.ZodObject<{
    code: z$1.ZodNumber;
    failed: z$1.ZodBoolean;
  }, z$1.core.$strip>>;
  skipped: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
    type: z$1.ZodLiteral<"text">;
    text: z$1.ZodString;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"image">;
    media_type: z$1.ZodString;
    data: z$1.ZodString;
  }, z$1.core.$strip>], "type">>;
}, z$1.core.$strip>;
/** Authors of a user-side message; only `person` speaks with the user's authority. */
declare const origins: readonly ['person', 'runtime', 'hook', 'summary'];
declare const userMessageSchema: z$1.ZodObject<{
  role: z$1.ZodLiteral<"user">;
  origin: z$1.ZodEnum<{
    hook: "hook";
    person: "person";
    runtime: "runtime";
    summary: "summary";
  }>;
  content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
    type: z$1.ZodLiteral<"text">;
    text: z$1.ZodString;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"image">;
    media_type: z$1.ZodString;
    data: z$1.ZodString;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"document">;
    media_type: z$1.ZodLiteral<"application/pdf">;
    name: z$1.ZodString;
    data: z$1.ZodString;
    text: z$1.ZodString;
  }, z$1.core.$strip>], "type">>;
}, z$1.core.$strip>;
declare const assistantMessageSchema: z$1.ZodObject<{
  role: z$1.ZodLiteral<"assistant">;
  model: z$1.ZodString;
  content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
    type: z$1.ZodLiteral<"text">;
    text: z$1.ZodString;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"thinking">;
    text: z$1.ZodString;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"tool_use">;
    id: z$1.ZodString;
    name: z$1.ZodString;
    input: z$1.ZodUnknown;
    malformed: z$1.ZodOptional<z$1.ZodString>;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"foreign">;
    vendor: z$1.ZodString;
    raw: z$1.ZodUnknown;
  }, z$1.core.$strip>], "type">>;
  stop: z$1.ZodEnum<{
    aborted: "aborted";
    end: "end";
    error: "error";
    max_tokens: "max_tokens";
    pause: "pause";
    refusal: "refusal";
    tools: "tools";
  }>;
  usage: z$1.ZodObject<{
    input: z$1.ZodNumber;
    output: z$1.ZodNumber;
    cache_read: z$1.ZodNumber;
    cache_write: z$1.ZodNumber;
    reasoning: z$1.ZodOptional<z$1.ZodNumber>;
    searches: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strip>;
  failure: z$1.ZodOptional<z$1.ZodObject<{
    code: z$1.ZodEnum<{
      aborted: "aborted";
      broken_shape: "broken_shape";
      budget_exhausted: "budget_exhausted";
      connection_lost: "connection_lost";
      context_exceeded: "context_exceeded";
      crashed: "crashed";
      forbidden: "forbidden";
      invalid_request: "invalid_request";
      missing_credential: "missing_credential";
      no_answer: "no_answer";
      not_checked: "not_checked";
      not_found: "not_found";
      output_exceeded: "output_exceeded";
      overloaded: "overloaded";
      rate_limited: "rate_limited";
      refused: "refused";
      script_mismatch: "script_mismatch";
      server_error: "server_error";
      stream_broken: "stream_broken";
      timed_out: "timed_out";
      unauthorized: "unauthorized";
      unverified: "unverified";
    }>;
    message: z$1.ZodString;
    remedy: z$1.ZodOptional<z$1.ZodString>;
    status: z$1.ZodOptional<z$1.ZodNumber>;
    retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
    retry_at: z$1.ZodOptional<z$1.ZodNumber>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    retry: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strip>>;
  request_id: z$1.ZodOptional<z$1.ZodString>;
  cost_usd: z$1.ZodOptional<z$1.ZodNumber>;
  cut_call: z$1.ZodOptional<z$1.ZodString>;
  repaired: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  conceded: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    feature: z$1.ZodString;
    back: z$1.ZodBoolean;
    reason: z$1.ZodString;
  }, z$1.core.$strip>>>;
  advice: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    id: z$1.ZodString;
    model: z$1.ZodString;
    usage: z$1.ZodObject<{
      input: z$1.ZodNumber;
      output: z$1.ZodNumber;
      cache_read: z$1.ZodNumber;
      cache_write: z$1.ZodNumber;
      reasoning: z$1.ZodOptional<z$1.ZodNumber>;
      searches: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strip>;
  }, z$1.core.$strip>>>;
}, z$1.core.$strip>;
/** All results of one assistant message, in the order of its calls. */
declare const toolMessageSchema: z$1.ZodObject<{
  role: z$1.ZodLiteral<"tool">;
  results: z$1.ZodArray<z$1.ZodObject<{
    is_error: z$1.ZodBoolean;
    exit: z$1.ZodOptional<z$1.ZodObject<{
      code: z$1.ZodNumber;
      failed: z$1.ZodBoolean;
    }, z$1.core.$strip>>;
    skipped: z$1.ZodOptional<z$1.ZodLiteral<true>>;
    call_id: z$1.ZodString;
    tool: z$1.ZodString;
    content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
      type: z$1.ZodLiteral<"text">;
      text: z$1.ZodString;
      opaque: z$1.ZodOptional<z$1.ZodUnknown>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      type: z$1.ZodLiteral<"image">;
      media_type: z$1.ZodString;
      data: z$1.ZodString;
    }, z$1.core.$strip>], "type">>;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>;
declare const messageSchema: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
  role: z$1.ZodLiteral<"user">;
  origin: z$1.ZodEnum<{
    hook: "hook";
    person: "person";
    runtime: "runtime";
    summary: "summary";
  }>;
  content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
    type: z$1.ZodLiteral<"text">;
    text: z$1.ZodString;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"image">;
    media_type: z$1.ZodString;
    data: z$1.ZodString;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"document">;
    media_type: z$1.ZodLiteral<"application/pdf">;
    name: z$1.ZodString;
    data: z$1.ZodString;
    text: z$1.ZodString;
  }, z$1.core.$strip>], "type">>;
}, z$1.core.$strip>, z$1.ZodObject<{
  role: z$1.ZodLiteral<"assistant">;
  model: z$1.ZodString;
  content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
    type: z$1.ZodLiteral<"text">;
    text: z$1.ZodString;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"thinking">;
    text: z$1.ZodString;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"tool_use">;
    id: z$1.ZodString;
    name: z$1.ZodString;
    input: z$1.ZodUnknown;
    malformed: z$1.ZodOptional<z$1.ZodString>;
    opaque: z$1.ZodOptional<z$1.ZodUnknown>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"foreign">;
    vendor: z$1.ZodString;
    raw: z$1.ZodUnknown;
  }, z$1.core.$strip>], "type">>;
  stop: z$1.ZodEnum<{
    aborted: "aborted";
    end: "end";
    error: "error";
    max_tokens: "max_tokens";
    pause: "pause";
    refusal: "refusal";
    tools: "tools";
  }>;
  usage: z$1.ZodObject<{
    input: z$1.ZodNumber;
    output: z$1.ZodNumber;
    cache_read: z$1.ZodNumber;
    cache_write: z$1.ZodNumber;
    reasoning: z$1.ZodOptional<z$1.ZodNumber>;
    searches: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strip>;
  failure: z$1.ZodOptional<z$1.ZodObject<{
    code: z$1.ZodEnum<{
      aborted: "aborted";
      broken_shape: "broken_shape";
      budget_exhausted: "budget_exhausted";
      connection_lost: "connection_lost";
      context_exceeded: "context_exceeded";
      crashed: "crashed";
      forbidden: "forbidden";
      invalid_request: "invalid_request";
      missing_credential: "missing_credential";
      no_answer: "no_answer";
      not_checked: "not_checked";
      not_found: "not_found";
      output_exceeded: "output_exceeded";
      overloaded: "overloaded";
      rate_limited: "rate_limited";
      refused: "refused";
      script_mismatch: "script_mismatch";
      server_error: "server_error";
      stream_broken: "stream_broken";
      timed_out: "timed_out";
      unauthorized: "unauthorized";
      unverified: "unverified";
    }>;
    message: z$1.ZodString;
    remedy: z$1.ZodOptional<z$1.ZodString>;
    status: z$1.ZodOptional<z$1.ZodNumber>;
    retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
    retry_at: z$1.ZodOptional<z$1.ZodNumber>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    retry: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strip>>;
  request_id: z$1.ZodOptional<z$1.ZodString>;
  cost_usd: z$1.ZodOptional<z$1.ZodNumber>;
  cut_call: z$1.ZodOptional<z$1.ZodString>;
  repaired: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  conceded: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    feature: z$1.ZodString;
    back: z$1.ZodBoolean;
    reason: z$1.ZodString;
  }, z$1.core.$strip>>>;
  advice: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    id: z$1.ZodString;
    model: z$1.ZodString;
    usage: z$1.ZodObject<{
      input: z$1.ZodNumber;
      output: z$1.ZodNumber;
      cache_read: z$1.ZodNumber;
      cache_write: z$1.ZodNumber;
      reasoning: z$1.ZodOptional<z$1.ZodNumber>;
      searches: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strip>;
  }, z$1.core.$strip>>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  role: z$1.ZodLiteral<"tool">;
  results: z$1.ZodArray<z$1.ZodObject<{
    is_error: z$1.ZodBoolean;
    exit: z$1.ZodOptional<z$1.ZodObject<{
      code: z$1.ZodNumber;
      failed: z$1.ZodBoolean;
    }, z$1.core.$strip>>;
    skipped: z$1.ZodOptional<z$1.ZodLiteral<true>>;
    call_id: z$1.ZodString;
    tool: z$1.ZodString;
    content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
      type: z$1.ZodLiteral<"text">;
      text: z$1.ZodString;
      opaque: z$1.ZodOptional<z$1.ZodUnknown>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      type: z$1.ZodLiteral<"image">;
      media_type: z$1.ZodString;
      data: z$1.ZodString;
    }, z$1.core.$strip>], "type">>;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>], "role">;
type TextBlock = z$1.infer<typeof textBlockSchema>;
type ImageBlock = z$1.infer<typeof imageBlockSchema>;
type Attachment = z$1.infer<typeof attachmentSchema>;
type ToolUseBlock = z$1.infer<typeof toolUseBlockSchema>;
type ToolResult = z$1.infer<typeof toolResultSchema>;
type Usage = z$1.infer<typeof usageSchema>;
type Origin = (typeof origins)[number];
type UserMessage = z$1.infer<typeof userMessageSchema>;
type AssistantMessage = z$1.infer<typeof assistantMessageSchema>;
type ToolMessage = z$1.infer<typeof toolMessageSchema>;
type Message = z$1.infer<typeof messageSchema>;
/** `userMessage('Find the bug.')`; the origin defaults to a person. */
export declare function userMessage(text: string, origin?: Origin, attachments?: readonly Attachment[]): UserMessage;
declare const factSchema: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
  type: z$1.ZodLiteral<"agent.started">;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"message.appended">;
  message: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
    role: z$1.ZodLiteral<"user">;
    origin: z$1.ZodEnum<{
      hook: "hook";
      person: "person";
      runtime: "runtime";
      summary: "summary";
    }>;
    content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
      type: z$1.ZodLiteral<"text">;
      text: z$1.ZodString;
      opaque: z$1.ZodOptional<z$1.ZodUnknown>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      type: z$1.ZodLiteral<"image">;
      media_type: z$1.ZodString;
      data: z$1.ZodString;
    }, z$1.core.$strip>, z$1.ZodObject<{
      type: z$1.ZodLiteral<"document">;
      media_type: z$1.ZodLiteral<"application/pdf">;
      name: z$1.ZodString;
      data: z$1.ZodString;
      text: z$1.ZodString;
    }, z$1.core.$strip>], "type">>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    role: z$1.ZodLiteral<"assistant">;
    model: z$1.ZodString;
    content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
      type: z$1.ZodLiteral<"text">;
      text: z$1.ZodString;
      opaque: z$1.ZodOptional<z$1.ZodUnknown>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      type: z$1.ZodLiteral<"thinking">;
      text: z$1.ZodString;
      opaque: z$1.ZodOptional<z$1.ZodUnknown>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      type: z$1.ZodLiteral<"tool_use">;
      id: z$1.ZodString;
      name: z$1.ZodString;
      input: z$1.ZodUnknown;
      malformed: z$1.ZodOptional<z$1.ZodString>;
      opaque: z$1.ZodOptional<z$1.ZodUnknown>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      type: z$1.ZodLiteral<"foreign">;
      vendor: z$1.ZodString;
      raw: z$1.ZodUnknown;
    }, z$1.core.$strip>], "type">>;
    stop: z$1.ZodEnum<{
      aborted: "aborted";
      end: "end";
      error: "error";
      max_tokens: "max_tokens";
      pause: "pause";
      refusal: "refusal";
      tools: "tools";
    }>;
    usage: z$1.ZodObject<{
      input: z$1.ZodNumber;
      output: z$1.ZodNumber;
      cache_read: z$1.ZodNumber;
      cache_write: z$1.ZodNumber;
      reasoning: z$1.ZodOptional<z$1.ZodNumber>;
      searches: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strip>;
    failure: z$1.ZodOptional<z$1.ZodObject<{
      code: z$1.ZodEnum<{
        aborted: "aborted";
        broken_shape: "broken_shape";
        budget_exhausted: "budget_exhausted";
        connection_lost: "connection_lost";
        context_exceeded: "context_exceeded";
        crashed: "crashed";
        forbidden: "forbidden";
        invalid_request: "invalid_request";
        missing_credential: "missing_credential";
        no_answer: "no_answer";
        not_checked: "not_checked";
        not_found: "not_found";
        output_exceeded: "output_exceeded";
        overloaded: "overloaded";
        rate_limited: "rate_limited";
        refused: "refused";
        script_mismatch: "script_mismatch";
        server_error: "server_error";
        stream_broken: "stream_broken";
        timed_out: "timed_out";
        unauthorized: "unauthorized";
        unverified: "unverified";
      }>;
      message: z$1.ZodString;
      remedy: z$1.ZodOptional<z$1.ZodString>;
      status: z$1.ZodOptional<z$1.ZodNumber>;
      retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
      retry_at: z$1.ZodOptional<z$1.ZodNumber>;
      request_id: z$1.ZodOptional<z$1.ZodString>;
      retry: z$1.ZodOptional<z$1.ZodBoolean>;
    }, z$1.core.$strip>>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    cost_usd: z$1.ZodOptional<z$1.ZodNumber>;
    cut_call: z$1.ZodOptional<z$1.ZodString>;
    repaired: z$1.ZodOptional<z$1.ZodLiteral<true>>;
    conceded: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      feature: z$1.ZodString;
      back: z$1.ZodBoolean;
      reason: z$1.ZodString;
    }, z$1.core.$strip>>>;
    advice: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      id: z$1.ZodString;
      model: z$1.ZodString;
      usage: z$1.ZodObject<{
        input: z$1.ZodNumber;
        output: z$1.ZodNumber;
        cache_read: z$1.ZodNumber;
        cache_write: z$1.ZodNumber;
        reasoning: z$1.ZodOptional<z$1.ZodNumber>;
        searches: z$1.ZodOptional<z$1.ZodNumber>;
      }, z$1.core.$strip>;
    }, z$1.core.$strip>>>;
  }, z$1.core.$strip>, z$1.ZodObject<{
    role: z$1.ZodLiteral<"tool">;
    results: z$1.ZodArray<z$1.ZodObject<{
      is_error: z$1.ZodBoolean;
      exit: z$1.ZodOptional<z$1.ZodObject<{
        code: z$1.ZodNumber;
        failed: z$1.ZodBoolean;
      }, z$1.core.$strip>>;
      skipped: z$1.ZodOptional<z$1.ZodLiteral<true>>;
      call_id: z$1.ZodString;
      tool: z$1.ZodString;
      content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
        type: z$1.ZodLiteral<"text">;
        text: z$1.ZodString;
        opaque: z$1.ZodOptional<z$1.ZodUnknown>;
      }, z$1.core.$strip>, z$1.ZodObject<{
        type: z$1.ZodLiteral<"image">;
        media_type: z$1.ZodString;
        data: z$1.ZodString;
      }, z$1.core.$strip>], "type">>;
    }, z$1.core.$strip>>;
  }, z$1.core.$strip>], "role">;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"message.tombstoned">;
  target: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"context.compacted">;
  trigger: z$1.ZodEnum<{
    auto: "auto";
    emergency: "emergency";
    manual: "manual";
    reactive: "reactive";
  }>;
  trimmed: z$1.ZodArray<z$1.ZodString>;
  dropped: z$1.ZodArray<z$1.ZodString>;
  cut: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodNumber>>;
  stale: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodArray<z$1.ZodString>>>;
  summary: z$1.ZodOptional<z$1.ZodString>;
  by: z$1.ZodOptional<z$1.ZodString>;
  reason: z$1.ZodOptional<z$1.ZodString>;
  before: z$1.ZodNumber;
  after: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"memory.extracted">;
  upto: z$1.ZodString;
  turns: z$1.ZodNumber;
  written: z$1.ZodArray<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"prompt.changed">;
  epoch: z$1.ZodNumber;
  fingerprint: z$1.ZodString;
  moved: z$1.ZodArray<z$1.ZodString>;
  chars: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"files.changed">;
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  files: z$1.ZodArray<z$1.ZodObject<{
    path: z$1.ZodString;
    before: z$1.ZodNullable<z$1.ZodObject<{
      sha256: z$1.ZodString;
      mode: z$1.ZodNumber;
    }, z$1.core.$strip>>;
    after: z$1.ZodNullable<z$1.ZodObject<{
      sha256: z$1.ZodString;
      mode: z$1.ZodNumber;
    }, z$1.core.$strip>>;
  }, z$1.core.$strip>>;
  since: z$1.ZodOptional<z$1.ZodNumber>;
  untaken: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"checkpoint.named">;
  from: z$1.ZodString;
  name: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"turns.undone">;
  from: z$1.ZodString;
  files: z$1.ZodArray<z$1.ZodString>;
  messages: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    id: z$1.ZodString;
    message: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
      role: z$1.ZodLiteral<"user">;
      origin: z$1.ZodEnum<{
        hook: "hook";
        person: "person";
        runtime: "runtime";
        summary: "summary";
      }>;
      content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
        type: z$1.ZodLiteral<"text">;
        text: z$1.ZodString;
        opaque: z$1.ZodOptional<z$1.ZodUnknown>;
      }, z$1.core.$strip>, z$1.ZodObject<{
        type: z$1.ZodLiteral<"image">;
        media_type: z$1.ZodString;
        data: z$1.ZodString;
      }, z$1.core.$strip>, z$1.ZodObject<{
        type: z$1.ZodLiteral<"document">;
        media_type: z$1.ZodLiteral<"application/pdf">;
        name: z$1.ZodString;
        data: z$1.ZodString;
        text: z$1.ZodString;
      }, z$1.core.$strip>], "type">>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      role: z$1.ZodLiteral<"assistant">;
      model: z$1.ZodString;
      content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
        type: z$1.ZodLiteral<"text">;
        text: z$1.ZodString;
        opaque: z$1.ZodOptional<z$1.ZodUnknown>;
      }, z$1.core.$strip>, z$1.ZodObject<{
        type: z$1.ZodLiteral<"thinking">;
        text: z$1.ZodString;
        opaque: z$1.ZodOptional<z$1.ZodUnknown>;
      }, z$1.core.$strip>, z$1.ZodObject<{
        type: z$1.ZodLiteral<"tool_use">;
        id: z$1.ZodString;
        name: z$1.ZodString;
        input: z$1.ZodUnknown;
        malformed: z$1.ZodOptional<z$1.ZodString>;
        opaque: z$1.ZodOptional<z$1.ZodUnknown>;
      }, z$1.core.$strip>, z$1.ZodObject<{
        type: z$1.ZodLiteral<"foreign">;
        vendor: z$1.ZodString;
        raw: z$1.ZodUnknown;
      }, z$1.core.$strip>], "type">>;
      stop: z$1.ZodEnum<{
        aborted: "aborted";
        end: "end";
        error: "error";
        max_tokens: "max_tokens";
        pause: "pause";
        refusal: "refusal";
        tools: "tools";
      }>;
      usage: z$1.ZodObject<{
        input: z$1.ZodNumber;
        output: z$1.ZodNumber;
        cache_read: z$1.ZodNumber;
        cache_write: z$1.ZodNumber;
        reasoning: z$1.ZodOptional<z$1.ZodNumber>;
        searches: z$1.ZodOptional<z$1.ZodNumber>;
      }, z$1.core.$strip>;
      failure: z$1.ZodOptional<z$1.ZodObject<{
        code: z$1.ZodEnum<{
          aborted: "aborted";
          broken_shape: "broken_shape";
          budget_exhausted: "budget_exhausted";
          connection_lost: "connection_lost";
          context_exceeded: "context_exceeded";
          crashed: "crashed";
          forbidden: "forbidden";
          invalid_request: "invalid_request";
          missing_credential: "missing_credential";
          no_answer: "no_answer";
          not_checked: "not_checked";
          not_found: "not_found";
          output_exceeded: "output_exceeded";
          overloaded: "overloaded";
          rate_limited: "rate_limited";
          refused: "refused";
          script_mismatch: "script_mismatch";
          server_error: "server_error";
          stream_broken: "stream_broken";
          timed_out: "timed_out";
          unauthorized: "unauthorized";
          unverified: "unverified";
        }>;
        message: z$1.ZodString;
        remedy: z$1.ZodOptional<z$1.ZodString>;
        status: z$1.ZodOptional<z$1.ZodNumber>;
        retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
        retry_at: z$1.ZodOptional<z$1.ZodNumber>;
        request_id: z$1.ZodOptional<z$1.ZodString>;
        retry: z$1.ZodOptional<z$1.ZodBoolean>;
      }, z$1.core.$strip>>;
      request_id: z$1.ZodOptional<z$1.ZodString>;
      cost_usd: z$1.ZodOptional<z$1.ZodNumber>;
      cut_call: z$1.ZodOptional<z$1.ZodString>;
      repaired: z$1.ZodOptional<z$1.ZodLiteral<true>>;
      conceded: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
        feature: z$1.ZodString;
        back: z$1.ZodBoolean;
        reason: z$1.ZodString;
      }, z$1.core.$strip>>>;
      advice: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
        id: z$1.ZodString;
        model: z$1.ZodString;
        usage: z$1.ZodObject<{
          input: z$1.ZodNumber;
          output: z$1.ZodNumber;
          cache_read: z$1.ZodNumber;
          cache_write: z$1.ZodNumber;
          reasoning: z$1.ZodOptional<z$1.ZodNumber>;
          searches: z$1.ZodOptional<z$1.ZodNumber>;
        }, z$1.core.$strip>;
      }, z$1.core.$strip>>>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      role: z$1.ZodLiteral<"tool">;
      results: z$1.ZodArray<z$1.ZodObject<{
        is_error: z$1.ZodBoolean;
        exit: z$1.ZodOptional<z$1.ZodObject<{
          code: z$1.ZodNumber;
          failed: z$1.ZodBoolean;
        }, z$1.core.$strip>>;
        skipped: z$1.ZodOptional<z$1.ZodLiteral<true>>;
        call_id: z$1.ZodString;
        tool: z$1.ZodString;
        content: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
          type: z$1.ZodLiteral<"text">;
          text: z$1.ZodString;
          opaque: z$1.ZodOptional<z$1.ZodUnknown>;
        }, z$1.core.$strip>, z$1.ZodObject<{
          type: z$1.ZodLiteral<"image">;
          media_type: z$1.ZodString;
          data: z$1.ZodString;
        }, z$1.core.$strip>], "type">>;
      }, z$1.core.$strip>>;
    }, z$1.core.$strip>], "role">;
  }, z$1.core.$strip>>>;
  todos: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    content: z$1.ZodString;
    status: z$1.ZodEnum<{
      completed: "completed";
      in_progress: "in_progress";
      pending: "pending";
    }>;
    activeForm: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>>>;
  plan: z$1.ZodOptional<z$1.ZodString>;
  note: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"skill.opened">;
  call_id: z$1.ZodString;
  skill: z$1.ZodString;
  source: z$1.ZodEnum<{
    plugin: "plugin";
    project: "project";
    user: "user";
  }>;
  folder: z$1.ZodString;
  sha256: z$1.ZodString;
  allow: z$1.ZodArray<z$1.ZodString>;
  deny: z$1.ZodArray<z$1.ZodString>;
  by: z$1.ZodOptional<z$1.ZodLiteral<"person">>;
  model: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.requested">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.settled">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
  stop: z$1.ZodEnum<{
    aborted: "aborted";
    end: "end";
    error: "error";
    max_tokens: "max_tokens";
    pause: "pause";
    refusal: "refusal";
    tools: "tools";
  }>;
  usage: z$1.ZodObject<{
    input: z$1.ZodNumber;
    output: z$1.ZodNumber;
    cache_read: z$1.ZodNumber;
    cache_write: z$1.ZodNumber;
    reasoning: z$1.ZodOptional<z$1.ZodNumber>;
    searches: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strip>;
  cost_usd: z$1.ZodNullable<z$1.ZodNumber>;
  duration_ms: z$1.ZodNumber;
  request_id: z$1.ZodOptional<z$1.ZodString>;
  failure: z$1.ZodOptional<z$1.ZodObject<{
    code: z$1.ZodEnum<{
      aborted: "aborted";
      broken_shape: "broken_shape";
      budget_exhausted: "budget_exhausted";
      connection_lost: "connection_lost";
      context_exceeded: "context_exceeded";
      crashed: "crashed";
      forbidden: "forbidden";
      invalid_request: "invalid_request";
      missing_credential: "missing_credential";
      no_answer: "no_answer";
      not_checked: "not_checked";
      not_found: "not_found";
      output_exceeded: "output_exceeded";
      overloaded: "overloaded";
      rate_limited: "rate_limited";
      refused: "refused";
      script_mismatch: "script_mismatch";
      server_error: "server_error";
      stream_broken: "stream_broken";
      timed_out: "timed_out";
      unauthorized: "unauthorized";
      unverified: "unverified";
    }>;
    message: z$1.ZodString;
    remedy: z$1.ZodOptional<z$1.ZodString>;
    status: z$1.ZodOptional<z$1.ZodNumber>;
    retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
    retry_at: z$1.ZodOptional<z$1.ZodNumber>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    retry: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.retried">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
  attempt: z$1.ZodNumber;
  delay_ms: z$1.ZodNumber;
  failure: z$1.ZodObject<{
    code: z$1.ZodEnum<{
      aborted: "aborted";
      broken_shape: "broken_shape";
      budget_exhausted: "budget_exhausted";
      connection_lost: "connection_lost";
      context_exceeded: "context_exceeded";
      crashed: "crashed";
      forbidden: "forbidden";
      invalid_request: "invalid_request";
      missing_credential: "missing_credential";
      no_answer: "no_answer";
      not_checked: "not_checked";
      not_found: "not_found";
      output_exceeded: "output_exceeded";
      overloaded: "overloaded";
      rate_limited: "rate_limited";
      refused: "refused";
      script_mismatch: "script_mismatch";
      server_error: "server_error";
      stream_broken: "stream_broken";
      timed_out: "timed_out";
      unauthorized: "unauthorized";
      unverified: "unverified";
    }>;
    message: z$1.ZodString;
    remedy: z$1.ZodOptional<z$1.ZodString>;
    status: z$1.ZodOptional<z$1.ZodNumber>;
    retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
    retry_at: z$1.ZodOptional<z$1.ZodNumber>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    retry: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strip>;
  usage: z$1.ZodObject<{
    input: z$1.ZodNumber;
    output: z$1.ZodNumber;
    cache_read: z$1.ZodNumber;
    cache_write: z$1.ZodNumber;
    reasoning: z$1.ZodOptional<z$1.ZodNumber>;
    searches: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strip>;
  cost_usd: z$1.ZodNullable<z$1.ZodNumber>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.given_up">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
  usage: z$1.ZodObject<{
    input: z$1.ZodNumber;
    output: z$1.ZodNumber;
    cache_read: z$1.ZodNumber;
    cache_write: z$1.ZodNumber;
    reasoning: z$1.ZodOptional<z$1.ZodNumber>;
    searches: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strip>;
  cost_usd: z$1.ZodNullable<z$1.ZodNumber>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.consulted">;
  purpose: z$1.ZodEnum<{
    advice: "advice";
    hook: "hook";
    memory: "memory";
    permission: "permission";
    sampling: "sampling";
    summary: "summary";
  }>;
  call_id: z$1.ZodOptional<z$1.ZodString>;
  model: z$1.ZodString;
  stop: z$1.ZodEnum<{
    aborted: "aborted";
    end: "end";
    error: "error";
    max_tokens: "max_tokens";
    pause: "pause";
    refusal: "refusal";
    tools: "tools";
  }>;
  usage: z$1.ZodObject<{
    input: z$1.ZodNumber;
    output: z$1.ZodNumber;
    cache_read: z$1.ZodNumber;
    cache_write: z$1.ZodNumber;
    reasoning: z$1.ZodOptional<z$1.ZodNumber>;
    searches: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strip>;
  cost_usd: z$1.ZodNullable<z$1.ZodNumber>;
  duration_ms: z$1.ZodNumber;
  advice: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.paused">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
  until: z$1.ZodNumber;
  failure: z$1.ZodObject<{
    code: z$1.ZodEnum<{
      aborted: "aborted";
      broken_shape: "broken_shape";
      budget_exhausted: "budget_exhausted";
      connection_lost: "connection_lost";
      context_exceeded: "context_exceeded";
      crashed: "crashed";
      forbidden: "forbidden";
      invalid_request: "invalid_request";
      missing_credential: "missing_credential";
      no_answer: "no_answer";
      not_checked: "not_checked";
      not_found: "not_found";
      output_exceeded: "output_exceeded";
      overloaded: "overloaded";
      rate_limited: "rate_limited";
      refused: "refused";
      script_mismatch: "script_mismatch";
      server_error: "server_error";
      stream_broken: "stream_broken";
      timed_out: "timed_out";
      unauthorized: "unauthorized";
      unverified: "unverified";
    }>;
    message: z$1.ZodString;
    remedy: z$1.ZodOptional<z$1.ZodString>;
    status: z$1.ZodOptional<z$1.ZodNumber>;
    retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
    retry_at: z$1.ZodOptional<z$1.ZodNumber>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    retry: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strip>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.waiting">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
  until: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.resumed">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.fell_back">;
  turn: z$1.ZodNumber;
  from: z$1.ZodString;
  to: z$1.ZodString;
  failure: z$1.ZodObject<{
    code: z$1.ZodEnum<{
      aborted: "aborted";
      broken_shape: "broken_shape";
      budget_exhausted: "budget_exhausted";
      connection_lost: "connection_lost";
      context_exceeded: "context_exceeded";
      crashed: "crashed";
      forbidden: "forbidden";
      invalid_request: "invalid_request";
      missing_credential: "missing_credential";
      no_answer: "no_answer";
      not_checked: "not_checked";
      not_found: "not_found";
      output_exceeded: "output_exceeded";
      overloaded: "overloaded";
      rate_limited: "rate_limited";
      refused: "refused";
      script_mismatch: "script_mismatch";
      server_error: "server_error";
      stream_broken: "stream_broken";
      timed_out: "timed_out";
      unauthorized: "unauthorized";
      unverified: "unverified";
    }>;
    message: z$1.ZodString;
    remedy: z$1.ZodOptional<z$1.ZodString>;
    status: z$1.ZodOptional<z$1.ZodNumber>;
    retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
    retry_at: z$1.ZodOptional<z$1.ZodNumber>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    retry: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strip>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.conceded">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
  feature: z$1.ZodString;
  back: z$1.ZodBoolean;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"cache.extended">;
  turn: z$1.ZodNumber;
  waits: z$1.ZodNumber;
  median_ms: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.counted">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
  tokens: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.described">;
  turn: z$1.ZodNumber;
  model: z$1.ZodString;
  window: z$1.ZodNumber;
  slots: z$1.ZodOptional<z$1.ZodNumber>;
  trained: z$1.ZodOptional<z$1.ZodNumber>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"budget.warned">;
  scope: z$1.ZodEnum<{
    lease: "lease";
    member: "member";
    team: "team";
  }>;
  unit: z$1.ZodEnum<{
    tokens: "tokens";
    turns: "turns";
    usd: "usd";
  }>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"budget.exhausted">;
  scope: z$1.ZodEnum<{
    lease: "lease";
    member: "member";
    team: "team";
  }>;
  unit: z$1.ZodEnum<{
    minutes: "minutes";
    tokens: "tokens";
    turns: "turns";
    usd: "usd";
  }>;
  last: z$1.ZodBoolean;
  aside: z$1.ZodOptional<z$1.ZodEnum<{
    advice: "advice";
    escalation: "escalation";
    hook: "hook";
    memory: "memory";
    permission: "permission";
    sampling: "sampling";
    summary: "summary";
  }>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"turn.continued">;
  turn: z$1.ZodNumber;
  reason: z$1.ZodEnum<{
    auto_compact: "auto_compact";
    budget_continuation: "budget_continuation";
    escalated: "escalated";
    mail: "mail";
    max_output_tokens_recovery: "max_output_tokens_recovery";
    model_fallback: "model_fallback";
    next_turn: "next_turn";
    no_answer: "no_answer";
    reactive_compact_retry: "reactive_compact_retry";
    steered: "steered";
    stop_hook_blocking: "stop_hook_blocking";
    verify_failed: "verify_failed";
    wind_down: "wind_down";
  }>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"call.started">;
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"permission.requested">;
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  request: z$1.ZodString;
  decision: z$1.ZodObject<{
    behavior: z$1.ZodEnum<{
      allow: "allow";
      ask: "ask";
      deny: "deny";
    }>;
    source: z$1.ZodEnum<{
      bounds: "bounds";
      classifier: "classifier";
      cliArg: "cliArg";
      hook: "hook";
      human: "human";
      local: "local";
      mode: "mode";
      nobody: "nobody";
      policy: "policy";
      project: "project";
      session: "session";
      user: "user";
    }>;
    rule: z$1.ZodOptional<z$1.ZodString>;
    at: z$1.ZodOptional<z$1.ZodString>;
    of: z$1.ZodOptional<z$1.ZodString>;
    reason: z$1.ZodString;
    path: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>;
  deadline: z$1.ZodNullable<z$1.ZodNumber>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"permission.decided">;
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  decision: z$1.ZodObject<{
    behavior: z$1.ZodEnum<{
      allow: "allow";
      ask: "ask";
      deny: "deny";
    }>;
    source: z$1.ZodEnum<{
      bounds: "bounds";
      classifier: "classifier";
      cliArg: "cliArg";
      hook: "hook";
      human: "human";
      local: "local";
      mode: "mode";
      nobody: "nobody";
      policy: "policy";
      project: "project";
      session: "session";
      user: "user";
    }>;
    rule: z$1.ZodOptional<z$1.ZodString>;
    at: z$1.ZodOptional<z$1.ZodString>;
    of: z$1.ZodOptional<z$1.ZodString>;
    reason: z$1.ZodString;
    path: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>;
  asked: z$1.ZodOptional<z$1.ZodObject<{
    behavior: z$1.ZodEnum<{
      allow: "allow";
      ask: "ask";
      deny: "deny";
    }>;
    source: z$1.ZodEnum<{
      bounds: "bounds";
      classifier: "classifier";
      cliArg: "cliArg";
      hook: "hook";
      human: "human";
      local: "local";
      mode: "mode";
      nobody: "nobody";
      policy: "policy";
      project: "project";
      session: "session";
      user: "user";
    }>;
    rule: z$1.ZodOptional<z$1.ZodString>;
    at: z$1.ZodOptional<z$1.ZodString>;
    of: z$1.ZodOptional<z$1.ZodString>;
    reason: z$1.ZodString;
    path: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>>;
  request: z$1.ZodOptional<z$1.ZodString>;
  by: z$1.ZodOptional<z$1.ZodString>;
  updated_input: z$1.ZodOptional<z$1.ZodUnknown>;
}, z$1.core.$strip>, z$1.ZodObject<{
  is_error: z$1.ZodBoolean;
  exit: z$1.ZodOptional<z$1.ZodObject<{
    code: z$1.ZodNumber;
    failed: z$1.ZodBoolean;
  }, z$1.core.$strip>>;
  skipped: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  type: z$1.ZodLiteral<"call.finished">;
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  duration_ms: z$1.ZodNumber;
  stored: z$1.ZodOptional<z$1.ZodObject<{
    sha256: z$1.ZodString;
    chars: z$1.ZodNumber;
  }, z$1.core.$strip>>;
  file: z$1.ZodOptional<z$1.ZodObject<{
    path: z$1.ZodString;
    sha256: z$1.ZodString;
    wrote: z$1.ZodBoolean;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  type: z$1.ZodLiteral<"call.coerced">;
  changes: z$1.ZodArray<z$1.ZodObject<{
    field: z$1.ZodString;
    from: z$1.ZodString;
    to: z$1.ZodString;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  type: z$1.ZodLiteral<"call.refused">;
  why: z$1.ZodEnum<{
    deferred: "deferred";
    hook: "hook";
    malformed: "malformed";
    meaning: "meaning";
    middleware: "middleware";
    shape: "shape";
    unknown: "unknown";
  }>;
  reason: z$1.ZodString;
  by: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  type: z$1.ZodLiteral<"call.retried">;
  attempt: z$1.ZodNumber;
  delay_ms: z$1.ZodNumber;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  type: z$1.ZodLiteral<"call.reused">;
  of: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  call_id: z$1.ZodString;
  tool: z$1.ZodString;
  type: z$1.ZodLiteral<"call.limited">;
  limit: z$1.ZodNumber;
  then: z$1.ZodEnum<{
    block: "block";
    steer: "steer";
  }>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"turn.overflowed">;
  turn: z$1.ZodNumber;
  chars: z$1.ZodNumber;
  limit: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  call_id: z$1.ZodString;
  command: z$1.ZodString;
  type: z$1.ZodLiteral<"verify.started">;
}, z$1.core.$strip>, z$1.ZodObject<{
  call_id: z$1.ZodString;
  command: z$1.ZodString;
  type: z$1.ZodLiteral<"verify.settled">;
  after: z$1.ZodEnum<{
    change: "change";
    end: "end";
  }>;
  verdict: z$1.ZodEnum<{
    failed: "failed";
    not_run: "not_run";
    passed: "passed";
  }>;
  duration_ms: z$1.ZodNumber;
  reason: z$1.ZodOptional<z$1.ZodString>;
  why: z$1.ZodOptional<z$1.ZodEnum<{
    denied: "denied";
    not_started: "not_started";
  }>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"model.escalated">;
  turn: z$1.ZodNumber;
  from: z$1.ZodString;
  to: z$1.ZodString;
  trigger: z$1.ZodEnum<{
    errors: "errors";
    loop: "loop";
    marker: "marker";
    task: "task";
  }>;
  reason: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"plan.entered">;
  call_id: z$1.ZodString;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"plan.approved">;
  call_id: z$1.ZodString;
  plan: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"todos.changed">;
  call_id: z$1.ZodString;
  todos: z$1.ZodArray<z$1.ZodObject<{
    content: z$1.ZodString;
    status: z$1.ZodEnum<{
      completed: "completed";
      in_progress: "in_progress";
      pending: "pending";
    }>;
    activeForm: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"agent.parked">;
  turn: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"agent.ended">;
  turn: z$1.ZodNumber;
  reason: z$1.ZodEnum<{
    aborted_streaming: "aborted_streaming";
    aborted_tools: "aborted_tools";
    budget_exhausted: "budget_exhausted";
    completed: "completed";
    cut: "cut";
    diminishing_returns: "diminishing_returns";
    failed: "failed";
    loop_detected: "loop_detected";
    max_turns: "max_turns";
    no_answer: "no_answer";
    prompt_too_long: "prompt_too_long";
    stop_hook_prevented: "stop_hook_prevented";
    verified: "verified";
  }>;
  failure: z$1.ZodOptional<z$1.ZodObject<{
    code: z$1.ZodEnum<{
      aborted: "aborted";
      broken_shape: "broken_shape";
      budget_exhausted: "budget_exhausted";
      connection_lost: "connection_lost";
      context_exceeded: "context_exceeded";
      crashed: "crashed";
      forbidden: "forbidden";
      invalid_request: "invalid_request";
      missing_credential: "missing_credential";
      no_answer: "no_answer";
      not_checked: "not_checked";
      not_found: "not_found";
      output_exceeded: "output_exceeded";
      overloaded: "overloaded";
      rate_limited: "rate_limited";
      refused: "refused";
      script_mismatch: "script_mismatch";
      server_error: "server_error";
      stream_broken: "stream_broken";
      timed_out: "timed_out";
      unauthorized: "unauthorized";
      unverified: "unverified";
    }>;
    message: z$1.ZodString;
    remedy: z$1.ZodOptional<z$1.ZodString>;
    status: z$1.ZodOptional<z$1.ZodNumber>;
    retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
    retry_at: z$1.ZodOptional<z$1.ZodNumber>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    retry: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"mail.sent">;
  envelope: z$1.ZodObject<{
    v: z$1.ZodLiteral<1>;
    id: z$1.ZodString;
    key: z$1.ZodString;
    from: z$1.ZodUnion<readonly [z$1.ZodCustom<`${string}@${string}`, `${string}@${string}`>, z$1.ZodLiteral<"user">]>;
    sender: z$1.ZodString;
    seq: z$1.ZodNumber;
    to: z$1.ZodCustom<`${string}@${string}`, `${string}@${string}`>;
    incarnation: z$1.ZodOptional<z$1.ZodString>;
    kind: z$1.ZodEnum<{
      answer: "answer";
      control: "control";
      question: "question";
      result: "result";
      shutdown: "shutdown";
      task: "task";
      text: "text";
    }>;
    priority: z$1.ZodEnum<{
      interrupt: "interrupt";
      normal: "normal";
    }>;
    reply_to: z$1.ZodOptional<z$1.ZodString>;
    request: z$1.ZodOptional<z$1.ZodString>;
    chain: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    deadline: z$1.ZodOptional<z$1.ZodNumber>;
    status: z$1.ZodOptional<z$1.ZodEnum<{
      cancelled: "cancelled";
      done: "done";
      failed: "failed";
    }>>;
    amends: z$1.ZodOptional<z$1.ZodLiteral<true>>;
    returns: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
    restrictions: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      of: z$1.ZodString;
      deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      mode: z$1.ZodOptional<z$1.ZodEnum<{
        acceptEdits: "acceptEdits";
        bypassPermissions: "bypassPermissions";
        default: "default";
        dontAsk: "dontAsk";
        plan: "plan";
      }>>;
      plan: z$1.ZodOptional<z$1.ZodLiteral<true>>;
    }, z$1.core.$strip>>>;
    body: z$1.ZodString;
    artifact: z$1.ZodOptional<z$1.ZodObject<{
      sha256: z$1.ZodString;
      bytes: z$1.ZodNumber;
    }, z$1.core.$strip>>;
    attachments: z$1.ZodOptional<z$1.ZodString>;
    traceparent: z$1.ZodOptional<z$1.ZodString>;
    sent_at: z$1.ZodNumber;
    mac: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"mail.received">;
  envelope: z$1.ZodObject<{
    v: z$1.ZodLiteral<1>;
    id: z$1.ZodString;
    key: z$1.ZodString;
    from: z$1.ZodUnion<readonly [z$1.ZodCustom<`${string}@${string}`, `${string}@${string}`>, z$1.ZodLiteral<"user">]>;
    sender: z$1.ZodString;
    seq: z$1.ZodNumber;
    to: z$1.ZodCustom<`${string}@${string}`, `${string}@${string}`>;
    incarnation: z$1.ZodOptional<z$1.ZodString>;
    kind: z$1.ZodEnum<{
      answer: "answer";
      control: "control";
      question: "question";
      result: "result";
      shutdown: "shutdown";
      task: "task";
      text: "text";
    }>;
    priority: z$1.ZodEnum<{
      interrupt: "interrupt";
      normal: "normal";
    }>;
    reply_to: z$1.ZodOptional<z$1.ZodString>;
    request: z$1.ZodOptional<z$1.ZodString>;
    chain: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    deadline: z$1.ZodOptional<z$1.ZodNumber>;
    status: z$1.ZodOptional<z$1.ZodEnum<{
      cancelled: "cancelled";
      done: "done";
      failed: "failed";
    }>>;
    amends: z$1.ZodOptional<z$1.ZodLiteral<true>>;
    returns: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
    restrictions: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      of: z$1.ZodString;
      deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      mode: z$1.ZodOptional<z$1.ZodEnum<{
        acceptEdits: "acceptEdits";
        bypassPermissions: "bypassPermissions";
        default: "default";
        dontAsk: "dontAsk";
        plan: "plan";
      }>>;
      plan: z$1.ZodOptional<z$1.ZodLiteral<true>>;
    }, z$1.core.$strip>>>;
    body: z$1.ZodString;
    artifact: z$1.ZodOptional<z$1.ZodObject<{
      sha256: z$1.ZodString;
      bytes: z$1.ZodNumber;
    }, z$1.core.$strip>>;
    attachments: z$1.ZodOptional<z$1.ZodString>;
    traceparent: z$1.ZodOptional<z$1.ZodString>;
    sent_at: z$1.ZodNumber;
    mac: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>;
  confirm: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  shown: z$1.ZodOptional<z$1.ZodObject<{
    chars: z$1.ZodNumber;
    path: z$1.ZodString;
  }, z$1.core.$strip>>;
  attached: z$1.ZodOptional<z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
    type: z$1.ZodLiteral<"image">;
    media_type: z$1.ZodString;
    data: z$1.ZodString;
  }, z$1.core.$strip>, z$1.ZodObject<{
    type: z$1.ZodLiteral<"document">;
    media_type: z$1.ZodLiteral<"application/pdf">;
    name: z$1.ZodString;
    data: z$1.ZodString;
    text: z$1.ZodString;
  }, z$1.core.$strip>], "type">>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"mail.handled">;
  mail_id: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"mail.died">;
  file: z$1.ZodString;
  mail_id: z$1.ZodOptional<z$1.ZodString>;
  reason: z$1.ZodString;
  kind: z$1.ZodOptional<z$1.ZodEnum<{
    answer: "answer";
    control: "control";
    question: "question";
    result: "result";
    shutdown: "shutdown";
    task: "task";
    text: "text";
  }>>;
  from: z$1.ZodOptional<z$1.ZodString>;
  attempts: z$1.ZodOptional<z$1.ZodNumber>;
  left: z$1.ZodOptional<z$1.ZodLiteral<true>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.started">;
  incarnation: z$1.ZodString;
  executor: z$1.ZodString;
  pid: z$1.ZodNumber;
  policy: z$1.ZodOptional<z$1.ZodString>;
  prompt: z$1.ZodOptional<z$1.ZodObject<{
    fingerprint: z$1.ZodString;
    sections: z$1.ZodArray<z$1.ZodObject<{
      name: z$1.ZodString;
      zone: z$1.ZodEnum<{
        cached: "cached";
        volatile: "volatile";
      }>;
      sha256: z$1.ZodString;
      chars: z$1.ZodNumber;
    }, z$1.core.$strip>>;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.renewed">;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.woke">;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.idled">;
  reason: z$1.ZodOptional<z$1.ZodEnum<{
    nothing_to_do: "nothing_to_do";
    waiting_for_answer: "waiting_for_answer";
    waiting_for_results: "waiting_for_results";
  }>>;
  waiting_for: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.replied">;
  request: z$1.ZodString;
  mail_id: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.waits">;
  wait: z$1.ZodString;
  for: z$1.ZodString;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.reported">;
  request: z$1.ZodOptional<z$1.ZodString>;
  text: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  refused: z$1.ZodOptional<z$1.ZodString>;
  mail_id: z$1.ZodOptional<z$1.ZodString>;
  type: z$1.ZodLiteral<"model.chosen">;
  model: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  refused: z$1.ZodOptional<z$1.ZodString>;
  mail_id: z$1.ZodOptional<z$1.ZodString>;
  type: z$1.ZodLiteral<"mode.chosen">;
  mode: z$1.ZodEnum<{
    acceptEdits: "acceptEdits";
    bypassPermissions: "bypassPermissions";
    default: "default";
    dontAsk: "dontAsk";
    plan: "plan";
  }>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.drained">;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.gone">;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"team.started">;
  run: z$1.ZodString;
  team: z$1.ZodString;
  hash: z$1.ZodString;
  task: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"team.resumed">;
  pid: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"team.changed">;
  hash: z$1.ZodString;
  changes: z$1.ZodArray<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"team.reopened">;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"executor.chosen">;
  executor: z$1.ZodString;
  members: z$1.ZodArray<z$1.ZodString>;
  why: z$1.ZodString;
  look: z$1.ZodNullable<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"worktree.opened">;
  member: z$1.ZodString;
  tree: z$1.ZodString;
  branch: z$1.ZodString;
  base: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"worktree.closed">;
  member: z$1.ZodString;
  tree: z$1.ZodString;
  branch: z$1.ZodString;
  kept: z$1.ZodBoolean;
  dirty: z$1.ZodNumber;
  unmerged: z$1.ZodNumber;
  branches: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.spawned">;
  member: z$1.ZodString;
  attempt: z$1.ZodNumber;
  depth: z$1.ZodOptional<z$1.ZodNumber>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.refused">;
  member: z$1.ZodString;
  limit: z$1.ZodEnum<{
    agents: "agents";
    budget: "budget";
    depth: "depth";
    rate: "rate";
  }>;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.crashed">;
  member: z$1.ZodString;
  error: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.lost">;
  member: z$1.ZodString;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.hung">;
  member: z$1.ZodString;
  last: z$1.ZodString;
  silent_ms: z$1.ZodNumber;
  stirred_ms: z$1.ZodOptional<z$1.ZodNumber>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.restarted">;
  member: z$1.ZodString;
  by: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"stop.asked">;
  member: z$1.ZodString;
  by: z$1.ZodString;
  reason: z$1.ZodString;
  until: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"stop.refused">;
  member: z$1.ZodString;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"member.stopped">;
  member: z$1.ZodString;
  by: z$1.ZodString;
  reason: z$1.ZodString;
  forced: z$1.ZodOptional<z$1.ZodLiteral<true>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"budget.leased">;
  member: z$1.ZodString;
  lease: z$1.ZodObject<{
    usd: z$1.ZodNullable<z$1.ZodNumber>;
    tokens: z$1.ZodNullable<z$1.ZodNumber>;
    turns: z$1.ZodNullable<z$1.ZodNumber>;
    rests: z$1.ZodNumber;
  }, z$1.core.$strip>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"budget.returned">;
  member: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"request.held">;
  request: z$1.ZodString;
  worker: z$1.ZodString;
  task: z$1.ZodString;
  depends_on: z$1.ZodArray<z$1.ZodString>;
  limit_ms: z$1.ZodNullable<z$1.ZodNumber>;
  returns: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
  key: z$1.ZodOptional<z$1.ZodString>;
  restrictions: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    of: z$1.ZodString;
    deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    mode: z$1.ZodOptional<z$1.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    plan: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  }, z$1.core.$strip>>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"request.opened">;
  request: z$1.ZodString;
  worker: z$1.ZodString;
  task: z$1.ZodString;
  mail_id: z$1.ZodString;
  attempt: z$1.ZodNumber;
  deadline: z$1.ZodNullable<z$1.ZodNumber>;
  returns: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
  instead_of: z$1.ZodOptional<z$1.ZodObject<{
    worker: z$1.ZodString;
    reason: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"request.settled">;
  request: z$1.ZodString;
  worker: z$1.ZodString;
  status: z$1.ZodEnum<{
    cancelled: "cancelled";
    done: "done";
    failed: "failed";
    timed_out: "timed_out";
  }>;
  reason: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"gather.opened">;
  deadline: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"gather.settled">;
  why: z$1.ZodEnum<{
    all: "all";
    any: "any";
    failed: "failed";
    progressive: "progressive";
    quorum: "quorum";
    timeout: "timeout";
  }>;
  reason: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"coordinator.moved">;
  state: z$1.ZodString;
  tools: z$1.ZodArray<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"lead.nudged">;
  open: z$1.ZodArray<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"team.ended">;
  status: z$1.ZodEnum<{
    aborted: "aborted";
    budget: "budget";
    completed: "completed";
    failed: "failed";
    permission: "permission";
  }>;
  reason: z$1.ZodString;
  result: z$1.ZodNullable<z$1.ZodString>;
  afterwards: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"task.created">;
  task: z$1.ZodNumber;
  subject: z$1.ZodString;
  description: z$1.ZodOptional<z$1.ZodString>;
  blocked_by: z$1.ZodArray<z$1.ZodNumber>;
  author: z$1.ZodString;
  mail_id: z$1.ZodString;
  restrictions: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    of: z$1.ZodString;
    deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    mode: z$1.ZodOptional<z$1.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    plan: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  }, z$1.core.$strip>>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"task.opened">;
  task: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"task.claimed">;
  task: z$1.ZodNumber;
  by: z$1.ZodString;
  epoch: z$1.ZodNumber;
  until: z$1.ZodNumber;
  mail_id: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"task.released">;
  task: z$1.ZodNumber;
  by: z$1.ZodString;
  epoch: z$1.ZodNumber;
  reason: z$1.ZodString;
  mail_id: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"task.submitted">;
  task: z$1.ZodNumber;
  by: z$1.ZodString;
  evidence: z$1.ZodArray<z$1.ZodUnion<readonly [z$1.ZodObject<{
    command: z$1.ZodString;
    exit_code: z$1.ZodNumber;
  }, z$1.core.$strict>, z$1.ZodObject<{
    file: z$1.ZodString;
    sha256: z$1.ZodString;
  }, z$1.core.$strict>, z$1.ZodObject<{
    check: z$1.ZodString;
  }, z$1.core.$strict>]>>;
  mail_id: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"task.finished">;
  task: z$1.ZodNumber;
  by: z$1.ZodString;
  status: z$1.ZodEnum<{
    cancelled: "cancelled";
    done: "done";
    failed: "failed";
  }>;
  reason: z$1.ZodOptional<z$1.ZodString>;
  evidence: z$1.ZodOptional<z$1.ZodArray<z$1.ZodUnion<readonly [z$1.ZodObject<{
    command: z$1.ZodString;
    exit_code: z$1.ZodNumber;
  }, z$1.core.$strict>, z$1.ZodObject<{
    file: z$1.ZodString;
    sha256: z$1.ZodString;
  }, z$1.core.$strict>, z$1.ZodObject<{
    check: z$1.ZodString;
  }, z$1.core.$strict>]>>>;
  confirmed_by: z$1.ZodOptional<z$1.ZodString>;
  mail_id: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"task.refused">;
  task: z$1.ZodOptional<z$1.ZodNumber>;
  mail_id: z$1.ZodString;
  reason: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"breaker.opened">;
  provider: z$1.ZodString;
  failures: z$1.ZodNumber;
  until: z$1.ZodNumber;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"breaker.closed">;
  provider: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"hook.ran">;
  event: z$1.ZodEnum<{
    BudgetThreshold: "BudgetThreshold";
    ConfigChange: "ConfigChange";
    CwdChanged: "CwdChanged";
    DirectoryAdded: "DirectoryAdded";
    Elicitation: "Elicitation";
    ElicitationResult: "ElicitationResult";
    FileChanged: "FileChanged";
    GatherDone: "GatherDone";
    InstructionsLoaded: "InstructionsLoaded";
    MessageDead: "MessageDead";
    MessageDeliver: "MessageDeliver";
    MessageDisplay: "MessageDisplay";
    MessageSend: "MessageSend";
    Notification: "Notification";
    PermissionDenied: "PermissionDenied";
    PermissionRequest: "PermissionRequest";
    PostCompact: "PostCompact";
    PostToolBatch: "PostToolBatch";
    PostToolUse: "PostToolUse";
    PostToolUseFailure: "PostToolUseFailure";
    PreCompact: "PreCompact";
    PreToolUse: "PreToolUse";
    RunEnd: "RunEnd";
    SessionEnd: "SessionEnd";
    SessionStart: "SessionStart";
    Setup: "Setup";
    Stop: "Stop";
    StopFailure: "StopFailure";
    SubagentStart: "SubagentStart";
    SubagentStop: "SubagentStop";
    TaskCompleted: "TaskCompleted";
    TaskCreated: "TaskCreated";
    TeammateIdle: "TeammateIdle";
    UserPromptExpansion: "UserPromptExpansion";
    UserPromptSubmit: "UserPromptSubmit";
    WorkerExit: "WorkerExit";
    WorkerSpawn: "WorkerSpawn";
    WorktreeCreate: "WorktreeCreate";
    WorktreeRemove: "WorktreeRemove";
  }>;
  hook: z$1.ZodString;
  source: z$1.ZodString;
  outcome: z$1.ZodEnum<{
    blocking: "blocking";
    cancelled: "cancelled";
    error: "error";
    success: "success";
  }>;
  duration_ms: z$1.ZodNumber;
  call_id: z$1.ZodOptional<z$1.ZodString>;
  updated_input: z$1.ZodOptional<z$1.ZodUnknown>;
  message: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"event.dropped">;
  actor: z$1.ZodString;
  event: z$1.ZodString;
  state: z$1.ZodString;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"mcp.changed">;
  server: z$1.ZodString;
  state: z$1.ZodEnum<{
    connected: "connected";
    disabled: "disabled";
    failed: "failed";
    "needs-auth": "needs-auth";
    pending: "pending";
  }>;
  tools: z$1.ZodNumber;
  reason: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"settings.changed">;
  files: z$1.ZodArray<z$1.ZodString>;
}, z$1.core.$strip>, z$1.ZodObject<{
  type: z$1.ZodLiteral<"warning.raised">;
  code: z$1.ZodString;
  message: z$1.ZodString;
}, z$1.core.$strip>], "type">;
type Fact = z$1.infer<typeof factSchema>;
declare const journalVersion = 1;
interface Frame {
  readonly v: typeof journalVersion;
  readonly seq: number;
  readonly id: string;
  readonly parent: string | null;
  readonly at: number;
  /**
   * In the team's journal: the numbers of the last entries of the members' journals that the leader had heard, where they have
   * changed since the line before. Clocks do not tell that order.
   */
  readonly heard?: Heard;
}
/** The number of an entry, by the owner of its journal. */
type Heard = Readonly<Record<string, number>>;
/**
 * The first line of a journal and of each later segment: whose it is, of which team, under which contract (A61). An agent without
 * a team has no run, team or leader.
 */
declare const headerSchema: z$1.ZodObject<{
  type: z$1.ZodLiteral<"journal.opened">;
  spec: z$1.ZodLiteral<1 | 2>;
  run: z$1.ZodOptional<z$1.ZodString>;
  team: z$1.ZodOptional<z$1.ZodString>;
  owner: z$1.ZodString;
  leader: z$1.ZodOptional<z$1.ZodString>;
  after: z$1.ZodOptional<z$1.ZodNumber>;
}, z$1.core.$strip>;
type JournalHeader = z$1.infer<typeof headerSchema>;
/** One line of a journal. */
type Entry = Frame & (Fact | JournalHeader);
/** An entry with the journal it came from: what the leader's folds and every screen read. */
interface Recorded {
  /** Member name, or `team`. */
  readonly owner: string;
  readonly entry: Entry;
}
/** The version of the envelope around each event. */
declare const eventVersion = 1;
/** The envelope of an event, the same for a lone agent, a member of a team and the team itself. */
interface EventFrame {
  readonly v: typeof eventVersion;
  /**
   * Rises from event to event of one stream. In the stream of a run each fact has the next number, and a live event has
   * the number of the fact before it; a lone agent numbers all events.
   */
  readonly seq: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `<team>-<ulid>`; of a lone agent the id of the first entry of the run in its journal. */
  readonly run: string;
  /** The member that the event is about; `team` for the team itself. */
  readonly member: string;
  /** The latest model call of the member; 0 before its first one. */
  readonly turn: number;
  /** Starts between the coordinator, or the lone agent, and this member. */
  readonly depth: number;
}
/** A line that a journal has for good. Every fact comes, in the order of its journal, and none is left out. */
interface FactEvent {
  readonly type: 'fact';
  readonly fact: Entry;
}
/**
 * Events for the caller of `agent.run()`, in order, each in the envelope that events of a team have, too. Every fact of the
 * agent's journal comes as `fact`: retries, compactions, waits for a permission, the budget, an escalation; those that a caller
 * mostly wants follow once more in a form of their own. Deltas and progress are coalesced when the caller is slow, and left
 * out when it is far behind; for every other event the agent waits. An agent that works for this one speaks with a `depth`
 * above 0.
 */
type AgentEvent = EventFrame & AgentNews;
/** An event without its envelope. */
type AgentNews = FactEvent | {
  readonly type: 'request.start';
  readonly model: string;
} | {
  readonly type: 'text.delta';
  readonly text: string;
} | {
  readonly type: 'thinking.delta';
  readonly text: string;
} |
/** The deltas of this turn so far are void: the model is asked again. */
{
  readonly type: 'text.reset';
} | {
  readonly type: 'tool.dispatch';
  readonly call_id: string;
  readonly tool: string;
  readonly input: unknown;
} | {
  readonly type: 'tool.progress';
  readonly call_id: string;
  readonly text: string;
  /** Characters before this text that a slow reader did not get. */
  readonly left_out?: number;
} |
/** So many events were left out here: deltas for a reader far behind, or anything while nobody read. */
{
  readonly type: 'dropped';
  readonly count: number;
} | {
  readonly type: 'tool.result';
  readonly result: ToolResult;
} | {
  readonly type: 'turn.continued';
  readonly reason: ContinueReason;
} | {
  readonly type: 'complete';
  readonly reason: TerminalReason;
  readonly text: string;
  readonly usage: Usage;
} | {
  readonly type: 'error';
  readonly failure: Failure;
};
/** Hooks as people write them in settings: events, groups with a matcher, and in each the hooks themselves. */
/** Every event of Claude Code, then those that only Troupe has. */
declare const hookEvents: readonly ['SessionStart', 'Setup', 'InstructionsLoaded', 'UserPromptSubmit', 'UserPromptExpansion', 'MessageDisplay', 'PreToolUse', 'PermissionRequest', 'PermissionDenied', 'PostToolUse', 'PostToolUseFailure', 'PostToolBatch', 'Notification', 'SubagentStart', 'SubagentStop', 'TaskCreated', 'TaskCompleted', 'Stop', 'StopFailure', 'TeammateIdle', 'ConfigChange', 'CwdChanged', 'DirectoryAdded', 'FileChanged', 'WorktreeCreate', 'WorktreeRemove', 'PreCompact', 'PostCompact', 'SessionEnd', 'Elicitation', 'ElicitationResult', 'MessageSend', 'MessageDeliver', 'MessageDead', 'WorkerSpawn', 'WorkerExit', 'GatherDone', 'BudgetThreshold', 'RunEnd'];
type HookEvent = (typeof hookEvents)[number];
declare const shared: {
  /** One permission rule; a hook whose rule does not match the call is not started. */
  readonly if: z$1.ZodOptional<z$1.ZodString>;
  /** Seconds. */
  readonly timeout: z$1.ZodOptional<z$1.ZodNumber>;
  readonly statusMessage: z$1.ZodOptional<z$1.ZodString>;
  readonly once: z$1.ZodOptional<z$1.ZodBoolean>;
  /** The hook is not waited for, and its answer decides nothing. */
  readonly async: z$1.ZodOptional<z$1.ZodBoolean>;
  /** A failure's meaning: `deny` stops what it was asked about, `open` lets it pass with a notice. */
  readonly on_failure: z$1.ZodOptional<z$1.ZodEnum<{
    deny: "deny";
    open: "open";
  }>>;
};
declare const commandHookSchema: z$1.ZodObject<{
  if: z$1.ZodOptional<z$1.ZodString>;
  timeout: z$1.ZodOptional<z$1.ZodNumber>;
  statusMessage: z$1.ZodOptional<z$1.ZodString>;
  once: z$1.ZodOptional<z$1.ZodBoolean>;
  async: z$1.ZodOptional<z$1.ZodBoolean>;
  on_failure: z$1.ZodOptional<z$1.ZodEnum<{
    deny: "deny";
    open: "open";
  }>>;
  type: z$1.ZodLiteral<"command">;
  command: z$1.ZodString;
  args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  asyncRewake: z$1.ZodOptional<z$1.ZodBoolean>;
  shell: z$1.ZodOptional<z$1.ZodEnum<{
    bash: "bash";
    powershell: "powershell";
    sh: "sh";
  }>>;
}, z$1.core.$strip>;
/** Every kind that people write. */
declare const hookSpecSchema: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
  if: z$1.ZodOptional<z$1.ZodString>;
  timeout: z$1.ZodOptional<z$1.ZodNumber>;
  statusMessage: z$1.ZodOptional<z$1.ZodString>;
  once: z$1.ZodOptional<z$1.ZodBoolean>;
  async: z$1.ZodOptional<z$1.ZodBoolean>;
  on_failure: z$1.ZodOptional<z$1.ZodEnum<{
    deny: "deny";
    open: "open";
  }>>;
  type: z$1.ZodLiteral<"command">;
  command: z$1.ZodString;
  args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  asyncRewake: z$1.ZodOptional<z$1.ZodBoolean>;
  shell: z$1.ZodOptional<z$1.ZodEnum<{
    bash: "bash";
    powershell: "powershell";
    sh: "sh";
  }>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  if: z$1.ZodOptional<z$1.ZodString>;
  timeout: z$1.ZodOptional<z$1.ZodNumber>;
  statusMessage: z$1.ZodOptional<z$1.ZodString>;
  once: z$1.ZodOptional<z$1.ZodBoolean>;
  async: z$1.ZodOptional<z$1.ZodBoolean>;
  on_failure: z$1.ZodOptional<z$1.ZodEnum<{
    deny: "deny";
    open: "open";
  }>>;
  type: z$1.ZodLiteral<"http">;
  url: z$1.ZodString;
  headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
  allowedEnvVars: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
}, z$1.core.$strip>, z$1.ZodObject<{
  if: z$1.ZodOptional<z$1.ZodString>;
  timeout: z$1.ZodOptional<z$1.ZodNumber>;
  statusMessage: z$1.ZodOptional<z$1.ZodString>;
  once: z$1.ZodOptional<z$1.ZodBoolean>;
  async: z$1.ZodOptional<z$1.ZodBoolean>;
  on_failure: z$1.ZodOptional<z$1.ZodEnum<{
    deny: "deny";
    open: "open";
  }>>;
  prompt: z$1.ZodString;
  model: z$1.ZodOptional<z$1.ZodString>;
  type: z$1.ZodLiteral<"prompt">;
  continueOnBlock: z$1.ZodOptional<z$1.ZodBoolean>;
}, z$1.core.$strip>, z$1.ZodObject<{
  if: z$1.ZodOptional<z$1.ZodString>;
  timeout: z$1.ZodOptional<z$1.ZodNumber>;
  statusMessage: z$1.ZodOptional<z$1.ZodString>;
  once: z$1.ZodOptional<z$1.ZodBoolean>;
  async: z$1.ZodOptional<z$1.ZodBoolean>;
  on_failure: z$1.ZodOptional<z$1.ZodEnum<{
    deny: "deny";
    open: "open";
  }>>;
  prompt: z$1.ZodString;
  model: z$1.ZodOptional<z$1.ZodString>;
  type: z$1.ZodLiteral<"agent">;
}, z$1.core.$strip>, z$1.ZodObject<{
  if: z$1.ZodOptional<z$1.ZodString>;
  timeout: z$1.ZodOptional<z$1.ZodNumber>;
  statusMessage: z$1.ZodOptional<z$1.ZodString>;
  once: z$1.ZodOptional<z$1.ZodBoolean>;
  async: z$1.ZodOptional<z$1.ZodBoolean>;
  on_failure: z$1.ZodOptional<z$1.ZodEnum<{
    deny: "deny";
    open: "open";
  }>>;
  type: z$1.ZodLiteral<"mcp_tool">;
  server: z$1.ZodString;
  tool: z$1.ZodString;
  input: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
}, z$1.core.$strip>], "type">;
type CommandHook = z$1.infer<typeof commandHookSchema>;
/** A hook as people write it in files. */
type WrittenHook = z$1.infer<typeof hookSpecSchema>;
/** The JSON that a hook reads: the fields of every event, then those of its own. */
type HookInput = Readonly<Record<string, unknown>> & {
  readonly hook_event_name: HookEvent;
};
/** A hook that a program brings along: the answer is the object that a command would print, or nothing. */
interface FunctionHook extends Pick<CommandHook, keyof typeof shared> {
  readonly type: 'function';
  /** For journals and screens; the function's own name by default. */
  readonly name?: string;
  readonly run: (input: HookInput, signal: AbortSignal) => unknown;
}
type HookSpec = WrittenHook | FunctionHook;
/**
 * Hooks of a program, in the form of the settings, with functions beside the other kinds:
 * `{ PreToolUse: [{ matcher: 'Bash', hooks: [{ type: 'function', run: (input) => ({ decision: 'block' }) }] }] }`
 */
type HookTable = { readonly [Event in HookEvent]?: readonly {
  readonly matcher?: string;
  readonly hooks: readonly HookSpec[];
}[]; };
/** The opinion of hooks that a call carries to the rules; a denial has ended the call before. */
interface HookOpinion {
  readonly behavior: 'ask' | 'allow';
  readonly reason: string;
}
/** Why a call was turned back before its tool ran: `limit` and a denied permission have facts of their own. */
declare const refusalKinds: readonly ['unknown', 'malformed', 'shape', 'meaning', 'hook', 'middleware', 'deferred'];
type RefusalKind = (typeof refusalKinds)[number];
/** An argument that was not of the declared type and could be read as if it were. */
declare const coercionSchema: z$1.ZodObject<{
  field: z$1.ZodString;
  from: z$1.ZodString;
  to: z$1.ZodString;
}, z$1.core.$strip>;
type Coercion = z$1.infer<typeof coercionSchema>;
/**
 * Files as tools see them. This machine's disk is one backend; a container or another machine may stand behind the
 * same interface. Nothing here throws: what goes wrong is a `FileTrouble` in words for the model.
 *
 * `led` is where the path really led when permission was given. A backend opens first and then compares, so that
 * nothing can be swapped between the permission and the use.
 */
interface Filesystem {
  /** Set where the files are not those of this machine. `command`: the words before a program that runs beside them; null for none. */
  readonly elsewhere?: {
    readonly command: readonly [string, ...string[]] | null;
  };
  /** Opens a regular file for reading, never waiting on pipes or devices. The caller closes it. */
  open(path: string, led?: string): Promise<OpenFile | FileTrouble>;
  /** Replaces or creates a whole file, with its directories: a reader sees the old content or the new one. */
  replace(path: string, change: FileChange): Promise<FileReplaced | FileTrouble>;
  /** Lists one directory, unsorted. */
  list(path: string, led?: string): Promise<FileListing | FileTrouble>;
}
interface OpenFile {
  /** Where the open file really lies: absolute, without links. */
  readonly real: string;
  readonly size: number;
  /** Fills `buffer` from the current position; 0 at the end. */
  read(buffer: Uint8Array): Promise<number>;
  /** Reads bytes from the beginning, all by default; the position does not move. */
  bytes(most?: number): Promise<Uint8Array>;
  close(): Promise<void>;
}
interface FileChange {
  readonly content: string | Uint8Array;
  /** The hash of the content that is to be replaced, null when there must be no file yet. */
  readonly before: string | null;
  readonly led?: string | undefined;
}
interface FileReplaced {
  readonly real: string;
  /** The hash of the new content. */
  readonly hash: string;
}
interface FileListing {
  readonly entries: readonly ListedEntry[];
}
interface ListedEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'link' | 'other';
  /** Where a link points, as written in it. */
  readonly target?: string;
}
interface FileTrouble {
  readonly trouble: string;
  readonly why: 'absent' | 'moved' | 'changed' | 'other';
}
/** Finds the last writer of a file among the members of a run. */
interface FileWriters {
  /** The member whose change gave the file this content, or undefined when it was nobody known. */
  writerOf(real: string, hash: string): string | undefined;
}
declare const mailPriorities: readonly ['normal', 'interrupt'];
/** The shape of a result, as JSON Schema. */
declare const contractSchema: z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>;
type Contract = z$1.infer<typeof contractSchema>;
declare const envelopeSchema: z$1.ZodObject<{
  v: z$1.ZodLiteral<1>;
  id: z$1.ZodString;
  key: z$1.ZodString;
  from: z$1.ZodUnion<readonly [z$1.ZodCustom<`${string}@${string}`, `${string}@${string}`>, z$1.ZodLiteral<"user">]>;
  sender: z$1.ZodString;
  seq: z$1.ZodNumber;
  to: z$1.ZodCustom<`${string}@${string}`, `${string}@${string}`>;
  incarnation: z$1.ZodOptional<z$1.ZodString>;
  kind: z$1.ZodEnum<{
    answer: "answer";
    control: "control";
    question: "question";
    result: "result";
    shutdown: "shutdown";
    task: "task";
    text: "text";
  }>;
  priority: z$1.ZodEnum<{
    interrupt: "interrupt";
    normal: "normal";
  }>;
  reply_to: z$1.ZodOptional<z$1.ZodString>;
  request: z$1.ZodOptional<z$1.ZodString>;
  chain: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  deadline: z$1.ZodOptional<z$1.ZodNumber>;
  status: z$1.ZodOptional<z$1.ZodEnum<{
    cancelled: "cancelled";
    done: "done";
    failed: "failed";
  }>>;
  amends: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  returns: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
  restrictions: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    of: z$1.ZodString;
    deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    mode: z$1.ZodOptional<z$1.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    plan: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  }, z$1.core.$strip>>>;
  body: z$1.ZodString;
  artifact: z$1.ZodOptional<z$1.ZodObject<{
    sha256: z$1.ZodString;
    bytes: z$1.ZodNumber;
  }, z$1.core.$strip>>;
  attachments: z$1.ZodOptional<z$1.ZodString>;
  traceparent: z$1.ZodOptional<z$1.ZodString>;
  sent_at: z$1.ZodNumber;
  mac: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>;
type Envelope = z$1.infer<typeof envelopeSchema>;
type MailPriority = (typeof mailPriorities)[number];
/** The part of an envelope that a sender writes; the mailbox adds identity, order and time. */
interface MailDraft extends Pick<Envelope, 'kind' | 'body' | 'key'>, Partial<Pick<Envelope, 'priority' | 'reply_to' | 'request' | 'chain' | 'deadline' | 'status' | 'amends' | 'incarnation' | 'returns' | 'restrictions' | 'attachments'>> {
  /** `name@team`, `all@team`, a role with one member, or `name@team#<incarnation>`. */
  readonly to: string;
}
/** The kinds of memory, a closed list (seed page 13). */
declare const memoryKinds: readonly ['user', 'feedback', 'project', 'reference'];
type MemoryKind = (typeof memoryKinds)[number];
/** The wish of an agent that something be remembered. */
interface MemoryWish {
  readonly kind: MemoryKind;
  readonly title: string;
  readonly text: string;
  /** Words of a person, for kinds that hold nothing else. */
  readonly quote?: string | undefined;
}
/** The outcome of an act on memories, in words for the agent; `trouble`: nothing was done. */
type MemoryAnswer = {
  readonly text: string;
} | {
  readonly trouble: string;
};
/** The acts behind the memory tools. */
interface MemoryPort {
  /** @param wish `replaces` names a memory that goes when the new one is there */
  remember(wish: MemoryWish & {
    readonly replaces?: string | undefined;
  }): Promise<MemoryAnswer>;
  recall(name: string): MemoryAnswer;
  forget(wish: {
    readonly name: string;
    readonly quote?: string | undefined;
  }): Promise<MemoryAnswer>;
}
declare const permissionModes: readonly ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'];
declare const behaviors: readonly ['allow', 'ask', 'deny'];
/** A rule's source, or what decided instead of a rule. */
declare const deciders: readonly ["policy", "project", "local", "user", "cliArg", "session", "bounds", "mode", "human", "hook", "classifier", "nobody"];
type PermissionMode = (typeof permissionModes)[number];
type Behavior = (typeof behaviors)[number];
type RuleLists = { [behavior in Behavior]?: string[] | undefined; };
interface Decision {
  behavior: Behavior;
  source: (typeof deciders)[number];
  /** The rule as written, when one decided. */
  rule?: string | undefined;
  /** `file:line` of that rule, when it stands in a file. */
  at?: string | undefined;
  /** The member that the rule forbids, when the call is made for it. */
  of?: string | undefined;
  reason: string;
  /** The path or host that the decision turned on. */
  path?: string | undefined;
}
/** An address outside of this machine that a tool sends to. */
interface Reach {
  readonly url: string;
  readonly variables: readonly string[];
}
/** How a person, or whoever stands in for one, answered a question. */
interface Answer {
  readonly behavior: 'allow' | 'deny';
  readonly source: Decision['source'];
  /** The rule that denied a changed input. */
  readonly rule?: string;
  readonly reason: string;
  /** `session` and `save` also grant rules; `stop` also ends the agent's run. */
  readonly scope?: 'once' | 'session' | 'save' | 'stop';
  /** Rules to grant instead of those that the question proposes. */
  readonly rules?: readonly string[];
  readonly updated_input?: unknown;
  /** The durable request that it answers. */
  readonly request?: string;
  /** Which face or member answered, in words. */
  readonly by?: string;
}
/** A wish to use a skill. */
interface SkillWish {
  readonly skill: string;
  /** As a person would type them behind the name. */
  readonly args: string;
}
/** The instructions of a skill, ready for a model; or why there are none. */
type OpenedSkill = {
  readonly text: string;
} | {
  readonly trouble: string;
};
/** Where a task can be. The last three are for good. */
declare const taskStates: readonly ['blocked', 'open', 'claimed', 'verifying', 'review', 'done', 'failed', 'cancelled'];
/** A task as the board shows it; `tasks/<n>.json` holds this. */
declare const boardTaskSchema: z$1.ZodObject<{
  task: z$1.ZodNumber;
  subject: z$1.ZodString;
  description: z$1.ZodOptional<z$1.ZodString>;
  blocked_by: z$1.ZodArray<z$1.ZodNumber>;
  author: z$1.ZodString;
  restrictions: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    of: z$1.ZodString;
    deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    mode: z$1.ZodOptional<z$1.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    plan: z$1.ZodOptional<z$1.ZodLiteral<true>>;
  }, z$1.core.$strip>>>;
  created_at: z$1.ZodNumber;
  state: z$1.ZodEnum<{
    blocked: "blocked";
    cancelled: "cancelled";
    claimed: "claimed";
    done: "done";
    failed: "failed";
    open: "open";
    review: "review";
    verifying: "verifying";
  }>;
  by: z$1.ZodNullable<z$1.ZodString>;
  epoch: z$1.ZodNumber;
  until: z$1.ZodNumber;
  evidence: z$1.ZodArray<z$1.ZodUnion<readonly [z$1.ZodObject<{
    command: z$1.ZodString;
    exit_code: z$1.ZodNumber;
  }, z$1.core.$strict>, z$1.ZodObject<{
    file: z$1.ZodString;
    sha256: z$1.ZodString;
  }, z$1.core.$strict>, z$1.ZodObject<{
    check: z$1.ZodString;
  }, z$1.core.$strict>]>>;
  confirmed_by: z$1.ZodOptional<z$1.ZodString>;
  reason: z$1.ZodOptional<z$1.ZodString>;
  changed_at: z$1.ZodNumber;
}, z$1.core.$strip>;
/** A member's ask of the board, as the body of a mail to the leader. */
declare const taskAskSchema: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
  ask: z$1.ZodLiteral<"create">;
  subject: z$1.ZodString;
  description: z$1.ZodOptional<z$1.ZodString>;
  blocked_by: z$1.ZodArray<z$1.ZodNumber>;
}, z$1.core.$strict>, z$1.ZodObject<{
  ask: z$1.ZodLiteral<"claim">;
  task: z$1.ZodNumber;
}, z$1.core.$strict>, z$1.ZodObject<{
  ask: z$1.ZodLiteral<"submit">;
  task: z$1.ZodNumber;
  evidence: z$1.ZodArray<z$1.ZodUnion<readonly [z$1.ZodObject<{
    command: z$1.ZodString;
    exit_code: z$1.ZodNumber;
  }, z$1.core.$strict>, z$1.ZodObject<{
    file: z$1.ZodString;
    sha256: z$1.ZodString;
  }, z$1.core.$strict>, z$1.ZodObject<{
    check: z$1.ZodString;
  }, z$1.core.$strict>]>>;
}, z$1.core.$strict>, z$1.ZodObject<{
  ask: z$1.ZodEnum<{
    cancel: "cancel";
    reject: "reject";
  }>;
  task: z$1.ZodNumber;
  reason: z$1.ZodString;
}, z$1.core.$strict>], "ask">;
/** The board as a member's tools reach it. */
interface TaskPort {
  /** Every task, oldest first. */
  list(): readonly BoardTask[];
  /** Asks the leader and waits for its answer; the same call asks once. Rejects only when the signal aborts. */
  ask(ask: TaskAsk, call: {
    readonly callId: string;
    readonly signal: AbortSignal;
  }): Promise<TaskReply>;
}
/** The reply to an ask: the present state of the task, or the reason why it did not change. */
type TaskReply = {
  readonly task: number;
  readonly state: TaskState;
} | {
  readonly error: string;
};
type BoardTask = Readonly<z$1.infer<typeof boardTaskSchema>>;
type TaskAsk = z$1.infer<typeof taskAskSchema>;
type TaskState = (typeof taskStates)[number];
declare const todoSchema: z$1.ZodObject<{
  content: z$1.ZodString;
  status: z$1.ZodEnum<{
    completed: "completed";
    in_progress: "in_progress";
    pending: "pending";
  }>;
  activeForm: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>;
/** One step of a member's own todo list; `activeForm` says the same while the step is being done. */
type Todo = z$1.infer<typeof todoSchema>;
/** Where texts are put that are too long to be shown: the whole of them can be read there. */
interface TextStore {
  /** A text that is there already. Throws what the disk says. */
  put(text: string): PutText;
  /** A text that still comes, of any length. Throws what the disk says. */
  open(): TextWriter;
}
interface PutText {
  readonly sha256: string;
  readonly path: string;
}
/** A text while it comes. Every method throws what the disk says; it must be ended or discarded. */
interface TextWriter {
  push(text: string): void;
  /** Gives it its name. `cut` is how many bytes are missing in its middle, since it was too long even for here. */
  end(): PutText & {
    readonly cut: number;
  };
  /** Leaves nothing behind. */
  discard(): void;
}
/** A question to a person, in a member's own words. */
interface OpenQuestion {
  readonly question: string;
  /** Answers to choose from; any other is an answer too. */
  readonly options: readonly string[];
  /** The meaning of each option, in their order; empty where nothing is said. */
  readonly details?: readonly string[];
  /** More than one option may be chosen. */
  readonly several?: true;
  /** Which of the questions of one call it is, and its topic: `2 of 3 · Colour`. */
  readonly heading?: string;
}
/** The model's view of a tool. `parameters` is JSON Schema. */
interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}
/** Kinds of things that a tool may touch; permission defaults follow from the kind. */
type ToolEffect = 'read' | 'edit' | 'execute' | 'network' | 'team' | 'none';
/** The result of a tool. Errors are results too: `isError` tells the model, no exception is thrown. */
interface ToolOutput {
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError?: boolean;
  /** How the program that it ran ended, unless with 0. */
  readonly exit?: ToolResult['exit'];
  /**
   * True when the tool broke off (an exception, its deadline) instead of answering: the calls beside it are cancelled.
   */
  readonly broke?: boolean;
  /** True when the tool failed before it had any effect: a tool that declares `retry` runs again. */
  readonly transient?: boolean;
  /** A stamp of the sources of the result: while it stays the same, an equal call has an equal result. */
  readonly stamp?: string;
  /** Where the whole result was put, when this is a part of it. */
  readonly stored?: StoredResult;
  /** The file that was read whole or changed. */
  readonly file?: TouchedFile;
}
/** A file with the content that a call saw in it or left there. */
interface TouchedFile {
  /** Where it really lies. */
  readonly path: string;
  readonly sha256: string;
  readonly wrote: boolean;
}
interface StoredResult {
  readonly sha256: string;
  readonly chars: number;
}
/** The surroundings of a running tool: everything beside the tool's own input, which comes first. */
interface ToolContext {
  readonly cwd: string;
  readonly home: string;
  readonly callId: string;
  readonly signal: AbortSignal;
  /** Live output for people: lossy, never journaled. */
  readonly progress: (text: string) => void;
  /** Where long texts are put aside; absent where nothing is kept on disk. */
  readonly store?: TextStore;
  /** The environment for child processes, already free of credentials. */
  readonly env: Readonly<Record<string, string>>;
  /** Per-member memory that outlives a call (what was read, a shell's directory). */
  readonly memory: Map<string, unknown>;
  readonly files: Filesystem;
  /** Where the paths of this call really led when it was permitted, by path; nothing else may be touched under them. */
  readonly led?: ReadonlyMap<string, string>;
  /** Whether permission rules close a file that a search below `root` found: it is neither read nor named. */
  readonly closed?: (path: string, root: string) => boolean;
  /** Searches find what `.gitignore` excludes, too. */
  readonly unignored?: boolean;
  /** Puts shell commands into a sandbox, where the member's policy asks for one. */
  readonly wrapCommand?: CommandWrap;
  /** Finds the member of the run that wrote a file: present for members of a team. */
  readonly writers?: FileWriters;
  /** Puts a question to a person and returns the answer, null when nobody gave one; absent where nobody can be asked. */
  readonly ask?: (question: OpenQuestion, signal: AbortSignal) => Promise<string | null>;
  /** Present for members of a team. */
  readonly team?: TeamPort;
  /** Asks the agent's advisor; absent where it has none. */
  readonly advise?: (asked: AdviceRequest, signal: AbortSignal) => Promise<Advice>;
  /** The agent's memories; absent where it has none. */
  readonly memories?: MemoryPort;
  /** How this agent plans before it changes anything. */
  readonly plan?: PlanPort;
  /** Keeps the agent's todo list; absent where nothing is journaled. */
  readonly keepTodos?: (todos: readonly Todo[], callId: string) => void;
  /** Opens a skill of the agent; absent where it has none. */
  readonly openSkill?: (wish: SkillWish, callId: string, signal: AbortSignal) => Promise<OpenedSkill>;
}
/** A question for the advisor, which sees nothing else. */
interface AdviceRequest {
  readonly question: string;
  readonly context: string;
}
/** `trouble`: why there is none. */
type Advice = {
  readonly text: string;
} | {
  readonly trouble: string;
};
/** The acts behind the tools of plan mode. */
interface PlanPort {
  /** True while no change is allowed. */
  planning(): boolean;
  /** No approved plan would change that. */
  bound(): boolean;
  enter(callId: string, reason: string): void;
  approve(callId: string, plan: string): void;
}
/** The program to start instead of `argv` for a call with this input, or why none may be started. */
type CommandWrap = (input: Readonly<Record<string, unknown>>, argv: readonly [string, ...string[]], place: CommandStart) => Promise<WrappedCommand | {
  readonly trouble: string;
}>;
interface CommandStart {
  readonly cwd: string;
  /** Files that members wrote with their tools were allowed, and stay. */
  readonly writers?: FileWriters | undefined;
}
interface WrappedCommand {
  readonly argv: readonly [string, ...string[]];
  /** To be called when the command has ended, however that was: what there is to tell about what it left. */
  readonly behind?: () => Promise<string>;
}
/** The acts behind the coordination tools; the runtime implements them. */
interface TeamPort {
  /** Names a member may address, itself excluded. */
  readonly recipients: readonly string[];
  send(mail: {
    to: string;
    text: string;
    question: boolean;
    callId: string;
  }): TeamReceipt;
  /** Notes that the member waits for the word of another: what it owes stays open until then. */
  wait(wait: {
    for: string;
    reason: string;
    callId: string;
  }): TeamReceipt;
  /** Ends the member's work on a request, or, where none is named, on the task of the run; an error names what is open. */
  report(report: {
    request?: string;
    text: string;
    files: readonly string[];
  }): TeamReceipt;
  /** Hands out the subtasks of one call; one receipt each, in their order. */
  delegate(errands: readonly Errand[], callId: string): Promise<readonly TeamReceipt[]>;
  /** Ends what a worker does; `all` cancels every open request and ends nobody. */
  stop(wish: {
    readonly worker: string;
    readonly reason: string;
    /** How long the worker may take to finish, or to refuse; 0: it is not asked. */
    readonly grace_ms: number;
  }): TeamReceipt;
  /** Present where the team has a task board. */
  readonly tasks?: TaskPort;
}
/** A subtask as it is delegated. */
interface Errand {
  /** A worker, or a card of which a free replica takes it. */
  readonly worker: string;
  readonly task: string;
  readonly context?: string;
  /** A name by which other subtasks of the same call refer to this one. */
  readonly name?: string;
  readonly depends_on: readonly (string | number)[];
  /** The shape that the result must have. */
  readonly returns?: Contract;
  readonly deadlineMs?: number;
}
/** `id` is the mail's or the request's id; `note` is something to know; `error` names the remedy. */
type TeamReceipt = {
  readonly id: string;
  readonly note?: string;
} | {
  readonly error: string;
};
/**
 * Further attempts after a failure that passes: `times` attempts, the first after `pauseMs`, each later one after
 * twice the pause. A failure passes when the output says `transient`, or `isTransient` says so of the thrown error.
 */
interface ToolRetry {
  readonly times: number;
  readonly pauseMs?: number;
  isTransient?(error: unknown): boolean;
}
/**
 * Whether the result of a read-only call answers the very same call again. `turn`: inside one message of the model.
 * `until_write`: also later, until a tool changes something, as long as `stamp` still gives what the output had.
 */
type ToolReuse = 'never' | 'turn' | 'until_write';
/** A tool in full. What is left out takes the restrictive value (`defineTool` fills it in). */
interface Tool<Input = unknown> {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly description: string;
  readonly input: z$1.ZodType<Input>;
  /** JSON Schema of the arguments, where somebody else wrote it and `input` cannot say it. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  /** Files that a call with this input speaks of, beside what the tool's name tells. */
  paths?(input: Input): readonly string[];
  readonly effect: ToolEffect;
  isConcurrencySafe(input: Input): boolean;
  isReadOnly(input: Input): boolean;
  isDestructive(input: Input): boolean;
  /** `block`: a new message waits for the tool; `cancel`: it stops the tool. An abort stops both. */
  readonly interrupt: 'block' | 'cancel';
  readonly requiresInteraction: boolean;
  /** Where each call sends its input, and which variables of the environment with it. */
  readonly reaches?: Reach;
  /** True for a tool whose schema is shown only after a look-up with ToolSearch. */
  readonly defer: boolean;
  /** Never deferred, even where all others are. */
  readonly alwaysLoad?: boolean;
  /** Whether the tool is offered in a turn; asked for each. */
  isEnabled?(): boolean;
  /** Takes the place of a tool that broke off, when no attempt is left. */
  fallback?(input: Input, context: ToolContext, failed: ToolOutput): Promise<ToolOutput>;
  /** The work goes on without the tool when it breaks off: that is no error for the model. */
  readonly optional?: boolean;
  /** Characters after which the result is cut; Infinity opts out. */
  readonly maxResultChars: number;
  /** Milliseconds, or null for none. */
  readonly timeout: number | null;
  readonly retry: ToolRetry | null;
  readonly reuse: ToolReuse;
  /** A stamp of the sources that a call with this input would use now; null when that cannot be said. */
  stamp(input: Input, context: ToolContext): Promise<string | null>;
  /** Meaning, after the shape is right: returns what is wrong in words for the model, or null. */
  check(input: Input, context: Pick<ToolContext, 'cwd' | 'memory' | 'team' | 'plan' | 'advise'>): Promise<string | null>;
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}
/** The properties of a call that a machine decides by, computed purely from the call's parsed input. */
interface CallDescription {
  readonly id: string;
  /** Canonical name; the name the model used when no such tool exists. */
  readonly tool: string;
  readonly input: unknown;
  /** Why the call cannot run (no such tool, wrong shape), in words for the model. */
  readonly refusal: string | null;
  readonly refusedFor?: RefusalKind;
  /** Arguments that were read as another type than they were written in. */
  readonly coerced?: readonly Coercion[];
  readonly safe: boolean;
  readonly readOnly: boolean;
  /** True for a call that may change files or run programs that do. */
  readonly changes?: boolean;
  /** The runtime's own, not the model's: it stands in no message and starts in the working directory. */
  readonly own?: boolean;
  readonly interrupt: 'block' | 'cancel';
  /** True for a call that runs again after a failure that passes. */
  readonly repeats?: boolean;
  /** The tool checks meaning as well as shape; without it that phase is skipped. */
  readonly checked: boolean;
  /** A person or a hook changed the input after its shape was checked. */
  readonly amended?: boolean;
  /** The opinion of hooks, for the rules to weigh. */
  readonly opinion?: HookOpinion;
  /** A limit or an equal call is to be looked at before it runs; without it that phase is skipped. */
  readonly gated?: boolean;
  /**
   * Set while the call's tool has not been looked up yet. This complaint comes last of all: every other complaint is
   * said first.
   */
  readonly deferred?: DeferredCall;
  /** The cascade allowed it as it was described. Holds for a call that starts at once, before anything else ran. */
  readonly allowed?: Decision;
}
interface DeferredCall {
  /** In words for the model. */
  readonly why: string;
  /** The cascade denies it: then that is what the model is told. */
  readonly denied: boolean;
}
/**
 * One request. `messages` and `tools` keep their identity between turns so that providers can cache translations; an array of
 * messages that was given once only ever grows.
 */
interface ModelRequest {
  /** The member's name inside its team. */
  readonly agent: string;
  readonly system: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  readonly max_tokens?: number;
  /** How hard the model should think; one that cannot be told so answers without. */
  readonly effort?: Effort;
  /** Tokens it may think for before it answers; 0 asks it not to. Vendors that know only efforts get the nearest. */
  readonly thinking_budget?: number;
  /** The part of the thinking that the answer shows, where a vendor can be told (default: as the vendor likes). */
  readonly thinking_display?: ThinkingDisplay;
  /** The answer shall be one JSON value of this shape, as its text. */
  readonly output?: OutputShape;
  /** Earlier answers of the agent that `messages` does not hold: they were left out to make room. */
  readonly left_out?: number;
  /** Tokens that the request holds, as far as anybody knows. */
  readonly held_tokens?: number;
  /** The budget leaves this answer and no other. */
  readonly last?: boolean;
  /** Left to servers that offer it; others pass it over. */
  readonly advisor?: OfferedAdvisor;
  /** True for an answer that no person waits for: the call is given up sooner when the server is busy. */
  readonly background?: boolean;
  /** Further wishes, passed on to vendors that know them. */
  readonly sampling?: Sampling;
  /** How long vendors that are told keep what was asked; others decide themselves (default: 5m). */
  readonly cache?: CacheTimes;
  /** Another model stands in for this one: a server that says nothing is not waited for. */
  readonly hurried?: boolean;
  /** Over a connection of its own: the kept one was reset. */
  readonly fresh_connection?: boolean;
}
/** Wishes for an answer that vendors spell alike. */
interface Sampling {
  readonly temperature?: number | undefined;
  readonly top_p?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly service_tier?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly betas?: readonly string[] | undefined;
  readonly server_tools?: readonly ServerTool[] | undefined;
}
/** Tools that a vendor's own server runs while its model answers. */
declare const serverTools: readonly ['web_search', 'code_execution'];
type ServerTool = (typeof serverTools)[number];
declare const cacheTtls: readonly ['5m', '1h'];
type CacheTtl = (typeof cacheTtls)[number];
/** Tools and the system prompt may be kept longer than the conversation, never shorter. */
interface CacheTimes {
  readonly head: CacheTtl;
  readonly talk: CacheTtl;
}
/** Another model that the server itself may ask while it answers; named as the server names it. */
interface OfferedAdvisor {
  readonly model: string;
  readonly max_uses: number;
  readonly max_tokens: number;
}
declare const efforts: readonly ['low', 'medium', 'high', 'max'];
type Effort = (typeof efforts)[number];
/** The part of its thinking that a model shows: a summary, as its vendor writes it or of one length, or nothing. */
declare const thinkingDisplays: readonly ['summarized', 'concise', 'detailed', 'omitted'];
type ThinkingDisplay = (typeof thinkingDisplays)[number];
/** Opens a model by what stands behind the slash of its name: for the provider `acme` the model `acme/large` is `large`. */
type Provider = (model: string) => Model | Promise<Model>;
/** Providers by name. */
type Providers = Readonly<Record<string, Provider>>;
/** A shape that an answer must have, as JSON Schema of an object. */
interface OutputShape {
  /** Letters, digits, `_` and `-`. */
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
  /** The model may use its tools before it answers: nothing is forced that would keep it from them. */
  readonly after_tools?: boolean;
}
/** A piece of an answer for the screen, lost without harm: the settled message is the truth. */
interface AnswerDelta {
  readonly type: 'text' | 'thinking';
  readonly text: string;
}
/** Deltas, and at the end the whole answer. */
type ModelEvent = AnswerDelta | {
  readonly type: 'settled';
  readonly message: AssistantMessage;
};
/** Sizes of a model as it runs at its server; absent is what the server does not say. */
interface ModelCapacity {
  /** Tokens of a conversation, answer included. */
  readonly window?: number;
  /** Requests that the server answers at the same time. */
  readonly slots?: number;
  /** Tokens that the model could have, if its server gave it so many. */
  readonly trained?: number;
  /** The way to give the model a larger window. */
  readonly widen?: string;
}
/**
 * A model never throws and always ends with one `settled` event; what went wrong is in
 * `message.stop` (`error`, `aborted`) and `message.failure`.
 */
interface Model {
  /** `provider/model`, as the journal names it. */
  readonly name: string;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** The same request always gets the same answer: after a failure it is of no use to ask again. */
  readonly deterministic?: boolean;
  /** Says whether its server can ask this model, by its full name, for advice in the middle of an answer. */
  advises?(model: string): boolean;
  /** Asks its server what the model can do as it runs there; null when the server does not say, or nobody waits. */
  capacity?(signal: AbortSignal): Promise<ModelCapacity | null>;
  /** Asks its server how many tokens a request holds, without an answer to it; null when the server does not say in time. */
  count?(request: ModelRequest, signal: AbortSignal): Promise<number | null>;
  /** Looks its credential up again; true when it is another one than before. */
  renew?(): boolean | Promise<boolean>;
}
/** The moment at which middleware is called. */
interface TurnMoment {
  readonly agent: string;
  /** Number of the model answer, from 1. */
  readonly turn: number;
  readonly signal: AbortSignal;
}
/** A call as middleware sees it: its input is judged already and stays as it is. */
interface SeenCall {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Calls of this run so far, by tool. */
  readonly counts: Readonly<Record<string, number>>;
}
/** The word of a gate: the call does not run, for this reason; or it has this result, if it is permitted at all. */
type GateWord = {
  readonly block: string;
} | {
  readonly result: ToolOutput;
};
/** A run that begins. */
interface BeginningRun {
  readonly agent: string;
  readonly prompt: string;
}
/** Things that a run has beside what its agent has. */
interface RunAddition {
  /** Tools of this run alone. */
  readonly tools?: readonly Tool[];
  /** Words behind the system prompt of this run. */
  readonly system?: string;
}
/** A run that has ended. */
interface FinishedRun {
  readonly agent: string;
  readonly reason: TerminalReason;
  readonly text: string;
}
/**
 * Code around the work of an agent; the first is the outermost. Every part may be left out. What middleware throws ends the
 * work, or breaks the tool call that it stands around; the error names it.
 *
 * @source seed C, the hooks around an agent
 * @example
 * const timed: Middleware = {
 *   name: 'timed',
 *   async wrapToolCall(call, next) {
 *     const began = performance.now()
 *     const output = await next()
 *     console.error(`${call.tool}: ${performance.now() - began} ms`)
 *     return output
 *   },
 * }
 */
interface Middleware {
  /** For messages. */
  readonly name: string;
  /** Before the first question of a run. */
  beforeAgent?(run: BeginningRun): Promise<RunAddition | undefined> | RunAddition | undefined;
  /** Changes what a model is asked: messages, system prompt, tools; nothing of that is kept in the conversation. */
  modifyRequest?(request: ModelRequest, moment: TurnMoment): Promise<ModelRequest> | ModelRequest;
  /** Stands around a model call, its retries included; may call `next` more than once, or not at all. */
  wrapModelCall?(request: ModelRequest, next: (request: ModelRequest) => Promise<AssistantMessage>, moment: TurnMoment): Promise<AssistantMessage>;
  /** Changes an answer before it is kept and its calls are made. The innermost is first. */
  postSampling?(message: AssistantMessage, moment: TurnMoment): Promise<AssistantMessage> | AssistantMessage;
  /** Asked about each call before hooks and permissions; the first word counts, and `block` before `result`. */
  gateToolCall?(call: SeenCall, moment: Pick<TurnMoment, 'agent' | 'signal'>): Promise<GateWord | undefined> | GateWord | undefined;
  /** Stands around a call that is permitted. */
  wrapToolCall?(call: SeenCall, next: () => Promise<ToolOutput>, moment: Pick<TurnMoment, 'agent' | 'signal'>): Promise<ToolOutput>;
  /** Words for a model that calls a tool which is not there; undefined leaves it to the next one. */
  unknownTool?(name: string): string | undefined;
  /** After a run. The innermost is first. */
  afterAgent?(run: FinishedRun): Promise<void> | void;
}
/** A provider of models by a name of one's own, as a team file and settings have it. */
declare const providerSchema: z$1.ZodObject<{
  api: z$1.ZodOptional<z$1.ZodEnum<{
    chat: "chat";
    messages: "messages";
    responses: "responses";
  }>>;
  cloud: z$1.ZodOptional<z$1.ZodEnum<{
    azure: "azure";
    bedrock: "bedrock";
    foundry: "foundry";
    vertex: "vertex";
  }>>;
  base_url: z$1.ZodOptional<z$1.ZodString>;
  key: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
    command: z$1.ZodString;
  }, z$1.core.$strict>]>>;
  headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
  query: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
  models: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  local: z$1.ZodOptional<z$1.ZodBoolean>;
  slots: z$1.ZodOptional<z$1.ZodNumber>;
  region: z$1.ZodOptional<z$1.ZodString>;
  project: z$1.ZodOptional<z$1.ZodString>;
  api_version: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strict>;
type ProviderSpec = z$1.infer<typeof providerSchema>;
type ProviderSpecs = Readonly<Record<string, ProviderSpec>>;
/** How long a server is waited for, in milliseconds. */
interface ServerTimeouts {
  /** How long a connection may take to be there. */
  readonly connectMs?: number;
  /** How long the server may take to begin its answer. */
  readonly firstByteMs?: number;
  /** How long a begun answer may be silent. */
  readonly idleMs?: number;
  /** How long a begun answer may say nothing but that it is still there. */
  readonly progressMs?: number;
  /** How long a whole answer may take. */
  readonly totalMs?: number;
  /** A clock by which silences count, in milliseconds. */
  readonly monotonic?: () => number;
}
declare const answerSettingsSchema: z$1.ZodObject<{
  max_output: z$1.ZodOptional<z$1.ZodNumber>;
  temperature: z$1.ZodOptional<z$1.ZodNumber>;
  top_p: z$1.ZodOptional<z$1.ZodNumber>;
  stop: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  service_tier: z$1.ZodOptional<z$1.ZodString>;
  metadata: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
  betas: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  server_tools: z$1.ZodOptional<z$1.ZodArray<z$1.ZodEnum<{
    code_execution: "code_execution";
    web_search: "web_search";
  }>>>;
  cache: z$1.ZodOptional<z$1.ZodObject<{
    ttl: z$1.ZodEnum<{
      "1h": "1h";
      "5m": "5m";
    }>;
  }, z$1.core.$strict>>;
}, z$1.core.$strip>;
type AnswerSettings = z$1.infer<typeof answerSettingsSchema>;
/** Rules that would permit the call from now on; empty where no rule can say it without saying more. */
declare const grantsSchema: z$1.ZodObject<{
  session: z$1.ZodArray<z$1.ZodString>;
  save: z$1.ZodArray<z$1.ZodString>;
}, z$1.core.$strip>;
/** A rule that speaks of the same tool, for whoever has to judge. */
declare const nearRuleSchema: z$1.ZodObject<{
  behavior: z$1.ZodEnum<{
    allow: "allow";
    ask: "ask";
    deny: "deny";
  }>;
  source: z$1.ZodString;
  rule: z$1.ZodString;
  why: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>;
/** A message of another member that led to the call. */
declare const behindSchema: z$1.ZodObject<{
  from: z$1.ZodString;
  kind: z$1.ZodString;
  text: z$1.ZodString;
  for: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
}, z$1.core.$strip>;
type Grants = z$1.infer<typeof grantsSchema>;
type Behind = z$1.infer<typeof behindSchema>;
type NearRule = z$1.infer<typeof nearRuleSchema>;
interface Question {
  readonly member: string;
  readonly call: CallDescription;
  readonly decision: Decision;
  /** The member's work at hand, when it is known. */
  readonly task?: string;
  /** Messages of other members that the call serves. */
  readonly behind?: readonly Behind[] | undefined;
  /** Rules that would permit the call from now on. */
  readonly grants: Grants;
  /** Rules that speak of the same tool. */
  readonly near: readonly NearRule[];
}
/** Answers one question at a time, in order; rejects only when the signal aborts. */
interface Approver {
  answer(question: Question, signal: AbortSignal): Promise<Answer>;
  /** Puts a member's own question to a person; null when nobody answers. Absent where there is no person. */
  ask?(asked: OpenQuestion & {
    readonly member: string;
  }, signal: AbortSignal): Promise<string | null>;
}
/** One mistake in a file of ours, with its place and its cure (`check --json`). */
interface Diagnostic {
  readonly severity: 'error' | 'warning';
  /** Short and stable, e.g. `unknown_key`. */
  readonly code: string;
  readonly message: string;
  /** As it was named; `--model` or `TROUPE_MODEL` for a mistake in what they say. */
  readonly file: string;
  /** 1-based; 1:1 where the file has no place to point at. */
  readonly line: number;
  readonly column: number;
  /** Of a team that is no file: the key path, `workers.ana.tools[1]`. */
  readonly path?: string;
  readonly hint?: string;
}
declare const sandboxSettingsSchema: z$1.ZodObject<{
  enabled: z$1.ZodOptional<z$1.ZodBoolean>;
  failIfUnavailable: z$1.ZodOptional<z$1.ZodBoolean>;
  autoAllowBashIfSandboxed: z$1.ZodOptional<z$1.ZodBoolean>;
  allowUnsandboxedCommands: z$1.ZodOptional<z$1.ZodBoolean>;
  excludedCommands: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  filesystem: z$1.ZodOptional<z$1.ZodObject<{
    allowWrite: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    denyWrite: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    denyRead: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    allowRead: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  }, z$1.core.$strict>>;
  network: z$1.ZodOptional<z$1.ZodObject<{
    allowedDomains: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    deniedDomains: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    allowAllUnixSockets: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strict>>;
}, z$1.core.$strict>;
type SandboxSettings = z$1.infer<typeof sandboxSettingsSchema>;
/** How often a member may call a tool in a run, and what happens then. */
interface ToolLimit {
  readonly calls: number;
  readonly then: 'block' | 'steer';
}
/** Tokens to think for, how they grow fewer from turn to turn, and what is shown of the thinking. */
interface ThinkingPlan {
  readonly budget?: number | undefined;
  readonly decay?: {
    /** The last turn with the whole budget. */
    readonly after_turn: number;
    /** The part of the budget that each further turn keeps, from 0 to 1. */
    readonly factor: number;
    /** Never less than this. */
    readonly floor: number;
  } | undefined;
  readonly display?: ThinkingDisplay | undefined;
}
/** As it is written: a command line alone, or with more about it. */
declare const verifyWishSchema: z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
  command: z$1.ZodString;
  after_changes: z$1.ZodOptional<z$1.ZodBoolean>;
  attempts: z$1.ZodOptional<z$1.ZodNumber>;
  timeout: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strict>]>;
declare const advisorWishSchema: z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
  model: z$1.ZodString;
  max_uses: z$1.ZodOptional<z$1.ZodNumber>;
  max_tokens: z$1.ZodOptional<z$1.ZodNumber>;
  prompt: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strict>]>;
declare const escalationWishSchema: z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
  model: z$1.ZodString;
  after_errors: z$1.ZodOptional<z$1.ZodNumber>;
  on_loop: z$1.ZodOptional<z$1.ZodBoolean>;
  on_hard: z$1.ZodOptional<z$1.ZodBoolean>;
}, z$1.core.$strict>]>;
type EscalationWish = z$1.infer<typeof escalationWishSchema>;
type AdvisorWish = z$1.infer<typeof advisorWishSchema>;
type VerifyWish = z$1.infer<typeof verifyWishSchema>;
/** As it is written: a scope alone, or with more about it; `false` takes the memory of the team away from a member. */
declare const memoryWishSchema: z$1.ZodUnion<readonly [z$1.ZodLiteral<false>, z$1.ZodEnum<{
  local: "local";
  project: "project";
  user: "user";
}>, z$1.ZodObject<{
  scope: z$1.ZodOptional<z$1.ZodEnum<{
    local: "local";
    project: "project";
    user: "user";
  }>>;
  extract: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodBoolean, z$1.ZodObject<{
    model: z$1.ZodOptional<z$1.ZodString>;
    every: z$1.ZodOptional<z$1.ZodNumber>;
    usd: z$1.ZodOptional<z$1.ZodNumber>;
    tokens: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strict>]>>;
  claude_agent: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strict>]>;
type MemoryCardWish = z$1.infer<typeof memoryWishSchema>;
/** Where time and fresh names come from: the only place that reads the system's clock and randomness. */
interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** A new ULID, sortable, never twice. */
  mint(): string;
  /** Milliseconds that pass evenly, whatever is done to the time of day. */
  monotonic?(): number;
  /** A fraction from 0 to 1; in the middle when left out. */
  random?(): number;
  setTimeout(fn: () => void, ms: number): unknown;
  clearTimeout(id: unknown): void;
}
declare const teamFileSchema: z$1.ZodObject<{
  middleware: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    dedup_tools: z$1.ZodOptional<z$1.ZodObject<{
      tools: z$1.ZodArray<z$1.ZodString>;
    }, z$1.core.$strict>>;
    persist_results: z$1.ZodOptional<z$1.ZodObject<{
      above: z$1.ZodNumber;
      except: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    }, z$1.core.$strict>>;
    short_tail: z$1.ZodOptional<z$1.ZodObject<{
      keep: z$1.ZodNumber;
      above: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strict>>;
    diagnostics: z$1.ZodOptional<z$1.ZodObject<{
      command: z$1.ZodString;
      files: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      timeout: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strict>>;
  }, z$1.core.$strict>>>;
  defer_tools: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodBoolean, z$1.ZodArray<z$1.ZodString>]>>;
  always_load: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  tool_limits: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnion<readonly [z$1.ZodNumber, z$1.ZodObject<{
    calls: z$1.ZodNumber;
    then: z$1.ZodOptional<z$1.ZodEnum<{
      block: "block";
      steer: "steer";
    }>>;
  }, z$1.core.$strict>]>>>;
  turn_output: z$1.ZodOptional<z$1.ZodNumber>;
  stuck: z$1.ZodOptional<z$1.ZodObject<{
    window: z$1.ZodOptional<z$1.ZodNumber>;
    repeats: z$1.ZodOptional<z$1.ZodNumber>;
    looks: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strict>>;
  max_output: z$1.ZodOptional<z$1.ZodNumber>;
  temperature: z$1.ZodOptional<z$1.ZodNumber>;
  top_p: z$1.ZodOptional<z$1.ZodNumber>;
  stop: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  service_tier: z$1.ZodOptional<z$1.ZodString>;
  metadata: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
  betas: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  server_tools: z$1.ZodOptional<z$1.ZodArray<z$1.ZodEnum<{
    code_execution: "code_execution";
    web_search: "web_search";
  }>>>;
  cache: z$1.ZodOptional<z$1.ZodObject<{
    ttl: z$1.ZodEnum<{
      "1h": "1h";
      "5m": "5m";
    }>;
  }, z$1.core.$strict>>;
  providers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodObject<{
    api: z$1.ZodOptional<z$1.ZodEnum<{
      chat: "chat";
      messages: "messages";
      responses: "responses";
    }>>;
    cloud: z$1.ZodOptional<z$1.ZodEnum<{
      azure: "azure";
      bedrock: "bedrock";
      foundry: "foundry";
      vertex: "vertex";
    }>>;
    base_url: z$1.ZodOptional<z$1.ZodString>;
    key: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
      command: z$1.ZodString;
    }, z$1.core.$strict>]>>;
    headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    query: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    models: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    local: z$1.ZodOptional<z$1.ZodBoolean>;
    slots: z$1.ZodOptional<z$1.ZodNumber>;
    region: z$1.ZodOptional<z$1.ZodString>;
    project: z$1.ZodOptional<z$1.ZodString>;
    api_version: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strict>>>;
  retries: z$1.ZodOptional<z$1.ZodNumber>;
  fallback_after: z$1.ZodOptional<z$1.ZodNumber>;
  fallback_on_refusal: z$1.ZodOptional<z$1.ZodBoolean>;
  api: z$1.ZodOptional<z$1.ZodEnum<{
    chat: "chat";
    responses: "responses";
  }>>;
  persistent: z$1.ZodOptional<z$1.ZodBoolean>;
  timeouts: z$1.ZodOptional<z$1.ZodObject<{
    connect: z$1.ZodOptional<z$1.ZodString>;
    first_byte: z$1.ZodOptional<z$1.ZodString>;
    idle: z$1.ZodOptional<z$1.ZodString>;
    progress: z$1.ZodOptional<z$1.ZodString>;
    total: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strict>>;
  hooks: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodEnum<{
    BudgetThreshold: "BudgetThreshold";
    ConfigChange: "ConfigChange";
    CwdChanged: "CwdChanged";
    DirectoryAdded: "DirectoryAdded";
    Elicitation: "Elicitation";
    ElicitationResult: "ElicitationResult";
    FileChanged: "FileChanged";
    GatherDone: "GatherDone";
    InstructionsLoaded: "InstructionsLoaded";
    MessageDead: "MessageDead";
    MessageDeliver: "MessageDeliver";
    MessageDisplay: "MessageDisplay";
    MessageSend: "MessageSend";
    Notification: "Notification";
    PermissionDenied: "PermissionDenied";
    PermissionRequest: "PermissionRequest";
    PostCompact: "PostCompact";
    PostToolBatch: "PostToolBatch";
    PostToolUse: "PostToolUse";
    PostToolUseFailure: "PostToolUseFailure";
    PreCompact: "PreCompact";
    PreToolUse: "PreToolUse";
    RunEnd: "RunEnd";
    SessionEnd: "SessionEnd";
    SessionStart: "SessionStart";
    Setup: "Setup";
    Stop: "Stop";
    StopFailure: "StopFailure";
    SubagentStart: "SubagentStart";
    SubagentStop: "SubagentStop";
    TaskCompleted: "TaskCompleted";
    TaskCreated: "TaskCreated";
    TeammateIdle: "TeammateIdle";
    UserPromptExpansion: "UserPromptExpansion";
    UserPromptSubmit: "UserPromptSubmit";
    WorkerExit: "WorkerExit";
    WorkerSpawn: "WorkerSpawn";
    WorktreeCreate: "WorktreeCreate";
    WorktreeRemove: "WorktreeRemove";
  }> & z$1.core.$partial, z$1.ZodArray<z$1.ZodObject<{
    matcher: z$1.ZodOptional<z$1.ZodString>;
    hooks: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      type: z$1.ZodLiteral<"command">;
      command: z$1.ZodString;
      args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      asyncRewake: z$1.ZodOptional<z$1.ZodBoolean>;
      shell: z$1.ZodOptional<z$1.ZodEnum<{
        bash: "bash";
        powershell: "powershell";
        sh: "sh";
      }>>;
    }, z$1.core.$strict>, z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      type: z$1.ZodLiteral<"http">;
      url: z$1.ZodString;
      headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
      allowedEnvVars: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    }, z$1.core.$strict>, z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      prompt: z$1.ZodString;
      model: z$1.ZodOptional<z$1.ZodString>;
      type: z$1.ZodLiteral<"prompt">;
      continueOnBlock: z$1.ZodOptional<z$1.ZodBoolean>;
    }, z$1.core.$strict>, z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      prompt: z$1.ZodString;
      model: z$1.ZodOptional<z$1.ZodString>;
      type: z$1.ZodLiteral<"agent">;
    }, z$1.core.$strict>, z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      type: z$1.ZodLiteral<"mcp_tool">;
      server: z$1.ZodString;
      tool: z$1.ZodString;
      input: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
    }, z$1.core.$strict>], "type">>;
  }, z$1.core.$strict>>>>;
  safety: z$1.ZodOptional<z$1.ZodBoolean>;
  memory: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodLiteral<false>, z$1.ZodEnum<{
    local: "local";
    project: "project";
    user: "user";
  }>, z$1.ZodObject<{
    scope: z$1.ZodOptional<z$1.ZodEnum<{
      local: "local";
      project: "project";
      user: "user";
    }>>;
    extract: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodBoolean, z$1.ZodObject<{
      model: z$1.ZodOptional<z$1.ZodString>;
      every: z$1.ZodOptional<z$1.ZodNumber>;
      usd: z$1.ZodOptional<z$1.ZodNumber>;
      tokens: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strict>]>>;
    claude_agent: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strict>]>>;
  prompt: z$1.ZodOptional<z$1.ZodString>;
  append_prompt: z$1.ZodOptional<z$1.ZodString>;
  name: z$1.ZodString;
  description: z$1.ZodOptional<z$1.ZodString>;
  model: z$1.ZodOptional<z$1.ZodString>;
  fallback: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  effort: z$1.ZodOptional<z$1.ZodEnum<{
    high: "high";
    low: "low";
    max: "max";
    medium: "medium";
  }>>;
  thinking: z$1.ZodOptional<z$1.ZodObject<{
    budget: z$1.ZodOptional<z$1.ZodNumber>;
    decay: z$1.ZodOptional<z$1.ZodObject<{
      after_turn: z$1.ZodNumber;
      factor: z$1.ZodNumber;
      floor: z$1.ZodNumber;
    }, z$1.core.$strict>>;
    display: z$1.ZodOptional<z$1.ZodEnum<{
      concise: "concise";
      detailed: "detailed";
      omitted: "omitted";
      summarized: "summarized";
    }>>;
  }, z$1.core.$strict>>;
  budget: z$1.ZodOptional<z$1.ZodObject<{
    usd: z$1.ZodOptional<z$1.ZodNumber>;
    tokens: z$1.ZodOptional<z$1.ZodNumber>;
    turns: z$1.ZodOptional<z$1.ZodNumber>;
    minutes: z$1.ZodOptional<z$1.ZodNumber>;
    unpriced: z$1.ZodOptional<z$1.ZodEnum<{
      allow: "allow";
      refuse: "refuse";
    }>>;
    runaway: z$1.ZodOptional<z$1.ZodEnum<{
      stop: "stop";
      warn: "warn";
    }>>;
    agents: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strict>>;
  limits: z$1.ZodOptional<z$1.ZodObject<{
    concurrency: z$1.ZodOptional<z$1.ZodNumber>;
    rate: z$1.ZodOptional<z$1.ZodNumber>;
    depth: z$1.ZodOptional<z$1.ZodNumber>;
    requests: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strict>>;
  partition: z$1.ZodOptional<z$1.ZodEnum<{
    enforced: "enforced";
    relaxed: "relaxed";
  }>>;
  clarify: z$1.ZodOptional<z$1.ZodBoolean>;
  scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  permissions: z$1.ZodOptional<z$1.ZodObject<{
    mode: z$1.ZodOptional<z$1.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    allow: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  }, z$1.core.$strict>>;
  tasks: z$1.ZodOptional<z$1.ZodObject<{
    evidence: z$1.ZodOptional<z$1.ZodArray<z$1.ZodEnum<{
      check: "check";
      command: "command";
      file: "file";
    }>>>;
    review: z$1.ZodOptional<z$1.ZodBoolean>;
    lease: z$1.ZodOptional<z$1.ZodString>;
    checks: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
  }, z$1.core.$strict>>;
  http_tools: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodObject<{
    description: z$1.ZodString;
    url: z$1.ZodString;
    headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    input: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
    read_only: z$1.ZodOptional<z$1.ZodBoolean>;
    timeout: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strict>>>;
  mcp_servers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodObject<{
    type: z$1.ZodOptional<z$1.ZodEnum<{
      http: "http";
      sse: "sse";
      stdio: "stdio";
      "streamable-http": "streamable-http";
      ws: "ws";
    }>>;
    command: z$1.ZodOptional<z$1.ZodString>;
    args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    env: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    url: z$1.ZodOptional<z$1.ZodString>;
    headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    headersHelper: z$1.ZodOptional<z$1.ZodString>;
    timeout: z$1.ZodOptional<z$1.ZodNumber>;
    startupTimeout: z$1.ZodOptional<z$1.ZodNumber>;
    disabled: z$1.ZodOptional<z$1.ZodBoolean>;
    required: z$1.ZodOptional<z$1.ZodBoolean>;
    isolation: z$1.ZodOptional<z$1.ZodEnum<{
      "per-member": "per-member";
      shared: "shared";
    }>>;
    trustAnnotations: z$1.ZodOptional<z$1.ZodBoolean>;
    oauth: z$1.ZodOptional<z$1.ZodObject<{
      clientId: z$1.ZodOptional<z$1.ZodString>;
      clientSecret: z$1.ZodOptional<z$1.ZodString>;
      clientMetadataUrl: z$1.ZodOptional<z$1.ZodString>;
      callbackPort: z$1.ZodOptional<z$1.ZodNumber>;
      scope: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strip>>;
  }, z$1.core.$strict>>>;
  mail: z$1.ZodOptional<z$1.ZodObject<{
    max_unread: z$1.ZodOptional<z$1.ZodNumber>;
    durability: z$1.ZodOptional<z$1.ZodEnum<{
      power: "power";
      process: "process";
    }>>;
    archive: z$1.ZodOptional<z$1.ZodObject<{
      count: z$1.ZodOptional<z$1.ZodNumber>;
      age: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strict>>;
  }, z$1.core.$strict>>;
  retention: z$1.ZodOptional<z$1.ZodObject<{
    artifacts: z$1.ZodOptional<z$1.ZodString>;
    dead_letters: z$1.ZodOptional<z$1.ZodString>;
    keys: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strict>>;
  supervision: z$1.ZodOptional<z$1.ZodObject<{
    restarts: z$1.ZodOptional<z$1.ZodNumber>;
    within: z$1.ZodOptional<z$1.ZodString>;
    silence: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strict>>;
  coordinator: z$1.ZodObject<{
    middleware: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      dedup_tools: z$1.ZodOptional<z$1.ZodObject<{
        tools: z$1.ZodArray<z$1.ZodString>;
      }, z$1.core.$strict>>;
      persist_results: z$1.ZodOptional<z$1.ZodObject<{
        above: z$1.ZodNumber;
        except: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      }, z$1.core.$strict>>;
      short_tail: z$1.ZodOptional<z$1.ZodObject<{
        keep: z$1.ZodNumber;
        above: z$1.ZodOptional<z$1.ZodNumber>;
      }, z$1.core.$strict>>;
      diagnostics: z$1.ZodOptional<z$1.ZodObject<{
        command: z$1.ZodString;
        files: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
        timeout: z$1.ZodOptional<z$1.ZodString>;
      }, z$1.core.$strict>>;
    }, z$1.core.$strict>>>;
    defer_tools: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodBoolean, z$1.ZodArray<z$1.ZodString>]>>;
    always_load: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    tool_limits: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnion<readonly [z$1.ZodNumber, z$1.ZodObject<{
      calls: z$1.ZodNumber;
      then: z$1.ZodOptional<z$1.ZodEnum<{
        block: "block";
        steer: "steer";
      }>>;
    }, z$1.core.$strict>]>>>;
    turn_output: z$1.ZodOptional<z$1.ZodNumber>;
    stuck: z$1.ZodOptional<z$1.ZodObject<{
      window: z$1.ZodOptional<z$1.ZodNumber>;
      repeats: z$1.ZodOptional<z$1.ZodNumber>;
      looks: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strict>>;
    escalate: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
      model: z$1.ZodString;
      after_errors: z$1.ZodOptional<z$1.ZodNumber>;
      on_loop: z$1.ZodOptional<z$1.ZodBoolean>;
      on_hard: z$1.ZodOptional<z$1.ZodBoolean>;
    }, z$1.core.$strict>]>>;
    advisor: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
      model: z$1.ZodString;
      max_uses: z$1.ZodOptional<z$1.ZodNumber>;
      max_tokens: z$1.ZodOptional<z$1.ZodNumber>;
      prompt: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strict>]>>;
    max_output: z$1.ZodOptional<z$1.ZodNumber>;
    temperature: z$1.ZodOptional<z$1.ZodNumber>;
    top_p: z$1.ZodOptional<z$1.ZodNumber>;
    stop: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    service_tier: z$1.ZodOptional<z$1.ZodString>;
    metadata: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    betas: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    server_tools: z$1.ZodOptional<z$1.ZodArray<z$1.ZodEnum<{
      code_execution: "code_execution";
      web_search: "web_search";
    }>>>;
    cache: z$1.ZodOptional<z$1.ZodObject<{
      ttl: z$1.ZodEnum<{
        "1h": "1h";
        "5m": "5m";
      }>;
    }, z$1.core.$strict>>;
    hooks: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodEnum<{
      BudgetThreshold: "BudgetThreshold";
      ConfigChange: "ConfigChange";
      CwdChanged: "CwdChanged";
      DirectoryAdded: "DirectoryAdded";
      Elicitation: "Elicitation";
      ElicitationResult: "ElicitationResult";
      FileChanged: "FileChanged";
      GatherDone: "GatherDone";
      InstructionsLoaded: "InstructionsLoaded";
      MessageDead: "MessageDead";
      MessageDeliver: "MessageDeliver";
      MessageDisplay: "MessageDisplay";
      MessageSend: "MessageSend";
      Notification: "Notification";
      PermissionDenied: "PermissionDenied";
      PermissionRequest: "PermissionRequest";
      PostCompact: "PostCompact";
      PostToolBatch: "PostToolBatch";
      PostToolUse: "PostToolUse";
      PostToolUseFailure: "PostToolUseFailure";
      PreCompact: "PreCompact";
      PreToolUse: "PreToolUse";
      RunEnd: "RunEnd";
      SessionEnd: "SessionEnd";
      SessionStart: "SessionStart";
      Setup: "Setup";
      Stop: "Stop";
      StopFailure: "StopFailure";
      SubagentStart: "SubagentStart";
      SubagentStop: "SubagentStop";
      TaskCompleted: "TaskCompleted";
      TaskCreated: "TaskCreated";
      TeammateIdle: "TeammateIdle";
      UserPromptExpansion: "UserPromptExpansion";
      UserPromptSubmit: "UserPromptSubmit";
      WorkerExit: "WorkerExit";
      WorkerSpawn: "WorkerSpawn";
      WorktreeCreate: "WorktreeCreate";
      WorktreeRemove: "WorktreeRemove";
    }> & z$1.core.$partial, z$1.ZodArray<z$1.ZodObject<{
      matcher: z$1.ZodOptional<z$1.ZodString>;
      hooks: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"command">;
        command: z$1.ZodString;
        args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
        asyncRewake: z$1.ZodOptional<z$1.ZodBoolean>;
        shell: z$1.ZodOptional<z$1.ZodEnum<{
          bash: "bash";
          powershell: "powershell";
          sh: "sh";
        }>>;
      }, z$1.core.$strict>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"http">;
        url: z$1.ZodString;
        headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
        allowedEnvVars: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      }, z$1.core.$strict>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        prompt: z$1.ZodString;
        model: z$1.ZodOptional<z$1.ZodString>;
        type: z$1.ZodLiteral<"prompt">;
        continueOnBlock: z$1.ZodOptional<z$1.ZodBoolean>;
      }, z$1.core.$strict>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        prompt: z$1.ZodString;
        model: z$1.ZodOptional<z$1.ZodString>;
        type: z$1.ZodLiteral<"agent">;
      }, z$1.core.$strict>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"mcp_tool">;
        server: z$1.ZodString;
        tool: z$1.ZodString;
        input: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
      }, z$1.core.$strict>], "type">>;
    }, z$1.core.$strict>>>>;
    memory: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodLiteral<false>, z$1.ZodEnum<{
      local: "local";
      project: "project";
      user: "user";
    }>, z$1.ZodObject<{
      scope: z$1.ZodOptional<z$1.ZodEnum<{
        local: "local";
        project: "project";
        user: "user";
      }>>;
      extract: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodBoolean, z$1.ZodObject<{
        model: z$1.ZodOptional<z$1.ZodString>;
        every: z$1.ZodOptional<z$1.ZodNumber>;
        usd: z$1.ZodOptional<z$1.ZodNumber>;
        tokens: z$1.ZodOptional<z$1.ZodNumber>;
      }, z$1.core.$strict>]>>;
      claude_agent: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strict>]>>;
    skills: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    override_prompt: z$1.ZodOptional<z$1.ZodString>;
    append_prompt: z$1.ZodOptional<z$1.ZodString>;
    description: z$1.ZodOptional<z$1.ZodString>;
    prompt: z$1.ZodOptional<z$1.ZodString>;
    from: z$1.ZodOptional<z$1.ZodString>;
    tools: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    model: z$1.ZodOptional<z$1.ZodString>;
    fallback: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    effort: z$1.ZodOptional<z$1.ZodEnum<{
      high: "high";
      low: "low";
      max: "max";
      medium: "medium";
    }>>;
    thinking: z$1.ZodOptional<z$1.ZodObject<{
      budget: z$1.ZodOptional<z$1.ZodNumber>;
      decay: z$1.ZodOptional<z$1.ZodObject<{
        after_turn: z$1.ZodNumber;
        factor: z$1.ZodNumber;
        floor: z$1.ZodNumber;
      }, z$1.core.$strict>>;
      display: z$1.ZodOptional<z$1.ZodEnum<{
        concise: "concise";
        detailed: "detailed";
        omitted: "omitted";
        summarized: "summarized";
      }>>;
    }, z$1.core.$strict>>;
    permissions: z$1.ZodOptional<z$1.ZodObject<{
      mode: z$1.ZodOptional<z$1.ZodEnum<{
        acceptEdits: "acceptEdits";
        bypassPermissions: "bypassPermissions";
        default: "default";
        dontAsk: "dontAsk";
        plan: "plan";
      }>>;
      allow: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    }, z$1.core.$strict>>;
    budget: z$1.ZodOptional<z$1.ZodObject<{
      usd: z$1.ZodOptional<z$1.ZodNumber>;
      tokens: z$1.ZodOptional<z$1.ZodNumber>;
      turns: z$1.ZodOptional<z$1.ZodNumber>;
      minutes: z$1.ZodOptional<z$1.ZodNumber>;
      unpriced: z$1.ZodOptional<z$1.ZodEnum<{
        allow: "allow";
        refuse: "refuse";
      }>>;
      runaway: z$1.ZodOptional<z$1.ZodEnum<{
        stop: "stop";
        warn: "warn";
      }>>;
      agents: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strict>>;
    max_turns: z$1.ZodOptional<z$1.ZodNumber>;
    name: z$1.ZodOptional<z$1.ZodString>;
    gather: z$1.ZodOptional<z$1.ZodObject<{
      wait: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodLiteral<"all">, z$1.ZodLiteral<"any">, z$1.ZodLiteral<"progressive">, z$1.ZodObject<{
        quorum: z$1.ZodNumber;
      }, z$1.core.$strict>]>>;
      timeout: z$1.ZodOptional<z$1.ZodString>;
      rounds: z$1.ZodOptional<z$1.ZodNumber>;
      on_failure: z$1.ZodOptional<z$1.ZodObject<{
        retry: z$1.ZodOptional<z$1.ZodNumber>;
        substitute: z$1.ZodOptional<z$1.ZodString>;
        then: z$1.ZodOptional<z$1.ZodEnum<{
          continue: "continue";
          fail: "fail";
        }>>;
      }, z$1.core.$strict>>;
    }, z$1.core.$strict>>;
  }, z$1.core.$strict>;
  workers: z$1.ZodRecord<z$1.ZodString, z$1.ZodObject<{
    middleware: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      dedup_tools: z$1.ZodOptional<z$1.ZodObject<{
        tools: z$1.ZodArray<z$1.ZodString>;
      }, z$1.core.$strict>>;
      persist_results: z$1.ZodOptional<z$1.ZodObject<{
        above: z$1.ZodNumber;
        except: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      }, z$1.core.$strict>>;
      short_tail: z$1.ZodOptional<z$1.ZodObject<{
        keep: z$1.ZodNumber;
        above: z$1.ZodOptional<z$1.ZodNumber>;
      }, z$1.core.$strict>>;
      diagnostics: z$1.ZodOptional<z$1.ZodObject<{
        command: z$1.ZodString;
        files: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
        timeout: z$1.ZodOptional<z$1.ZodString>;
      }, z$1.core.$strict>>;
    }, z$1.core.$strict>>>;
    defer_tools: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodBoolean, z$1.ZodArray<z$1.ZodString>]>>;
    always_load: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    tool_limits: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnion<readonly [z$1.ZodNumber, z$1.ZodObject<{
      calls: z$1.ZodNumber;
      then: z$1.ZodOptional<z$1.ZodEnum<{
        block: "block";
        steer: "steer";
      }>>;
    }, z$1.core.$strict>]>>>;
    turn_output: z$1.ZodOptional<z$1.ZodNumber>;
    stuck: z$1.ZodOptional<z$1.ZodObject<{
      window: z$1.ZodOptional<z$1.ZodNumber>;
      repeats: z$1.ZodOptional<z$1.ZodNumber>;
      looks: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strict>>;
    token_goal: z$1.ZodOptional<z$1.ZodNumber>;
    escalate: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
      model: z$1.ZodString;
      after_errors: z$1.ZodOptional<z$1.ZodNumber>;
      on_loop: z$1.ZodOptional<z$1.ZodBoolean>;
      on_hard: z$1.ZodOptional<z$1.ZodBoolean>;
    }, z$1.core.$strict>]>>;
    advisor: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
      model: z$1.ZodString;
      max_uses: z$1.ZodOptional<z$1.ZodNumber>;
      max_tokens: z$1.ZodOptional<z$1.ZodNumber>;
      prompt: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strict>]>>;
    verify: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
      command: z$1.ZodString;
      after_changes: z$1.ZodOptional<z$1.ZodBoolean>;
      attempts: z$1.ZodOptional<z$1.ZodNumber>;
      timeout: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strict>]>>;
    max_output: z$1.ZodOptional<z$1.ZodNumber>;
    temperature: z$1.ZodOptional<z$1.ZodNumber>;
    top_p: z$1.ZodOptional<z$1.ZodNumber>;
    stop: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    service_tier: z$1.ZodOptional<z$1.ZodString>;
    metadata: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    betas: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    server_tools: z$1.ZodOptional<z$1.ZodArray<z$1.ZodEnum<{
      code_execution: "code_execution";
      web_search: "web_search";
    }>>>;
    cache: z$1.ZodOptional<z$1.ZodObject<{
      ttl: z$1.ZodEnum<{
        "1h": "1h";
        "5m": "5m";
      }>;
    }, z$1.core.$strict>>;
    hooks: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodEnum<{
      BudgetThreshold: "BudgetThreshold";
      ConfigChange: "ConfigChange";
      CwdChanged: "CwdChanged";
      DirectoryAdded: "DirectoryAdded";
      Elicitation: "Elicitation";
      ElicitationResult: "ElicitationResult";
      FileChanged: "FileChanged";
      GatherDone: "GatherDone";
      InstructionsLoaded: "InstructionsLoaded";
      MessageDead: "MessageDead";
      MessageDeliver: "MessageDeliver";
      MessageDisplay: "MessageDisplay";
      MessageSend: "MessageSend";
      Notification: "Notification";
      PermissionDenied: "PermissionDenied";
      PermissionRequest: "PermissionRequest";
      PostCompact: "PostCompact";
      PostToolBatch: "PostToolBatch";
      PostToolUse: "PostToolUse";
      PostToolUseFailure: "PostToolUseFailure";
      PreCompact: "PreCompact";
      PreToolUse: "PreToolUse";
      RunEnd: "RunEnd";
      SessionEnd: "SessionEnd";
      SessionStart: "SessionStart";
      Setup: "Setup";
      Stop: "Stop";
      StopFailure: "StopFailure";
      SubagentStart: "SubagentStart";
      SubagentStop: "SubagentStop";
      TaskCompleted: "TaskCompleted";
      TaskCreated: "TaskCreated";
      TeammateIdle: "TeammateIdle";
      UserPromptExpansion: "UserPromptExpansion";
      UserPromptSubmit: "UserPromptSubmit";
      WorkerExit: "WorkerExit";
      WorkerSpawn: "WorkerSpawn";
      WorktreeCreate: "WorktreeCreate";
      WorktreeRemove: "WorktreeRemove";
    }> & z$1.core.$partial, z$1.ZodArray<z$1.ZodObject<{
      matcher: z$1.ZodOptional<z$1.ZodString>;
      hooks: z$1.ZodArray<z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"command">;
        command: z$1.ZodString;
        args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
        asyncRewake: z$1.ZodOptional<z$1.ZodBoolean>;
        shell: z$1.ZodOptional<z$1.ZodEnum<{
          bash: "bash";
          powershell: "powershell";
          sh: "sh";
        }>>;
      }, z$1.core.$strict>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"http">;
        url: z$1.ZodString;
        headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
        allowedEnvVars: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      }, z$1.core.$strict>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        prompt: z$1.ZodString;
        model: z$1.ZodOptional<z$1.ZodString>;
        type: z$1.ZodLiteral<"prompt">;
        continueOnBlock: z$1.ZodOptional<z$1.ZodBoolean>;
      }, z$1.core.$strict>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        prompt: z$1.ZodString;
        model: z$1.ZodOptional<z$1.ZodString>;
        type: z$1.ZodLiteral<"agent">;
      }, z$1.core.$strict>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"mcp_tool">;
        server: z$1.ZodString;
        tool: z$1.ZodString;
        input: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
      }, z$1.core.$strict>], "type">>;
    }, z$1.core.$strict>>>>;
    memory: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodLiteral<false>, z$1.ZodEnum<{
      local: "local";
      project: "project";
      user: "user";
    }>, z$1.ZodObject<{
      scope: z$1.ZodOptional<z$1.ZodEnum<{
        local: "local";
        project: "project";
        user: "user";
      }>>;
      extract: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodBoolean, z$1.ZodObject<{
        model: z$1.ZodOptional<z$1.ZodString>;
        every: z$1.ZodOptional<z$1.ZodNumber>;
        usd: z$1.ZodOptional<z$1.ZodNumber>;
        tokens: z$1.ZodOptional<z$1.ZodNumber>;
      }, z$1.core.$strict>]>>;
      claude_agent: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strict>]>>;
    skills: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    override_prompt: z$1.ZodOptional<z$1.ZodString>;
    append_prompt: z$1.ZodOptional<z$1.ZodString>;
    description: z$1.ZodOptional<z$1.ZodString>;
    prompt: z$1.ZodOptional<z$1.ZodString>;
    from: z$1.ZodOptional<z$1.ZodString>;
    tools: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    model: z$1.ZodOptional<z$1.ZodString>;
    fallback: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    effort: z$1.ZodOptional<z$1.ZodEnum<{
      high: "high";
      low: "low";
      max: "max";
      medium: "medium";
    }>>;
    thinking: z$1.ZodOptional<z$1.ZodObject<{
      budget: z$1.ZodOptional<z$1.ZodNumber>;
      decay: z$1.ZodOptional<z$1.ZodObject<{
        after_turn: z$1.ZodNumber;
        factor: z$1.ZodNumber;
        floor: z$1.ZodNumber;
      }, z$1.core.$strict>>;
      display: z$1.ZodOptional<z$1.ZodEnum<{
        concise: "concise";
        detailed: "detailed";
        omitted: "omitted";
        summarized: "summarized";
      }>>;
    }, z$1.core.$strict>>;
    permissions: z$1.ZodOptional<z$1.ZodObject<{
      mode: z$1.ZodOptional<z$1.ZodEnum<{
        acceptEdits: "acceptEdits";
        bypassPermissions: "bypassPermissions";
        default: "default";
        dontAsk: "dontAsk";
        plan: "plan";
      }>>;
      allow: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    }, z$1.core.$strict>>;
    budget: z$1.ZodOptional<z$1.ZodObject<{
      usd: z$1.ZodOptional<z$1.ZodNumber>;
      tokens: z$1.ZodOptional<z$1.ZodNumber>;
      turns: z$1.ZodOptional<z$1.ZodNumber>;
      minutes: z$1.ZodOptional<z$1.ZodNumber>;
      unpriced: z$1.ZodOptional<z$1.ZodEnum<{
        allow: "allow";
        refuse: "refuse";
      }>>;
      runaway: z$1.ZodOptional<z$1.ZodEnum<{
        stop: "stop";
        warn: "warn";
      }>>;
      agents: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strict>>;
    max_turns: z$1.ZodOptional<z$1.ZodNumber>;
    executor: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodEnum<{
      auto: "auto";
      "in-process": "in-process";
      process: "process";
      terminal: "terminal";
      tmux: "tmux";
      "tmux-panes": "tmux-panes";
    }>, z$1.ZodString]>>;
    isolation: z$1.ZodOptional<z$1.ZodEnum<{
      none: "none";
      worktree: "worktree";
    }>>;
    restart: z$1.ZodOptional<z$1.ZodEnum<{
      always: "always";
      never: "never";
      "on-crash": "on-crash";
    }>>;
    replicas: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strict>>;
}, z$1.core.$strict>;
type TeamFile = z$1.infer<typeof teamFileSchema>;
/** The team as a run freezes it: two runs with the same hash ran the same team. */
declare const resolvedTeamSchema: z$1.ZodObject<{
  providers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodObject<{
    api: z$1.ZodOptional<z$1.ZodEnum<{
      chat: "chat";
      messages: "messages";
      responses: "responses";
    }>>;
    cloud: z$1.ZodOptional<z$1.ZodEnum<{
      azure: "azure";
      bedrock: "bedrock";
      foundry: "foundry";
      vertex: "vertex";
    }>>;
    base_url: z$1.ZodOptional<z$1.ZodString>;
    key: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodString, z$1.ZodObject<{
      command: z$1.ZodString;
    }, z$1.core.$strict>]>>;
    headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    query: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    models: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    local: z$1.ZodOptional<z$1.ZodBoolean>;
    slots: z$1.ZodOptional<z$1.ZodNumber>;
    region: z$1.ZodOptional<z$1.ZodString>;
    project: z$1.ZodOptional<z$1.ZodString>;
    api_version: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strict>>>;
  retries: z$1.ZodOptional<z$1.ZodNumber>;
  fallback_after: z$1.ZodOptional<z$1.ZodNumber>;
  fallback_on_refusal: z$1.ZodOptional<z$1.ZodBoolean>;
  api: z$1.ZodOptional<z$1.ZodEnum<{
    chat: "chat";
    responses: "responses";
  }>>;
  persistent: z$1.ZodOptional<z$1.ZodBoolean>;
  timeouts: z$1.ZodOptional<z$1.ZodObject<{
    connect_ms: z$1.ZodOptional<z$1.ZodNumber>;
    first_byte_ms: z$1.ZodOptional<z$1.ZodNumber>;
    idle_ms: z$1.ZodOptional<z$1.ZodNumber>;
    progress_ms: z$1.ZodOptional<z$1.ZodNumber>;
    total_ms: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strip>>;
  prompt: z$1.ZodOptional<z$1.ZodString>;
  append_prompt: z$1.ZodOptional<z$1.ZodString>;
  name: z$1.ZodString;
  description: z$1.ZodString;
  file: z$1.ZodString;
  budget: z$1.ZodObject<{
    usd: z$1.ZodOptional<z$1.ZodNumber>;
    tokens: z$1.ZodOptional<z$1.ZodNumber>;
    turns: z$1.ZodOptional<z$1.ZodNumber>;
    minutes: z$1.ZodOptional<z$1.ZodNumber>;
    unpriced: z$1.ZodOptional<z$1.ZodEnum<{
      allow: "allow";
      refuse: "refuse";
    }>>;
    runaway: z$1.ZodOptional<z$1.ZodEnum<{
      stop: "stop";
      warn: "warn";
    }>>;
    agents: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strict>;
  limits: z$1.ZodOptional<z$1.ZodObject<{
    concurrency: z$1.ZodOptional<z$1.ZodNumber>;
    rate: z$1.ZodOptional<z$1.ZodNumber>;
    depth: z$1.ZodOptional<z$1.ZodNumber>;
    requests: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strict>>;
  partition: z$1.ZodEnum<{
    enforced: "enforced";
    relaxed: "relaxed";
  }>;
  clarify: z$1.ZodOptional<z$1.ZodBoolean>;
  scope: z$1.ZodArray<z$1.ZodString>;
  permissions: z$1.ZodObject<{
    mode: z$1.ZodOptional<z$1.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    allow: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  }, z$1.core.$strict>;
  gather: z$1.ZodObject<{
    wait: z$1.ZodUnion<readonly [z$1.ZodLiteral<"all">, z$1.ZodLiteral<"any">, z$1.ZodLiteral<"progressive">, z$1.ZodObject<{
      quorum: z$1.ZodNumber;
    }, z$1.core.$strip>]>;
    timeout_ms: z$1.ZodNumber;
    rounds: z$1.ZodOptional<z$1.ZodNumber>;
    retry: z$1.ZodNumber;
    substitute: z$1.ZodOptional<z$1.ZodString>;
    then: z$1.ZodEnum<{
      continue: "continue";
      fail: "fail";
    }>;
  }, z$1.core.$strip>;
  mail: z$1.ZodOptional<z$1.ZodObject<{
    max_unread: z$1.ZodNumber;
    durability: z$1.ZodEnum<{
      power: "power";
      process: "process";
    }>;
    archive: z$1.ZodObject<{
      count: z$1.ZodNumber;
      age_ms: z$1.ZodNumber;
    }, z$1.core.$strip>;
  }, z$1.core.$strip>>;
  supervision: z$1.ZodOptional<z$1.ZodObject<{
    restarts: z$1.ZodNumber;
    within_ms: z$1.ZodNumber;
    silence_ms: z$1.ZodNumber;
  }, z$1.core.$strip>>;
  retention: z$1.ZodOptional<z$1.ZodObject<{
    artifacts_ms: z$1.ZodNumber;
    dead_letters_ms: z$1.ZodNumber;
    keys_ms: z$1.ZodNumber;
  }, z$1.core.$strip>>;
  http_tools: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodObject<{
    description: z$1.ZodString;
    url: z$1.ZodString;
    headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    input: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
    read_only: z$1.ZodOptional<z$1.ZodBoolean>;
    timeout: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strict>>>;
  code_tools: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    name: z$1.ZodString;
    file: z$1.ZodString;
    sha256: z$1.ZodString;
  }, z$1.core.$strip>>>;
  hooks: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
    event: z$1.ZodEnum<{
      BudgetThreshold: "BudgetThreshold";
      ConfigChange: "ConfigChange";
      CwdChanged: "CwdChanged";
      DirectoryAdded: "DirectoryAdded";
      Elicitation: "Elicitation";
      ElicitationResult: "ElicitationResult";
      FileChanged: "FileChanged";
      GatherDone: "GatherDone";
      InstructionsLoaded: "InstructionsLoaded";
      MessageDead: "MessageDead";
      MessageDeliver: "MessageDeliver";
      MessageDisplay: "MessageDisplay";
      MessageSend: "MessageSend";
      Notification: "Notification";
      PermissionDenied: "PermissionDenied";
      PermissionRequest: "PermissionRequest";
      PostCompact: "PostCompact";
      PostToolBatch: "PostToolBatch";
      PostToolUse: "PostToolUse";
      PostToolUseFailure: "PostToolUseFailure";
      PreCompact: "PreCompact";
      PreToolUse: "PreToolUse";
      RunEnd: "RunEnd";
      SessionEnd: "SessionEnd";
      SessionStart: "SessionStart";
      Setup: "Setup";
      Stop: "Stop";
      StopFailure: "StopFailure";
      SubagentStart: "SubagentStart";
      SubagentStop: "SubagentStop";
      TaskCompleted: "TaskCompleted";
      TaskCreated: "TaskCreated";
      TeammateIdle: "TeammateIdle";
      UserPromptExpansion: "UserPromptExpansion";
      UserPromptSubmit: "UserPromptSubmit";
      WorkerExit: "WorkerExit";
      WorkerSpawn: "WorkerSpawn";
      WorktreeCreate: "WorktreeCreate";
      WorktreeRemove: "WorktreeRemove";
    }>;
    matcher: z$1.ZodNullable<z$1.ZodString>;
    spec: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      type: z$1.ZodLiteral<"command">;
      command: z$1.ZodString;
      args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      asyncRewake: z$1.ZodOptional<z$1.ZodBoolean>;
      shell: z$1.ZodOptional<z$1.ZodEnum<{
        bash: "bash";
        powershell: "powershell";
        sh: "sh";
      }>>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      type: z$1.ZodLiteral<"http">;
      url: z$1.ZodString;
      headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
      allowedEnvVars: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      prompt: z$1.ZodString;
      model: z$1.ZodOptional<z$1.ZodString>;
      type: z$1.ZodLiteral<"prompt">;
      continueOnBlock: z$1.ZodOptional<z$1.ZodBoolean>;
    }, z$1.core.$strip>, z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      prompt: z$1.ZodString;
      model: z$1.ZodOptional<z$1.ZodString>;
      type: z$1.ZodLiteral<"agent">;
    }, z$1.core.$strip>, z$1.ZodObject<{
      if: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      statusMessage: z$1.ZodOptional<z$1.ZodString>;
      once: z$1.ZodOptional<z$1.ZodBoolean>;
      async: z$1.ZodOptional<z$1.ZodBoolean>;
      on_failure: z$1.ZodOptional<z$1.ZodEnum<{
        deny: "deny";
        open: "open";
      }>>;
      type: z$1.ZodLiteral<"mcp_tool">;
      server: z$1.ZodString;
      tool: z$1.ZodString;
      input: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
    }, z$1.core.$strip>], "type">;
    source: z$1.ZodEnum<{
      local: "local";
      member: "member";
      plugin: "plugin";
      policy: "policy";
      program: "program";
      project: "project";
      skill: "skill";
      team: "team";
      user: "user";
    }>;
    at: z$1.ZodString;
    root: z$1.ZodOptional<z$1.ZodString>;
    refused: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>>>;
  mcp_servers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodObject<{
    spec: z$1.ZodObject<{
      type: z$1.ZodOptional<z$1.ZodEnum<{
        http: "http";
        sse: "sse";
        stdio: "stdio";
        "streamable-http": "streamable-http";
        ws: "ws";
      }>>;
      command: z$1.ZodOptional<z$1.ZodString>;
      args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      env: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
      url: z$1.ZodOptional<z$1.ZodString>;
      headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
      headersHelper: z$1.ZodOptional<z$1.ZodString>;
      timeout: z$1.ZodOptional<z$1.ZodNumber>;
      startupTimeout: z$1.ZodOptional<z$1.ZodNumber>;
      disabled: z$1.ZodOptional<z$1.ZodBoolean>;
      required: z$1.ZodOptional<z$1.ZodBoolean>;
      isolation: z$1.ZodOptional<z$1.ZodEnum<{
        "per-member": "per-member";
        shared: "shared";
      }>>;
      trustAnnotations: z$1.ZodOptional<z$1.ZodBoolean>;
      oauth: z$1.ZodOptional<z$1.ZodObject<{
        clientId: z$1.ZodOptional<z$1.ZodString>;
        clientSecret: z$1.ZodOptional<z$1.ZodString>;
        clientMetadataUrl: z$1.ZodOptional<z$1.ZodString>;
        callbackPort: z$1.ZodOptional<z$1.ZodNumber>;
        scope: z$1.ZodOptional<z$1.ZodString>;
      }, z$1.core.$strip>>;
    }, z$1.core.$strip>;
    scope: z$1.ZodEnum<{
      dynamic: "dynamic";
      enterprise: "enterprise";
      local: "local";
      plugin: "plugin";
      project: "project";
      team: "team";
      user: "user";
    }>;
    file: z$1.ZodString;
  }, z$1.core.$strip>>>;
  tasks: z$1.ZodOptional<z$1.ZodObject<{
    evidence: z$1.ZodArray<z$1.ZodEnum<{
      check: "check";
      command: "command";
      file: "file";
    }>>;
    review: z$1.ZodBoolean;
    lease_ms: z$1.ZodNumber;
    checks: z$1.ZodRecord<z$1.ZodString, z$1.ZodString>;
  }, z$1.core.$strip>>;
  coordinator: z$1.ZodString;
  members: z$1.ZodArray<z$1.ZodObject<{
    middleware: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      dedup_tools: z$1.ZodOptional<z$1.ZodObject<{
        tools: z$1.ZodArray<z$1.ZodString>;
      }, z$1.core.$strict>>;
      persist_results: z$1.ZodOptional<z$1.ZodObject<{
        above: z$1.ZodNumber;
        except: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      }, z$1.core.$strict>>;
      short_tail: z$1.ZodOptional<z$1.ZodObject<{
        keep: z$1.ZodNumber;
        above: z$1.ZodOptional<z$1.ZodNumber>;
      }, z$1.core.$strict>>;
      diagnostics: z$1.ZodOptional<z$1.ZodObject<{
        command: z$1.ZodString;
        files: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
        timeout: z$1.ZodOptional<z$1.ZodString>;
      }, z$1.core.$strict>>;
    }, z$1.core.$strict>>>;
    defer_tools: z$1.ZodOptional<z$1.ZodUnion<readonly [z$1.ZodBoolean, z$1.ZodArray<z$1.ZodString>]>>;
    always_load: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    tool_limits: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodObject<{
      calls: z$1.ZodNumber;
      then: z$1.ZodEnum<{
        block: "block";
        steer: "steer";
      }>;
    }, z$1.core.$strip>>>;
    turn_output: z$1.ZodOptional<z$1.ZodNumber>;
    stuck: z$1.ZodOptional<z$1.ZodObject<{
      window: z$1.ZodOptional<z$1.ZodNumber>;
      repeats: z$1.ZodOptional<z$1.ZodNumber>;
      looks: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strict>>;
    token_goal: z$1.ZodOptional<z$1.ZodNumber>;
    verify: z$1.ZodOptional<z$1.ZodObject<{
      command: z$1.ZodString;
      after_changes: z$1.ZodBoolean;
      attempts: z$1.ZodNumber;
      timeout_ms: z$1.ZodNumber;
    }, z$1.core.$strip>>;
    advisor: z$1.ZodOptional<z$1.ZodObject<{
      model: z$1.ZodString;
      max_uses: z$1.ZodNumber;
      max_tokens: z$1.ZodNumber;
      prompt: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strip>>;
    escalate: z$1.ZodOptional<z$1.ZodObject<{
      model: z$1.ZodString;
      after_errors: z$1.ZodNumber;
      on_loop: z$1.ZodBoolean;
      on_hard: z$1.ZodOptional<z$1.ZodBoolean>;
    }, z$1.core.$strip>>;
    max_output: z$1.ZodOptional<z$1.ZodNumber>;
    temperature: z$1.ZodOptional<z$1.ZodNumber>;
    top_p: z$1.ZodOptional<z$1.ZodNumber>;
    stop: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    service_tier: z$1.ZodOptional<z$1.ZodString>;
    metadata: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
    betas: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    server_tools: z$1.ZodOptional<z$1.ZodArray<z$1.ZodEnum<{
      code_execution: "code_execution";
      web_search: "web_search";
    }>>>;
    cache: z$1.ZodOptional<z$1.ZodObject<{
      ttl: z$1.ZodEnum<{
        "1h": "1h";
        "5m": "5m";
      }>;
    }, z$1.core.$strict>>;
    skills: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    override_prompt: z$1.ZodOptional<z$1.ZodString>;
    append_prompt: z$1.ZodOptional<z$1.ZodString>;
    name: z$1.ZodString;
    role: z$1.ZodEnum<{
      coordinator: "coordinator";
      worker: "worker";
    }>;
    card: z$1.ZodString;
    description: z$1.ZodString;
    prompt: z$1.ZodString;
    tools: z$1.ZodArray<z$1.ZodString>;
    model: z$1.ZodString;
    fallback: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    effort: z$1.ZodOptional<z$1.ZodEnum<{
      high: "high";
      low: "low";
      max: "max";
      medium: "medium";
    }>>;
    thinking: z$1.ZodOptional<z$1.ZodObject<{
      budget: z$1.ZodOptional<z$1.ZodNumber>;
      decay: z$1.ZodOptional<z$1.ZodObject<{
        after_turn: z$1.ZodNumber;
        factor: z$1.ZodNumber;
        floor: z$1.ZodNumber;
      }, z$1.core.$strict>>;
      display: z$1.ZodOptional<z$1.ZodEnum<{
        concise: "concise";
        detailed: "detailed";
        omitted: "omitted";
        summarized: "summarized";
      }>>;
    }, z$1.core.$strict>>;
    permissions: z$1.ZodObject<{
      mode: z$1.ZodOptional<z$1.ZodEnum<{
        acceptEdits: "acceptEdits";
        bypassPermissions: "bypassPermissions";
        default: "default";
        dontAsk: "dontAsk";
        plan: "plan";
      }>>;
      allow: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      scope: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      blocked_hosts: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    }, z$1.core.$strict>;
    budget: z$1.ZodObject<{
      usd: z$1.ZodOptional<z$1.ZodNumber>;
      tokens: z$1.ZodOptional<z$1.ZodNumber>;
      turns: z$1.ZodOptional<z$1.ZodNumber>;
      minutes: z$1.ZodOptional<z$1.ZodNumber>;
      unpriced: z$1.ZodOptional<z$1.ZodEnum<{
        allow: "allow";
        refuse: "refuse";
      }>>;
      runaway: z$1.ZodOptional<z$1.ZodEnum<{
        stop: "stop";
        warn: "warn";
      }>>;
      agents: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strict>;
    executor: z$1.ZodString;
    isolation: z$1.ZodEnum<{
      none: "none";
      worktree: "worktree";
    }>;
    restart: z$1.ZodEnum<{
      always: "always";
      never: "never";
      "on-crash": "on-crash";
    }>;
    max_turns: z$1.ZodNumber;
    memory: z$1.ZodOptional<z$1.ZodObject<{
      scope: z$1.ZodEnum<{
        local: "local";
        project: "project";
        user: "user";
      }>;
      extract: z$1.ZodNullable<z$1.ZodObject<{
        model: z$1.ZodOptional<z$1.ZodString>;
        usd: z$1.ZodOptional<z$1.ZodNumber>;
        tokens: z$1.ZodOptional<z$1.ZodNumber>;
        every: z$1.ZodNumber;
      }, z$1.core.$strip>>;
      claude_agent: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strip>>;
    hooks: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      event: z$1.ZodEnum<{
        BudgetThreshold: "BudgetThreshold";
        ConfigChange: "ConfigChange";
        CwdChanged: "CwdChanged";
        DirectoryAdded: "DirectoryAdded";
        Elicitation: "Elicitation";
        ElicitationResult: "ElicitationResult";
        FileChanged: "FileChanged";
        GatherDone: "GatherDone";
        InstructionsLoaded: "InstructionsLoaded";
        MessageDead: "MessageDead";
        MessageDeliver: "MessageDeliver";
        MessageDisplay: "MessageDisplay";
        MessageSend: "MessageSend";
        Notification: "Notification";
        PermissionDenied: "PermissionDenied";
        PermissionRequest: "PermissionRequest";
        PostCompact: "PostCompact";
        PostToolBatch: "PostToolBatch";
        PostToolUse: "PostToolUse";
        PostToolUseFailure: "PostToolUseFailure";
        PreCompact: "PreCompact";
        PreToolUse: "PreToolUse";
        RunEnd: "RunEnd";
        SessionEnd: "SessionEnd";
        SessionStart: "SessionStart";
        Setup: "Setup";
        Stop: "Stop";
        StopFailure: "StopFailure";
        SubagentStart: "SubagentStart";
        SubagentStop: "SubagentStop";
        TaskCompleted: "TaskCompleted";
        TaskCreated: "TaskCreated";
        TeammateIdle: "TeammateIdle";
        UserPromptExpansion: "UserPromptExpansion";
        UserPromptSubmit: "UserPromptSubmit";
        WorkerExit: "WorkerExit";
        WorkerSpawn: "WorkerSpawn";
        WorktreeCreate: "WorktreeCreate";
        WorktreeRemove: "WorktreeRemove";
      }>;
      matcher: z$1.ZodNullable<z$1.ZodString>;
      spec: z$1.ZodDiscriminatedUnion<[z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"command">;
        command: z$1.ZodString;
        args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
        asyncRewake: z$1.ZodOptional<z$1.ZodBoolean>;
        shell: z$1.ZodOptional<z$1.ZodEnum<{
          bash: "bash";
          powershell: "powershell";
          sh: "sh";
        }>>;
      }, z$1.core.$strip>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"http">;
        url: z$1.ZodString;
        headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
        allowedEnvVars: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
      }, z$1.core.$strip>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        prompt: z$1.ZodString;
        model: z$1.ZodOptional<z$1.ZodString>;
        type: z$1.ZodLiteral<"prompt">;
        continueOnBlock: z$1.ZodOptional<z$1.ZodBoolean>;
      }, z$1.core.$strip>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        prompt: z$1.ZodString;
        model: z$1.ZodOptional<z$1.ZodString>;
        type: z$1.ZodLiteral<"agent">;
      }, z$1.core.$strip>, z$1.ZodObject<{
        if: z$1.ZodOptional<z$1.ZodString>;
        timeout: z$1.ZodOptional<z$1.ZodNumber>;
        statusMessage: z$1.ZodOptional<z$1.ZodString>;
        once: z$1.ZodOptional<z$1.ZodBoolean>;
        async: z$1.ZodOptional<z$1.ZodBoolean>;
        on_failure: z$1.ZodOptional<z$1.ZodEnum<{
          deny: "deny";
          open: "open";
        }>>;
        type: z$1.ZodLiteral<"mcp_tool">;
        server: z$1.ZodString;
        tool: z$1.ZodString;
        input: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>>;
      }, z$1.core.$strip>], "type">;
      source: z$1.ZodEnum<{
        local: "local";
        member: "member";
        plugin: "plugin";
        policy: "policy";
        program: "program";
        project: "project";
        skill: "skill";
        team: "team";
        user: "user";
      }>;
      at: z$1.ZodString;
      root: z$1.ZodOptional<z$1.ZodString>;
      refused: z$1.ZodOptional<z$1.ZodString>;
    }, z$1.core.$strip>>>;
  }, z$1.core.$strip>>;
  named: z$1.ZodOptional<z$1.ZodObject<{
    model: z$1.ZodOptional<z$1.ZodString>;
    fallback: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    append_prompt: z$1.ZodOptional<z$1.ZodString>;
    with: z$1.ZodOptional<z$1.ZodArray<z$1.ZodObject<{
      key: z$1.ZodString;
      value: z$1.ZodJSONSchema;
    }, z$1.core.$strip>>>;
  }, z$1.core.$strip>>;
  hash: z$1.ZodString;
}, z$1.core.$strip>;
type ResolvedTeam = z$1.infer<typeof resolvedTeamSchema>;
/** A member's public identity, `name@team`: readable in a log, unique in a run. */
type AgentId = `${string}@${string}`;
/** Options from the start of the run that hold for whoever leads it on. */
declare const launchSchema: z$1.ZodObject<{
  mode: z$1.ZodOptional<z$1.ZodEnum<{
    acceptEdits: "acceptEdits";
    bypassPermissions: "bypassPermissions";
    default: "default";
    dontAsk: "dontAsk";
    plan: "plan";
  }>>;
  rules: z$1.ZodOptional<z$1.ZodObject<{
    allow: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    ask: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
    deny: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  }, z$1.core.$strip>>;
  trusted: z$1.ZodOptional<z$1.ZodBoolean>;
  allowBypass: z$1.ZodOptional<z$1.ZodBoolean>;
  permissionWaitMs: z$1.ZodOptional<z$1.ZodNumber>;
  classifier: z$1.ZodOptional<z$1.ZodString>;
  budgetUsd: z$1.ZodOptional<z$1.ZodNumber>;
  executor: z$1.ZodOptional<z$1.ZodString>;
  traceparent: z$1.ZodOptional<z$1.ZodString>;
}, z$1.core.$strip>;
/** The document that `run --json` prints. */
declare const runResultSchema: z$1.ZodObject<{
  run: z$1.ZodString;
  run_dir: z$1.ZodString;
  team: z$1.ZodString;
  task: z$1.ZodString;
  status: z$1.ZodEnum<{
    aborted: "aborted";
    budget: "budget";
    completed: "completed";
    failed: "failed";
    interrupted: "interrupted";
    permission: "permission";
  }>;
  reason: z$1.ZodString;
  failure: z$1.ZodOptional<z$1.ZodObject<{
    code: z$1.ZodEnum<{
      aborted: "aborted";
      broken_shape: "broken_shape";
      budget_exhausted: "budget_exhausted";
      connection_lost: "connection_lost";
      context_exceeded: "context_exceeded";
      crashed: "crashed";
      forbidden: "forbidden";
      invalid_request: "invalid_request";
      missing_credential: "missing_credential";
      no_answer: "no_answer";
      not_checked: "not_checked";
      not_found: "not_found";
      output_exceeded: "output_exceeded";
      overloaded: "overloaded";
      rate_limited: "rate_limited";
      refused: "refused";
      script_mismatch: "script_mismatch";
      server_error: "server_error";
      stream_broken: "stream_broken";
      timed_out: "timed_out";
      unauthorized: "unauthorized";
      unverified: "unverified";
    }>;
    message: z$1.ZodString;
    remedy: z$1.ZodOptional<z$1.ZodString>;
    status: z$1.ZodOptional<z$1.ZodNumber>;
    retry_after_ms: z$1.ZodOptional<z$1.ZodNumber>;
    retry_at: z$1.ZodOptional<z$1.ZodNumber>;
    request_id: z$1.ZodOptional<z$1.ZodString>;
    retry: z$1.ZodOptional<z$1.ZodBoolean>;
  }, z$1.core.$strip>>;
  result: z$1.ZodNullable<z$1.ZodString>;
  afterwards: z$1.ZodArray<z$1.ZodString>;
  missing: z$1.ZodArray<z$1.ZodObject<{
    request: z$1.ZodString;
    worker: z$1.ZodString;
    status: z$1.ZodEnum<{
      failed: "failed";
      timed_out: "timed_out";
    }>;
    reason: z$1.ZodOptional<z$1.ZodString>;
    covered: z$1.ZodBoolean;
  }, z$1.core.$strip>>;
  denied: z$1.ZodArray<z$1.ZodObject<{
    member: z$1.ZodString;
    tool: z$1.ZodString;
    reason: z$1.ZodString;
  }, z$1.core.$strip>>;
  denied_more: z$1.ZodOptional<z$1.ZodNumber>;
  members: z$1.ZodArray<z$1.ZodObject<{
    id: z$1.ZodCustom<`${string}@${string}`, `${string}@${string}`>;
    status: z$1.ZodEnum<{
      busy: "busy";
      crashed: "crashed";
      draining: "draining";
      gone: "gone";
      idle: "idle";
      not_started: "not_started";
      starting: "starting";
    }>;
    turns: z$1.ZodNumber;
    reason: z$1.ZodNullable<z$1.ZodEnum<{
      aborted_streaming: "aborted_streaming";
      aborted_tools: "aborted_tools";
      budget_exhausted: "budget_exhausted";
      completed: "completed";
      cut: "cut";
      diminishing_returns: "diminishing_returns";
      failed: "failed";
      loop_detected: "loop_detected";
      max_turns: "max_turns";
      no_answer: "no_answer";
      prompt_too_long: "prompt_too_long";
      stop_hook_prevented: "stop_hook_prevented";
      verified: "verified";
    }>>;
    usage: z$1.ZodObject<{
      input: z$1.ZodNumber;
      output: z$1.ZodNumber;
      cache_read: z$1.ZodNumber;
      cache_write: z$1.ZodNumber;
      reasoning: z$1.ZodOptional<z$1.ZodNumber>;
      searches: z$1.ZodOptional<z$1.ZodNumber>;
    }, z$1.core.$strip>;
    cost_usd: z$1.ZodNullable<z$1.ZodNumber>;
  }, z$1.core.$strip>>;
  usage: z$1.ZodObject<{
    input: z$1.ZodNumber;
    output: z$1.ZodNumber;
    cache_read: z$1.ZodNumber;
    cache_write: z$1.ZodNumber;
    reasoning: z$1.ZodOptional<z$1.ZodNumber>;
    searches: z$1.ZodOptional<z$1.ZodNumber>;
  }, z$1.core.$strip>;
  cost_usd: z$1.ZodNullable<z$1.ZodNumber>;
  duration_ms: z$1.ZodNumber;
}, z$1.core.$strip>;
type Launch = z$1.infer<typeof launchSchema>;
type RunResult = z$1.infer<typeof runResultSchema>;
/** Live text for the screen: lossy, never journaled, past the machines. */
interface Delta {
  readonly member: string;
  /** `reset`: what was streamed of this answer is void, it is asked for again. */
  readonly type: 'text' | 'thinking' | 'progress' | 'reset';
  readonly text: string;
  readonly call_id?: string;
}
interface NewRun {
  /** `<cwd>/.troupe/runs`. */
  readonly root: string;
  readonly team: ResolvedTeam;
  readonly task: string;
  readonly cwd: string;
  /** The user's directory, where the run's key is kept. */
  readonly home: string;
  readonly git_head: string | null;
  /** A fresh ULID: newer runs sort later. */
  readonly ulid: string;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly launch?: Launch;
  /** Images and documents that come with the task; `readAttachments` makes them of files. */
  readonly attachments?: readonly Attachment[];
}
/** The options of an agent that a member has on its card. */
interface CardOptions {
  readonly name?: string;
  /** How hard the model shall think (default: as it likes). */
  readonly effort?: Effort;
  /** Tokens to think for, and how they grow fewer from turn to turn. */
  readonly thinking?: ThinkingPlan;
  /** Longest answer in tokens, thinking included (default: the longest the model can, at first 32000). */
  readonly maxOutput?: number;
  /** Temperature and the like, passed on to vendors that know them. */
  readonly sampling?: Omit<AnswerSettings, 'max_output' | 'cache'>;
  /** How long the vendor keeps what was asked (default: 5m). */
  readonly cache?: AnswerSettings['cache'];
  /** Model answers per run (default 40). */
  readonly maxTurns?: number;
  /**
   * How often a tool may be called in one run. A number refuses what comes after; `then: 'steer'` lets it run and tells
   * the model to come to an end.
   */
  readonly toolLimits?: Readonly<Record<string, number | ToolLimit>>;
  /** Characters that the results of one turn may have together before the model is told to digest them (default: any). */
  readonly turnOutput?: number;
  /**
   * Output tokens that a run is meant to be worth: short of nine tenths of it an agent that would end is told to go on,
   * unless it adds hardly anything any more (default: it ends when it likes).
   */
  readonly tokenGoal?: number;
  /** A command that has to pass before the work counts as done, by the agent's own permissions (default: none). */
  readonly verify?: VerifyWish;
  /** A stronger model that goes on when the agent says that it cannot, or visibly cannot (default: none). */
  readonly escalate?: EscalationWish;
  /** A model that the agent may ask for advice, a few times in a run, with the tool `Advisor` (default: none). */
  readonly advisor?: AdvisorWish;
  /**
   * Gives the agent the tools Remember, Recall and Forget, and what it and others remember of earlier work; a scope, or a map
   * (default: none). What a project shares counts where a person trusts it.
   */
  readonly memory?: MemoryCardWish;
}
/** A worker of a lone agent: what its card says otherwise than the agent's, and only narrower. */
interface AgentWorker {
  /** The words about it for the agent. */
  readonly description: string;
  readonly system?: string;
  /** The names of the agent's tools that it has, too (default: all but `Delegate`). */
  readonly tools?: readonly string[];
  /** (default: the models of the agent) */
  readonly model?: string | Model;
  /** Model answers per piece of work (default: as many as the agent's). */
  readonly maxTurns?: number;
  /** Added to the rules of the agent; a mode that is wider than the agent's does not count. */
  readonly permissions?: Pick<RuleLists, 'ask' | 'deny'> & {
    readonly mode?: PermissionMode;
  };
}
/** A single agent: the models that answer it, its tools, its place. */
interface AgentOptions extends CardOptions {
  /** `provider/model`, or an object that implements `Model`. */
  readonly model: string | Model;
  /** Models that answer when the first one is given up, in this order. */
  readonly fallback?: readonly (string | Model)[];
  /** How often a failed request is asked again (default 10). */
  readonly retries?: number;
  /** Failures in a row after which a fallback answers; a server that hangs is not asked twice (default 3). */
  readonly fallbackAfter?: number;
  /** A fallback answers what the first model refused, too (default false). */
  readonly fallbackOnRefusal?: boolean;
  /** Waits for busy and limited servers up to six hours instead of failing (default false). */
  readonly persistent?: boolean;
  /** How long a server is waited for (default: 10 s, 10 min or 30 s where a fallback stands in, 60 s, 10 min, any). */
  readonly timeouts?: ServerTimeouts;
  readonly system?: string;
  /** Tools by definition; none are implied. */
  readonly tools?: readonly Tool[];
  /** Further tools, asked for before each turn: `() => connected ? [Deploy] : []` (default: none). */
  readonly refreshTools?: () => readonly Tool[];
  /**
   * Workers that it may hand parts of its work to with the tool `Delegate`, by name. None has more tools and rights than
   * the agent; their runs end with the call, and are told among the agent's events with a `depth` (default: none).
   */
  readonly workers?: Readonly<Record<string, AgentWorker>>;
  /** Tools whose schema is shown only after a look-up with ToolSearch: all but those with `alwaysLoad`, or these. */
  readonly deferTools?: boolean | readonly string[];
  /**
   * Skills that the agent has read from the beginning, by name. With the tool `Skill` it is told of all that are there, and opens
   * them itself; rules and hooks of those in a project count where a person trusts them (default: none).
   */
  readonly skills?: readonly string[];
  /** Code around the work of each run, the first is the outermost; that of a run goes around it. */
  readonly middleware?: readonly Middleware[];
  readonly permissions?: RuleLists & {
    readonly mode?: PermissionMode;
  };
  /** The fence around shell commands of this machine, as the settings files have it; none by default. */
  readonly sandbox?: SandboxSettings;
  /** Answers when a rule asks; by default nobody does. */
  readonly approver?: Approver;
  /**
   * A model that judges calls which no rule decides, beside the approver: the first that may decide counts (default: none).
   */
  readonly classifier?: string | Model;
  readonly cwd?: string;
  /** The files that its tools see: `commandFilesystem([…], env)`, or an object of one's own (default: those of this machine). */
  readonly files?: Filesystem;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Servers of models by names of one's own, or another way to those that are known. */
  readonly servers?: ProviderSpecs;
  /** Where the journal `<name>.jsonl` lies; without one it is kept in memory. */
  readonly runDir?: string;
  /** Concurrency-safe tool calls that may run at the same time (default 10). */
  readonly maxParallelCalls?: number;
  /** Hooks in the form of the settings, functions among them (default: none). */
  readonly hooks?: HookTable;
  readonly clock?: Clock;
}
/** The shape of an answer: a JSON Schema, or a schema of zod, which counts by its JSON Schema. */
type AnswerSchema = Contract | z$1.ZodType;
/** How one run of an agent ended. */
interface AgentResult {
  readonly text: string;
  readonly reason: TerminalReason;
  readonly turns: number;
  readonly usage: Usage;
  readonly failure?: Failure;
  /** The answer of a run with a `schema`, which it keeps. */
  readonly value?: unknown;
}
/** One run: iterate it for events, or await `result`. Leaving the iteration early aborts the run. */
interface AgentRun extends AsyncIterable<AgentEvent> {
  readonly result: Promise<AgentResult>;
  /** Speaks before the next model call; calls that have not begun are skipped for it. */
  steer(text: string): void;
  /** Speaks at once: the model call or the calls that can be cancelled are given up for it, too. */
  interrupt(text: string): void;
  /** Speaks when the agent would stop. */
  followUp(text: string): void;
  abort(): void;
}
interface RunOptions {
  readonly signal?: AbortSignal;
  /** Code around the work of this run, outside of that of the agent; the first is the outermost. */
  readonly middleware?: readonly Middleware[];
  /**
   * The shape of the answer, as JSON Schema or as a schema of zod. An answer that does not have it is asked for once more;
   * the second time the run fails with `broken_shape`. The answer is in `value`.
   */
  readonly schema?: AnswerSchema;
  /** Images and documents that come with the prompt; `readAttachments` makes them of files. */
  readonly attachments?: readonly Attachment[];
}
/** An agent with one conversation; a run waits for the one before it. */
interface Agent {
  run(prompt: string, options?: RunOptions): AgentRun;
  /** Opens models, tools and skills before the first run, which otherwise does so; once, however often it is called. */
  warmup(): Promise<void>;
  /** Goes on with the run that the death of an earlier process cut short; null where its journal tells of none. */
  resume(options?: RunOptions): AgentRun | null;
  /** Closes the journal; call it when no run is going on. */
  close(): void;
}
/**
 * Makes an agent outside of any team. With a `runDir` that holds its journal it goes on where that ends.
 *
 * @throws Error at once where a sandbox is asked for and commands run elsewhere; through `result` and `warmup`: `ModelUnavailable`
 * when the model cannot be opened
 * @example
 * const agent = createAgent({ model: 'scripted/answers.yaml' })
 * for await (const event of agent.run('Find the bug.')) if (event.type === 'text.delta') print(event.text)
 * const { text, reason } = await agent.run('And fix it.').result
 */
export declare function createAgent(options: AgentOptions): Agent;
/** Agents with one conversation each, by names of one's own, such as one for each person that a program serves. */
interface Sessions {
  /**
   * The agent of a session; the same one until it is closed. With a `runDir` its journal lies in a folder of its own there.
   * @throws Error where the name is none: letters, digits, `.`, `_` and `-`, not beginning with a dot, up to 100
   */
  session(name: string): Agent;
  /** Names of the sessions that are open. */
  names(): readonly string[];
  /** Opens the models before the first run; once, however often it is called. */
  warmup(): Promise<void>;
  /** Closes one session, or all; what is kept on disk stays. Call it when none of its runs is going on. */
  close(name?: string): void;
}
/**
 * Opens a runtime for many conversations: options are resolved and models opened once, and a server that fails is known to all.
 * Conversations, grants and memories of calls are each session's own.
 *
 * @throws through results and `warmup`: `ModelUnavailable` when a model cannot be opened
 * @example
 * const sessions = openSessions({ model: 'anthropic/claude-opus-5', runDir: '/var/lib/bot' })
 * const { text } = await sessions.session('ann').run('Good morning.').result
 */
export declare function openSessions(options: AgentOptions): Sessions;
/** A value that stands for the one at a key of a team file: `{ key: 'historian.prompt', value: 'Be brief.' }`. */
declare const teamEditSchema: z$1.ZodObject<{
  key: z$1.ZodString;
  value: z$1.ZodJSONSchema;
}, z$1.core.$strip>;
type TeamEdit = z$1.infer<typeof teamEditSchema>;
/** A process that no later one can be mistaken for: process ids are reused, start times are not. */
interface ProcessIdentity {
  readonly pid: number;
  /** The value of `processStart`; comparable on one machine only. */
  readonly started: number;
}
/** The command, directory and environment of a worker's process. */
interface WorkerCommand {
  readonly member: string;
  readonly argv: readonly [string, ...string[]];
  /** Shows the member on a terminal: a view, whose end ends nothing. */
  readonly view: readonly [string, ...string[]];
  /** The whole environment, credentials included: no place writes it down or shows it in a command line. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Where a worker without a pane leaves its words. */
  readonly log: string;
  /** `name@team` */
  readonly title: string;
  /** Tells members apart: the place of the member in its team. */
  readonly colour: number;
}
/** The end of a process: its exit code, or the signal that ended it. */
interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}
/** A started process, which is no worker before it has said hello. */
interface Launched {
  /** Absent or null where a place does not know; then only its hello tells. */
  readonly process?: ProcessIdentity | null;
  /** Resolves when the place saw it end, with how where the place knows; the executor looks for itself, too. */
  readonly exited: Promise<ProcessEnd | void>;
  /** Called when the worker has begun: remains that were kept for a failed start are no longer needed. */
  ready?(): Promise<void>;
  /** The end of what it said, for a report of its failure. */
  lastLines?(): Promise<string>;
  /** Removes what the place made for it. */
  close?(): Promise<void>;
}
/**
 * Somewhere that processes of workers can be started: it starts them and knows nothing else of them. They need the run
 * directory, the user's directory and the process ids of this machine.
 */
interface WorkerPlace {
  launch(command: WorkerCommand): Promise<Launched>;
  /** Milliseconds until a worker must have said hello, where a place needs more or less than others (default 30,000). */
  readonly helloMs?: number;
  /** Removes what is left of the place when the run is over. */
  close?(): Promise<void>;
}
/** Parts of a program that its teams use by name, beside the built-in ones. Each has a name that no built-in one has. */
interface Extensions {
  readonly tools?: readonly Tool[];
  /** Models by provider: `{ acme }` opens what teams call `acme/…`. */
  readonly providers?: Providers;
  /** Places for workers: `{ box }` is where those with `executor: box` run. */
  readonly executors?: Readonly<Record<string, WorkerPlace>>;
  /** Code around the work of members in this process, outside of that which team files name; the first is the outermost. */
  readonly middleware?: readonly Middleware[];
}
/** An entry of a team file: an unknown key is a mistake. */
declare const mcpServerSchema: z$1.ZodObject<{
  type: z$1.ZodOptional<z$1.ZodEnum<{
    http: "http";
    sse: "sse";
    stdio: "stdio";
    "streamable-http": "streamable-http";
    ws: "ws";
  }>>;
  command: z$1.ZodOptional<z$1.ZodString>;
  args: z$1.ZodOptional<z$1.ZodArray<z$1.ZodString>>;
  env: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
  url: z$1.ZodOptional<z$1.ZodString>;
  headers: z$1.ZodOptional<z$1.ZodRecord<z$1.ZodString, z$1.ZodString>>;
  headersHelper: z$1.ZodOptional<z$1.ZodString>;
  timeout: z$1.ZodOptional<z$1.ZodNumber>;
  startupTimeout: z$1.ZodOptional<z$1.ZodNumber>;
  disabled: z$1.ZodOptional<z$1.ZodBoolean>;
  required: z$1.ZodOptional<z$1.ZodBoolean>;
  isolation: z$1.ZodOptional<z$1.ZodEnum<{
    "per-member": "per-member";
    shared: "shared";
  }>>;
  trustAnnotations: z$1.ZodOptional<z$1.ZodBoolean>;
  oauth: z$1.ZodOptional<z$1.ZodObject<{
    clientId: z$1.ZodOptional<z$1.ZodString>;
    clientSecret: z$1.ZodOptional<z$1.ZodString>;
    clientMetadataUrl: z$1.ZodOptional<z$1.ZodString>;
    callbackPort: z$1.ZodOptional<z$1.ZodNumber>;
    scope: z$1.ZodOptional<z$1.ZodString>;
  }, z$1.core.$strip>>;
}, z$1.core.$strict>;
type McpServerSpec = z$1.infer<typeof mcpServerSchema>;
/** Where an entry comes from, strongest first. */
declare const mcpScopes: readonly ['enterprise', 'local', 'user', 'project', 'plugin', 'dynamic', 'team'];
type McpScope = (typeof mcpScopes)[number];
/** An entry that counts. */
interface ScopedServer {
  readonly name: string;
  readonly spec: McpServerSpec;
  readonly scope: McpScope;
  /** The file that it stands in. */
  readonly file: string;
}
/** The entries of all files, and what in them cannot be used. */
interface FoundServers {
  readonly servers: readonly ScopedServer[];
  /** A managed file is there, readable or not: no other file counts. */
  readonly managed: boolean;
  readonly problems: readonly {
    readonly file: string;
    readonly message: string;
  }[];
}
interface LoadTeamOptions extends Extensions {
  /** The directory that a relative file, and the paths in an object, start from; default: the process's directory. */
  readonly cwd?: string;
  /** `provider/model` for every member, instead of what the file says. */
  readonly model?: string | undefined;
  /** Models that answer for every member when its own cannot, instead of what the file says. */
  readonly fallback?: readonly string[] | undefined;
  /** Values that stand for those of the file: `[{ key: 'ana.prompt', value: 'Be brief.' }]`. */
  readonly with?: readonly TeamEdit[] | undefined;
  /** The last words of the system prompt of every member, after those of the file. */
  readonly appendSystemPrompt?: string | undefined;
  /** Where `TROUPE_MODEL` and credentials are looked up; default: nowhere. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Servers of models beside the known ones; asked when the team names a provider that is not known. */
  readonly servers?: () => Promise<ProviderSpecs>;
  /** The model of members that nobody names one for; asked when there are such. */
  readonly defaultModel?: (() => Promise<string | undefined>) | undefined;
  /** MCP servers beside those of the team; read when a member names one. Default: those of the directory and of `HOME`. */
  readonly mcp?: () => FoundServers;
}
/** A team that cannot be run; every mistake is in `diagnostics`. */
export declare class TeamFileError extends Error {
  readonly diagnostics: readonly Diagnostic[];
  constructor(diagnostics: readonly Diagnostic[]);
}
/**
 * Loads a team to be run: read, validated, resolved, checked.
 *
 * @param given a team file, or an object that says what a team file would
 * @returns the team with defaults filled in and files inlined
 * @throws TeamFileError with every mistake; a code `no_model` among them alone means that only a model is missing
 *
 * @example
 * const team = await loadTeam('teams/review.yaml', { model: 'anthropic/…', env: process.env })
 */
export declare function loadTeam(given: string | TeamFile, options?: LoadTeamOptions): Promise<ResolvedTeam>;
/**
 * Lists all mistakes and doubts about a team, in file order; it never throws for what the team says.
 *
 * @param given a team file, or an object that says what a team file would
 * @returns the resolved team too, when enough of it is right (errors may still be among the diagnostics)
 * @example (await checkTeamFile('teams/review.yaml')).diagnostics.map(({ message }) => message)
 */
export declare function checkTeamFile(given: string | TeamFile, options?: LoadTeamOptions): Promise<{
  readonly team?: ResolvedTeam;
  readonly diagnostics: readonly Diagnostic[];
}>;
/** The JSON Schema of a team file, as `troupe schema` prints it. */
export declare function teamSchema(): Readonly<Record<string, unknown>>;
/** The wishes about questions with which a run is started. */
interface ApprovalsOptions {
  readonly approver?: Approver;
  /** Questions wait so long for an answer from anywhere, also when nobody sits here. */
  readonly permissionWaitMs?: number;
  /** `provider/model` that judges calls which no rule decides, before a person is asked. */
  readonly classifier?: string;
}
/** `process`: what was said survives the death of any process. `power`: it survives a power cut as well. */
declare const durabilities: readonly ['process', 'power'];
/** The death that confirmed mail survives: that of any process, or a power cut as well. */
type Durability = (typeof durabilities)[number];
/** A hint that mail came into a box; the box itself is the truth. */
interface Ring {
  readonly priority: MailPriority;
}
/**
 * Where a mail is on its way: in `new/`, in `cur/`, in the recipient's journal, handled as its reader says, set aside, or
 * nowhere to be found.
 */
type MailState = 'written' | 'claimed' | 'acked' | 'handled' | 'dead' | 'unknown';
type SentMail = {
  readonly ok: true;
  readonly envelope: Envelope;
  /** The mail of each recipient, when there are several. */
  readonly copies?: readonly Envelope[];
  /** A remark for the sender, e.g. that the recipient was stopped. */
  readonly note?: string;
} | {
  readonly ok: false;
  readonly error: string;
  /** The disk's error, of mail that is recorded and goes out with the next one of this mailbox. */
  readonly unwritten?: string;
};
/**
 * Owns one member's mail: the way out and its own box. Never decides what a mail means. All calls but the watch are
 * synchronous.
 * 1. written (in `new/`) → claimed (in `cur/`) → acked (in the owner's journal, file in `done/`) → handled, where its
 *    reader says so; or dead, with a reason.
 * 2. The owner's journal, through `log`, is the memory: mail in it was sent or received, other mail was not.
 * 3. A box has one owner at a time.
 */
interface Mailbox {
  /** Sends a mail, or names the reason and the remedy of a refusal; a refused mail leaves no trace. */
  send(draft: MailDraft): SentMail;
  /**
   * Takes the next mail into the owner's journal, at most `limit` (256) at a time; empty when nothing is left that can be
   * taken now. A file that the disk does not give is tried again later, and so is the rest of a box that holds thousands
   * of files that are no mail: the watch rings then.
   * @param writers whose mail alone is taken; that of others waits
   */
  receive(limit?: number, writers?: readonly string[]): readonly Envelope[];
  /** Says that a mail was handled, where that is to be confirmed: no later owner of the box gets it again. */
  done(id: string): void;
  /** The number of files that `receive` would take now. */
  unread(): number;
  /**
   * The state of a mail to a member.
   * @param to a name, with or without the team
   */
  state(to: string, id: string): MailState;
  /**
   * Hints that mail may have come: call `receive` then, and once after the watch began.
   * @returns the end of the watch
   */
  watch(onRang: (ring: Ring) => void): () => void;
  /** Ends the watches; nothing is sent or received afterwards. */
  close(): void;
}
/** How the mail of a run is kept. */
interface MailSettings {
  /** `process` (default): what was said survives `kill -9`. `power`: it survives a power cut, at a few ms a message. */
  readonly durability?: Durability;
  /** Unread mail a member may have before senders are refused (10,000). */
  readonly maxUnread?: number;
}
/** The directory in which git is called, and the environment, of which git gets what it needs. */
interface GitPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The git directory of a repository whose top is `cwd` and whose configuration members could write. */
  readonly gitDir?: string;
  /** A scratch index instead of the tree's own. */
  readonly index?: string;
  /** Text for the command's standard input. */
  readonly input?: string;
  /** Milliseconds after which git is ended; ten minutes by default. */
  readonly limitMs?: number;
}
/**
 * A mistake of a caller, who can mend it: the message names the place and the cure. A command line ends with exit code 2.
 *
 * @example throw new UsageError('there is no run "reviw" here; did you mean "review"?')
 */
declare class UsageError extends Error {}
/** The wishes of whoever leads a run. */
interface TelemetryWishes {
  /** The address of an OpenTelemetry collector, in place of those that `OTEL_EXPORTER_OTLP_…` of `env` give. */
  readonly otlp?: string | undefined;
  /** The trace that the run belongs to, as W3C Trace Context writes it; by default `TRACEPARENT` of `env`. */
  readonly traceparent?: string | undefined;
  /** Hears why telemetry is not sent. Default: a warning of the process. */
  readonly onTelemetryProblem?: ((text: string) => void) | undefined;
}
/** How a team is to be run. */
interface RunTeamOptions extends ApprovalsOptions, Extensions, TelemetryWishes, Pick<NewRun, 'attachments'> {
  readonly task: string;
  /** Where the members work; absolute. Default: the process's directory. */
  readonly cwd?: string;
  readonly home?: string;
  /** Where credentials are looked up; what tools' children inherit, less the credentials. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly mode?: PermissionMode;
  /** Rules of the `cliArg` source. */
  readonly rules?: RuleLists;
  /** Dollars the run may spend, instead of what the team says. */
  readonly budgetUsd?: number;
  /** Rules that the workspace's own files allow count, although no person has stored trust in them. */
  readonly trusted?: boolean;
  /** Opens bypassPermissions mode, unless a settings file or the managed policy keeps it shut. */
  readonly allowBypass?: boolean;
  /** Where the managed policy lies; `/etc/troupe` by default. */
  readonly policyRoot?: string;
  readonly mail?: MailSettings;
  /** Where the workers run, instead of what their cards say. */
  readonly executor?: string;
  /** Hooks of the program, functions among them; a function is called for members of this process alone. */
  readonly hooks?: HookTable;
  /** A person sits at a terminal of this process: `auto` may open panes. */
  readonly interactive?: boolean;
  /** Time and names; the system's by default. */
  readonly clock?: Clock;
}
/** A run in progress. */
interface TeamRun {
  /** `<team>-<ulid>`. */
  readonly id: string;
  /** The run directory. */
  readonly dir: string;
  /**
   * Every fact from now on: exact order per member, arrival order at the leader across members. Ends with the run. No
   * member asks its model again while a reader is 10,000 facts behind; `subscribe` makes nobody wait.
   */
  facts(): AsyncIterable<Recorded>;
  subscribe(listener: (recorded: Recorded) => void): () => void;
  /** Live text of all members, in whichever process they live; lossy. */
  deltas(listener: (delta: Delta) => void): () => void;
  /** Ends the run cleanly and for good: every open call is answered, every journal closed. */
  abort(): void;
  /**
   * Stops the run where it is, as a kill would, and leaves nothing running; `result` says `interrupted`, and `resumeTeam`
   * leads the run on. A run that somebody is stopping for good is aborted.
   */
  interrupt(): void;
  readonly result: Promise<RunResult>;
}
/**
 * Runs a team on a task in a new run directory. The team starts in the next tick, so that whoever subscribes at
 * once hears everything.
 *
 * @throws what the disk says when the run directory cannot be made; `result` rejects when a model cannot be opened, or the team names
 * what is not here
 * @example
 * const run = runTeam(await loadTeam('teams/quickstart.yaml'), { task: 'Survey this repository.' })
 * console.log((await run.result).result)
 */
export declare function runTeam(resolved: ResolvedTeam, options: RunTeamOptions): TeamRun;
/**
 * A run stopped, or did not begin, because its disk takes nothing more. What happened until then is recorded, and
 * `resumeTeam` leads it on. The message names the disk and the cure, `cause` is what the system said.
 */
export declare class RunHalted extends Error {
  readonly name = "RunHalted";
}
/** Words for a person about a wait or a risk. */
type Say = (text: string) => void;
/** The takeover of a run whose leader is gone. */
interface TakeOver {
  readonly clock: {
    now(): number;
    mint(): string;
  };
  /** Takes processes elsewhere for dead without a look. */
  readonly force?: boolean | undefined;
  /** Hears why it takes time, and what is risked. */
  readonly onNote?: Say | undefined;
}
/** How the team that leads on may differ from the one that the run began with. */
interface TeamChange {
  /** `provider/model` for every member from now on; without it `TROUPE_MODEL` of `env` holds, where no script answers. */
  readonly model?: string | undefined;
  /** Models that answer for every member from now on when its own cannot. */
  readonly fallback?: readonly string[] | undefined;
  /** Goes on with the team file as it is now, instead of as it was when the run began. */
  readonly reload?: boolean | undefined;
  /**
   * Values that stand for those of the team file from now on: `[{ key: 'ana.prompt', value: 'Be brief.' }]`. The file has
   * to say what it said when the run began, unless `reload` takes what it says now.
   */
  readonly with?: readonly TeamEdit[] | undefined;
}
/** A change of a team, and the place of it. */
type ChangeOptions = TeamChange & Pick<RunTeamOptions, 'env' | 'home' | 'policyRoot' | 'interactive' | 'tools' | 'providers' | 'executors'> & {
  readonly onNote?: Say | undefined;
  readonly clock: Clock;
};
/** How a run is led on: as it was started, but for who sits here. */
type ResumeTeamOptions = Omit<RunTeamOptions, 'task' | 'cwd' | 'executor' | 'budgetUsd'> & Pick<TakeOver, 'force' | 'onNote'> & TeamChange;
/**
 * Leads a run on after its leader ended without a word: its journals are folded, workers that live are taken over, others
 * start again from their journals, mail that nobody read is read, questions are put again, deadlines and budgets go on
 * counting. What was started with the run (mode, rules, trust) holds on. A leader elsewhere, in another container or on
 * another machine, is watched for ten seconds first; `force` takes it for dead without a look. The team is the one that the
 * run began with, but for other models and, with `reload`, what its file says now.
 *
 * @param dir the run directory
 * @throws NotResumable when it is no run, has ended, was stopped, or somebody leads it; `result` rejects with it when somebody
 * began to in this moment
 * @example console.log((await (await resumeTeam('.troupe/runs/review-01J…')).result).result)
 */
export declare function resumeTeam(dir: string, options?: ResumeTeamOptions): Promise<TeamRun>;
/** Options for a person's further words to the lead of a run that nobody leads. */
interface ContinueTeamOptions extends ResumeTeamOptions {
  readonly text: string;
  /** Images and documents that come with it; `readAttachments` makes them of files. */
  readonly attachments?: readonly Attachment[];
  /** Goes on with a run that was stopped, too, and takes processes elsewhere for dead. */
  readonly force?: boolean | undefined;
}
/**
 * Goes on with a run that has ended or was interrupted: opens it again, brings the lead what a person has to say, and leads
 * the run on. All members know what they knew; the budget goes on counting, and after an end the time limit starts anew.
 *
 * @param dir the run directory
 * @throws NotResumable when it is no run, was stopped (without `force`), or somebody leads it
 * @example const run = await continueTeam(dir, { text: 'Now the tests, please.' })
 */
export declare function continueTeam(dir: string, options: ContinueTeamOptions): Promise<TeamRun>;
/** Where a run is forked, and what a new run needs. */
interface ForkRunOptions {
  /** The id of the last entry that both runs share, such as `lead-17`. */
  readonly at: string;
  /** Where the keys are; default: the user's directory. */
  readonly home?: string;
  readonly clock?: Clock;
  /** Where the new run works; default: where the other one did. */
  readonly cwd?: string;
  /** The task of the new run; the lead must not have had its own by then. */
  readonly task?: string | undefined;
}
/** A run that cannot be forked so, and why. */
export declare class NotForkable extends UsageError {
  readonly name = "NotForkable";
}
/**
 * Makes a new run whose members remember another run up to one entry of it: what every journal held at that moment, with
 * the same ids. Mail that was read by then stands in the journals; mail that was on its way lies in the mailboxes again.
 * Files of the working directory are as they are; `openForkTree` makes another one. Nobody leads the new run yet.
 * @returns its directory
 * @throws NotForkable when there is no such entry, or the run had not begun by then
 * @example resumeTeam(forkRun(dir, { at: 'lead-17' }))
 */
export declare function forkRun(dir: string, options: ForkRunOptions): string;
/** Where a run is forked, and what the new run has otherwise. */
type ForkTeamOptions = ForkRunOptions & Omit<ChangeOptions, 'clock' | 'onNote'>;
/**
 * Forks a run as `forkRun` does, with another task or team for the new run alone. All of it is looked at before anything is
 * made; what is otherwise is a fact of the new run (`team.changed`).
 *
 * @param dir the run directory
 * @returns that of the new run, which nobody leads yet
 * @throws NotForkable; NotResumable or TeamFileError when the team cannot be that
 * @example await forkTeam(dir, { at: 'lead-17', with: [{ key: 'ana.prompt', value: 'Be brief.' }] })
 */
export declare function forkTeam(dir: string, options: ForkTeamOptions): Promise<string>;
/** A working tree for a fork. */
interface ForkTree {
  /** The directory of the tree in which the run works. */
  readonly cwd: string;
  readonly tree: string;
  readonly branch: string;
  /** Files that may differ from what they were at the entry, and why. */
  readonly doubts: readonly string[];
}
/** Where a run is forked into a tree of its own. */
interface ForkTreeOptions {
  /** The id of the last entry that both runs share. */
  readonly at: string;
  /** Where the tree is made; default: beside the repository, named by it and the entry. Absolute. */
  readonly tree?: string;
  readonly env?: GitPlace['env'];
}
/**
 * Makes a git worktree in which the files are as they were at an entry of a run: those of the run's directory now, uncommitted ones
 * included, without what its members changed since. What git ignores is left out.
 *
 * @param dir the run directory
 * @throws NotForkable without a repository, where the tree exists, or when the entry is not there
 * @example
 * const { cwd } = await openForkTree(dir, { at: 'lead-17' })
 * await resumeTeam(forkRun(dir, { at: 'lead-17', cwd }))
 */
export declare function openForkTree(dir: string, options: ForkTreeOptions): Promise<ForkTree>;
/** Turns of a member could not be taken back, and everything that stands in the way. */
export declare class NotUndone extends UsageError {
  readonly name = "NotUndone";
}
/** A checkpoint as people see it. */
interface ListedCheckpoint {
  /** 1 for the oldest that is still there. */
  readonly number: number;
  readonly name: string | null;
  /** The entry of the answer that began the turn. */
  readonly from: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly files: readonly string[];
  /** Why it cannot be taken back; null when nothing is known against it. */
  readonly untaken: string | null;
}
/** The outcome of an undo. */
interface Undone {
  readonly checkpoint: ListedCheckpoint;
  /** The files that have another content now. */
  readonly restored: readonly string[];
  /** Mail that the member had sent since, which stays sent: recipient and beginning. */
  readonly sent: readonly string[];
}
/**
 * The checkpoints of a member: the turns that changed files, the oldest first.
 * @throws NotUndone when there is no such run or member
 * @example listCheckpoints(dir, 'lead').at(-1)?.files
 */
export declare function listCheckpoints(dir: string, member: string): readonly ListedCheckpoint[];
/**
 * Takes a member back to a checkpoint: its files and what it remembers, together. Nothing is changed unless everything can be.
 * Mail that came since is shown to it again; what it sent stays sent.
 *
 * @param to a checkpoint's number or name; the latest when left out
 * @throws NotUndone with everything that stands in the way
 * @example const { restored, sent } = undoMember(dir, { member: 'lead', to: '3' })
 */
export declare function undoMember(dir: string, wish: {
  readonly member: string;
  readonly to?: string | undefined;
}): Undone;
/**
 * Gives a checkpoint a name, by which `undoMember` finds it.
 * @throws NotUndone when there is no such checkpoint, or another one has that name
 * @example nameCheckpoint(dir, { member: 'lead', name: 'before the move' })
 */
export declare function nameCheckpoint(dir: string, { member, name, at }: {
  readonly member: string;
  readonly name: string;
  readonly at?: string | undefined;
}): ListedCheckpoint;
/** A file that no model can be shown. */
export declare class NotAttachable extends UsageError {
  readonly name = "NotAttachable";
}
/**
 * Reads images and PDFs that go with a prompt. A model that reads no PDF gets the text in it; an image that no vendor takes
 * as it is becomes smaller.
 *
 * @throws NotAttachable naming the file, what is wrong with it and the remedy
 * @example runTeam(team, { task: 'Mend what it shows.', attachments: await readAttachments(['screen.png']) })
 */
export declare function readAttachments(paths: readonly string[]): Promise<readonly Attachment[]>;
interface OpenMailboxOptions {
  /** The user's directory, where the key of the run is. Default: that of the process's user. */
  readonly home?: string;
  readonly mail?: MailSettings;
  /**
   * Of a member: `done` (default) hands received mail out again when the box is opened again, until `done(id)` was called
   * for it; `auto` hands it out once.
   */
  readonly confirm?: 'auto' | 'done';
  /** Of a person: continues the outbox of this name (26 characters of a ULID), which then has a journal of its own. */
  readonly person?: string;
}
/**
 * Opens a mailbox of a run from outside its processes: a member's own, with the member's journal as its memory, or
 * the outbox of a person (`user`), who only sends. A member's box has one owner at a time, whom this makes you until
 * `close()`.
 *
 * @param dir the run directory
 * @param agent `name@team`, or `user`
 * @throws when the directory is no run or the agent nobody in it, when an option is none, when the run's key cannot be read, and LeaseHeld (with process and start) when
 * the member runs somewhere
 * @example
 * const box = openMailbox('.troupe/runs/demo-01J…', 'user')
 * box.send({ to: 'lead@demo', kind: 'text', body: 'Mind the tests.', key: 'note-1' })
 * box.close()
 */
export declare function openMailbox(dir: string, agent: AgentId | 'user', options?: OpenMailboxOptions): Mailbox;
/** The author's declaration of a tool; every missing part means the restrictive value. */
interface ToolDefinition<Input> {
  readonly name: string;
  /** Names that models know a built-in tool by; those of other tools are matched by nobody. */
  readonly aliases?: readonly string[];
  /** Read by models with no other context: when to use it, when not, its limits. */
  readonly description: string;
  readonly input: z.ZodType<Input>;
  readonly effect?: ToolEffect;
  isConcurrencySafe?(input: Input): boolean;
  isReadOnly?(input: Input): boolean;
  isDestructive?(input: Input): boolean;
  readonly interrupt?: 'block' | 'cancel';
  readonly requiresInteraction?: boolean;
  /** For tools that are seldom needed: the model sees only the name until it looks the tool up with ToolSearch. */
  readonly reaches?: Tool['reaches'];
  readonly defer?: boolean;
  /** Never deferred, even where all other tools are. */
  readonly alwaysLoad?: boolean;
  /** Whether the tool is offered in a turn; asked for each. */
  isEnabled?(): boolean;
  /** Takes the place of a call that broke off, when no attempt is left. */
  fallback?(input: Input, context: ToolContext, failed: ToolOutput): Promise<ToolOutput>;
  /** The work goes on without the tool when it breaks off: the model is told, and it is no error. */
  readonly optional?: boolean;
  readonly maxResultChars?: number;
  readonly timeout?: number | null;
  /** For failures that pass. What had an effect already must not be called transient. */
  readonly retry?: ToolRetry;
  /** Only for tools whose result depends on nothing but the input and what the team's tools change. */
  readonly reuse?: ToolReuse;
  /** Goes with `reuse: 'until_write'`: tells whether what the output was made from is still the same. */
  stamp?(input: Input, context: ToolContext): Promise<string | null>;
  /** Judges meaning after the shape is right. It runs before any permission is given: it must touch nothing. */
  check?(input: Input, context: Pick<ToolContext, 'cwd' | 'memory' | 'team' | 'plan' | 'advise'>): Promise<string | null>;
  run(input: Input, context: ToolContext): Promise<ToolOutput>;
}
/**
 * Makes a tool out of its definition. A missing safety declaration means: not safe beside others, not read-only,
 * destructive, not to be interrupted by mail, never tried again, always run, may execute.
 *
 * @throws When the name or the description could not be shown to a model: such a definition is a programming error.
 * @example
 * const now = defineTool({
 *   name: 'Now',
 *   description: 'Returns the current time.',
 *   input: z.strictObject({}),
 *   effect: 'none',
 *   isReadOnly: () => true,
 *   run: async () => ({ content: [{ type: 'text', text: new Date().toISOString() }] }),
 * })
 */
export declare function defineTool<Input>(definition: ToolDefinition<Input>): Tool<Input>;
/** An answer of a model with calls: `assistantMessage('I look.', [{ id: 'c1', name: 'Read', input: { file_path: 'a' } }])`. */
export declare function assistantMessage(text: string, calls?: readonly Pick<ToolUseBlock, 'id' | 'name' | 'input'>[], model?: string): AssistantMessage;
/** The results of an answer's calls: `toolMessage([{ call_id: 'c1', tool: 'Read', text: 'hello' }])`. */
export declare function toolMessage(results: readonly {
  readonly call_id: string;
  readonly tool: string;
  readonly text: string;
  readonly is_error?: boolean;
}[]): ToolMessage;
/**
 * The end of a conversation: so many messages, or a few less, since it begins with words of a user and parts no call from its results.
 * Where nobody spoke in so many, it begins with the latest words of a user.
 *
 * @example modifyRequest: (request) => ({ ...request, messages: latestMessages(request.messages, 20) })
 */
export declare function latestMessages(messages: readonly Message[], most: number): readonly Message[];
/** The words of a conversation alone: calls, results and thinking are left out, and answers that said nothing. */
export declare function wordsAlone(messages: readonly Message[]): readonly Message[];
/** The roles that may occur; default: all. Of messages that a person sends, say `{ roles: ['user'] }`. */
interface ChainLimits {
  readonly roles?: readonly Message['role'][];
}
/**
 * The reasons for which a list is no conversation that a model could be asked: shapes, a beginning without a user, roles that
 * may not occur, calls without a result, results without a call, ids that occur twice.
 *
 * @param messages whatever a program was given
 * @returns sentences that name the place, from 0; none for a good list
 * @example messageProblems([{ role: 'tool', results: [] }]) // ['message 0: …']
 */
export declare function messageProblems(messages: unknown, { roles }?: ChainLimits): readonly string[];
/** A guess at the tokens of messages, before any model counts them: `estimateTokens(request.messages)`. */
export declare function estimateTokens(messages: readonly Message[]): number;
/** A conversation for people to read, a paragraph for each message. */
export declare function conversationText(messages: readonly Message[]): string;
export { type Agent, type AgentEvent, type AgentOptions, type AgentResult, type AgentRun, type Approver, type AssistantMessage, type ChainLimits, type ContinueReason, type ContinueTeamOptions, type Diagnostic, type Entry, type Envelope, type Extensions, type Fact, type Failure, type ForkRunOptions, type ForkTeamOptions, type ForkTree, type ForkTreeOptions, type HookInput, type HookTable, type Launched, type ListedCheckpoint, type LoadTeamOptions, type MailDraft, type Mailbox, type Message, type Middleware, type Model, type ModelEvent, type ModelRequest, type Provider, type Recorded, type ResolvedTeam, type ResumeTeamOptions, type RunResult, type RunTeamOptions, type Sessions, type TeamFile, type TeamRun, type TerminalReason, type Tool, type ToolContext, type ToolOutput, type Undone, type Usage, type WorkerCommand, type WorkerPlace, z };
import { z } from "zod";
declare const approvalFileSchema: z.ZodObject<{
  v: z.ZodLiteral<1>;
  id: z.ZodString;
  member: z.ZodCustom<`${string}@${string}`, `${string}@${string}`>;
  call_id: z.ZodString;
  tool: z.ZodString;
  input: z.ZodUnknown;
  task: z.ZodNullable<z.ZodString>;
  behind: z.ZodOptional<z.ZodArray<z.ZodObject<{
    from: z.ZodString;
    kind: z.ZodString;
    text: z.ZodString;
    for: z.ZodOptional<z.ZodArray<z.ZodString>>;
  }, z.core.$strip>>>;
  decision: z.ZodObject<{
    behavior: z.ZodEnum<{
      allow: "allow";
      ask: "ask";
      deny: "deny";
    }>;
    source: z.ZodEnum<{
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
    rule: z.ZodOptional<z.ZodString>;
    at: z.ZodOptional<z.ZodString>;
    of: z.ZodOptional<z.ZodString>;
    reason: z.ZodString;
    path: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>;
  near: z.ZodArray<z.ZodObject<{
    behavior: z.ZodEnum<{
      allow: "allow";
      ask: "ask";
      deny: "deny";
    }>;
    source: z.ZodString;
    rule: z.ZodString;
    why: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>>;
  grants: z.ZodObject<{
    session: z.ZodArray<z.ZodString>;
    save: z.ZodArray<z.ZodString>;
  }, z.core.$strip>;
  asked_at: z.ZodNumber;
  deadline: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>;
declare const answerScopes: readonly ['once', 'session', 'save', 'stop'];
declare const answerFileSchema: z.ZodObject<{
  v: z.ZodLiteral<1>;
  id: z.ZodString;
  behavior: z.ZodEnum<{
    allow: "allow";
    deny: "deny";
  }>;
  source: z.ZodEnum<{
    classifier: "classifier";
    hook: "hook";
    human: "human";
    nobody: "nobody";
  }>;
  reason: z.ZodString;
  scope: z.ZodEnum<{
    once: "once";
    save: "save";
    session: "session";
    stop: "stop";
  }>;
  rules: z.ZodOptional<z.ZodArray<z.ZodString>>;
  updated_input: z.ZodOptional<z.ZodUnknown>;
  by: z.ZodString;
  at: z.ZodNumber;
  mac: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
type ApprovalFile = z.infer<typeof approvalFileSchema>;
type AnswerFile = z.infer<typeof answerFileSchema>;
type AnswerScope = (typeof answerScopes)[number];
/** A question that waits, and the run it waits in. */
interface PendingApproval {
  readonly dir: string;
  /** The run is led by a living process, so that an answer takes effect at once. */
  readonly live: boolean;
  readonly request: ApprovalFile;
}
/** A person's decision about a call. */
interface PersonalAnswer {
  readonly behavior: 'allow' | 'deny';
  /** Default: this call only. */
  readonly scope?: AnswerScope;
  /** Told to the member with a denial; the whole answer to a question of its own, or the number of an option. */
  readonly advice?: string | undefined;
  /** With `session` or `save`: rules to grant instead of those that the request proposes. */
  readonly rules?: readonly string[] | undefined;
  /** Replaces the call's input; deny rules are asked again. */
  readonly updated_input?: unknown;
  /** Which face answers, for whoever comes second; default: a program. */
  readonly by?: string;
  readonly home?: string;
  /** Milliseconds since the epoch; default: now. */
  readonly at?: number;
}
/** The fate of an answer: counted, or beaten by a faster one. */
interface AnswerOutcome {
  readonly won: boolean;
  /** The answer that counts. */
  readonly answer: AnswerFile;
}
/**
 * The questions that wait for an answer, oldest first. Nothing is touched. One that was changed after its first look stays as it
 * was seen.
 * @param dirs run directories
 * @example pendingApprovals([run.dir]).map(({ request }) => request.id)
 */
export declare function pendingApprovals(dirs: readonly string[]): readonly PendingApproval[];
/**
 * Answers a question, from whatever face. The first answer counts; who comes second learns what it was.
 * @param dir the run directory
 * @returns null when there is no such question
 * @throws ForPersons where a member began this process
 * @throws when the key of the run cannot be read, or what the disk says
 * @example answerApproval(dir, 'historian-17-1', { behavior: 'allow' })
 */
export declare function answerApproval(dir: string, id: string, given: PersonalAnswer): AnswerOutcome | null;
declare const factSchema: z.ZodDiscriminatedUnion<[z.ZodObject<{
  type: z.ZodLiteral<"agent.started">;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"message.appended">;
  message: z.ZodDiscriminatedUnion<[z.ZodObject<{
    role: z.ZodLiteral<"user">;
    origin: z.ZodEnum<{
      hook: "hook";
      person: "person";
      runtime: "runtime";
      summary: "summary";
    }>;
    content: z.ZodArray<z.ZodDiscriminatedUnion<[z.ZodObject<{
      type: z.ZodLiteral<"text">;
      text: z.ZodString;
      opaque: z.ZodOptional<z.ZodUnknown>;
    }, z.core.$strip>, z.ZodObject<{
      type: z.ZodLiteral<"image">;
      media_type: z.ZodString;
      data: z.ZodString;
    }, z.core.$strip>, z.ZodObject<{
      type: z.ZodLiteral<"document">;
      media_type: z.ZodLiteral<"application/pdf">;
      name: z.ZodString;
      data: z.ZodString;
      text: z.ZodString;
    }, z.core.$strip>], "type">>;
  }, z.core.$strip>, z.ZodObject<{
    role: z.ZodLiteral<"assistant">;
    model: z.ZodString;
    content: z.ZodArray<z.ZodDiscriminatedUnion<[z.ZodObject<{
      type: z.ZodLiteral<"text">;
      text: z.ZodString;
      opaque: z.ZodOptional<z.ZodUnknown>;
    }, z.core.$strip>, z.ZodObject<{
      type: z.ZodLiteral<"thinking">;
      text: z.ZodString;
      opaque: z.ZodOptional<z.ZodUnknown>;
    }, z.core.$strip>, z.ZodObject<{
      type: z.ZodLiteral<"tool_use">;
      id: z.ZodString;
      name: z.ZodString;
      input: z.ZodUnknown;
      malformed: z.ZodOptional<z.ZodString>;
      opaque: z.ZodOptional<z.ZodUnknown>;
    }, z.core.$strip>, z.ZodObject<{
      type: z.ZodLiteral<"foreign">;
      vendor: z.ZodString;
      raw: z.ZodUnknown;
    }, z.core.$strip>], "type">>;
    stop: z.ZodEnum<{
      aborted: "aborted";
      end: "end";
      error: "error";
      max_tokens: "max_tokens";
      pause: "pause";
      refusal: "refusal";
      tools: "tools";
    }>;
    usage: z.ZodObject<{
      input: z.ZodNumber;
      output: z.ZodNumber;
      cache_read: z.ZodNumber;
      cache_write: z.ZodNumber;
      reasoning: z.ZodOptional<z.ZodNumber>;
      searches: z.ZodOptional<z.ZodNumber>;
    }, z.core.$strip>;
    failure: z.ZodOptional<z.ZodObject<{
      code: z.ZodEnum<{
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
      message: z.ZodString;
      remedy: z.ZodOptional<z.ZodString>;
      status: z.ZodOptional<z.ZodNumber>;
      retry_after_ms: z.ZodOptional<z.ZodNumber>;
      retry_at: z.ZodOptional<z.ZodNumber>;
      request_id: z.ZodOptional<z.ZodString>;
      retry: z.ZodOptional<z.ZodBoolean>;
    }, z.core.$strip>>;
    request_id: z.ZodOptional<z.ZodString>;
    cost_usd: z.ZodOptional<z.ZodNumber>;
    cut_call: z.ZodOptional<z.ZodString>;
    repaired: z.ZodOptional<z.ZodLiteral<true>>;
    conceded: z.ZodOptional<z.ZodArray<z.ZodObject<{
      feature: z.ZodString;
      back: z.ZodBoolean;
      reason: z.ZodString;
    }, z.core.$strip>>>;
    advice: z.ZodOptional<z.ZodArray<z.ZodObject<{
      id: z.ZodString;
      model: z.ZodString;
      usage: z.ZodObject<{
        input: z.ZodNumber;
        output: z.ZodNumber;
        cache_read: z.ZodNumber;
        cache_write: z.ZodNumber;
        reasoning: z.ZodOptional<z.ZodNumber>;
        searches: z.ZodOptional<z.ZodNumber>;
      }, z.core.$strip>;
    }, z.core.$strip>>>;
  }, z.core.$strip>, z.ZodObject<{
    role: z.ZodLiteral<"tool">;
    results: z.ZodArray<z.ZodObject<{
      is_error: z.ZodBoolean;
      exit: z.ZodOptional<z.ZodObject<{
        code: z.ZodNumber;
        failed: z.ZodBoolean;
      }, z.core.$strip>>;
      skipped: z.ZodOptional<z.ZodLiteral<true>>;
      call_id: z.ZodString;
      tool: z.ZodString;
      content: z.ZodArray<z.ZodDiscriminatedUnion<[z.ZodObject<{
        type: z.ZodLiteral<"text">;
        text: z.ZodString;
        opaque: z.ZodOptional<z.ZodUnknown>;
      }, z.core.$strip>, z.ZodObject<{
        type: z.ZodLiteral<"image">;
        media_type: z.ZodString;
        data: z.ZodString;
      }, z.core.$strip>], "type">>;
    }, z.core.$strip>>;
  }, z.core.$strip>], "role">;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"message.tombstoned">;
  target: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"context.compacted">;
  trigger: z.ZodEnum<{
    auto: "auto";
    emergency: "emergency";
    manual: "manual";
    reactive: "reactive";
  }>;
  trimmed: z.ZodArray<z.ZodString>;
  dropped: z.ZodArray<z.ZodString>;
  cut: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodNumber>>;
  stale: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodArray<z.ZodString>>>;
  summary: z.ZodOptional<z.ZodString>;
  by: z.ZodOptional<z.ZodString>;
  reason: z.ZodOptional<z.ZodString>;
  before: z.ZodNumber;
  after: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"memory.extracted">;
  upto: z.ZodString;
  turns: z.ZodNumber;
  written: z.ZodArray<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"prompt.changed">;
  epoch: z.ZodNumber;
  fingerprint: z.ZodString;
  moved: z.ZodArray<z.ZodString>;
  chars: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"files.changed">;
  call_id: z.ZodString;
  tool: z.ZodString;
  files: z.ZodArray<z.ZodObject<{
    path: z.ZodString;
    before: z.ZodNullable<z.ZodObject<{
      sha256: z.ZodString;
      mode: z.ZodNumber;
    }, z.core.$strip>>;
    after: z.ZodNullable<z.ZodObject<{
      sha256: z.ZodString;
      mode: z.ZodNumber;
    }, z.core.$strip>>;
  }, z.core.$strip>>;
  since: z.ZodOptional<z.ZodNumber>;
  untaken: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"checkpoint.named">;
  from: z.ZodString;
  name: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"turns.undone">;
  from: z.ZodString;
  files: z.ZodArray<z.ZodString>;
  messages: z.ZodOptional<z.ZodArray<z.ZodObject<{
    id: z.ZodString;
    message: z.ZodDiscriminatedUnion<[z.ZodObject<{
      role: z.ZodLiteral<"user">;
      origin: z.ZodEnum<{
        hook: "hook";
        person: "person";
        runtime: "runtime";
        summary: "summary";
      }>;
      content: z.ZodArray<z.ZodDiscriminatedUnion<[z.ZodObject<{
        type: z.ZodLiteral<"text">;
        text: z.ZodString;
        opaque: z.ZodOptional<z.ZodUnknown>;
      }, z.core.$strip>, z.ZodObject<{
        type: z.ZodLiteral<"image">;
        media_type: z.ZodString;
        data: z.ZodString;
      }, z.core.$strip>, z.ZodObject<{
        type: z.ZodLiteral<"document">;
        media_type: z.ZodLiteral<"application/pdf">;
        name: z.ZodString;
        data: z.ZodString;
        text: z.ZodString;
      }, z.core.$strip>], "type">>;
    }, z.core.$strip>, z.ZodObject<{
      role: z.ZodLiteral<"assistant">;
      model: z.ZodString;
      content: z.ZodArray<z.ZodDiscriminatedUnion<[z.ZodObject<{
        type: z.ZodLiteral<"text">;
        text: z.ZodString;
        opaque: z.ZodOptional<z.ZodUnknown>;
      }, z.core.$strip>, z.ZodObject<{
        type: z.ZodLiteral<"thinking">;
        text: z.ZodString;
        opaque: z.ZodOptional<z.ZodUnknown>;
      }, z.core.$strip>, z.ZodObject<{
        type: z.ZodLiteral<"tool_use">;
        id: z.ZodString;
        name: z.ZodString;
        input: z.ZodUnknown;
        malformed: z.ZodOptional<z.ZodString>;
        opaque: z.ZodOptional<z.ZodUnknown>;
      }, z.core.$strip>, z.ZodObject<{
        type: z.ZodLiteral<"foreign">;
        vendor: z.ZodString;
        raw: z.ZodUnknown;
      }, z.core.$strip>], "type">>;
      stop: z.ZodEnum<{
        aborted: "aborted";
        end: "end";
        error: "error";
        max_tokens: "max_tokens";
        pause: "pause";
        refusal: "refusal";
        tools: "tools";
      }>;
      usage: z.ZodObject<{
        input: z.ZodNumber;
        output: z.ZodNumber;
        cache_read: z.ZodNumber;
        cache_write: z.ZodNumber;
        reasoning: z.ZodOptional<z.ZodNumber>;
        searches: z.ZodOptional<z.ZodNumber>;
      }, z.core.$strip>;
      failure: z.ZodOptional<z.ZodObject<{
        code: z.ZodEnum<{
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
        message: z.ZodString;
        remedy: z.ZodOptional<z.ZodString>;
        status: z.ZodOptional<z.ZodNumber>;
        retry_after_ms: z.ZodOptional<z.ZodNumber>;
        retry_at: z.ZodOptional<z.ZodNumber>;
        request_id: z.ZodOptional<z.ZodString>;
        retry: z.ZodOptional<z.ZodBoolean>;
      }, z.core.$strip>>;
      request_id: z.ZodOptional<z.ZodString>;
      cost_usd: z.ZodOptional<z.ZodNumber>;
      cut_call: z.ZodOptional<z.ZodString>;
      repaired: z.ZodOptional<z.ZodLiteral<true>>;
      conceded: z.ZodOptional<z.ZodArray<z.ZodObject<{
        feature: z.ZodString;
        back: z.ZodBoolean;
        reason: z.ZodString;
      }, z.core.$strip>>>;
      advice: z.ZodOptional<z.ZodArray<z.ZodObject<{
        id: z.ZodString;
        model: z.ZodString;
        usage: z.ZodObject<{
          input: z.ZodNumber;
          output: z.ZodNumber;
          cache_read: z.ZodNumber;
          cache_write: z.ZodNumber;
          reasoning: z.ZodOptional<z.ZodNumber>;
          searches: z.ZodOptional<z.ZodNumber>;
        }, z.core.$strip>;
      }, z.core.$strip>>>;
    }, z.core.$strip>, z.ZodObject<{
      role: z.ZodLiteral<"tool">;
      results: z.ZodArray<z.ZodObject<{
        is_error: z.ZodBoolean;
        exit: z.ZodOptional<z.ZodObject<{
          code: z.ZodNumber;
          failed: z.ZodBoolean;
        }, z.core.$strip>>;
        skipped: z.ZodOptional<z.ZodLiteral<true>>;
        call_id: z.ZodString;
        tool: z.ZodString;
        content: z.ZodArray<z.ZodDiscriminatedUnion<[z.ZodObject<{
          type: z.ZodLiteral<"text">;
          text: z.ZodString;
          opaque: z.ZodOptional<z.ZodUnknown>;
        }, z.core.$strip>, z.ZodObject<{
          type: z.ZodLiteral<"image">;
          media_type: z.ZodString;
          data: z.ZodString;
        }, z.core.$strip>], "type">>;
      }, z.core.$strip>>;
    }, z.core.$strip>], "role">;
  }, z.core.$strip>>>;
  todos: z.ZodOptional<z.ZodArray<z.ZodObject<{
    content: z.ZodString;
    status: z.ZodEnum<{
      completed: "completed";
      in_progress: "in_progress";
      pending: "pending";
    }>;
    activeForm: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>>>;
  plan: z.ZodOptional<z.ZodString>;
  note: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"skill.opened">;
  call_id: z.ZodString;
  skill: z.ZodString;
  source: z.ZodEnum<{
    plugin: "plugin";
    project: "project";
    user: "user";
  }>;
  folder: z.ZodString;
  sha256: z.ZodString;
  allow: z.ZodArray<z.ZodString>;
  deny: z.ZodArray<z.ZodString>;
  by: z.ZodOptional<z.ZodLiteral<"person">>;
  model: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.requested">;
  turn: z.ZodNumber;
  model: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.settled">;
  turn: z.ZodNumber;
  model: z.ZodString;
  stop: z.ZodEnum<{
    aborted: "aborted";
    end: "end";
    error: "error";
    max_tokens: "max_tokens";
    pause: "pause";
    refusal: "refusal";
    tools: "tools";
  }>;
  usage: z.ZodObject<{
    input: z.ZodNumber;
    output: z.ZodNumber;
    cache_read: z.ZodNumber;
    cache_write: z.ZodNumber;
    reasoning: z.ZodOptional<z.ZodNumber>;
    searches: z.ZodOptional<z.ZodNumber>;
  }, z.core.$strip>;
  cost_usd: z.ZodNullable<z.ZodNumber>;
  duration_ms: z.ZodNumber;
  request_id: z.ZodOptional<z.ZodString>;
  failure: z.ZodOptional<z.ZodObject<{
    code: z.ZodEnum<{
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
    message: z.ZodString;
    remedy: z.ZodOptional<z.ZodString>;
    status: z.ZodOptional<z.ZodNumber>;
    retry_after_ms: z.ZodOptional<z.ZodNumber>;
    retry_at: z.ZodOptional<z.ZodNumber>;
    request_id: z.ZodOptional<z.ZodString>;
    retry: z.ZodOptional<z.ZodBoolean>;
  }, z.core.$strip>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.retried">;
  turn: z.ZodNumber;
  model: z.ZodString;
  attempt: z.ZodNumber;
  delay_ms: z.ZodNumber;
  failure: z.ZodObject<{
    code: z.ZodEnum<{
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
    message: z.ZodString;
    remedy: z.ZodOptional<z.ZodString>;
    status: z.ZodOptional<z.ZodNumber>;
    retry_after_ms: z.ZodOptional<z.ZodNumber>;
    retry_at: z.ZodOptional<z.ZodNumber>;
    request_id: z.ZodOptional<z.ZodString>;
    retry: z.ZodOptional<z.ZodBoolean>;
  }, z.core.$strip>;
  usage: z.ZodObject<{
    input: z.ZodNumber;
    output: z.ZodNumber;
    cache_read: z.ZodNumber;
    cache_write: z.ZodNumber;
    reasoning: z.ZodOptional<z.ZodNumber>;
    searches: z.ZodOptional<z.ZodNumber>;
  }, z.core.$strip>;
  cost_usd: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.given_up">;
  turn: z.ZodNumber;
  model: z.ZodString;
  usage: z.ZodObject<{
    input: z.ZodNumber;
    output: z.ZodNumber;
    cache_read: z.ZodNumber;
    cache_write: z.ZodNumber;
    reasoning: z.ZodOptional<z.ZodNumber>;
    searches: z.ZodOptional<z.ZodNumber>;
  }, z.core.$strip>;
  cost_usd: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.consulted">;
  purpose: z.ZodEnum<{
    advice: "advice";
    hook: "hook";
    memory: "memory";
    permission: "permission";
    sampling: "sampling";
    summary: "summary";
  }>;
  call_id: z.ZodOptional<z.ZodString>;
  model: z.ZodString;
  stop: z.ZodEnum<{
    aborted: "aborted";
    end: "end";
    error: "error";
    max_tokens: "max_tokens";
    pause: "pause";
    refusal: "refusal";
    tools: "tools";
  }>;
  usage: z.ZodObject<{
    input: z.ZodNumber;
    output: z.ZodNumber;
    cache_read: z.ZodNumber;
    cache_write: z.ZodNumber;
    reasoning: z.ZodOptional<z.ZodNumber>;
    searches: z.ZodOptional<z.ZodNumber>;
  }, z.core.$strip>;
  cost_usd: z.ZodNullable<z.ZodNumber>;
  duration_ms: z.ZodNumber;
  advice: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.paused">;
  turn: z.ZodNumber;
  model: z.ZodString;
  until: z.ZodNumber;
  failure: z.ZodObject<{
    code: z.ZodEnum<{
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
    message: z.ZodString;
    remedy: z.ZodOptional<z.ZodString>;
    status: z.ZodOptional<z.ZodNumber>;
    retry_after_ms: z.ZodOptional<z.ZodNumber>;
    retry_at: z.ZodOptional<z.ZodNumber>;
    request_id: z.ZodOptional<z.ZodString>;
    retry: z.ZodOptional<z.ZodBoolean>;
  }, z.core.$strip>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.waiting">;
  turn: z.ZodNumber;
  model: z.ZodString;
  until: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.resumed">;
  turn: z.ZodNumber;
  model: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.fell_back">;
  turn: z.ZodNumber;
  from: z.ZodString;
  to: z.ZodString;
  failure: z.ZodObject<{
    code: z.ZodEnum<{
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
    message: z.ZodString;
    remedy: z.ZodOptional<z.ZodString>;
    status: z.ZodOptional<z.ZodNumber>;
    retry_after_ms: z.ZodOptional<z.ZodNumber>;
    retry_at: z.ZodOptional<z.ZodNumber>;
    request_id: z.ZodOptional<z.ZodString>;
    retry: z.ZodOptional<z.ZodBoolean>;
  }, z.core.$strip>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.conceded">;
  turn: z.ZodNumber;
  model: z.ZodString;
  feature: z.ZodString;
  back: z.ZodBoolean;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"cache.extended">;
  turn: z.ZodNumber;
  waits: z.ZodNumber;
  median_ms: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.counted">;
  turn: z.ZodNumber;
  model: z.ZodString;
  tokens: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.described">;
  turn: z.ZodNumber;
  model: z.ZodString;
  window: z.ZodNumber;
  slots: z.ZodOptional<z.ZodNumber>;
  trained: z.ZodOptional<z.ZodNumber>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"budget.warned">;
  scope: z.ZodEnum<{
    lease: "lease";
    member: "member";
    team: "team";
  }>;
  unit: z.ZodEnum<{
    tokens: "tokens";
    turns: "turns";
    usd: "usd";
  }>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"budget.exhausted">;
  scope: z.ZodEnum<{
    lease: "lease";
    member: "member";
    team: "team";
  }>;
  unit: z.ZodEnum<{
    minutes: "minutes";
    tokens: "tokens";
    turns: "turns";
    usd: "usd";
  }>;
  last: z.ZodBoolean;
  aside: z.ZodOptional<z.ZodEnum<{
    advice: "advice";
    escalation: "escalation";
    hook: "hook";
    memory: "memory";
    permission: "permission";
    sampling: "sampling";
    summary: "summary";
  }>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"turn.continued">;
  turn: z.ZodNumber;
  reason: z.ZodEnum<{
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
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"call.started">;
  call_id: z.ZodString;
  tool: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"permission.requested">;
  call_id: z.ZodString;
  tool: z.ZodString;
  request: z.ZodString;
  decision: z.ZodObject<{
    behavior: z.ZodEnum<{
      allow: "allow";
      ask: "ask";
      deny: "deny";
    }>;
    source: z.ZodEnum<{
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
    rule: z.ZodOptional<z.ZodString>;
    at: z.ZodOptional<z.ZodString>;
    of: z.ZodOptional<z.ZodString>;
    reason: z.ZodString;
    path: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>;
  deadline: z.ZodNullable<z.ZodNumber>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"permission.decided">;
  call_id: z.ZodString;
  tool: z.ZodString;
  decision: z.ZodObject<{
    behavior: z.ZodEnum<{
      allow: "allow";
      ask: "ask";
      deny: "deny";
    }>;
    source: z.ZodEnum<{
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
    rule: z.ZodOptional<z.ZodString>;
    at: z.ZodOptional<z.ZodString>;
    of: z.ZodOptional<z.ZodString>;
    reason: z.ZodString;
    path: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>;
  asked: z.ZodOptional<z.ZodObject<{
    behavior: z.ZodEnum<{
      allow: "allow";
      ask: "ask";
      deny: "deny";
    }>;
    source: z.ZodEnum<{
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
    rule: z.ZodOptional<z.ZodString>;
    at: z.ZodOptional<z.ZodString>;
    of: z.ZodOptional<z.ZodString>;
    reason: z.ZodString;
    path: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>>;
  request: z.ZodOptional<z.ZodString>;
  by: z.ZodOptional<z.ZodString>;
  updated_input: z.ZodOptional<z.ZodUnknown>;
}, z.core.$strip>, z.ZodObject<{
  is_error: z.ZodBoolean;
  exit: z.ZodOptional<z.ZodObject<{
    code: z.ZodNumber;
    failed: z.ZodBoolean;
  }, z.core.$strip>>;
  skipped: z.ZodOptional<z.ZodLiteral<true>>;
  type: z.ZodLiteral<"call.finished">;
  call_id: z.ZodString;
  tool: z.ZodString;
  duration_ms: z.ZodNumber;
  stored: z.ZodOptional<z.ZodObject<{
    sha256: z.ZodString;
    chars: z.ZodNumber;
  }, z.core.$strip>>;
  file: z.ZodOptional<z.ZodObject<{
    path: z.ZodString;
    sha256: z.ZodString;
    wrote: z.ZodBoolean;
  }, z.core.$strip>>;
}, z.core.$strip>, z.ZodObject<{
  call_id: z.ZodString;
  tool: z.ZodString;
  type: z.ZodLiteral<"call.coerced">;
  changes: z.ZodArray<z.ZodObject<{
    field: z.ZodString;
    from: z.ZodString;
    to: z.ZodString;
  }, z.core.$strip>>;
}, z.core.$strip>, z.ZodObject<{
  call_id: z.ZodString;
  tool: z.ZodString;
  type: z.ZodLiteral<"call.refused">;
  why: z.ZodEnum<{
    deferred: "deferred";
    hook: "hook";
    malformed: "malformed";
    meaning: "meaning";
    middleware: "middleware";
    shape: "shape";
    unknown: "unknown";
  }>;
  reason: z.ZodString;
  by: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  call_id: z.ZodString;
  tool: z.ZodString;
  type: z.ZodLiteral<"call.retried">;
  attempt: z.ZodNumber;
  delay_ms: z.ZodNumber;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  call_id: z.ZodString;
  tool: z.ZodString;
  type: z.ZodLiteral<"call.reused">;
  of: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  call_id: z.ZodString;
  tool: z.ZodString;
  type: z.ZodLiteral<"call.limited">;
  limit: z.ZodNumber;
  then: z.ZodEnum<{
    block: "block";
    steer: "steer";
  }>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"turn.overflowed">;
  turn: z.ZodNumber;
  chars: z.ZodNumber;
  limit: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  call_id: z.ZodString;
  command: z.ZodString;
  type: z.ZodLiteral<"verify.started">;
}, z.core.$strip>, z.ZodObject<{
  call_id: z.ZodString;
  command: z.ZodString;
  type: z.ZodLiteral<"verify.settled">;
  after: z.ZodEnum<{
    change: "change";
    end: "end";
  }>;
  verdict: z.ZodEnum<{
    failed: "failed";
    not_run: "not_run";
    passed: "passed";
  }>;
  duration_ms: z.ZodNumber;
  reason: z.ZodOptional<z.ZodString>;
  why: z.ZodOptional<z.ZodEnum<{
    denied: "denied";
    not_started: "not_started";
  }>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"model.escalated">;
  turn: z.ZodNumber;
  from: z.ZodString;
  to: z.ZodString;
  trigger: z.ZodEnum<{
    errors: "errors";
    loop: "loop";
    marker: "marker";
    task: "task";
  }>;
  reason: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"plan.entered">;
  call_id: z.ZodString;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"plan.approved">;
  call_id: z.ZodString;
  plan: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"todos.changed">;
  call_id: z.ZodString;
  todos: z.ZodArray<z.ZodObject<{
    content: z.ZodString;
    status: z.ZodEnum<{
      completed: "completed";
      in_progress: "in_progress";
      pending: "pending";
    }>;
    activeForm: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"agent.parked">;
  turn: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"agent.ended">;
  turn: z.ZodNumber;
  reason: z.ZodEnum<{
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
  failure: z.ZodOptional<z.ZodObject<{
    code: z.ZodEnum<{
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
    message: z.ZodString;
    remedy: z.ZodOptional<z.ZodString>;
    status: z.ZodOptional<z.ZodNumber>;
    retry_after_ms: z.ZodOptional<z.ZodNumber>;
    retry_at: z.ZodOptional<z.ZodNumber>;
    request_id: z.ZodOptional<z.ZodString>;
    retry: z.ZodOptional<z.ZodBoolean>;
  }, z.core.$strip>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"mail.sent">;
  envelope: z.ZodObject<{
    v: z.ZodLiteral<1>;
    id: z.ZodString;
    key: z.ZodString;
    from: z.ZodUnion<readonly [z.ZodCustom<`${string}@${string}`, `${string}@${string}`>, z.ZodLiteral<"user">]>;
    sender: z.ZodString;
    seq: z.ZodNumber;
    to: z.ZodCustom<`${string}@${string}`, `${string}@${string}`>;
    incarnation: z.ZodOptional<z.ZodString>;
    kind: z.ZodEnum<{
      answer: "answer";
      control: "control";
      question: "question";
      result: "result";
      shutdown: "shutdown";
      task: "task";
      text: "text";
    }>;
    priority: z.ZodEnum<{
      interrupt: "interrupt";
      normal: "normal";
    }>;
    reply_to: z.ZodOptional<z.ZodString>;
    request: z.ZodOptional<z.ZodString>;
    chain: z.ZodOptional<z.ZodArray<z.ZodString>>;
    deadline: z.ZodOptional<z.ZodNumber>;
    status: z.ZodOptional<z.ZodEnum<{
      cancelled: "cancelled";
      done: "done";
      failed: "failed";
    }>>;
    amends: z.ZodOptional<z.ZodLiteral<true>>;
    returns: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    restrictions: z.ZodOptional<z.ZodArray<z.ZodObject<{
      of: z.ZodString;
      deny: z.ZodOptional<z.ZodArray<z.ZodString>>;
      ask: z.ZodOptional<z.ZodArray<z.ZodString>>;
      scope: z.ZodOptional<z.ZodArray<z.ZodString>>;
      blocked_hosts: z.ZodOptional<z.ZodArray<z.ZodString>>;
      mode: z.ZodOptional<z.ZodEnum<{
        acceptEdits: "acceptEdits";
        bypassPermissions: "bypassPermissions";
        default: "default";
        dontAsk: "dontAsk";
        plan: "plan";
      }>>;
      plan: z.ZodOptional<z.ZodLiteral<true>>;
    }, z.core.$strip>>>;
    body: z.ZodString;
    artifact: z.ZodOptional<z.ZodObject<{
      sha256: z.ZodString;
      bytes: z.ZodNumber;
    }, z.core.$strip>>;
    attachments: z.ZodOptional<z.ZodString>;
    traceparent: z.ZodOptional<z.ZodString>;
    sent_at: z.ZodNumber;
    mac: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"mail.received">;
  envelope: z.ZodObject<{
    v: z.ZodLiteral<1>;
    id: z.ZodString;
    key: z.ZodString;
    from: z.ZodUnion<readonly [z.ZodCustom<`${string}@${string}`, `${string}@${string}`>, z.ZodLiteral<"user">]>;
    sender: z.ZodString;
    seq: z.ZodNumber;
    to: z.ZodCustom<`${string}@${string}`, `${string}@${string}`>;
    incarnation: z.ZodOptional<z.ZodString>;
    kind: z.ZodEnum<{
      answer: "answer";
      control: "control";
      question: "question";
      result: "result";
      shutdown: "shutdown";
      task: "task";
      text: "text";
    }>;
    priority: z.ZodEnum<{
      interrupt: "interrupt";
      normal: "normal";
    }>;
    reply_to: z.ZodOptional<z.ZodString>;
    request: z.ZodOptional<z.ZodString>;
    chain: z.ZodOptional<z.ZodArray<z.ZodString>>;
    deadline: z.ZodOptional<z.ZodNumber>;
    status: z.ZodOptional<z.ZodEnum<{
      cancelled: "cancelled";
      done: "done";
      failed: "failed";
    }>>;
    amends: z.ZodOptional<z.ZodLiteral<true>>;
    returns: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
    restrictions: z.ZodOptional<z.ZodArray<z.ZodObject<{
      of: z.ZodString;
      deny: z.ZodOptional<z.ZodArray<z.ZodString>>;
      ask: z.ZodOptional<z.ZodArray<z.ZodString>>;
      scope: z.ZodOptional<z.ZodArray<z.ZodString>>;
      blocked_hosts: z.ZodOptional<z.ZodArray<z.ZodString>>;
      mode: z.ZodOptional<z.ZodEnum<{
        acceptEdits: "acceptEdits";
        bypassPermissions: "bypassPermissions";
        default: "default";
        dontAsk: "dontAsk";
        plan: "plan";
      }>>;
      plan: z.ZodOptional<z.ZodLiteral<true>>;
    }, z.core.$strip>>>;
    body: z.ZodString;
    artifact: z.ZodOptional<z.ZodObject<{
      sha256: z.ZodString;
      bytes: z.ZodNumber;
    }, z.core.$strip>>;
    attachments: z.ZodOptional<z.ZodString>;
    traceparent: z.ZodOptional<z.ZodString>;
    sent_at: z.ZodNumber;
    mac: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>;
  confirm: z.ZodOptional<z.ZodLiteral<true>>;
  shown: z.ZodOptional<z.ZodObject<{
    chars: z.ZodNumber;
    path: z.ZodString;
  }, z.core.$strip>>;
  attached: z.ZodOptional<z.ZodArray<z.ZodDiscriminatedUnion<[z.ZodObject<{
    type: z.ZodLiteral<"image">;
    media_type: z.ZodString;
    data: z.ZodString;
  }, z.core.$strip>, z.ZodObject<{
    type: z.ZodLiteral<"document">;
    media_type: z.ZodLiteral<"application/pdf">;
    name: z.ZodString;
    data: z.ZodString;
    text: z.ZodString;
  }, z.core.$strip>], "type">>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"mail.handled">;
  mail_id: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"mail.died">;
  file: z.ZodString;
  mail_id: z.ZodOptional<z.ZodString>;
  reason: z.ZodString;
  kind: z.ZodOptional<z.ZodEnum<{
    answer: "answer";
    control: "control";
    question: "question";
    result: "result";
    shutdown: "shutdown";
    task: "task";
    text: "text";
  }>>;
  from: z.ZodOptional<z.ZodString>;
  attempts: z.ZodOptional<z.ZodNumber>;
  left: z.ZodOptional<z.ZodLiteral<true>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.started">;
  incarnation: z.ZodString;
  executor: z.ZodString;
  pid: z.ZodNumber;
  policy: z.ZodOptional<z.ZodString>;
  prompt: z.ZodOptional<z.ZodObject<{
    fingerprint: z.ZodString;
    sections: z.ZodArray<z.ZodObject<{
      name: z.ZodString;
      zone: z.ZodEnum<{
        cached: "cached";
        volatile: "volatile";
      }>;
      sha256: z.ZodString;
      chars: z.ZodNumber;
    }, z.core.$strip>>;
  }, z.core.$strip>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.renewed">;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.woke">;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.idled">;
  reason: z.ZodOptional<z.ZodEnum<{
    nothing_to_do: "nothing_to_do";
    waiting_for_answer: "waiting_for_answer";
    waiting_for_results: "waiting_for_results";
  }>>;
  waiting_for: z.ZodOptional<z.ZodArray<z.ZodString>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.replied">;
  request: z.ZodString;
  mail_id: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.waits">;
  wait: z.ZodString;
  for: z.ZodString;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.reported">;
  request: z.ZodOptional<z.ZodString>;
  text: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  refused: z.ZodOptional<z.ZodString>;
  mail_id: z.ZodOptional<z.ZodString>;
  type: z.ZodLiteral<"model.chosen">;
  model: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  refused: z.ZodOptional<z.ZodString>;
  mail_id: z.ZodOptional<z.ZodString>;
  type: z.ZodLiteral<"mode.chosen">;
  mode: z.ZodEnum<{
    acceptEdits: "acceptEdits";
    bypassPermissions: "bypassPermissions";
    default: "default";
    dontAsk: "dontAsk";
    plan: "plan";
  }>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.drained">;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.gone">;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"team.started">;
  run: z.ZodString;
  team: z.ZodString;
  hash: z.ZodString;
  task: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"team.resumed">;
  pid: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"team.changed">;
  hash: z.ZodString;
  changes: z.ZodArray<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"team.reopened">;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"executor.chosen">;
  executor: z.ZodString;
  members: z.ZodArray<z.ZodString>;
  why: z.ZodString;
  look: z.ZodNullable<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"worktree.opened">;
  member: z.ZodString;
  tree: z.ZodString;
  branch: z.ZodString;
  base: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"worktree.closed">;
  member: z.ZodString;
  tree: z.ZodString;
  branch: z.ZodString;
  kept: z.ZodBoolean;
  dirty: z.ZodNumber;
  unmerged: z.ZodNumber;
  branches: z.ZodOptional<z.ZodArray<z.ZodString>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.spawned">;
  member: z.ZodString;
  attempt: z.ZodNumber;
  depth: z.ZodOptional<z.ZodNumber>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.refused">;
  member: z.ZodString;
  limit: z.ZodEnum<{
    agents: "agents";
    budget: "budget";
    depth: "depth";
    rate: "rate";
  }>;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.crashed">;
  member: z.ZodString;
  error: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.lost">;
  member: z.ZodString;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.hung">;
  member: z.ZodString;
  last: z.ZodString;
  silent_ms: z.ZodNumber;
  stirred_ms: z.ZodOptional<z.ZodNumber>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.restarted">;
  member: z.ZodString;
  by: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"stop.asked">;
  member: z.ZodString;
  by: z.ZodString;
  reason: z.ZodString;
  until: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"stop.refused">;
  member: z.ZodString;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"member.stopped">;
  member: z.ZodString;
  by: z.ZodString;
  reason: z.ZodString;
  forced: z.ZodOptional<z.ZodLiteral<true>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"budget.leased">;
  member: z.ZodString;
  lease: z.ZodObject<{
    usd: z.ZodNullable<z.ZodNumber>;
    tokens: z.ZodNullable<z.ZodNumber>;
    turns: z.ZodNullable<z.ZodNumber>;
    rests: z.ZodNumber;
  }, z.core.$strip>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"budget.returned">;
  member: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"request.held">;
  request: z.ZodString;
  worker: z.ZodString;
  task: z.ZodString;
  depends_on: z.ZodArray<z.ZodString>;
  limit_ms: z.ZodNullable<z.ZodNumber>;
  returns: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
  key: z.ZodOptional<z.ZodString>;
  restrictions: z.ZodOptional<z.ZodArray<z.ZodObject<{
    of: z.ZodString;
    deny: z.ZodOptional<z.ZodArray<z.ZodString>>;
    ask: z.ZodOptional<z.ZodArray<z.ZodString>>;
    scope: z.ZodOptional<z.ZodArray<z.ZodString>>;
    blocked_hosts: z.ZodOptional<z.ZodArray<z.ZodString>>;
    mode: z.ZodOptional<z.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    plan: z.ZodOptional<z.ZodLiteral<true>>;
  }, z.core.$strip>>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"request.opened">;
  request: z.ZodString;
  worker: z.ZodString;
  task: z.ZodString;
  mail_id: z.ZodString;
  attempt: z.ZodNumber;
  deadline: z.ZodNullable<z.ZodNumber>;
  returns: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
  instead_of: z.ZodOptional<z.ZodObject<{
    worker: z.ZodString;
    reason: z.ZodOptional<z.ZodString>;
  }, z.core.$strip>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"request.settled">;
  request: z.ZodString;
  worker: z.ZodString;
  status: z.ZodEnum<{
    cancelled: "cancelled";
    done: "done";
    failed: "failed";
    timed_out: "timed_out";
  }>;
  reason: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"gather.opened">;
  deadline: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"gather.settled">;
  why: z.ZodEnum<{
    all: "all";
    any: "any";
    failed: "failed";
    progressive: "progressive";
    quorum: "quorum";
    timeout: "timeout";
  }>;
  reason: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"coordinator.moved">;
  state: z.ZodString;
  tools: z.ZodArray<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"lead.nudged">;
  open: z.ZodArray<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"team.ended">;
  status: z.ZodEnum<{
    aborted: "aborted";
    budget: "budget";
    completed: "completed";
    failed: "failed";
    permission: "permission";
  }>;
  reason: z.ZodString;
  result: z.ZodNullable<z.ZodString>;
  afterwards: z.ZodOptional<z.ZodArray<z.ZodString>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"task.created">;
  task: z.ZodNumber;
  subject: z.ZodString;
  description: z.ZodOptional<z.ZodString>;
  blocked_by: z.ZodArray<z.ZodNumber>;
  author: z.ZodString;
  mail_id: z.ZodString;
  restrictions: z.ZodOptional<z.ZodArray<z.ZodObject<{
    of: z.ZodString;
    deny: z.ZodOptional<z.ZodArray<z.ZodString>>;
    ask: z.ZodOptional<z.ZodArray<z.ZodString>>;
    scope: z.ZodOptional<z.ZodArray<z.ZodString>>;
    blocked_hosts: z.ZodOptional<z.ZodArray<z.ZodString>>;
    mode: z.ZodOptional<z.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    plan: z.ZodOptional<z.ZodLiteral<true>>;
  }, z.core.$strip>>>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"task.opened">;
  task: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"task.claimed">;
  task: z.ZodNumber;
  by: z.ZodString;
  epoch: z.ZodNumber;
  until: z.ZodNumber;
  mail_id: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"task.released">;
  task: z.ZodNumber;
  by: z.ZodString;
  epoch: z.ZodNumber;
  reason: z.ZodString;
  mail_id: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"task.submitted">;
  task: z.ZodNumber;
  by: z.ZodString;
  evidence: z.ZodArray<z.ZodUnion<readonly [z.ZodObject<{
    command: z.ZodString;
    exit_code: z.ZodNumber;
  }, z.core.$strict>, z.ZodObject<{
    file: z.ZodString;
    sha256: z.ZodString;
  }, z.core.$strict>, z.ZodObject<{
    check: z.ZodString;
  }, z.core.$strict>]>>;
  mail_id: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"task.finished">;
  task: z.ZodNumber;
  by: z.ZodString;
  status: z.ZodEnum<{
    cancelled: "cancelled";
    done: "done";
    failed: "failed";
  }>;
  reason: z.ZodOptional<z.ZodString>;
  evidence: z.ZodOptional<z.ZodArray<z.ZodUnion<readonly [z.ZodObject<{
    command: z.ZodString;
    exit_code: z.ZodNumber;
  }, z.core.$strict>, z.ZodObject<{
    file: z.ZodString;
    sha256: z.ZodString;
  }, z.core.$strict>, z.ZodObject<{
    check: z.ZodString;
  }, z.core.$strict>]>>>;
  confirmed_by: z.ZodOptional<z.ZodString>;
  mail_id: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"task.refused">;
  task: z.ZodOptional<z.ZodNumber>;
  mail_id: z.ZodString;
  reason: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"breaker.opened">;
  provider: z.ZodString;
  failures: z.ZodNumber;
  until: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"breaker.closed">;
  provider: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"hook.ran">;
  event: z.ZodEnum<{
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
  hook: z.ZodString;
  source: z.ZodString;
  outcome: z.ZodEnum<{
    blocking: "blocking";
    cancelled: "cancelled";
    error: "error";
    success: "success";
  }>;
  duration_ms: z.ZodNumber;
  call_id: z.ZodOptional<z.ZodString>;
  updated_input: z.ZodOptional<z.ZodUnknown>;
  message: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"event.dropped">;
  actor: z.ZodString;
  event: z.ZodString;
  state: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"mcp.changed">;
  server: z.ZodString;
  state: z.ZodEnum<{
    connected: "connected";
    disabled: "disabled";
    failed: "failed";
    "needs-auth": "needs-auth";
    pending: "pending";
  }>;
  tools: z.ZodNumber;
  reason: z.ZodOptional<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"settings.changed">;
  files: z.ZodArray<z.ZodString>;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"warning.raised">;
  code: z.ZodString;
  message: z.ZodString;
}, z.core.$strip>], "type">;
type Fact = z.infer<typeof factSchema>;
type FactType = Fact['type'];
type FactOf<Type extends FactType> = Extract<Fact, {
  type: Type;
}>;
type RunStatus = FactOf<'team.ended'>['status'];
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
declare const headerSchema: z.ZodObject<{
  type: z.ZodLiteral<"journal.opened">;
  spec: z.ZodLiteral<1 | 2>;
  run: z.ZodOptional<z.ZodString>;
  team: z.ZodOptional<z.ZodString>;
  owner: z.ZodString;
  leader: z.ZodOptional<z.ZodString>;
  after: z.ZodOptional<z.ZodNumber>;
}, z.core.$strip>;
type JournalHeader = z.infer<typeof headerSchema>;
/** One line of a journal. */
type Entry = Frame & (Fact | JournalHeader);
/** An entry with the journal it came from: what the leader's folds and every screen read. */
interface Recorded {
  /** Member name, or `team`. */
  readonly owner: string;
  readonly entry: Entry;
}
declare const memberStates: readonly ['starting', 'idle', 'busy', 'draining', 'gone'];
type MemberState = (typeof memberStates)[number];
/** A run as `ps` lists it. `interrupted`: its leader is gone and it never said how it ended. */
interface RunSummary {
  readonly id: string;
  readonly dir: string;
  readonly team: string;
  readonly state: 'running' | 'interrupted' | RunStatus;
  /** True for a run that has no leader, has not ended and was not stopped: `troupe resume` leads it on. */
  readonly stale: boolean;
  /** The process that leads it; null when nobody does. */
  readonly pid: number | null;
  readonly task: string | null;
  /** Milliseconds since the epoch. */
  readonly created: number | null;
  readonly members: readonly MemberSummary[];
  readonly problems: readonly string[];
}
interface MemberSummary {
  readonly name: string;
  readonly state: MemberState | 'not_started';
  /** True while the member's process runs, or may run elsewhere. */
  readonly alive: boolean;
  /** Of its process while it is alive. */
  readonly pid: number | null;
  /** Messages that lie in its mailbox now. */
  readonly unread: number;
  /** Tool calls of it that wait for somebody to allow or deny them. */
  readonly waits_for_you: number;
}
/** All entries of a run's journals, and the places that could not be read. */
interface RunRecord {
  readonly id: string;
  readonly dir: string;
  readonly recorded: readonly Recorded[];
  readonly problems: readonly string[];
}
/**
 * The runs of a working directory, the newest first; a half-written run directory is listed with its problems.
 *
 * @param cwd default: the process's directory
 * @example listRuns('/home/me/project').filter(({ stale }) => stale)
 */
declare function summariseRuns(cwd?: string): readonly RunSummary[];
/**
 * Finds a run by its directory, its id or the beginning of it, or a team's name (that team's latest run);
 * without a name the latest of all. Null when there is none.
 *
 * @param cwd the working directory of the team
 * @example findRun('/home/me/project', 'review') // '/home/me/project/.troupe/runs/review-01J…'
 */
export declare function findRun(cwd: string, name?: string): string | null;
/**
 * Reads all journals of a run, in one order. Nothing is thrown for what they hold.
 *
 * @param dir the run directory
 * @example recordOfRun(dir).recorded.filter(({ entry }) => entry.type === 'mail.sent').length
 */
export declare function recordOfRun(dir: string): RunRecord;
/** A file that a person gives with a prompt. */
declare const attachmentSchema: z.ZodDiscriminatedUnion<[z.ZodObject<{
  type: z.ZodLiteral<"image">;
  media_type: z.ZodString;
  data: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"document">;
  media_type: z.ZodLiteral<"application/pdf">;
  name: z.ZodString;
  data: z.ZodString;
  text: z.ZodString;
}, z.core.$strip>], "type">;
declare const usageSchema: z.ZodObject<{
  input: z.ZodNumber;
  output: z.ZodNumber;
  cache_read: z.ZodNumber;
  cache_write: z.ZodNumber;
  reasoning: z.ZodOptional<z.ZodNumber>;
  searches: z.ZodOptional<z.ZodNumber>;
}, z.core.$strip>;
type Attachment = z.infer<typeof attachmentSchema>;
type Usage = z.infer<typeof usageSchema>;
declare const liveEventSchema: z.ZodDiscriminatedUnion<[z.ZodObject<{
  type: z.ZodLiteral<"request.start">;
  member: z.ZodString;
  turn: z.ZodNumber;
  model: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"text.delta">;
  member: z.ZodString;
  text: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"thinking.delta">;
  member: z.ZodString;
  text: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"text.reset">;
  member: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"tool.progress">;
  member: z.ZodString;
  call_id: z.ZodString;
  text: z.ZodString;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"entry">;
  member: z.ZodString;
  seq: z.ZodNumber;
}, z.core.$strip>, z.ZodObject<{
  type: z.ZodLiteral<"dropped">;
  member: z.ZodString;
  count: z.ZodNumber;
}, z.core.$strip>], "type">;
type LiveEvent = z.infer<typeof liveEventSchema>;
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
type OwnName<Event> = Event extends {
  readonly member: string;
} ? Omit<Event, 'member'> : never;
/** An event of a run: a fact, or a piece of what is being written now, which a slow reader may miss. */
type RunEvent = EventFrame & (FactEvent | OwnName<Exclude<LiveEvent, {
  type: 'entry';
}>>);
declare const mailPriorities: readonly ['normal', 'interrupt'];
declare const envelopeSchema: z.ZodObject<{
  v: z.ZodLiteral<1>;
  id: z.ZodString;
  key: z.ZodString;
  from: z.ZodUnion<readonly [z.ZodCustom<`${string}@${string}`, `${string}@${string}`>, z.ZodLiteral<"user">]>;
  sender: z.ZodString;
  seq: z.ZodNumber;
  to: z.ZodCustom<`${string}@${string}`, `${string}@${string}`>;
  incarnation: z.ZodOptional<z.ZodString>;
  kind: z.ZodEnum<{
    answer: "answer";
    control: "control";
    question: "question";
    result: "result";
    shutdown: "shutdown";
    task: "task";
    text: "text";
  }>;
  priority: z.ZodEnum<{
    interrupt: "interrupt";
    normal: "normal";
  }>;
  reply_to: z.ZodOptional<z.ZodString>;
  request: z.ZodOptional<z.ZodString>;
  chain: z.ZodOptional<z.ZodArray<z.ZodString>>;
  deadline: z.ZodOptional<z.ZodNumber>;
  status: z.ZodOptional<z.ZodEnum<{
    cancelled: "cancelled";
    done: "done";
    failed: "failed";
  }>>;
  amends: z.ZodOptional<z.ZodLiteral<true>>;
  returns: z.ZodOptional<z.ZodRecord<z.ZodString, z.ZodUnknown>>;
  restrictions: z.ZodOptional<z.ZodArray<z.ZodObject<{
    of: z.ZodString;
    deny: z.ZodOptional<z.ZodArray<z.ZodString>>;
    ask: z.ZodOptional<z.ZodArray<z.ZodString>>;
    scope: z.ZodOptional<z.ZodArray<z.ZodString>>;
    blocked_hosts: z.ZodOptional<z.ZodArray<z.ZodString>>;
    mode: z.ZodOptional<z.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    plan: z.ZodOptional<z.ZodLiteral<true>>;
  }, z.core.$strip>>>;
  body: z.ZodString;
  artifact: z.ZodOptional<z.ZodObject<{
    sha256: z.ZodString;
    bytes: z.ZodNumber;
  }, z.core.$strip>>;
  attachments: z.ZodOptional<z.ZodString>;
  traceparent: z.ZodOptional<z.ZodString>;
  sent_at: z.ZodNumber;
  mac: z.ZodOptional<z.ZodString>;
}, z.core.$strip>;
type Envelope = z.infer<typeof envelopeSchema>;
type MailPriority = (typeof mailPriorities)[number];
declare const permissionModes: readonly ['default', 'acceptEdits', 'plan', 'bypassPermissions', 'dontAsk'];
/** In scanning order: the first source with a match is the one that is named. */
declare const permissionSources: readonly ['policy', 'project', 'local', 'user', 'cliArg', 'session'];
declare const behaviors: readonly ['allow', 'ask', 'deny'];
/** A rule's source, or what decided instead of a rule. */
declare const deciders: readonly ["policy", "project", "local", "user", "cliArg", "session", "bounds", "mode", "human", "hook", "classifier", "nobody"];
type PermissionMode = (typeof permissionModes)[number];
type PermissionSource = (typeof permissionSources)[number];
type Behavior = (typeof behaviors)[number];
type RuleLists = { [behavior in Behavior]?: string[] | undefined; };
type RulesBySource = Partial<Record<PermissionSource, RuleLists>>;
/** Where a rule stands, as `file:line`, and the directory that its leading `/` means instead of the project's root. */
interface RuleOrigin {
  readonly at: string;
  /** The member that it forbids, and for whom the call is made. */
  readonly of?: string;
  readonly root?: string;
}
/** Index for index the origins of the rules of `RulesBySource`. */
type OriginsBySource = Partial<Record<PermissionSource, Partial<Record<Behavior, readonly RuleOrigin[]>>>>;
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
/** The limits of a member that no mode and no rule lifts. */
interface Bounds {
  /** Absolute directories that nobody's rules open: run directories, settings, keys. */
  readonly protected: readonly string[];
  /** Directories inside a protected one whose files tools may read: what was put aside for agents. */
  readonly readable?: readonly string[];
  /** The same, and commands may run them; nobody changes them: skills. */
  readonly runnable?: readonly string[];
  /** Directories inside a protected one that are not closed: the worktree of a member. */
  readonly open?: readonly string[];
  /** Directories that may be read and not changed, but for what is open in them: the checkout around a worktree. */
  readonly sealed?: readonly string[];
  /** When not empty, everything outside is denied. Absolute, symlinks resolved. */
  readonly scope: readonly string[];
  readonly blockedHosts: readonly string[];
  /** Commands that are asked about in every mode, where the managed policy names its own. */
  readonly critical?: readonly string[];
}
/** The sandbox around shell commands, as far as it matters to their permission. */
interface Sandboxed {
  /** A command inside it needs no question. */
  readonly allows: boolean;
  /** Commands that run outside of it, as patterns of Bash rules. */
  readonly excluded: readonly string[];
  /** Without a sandbox no shell command runs. */
  readonly required?: boolean;
  /** A call may ask to run outside of it. */
  readonly leavable?: boolean;
  /** Absolute paths beside the working directories and the bounds. */
  readonly files?: SandboxFiles;
  /** The hosts that commands may reach: `*` opens the network, nothing closes it. */
  readonly domains?: readonly string[];
  /** Never these, whatever is open. */
  readonly closedDomains?: readonly string[];
  /** Commands may talk to others on this machine through sockets of the file system. */
  readonly unixSockets?: boolean;
}
interface SandboxFiles {
  readonly allowWrite: readonly string[];
  readonly denyWrite: readonly string[];
  readonly denyRead: readonly string[];
  readonly allowRead: readonly string[];
}
/** The frozen policy of one member. */
interface Policy {
  readonly mode: PermissionMode;
  /** With `plan`: the mode that holds once a plan is approved; left out where no plan ends it. */
  readonly afterPlan?: PermissionMode;
  /** The widest mode that a person may choose while the run goes on; default: acceptEdits. */
  readonly widest?: PermissionMode;
  readonly rules: RulesBySource;
  /** Where the rules stand; a rule without one came from no file. */
  readonly origins?: OriginsBySource;
  readonly bounds: Bounds;
  /** Shell commands run inside a sandbox of the operating system. */
  readonly sandboxed?: Sandboxed;
  /** Absolute: the working directories, inside which reads are allowed in every mode. */
  readonly directories: readonly string[];
  /** Only the managed policy's allow rules count: nothing is allowed for a whole session. */
  readonly managedOnly?: boolean;
  /** Variables for commands, beside those of the run. */
  readonly env?: Readonly<Record<string, string>>;
  /** Searches find what `.gitignore` excludes, too. */
  readonly unignored?: true;
}
/** A task as the board shows it; `tasks/<n>.json` holds this. */
declare const boardTaskSchema: z.ZodObject<{
  task: z.ZodNumber;
  subject: z.ZodString;
  description: z.ZodOptional<z.ZodString>;
  blocked_by: z.ZodArray<z.ZodNumber>;
  author: z.ZodString;
  restrictions: z.ZodOptional<z.ZodArray<z.ZodObject<{
    of: z.ZodString;
    deny: z.ZodOptional<z.ZodArray<z.ZodString>>;
    ask: z.ZodOptional<z.ZodArray<z.ZodString>>;
    scope: z.ZodOptional<z.ZodArray<z.ZodString>>;
    blocked_hosts: z.ZodOptional<z.ZodArray<z.ZodString>>;
    mode: z.ZodOptional<z.ZodEnum<{
      acceptEdits: "acceptEdits";
      bypassPermissions: "bypassPermissions";
      default: "default";
      dontAsk: "dontAsk";
      plan: "plan";
    }>>;
    plan: z.ZodOptional<z.ZodLiteral<true>>;
  }, z.core.$strip>>>;
  created_at: z.ZodNumber;
  state: z.ZodEnum<{
    blocked: "blocked";
    cancelled: "cancelled";
    claimed: "claimed";
    done: "done";
    failed: "failed";
    open: "open";
    review: "review";
    verifying: "verifying";
  }>;
  by: z.ZodNullable<z.ZodString>;
  epoch: z.ZodNumber;
  until: z.ZodNumber;
  evidence: z.ZodArray<z.ZodUnion<readonly [z.ZodObject<{
    command: z.ZodString;
    exit_code: z.ZodNumber;
  }, z.core.$strict>, z.ZodObject<{
    file: z.ZodString;
    sha256: z.ZodString;
  }, z.core.$strict>, z.ZodObject<{
    check: z.ZodString;
  }, z.core.$strict>]>>;
  confirmed_by: z.ZodOptional<z.ZodString>;
  reason: z.ZodOptional<z.ZodString>;
  changed_at: z.ZodNumber;
}, z.core.$strip>;
type BoardTask = Readonly<z.infer<typeof boardTaskSchema>>;
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
/** The real one; tests hand in a simulated one. */
export declare function systemClock(): Clock;
/** A person's choice for a member that runs, in control mail to it: another model, or another permission mode. */
declare const choiceAskSchema: z.ZodUnion<readonly [z.ZodObject<{
  choose: z.ZodLiteral<"model">;
  value: z.ZodString;
}, z.core.$strict>, z.ZodObject<{
  choose: z.ZodLiteral<"mode">;
  value: z.ZodEnum<{
    acceptEdits: "acceptEdits";
    bypassPermissions: "bypassPermissions";
    default: "default";
    dontAsk: "dontAsk";
    plan: "plan";
  }>;
}, z.core.$strict>]>;
type ChoiceAsk = z.infer<typeof choiceAskSchema>;
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
/** The permission options of the command line. */
interface PermissionFlags extends RuleLists {
  readonly mode?: PermissionMode | undefined;
  /** bypassPermissions mode was opened by hand. */
  readonly bypass?: boolean | undefined;
}
/** Where settings are looked for and what the command line adds. */
interface SettingsOptions {
  /** Where the team works; absolute. */
  readonly cwd: string;
  readonly home: string;
  /** The directory of the managed policy; never taken from anything an agent can set. */
  readonly policyRoot?: string | undefined;
  readonly flags?: PermissionFlags | undefined;
  /** The part of the workspace's files that counts this once beside the remembered part: all, or these texts. */
  readonly trusted?: boolean | readonly string[] | undefined;
  /** Tools beside the built-in ones, of which rules may speak. */
  readonly tools?: readonly string[];
}
/**
 * A mistake of a caller, who can mend it: the message names the place and the cure. A command line ends with exit code 2.
 *
 * @example throw new UsageError('there is no run "reviw" here; did you mean "review"?')
 */
declare class UsageError extends Error {}
/** Words for a person about a wait or a risk. */
type Say = (text: string) => void;
/** A person's message to a member of a team. */
interface PersonalMail {
  /** `name@team`, `all@team`, or a role; a run's id, or its beginning, may stand for the team. */
  readonly to: string;
  readonly text: string;
  /** Under the same key a member gets one mail, however often and from however many processes it is sent. */
  readonly key?: string | undefined;
  readonly priority?: MailPriority;
  /** Images and documents that come with it; `readAttachments` makes them of files. */
  readonly attachments?: readonly Attachment[];
  /** Where the key of the run is; default: the user's directory. */
  readonly home?: string;
  /** Finds room in a full box, too: for whoever makes its owner read next. */
  readonly beyondBound?: boolean;
}
/**
 * Sends mail as a person, from outside the team. With a key, the sending has a journal of its own, so that a second try
 * finds what the first one did.
 * @param dir the run directory
 * @throws when the directory is no run or its key cannot be read
 * @example await sendMail(dir, { to: 'lead@demo', text: 'Mind the tests.', key: 'ci-4711' })
 */
export declare function sendMail(dir: string, mail: PersonalMail): Promise<SentMail>;
/** Tokens and dollars of a number of model calls. `cost_usd` is null as soon as the price of one of them is unknown. */
interface Spending {
  /** Answers that arrived: calls that failed or were aborted are not counted. */
  answers: number;
  usage: Usage;
  cost_usd: number | null;
}
/** One call in the aligned paths of two pieces of work: in both, or only in one. */
interface PathStep {
  readonly in: 'both' | 'a' | 'b';
  readonly label: string;
}
/** The same on both sides, or what each side has; null where a side has nothing. */
interface Sides<Value> {
  readonly a: Value | null;
  readonly b: Value | null;
}
/** Two pieces of work for the same task of the same member; a side is null where a run had none. */
interface ComparedWork {
  readonly member: string;
  readonly task: Sides<string>;
  readonly path: readonly PathStep[];
  /** Calls by tool, of tools that were not used equally often. */
  readonly tools: Readonly<Record<string, {
    readonly a: number;
    readonly b: number;
  }>>;
  readonly spending: Sides<Pick<Spending, 'answers' | 'cost_usd' | 'usage'>>;
  readonly answer: Sides<string>;
  /** Path, task and answer are the same. */
  readonly same: boolean;
}
/** One of two runs that are compared. */
interface DiffedRun extends Pick<Spending, 'answers' | 'usage' | 'cost_usd'> {
  readonly run: string;
  /** Null for a run that has not ended. */
  readonly status: RunStatus | null;
  readonly result: string | null;
  /** From its first fact to its last, in milliseconds. */
  readonly duration_ms: number;
}
interface RunDiff {
  readonly a: DiffedRun;
  readonly b: DiffedRun;
  /** The differences of the team that b ended with from that of a, in words. */
  readonly team: readonly string[];
  readonly work: readonly ComparedWork[];
  /** Files that only one run changed, or that both left with other contents: the SHA-256 or `gone`, null where a run did not change it. */
  readonly files: readonly ({
    readonly path: string;
  } & Sides<string>)[];
  /** Both took the same path to the same answers, and left the same files. */
  readonly same: boolean;
}
/**
 * Compares two runs by what they did: task by task the calls, the answer and the cost, and the files that they left.
 *
 * @param a directory of the one run
 * @param b directory of the other
 * @throws NotComparable when one of them cannot be read
 * @example diffRuns(yesterday, today).work.filter(({ same }) => !same)
 */
export declare function diffRuns(a: string, b: string): RunDiff;
/** The spending of a run: in all, by member, by model and by purpose. Every member is listed, in whatever process it ran. */
interface RunCost {
  readonly run: string;
  readonly total: Spending;
  readonly members: readonly (Spending & {
    readonly name: string;
  })[];
  readonly models: readonly (Spending & {
    readonly name: string;
  })[];
  /** The part of it that was asked beside the members' own work: summaries, memories, advice, … */
  readonly purposes: readonly (Spending & {
    readonly name: string;
  })[];
}
/**
 * Adds up what the journals of a run say was used, attempts that were paid for and came to nothing included.
 *
 * @param dir the run directory
 * @example readCost(dir).total.cost_usd // null as soon as one price is unknown
 */
export declare function readCost(dir: string): RunCost;
/**
 * Every event of a run, those that are there and those to come, until nobody leads the run or the signal aborts.
 * @example for await (const event of runEvents(dir)) if (event.type === 'fact') print(event.fact.type)
 */
export declare function runEvents(dir: string, { signal, onProblem }?: RunEventsOptions): AsyncIterable<RunEvent>;
interface RunEventsOptions {
  readonly signal?: AbortSignal;
  /** Hears of lines of the journals that are no entries. */
  readonly onProblem?: (problem: string) => void;
}
/** Callbacks for a run that is watched, in the order in which a screen shows things. */
interface RunListener {
  /** Journal entries, each once: those that are there at first, then those that come. */
  recorded(batch: readonly Recorded[]): void;
  /** A piece of text that is being written now; pieces may be lost. Earlier entries are handed over before it. */
  live(event: LiveEvent): void;
  /** The present state of everything that stands in no journal. */
  stand(standing: RunNow): void;
  problem(text: string): void;
}
interface RunNow {
  /** The process that leads the run lives. Once it is gone, all of the journals was handed over. */
  readonly led: boolean;
  /** Questions that wait, the oldest first. */
  readonly pending: readonly PendingApproval[];
  /** Messages in each mailbox, by member. */
  readonly unread: ReadonlyMap<string, number>;
}
/**
 * Watches a run from outside: its journals, which are the truth, and the live sockets of its processes, which say sooner
 * what is being written. Nothing of the run is touched, and as many may watch as like.
 * @param dir the run directory
 * @returns the end of the watch
 * @example const stop = watchRun(dir, { recorded: show, live: show, stand: show, problem: console.error })
 */
export declare function watchRun(dir: string, listener: RunListener): () => void;
/** A step of a machine that a replay derived from the facts. */
interface ChartStep {
  /** The machine's actor: the member, `agent`, or the number of a call in its turn. */
  readonly actor: string;
  /** The id of its chart. */
  readonly chart: string;
  readonly event: string;
  /** The state, as XState names it. */
  readonly to: unknown;
  /** The entry that the machine stated with this step, or the next one that it stated, and when. */
  readonly entry: string | null;
  readonly at: number | null;
}
/** A fact of the journal that the machines state otherwise, or do not state at all. */
interface Difference {
  /** The id of the recorded entry; null where the journal ends. */
  readonly entry: string | null;
  readonly recorded: Fact | null;
  readonly replayed: Fact | null;
  /** Where the two differ first: `reason`, `message.content.0.text`. */
  readonly field: string | null;
}
/** The part of a run that is replayed. */
interface ReplayOptions {
  /** The last entry that is replayed, such as `lead-17`, or a moment, as `lastFactBy` reads it; all when left out. */
  readonly until?: string | undefined;
  /** The member that is replayed, or `team` for the team's own machines; all when left out. */
  readonly member?: string | undefined;
}
/** A life of a member, or of the leader with the team's own machines, replayed. */
interface LifeReport {
  /** The member's name, or `team`. */
  readonly member: string;
  /** 1 for the first life. */
  readonly life: number;
  /** Entries of the journal in this life. */
  readonly entries: number;
  readonly transitions: readonly ChartStep[];
  readonly difference: Difference | null;
}
interface RunReplay {
  readonly run: string;
  readonly identical: boolean;
  readonly lives: readonly LifeReport[];
}
/**
 * Runs the machines of the team and of every member again from the journals of a run: no model is asked, no tool runs, nothing is written.
 * What the machines state is compared with the journal, fact by fact, with all fields but the time.
 *
 * @param dir the run directory
 * @returns for each life of each member the transitions of its machines, and the first fact that differs or null
 * @throws NotReplayable when the run cannot be read, or has no such entry
 * @example (await replayRun(dir)).identical
 */
export declare function replayRun(dir: string, options?: ReplayOptions): Promise<RunReplay>;
/**
 * The task board of a run, oldest task first, as the team's journal tells it; empty where there is none.
 *
 * @param dir the run directory
 * @example readTasks(dir).filter(({ state }) => state === 'claimed')
 */
export declare function readTasks(dir: string): readonly BoardTask[];
/** A person's choice for one member of a run. */
type MemberChoice = ChoiceAsk & {
  readonly member: string;
  /** Where the run's key and the person's settings are; default: the user's directory. */
  readonly home?: string;
  /** Where credentials of models are looked up for a member that does not run. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The directory of the managed policy. */
  readonly policyRoot?: string;
  /** Gives up waiting for a member that runs. */
  readonly signal?: AbortSignal;
};
/** A choice that does not count, and why. */
export declare class NotChosen extends UsageError {
  readonly name = "NotChosen";
}
/**
 * Chooses another model, or another permission mode, for a member from its next question on, whether it runs or not. The
 * choice is a line of its journal and outlives the run; `bypassPermissions` only where a person opened it at the start.
 *
 * @param dir the run directory
 * @throws NotChosen when there is no such run or member, and when the model cannot be opened or the mode may not be had
 * @example await chooseForMember(dir, { member: 'lead', choose: 'mode', value: 'plan', env: process.env })
 */
export declare function chooseForMember(dir: string, choice: MemberChoice): Promise<void>;
type Place = Pick<SettingsOptions, 'home' | 'policyRoot'>;
/** The model and the permission mode of a member. */
interface MemberChoices {
  readonly name: string;
  readonly model: string;
  readonly mode: PermissionMode;
}
/**
 * The model that answers for each member of a run, and its permission mode: what a person chose for it, else what the
 * settings, the team and the start of the run say now.
 *
 * @param dir the run directory
 */
export declare function readChoices(dir: string, place: Place): Promise<readonly MemberChoices[]>;
/** A member of a run, as whoever wants something of its life names it. */
interface MemberPlace {
  /** The run's id or the beginning of it, its directory, or the name of its team for the latest one. */
  readonly run: string;
  readonly member: string;
  /** Where its team works; default: the process's directory. */
  readonly cwd?: string;
  /** Where the key of the run is; default: the user's directory. */
  readonly home?: string;
}
/** The end of a restart: the member lives again, it is not started, or neither was seen in time. */
interface RestartedMember {
  readonly run: string;
  readonly member: string;
  readonly outcome: 'restarted' | 'refused' | 'pending';
  /** Why it is not started. */
  readonly reason?: string;
}
/**
 * Restarts one member of a run that somebody leads, the coordinator too, and waits until it lives again: what it does is cut
 * off as by a crash, and its next life has its conversation and takes its work up. One that was stopped, has gone or was
 * given up comes back in the same way.
 * @throws when there is no such run or member, and when nobody leads the run
 * @example await restartMember({ run: 'review', member: 'historian' }) // { outcome: 'restarted', … }
 */
export declare function restartMember(place: MemberPlace): Promise<RestartedMember>;
/** Which worker is stopped, and why. */
interface StopMemberOptions extends MemberPlace {
  /** Default: that a program stopped it. */
  readonly reason?: string;
  /** How long it may take to finish, or to refuse; default: 10 s. With 0 it is not asked. */
  readonly graceMs?: number;
}
/** The end of a stop: nothing of the worker runs any more, it refused, or neither was heard in time. */
interface StoppedMember {
  readonly run: string;
  readonly member: string;
  readonly outcome: 'stopped' | 'refused' | 'pending';
  /** Why it refused. */
  readonly reason?: string;
}
/**
 * Stops one worker of a run that somebody leads, and waits until that is done: it is asked, may finish or refuse within
 * the time it is given, and is ended then. Its other members are not touched; its coordinator is told.
 * @throws when there is no such run or worker, when it is the coordinator, and when nobody leads the run
 * @example await stopMember({ run: 'review', member: 'historian' }) // { outcome: 'stopped', … }
 */
export declare function stopMember(options: StopMemberOptions): Promise<StoppedMember>;
/** Which run is stopped, and why. */
interface StopRunOptions {
  /** The run's id or the beginning of it, its directory, or the name of its team for the latest one. */
  readonly run: string;
  /** Where its team works; default: the process's directory. */
  readonly cwd?: string;
  /** Default: that a program stopped it. */
  readonly reason?: string;
  /** For git and tmux; default: the environment of the process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock?: Clock;
  /** Hears why it takes time. */
  readonly onNote?: Say;
}
/** The outcome of a stop: the leader ended in order, was killed, was gone already, or had ended its run before. */
type Stopped = 'ended' | 'killed' | 'gone' | 'over';
/**
 * Stops a run for good: a tombstone first, so that nobody leads it on, then its leader and its workers. Whoever does not
 * end in order is killed; what they had started goes with them. A run that has ended gets no tombstone.
 * @throws when there is no such run, or a process elsewhere has its part in it: then nothing was written
 * @example await stopRun({ run: 'review', reason: 'The branch is gone.' }) // 'ended'
 */
export declare function stopRun(options: StopRunOptions): Promise<Stopped>;
/** One rule and what it had to say about a call. */
interface RuleVerdict {
  readonly source: PermissionSource;
  readonly rule: string;
  readonly at?: string;
  readonly matches: boolean;
  readonly why: string;
}
/** The way of a call through the cascade, every station and every rule of it. */
interface Explanation {
  readonly decision: Decision;
  readonly mode: Policy['mode'];
  readonly bounds: string;
  /** In the order in which they are looked at; a source without rules is there with none. */
  readonly deny: readonly SourceVerdicts[];
  readonly ask: readonly SourceVerdicts[];
  readonly allow: readonly SourceVerdicts[];
  /** The needs of the call, and whether the mode grants each by itself. */
  readonly needs: readonly {
    readonly what: string;
    readonly granted: boolean;
  }[];
}
interface SourceVerdicts {
  readonly source: PermissionSource;
  readonly rules: readonly RuleVerdict[];
}
/** Where and as what a question about permissions is asked. */
interface PermissionPlace {
  /** Absolute. */
  readonly cwd: string;
  readonly home: string;
  readonly policyRoot: string;
  readonly mode?: PermissionMode | undefined;
}
/**
 * Says how a call would be decided where it is asked, with every rule of every source.
 *
 * @param text The call as people write it: `Bash(git push)`.
 * @param given where and as what it is asked; default: the directory and the user of the process
 * @throws Error when the text is no call
 * @example (await explainCall('Bash(git push)')).decision.behavior
 */
export declare function explainCall(text: string, given?: Partial<PermissionPlace>): Promise<Explanation>;
export { type AnswerOutcome, type Clock, type EventFrame, type LifeReport, type MemberChoice, type MemberChoices, type MemberSummary, type PendingApproval, type PermissionPlace, type PersonalAnswer, type PersonalMail, type RestartedMember, type RunCost, type RunDiff, type RunEvent, type RunListener, type RunNow, type RunRecord, type RunReplay, type RunSummary, type StopMemberOptions, type StopRunOptions, type StoppedMember, summariseRuns as listRuns };
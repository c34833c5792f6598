import { z, z as z$1 } from "zod";
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
type TextBlock = z$1.infer<typeof textBlockSchema>;
type ImageBlock = z$1.infer<typeof imageBlockSchema>;
type ToolResult = z$1.infer<typeof toolResultSchema>;
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
/** The shape of a result, as JSON Schema. */
declare const contractSchema: z$1.ZodRecord<z$1.ZodString, z$1.ZodUnknown>;
type Contract = z$1.infer<typeof contractSchema>;
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
/** An address outside of this machine that a tool sends to. */
interface Reach {
  readonly url: string;
  readonly variables: readonly string[];
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
/** Puts questions to the person who runs the team, one after another. */
declare const askUser: Tool<{
  question?: string | undefined;
  options?: (string | {
    label: string;
    description?: string | undefined;
  })[] | undefined;
  multiSelect?: boolean | undefined;
  questions?: {
    question: string;
    header?: string | undefined;
    options?: (string | {
      label: string;
      description?: string | undefined;
    })[] | undefined;
    multiSelect?: boolean | undefined;
  }[] | undefined;
}>;
/** Runs a shell command. */
declare const bash: Tool<{
  command: string;
  timeout?: number | undefined;
  run_in_background?: boolean | undefined;
  terminal?: boolean | undefined;
  dangerously_disable_sandbox?: boolean | undefined;
  description?: string | undefined;
}>;
/** Shows what a background command printed. */
declare const bashOutput: Tool<{
  bash_id: string;
  wait?: number | undefined;
}>;
/** Hands pieces of work to workers. */
declare const delegate: Tool<{
  subtasks: {
    worker: string;
    task: string;
    context?: string | undefined;
    name?: string | undefined;
    depends_on?: (string | number)[] | undefined;
    returns?: Record<string, unknown> | undefined;
    deadline?: string | undefined;
  }[];
}>;
/** Replaces a piece of text in a file. */
declare const edit: Tool<{
  file_path: string;
  old_string: string;
  new_string: string;
  replace_all?: boolean | undefined;
}>;
/** Begins to plan: from now on nothing is changed until a plan is approved. */
declare const enterPlanMode: Tool<{
  reason: string;
}>;
/** Proposes a plan. That it runs at all means that the plan was approved: the permission cascade always asks. */
declare const exitPlanMode: Tool<{
  plan: string;
}>;
/** Finds files by name. */
declare const glob: Tool<{
  pattern: string;
  path?: string | undefined;
  head_limit?: number | undefined;
  offset?: number | undefined;
}>;
/** Searches the content of files. */
declare const grep: Tool<{
  pattern: string;
  path?: string | undefined;
  glob?: string | undefined;
  type?: string | undefined;
  output_mode?: "content" | "count" | "files_with_matches" | undefined;
  multiline?: boolean | undefined;
  '-i'?: boolean | undefined;
  '-n'?: boolean | undefined;
  '-A'?: number | undefined;
  '-B'?: number | undefined;
  '-C'?: number | undefined;
  head_limit?: number | undefined;
  offset?: number | undefined;
}>;
/** Stops a background command. */
declare const killBash: Tool<{
  shell_id: string;
}>;
/** Lists one directory. */
declare const ls: Tool<{
  path: string;
}>;
/** Makes several edits in one file, all of them or none. */
declare const multiEdit: Tool<{
  file_path: string;
  edits: {
    old_string: string;
    new_string: string;
    replace_all?: boolean | undefined;
  }[];
}>;
/** Shows a file's lines with their numbers, a page at a time. */
declare const read: Tool<{
  file_path: string;
  offset?: number | undefined;
  limit?: number | undefined;
}>;
/** Opens a skill: what it says comes back as the result, and its rules hold for the rest of the work. */
declare const skill: Tool<{
  skill: string;
  args?: string | undefined;
}>;
/** A member's own todo list. The journal has each list whole, so that the list outlives a conversation that is made shorter. */
declare const todoWrite: Tool<{
  todos: {
    content: string;
    status: "completed" | "in_progress" | "pending";
    activeForm?: string | undefined;
  }[];
}>;
/** Fetches a page of the public web. */
declare const webFetch: Tool<{
  url: string;
  offset?: number | undefined;
}>;
/** Creates a file or replaces its whole content. */
declare const write: Tool<{
  file_path: string;
  content: string;
}>;
/**
 * Files that a command reaches, and the place where Bash runs, such as a container's.
 *
 * @param command the words before a program that is to run there: it takes each word as one, and passes on what it reads
 * @param env of which the command gets what programs need to run
 * @returns a backend in which a path that leads through links elsewhere is refused
 * @example createAgent({ model, cwd: '/work', files: commandFilesystem(['docker', 'exec', '-i', 'box'], process.env), tools: [Read, Edit, Bash] })
 */
export declare function commandFilesystem(command: readonly [string, ...string[]], env: Readonly<Record<string, string | undefined>>): Filesystem;
export { askUser as AskUser, bash as Bash, bashOutput as BashOutput, delegate as Delegate, edit as Edit, enterPlanMode as EnterPlanMode, exitPlanMode as ExitPlanMode, type Filesystem, glob as Glob, grep as Grep, killBash as KillBash, ls as LS, multiEdit as MultiEdit, read as Read, skill as Skill, todoWrite as TodoWrite, type Tool, type ToolContext, type ToolOutput, webFetch as WebFetch, write as Write, z };
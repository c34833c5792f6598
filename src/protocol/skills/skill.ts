import { z } from 'zod'
import type { Hook } from '../hooks/hook.ts'

/** Where a skill comes from. Files of a project were written by whoever made the project; plugins are trusted as a whole. */
export const skillSources = ['project', 'user', 'plugin'] as const
export type SkillSource = (typeof skillSources)[number]

/** `skill`: a folder with a SKILL.md; `command`: one markdown file. A person calls either as `/name`. */
export const skillKinds = ['skill', 'command'] as const
export type SkillKind = (typeof skillKinds)[number]

/** The head of a SKILL.md, as https://agentskills.io/specification and Claude Code have it. */
export interface SkillHead {
  readonly name: string
  readonly description: string
  /** Stands behind the description in a list. */
  readonly whenToUse?: string
  readonly argumentHint?: string
  /** Names for the first, second … argument. */
  readonly argumentNames: readonly string[]
  readonly compatibility?: string
  readonly license?: string
  /** Permission rules for calls that need no question while the skill is in use. */
  readonly allow: readonly string[]
  /** Permission rules for calls that never happen while the skill is in use. */
  readonly deny: readonly string[]
  /** Hooks that run while the skill is in use; absent where there are none. */
  readonly hooks?: readonly Hook[]
  /** A model is not told of the skill and cannot open it; a card can. */
  readonly unlisted: boolean
  /** A person cannot call it as `/name`. */
  readonly uncallable: boolean
  /** The model that answers while a command is in use. */
  readonly model?: string
}

/** A skill that can be used; its body is read when somebody opens it. */
export interface Skill extends SkillHead {
  readonly kind: SkillKind
  readonly source: SkillSource
  /** Absolute, links resolved; of a command its file. */
  readonly folder: string
  /** The SKILL.md, or the file of a command; absolute. */
  readonly file: string
  /** The folder of the plugin that brings it: all files in it may be read while the skill is in use. */
  readonly pluginRoot?: string
}

/** A wish to use a skill. */
export interface SkillWish {
  readonly skill: string
  /** As a person would type them behind the name. */
  readonly args: string
}

/** The instructions of a skill, ready for a model; or why there are none. */
export type OpenedSkill = { readonly text: string } | { readonly trouble: string }

/** A skill that an agent uses: what that opens and closes. */
export interface SkillInUse {
  /** The call that opened it, or the entry in which a person called it. */
  readonly call_id: string
  readonly skill: string
  /** The files in it may be read, and run. */
  readonly folder: string
  readonly allow: readonly string[]
  readonly deny: readonly string[]
  /** The model that answers meanwhile, instead of the agent's own. */
  readonly model?: string | undefined
}

/**
 * An agent opened a skill: its files may be read from now on, and its rules hold until this piece of work is over. Rules of a
 * project's skill are left out unless a person trusts them. `by`: a person called it, in the entry `call_id`.
 */
export const skillFacts = [
  z.object({
    type: z.literal('skill.opened'),
    call_id: z.string(),
    skill: z.string(),
    source: z.enum(skillSources),
    folder: z.string(),
    sha256: z.string(),
    allow: z.array(z.string()),
    deny: z.array(z.string()),
    by: z.literal('person').optional(),
    model: z.string().optional(),
  }),
] as const

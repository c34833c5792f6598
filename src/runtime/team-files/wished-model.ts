import { resolve } from 'node:path'

/** Where a model may be named outside of the team file. */
export interface ModelWish {
  /** `provider/model` for every member. */
  readonly model?: string | undefined
  /** Where `TROUPE_MODEL` is looked up. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined
}

/** A model that is named outside of the file, and the word that names it. */
export interface Wish {
  readonly model: string
  readonly word: '--model' | 'TROUPE_MODEL'
}

/**
 * The model that is wished for instead of the one that is written. `--model` is for the whole team, `TROUPE_MODEL` too
 * except where a script is written, which brings its answers.
 */
export function wishFor(written: string | undefined, { model, env = {} }: ModelWish): Wish | undefined {
  if (model !== undefined) return { model, word: '--model' }
  const named = isScripted(written) ? undefined : env['TROUPE_MODEL']
  return named ? { model: named, word: 'TROUPE_MODEL' } : undefined
}

/** A script named by a person lies where the person is, not beside the team file. */
export function placedModel(model: string, cwd: string): string {
  if (!isScripted(model)) return model
  const slash = model.indexOf('/')
  return `${model.slice(0, slash)}/${resolve(cwd, model.slice(slash + 1))}`
}

function isScripted(model: string | undefined): model is string {
  return model !== undefined && /^(scripted|recorded)\//.test(model)
}

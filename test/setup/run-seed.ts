import { execFileSync } from 'node:child_process'

/**
 * Takes the seed of this run from the committed tree, unless `FAST_CHECK_SEED` names one, and says it once. Every
 * commit plays other cases, and the same commit plays the same cases on every machine. All workers inherit the seed.
 */
export function setup(): void {
  const { FAST_CHECK_SEED: given = '', FAST_CHECK_SEED_SAID: said } = process.env
  if (said !== undefined) return
  const seed = given === '' ? String(seedOfTree()) : given
  if (!/^-?\d{1,10}$/.test(seed)) throw new Error(`FAST_CHECK_SEED is "${seed}", not a whole number`)
  Object.assign(process.env, { FAST_CHECK_SEED: seed, FAST_CHECK_SEED_SAID: 'yes' })
  console.log(`Random cases of this run: FAST_CHECK_SEED=${seed}`)
}

/** Where there is no repository, as in an unpacked archive, the seed is 1. */
function seedOfTree(): number {
  try {
    const tree = execFileSync('git', ['rev-parse', 'HEAD^{tree}'], { encoding: 'utf8', stdio: 'pipe' })
    return Number.parseInt(tree.slice(0, 7), 16)
  } catch {
    return 1
  }
}

/** Its cases are known to pass: another seed looks for new ones. */
const usual = '20261126'

/**
 * Says the seed of this run once, which `FAST_CHECK_SEED` may name. All workers inherit the seed, so that every property
 * test of a run starts from the same number.
 */
export function setup(): void {
  const { FAST_CHECK_SEED: given = '', FAST_CHECK_SEED_SAID: said } = process.env
  if (said !== undefined) return
  const seed = given === '' ? usual : given
  if (!/^-?\d{1,10}$/.test(seed)) throw new Error(`FAST_CHECK_SEED is "${seed}", not a whole number`)
  Object.assign(process.env, { FAST_CHECK_SEED: seed, FAST_CHECK_SEED_SAID: 'yes' })
  console.log(`Random cases of this run: FAST_CHECK_SEED=${seed}`)
}

const { PATH = '', NODE_COMPILE_CACHE } = process.env

/** All that a process of a test knows of this one: where programs are, and what of the sources is compiled already. */
export const bareEnv: Readonly<Record<string, string>> = {
  PATH,
  ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }),
}

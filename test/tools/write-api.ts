import { rollTypes } from './roll-types.ts'

// `npm run docs`: writes docs/api, the types of the package's entries; test/long/build.test.ts compares the built ones with them.
await rollTypes('docs/api')

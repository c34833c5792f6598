import { z } from 'zod'
import type { Route } from './route.ts'

const errorSchema = {
  type: 'object',
  properties: {
    error: { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } },
  },
} as const

/** Describes the routes as OpenAPI 3.1; the schemas are those that requests are checked by. */
export function openApiOf(routes: readonly Route[], version: string): object {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) (paths[route.path] ??= {})[route.method] = operationOf(route)
  return {
    openapi: '3.1.0',
    info: { title: 'Troupe', version, description: 'Runs of this directory: look, steer, answer.' },
    security: [{ bearer: [] }],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  }
}

function operationOf({ path, scope, summary, query, body, media = 'application/json' }: Route): object {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))
  const problem = { description: 'Why not.', content: { 'application/json': { schema: errorSchema } } }
  return {
    summary,
    description: `Needs the scope \`${scope}\`.`,
    parameters: [...inPath, ...(query === undefined ? [] : parametersOf(query))],
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: { 200: { description: 'Done.', content: { [media]: {} } }, default: problem },
  }
}

function parametersOf(query: z.ZodObject): readonly object[] {
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: schemaOf(schema as z.ZodType),
  }))
}

function schemaOf(schema: z.ZodType): object {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
}

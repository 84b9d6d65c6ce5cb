import { z } from 'zod'
import type { ApiCall, ApiTable } from './api-call.ts'
import { type Example, exampleOf } from './examples.ts'

/** A JSON Schema, or any other object of the document. */
export type Json = { [name: string]: unknown }

export interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Json[]
  parameters?: {
    name: string
    in: 'path' | 'query'
    required: boolean
    schema: Json
    description?: string
    example?: string | number
  }[]
  requestBody?: { required: boolean; content: Record<string, { schema: Json; example?: Json }> }
  responses: Record<string, Json>
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: Json
  servers: { url: string }[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { securitySchemes: Json; schemas: Record<string, Json>; headers: Json; responses: Record<string, Json> }
}

/** The OpenAPI 3.1 document, generated from the tables and the schemas that validate requests and responses. */
export function openApiDocument(tables: readonly ApiTable[], appUrl: string): OpenApiDocument {
  const paths: OpenApiDocument['paths'] = {}
  for (const { prefix, calls } of tables) {
    for (const call of calls) {
      const path = `/${prefix}${call.path}`
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(prefix, call) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Masthead API',
      version: '1',
      description:
        'Publications, readers, mailing files and orders of a magazine publisher. Amounts are decimals in the named currency; days are YYYY-MM-DD unless stated otherwise.\n\nLog in with `POST /users/login` and send the token as `Authorization: Bearer …`: try it below, then paste the token under Authorize. A body is JSON of at most 1 MB; a picture is sent as `multipart/form-data`. Errors are `{ "message": … }`; a 422 names each wrong field. Every response carries `x-request-id`: quote it when you write to us.',
    },
    servers: [{ url: `${appUrl}/api` }],
    tags: [...new Set(tables.map(({ prefix }) => prefix))].map((name) => ({ name, description: tags[name] ?? '' })),
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'From POST /users/login; a reader’s own calls take the jwt of POST /order/buyerlogin.',
        },
      },
      headers: {
        RequestId: { description: 'Identifies this request in our log.', schema: { type: 'string' } },
        RetryAfter: { description: 'Seconds to wait before retrying.', schema: { type: 'integer' } },
      },
      schemas: {
        Problem: object({ message: { type: 'string' } }),
        FieldProblems: {
          type: 'object',
          description: 'One entry for each field that is wrong, under the name with which it was sent.',
          additionalProperties: { $ref: '#/components/schemas/Problem' },
        },
      },
      responses: Object.fromEntries(
        Object.entries(errors).map(([status, error]) => [error.name, errorResponse(status, error)]),
      ),
    },
  }
}

/** Descriptions of the tags: the first part of the path. */
const tags: Record<string, string> = {
  users: 'Logging in, staff and their rights, signing up as a publisher',
  account: 'The publisher’s own account and how it is paid',
  publication: 'Titles, their prices, promo codes and texts',
  backIssue: 'Back issues',
  subscriber: 'Readers: search, import, duplicates, mailing files',
  order: 'Orders and payments, and readers’ own accounts',
  emails: 'Emails sent, and their senders',
  analytics: 'Figures',
  external: 'Lists for forms',
  thirdparty: 'For apps and hosts of digital editions, with a key of a title',
  webhooks: 'What payment and email providers send here',
}

/** Errors by status, each with the name of its response in the document. */
const errors: Record<string, { name: string; description: string }> = {
  400: {
    name: 'Malformed',
    description: 'The body is not JSON, or not multipart where a file is sent, or its signature is wrong',
  },
  401: { name: 'SignedOut', description: 'No token, or one that is no longer valid' },
  402: { name: 'Declined', description: 'The payment was declined' },
  403: { name: 'Denied', description: 'The logged-in user may not do this' },
  404: { name: 'NotFound', description: 'It does not exist, or belongs to somebody else' },
  409: { name: 'Conflict', description: 'It conflicts with the stored data; the message says what to do' },
  410: { name: 'Gone', description: 'It exists but is closed at the moment' },
  413: {
    name: 'TooLarge',
    description:
      'The body is larger than 1 MB (rows of readers: 32 MB, a file of them: 2 GB), the picture than 5 MB, or the signed message than 1 MB',
  },
  422: { name: 'Invalid', description: 'Some fields are wrong; each is listed with its problem' },
  429: { name: 'TooMany', description: 'Too many attempts; the message says how long to wait' },
  500: { name: 'OurFault', description: 'An error on our side' },
  502: { name: 'Upstream', description: 'A service we depend on did not respond' },
  503: {
    name: 'Unavailable',
    description: 'The database or a store does not respond at the moment; the message says what to do',
  },
}

function errorResponse(status: string, { description }: { description: string }): Json {
  const schema = { $ref: `#/components/schemas/${status === '422' ? 'FieldProblems' : 'Problem'}` }
  return {
    description,
    headers: {
      'x-request-id': { $ref: '#/components/headers/RequestId' },
      ...(status === '429' || status === '503' ? { 'retry-after': { $ref: '#/components/headers/RetryAfter' } } : {}),
    },
    content: { 'application/json': { schema } },
  }
}

function operationOf(prefix: string, call: ApiCall): Operation {
  const isPublic = call.permission === 'public'
  const example = exampleOf(`${call.method} /${prefix}${call.path}`, call)
  const parameters = [...pathParameters(call, example), ...queryParameters(call)]
  const statuses = [
    ...(call.body || call.files || call.isSigned ? [400, 413, 422] : []),
    // A parameter that is unknown or has an invalid value.
    ...(call.query ? [422] : []),
    ...(isPublic ? [401] : [401, 403]),
    ...(call.params ? [404] : []),
    ...(call.extraStatuses ?? []),
    429,
    500,
    502,
    503,
  ]
  return {
    operationId: `${call.method.toLowerCase()}${`${prefix}${call.path}`.replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase()).replace(/^./, (letter) => letter.toUpperCase())}`,
    tags: [prefix],
    ...summaryOf(call),
    security: isPublic ? [] : [{ token: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.body ? { requestBody: { required: true, content: bodyContent(call, call.body, example) } } : {}),
    ...(call.isSigned ? { requestBody: { required: true, content: { '*/*': { schema: { type: 'string' } } } } } : {}),
    ...(call.files
      ? { requestBody: { required: true, content: { 'multipart/form-data': { schema: filesSchema(call.files) } } } }
      : {}),
    responses: Object.fromEntries([
      [String(call.status ?? 200), success(call)],
      ...statuses
        .sort((a, b) => a - b)
        .map((status) => [String(status), { $ref: `#/components/responses/${errors[status]?.name}` }]),
      ...(call.hasOwnRefusals ? [['400', oauthRefused] as const] : []),
    ]),
  }
}

/** The first sentence is the summary; a longer text is the description as well. */
function summaryOf({ summary }: ApiCall): Pick<Operation, 'summary' | 'description'> {
  const end = summary.indexOf('. ')
  return end === -1 ? { summary } : { summary: summary.slice(0, end), description: summary }
}

/** RFC 6749, section 5.2, with the message of all our errors. */
const oauthRefused: Json = {
  description: 'An OAuth error',
  content: {
    'application/json': {
      schema: object({ error: { type: 'string' }, error_description: { type: 'string' }, message: { type: 'string' } }),
    },
  },
}

function success({ response }: ApiCall): Json {
  return response === 'csv'
    ? { description: 'The file, streamed', content: { 'text/csv': { schema: { type: 'string' } } } }
    : { description: 'Done', content: { 'application/json': { schema: jsonSchema(response, 'output') } } }
}

function pathParameters(call: ApiCall, { path = {} }: Example): NonNullable<Operation['parameters']> {
  return Object.entries(call.params ?? {}).map(([name, { is }]) => ({
    name,
    in: 'path',
    required: true,
    schema: is === 'text' ? { type: 'string' } : { type: 'integer', minimum: 1 },
    ...(path[name] === undefined ? {} : { example: path[name] }),
    ...(is === 'own' ? { description: 'The logged-in user, or the publisher it acts for; any other is a 404' } : {}),
  }))
}

function queryParameters(call: ApiCall): NonNullable<Operation['parameters']> {
  return Object.entries(call.query ?? {}).map(([name, path]) => {
    const { schema, isRequired } = fieldOf(call, path)
    return { name, in: 'query', required: isRequired, schema }
  })
}

function bodyContent(
  call: ApiCall,
  names: Record<string, string>,
  { body }: Example,
): Record<string, { schema: Json }> {
  const json = { 'application/json': { schema: bodySchema(call, names), ...(body ? { example: body } : {}) } }
  if (call.isForm) return { 'application/x-www-form-urlencoded': { schema: bodySchema(call, names) }, ...json }
  if (!call.takesCsv) return json
  const { csvdata: _, ...fields } = (bodySchema(call, names) as { properties: Record<string, Json> }).properties
  const file = { type: 'string', format: 'binary', contentMediaType: 'text/csv', description: 'After the other fields' }
  return { ...json, 'multipart/form-data': { schema: object({ ...fields, file }, ['file']) } }
}

function bodySchema(call: ApiCall, names: Record<string, string>): Json {
  const fields = Object.entries(names).map(([name, path]) => ({
    name,
    ...withWireValues(call, name, fieldOf(call, path)),
  }))
  return object(
    Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  )
}

/** Describes a field whose values have other names in the API, with both names. */
function withWireValues({ values }: ApiCall, name: string, field: { schema: Json; isRequired: boolean }) {
  const wireValues = values?.[name]
  if (!wireValues) return field
  const meanings = Object.entries(wireValues).map(([sent, means]) => `${sent}: ${means}`)
  const enumValues = Array.isArray(field.schema.enum) ? field.schema.enum : []
  return {
    ...field,
    schema: { ...field.schema, enum: [...Object.keys(wireValues), ...enumValues], description: meanings.join(', ') },
  }
}

function filesSchema(files: Record<string, string>): Json {
  const file = { type: 'string', format: 'binary', contentMediaType: 'image/*' }
  return object(Object.fromEntries(Object.keys(files).map((name) => [name, file])))
}

/** A field of the use case's input schema by its path; required if every step of the path is. */
function fieldOf({ input }: ApiCall, path: string): { schema: Json; isRequired: boolean } {
  let schema = jsonSchema(input, 'input')
  let isRequired = true
  for (const step of path.split('.')) {
    const { properties = {}, required = [], additionalProperties } = schema as ObjectSchema
    isRequired &&= required.includes(step)
    // A field without a schema of its own is documented as a string.
    schema = properties[step] ?? (typeof additionalProperties === 'object' ? additionalProperties : { type: 'string' })
  }
  return { schema, isRequired }
}

interface ObjectSchema {
  properties?: Record<string, Json>
  required?: string[]
  additionalProperties?: boolean | Json
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Json {
  const { $schema: _, ...schemaFields } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: node }) => dropSafeBounds(node),
  })
  return schemaFields
}

/** Leaves out the bounds of safe integers, which every integer has. */
function dropSafeBounds(schema: { minimum?: number; maximum?: number }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

function object(properties: Record<string, Json>, required = Object.keys(properties)): Json {
  return { type: 'object', properties, ...(required.length > 0 ? { required } : {}) }
}

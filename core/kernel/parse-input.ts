import type { z } from 'zod'
import { english, type FieldPhrases, type Phrase, tooLongPhrase } from './phrases.ts'

/** The result of parsing an input: its output, or the problems, by field (`billing.city`). `form` is the input as a whole. */
export type ParsedInput<Output> = { data: Output } | { fields: FieldPhrases }

/**
 * Parses what a form or a program sent. A missing group of fields is reported field by field, and every problem is a sentence: the schema's own, or
 * `plainProblem`.
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, sent: unknown): ParsedInput<z.output<Schema>> {
  const result = schema.safeParse(withoutCoercion(schema, sent), { error: plainProblem })
  if (result.success) return { data: result.data }
  const fields: FieldPhrases = {}
  for (const issue of withMissingGroups(schema, sent, result.error.issues)) {
    fields[issue.path.map(String).join('.') || 'form'] ??= phraseOfIssue(issue, sent)
  }
  return { fields }
}

/** The problem as text, where the schema has no message of its own. */
function plainProblem(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return 'Required'
  switch (issue.code) {
    case 'invalid_type':
      return typeProblems[issue.expected] ?? notAllowed
    case 'invalid_union':
      return unionProblem(issue)
    case 'invalid_value':
      return `Must be ${alternatives(issue.values.map(String))}`
    case 'too_big':
      return boundProblem(issue.origin, `${issue.maximum}`, 'at most')
    case 'too_small':
      return boundProblem(issue.origin, `${issue.minimum}`, 'at least')
    case 'invalid_format':
      return formatProblems[issue.format] ?? notAllowed
    case 'unrecognized_keys':
      return `Unknown field: ${issue.keys.map((key) => `“${key.slice(0, 60)}”`).join(', ')}`
    default:
      return notAllowed
  }
}

const notAllowed = 'This value is not allowed here'

const typeProblems: Record<string, string> = {
  string: 'Must be text',
  number: 'Must be a number',
  int: 'Must be a whole number',
  boolean: 'Must be true or false',
  array: 'Must be a list',
  object: 'Must be an object with fields',
  record: 'Must be an object with fields',
  date: 'Must be a date',
}

const formatProblems: Record<string, string> = {
  email: 'Invalid email address',
  date: 'Must be a date such as 2026-12-31',
}

/** The problem of a value that may be of several kinds, naming them: "Must be text or a number". */
function unionProblem({ errors }: { errors: readonly (readonly z.core.$ZodIssue[])[] }): string {
  const kinds = errors.flatMap(([first]) => (first?.message.startsWith('Must be ') ? [first.message.slice(8)] : []))
  return kinds.length > 0 && kinds.length === errors.length
    ? `Must be ${alternatives([...new Set(kinds)])}`
    : notAllowed
}

function boundProblem(origin: string, bound: string, limit: 'at most' | 'at least'): string {
  if (origin === 'string') {
    if (limit === 'at least') return bound === '1' ? 'Required' : `Must be at least ${bound} characters`
    return `Must be ${bound} characters or fewer`
  }
  if (origin === 'array') return `Must have ${limit} ${bound === '1' ? 'one entry' : `${bound} entries`}`
  return `Must be ${bound} or ${limit === 'at most' ? 'less' : 'more'}`
}

/** "a", "a or b", "a, b or c". */
function alternatives(words: readonly string[]): string {
  const named = words.map((word) => word || 'empty')
  return [named.slice(0, -1).join(', '), named.at(-1)].filter(Boolean).join(' or ')
}

/** The message of an issue. A text that is too long gets its phrase with the maximum as a value, so that it can be translated. */
function phraseOfIssue(issue: z.core.$ZodIssue, sent: unknown): Phrase {
  const value = valueAt(sent, issue.path)
  // A schema's one message is meant for a missing value, but zod also uses it for a wrong type or a text that is too long.
  if (issue.message === 'Required' && issue.code !== 'custom' && issue.code !== 'too_small' && value !== undefined)
    return plainProblem({ ...issue, input: value } as z.core.$ZodRawIssue)
  if (issue.code === 'custom' && issue.params?.phrase) return issue.params.phrase as Phrase
  if (issue.code !== 'too_big') return issue.message
  const tooLong = tooLongPhrase(Number(issue.maximum))
  return issue.message === english(tooLong) ? tooLong : issue.message
}

/** The input as its schema sees it: null where the schema allows no null counts as a field that was not sent. */
export function withoutNulls(schema: z.core.$ZodType, value: unknown): unknown {
  const shape = shapeOf(schema)
  if (!shape || !isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, part]) => {
      const field = Object.hasOwn(shape, name) ? shape[name] : undefined
      if (!field) return [[name, part]]
      return part === null && !acceptsNull(field) ? [] : [[name, withoutNulls(field, part)]]
    }),
  )
}

/**
 * The input with NaN in place of each value that coercion alone would make a number: true is not the record 1, and neither is [1]. The schema then
 * refuses it with its own message.
 */
function withoutCoercion(schema: z.core.$ZodType, value: unknown): unknown {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'number':
      return def.coerce && (typeof value === 'boolean' || typeof value === 'object') ? Number.NaN : value
    case 'nullable':
      return value === null ? null : withoutCoercion(def.innerType, value)
    case 'array':
      return Array.isArray(value) ? value.map((part) => withoutCoercion(def.element, part)) : value
    case 'object':
      return isRecord(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, part]) => {
              const field = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
              return [name, field ? withoutCoercion(field, part) : part]
            }),
          )
        : value
    case 'pipe': {
      const isPreprocessed = (def.in as z.core.$ZodTypes)._zod.def.type === 'transform'
      return withoutCoercion(isPreprocessed ? def.out : def.in, value)
    }
    default:
      return 'innerType' in def ? withoutCoercion(def.innerType, value) : value
  }
}

/** The issues, with each group that was not sent at all (`billing`) replaced by its fields. */
function withMissingGroups(schema: z.ZodType, sent: unknown, issues: z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const missing = issues.filter(
    ({ code, path, ...issue }) =>
      code === 'invalid_type' &&
      'expected' in issue &&
      issue.expected === 'object' &&
      path.length === 1 &&
      isRecord(sent) &&
      sent[String(path[0])] === undefined,
  )
  if (missing.length === 0) return issues
  const groups = Object.fromEntries(missing.map(({ path }) => [String(path[0]), {}]))
  const reparsed = schema.safeParse(withoutCoercion(schema, { ...(sent as object), ...groups }), {
    error: plainProblem,
  })
  return reparsed.success ? issues : reparsed.error.issues
}

/** The fields of an object, however it is wrapped. */
function shapeOf(schema: z.core.$ZodType): Record<string, z.core.$ZodType> | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.type === 'object') return def.shape
  return 'innerType' in def ? shapeOf(def.innerType) : undefined
}

/** Whether a schema accepts null: read from its definition, because coercion turns null into zero. */
function acceptsNull(schema: z.core.$ZodType): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'nullable':
    case 'null':
    case 'any':
    case 'unknown':
    case 'transform':
      return true
    case 'union':
      return def.options.some(acceptsNull)
    case 'pipe':
      return acceptsNull(def.in)
    default:
      return 'innerType' in def && acceptsNull(def.innerType)
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (place, step) => (isRecord(place) || Array.isArray(place) ? place[step as never] : undefined),
    value,
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { visitor } from './access/actor.ts'
import type { AppContext } from './context.ts'
import { useCase } from './use-case.ts'

const ctx = { actor: visitor } as AppContext

it('makes NUL and unpaired surrogates storable in texts, lists and objects, and changes nothing else', async () => {
  const sent = {
    name: 'a\0b',
    tags: ['\ud800', 'x'],
    part: { city: 'Fal\0mouth' },
    bytes: new Uint8Array([0, 1]),
    n: 0,
  }
  const seen: unknown[] = []
  const work = useCase({
    permission: 'public',
    input: z.looseObject({ bytes: z.instanceof(Uint8Array) }),
    transaction: 'none',
    alsoCheck: (_, raw) => {
      seen.push(raw.name)
      return {}
    },
    run: async (_, input) => input,
  })
  const input = await work(ctx, sent)
  expect(input).toEqual({ ...sent, name: 'a\ufffdb', tags: ['\ufffd', 'x'], part: { city: 'Fal\ufffdmouth' } })
  expect(input.bytes).toBe(sent.bytes)
  expect(seen).toEqual(['a\ufffdb'])
})

it('reports schema and stored-data errors at once, the schema’s first', async () => {
  const work = useCase({
    permission: 'public',
    input: z.object({ email: z.string().min(1, 'Required'), name: z.string().min(1, 'Required') }),
    transaction: 'none',
    alsoCheck: () => ({ email: 'That email is already taken', code: 'Unknown' }),
    run: async () => 'done',
  })
  await expect(work(ctx, { email: '', name: 'Ann' })).rejects.toMatchObject({
    kind: 'invalid',
    fields: { email: 'Required', code: 'Unknown' },
  })
  const { fields } = await work(ctx, { email: 'a@b.test', name: '' }).catch((error) => error)
  expect(Object.keys(fields)).toEqual(['name', 'email', 'code'])
  await expect(work(ctx, { email: 'a@b.test', name: 'Ann' })).rejects.toMatchObject({ kind: 'invalid' })
})

describe('a filter with a field that its schema lacks is rejected at compile time', () => {
  const find = useCase({
    permission: 'public',
    input: z.object({ publicationId: z.number().optional() }),
    transaction: 'none',
    run: async (_, filter) => filter,
  })
  const findIn = useCase({
    permission: 'public',
    input: z.object({ publicationId: z.number(), readerId: z.number().optional() }),
    transaction: 'none',
    run: async (_, filter) => filter,
  })

  it('where all fields are optional', async () => {
    expect(await find(ctx, { publicationId: 1 })).toEqual({ publicationId: 1 })
    // @ts-expect-error: the schema would drop it, and everything would be found.
    expect(await find(ctx, { publisherId: 1 })).toEqual({})
  })

  it('beside a required field', async () => {
    expect(await findIn(ctx, { publicationId: 1, readerId: 2 })).toEqual({ publicationId: 1, readerId: 2 })
    // @ts-expect-error: the readers of the whole publication would be found.
    expect(await findIn(ctx, { publicationId: 1, reader: 2 })).toEqual({ publicationId: 1 })
  })

  it('in a variable, and beside the parameters of an address', async () => {
    const filter = { publicationId: 1, reader: 2 }
    // @ts-expect-error: as above; a variable has no excess property check of its own.
    expect(await findIn(ctx, filter)).toEqual({ publicationId: 1 })
    const params: Record<string, unknown> = { readerId: 2 }
    expect(await findIn(ctx, { ...params, publicationId: 1 })).toEqual({ publicationId: 1, readerId: 2 })
    // @ts-expect-error: names that are written out are checked, those of the parameters cannot be.
    expect(await findIn(ctx, { ...params, publicationId: 1, reader: 2 })).toEqual({ publicationId: 1, readerId: 2 })
  })
})

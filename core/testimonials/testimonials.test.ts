import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { userTypes } from '#core/access/user-types.ts'
import type { AppContext } from '#core/context.ts'
import { seedTestimonials } from '#core/seed/seed-testimonials.ts'
import { actorOf } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { listTestimonials, visibleTestimonials } from './list-testimonials.query.ts'
import { addTestimonial, removeTestimonial, updateTestimonial } from './save-testimonial.ts'

let services: TestServices
let superuser: AppContext
beforeAll(async () => {
  services = await openTestServices()
  superuser = services.as(await actorOf(services, 'superuser'))
})
beforeEach(() => services.db.run(`DELETE FROM testimonials`))

const testimonial = (fields: object = {}) => ({
  quote: 'It saves us a day a month.',
  personName: 'Ann Lee',
  role: 'Publisher',
  company: 'Lee & Co',
  position: '1',
  ...fields,
})
const shown = async (ctx: AppContext = services.as(visitor)) =>
  (await visibleTestimonials(ctx, {})).map(({ personName }) => personName)
const inProduction = () => {
  const ctx = services.as(visitor)
  return { ...ctx, settings: { ...ctx.settings, isProduction: true } }
}

it('testimonials are added, changed and removed by a superuser, and each change is in the activity log', async () => {
  const { id } = await addTestimonial(superuser, testimonial())
  await updateTestimonial(superuser, { id, ...testimonial({ personName: 'Ann Lee-Potter', isExample: 'true' }) })
  expect(await listTestimonials(superuser, {})).toEqual([
    {
      id,
      quote: 'It saves us a day a month.',
      personName: 'Ann Lee-Potter',
      role: 'Publisher',
      company: 'Lee & Co',
      position: 1,
      isExample: true,
    },
  ])
  await removeTestimonial(superuser, { id })
  expect(await listTestimonials(superuser, {})).toEqual([])
  const log = await services.db.query<{ action: string }>(
    `SELECT action FROM audit_log WHERE subject_type = 'testimonial' AND subject_id = :id ORDER BY id`,
    { id },
  )
  expect(log.map(({ action }) => action)).toEqual(['add-testimonial', 'update-testimonial', 'remove-testimonial'])
  for (const attempt of [updateTestimonial(superuser, { id, ...testimonial() }), removeTestimonial(superuser, { id })])
    await expect(attempt).rejects.toMatchObject({ kind: 'notFound' })
})

it('testimonials can be written and listed only by superusers', async () => {
  const { id } = await addTestimonial(superuser, testimonial())
  const others = await Promise.all(
    userTypes.filter((type) => type !== 'superuser').map(async (type) => services.as(await actorOf(services, type))),
  )
  for (const ctx of [services.as(visitor), ...others])
    for (const attempt of [
      () => listTestimonials(ctx, {}),
      () => addTestimonial(ctx, testimonial()),
      () => updateTestimonial(ctx, { id, ...testimonial({ quote: 'Mine' }) }),
      () => removeTestimonial(ctx, { id }),
    ])
      await expect(attempt()).rejects.toMatchObject({ kind: expect.stringMatching(/^(denied|unauthenticated)$/) })
  expect(await listTestimonials(superuser, {})).toMatchObject([{ quote: 'It saves us a day a month.' }])
})

it('an invalid testimonial reports all errors at once', async () => {
  await expect(
    addTestimonial(superuser, { quote: ' ', personName: '', position: 'first', company: 'x'.repeat(101) }),
  ).rejects.toMatchObject({
    fields: {
      quote: 'Required',
      personName: 'Required',
      position: 'Must be a number',
      company: 'Must be 100 characters or fewer',
    },
  })
})

describe('the landing page', () => {
  it('shows the first four by position', async () => {
    for (const [personName, position] of Object.entries({ Eve: 9, Cat: 3, Ann: 1, Dan: 4, Bob: 2 }))
      await addTestimonial(superuser, testimonial({ personName, position }))
    expect(await shown()).toEqual(['Ann', 'Bob', 'Cat', 'Dan'])
  })

  it('marks the demo’s four as examples, and shows none of them in production', async () => {
    await services.db.transaction(() => seedTestimonials(services))
    expect((await visibleTestimonials(services.as(visitor), {})).map(({ isExample }) => isExample)).toEqual([
      true,
      true,
      true,
      true,
    ])
    expect(await shown(inProduction())).toEqual([])
    await addTestimonial(superuser, testimonial({ position: 9 }))
    expect(await shown(inProduction())).toEqual(['Ann Lee'])
  })
})

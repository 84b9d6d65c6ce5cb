import { beforeAll, describe, expect, it } from 'vitest'
import { operator } from '#tests/support/factories.ts'
import { makeSeriesShop } from '#tests/support/series.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { removeEffort, setEffort } from './change-effort.ts'
import { getSeries } from './series-settings.ts'

let services: TestServices
beforeAll(async () => {
  services = await openTestServices()
})

const asOperator = () => services.as(operator)

async function daysOf(publicationId: number) {
  return (await getSeries(asOperator(), { publicationId })).efforts.map(({ dayOffset }) => dayOffset)
}

describe('an effort of a series', () => {
  it('is added, moved and removed, and leaves the others unchanged', async () => {
    const { id: publicationId } = await makeSeriesShop(services)
    await setEffort(asOperator(), { publicationId, replaces: null, dayOffset: 60, offerPercent: '20' })
    expect(await daysOf(publicationId)).toEqual([-60, -30, -14, -3, 7, 21, 60])
    await setEffort(asOperator(), { publicationId, replaces: '-60', dayOffset: -45, subject: 'Soon', bodyB: 'Or so' })
    await removeEffort(asOperator(), { publicationId, dayOffset: '7' })
    expect(await daysOf(publicationId)).toEqual([-45, -30, -14, -3, 21, 60])
    expect(await getSeries(asOperator(), { publicationId })).toMatchObject({
      hasOwnEfforts: true,
      efforts: [{ subject: 'Soon', bodyB: 'Or so' }, {}, {}, {}, {}, { offerPercent: 20, kind: 'offer' }],
    })
  })

  it.each([
    ['a day that is taken', { dayOffset: -14 }, { dayOffset: 'Another effort is sent on this day' }],
    ['a day before another', { dayOffset: -15 }, { dayOffset: 'Leave at least 2 days between two efforts' }],
    [
      'a discount too high',
      { dayOffset: -20, offerPercent: '120' },
      { offerPercent: 'Enter a discount from 1 to 100 per cent' },
    ],
    [
      'a day and an offer at once',
      { dayOffset: 2000, offerPrices: { GBP: '9' } },
      {
        dayOffset: 'Enter whole days from 365 before the end to 1800 after it',
        offerProduct: 'Choose the plan that the price is for',
      },
    ],
    [
      'placeholders that nothing stands for',
      {
        dayOffset: -20,
        subject: 'Dear {{nmae}}',
        body: 'Until {{ Valid until }} at {{publication}}',
        bodyB: 'Dear {{name}',
      },
      {
        subject: expect.stringContaining('"{{nmae}}" is not a placeholder of this email: use {{name}}, {{first name}}'),
        bodyB: expect.stringContaining('A placeholder has two braces on each side'),
      },
    ],
  ])('is refused with an error at its field: %s', async (_, effort, fields) => {
    const { id: publicationId } = await makeSeriesShop(services)
    await expect(setEffort(asOperator(), { publicationId, replaces: null, ...effort })).rejects.toMatchObject({
      kind: 'invalid',
      fields,
    })
    expect(await daysOf(publicationId)).toHaveLength(6)
  })

  it('removed by somebody else is neither changed nor restored; the last effort cannot be removed', async () => {
    const { id: publicationId } = await makeSeriesShop(services)
    await removeEffort(asOperator(), { publicationId, dayOffset: -60 })
    const gone = { kind: 'conflict' }
    await expect(setEffort(asOperator(), { publicationId, replaces: -60, dayOffset: -50 })).rejects.toMatchObject(gone)
    await expect(removeEffort(asOperator(), { publicationId, dayOffset: -60 })).rejects.toMatchObject(gone)
    for (const dayOffset of [-30, -14, -3, 7]) await removeEffort(asOperator(), { publicationId, dayOffset })
    await expect(removeEffort(asOperator(), { publicationId, dayOffset: 21 })).rejects.toMatchObject(gone)
    expect(await daysOf(publicationId)).toEqual([21])
  })
})

import { describe, expect, it } from 'vitest'
import { addMonths } from '#core/kernel/calendar.ts'
import { addMonthsTo, monthOf, monthsFrom } from '#core/ledger/months.rules.ts'
import { computedRows } from '#core/ledger/schedule.query.ts'
import { verifyLedger } from '#core/ledger/verify-ledger.ts'
import { seededRandom } from '#tests/support/duplicates/seeded-random.ts'
import { operator } from '#tests/support/factories.ts'
import { killedBeforeCommit } from '#tests/support/killed-process.ts'
import { firstDay, hashOf, makeTitle, outcomeOf, runDays, sentEmails } from '#tests/support/renewal-years.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

/** The size of the run; the full size is `YEARS_READERS=10000 YEARS_RENEWING=2000 YEARS_MONTHS=36 YEARS_KILLS=12`. */
const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback)
const readerCount = setting('YEARS_READERS', 40)
const renewingCount = setting('YEARS_RENEWING', 20)
const monthCount = setting('YEARS_MONTHS', 14)
const kills = setting('YEARS_KILLS', 5)
const seeds = [setting('FAULT_SEED', 20261123), setting('FAULT_SEED', 20261123) + 1]

const until = addMonths(firstDay, monthCount)
/** Fewer than the number of transactions, so that every kill interrupts something. */
const commits = 20 * monthCount + 2 * renewingCount * (monthCount / 12)

describe('years of renewals', () => {
  it(
    'give the same result, wherever the process was killed',
    async () => {
      const firstRun = await runYears(seeds[0] as number)
      const secondRun = await runYears(seeds[1] as number)
      for (const [name, lines] of Object.entries(firstRun.outcome)) expect(secondRun.outcome[name], name).toEqual(lines)
      expect(secondRun.owed).toEqual(firstRun.owed)
      expect(firstRun.kills).not.toEqual(secondRun.kills)
    },
    3 * 3_600_000,
  )
})

/** Runs the years once, with kills before commits chosen by a seed; returns the outcome and the amounts of each month. */
async function runYears(seed: number) {
  const startedAt = Date.now()
  const services = await openTestServices()
  const { id, publisherId } = await makeTitle(services, { readers: readerCount, renewing: renewingCount })
  const madeAt = Date.now()
  const { roll } = seededRandom(seed)
  const input = { folder: services.dataDir, until }
  const killedAt: number[] = []
  for (let kill = 0; kill < kills; kill++) {
    const commit = 1 + roll(Math.round(commits / kills))
    await killedBeforeCommit(services, {
      commit,
      imports: `import { runDays } from '#tests/support/renewal-years.ts'`,
      body: `await runDays(services, clock, ${JSON.stringify(input)})`,
    })
    killedAt.push(commit)
    if (process.env.YEARS_READERS) console.info(`seed ${seed}: killed before commit ${commit}`)
  }
  await runDays(services, services.clock, input)
  const outcome = await outcomeOf(services, id)
  const owed = await monthsOf(services, { id, publisherId })
  const { sent, ids } = sentEmails(services)
  // A kill after the mail server has accepted an email, but before that is recorded, repeats the email under the same id.
  const emails = await services.db.query(`SELECT id FROM emails`)
  expect(ids.size).toBe(emails.length)
  expect(sent - ids.size).toBeLessThanOrEqual(kills * 10)
  if (process.env.YEARS_READERS) {
    const figures = Object.entries(outcome).map(([name, lines]) => `${name} ${lines.length} ${hashOf(lines)}`)
    const setUpSeconds = Math.round((madeAt - startedAt) / 1000)
    const runSeconds = Math.round((Date.now() - madeAt) / 1000)
    const rss = Math.round(process.memoryUsage.rss() / 1e6)
    console.info(
      [
        `seed ${seed}`,
        `world ${setUpSeconds} s, years ${runSeconds} s, ${rss} MB`,
        ...figures,
        `killed at ${killedAt}`,
      ].join('\n'),
    )
  }
  return { outcome, owed, kills: killedAt }
}

/** The earned and owed amounts of each month from the stored totals, which must agree with the entries, and the sales from the orders. */
async function monthsOf(services: TestServices, { id, publisherId }: { id: number; publisherId: number }) {
  const ctx = services.as(operator)
  expect(await verifyLedger(ctx, {})).toMatchObject({ different: 0 })
  const input = {
    publisherId,
    publicationId: id,
    months: monthsFrom(addMonthsTo(monthOf(firstDay), -12), addMonthsTo(monthOf(until), 12)),
    asOf: until,
  }
  const rows = await computedRows(ctx, input)
  expect(await computedRows(ctx, { ...input, isFromEntries: true })).toEqual(rows)
  const sold = await ctx.db.query<{ month: string; amount: number }>(
    `SELECT substr(CAST(ordered_on AS TEXT), 1, 7) AS month, SUM(amount) AS amount FROM orders
     WHERE publication_id = :id AND state = 'paid' GROUP BY 1 ORDER BY 1`,
    { id },
  )
  const owed = rows.map(({ month, sold, earned, opening, closing }) => ({ month, sold, earned, opening, closing }))
  expect(owed.filter((row) => row.sold > 0).map(({ month, sold: amount }) => ({ month, amount }))).toEqual(
    sold.map(({ month, amount }) => ({ month, amount: Number(amount) })),
  )
  for (const row of owed) expect(row.opening + row.sold - row.earned).toBe(row.closing)
  return owed
}

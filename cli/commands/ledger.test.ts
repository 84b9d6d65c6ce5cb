import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { Publications } from '#core/publications/publications.rows.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { stripeReport } from '#tests/support/provider-reports.ts'
import { makeReader } from '#tests/support/readers.ts'
import { makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let cwd = ''
let publisherFlags: string[]

beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  cwd = services.dataDir
  services.clock.now = new Date('2026-01-01T10:00:00Z')
  const shop = await makeShop(services, { publicationName: 'Gardener' })
  await placeOrder(services.as(visitor), orderForm(shop))
  const [user] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, {
    id: shop.publisherId,
  })
  publisherFlags = ['--publisher', user?.email ?? '']
})

const ledger = (...argv: string[]) => runCli(['ledger', ...argv], { env, cwd })

describe('ledger', () => {
  it('refuses --publisher together with --as', async () => {
    const both = ['--as', 'admin@example.test', ...publisherFlags]
    for (const argv of [['close', '--month', '2026-01'], ['verify'], ['reconcile', 'x.csv']])
      expect(await ledger(...argv, ...both)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining('--as and --publisher'),
      })
  })

  it('requires --publisher', async () => {
    expect(await ledger('totals')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--publisher <email>') })
  })

  it('shows totals at the end of a day and rolls them forward by month', async () => {
    const totals = JSON.parse((await ledger('totals', ...publisherFlags, '--as-of', '31/01/2026', '--json')).stdout)
    const { net, liability } = totals.GBP
    expect(liability).toBe(net - Math.trunc(net / 12))
    const { stdout } = await ledger('schedule', ...publisherFlags, '--from', '2026-01', '--to', '2026-12')
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(rows).toHaveLength(12)
    expect(rows[0]?.slice(0, 4)).toEqual(['2026-01', 'GBP', 'Gardener', 'print'])
    expect(Math.round(Number(rows[0]?.[9]) * 100)).toBe(liability)
    expect(rows.at(-1)?.[9]).toBe('0.00')
    expect(await ledger('schedule', ...publisherFlags, '--from', 'June')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--from'),
    })
  })

  it('closes a month (or previews it), lists the months and reopens the last one', async () => {
    const close = (...argv: string[]) => ledger('close', ...publisherFlags, '--month', '2026-01', ...argv)
    const january = async () => {
      const { months } = { months: JSON.parse((await ledger('list', ...publisherFlags, '--json')).stdout) }
      return months.find(({ month }: { month: string }) => month === '2026-01')
    }
    for (const flags of [['--dry-run'], ['--dry-run', '--quiet']])
      expect(await close(...flags)).toMatchObject({ exit: 0, stderr: expect.stringContaining('would be closed') })
    expect((await january()).state).toBe('open')
    expect(await ledger('close', ...publisherFlags, '--month', '2999-01')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--month'),
    })
    expect(await close()).toMatchObject({ exit: 0, stderr: expect.stringContaining('is closed') })
    expect(await close()).toMatchObject({ exit: 0, stderr: expect.stringContaining('is already closed') })
    expect(await january()).toMatchObject({ state: 'closed', differences: [] })
    const { stdout } = await ledger('schedule', ...publisherFlags, '--from', '2026-01', '--to', '2026-01')
    const oldFlag = await ledger('schedule', ...publisherFlags, '--from', '2026-01', '--until', '2026-01')
    expect(oldFlag.stdout).toBe(stdout)
    expect((await ledger('schedule', '--help')).stdout).not.toContain('--until')
    expect(stdout).toMatch(/\d{4}-\d\d-\d\d by Ada Tester/)
    // Half past midnight in London.
    await services.db.run(`UPDATE ledger_closes SET closed_at = '2027-06-30T23:30:00Z'`)
    expect((await ledger('list', ...publisherFlags)).stdout).toContain('2027-07-01 by Ada Tester')
    const reopen = (month: string) => ledger('reopen', ...publisherFlags, '--month', month, '--reason', 'A late refund')
    expect(await reopen('2025-12')).toMatchObject({ exit: 5 })
    expect(await reopen('2026-01')).toMatchObject({ exit: 0 })
    expect((await january()).state).toBe('open')
  })

  it('takes over opening balances once and undoes them', async () => {
    const shop = await makeShop(services, { publicationName: 'Potter' })
    await makeReader(services, shop.id, { subPaid: 1200 })
    const owners = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, {
      id: shop.publisherId,
    })
    const opening = (...argv: string[]) =>
      ledger('opening', '--publisher', owners[0]?.email ?? '', '--publication', shop.urlKey, ...argv)
    expect(await opening('--on', '30/09/2026', '--dry-run')).toMatchObject({
      exit: 0,
      stdout: 'GBP\tprint\t1\t12.00\t3.00\n',
      stderr: expect.stringContaining('Would take over the balances of 1 reader on 30/09/2026'),
    })
    expect(await opening('--on', '30/09/2999')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--on') })
    expect(await opening()).toMatchObject({ exit: 2, stderr: expect.stringContaining('--on <date>, or --undo') })
    expect(JSON.parse((await opening('--on', '30/09/2026', '--json')).stdout)).toMatchObject({
      on: '2026-09-30',
      readers: 1,
      dryRun: false,
      sums: [{ currency: 'GBP', product: 'print', readers: 1, paid: 1200, owed: 300 }],
    })
    expect(await opening('--on', '30/09/2026')).toMatchObject({ exit: 5 })
    const totals = await ledger('totals', '--publisher', owners[0]?.email ?? '', '--as-of', '31/10/2026', '--json')
    expect(JSON.parse(totals.stdout).GBP).toMatchObject({ net: 0, liability: 0, openingLiability: 200 })
    expect(await opening('--undo')).toMatchObject({ exit: 0, stderr: expect.stringContaining('Undone') })
    expect(await opening('--undo')).toMatchObject({ exit: 5 })
  })

  it('reports a quarter’s VAT and what is not set', async () => {
    const vat = (...argv: string[]) => ledger('vat', ...publisherFlags, ...argv)
    expect(await vat('--quarter', '2026-Q1')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('VAT is not set for 1 line'),
    })
    expect(JSON.parse((await vat('--quarter', '2026-Q1', '--json')).stdout)).toMatchObject({
      from: '2026-01-01',
      until: '2026-03-31',
      rows: [],
      notSet: [{ problem: 'settings', gross: 2999 }],
    })
    const before = await databaseChecksum(services.db)
    expect(await vat('--fill', '--quarter', 'Q9')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--quarter'),
    })
    expect(await vat('--fill', '--dry-run')).toMatchObject({
      exit: 0,
      stderr: expect.stringContaining('Would work out'),
    })
    expect(JSON.parse((await vat('--fill', '--dry-run', '--json')).stdout)).toMatchObject({
      dryRun: true,
      filledOrders: 0,
    })
    expect(await databaseChecksum(services.db)).toBe(before)
    expect(await vat('--fill', '--from', '01/01/2026', '--to', '31/01/2026')).toMatchObject({ exit: 0 })
    expect(await vat('--quarter', 'Q9')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--quarter') })
    expect(await vat('--quarter', '2026-Q1', '--from', '01/01/2026')).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/--quarter.*not both/),
    })
  })

  it('sets account codes (or previews them) and writes balanced journals, never overwriting a file', async () => {
    const codes = ['sales=200', 'deferred=850', 'receivable:demo=610', 'differences=999']
    const listed = async (...argv: string[]) =>
      JSON.parse((await ledger('accounts', ...argv, ...publisherFlags, '--json')).stdout)
    expect((await listed(...codes, '--dry-run'))[0]).toMatchObject({ account: 'sales', code: '200' })
    expect((await listed())[0]).toMatchObject({ account: 'sales', code: '' })
    const journal = () => ledger('journal', ...publisherFlags, '--month', '2026-01', '--layout', 'sage')
    expect(await journal()).toMatchObject({ exit: 2, stderr: expect.stringContaining('Deferred revenue') })
    expect((await listed(...codes))[0]).toMatchObject({ code: '200' })
    const refusals = [
      [['sale=200'], '"sale" is not an account'],
      [['sales'], '"sales" has no code'],
      [['sales=200', 'sales=201'], 'the code of sales is given twice'],
    ] as const
    for (const [argv, message] of refusals)
      expect(await ledger('accounts', ...argv, ...publisherFlags)).toMatchObject({
        exit: 2,
        stderr: expect.stringContaining(message),
      })
    expect((await journal()).exit).toBe(0)
    const lines = readFileSync(join(cwd, 'Journal_2026-01_GBP_sage.csv'), 'utf8').trimEnd().split('\r\n')
    const sum = lines.reduce((total, line) => {
      const [type, , , , , , , amount] = line.split(',')
      return total + (type === 'JD' ? 1 : -1) * Math.round(Number(amount) * 100)
    }, 0)
    expect(lines.length).toBeGreaterThanOrEqual(4)
    expect(sum).toBe(0)
    expect(await journal()).toMatchObject({
      exit: 5,
      stderr: expect.stringMatching(/remove it, or name another directory: --directory <directory>/),
    })
    expect(await ledger('journal', ...publisherFlags, '--month', '2026-01', '--directory', 'nowhere')).toMatchObject({
      exit: 4,
      stderr: expect.stringMatching(/make it, or name another directory: --directory <directory>/),
    })
  })

  it('exports orders as CSV, with the filters of the page', async () => {
    const lines = async (...argv: string[]) =>
      (await ledger('export', ...publisherFlags, ...argv)).stdout.trimEnd().split('\r\n').slice(1)
    expect(await lines()).toEqual([expect.stringContaining('Gardener')])
    expect((await ledger('export', ...publisherFlags)).stdout).not.toContain('\ufeff')
    expect((await ledger('export', ...publisherFlags, '--bom')).stdout).toMatch(/^\ufeff/)
    await ledger('export', ...publisherFlags, '--output', 'orders.csv')
    expect(readFileSync(join(cwd, 'orders.csv'), 'utf8')).toMatch(/^\ufeff/)
    expect(await lines('--from', '02/01/2026')).toEqual([])
    expect(await lines('--to', '01/01/2026', '--by', 'entered', '--find', 'gardener')).toHaveLength(1)
    expect(await lines('--payment', 'demo', '--product', 'print', '--state', 'paid', '--source', 'new')).toHaveLength(1)
    expect(await lines('--channel', 'phone')).toEqual([])
    expect(await ledger('export', ...publisherFlags, '--state', 'lost')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('part-refunded'),
    })
    expect(await ledger('export', ...publisherFlags, '--from', '31/02/2026')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--from'),
    })
    expect(await ledger('export', ...publisherFlags, '--from', '31/12/2026', '--to', '01/01/2026')).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/--from[\s\S]*not after the last day/),
    })
    const file = join(cwd, 'orders.csv')
    expect((await ledger('export', ...publisherFlags, '--output', file, '--json')).stdout).toContain('orders.csv')
    expect(readFileSync(file, 'utf8')).toContain('Gardener')
  })

  it('lists where stored totals differ from the entries, exits with 1, and rebuilds them with --repair', async () => {
    expect(await ledger('verify')).toMatchObject({ exit: 0, stderr: expect.stringContaining('agree with 1 entry') })
    await services.db.run(`UPDATE ledger_days SET sold = sold + 100 WHERE sales = 1`)
    expect((await runCli(['doctor'], { env, cwd })).stdout).toContain('the stored totals of 1 publisher differ')
    const wrong = await ledger('verify', ...publisherFlags)
    expect(wrong).toMatchObject({ exit: 1, stderr: expect.stringContaining('1 stored total differs') })
    expect(wrong.stdout.split('\t').slice(2)).toEqual(expect.arrayContaining(['GBP', 'print', '2026-01-01']))
    expect(JSON.parse((await ledger('verify', '--repair', '--json')).stdout)).toMatchObject({ isRepaired: true })
    expect((await ledger('verify')).exit).toBe(0)
  })

  it('lists frozen figures that differ from the ledger, and leaves them unchanged', async () => {
    await ledger('close', ...publisherFlags, '--month', '2026-01')
    await services.db.run(`UPDATE ledger_close_rows SET sold = sold + 100`)
    expect((await runCli(['doctor'], { env, cwd })).stdout).toContain('frozen figures of 1 closed month do not match')
    const wrong = await ledger('verify', '--repair')
    expect(wrong).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('1 frozen figure of closed months differs'),
    })
    expect(wrong.stdout.split('\t').slice(2, 6)).toEqual(['GBP', 'print', '2026-01', 'sold'])
    expect(JSON.parse((await ledger('verify', '--json')).stdout)).toMatchObject({ different: 0, closedDifferent: 1 })
    await services.db.run(`UPDATE ledger_close_rows SET sold = sold - 100`)
    expect((await ledger('verify')).exit).toBe(0)
    await ledger('reopen', ...publisherFlags, '--month', '2026-01', '--reason', 'Done')
  })

  it('imports a provider report (or previews it) and exits with 1 while a line is unreconciled', async () => {
    const [sold] = await services.db.query<{ order_number: string; amount: number }>(
      `SELECT o.order_number, o.amount FROM orders o JOIN payments y ON y.order_id = o.id ORDER BY o.id LIMIT 1`,
    )
    const gross = ((sold?.amount ?? 0) / 100).toFixed(2)
    const row = {
      automatic_payout_id: 'po_cli',
      created_utc: '2026-01-01 10:00:00',
      gross,
      net: gross,
      reporting_category: 'charge',
      'payment_metadata[orderNumber]': sold?.order_number ?? '',
    }
    writeFileSync(join(cwd, 'good.csv'), stripeReport([{ ...row, balance_transaction_id: 'txn_cli_1' }]))
    writeFileSync(
      join(cwd, 'bad.csv'),
      stripeReport([
        { ...row, balance_transaction_id: 'txn_cli_2', 'payment_metadata[orderNumber]': 'OD-NOBODY' },
        { ...row, balance_transaction_id: 'txn_cli_3', gross: '?' },
      ]),
    )
    const reconcile = (file: string, ...argv: string[]) => ledger('reconcile', file, ...publisherFlags, ...argv)
    const lineCount = async () => (await services.db.query(`SELECT id FROM provider_lines`)).length
    expect(await reconcile('bad.csv', '--dry-run')).toMatchObject({
      exit: 1,
      stderr: expect.stringContaining('line 3: gross is not an amount in GBP'),
    })
    const quiet = await reconcile('bad.csv', '--dry-run', '--quiet')
    expect(quiet.stderr).toMatch(
      /^! 1 line not matched: .*\n(! .*\n)?! 1 row could not be read \(first on line 3: gross/,
    )
    expect(await lineCount()).toBe(0)
    const good = await reconcile('good.csv')
    expect(good.exit).toBe(0)
    expect(good.stdout).toContain(['stripe', 'po_cli', '2026-01-01', 'GBP', gross, gross, '0.00'].join('\t'))
    expect(JSON.parse((await reconcile('good.csv', '--json')).stdout)).toMatchObject({
      report: { added: 0, alreadyRead: 1 },
      payouts: [{ amount: sold?.amount, missing: 0 }],
      unreconciled: 0,
    })
    expect((await reconcile('good.csv', '--quiet')).stdout).toContain('po_cli')
    expect(await lineCount()).toBe(1)
    expect(await reconcile('good.csv', '--provider', 'paypal')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('“Transaction ID”'),
    })
    expect(await ledger('reconcile', 'good.csv')).toMatchObject({ exit: 2 })
    writeFileSync(join(cwd, 'empty.csv'), '')
    const empty = await reconcile('empty.csv')
    expect(empty).toMatchObject({ exit: 2, stderr: expect.stringContaining('xport it again, with its header line') })
    expect(empty.stderr).not.toContain('readers')
  })

  it('finds a removed title by its handle or its number', async () => {
    const shop = await makeShop(services, { publicationName: 'Slow Steam', urlKey: 'slow-steam' })
    await placeOrder(services.as(visitor), orderForm(shop))
    await Publications.update(services, { id: shop.id }, { removedAt: new Date() })
    const [user] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, {
      id: shop.publisherId,
    })
    const ownerFlags = ['--publisher', user?.email ?? '']
    for (const title of ['slow-steam', String(shop.id)]) {
      const totals = await ledger('totals', ...ownerFlags, '-p', title, '--json')
      expect(JSON.parse(totals.stdout)).toMatchObject({ GBP: { orders: 1 } })
      const until = ['--from', '2026-01', '--to', '2026-01']
      expect((await ledger('schedule', ...ownerFlags, '-p', title, ...until)).stdout).toContain('Slow Steam\tprint')
      expect((await ledger('export', ...ownerFlags, '-p', title)).stdout).toContain('Slow Steam')
    }
    const unknown = await ledger('totals', ...ownerFlags, '-p', 'slow-steem')
    expect(unknown).toMatchObject({ exit: 4, stderr: expect.stringContaining('did you mean "slow-steam"?') })
  })
})

it('ledger journal writes the journals of all currencies or of none, and says on which day a closed month was closed', async () => {
  const shop = await makeShop(services, { publicationName: 'Angler' })
  await placeOrder(services.as(visitor), orderForm(shop))
  const billing = { addressOne: '1 Main', city: 'Reno', state: 'NV', postCode: '89501' }
  await placeOrder(services.as(visitor), orderForm(shop, { country: 'US', plan: '1PN49.99', billing }))
  const [user] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, {
    id: shop.publisherId,
  })
  const publisher = ['--publisher', user?.email ?? '']
  expect((await ledger('close', ...publisher, '--month', '2026-01')).exit).toBe(0)
  const directory = mkdtempSync(join(cwd, 'journals-'))
  writeFileSync(join(directory, 'Journal_2026-01_USD_plain.csv'), '')
  const journal = () => ledger('journal', ...publisher, '--month', '2026-01', '--directory', directory)
  expect(await journal()).toMatchObject({ exit: 5, stderr: expect.stringContaining('_USD_') })
  expect(readdirSync(directory)).toEqual(['Journal_2026-01_USD_plain.csv'])
  rmSync(join(directory, 'Journal_2026-01_USD_plain.csv'))
  const { exit, stderr } = await journal()
  expect(exit).toBe(0)
  expect(stderr).toMatch(/^2026-01 was closed on \d\d\/\d\d\/\d{4} by /)
  expect(readdirSync(directory)).toHaveLength(2)
})

import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { placeBackIssueOrder } from '#core/orders/place-back-issue-order.ts'
import { placeOrder } from '#core/orders/place-order.ts'
import { Readers } from '#core/readers/readers.rows.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makeBackIssue } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { issueForm, makeShop, orderForm } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let cwd = ''
let number = ''

beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  cwd = services.dataDir
  const shop = await makeShop(services, { publicationName: 'Gardener', urlKey: 'gardener' })
  number = (await placeOrder(services.as(visitor), orderForm(shop))).orderNumber
})

const orders = (...argv: string[]) => runCli(['orders', ...argv], { env, cwd })
const showOrder = async () => JSON.parse((await orders('show', number, '--json')).stdout)

describe('orders', () => {
  it('shows an order by its number in any case, and reports an unknown one', async () => {
    const { stdout, exit } = await orders('show', number.toLowerCase().slice(3))
    expect(exit).toBe(0)
    expect(stdout).toMatch(/Amount\s+£29\.99\n[\s\S]*Net\s+£29\.99/)
    expect(await orders('show', 'OD-AAAAAAA')).toMatchObject({ exit: 4 })
    expect(await orders('show')).toMatchObject({ exit: 2 })
  })

  it('previews a refund, then makes it once per key', async () => {
    const dry = await orders('refund', number, '--scope', 'amount', '--amount', '5.00', '--dry-run', '--json')
    expect(JSON.parse(dry.stdout)).toMatchObject({ dryRun: true, amount: 500, netAfter: 2499 })
    expect((await showOrder()).refunds).toEqual([])
    const refund = [
      'refund',
      number,
      '--scope',
      'amount',
      '--amount',
      '5.00',
      '--reason',
      'Late',
      '--key',
      'complaint-1',
    ]
    expect(await orders(...refund)).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') })
    for (let n = 0; n < 2; n++) expect(await orders(...refund, '--yes')).toMatchObject({ exit: 0 })
    expect(await showOrder()).toMatchObject({
      state: 'paid',
      refunded: 500,
      net: 2499,
      refunds: [{ state: 'succeeded' }],
    })
    const again = await orders(...refund, '--yes')
    expect(again.stdout).toContain('Already refunded under this key: £5.00')
    // A different amount with the same key is a different refund, which is refused.
    const withOtherAmount = await orders(...refund.with(5, '6.00'), '--yes')
    expect(withOtherAmount).toMatchObject({ exit: 5, stdout: '', stderr: expect.stringContaining('different refund') })
    expect((await showOrder()).refunds).toHaveLength(1)
  })

  it('refuses an amount that is too large, naming the flag, and an order already refunded', async () => {
    const tooLarge = await orders('refund', number, '--scope', 'amount', '--amount', '29.99', '--yes')
    expect(tooLarge).toMatchObject({ exit: 2, stderr: expect.stringMatching(/--amount[\s\S]*At most £24\.99/) })
    const whole = ['refund', number, '--scope', 'whole', '--by-hand', '--key', 'complaint-2', '--yes']
    // A retry returns the same refund, although no refundable amount remains.
    for (let n = 0; n < 2; n++) expect(await orders(...whole)).toMatchObject({ exit: 0 })
    expect(await showOrder()).toMatchObject({ state: 'refunded', net: 0 })
    expect(await orders('refund', number, '--scope', 'whole', '--yes')).toMatchObject({ exit: 5 })
  })
})

it('orders posted marks every order that it is given', async () => {
  const shop = await makeShop(services, { sellsBackIssues: true })
  const { id } = await makeBackIssue(services, shop.id, { volume: 'Winter 2025', stock: 5 })
  const numbers: string[] = []
  for (const email of ['one@example.test', 'two@example.test'])
    numbers.push((await placeBackIssueOrder(services.as(visitor), issueForm(shop, [id], { email }))).orderNumber)
  expect(await orders('posted', ...numbers)).toMatchObject({
    exit: 0,
    stdout: expect.stringContaining('Marked 2 orders'),
  })
  const toPost = JSON.parse((await orders('to-post', '--json')).stdout) as { orderNumber: string }[]
  expect(toPost.filter(({ orderNumber }) => numbers.includes(orderNumber))).toEqual([])
})

describe('orders add', () => {
  const cheque = ['--publication', 'gardener', '--plan', '1PN29.99', '--method', 'cheque', '--reference', '000123']
  const person = ['--first-name', 'Ann', '--last-name', 'Lee', '--email', 'ann@example.test']
  const address = ['--address', '1 Quay Street', '--city', 'London', '--postcode', 'SW1A 1AA']

  it('shows the price in a dry run, then enters the order once per key', async () => {
    const add = ['add', ...cheque, ...person, ...address, '--key', 'letter-of-23-november']
    const dry = await orders(...add, '--dry-run')
    expect(dry).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/Would enter\s+Print, one year\n\s+Total\s+£29\.99/),
    })
    const first = await orders(...add, '--json')
    const again = await orders(...add, '--json')
    expect(JSON.parse(first.stdout)).toMatchObject({ state: 'paid', amount: 2999 })
    expect(JSON.parse(again.stdout).orderNumber).toBe(JSON.parse(first.stdout).orderNumber)
    const { stdout } = await orders('show', JSON.parse(first.stdout).orderNumber)
    expect(stdout).toMatch(/Payment\s+Cheque/)
  })

  it('takes country and address from the record of a reader, else the country of the publisher', async () => {
    const { id, publisherId } = await makeShop(services, { urlKey: 'overseas' })
    const home = { fullName: 'Bo Day', firstName: 'Bo', lastName: 'Day', email: 'bo@example.test', country: 'US' }
    const place = { addressOne: '9 Elm Road', addressThree: 'Block B', addressFour: 'Suite 4', city: 'Boston' }
    const uniqueReference = 'TR0000001'
    const readerId = await makeReader(services, id, {
      ...home,
      ...place,
      uniqueReference,
      state: 'MA',
      postCode: '02108',
    })
    const record = () => Readers.find(services, { id: readerId })
    const add = (plan: string, ...flags: string[]) =>
      orders('add', '--publication', 'overseas', '--plan', plan, '--method', 'cash', '--json', ...flags)
    const placed = await add('1PN49.99', '--reader', uniqueReference)
    expect(JSON.parse(placed.stdout)).toMatchObject({ amount: 4999, currency: 'USD' })
    expect(await record()).toMatchObject({ country: 'US', addressOne: '9 Elm Road', addressThree: 'Block B, Suite 4' })
    // An address given in one line replaces every line of the address on record.
    await add('1PN49.99', '--reader', uniqueReference, '--address', '1 Oak Road', '--city', 'Salem')
    expect(await record()).toMatchObject({ country: 'US', addressOne: '1 Oak Road', addressThree: '', city: 'Salem' })
    await services.db.run(`UPDATE accounts SET country = 'IE' WHERE user_id = :publisherId`, { publisherId })
    const irish = [...person, '--address', '1 Quay', '--city', 'Cork', '--postcode', 'T12 X8N4']
    expect(JSON.parse((await add('1PN39.99', ...irish)).stdout)).toMatchObject({ amount: 3999, currency: 'EUR' })
    expect(JSON.parse((await add('1PN29.99', ...person, ...address, '--country', 'GB')).stdout)).toMatchObject({
      currency: 'GBP',
    })
  })

  it('keeps a refund as credit, lists it, and pays the next order with it', async () => {
    const add = (method: string) => ['add', ...cheque, ...person, ...address, '--method', method, '--json']
    const { orderNumber } = JSON.parse((await orders(...add('cheque'))).stdout)
    const refund = ['refund', orderNumber, '--scope', 'whole', '--method', 'credit', '--yes']
    expect(await orders(...refund)).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/Refunded £29\.99 of OD-\w+, as credit for a later order/),
    })
    expect((await orders('show', orderNumber)).stdout).toMatch(/Credit left\s+£29\.99/)
    expect(JSON.parse((await orders('credits', '--publication', 'gardener', '--json')).stdout)).toMatchObject([
      { orderNumber, amount: 2999, left: 2999, currency: 'GBP', email: 'ann@example.test' },
    ])
    // Twenty past midnight in London.
    await services.db.run(`UPDATE refunds SET accepted_at = '2027-06-30T23:20:00Z'`)
    expect((await orders('credits')).stdout).toMatch(
      /\t2027-07-01\t.*\tAnn Lee, ann@example\.test\t29\.99\t29\.99\tGBP\n$/,
    )
    const [shop] = await services.db.query<{ id: number }>(`SELECT id FROM publications WHERE url_key = 'gardener'`)
    expect((await orders('credits', '--publication', String(shop?.id))).stdout).toContain('Ann Lee')
    expect((await orders('credits', '--publication', 'gardner')).stderr).toContain('did you mean "gardener"?')
    expect(await orders(...add('credit'))).toMatchObject({ exit: 0 })
    const withoutCredit = await orders(...add('credit'))
    expect(withoutCredit).toMatchObject({ exit: 2, stdout: expect.stringMatching(/No credit is left/) })
    expect((await orders('credits')).stderr).toContain('No credit is left')
    expect(await orders('refund', orderNumber, '--by-hand', '--method', 'credit')).toMatchObject({ exit: 2 })
  })

  it('names the flag of a value that the record of the reader lacks, and never asks with --no-input', async () => {
    const [reader] = await services.db.query<{ ref: string }>(
      `SELECT unique_reference AS ref FROM readers ORDER BY id LIMIT 1`,
    )
    await services.db.run(`UPDATE readers SET email = '' WHERE unique_reference = :ref`, { ref: reader?.ref ?? '' })
    const withoutInput = await runCli(['orders', 'add', ...cheque, '--reader', reader?.ref ?? '', '--no-input'], {
      env,
      cwd,
      terminal: ['stdin', 'stdout', 'stderr'],
      stdin: 'typed@example.test\n',
    })
    expect(withoutInput).toMatchObject({ exit: 2, stderr: expect.stringMatching(/missing flags: --email\S*\n/) })
  })

  it('names every flag that is missing, and the flag whose value is wrong', async () => {
    expect(await orders('add', ...cheque)).toMatchObject({ exit: 2, stderr: expect.stringContaining('--postcode') })
    const wrong = await orders('add', ...cheque, ...person, ...address, '--start', '01/01/2020')
    expect(wrong).toMatchObject({ exit: 2, stderr: expect.stringMatching(/--start[\s\S]*today or a later day/) })
    const withShortKey = await orders('add', ...cheque, ...person, ...address, '--key', 'short')
    expect(withShortKey).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/--key[\s\S]*16 to 64 letters, digits, hyphens and underscores/),
    })
    expect(withShortKey.stderr).not.toContain('reload')
  })
})

import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { AddressMarks, installationPublisherId } from '#core/bounces/address-marks.rows.ts'
import { requestBuyerReset } from '#core/buyers/request-buyer-reset.ts'
import { Emails } from '#core/emails/emails.rows.ts'
import { mailStates } from '#core/emails/mail-log.query.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { mailSender, queuedEmails } from '#tests/support/emails.ts'
import { makeBuyer, system } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { plannedReminder } from '#tests/support/series.ts'
import { makeShop } from '#tests/support/shop.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'
import { runWorker } from '#tests/support/worker.ts'

const endsOn = '2099-01-31'

let services: TestServices
let env: Record<string, string>
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
})

const emails = (...argv: string[]) => runCli(['emails', ...argv], { env })

/** A publication whose reader was reminded, and that reminder's number. */
async function makeRemindedReader(handle: string) {
  const shop = await makeShop(services, { urlKey: handle })
  const readerId = await makeReader(services, shop.id, {
    subType: 'print',
    subEndOn: endsOn,
    email: 'ann@example.test',
    firstName: 'Ann',
    lastName: 'Tar',
  })
  const { about, emailKey } = await plannedReminder(services, readerId, endsOn)
  await mailSender('renewal-reminder')(services.as(system), about)
  const row = await Emails.find(services, { emailKey })
  if (!row) throw new Error('The reminder left no row')
  return { shop, readerId, id: row.id }
}

describe('emails list', () => {
  it('prints one line per email when piped, a table on a terminal, and everything as JSON', async () => {
    const { id, readerId } = await makeRemindedReader('listed')
    const { exit, stdout, stderr } = await emails('list', '--publication', 'LISTED')
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout).toMatch(
      new RegExp(`^${id}\\t[\\dT:.-]+Z\\trenewal-reminder\\tann@example\\.test\\t${readerId}\\tsent\\t1\\t[^\\t]+\\n$`),
    )
    const terminal = { env, terminal: ['stdin' as const, 'stdout' as const, 'stderr' as const], columns: 160 }
    const table = await runCli(['emails', 'list', '--publication', 'listed', '--no-color'], terminal)
    expect(table.stdout).toMatch(/Renewal Template +ann@example\.test +Ann Tar +sent +1/)
    const json = JSON.parse((await emails('list', '--publication', 'listed', '--json')).stdout)
    expect(json).toMatchObject([{ id, reader: { id: readerId, name: 'Ann Tar' } }])
    const { urlKey } = await makeShop(services)
    expect(JSON.parse((await emails('list', '--publication', urlKey, '--json')).stdout)).toEqual([])
  })

  it('is filtered by its flags, and names the flag that has a wrong value', async () => {
    const { id, readerId } = await makeRemindedReader('narrowed')
    const isListed = async (...flags: string[]) =>
      (await emails('list', '--publication', 'narrowed', ...flags)).stdout.startsWith(`${id}\t`)
    expect(await isListed('--search', 'ANN@')).toBe(true)
    expect(await isListed('--reader', String(readerId), '--mail', 'renewal-reminder', '--state', 'sent')).toBe(true)
    expect(await isListed('--search', 'bob@')).toBe(false)
    expect(await isListed('--mail', 'order-receipt')).toBe(false)
    expect(await isListed('--state', 'refused')).toBe(false)
    expect(await isListed('--to', '01/01/2020')).toBe(false)
    expect(await emails('list', '--publication', 'narrowed', '--mail', 'no-such')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--mail'),
    })
    expect(await emails('list', '--publication', 'narrowed', '--limit', '7')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('10, 25, 50, 100'),
    })
    expect((await emails('list')).exit).toBe(2)
    expect((await emails('list', '--help')).stdout.replaceAll(/\s+/g, ' ')).toContain(
      mailStates.join(', ').replace(', dropped', ' or dropped'),
    )
    expect(await emails('list', '--publication', 'narrowe')).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('did you mean "narrowed"?'),
    })
  })

  it('lists the rest of a truncated list with the flag that stderr names', async () => {
    const { shop } = await makeRemindedReader('long')
    const first = await Emails.find(services, { publicationId: shop.id })
    if (!first) throw new Error('There is no email')
    const { id: _, ...values } = first
    for (let n = 0; n < 10; n++)
      await Emails.insert(services, { ...values, emailKey: `more:${n}`, messageId: `<more.${n}@x>` })
    const page = await emails('list', '--publication', 'long', '--limit', '10')
    const ids = page.stdout
      .trim()
      .split('\n')
      .map((line) => line.split('\t')[0])
    expect(ids).toHaveLength(10)
    expect(page.stderr).toBe(`Older emails: --before ${ids.at(-1)}\n`)
    const rest = await emails('list', '--publication', 'long', '--limit', '10', '--before', ids.at(-1) ?? '')
    expect(rest.stderr).toBe('')
    expect(rest.stdout.trim().split('\n')).toHaveLength(1)
  })
})

describe('emails show', () => {
  it('prints the email as it was sent, and shows a user only their own emails', async () => {
    const { id } = await makeRemindedReader('shown')
    const { exit, stdout } = await emails('show', String(id))
    expect(exit).toBe(0)
    expect(stdout).toContain('ann@example.test')
    expect(stdout).toContain('sent, 1 attempt')
    expect(stdout).toContain('/hidden')
    const { text } = JSON.parse((await emails('show', String(id), '--json')).stdout).body
    expect(stdout).toContain(text.trimEnd())
    expect(text.trimEnd().split('\n').length).toBeGreaterThan(3)
    expect(JSON.parse((await emails('show', String(id), '--json')).stdout).body.html).toContain('</html>')
    const { shop: otherShop } = await makeRemindedReader('others')
    const [owner] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :id`, {
      id: otherShop.publisherId,
    })
    for (const command of ['show', 'resend'])
      expect((await emails(command, String(id), '--as', owner?.email ?? '')).exit).toBe(4)
    expect((await emails('show', '999999')).exit).toBe(4)
  })

  it('says that a body is not stored', async () => {
    const { id } = await makeRemindedReader('bodiless')
    await services.db.run(`DELETE FROM email_bodies WHERE email_id = :id`, { id })
    expect((await emails('show', String(id))).stdout).toContain('Its body is not stored.')
  })
})

describe('emails resend', () => {
  it('shows in a dry run who would get the email, then sends it again', async () => {
    const { id } = await makeRemindedReader('again')
    const unchanged = await databaseChecksum(services.db)
    expect(await emails('resend', String(id), '--dry-run')).toMatchObject({
      exit: 0,
      stdout: 'Would send Renewal Template to ann@example.test again; nothing was sent\n',
    })
    expect(await databaseChecksum(services.db)).toBe(unchanged)
    const before = (await queuedEmails(services, 'renewal-reminder')).length
    expect(await emails('resend', String(id))).toMatchObject({
      exit: 0,
      stdout: '✓ Sent Renewal Template to ann@example.test again\n',
    })
    expect(await queuedEmails(services, 'renewal-reminder')).toHaveLength(before + 1)
  })

  it('is refused for an email that contained a log-in link', async () => {
    const { shop } = await makeRemindedReader('once')
    const { email } = await makeBuyer(services, shop.id)
    await requestBuyerReset(services.as(visitor), { publicationId: shop.id, email })
    await runWorker(services)
    const link = await Emails.find(services, { template: 'buyer-reset-link', publicationId: shop.id })
    expect(await emails('resend', String(link?.id))).toMatchObject({
      exit: 5,
      stderr: expect.stringContaining('works once'),
    })
  })
})

describe('emails try-address', () => {
  it('lets emails be sent again to the bounced address of an email, and to one of the installation', async () => {
    const { id, shop } = await makeRemindedReader('bounced')
    const bounced = { bouncedAt: services.now(), answer: '550 Gone' }
    await AddressMarks.insert(services, { publisherId: shop.publisherId, addressKey: 'ann@example.test', ...bounced })
    await AddressMarks.insert(services, {
      publisherId: installationPublisherId,
      addressKey: 'desk@example.test',
      ...bounced,
    })
    for (const [emailIdOrAddress, to] of Object.entries({
      [id]: 'ann@example.test',
      'desk@example.test': 'desk@example.test',
    })) {
      const unchanged = await databaseChecksum(services.db)
      expect(await emails('try-address', emailIdOrAddress, '--dry-run')).toMatchObject({
        exit: 0,
        stdout: `Would send emails to ${to} again; nothing was changed\n`,
      })
      expect(await databaseChecksum(services.db)).toBe(unchanged)
      expect((await emails('try-address', emailIdOrAddress)).stdout).toBe(`✓ Will send emails to ${to} again\n`)
      expect((await emails('try-address', emailIdOrAddress)).stderr).toBe(`Emails to ${to} are not blocked\n`)
      expect(JSON.parse((await emails('try-address', emailIdOrAddress, '--json')).stdout)).toEqual({
        dryRun: false,
        to,
        changed: false,
      })
    }
    expect((await emails('try-address', '999999')).exit).toBe(4)
    expect((await emails('try-address', 'not@an@address')).exit).toBe(2)
  })
})

import { beforeAll, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { startDnsServer } from '#tests/support/dns-server.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { makePublication } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

/** The DNS records; the test adds to them. */
const records: Record<string, string[]> = {}

let services: TestServices
let env: Record<string, string>
let publisher: string
beforeAll(async () => {
  services = await openTestServices()
  env = { ...envOf(services), MAIL_DNS: await startDnsServer(records), MAIL_SPF_INCLUDE: '_spf.us.test' }
  const { publisherId } = await makePublication(services)
  const [user] = await services.db.query<{ email: string }>(`SELECT email FROM users WHERE id = :publisherId`, {
    publisherId,
  })
  publisher = user?.email ?? ''
})

const senders = (...argv: string[]) => runCli(['senders', ...argv], { env })
const publisherSenders = (...argv: string[]) => senders(...argv, '--publisher', publisher)
const json = async (...argv: string[]) => JSON.parse((await publisherSenders(...argv, '--json')).stdout)

it('senders are set, shown, checked and listed; a dry run changes nothing', async () => {
  expect(JSON.parse((await senders('list', '--json')).stdout)).toEqual([])
  expect(await json('show')).toMatchObject({ state: 'none', address: '' })
  const before = await databaseChecksum(services.db)
  const address = 'readers@quay.test'
  expect(await json('set', '--address', address, '--dry-run')).toMatchObject({ dryRun: true, address })
  expect(await databaseChecksum(services.db)).toBe(before)

  expect(await json('set', '--address', address, '--name', 'Quayside')).toMatchObject({ isLinkSent: true })
  expect(await queuedEmails(services, 'sender-link')).toHaveLength(1)
  // A field that is not given keeps its value.
  expect((await publisherSenders('set', '--reply-to', 'help@quay.test')).exit).toBe(0)
  const shown = await json('show')
  expect(shown).toMatchObject({ senderName: 'Quayside', address, replyTo: 'help@quay.test', state: 'unverified' })
  expect((await publisherSenders('send-link', '--dry-run')).stdout).toBe(`Would email a link to ${address}\n`)
  expect(await json('send-link')).toEqual({ dryRun: false, to: address })
  expect(await queuedEmails(services, 'sender-link')).toHaveLength(2)

  expect((await publisherSenders('check', '--dry-run')).stdout).toContain('Would look up mh')
  for (const { name, value } of shown.records) records[name] = [value]
  expect((await json('check')).records).toMatchObject([{ state: 'found' }, { state: 'found' }, { state: 'found' }])
  const line = (await senders('list')).stdout.split('\t')
  expect(line.slice(0, 4)).toEqual([publisher, expect.any(String), address, 'unverified'])
  expect(line.at(-1)).toContain('not verified')
  expect((await publisherSenders('set', '--address', '')).stdout).toContain('the installation’s address')
})

it('wrong values are refused, naming the flag', async () => {
  expect(await senders('show')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--publisher <email>') })
  expect(await publisherSenders('set')).toMatchObject({ exit: 2, stderr: expect.stringContaining('--address') })
  expect(await publisherSenders('set', '--address', 'readers')).toMatchObject({
    exit: 2,
    stderr: expect.stringContaining('--address'),
  })
  expect(await publisherSenders('check')).toMatchObject({ exit: 5 })
  expect(await senders('show', '--publisher', 'nobody@example.test')).toMatchObject({ exit: 4 })
  expect(await senders('list', '--as', publisher)).toMatchObject({ exit: 4 })
})

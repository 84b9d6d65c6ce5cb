import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makePublication } from '#tests/support/factories.ts'
import { makeReader } from '#tests/support/readers.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
})

const postcodes = (...argv: string[]) => runCli(['postcodes', ...argv], { env })

it('imports a file, shows it, and removes it', async () => {
  const { id, urlKey } = await makePublication(services)
  await makeReader(services, id, { postCode: 'M1 1AE' })
  const file = join(services.dataDir, 'codes.csv')
  writeFileSync(file, 'PostCode\nSW1A 1AA\nnonsense\n')

  const before = await databaseChecksum(services.db)
  const dry = await postcodes('import', file, '--publication', urlKey, '--dry-run')
  expect([dry.exit, dry.stdout]).toEqual([3, expect.stringContaining(`Would import 1 postcode into ${urlKey}`)])
  expect(dry.stdout).toMatch(/Readers changed +1\n/)
  expect(await databaseChecksum(services.db)).toBe(before)

  const imported = await postcodes('import', file, '--publication', urlKey)
  expect([imported.exit, imported.stdout]).toEqual([3, expect.stringContaining(`✓ Imported 1 postcode into ${urlKey}`)])
  expect(imported.stdout).toContain('line 3: "nonsense" is not a postcode')
  const shown = await postcodes('show', '--publication', urlKey, '--json')
  expect(JSON.parse(shown.stdout)).toMatchObject({ live: { codes: 1, failed: 1, changed: 1, isLive: true } })

  const unconfirmed = await postcodes('remove', '--publication', urlKey)
  expect([unconfirmed.exit, unconfirmed.stderr]).toEqual([2, expect.stringContaining('--yes')])
  const removed = await postcodes('remove', '--publication', urlKey, '--yes')
  expect([removed.exit, removed.stdout]).toEqual([0, `✓ Removed 1 postcode of ${urlKey}; 1 reader changed\n`])
  expect((await postcodes('remove', '--publication', urlKey, '--yes')).exit).toBe(4)
})

it('reports what is wrong with a file and changes nothing', async () => {
  const { urlKey } = await makePublication(services)
  const file = join(services.dataDir, 'names.csv')
  writeFileSync(file, 'Name,Town\nAnn,York\n')
  const refused = await postcodes('import', file, '--publication', urlKey)
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('has no postcode column')])
  const shown = await postcodes('show', '--publication', urlKey)
  expect([shown.exit, shown.stdout]).toEqual([0, ''])
})

import { beforeAll, describe, expect, it } from 'vitest'
import { checkTransfer } from '#core/transfers/check-transfer.ts'
import { addTransfer, confirmHostKey } from '#core/transfers/save-transfer.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makePublication, operator } from '#tests/support/factories.ts'
import { type SftpServer, startSftpServer } from '#tests/support/sftp-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

const allowLoopback = { TRANSFERS_TO_LOOPBACK: '1', TRANSFER_SETTLE_SECONDS: '0' }

let services: TestServices
let server: SftpServer
let transferId: number
beforeAll(async () => {
  services = await openTestServices(allowLoopback)
  server = await startSftpServer()
  const { id: publicationId, publisherId } = await makePublication(services, { urlKey: 'gardener' })
  const ctx = services.as(operator)
  const transfer = await addTransfer(ctx, {
    publicationId,
    kind: 'import',
    name: 'From the CRM',
    host: '127.0.0.1',
    port: server.port,
    login: 'mailing',
    password: server.password,
    runAt: '02:30',
    alertUsers: [publisherId],
  })
  transferId = transfer.id
  const check = await checkTransfer(ctx, { transferId })
  if (check.kind === 'host-key') await confirmHostKey(ctx, { transferId, hostKey: check.hostKey })
})

const transfers = (...argv: string[]) =>
  runCli(['transfers', ...argv], { env: { ...envOf(services), ...allowLoopback } })

describe('transfers', () => {
  it('are listed, checked, run and logged', async () => {
    expect(await transfers('log')).toMatchObject({ exit: 0, stdout: '' })
    server.put('a.csv', 'UniqueReference,FirstName\nA1,Ann\n')
    const dryRun = await transfers('run', String(transferId), '--dry-run')
    expect(dryRun).toMatchObject({ exit: 0, stdout: 'Would fetch a.csv\n' })
    expect(Object.keys(server.files())).toEqual(['a.csv'])
    const completed = await transfers('run', String(transferId), '--json')
    expect(completed.exit).toBe(0)
    expect(JSON.parse(completed.stdout)).toMatchObject({
      dryRun: false,
      state: 'done',
      files: [{ name: 'a.csv', state: 'imported' }],
    })
    server.put('bad.csv', 'Foo\n1\n')
    expect(await transfers('run', String(transferId))).toMatchObject({
      exit: 3,
      stdout: expect.stringContaining('columns'),
    })
    const list = await transfers('list', '--publication', 'gardener')
    expect(list.stdout).toContain(`${transferId}\tgardener\timport\t127.0.0.1\t02:30\tpartly failed`)
    expect(JSON.parse((await transfers('list', '--json')).stdout)).toMatchObject([
      { id: transferId, urlKey: 'gardener' },
    ])
    const log = JSON.parse((await transfers('log', String(transferId), '--json', '--limit', '1')).stdout)
    expect(log).toMatchObject([{ startedBy: 'operator', files: [{ state: 'failed' }] }])
    const [title] = await services.db.query<{ id: number }>(`SELECT id FROM publications WHERE url_key = 'gardener'`)
    for (const command of ['list', 'log']) {
      expect((await transfers(command, '--publication', String(title?.id))).stdout).toContain(`${transferId}\t`)
      expect((await transfers(command, '--publication', 'gardner')).stderr).toContain('did you mean "gardener"?')
    }
    for (const output of [list.stdout, completed.stdout]) expect(output).not.toContain(server.password)
  })

  it('are refused with an unknown number, and report that the server refused the log-in', async () => {
    expect(await transfers('run')).toMatchObject({ exit: 2, stderr: expect.stringContaining('no transfer given') })
    expect(await transfers('run', 'x')).toMatchObject({ exit: 2 })
    expect(await transfers('log', '99999')).toMatchObject({ exit: 4 })
    server.password = 'another one'
    expect(await transfers('run', String(transferId))).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('refused the log-in'),
    })
  })
})

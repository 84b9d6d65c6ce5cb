import { beforeAll, describe, expect, it } from 'vitest'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { makeBackIssue, makePublication } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
let issueId: number
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  const fields = { publicationName: 'Quay Life', urlKey: 'quay-life', sellsBackIssues: true }
  const publication = await makePublication(services, fields)
  issueId = (await makeBackIssue(services, publication.id, { volume: 'Winter 2025', stock: 1200 })).id
  const otherPublication = await makePublication(services, {
    publicationName: 'Zed',
    urlKey: 'zed',
    sellsBackIssues: true,
  })
  await makeBackIssue(services, otherPublication.id, { volume: 'No. 1' })
})

const list = (...argv: string[]) => runCli(['back-issues', 'list', ...argv], { env })

describe('back-issues list', () => {
  it('prints one line per issue when piped, for all publications or one, whatever the case of its handle', async () => {
    const winter = `${issueId}\tQuay Life\tWinter 2025\t1200\t0\t6.50\t1.50\t9.00\t\t\t\n`
    const all = await list()
    expect(all).toMatchObject({ exit: 0, stderr: '' })
    expect(all.stdout).toContain(winter)
    expect(all.stdout).toMatch(/\tZed\tNo\. 1\t\t0\t/)
    expect((await list('--publication', 'QUAY-life')).stdout).toBe(winter)
  })

  it('prints a table on a terminal and exact values as JSON', async () => {
    const table = await runCli(['back-issues', 'list'], { env, terminal: ['stdin', 'stdout', 'stderr'], columns: 120 })
    expect(table.stdout).toContain('£6.50 + £1.50')
    expect(table.stdout).toMatch(/1,200/)
    expect(table.stdout).toMatch(/Unlimited/)
    expect(JSON.parse((await list('--publication', 'quay-life', '--json')).stdout)).toMatchObject([
      {
        id: issueId,
        volume: 'Winter 2025',
        stock: 1200,
        sold: 0,
        price: 650,
        postage: 150,
        priceUs: 900,
        priceEu: null,
      },
    ])
  })

  it('suggests a handle for an unknown publication, and shows a user only their own back issues', async () => {
    const unknown = await list('--publication', 'quay-lif')
    expect(unknown.exit).toBe(4)
    expect(unknown.stderr).toContain('did you mean "quay-life"?')
    const [user] = await services.db.query<{ email: string }>(
      `SELECT u.email FROM users u JOIN publications p ON p.publisher_id = u.id WHERE p.url_key = 'zed'`,
    )
    const { stdout } = await list('--as', user?.email ?? '')
    expect(stdout).toContain('No. 1')
    expect(stdout).not.toContain('Winter 2025')
  })
})

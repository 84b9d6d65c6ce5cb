import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seal } from '#core/access/sealed.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { makePublication, makeUser } from '#tests/support/factories.ts'
import { startS3Server } from '#tests/support/s3-server.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  const { publisherId } = await makePublication(services, { urlKey: 'gardener', publicationName: 'The Gardener' })
  await makePublication(services, {
    urlKey: 'angler',
    publicationName: 'A\tn\u001b[31mgler with a very long name indeed, longer than any window',
  })
  await makeUser(services, { userType: 'mailer', email: 'post@example.test', parentPublisherId: publisherId })
})

async function addFailedJob(): Promise<number> {
  const [row] = await services.db.transaction(() =>
    services.db.query<{ id: number }>(
      `INSERT INTO jobs (name, payload, state, run_at, attempts, problem, created_at)
       VALUES ('clean-up', '{}', 'failed', :now, 8, 'upstream: gone', :now) RETURNING id`,
      { now: services.now() },
    ),
  )
  return Number(row?.id)
}

describe('publications', () => {
  it('lists tab-separated rows when piped, and on a terminal a table with a header row that fits the width', async () => {
    const piped = await runCli(['publications', 'list'], { env })
    expect(piped).toMatchObject({ exit: 0, stderr: '' })
    expect(piped.stdout.split('\n').map((line) => line.split('\t').slice(0, 4))).toEqual([
      ['angler', 'A n[31mgler with a very long name indeed, longer than any window', '12', '0'],
      ['gardener', 'The Gardener', '12', '0'],
      [''],
    ])
    const { stdout } = await runCli(['publications', 'list', '--no-color'], { env, terminal: ['stdout'], columns: 50 })
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^HANDLE +NAME +ISSUES +READERS +ACTIVE$/)
    expect(lines[1]).toContain('…')
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(50)
  })

  it('prints JSON with stable keys, even for an empty list or an error', async () => {
    const listed = JSON.parse((await runCli(['publications', 'list', '--json'], { env })).stdout)
    expect(listed[1]).toEqual({
      id: expect.any(Number),
      urlKey: 'gardener',
      publicationName: 'The Gardener',
      issuesPerYear: 12,
      readers: 0,
      activeReaders: expect.any(Number),
      sellsBackIssues: false,
      isOnSale: false,
    })
    const shown = JSON.parse((await runCli(['publications', 'show', 'GARDENER', '--json'], { env })).stdout)
    expect(shown).toMatchObject({ urlKey: 'gardener', prices: [], lastImport: null })
    const nobody = await makeUser(services, { email: 'new@example.test' })
    const empty = await runCli(['publications', 'list', '--json', '--as', nobody.email], { env })
    expect(empty).toEqual({ exit: 0, stdout: '[]\n', stderr: '' })
    const unknown = await runCli(['publications', 'show', 'gardner', '--json'], { env })
    expect(unknown.exit).toBe(4)
    expect(JSON.parse(unknown.stdout).error).toMatchObject({
      code: 'notFound',
      hint: expect.stringContaining('did you mean "gardener"?'),
    })
  })

  it('prompts for the publication on a terminal, by number with --no-color', async () => {
    const terminal: ('stdin' | 'stdout' | 'stderr')[] = ['stdin', 'stdout', 'stderr']
    const prompted = await runCli(['publications', 'show', '--no-color'], { env, terminal, stdin: '7\n2\n' })
    expect(prompted).toMatchObject({ exit: 0, stdout: expect.stringContaining('The Gardener\n') })
    expect(prompted.stdout + prompted.stderr).not.toContain(String.fromCharCode(27))
    await expect(runCli(['publications', 'show', '--no-color'], { env, terminal, stdin: '' })).resolves.toMatchObject({
      exit: 2,
    })
  })

  it('is limited to the permissions of the user that --as names', async () => {
    await expect(runCli(['publications', 'list', '--as', 'post@example.test'], { env })).resolves.toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^gardener\t.*\n$/),
    })
    await expect(
      runCli(['publications', 'show', 'gardener', '--as', 'post@example.test'], { env }),
    ).resolves.toMatchObject({ exit: 4, stdout: '' })
    await expect(
      runCli(['publications', 'show', 'angler', '--as', 'post@example.test'], { env }),
    ).resolves.toMatchObject({ exit: 4 })
    await expect(runCli(['jobs', 'list', '--as', 'post@example.test'], { env })).resolves.toMatchObject({ exit: 4 })
    await expect(runCli(['migrate', '--as', 'post@example.test'], { env })).resolves.toMatchObject({ exit: 4 })
    await expect(runCli(['publications', 'list', '--as', 'nobody@example.test'], { env })).resolves.toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('no active user'),
    })
  })
})

describe('jobs', () => {
  it('lists failed jobs and retries them; a dry run changes nothing', async () => {
    const firstJob = await addFailedJob()
    const secondJob = await addFailedJob()
    expect(await runCli(['jobs', 'list', '--limit', '1001'], { env })).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--limit: Must be 1000 or fewer'),
    })
    const listed = await runCli(['jobs', 'list', '--state', 'failed'], { env })
    expect(listed.stdout.split('\n')[0]?.split('\t')).toEqual([
      String(secondJob),
      'clean-up',
      'failed',
      '8',
      services.now().toISOString(),
      'upstream: gone',
    ])
    const before = await databaseChecksum(services.db)
    const dry = await runCli(['jobs', 'retry', '--all-failed', '--dry-run', '--json'], { env })
    expect(JSON.parse(dry.stdout)).toEqual({ dryRun: true, retried: [firstJob, secondJob] })
    expect(await databaseChecksum(services.db)).toBe(before)
    await expect(runCli(['jobs', 'retry', String(firstJob)], { env })).resolves.toMatchObject({
      exit: 0,
      stdout: `✓ Queued 1 job again: ${firstJob}\n`,
    })
    await expect(runCli(['jobs', 'retry', String(firstJob)], { env })).resolves.toMatchObject({ exit: 5 })
    await expect(runCli(['jobs', 'retry', '999999'], { env })).resolves.toMatchObject({ exit: 4 })
    await runCli(['jobs', 'retry', '--all-failed'], { env })
    expect(JSON.parse((await runCli(['jobs', 'list', '--state', 'failed', '--json'], { env })).stdout)).toEqual([])
  })
})

describe('migrate', () => {
  it('creates the database once, says so, and changes nothing in a dry run', async () => {
    const file = join(services.dataDir, 'new', 'masthead.db')
    const fresh = { env: { ...env, DATABASE_URL: `sqlite:${file}` } }
    const pending = JSON.parse((await runCli(['migrate', '--dry-run', '--json'], fresh)).stdout).pending
    expect(pending.length).toBeGreaterThan(0)
    expect(existsSync(file)).toBe(false)
    await expect(runCli(['migrate', '--json'], fresh).then(({ stdout }) => JSON.parse(stdout))).resolves.toEqual({
      dryRun: false,
      run: pending,
    })
    await expect(runCli(['migrate'], fresh)).resolves.toEqual({
      exit: 0,
      stdout: '✓ The database is up to date\n',
      stderr: '',
    })
    const before = await databaseChecksum(services.db)
    await runCli(['migrate', '--dry-run'], { env })
    expect(await databaseChecksum(services.db)).toBe(before)
  })

  it('is suggested when a database has no tables; a file that is not a database is refused', async () => {
    const file = join(services.dataDir, 'empty.db')
    writeFileSync(file, '')
    const empty = await runCli(['publications', 'list'], { env: { ...env, DATABASE_URL: `sqlite:${file}` } })
    expect(empty).toMatchObject({ exit: 4, stderr: expect.stringContaining('fix: subscriptions migrate') })
    writeFileSync(file, 'this is no database'.repeat(200))
    const broken = await runCli(['publications', 'list'], { env: { ...env, DATABASE_URL: `sqlite:${file}` } })
    expect(broken).toMatchObject({ exit: 1, stderr: expect.stringContaining('is not a database') })
  })
})

describe('seed', () => {
  it('requires --yes, refuses a database with data and, without SEED=demo, production', async () => {
    const file = join(services.dataDir, 'seeded.db')
    const fresh = { ...env, DATABASE_URL: `sqlite:${file}` }
    await runCli(['migrate'], { env: fresh })
    await expect(runCli(['seed'], { env: fresh })).resolves.toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--yes'),
    })
    await expect(runCli(['seed', '--yes'], { env: { ...fresh, NODE_ENV: 'production' } })).resolves.toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('SEED=demo'),
    })
    await expect(runCli(['seed', '--yes'], { env })).resolves.toMatchObject({ exit: 5, stdout: '' })
    expect(JSON.parse((await runCli(['seed', '--yes', '--json'], { env: fresh })).stdout)).toMatchObject({
      seeded: true,
    })
    expect((await runCli(['publications', 'list'], { env: fresh })).stdout).toContain('harbour-light\t')
  })
})

/** A file that cannot be opened for writing, even if root runs the tests. */
const unwritable = '/sys/kernel/uevent_seqnum'

describe('doctor', () => {
  const stops: (() => Promise<unknown>)[] = []
  afterAll(() => Promise.all(stops.map((stop) => stop())))

  const check = async (more: Record<string, string>) => {
    const { exit, stdout } = await runCli(['doctor', '--json'], { env: { ...env, ...more } })
    const report = JSON.parse(stdout) as {
      ok: boolean
      checks: { name: string; state: string; found: string; fix: string | null }[]
    }
    return { exit, report, of: (name: string) => report.checks.find((each) => each.name === name) }
  }

  it('reports no failure on a healthy installation, with a check mark on each line', async () => {
    const { exit, report } = await check({})
    expect({ exit, ok: report.ok }).toEqual({ exit: 0, ok: true })
    const { stdout } = await runCli(['doctor'], { env })
    const [settings = '', checks = ''] = stdout.trimEnd().split('\n\n')
    expect(settings).toContain(`DATA_DIR                        ${services.dataDir}  (environment)`)
    expect(settings).not.toContain(env.APP_SECRET)
    for (const line of checks.split('\n')) expect(line).toMatch(/^(✓|!|✗| {14}fix:) /)
    expect((await runCli(['doctor'], { env: { ...env, TERM: 'dumb' } })).stdout).toMatch(/^ok Node/m)
  })

  it('finds an index of the readers that a killed import had dropped, and names the command that builds it', async () => {
    expect((await check({})).of('Indexes')).toMatchObject({ state: 'ok' })
    await services.db.run('DROP INDEX readers_name')
    expect((await check({})).of('Indexes')).toEqual({
      name: 'Indexes',
      state: 'warning',
      found: '1 index of the readers missing since an import was killed: searches and orders are slow',
      fix: 'subscriptions migrate',
    })
    expect(await runCli(['migrate'], { env })).toMatchObject({ exit: 0 })
    expect((await check({})).of('Indexes')).toMatchObject({ state: 'ok' })
  })

  it('reports a database that a newer version has migrated, and so does a migration', async () => {
    const addMigration = `INSERT INTO migrations (name) VALUES ('999-from-the-future')`
    const removeMigration = `DELETE FROM migrations WHERE name = '999-from-the-future'`
    await services.db.run(addMigration)
    const { exit, of } = await check({})
    const { stderr } = await runCli(['migrate'], { env })
    await services.db.run(removeMigration)
    expect(exit).toBe(0)
    expect(of('Migrations')).toMatchObject({
      state: 'warning',
      found: 'a newer version of Masthead has migrated this database (999-from-the-future)',
    })
    expect(stderr).toContain('a newer version of Masthead has migrated this database (999-from-the-future)')
  })

  it('finds secrets that were encrypted with another APP_SECRET', async () => {
    const { id } = await makeUser(services, { email: 'locked@example.test' })
    await services.db.run('UPDATE users SET two_step_secret = :sealed WHERE id = :id', {
      id,
      sealed: seal(services.settings.appSecret, 'two-step', 'JBSWY3DPEHPK3PXP'),
    })
    expect((await check({})).of('Secrets')).toMatchObject({ state: 'ok' })
    const { exit, of } = await check({ APP_SECRET: 'another secret that is long enough to be one' })
    await services.db.run('UPDATE users SET two_step_secret = NULL WHERE id = :id', { id })
    expect(exit).toBe(1)
    expect(of('Secrets')).toMatchObject({
      state: 'failed',
      found: 'encrypted with another APP_SECRET: two-step log-in of 1 user',
    })
  })

  it('finds a storefront whose handle is now a page of Masthead, and names the command that fixes it', async () => {
    await makePublication(services, { urlKey: 'howto', publicationName: 'How To' })
    const { exit, of } = await check({})
    expect(exit).toBe(1)
    expect(of('Handles')).toEqual({
      name: 'Handles',
      state: 'failed',
      found: '1 storefront cannot be opened: Masthead itself uses /howto',
      fix: 'subscriptions publications rename howto NEW-HANDLE',
    })
    const rename = (to: string) => runCli(['publications', 'rename', 'howto', to], { env })
    expect((await rename('Signup')).exit).not.toBe(0)
    expect((await rename('gardener')).exit).not.toBe(0)
    expect(await rename('howto-monthly')).toMatchObject({ exit: 0 })
    expect((await runCli(['publications', 'show', 'howto-monthly'], { env })).stdout).toContain('How To')
    expect((await check({})).of('Handles')).toMatchObject({ state: 'ok' })
  })

  it('fails on services that do not respond, and names the fix without printing a secret', async () => {
    const closedPort = await new Promise<number>((resolve) => {
      const server = createServer().listen(0, '127.0.0.1', () => {
        const { port } = server.address() as { port: number }
        server.close(() => resolve(port))
      })
    })
    const { exit, report, of } = await check({
      REDIS_URL: `redis://:sesame@127.0.0.1:${closedPort}`,
      MAIL_URL: `smtp://app:sesame@127.0.0.1:${closedPort}`,
    })
    expect(exit).toBe(1)
    for (const name of ['Queue', 'Mail']) expect(of(name)).toMatchObject({ state: 'failed', fix: expect.any(String) })
    expect(JSON.stringify(report)).not.toContain('sesame')
    const wrongTimeZone = await check({ TIME_ZONE: 'Europe/Atlantis' })
    expect(wrongTimeZone.of('Settings')).toMatchObject({ state: 'failed', found: expect.stringContaining('TIME_ZONE') })
    const unreachableDatabase = await check({ DATABASE_URL: `postgres://app:sesame@127.0.0.1:${closedPort}/masthead` })
    expect(unreachableDatabase.of('Database')).toMatchObject({ state: 'failed' })
    expect(JSON.stringify(unreachableDatabase.report)).not.toContain('sesame')
  })

  it.runIf(existsSync(unwritable))('reports the system error for a database file that cannot be opened', async () => {
    expect((await check({ DATABASE_URL: `sqlite:${unwritable}` })).of('Database')).toMatchObject({
      state: 'failed',
      found: `This user may not open ${unwritable}`,
    })
  })

  it('connects to the mail server', async () => {
    const server = new SMTPServer({ authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'] })
    const port = await new Promise<number>((resolve) => {
      const listening = server.listen(0, '127.0.0.1', () => resolve((listening.address() as { port: number }).port))
    })
    stops.push(() => new Promise<void>((resolve) => server.close(() => resolve())))
    expect((await check({ MAIL_URL: `smtp://127.0.0.1:${port}` })).of('Mail')).toMatchObject({ state: 'ok' })
  })

  it('writes to the image store, in a folder or a bucket, and leaves nothing there', async () => {
    expect((await check({})).of('Images')).toMatchObject({ state: 'ok', found: expect.stringContaining('images') })
    const s3 = await startS3Server('magazines', 'AKIATEST')
    stops.push(() => s3.stop())
    const bucket = {
      STORAGE_URL: `s3://magazines?endpoint=${s3.url}`,
      AWS_ACCESS_KEY_ID: 'AKIATEST',
      AWS_SECRET_ACCESS_KEY: 'sesame',
    }
    expect((await check(bucket)).of('Images')).toMatchObject({
      state: 'ok',
      found: expect.stringContaining('bucket magazines'),
    })
    expect(s3.objects.size).toBe(0)
    const refused = await check({ ...bucket, AWS_ACCESS_KEY_ID: 'AKIAOTHER' })
    expect(refused.of('Images')).toMatchObject({ state: 'failed', found: expect.stringContaining('AccessDenied') })
    expect(JSON.stringify(refused.report)).not.toMatch(/sesame|AKIA/)
  })

  it('warns about failed jobs, missing migrations, wrong settings and demo payments in production', async () => {
    await addFailedJob()
    expect((await check({})).of('Jobs')).toMatchObject({
      state: 'warning',
      fix: 'subscriptions jobs list --state failed',
    })
    const file = join(services.dataDir, 'bare.db')
    writeFileSync(file, '')
    expect((await check({ DATABASE_URL: `sqlite:${file}` })).of('Migrations')).toMatchObject({
      state: 'failed',
      fix: 'subscriptions migrate',
    })
    expect((await check({ APP_SECRET: 'short' })).of('Settings')).toMatchObject({ state: 'failed' })
    const production = await check({
      NODE_ENV: 'production',
      APP_URL: 'https://subs.example.com',
      ALLOW_DEMO_PAYMENTS: '1',
    })
    expect(production.of('Payments')).toMatchObject({ state: 'warning' })
    expect(production.of('Mail')).toMatchObject({ state: 'warning' })
  })

  it('fails when the data folder is a file', async () => {
    const path = join(services.dataDir, 'a-file')
    mkdirSync(services.dataDir, { recursive: true })
    writeFileSync(path, '')
    expect((await check({ DATA_DIR: path })).of('Data folder')).toMatchObject({ state: 'failed' })
  })
})

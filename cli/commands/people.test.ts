import { beforeAll, describe, expect, it } from 'vitest'
import { visitor } from '#core/access/actor.ts'
import { logIn } from '#core/users/log-in.ts'
import { envOf, runCli } from '#tests/support/captured-io.ts'
import { databaseChecksum } from '#tests/support/database-checksum.ts'
import { queuedEmails } from '#tests/support/emails.ts'
import { makePublication, makeUser } from '#tests/support/factories.ts'
import { openTestServices, type TestServices } from '#tests/support/test-services.ts'

let services: TestServices
let env: Record<string, string>
const terminal: ('stdin' | 'stdout' | 'stderr')[] = ['stdin', 'stdout', 'stderr']

beforeAll(async () => {
  services = await openTestServices()
  env = envOf(services)
  const publisher = await makeUser(services, { email: 'p@quill.test', firstName: 'Petra', lastName: 'Quill' })
  await makePublication(services, { publisherId: publisher.id })
  await makeUser(services, {
    userType: 'pubadmin',
    email: 'admin@quill.test',
    firstName: 'Ad\tam',
    lastName: 'Quill',
    parentPublisherId: publisher.id,
  })
  await makeUser(services, { email: 'other@zebra.test', firstName: 'Zoe', lastName: 'Zebra' })
  await makeUser(services, { userType: 'reseller', email: 'agent@agents.test', firstName: 'Rae', lastName: 'Agent' })
  await makeUser(services, { userType: 'superuser', email: 'super@house.test', firstName: 'Sue', lastName: 'Per' })
})

const cli = (...argv: string[]) => runCli(argv, { env })
const userOf = async (email: string) => {
  const [row] = await services.db.query<{
    id: number
    user_type: string
    parent_publisher_id: number | null
    password_hash: string | null
    is_active: unknown
  }>(`SELECT * FROM users WHERE email_key = :email`, { email })
  return row
}
const canLogIn = (email: string, password: string, loginPage: 'staff' | 'super' = 'staff') =>
  logIn(services.as(visitor), { email, password, loginPage }).then(
    () => true,
    () => false,
  )
const lastAudit = async () => {
  const [row] = await services.db.query<{ action: string; door: string; actor_kind: string; facts: unknown }>(
    `SELECT action, door, actor_kind, facts FROM audit_log ORDER BY id DESC LIMIT 1`,
  )
  return row
}
const personFlags = (email: string) => ['--email', email, '--first-name', 'Ann', '--last-name', 'Lee']

describe('users list', () => {
  it('prints emails in the second column when piped, headers on a terminal, and filters', async () => {
    const piped = await cli('users', 'list')
    expect(piped).toMatchObject({ exit: 0, stderr: '' })
    const lines = piped.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t'))
    expect(lines.map((cells) => cells[1])).toEqual([
      'admin@quill.test',
      'p@quill.test',
      'agent@agents.test',
      'super@house.test',
      'other@zebra.test',
    ])
    expect(lines[0]?.slice(0, 5)).toEqual(['Ad am Quill', 'admin@quill.test', 'pubadmin', expect.any(String), 'active'])
    const shown = await runCli(['users', 'list', '--no-color'], { env, terminal: ['stdout'], columns: 90 })
    expect(shown.stdout.split('\n')[0]).toMatch(/^NAME +EMAIL +TYPE/)
    const people = await cli('users', 'list', '--publisher', 'p@quill.test', '--json')
    expect(JSON.parse(people.stdout).map(({ email }: { email: string }) => email)).toEqual([
      'admin@quill.test',
      'p@quill.test',
    ])
    const staff = await cli('users', 'list', '--publisher', 'P@QUILL.test', '--type', 'pubadmin', '--json')
    expect(JSON.parse(staff.stdout)).toMatchObject([
      { email: 'admin@quill.test', userType: 'pubadmin', isActive: true },
    ])
    expect(staff.stdout).not.toMatch(/argon2|passwordHash|secret/i)
    expect(await cli('users', 'list', '--state', 'deactivated', '--json')).toMatchObject({ exit: 0, stdout: '[]\n' })
  })

  it('lists the users that the --as user manages, and nothing for a user who manages nobody', async () => {
    const own = await cli('users', 'list', '--as', 'p@quill.test')
    expect(own.stdout.split('\n').map((line) => line.split('\t')[1])).toEqual([
      'admin@quill.test',
      'p@quill.test',
      undefined,
    ])
    const mailer = await makeUser(services, { userType: 'mailer', email: 'mail@zebra.test', lastName: 'Zz' })
    expect(await cli('users', 'list', '--as', mailer.email)).toMatchObject({ exit: 4, stdout: '' })
    expect(await cli('users', 'deactivate', 'other@zebra.test', '--yes', '--as', 'p@quill.test')).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('was not found'),
    })
    expect(await cli('users', 'list', '--publisher', 'agent@agents.test')).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('agent@agents.test is not a publisher'),
    })
  })
})

describe('users add', () => {
  it('reports a taken email with its own exit code, and prints nothing under --quiet on success', async () => {
    const taken = await cli('users', 'add', '--type', 'superuser', ...personFlags('super@house.test'), '--invite')
    expect(taken).toMatchObject({ exit: 5, stderr: expect.stringContaining('--email: That email is already taken') })
    const addQuietly = (...more: string[]) =>
      runCli(
        [
          'users',
          'add',
          '--type',
          'superuser',
          ...personFlags('quiet@house.test'),
          '--password-stdin',
          '--quiet',
          ...more,
        ],
        { env, stdin: 'four plain words here\n' },
      )
    expect(await addQuietly('--dry-run')).toMatchObject({ exit: 0, stdout: expect.stringContaining('Would add Ann') })
    expect(await addQuietly()).toEqual({ exit: 0, stdout: '', stderr: '' })
  })

  it('names every missing flag without a terminal, and offers no flag for a password', async () => {
    const silent = await cli('users', 'add', '--last-name', 'Lee')
    expect(silent).toMatchObject({ exit: 2, stdout: '' })
    expect(silent.stderr).toContain('--type, --email, --first-name, --invite or --password-stdin')
    expect(await cli('users', 'add', '--type', 'mailer', ...personFlags('a@quill.test'), '--invite')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--publisher'),
    })
    expect(await cli('users', 'add', '--password', 'x')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('unknown flag --password'),
    })
    expect(await cli('users', 'add', '--invite', '--password-stdin')).toMatchObject({ exit: 2 })
  })

  it('adds the first superuser with a password from stdin, who can log in with it', async () => {
    const argv = ['users', 'add', '--type', 'superuser', ...personFlags('first@house.test'), '--password-stdin']
    const added = await runCli(argv, { env, stdin: 'kite under harbour\nnot this\n' })
    expect(added).toMatchObject({ exit: 0, stdout: expect.stringContaining('✓ Added Ann Lee\n') })
    expect(added.stdout).toMatch(/Email +first@house\.test\n {2}Type +Superuser/)
    expect(added.stdout + added.stderr).not.toContain('kite')
    expect(await canLogIn('first@house.test', 'kite under harbour', 'super')).toBe(true)
  })

  it('invites a publisher’s staff without a password, and records it in the audit log', async () => {
    const argv = [
      'users',
      'add',
      '--type',
      'mailer',
      '--publisher',
      'p@quill.test',
      ...personFlags('Post@quill.test'),
      '--invite',
      '--json',
    ]
    const added = await cli(...argv)
    expect(JSON.parse(added.stdout)).toEqual({
      dryRun: false,
      id: expect.any(Number),
      email: 'Post@quill.test',
      userType: 'mailer',
      isInvited: true,
    })
    const parent = await userOf('p@quill.test')
    expect(await userOf('post@quill.test')).toMatchObject({ parent_publisher_id: parent?.id, password_hash: null })
    expect(await queuedEmails(services, 'invitation')).toHaveLength(1)
    const audited = await services.db.query(
      `SELECT door, actor_kind FROM audit_log WHERE action = 'add-user' AND publisher_id = :id`,
      { id: parent?.id ?? 0 },
    )
    expect(audited).toEqual([{ door: 'cli', actor_kind: 'operator' }])
  })

  it('reports wrong fields by their flags, all at once, without printing the password', async () => {
    const argv = [
      'users',
      'add',
      '--type',
      'superuser',
      '--email',
      'p@quill.test',
      '--first-name',
      '',
      '--last-name',
      'Lee',
    ]
    const refused = await runCli([...argv, '--password-stdin'], { env, stdin: 'abc\n' })
    expect(refused.exit).toBe(2)
    expect(refused.stderr).toMatch(/^error: .*--first-name: Required/)
    expect(refused.stderr).toMatch(/--email: /)
    expect(refused.stderr).toContain('the password: Must be at least 6 characters')
    expect(refused.stderr.trimEnd().split('\n').at(-1)).toBe(
      'fix: correct it and run the command again; every flag: subscriptions users add --help',
    )
    expect(refused.stderr).not.toContain('abc')
  })

  it('prompts on a terminal for missing values: type from a list, then the rest, the password twice until both match', async () => {
    const stdin = [
      '6',
      'typed@quill.test',
      'Tia',
      'Typed',
      'p@quill.test',
      'one thing',
      'another',
      'sesame street',
      'sesame street',
      '',
    ]
    const prompted = await runCli(['users', 'add', '--no-color'], { env, terminal, stdin: stdin.join('\n') })
    expect(prompted).toMatchObject({ exit: 0, stdout: expect.stringContaining('Added Tia Typed') })
    expect(prompted.stderr).toContain('Mailing list downloader (mailer)')
    expect(prompted.stderr).toContain('The passwords do not match')
    expect(await canLogIn('typed@quill.test', 'sesame street')).toBe(true)
    expect(await runCli(['users', 'add', '--no-color'], { env, terminal, stdin: '6\n' })).toMatchObject({ exit: 2 })
  })

  it('respects the permissions of --as: a publisher cannot add a superuser', async () => {
    const argv = [
      'users',
      'add',
      '--type',
      'superuser',
      ...personFlags('up@quill.test'),
      '--invite',
      '--as',
      'p@quill.test',
    ]
    expect(await cli(...argv)).toMatchObject({ exit: 2, stderr: expect.stringContaining('--type: ') })
    const own = await cli(
      'users',
      'add',
      '--type',
      'admin',
      ...personFlags('own@quill.test'),
      '--invite',
      '--as',
      'p@quill.test',
    )
    expect(own.exit).toBe(0)
    expect(await userOf('up@quill.test')).toBeUndefined()
  })
})

describe('users deactivate, reactivate, reset', () => {
  it('asks for confirmation, says what depends on the user, deactivates and reactivates', async () => {
    expect(await cli('users', 'deactivate', 'p@quill.test')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--yes'),
    })
    const declined = await runCli(['users', 'deactivate', 'p@quill.test', '--no-color'], {
      env,
      terminal,
      stdin: 'n\n',
    })
    expect(declined).toMatchObject({ exit: 130 })
    expect(declined.stderr).toMatch(/Deactivate Petra Quill \(Publisher, 1 title, \d members of staff\)\? \(y\/N\)/)
    expect(await canLogIn('p@quill.test', 'masthead')).toBe(true)
    expect(await cli('users', 'deactivate', 'P@quill.test', '--yes')).toMatchObject({
      exit: 0,
      stdout: expect.stringMatching(/^✓ Deactivated Petra Quill \(Publisher, 1 title/),
    })
    expect(await canLogIn('p@quill.test', 'masthead')).toBe(false)
    expect(await canLogIn('admin@quill.test', 'masthead')).toBe(false)
    expect((await cli('users', 'list', '--publisher', 'p@quill.test')).stdout).toContain('\tpublisher deactivated')
    expect((await cli('users', 'deactivate', 'p@quill.test', '--yes')).stdout).toContain('is already deactivated')
    expect(await cli('users', 'reset-password', 'admin@quill.test')).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('fix: reactivate them first'),
    })
    expect(JSON.parse((await cli('users', 'reactivate', 'p@quill.test', '--json')).stdout)).toEqual({
      dryRun: false,
      email: 'p@quill.test',
      changed: true,
      isActive: true,
    })
    expect(await canLogIn('admin@quill.test', 'masthead')).toBe(true)
  })

  it('emails a reset link, or sets the password read from stdin', async () => {
    expect(await cli('users', 'reset-password', 'other@zebra.test')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('Queued a password link for other@zebra.test'),
    })
    expect(await queuedEmails(services, 'reset-link')).toHaveLength(1)
    const argv = ['users', 'reset-password', 'other@zebra.test', '--password-stdin']
    const set = await runCli(argv, { env, stdin: 'a brand new kite\r\n' })
    expect(set).toMatchObject({ exit: 0, stdout: '✓ Set a new password for other@zebra.test\n' })
    expect(await canLogIn('other@zebra.test', 'masthead')).toBe(false)
    expect(await canLogIn('other@zebra.test', 'a brand new kite')).toBe(true)
    expect(await runCli(argv, { env, stdin: '' })).toMatchObject({ exit: 2 })
    const asPublisher = await runCli([...argv.with(2, 'admin@quill.test'), '--as', 'p@quill.test'], {
      env,
      stdin: 'x y z 1 2\n',
    })
    expect(asPublisher.exit).toBe(4)
    expect(await cli('users', 'reset-password', 'nobody@nowhere.test')).toMatchObject({
      exit: 4,
      stderr: expect.stringContaining('fix: List the users with: subscriptions users list'),
    })
  })

  it('turns two-step log-in off, and reports when it is not on', async () => {
    await services.db.run(
      `UPDATE users SET two_step_since = :now, two_step_secret = 'x' WHERE email_key = 'admin@quill.test'`,
      {
        now: services.now(),
      },
    )
    const argv = ['users', 'reset-two-step', 'admin@quill.test']
    expect(await cli(...argv)).toMatchObject({ exit: 2, stderr: expect.stringContaining('--yes') })
    expect(await cli(...argv, '--yes')).toMatchObject({ exit: 0 })
    expect(await lastAudit()).toMatchObject({ action: 'turn-off-two-step', door: 'cli' })
    expect(await cli(...argv, '--yes')).toMatchObject({ exit: 5, stderr: expect.stringContaining('is not on') })
  })
})

describe('publishers', () => {
  it('does not count paused titles against the allowance, as in the back office', async () => {
    const owner = await makeUser(services, { email: 'owl@owls.test' })
    const paused = await makePublication(services, { publisherId: owner.id })
    await makePublication(services, { publisherId: owner.id })
    await services.db.run(`UPDATE publications SET paused_at = :now WHERE id = :id`, {
      now: services.clock.now,
      id: paused.id,
    })
    const { stdout } = await cli('publishers', 'list')
    const line = stdout.split('\n').find((row) => row.includes('owl@owls.test'))
    expect(line?.split('\t')[3]).toBe('1')
    const rows = JSON.parse((await cli('publishers', 'list', '--json')).stdout)
    expect(rows).toContainEqual(expect.objectContaining({ id: owner.id, titles: 2, titlesUsed: 1 }))
  })

  it('adds a publisher under a reseller and lists it with its email in the second column', async () => {
    const company = ['--company', 'Kite & Sons', '--titles', '3', '--reseller', 'agent@agents.test']
    const added = await cli('publishers', 'add', ...company, ...personFlags('kite@sons.test'), '--invite')
    expect(added).toMatchObject({ exit: 0, stdout: expect.stringContaining('✓ Added the publisher Kite & Sons\n') })
    expect(added.stderr).toBe('Next, its staff: subscriptions users add --publisher kite@sons.test\n')
    const listed = await cli('publishers', 'list', '--as', 'agent@agents.test')
    expect(listed.stdout.trimEnd().split('\t').slice(0, 6)).toEqual([
      'Kite & Sons',
      'kite@sons.test',
      'publisher',
      '0',
      '3',
      '0',
    ])
    const resellers = JSON.parse((await cli('publishers', 'list', '--type', 'reseller', '--json')).stdout)
    expect(resellers).toMatchObject([{ email: 'agent@agents.test', publishers: 1 }])
    expect(
      await cli('publishers', 'add', ...company, ...personFlags('kite@sons.test'), '--invite', '--titles', '0'),
    ).toMatchObject({
      exit: 2,
      stderr: expect.stringMatching(/--titles: Must be at least 1/),
    })
    expect(await cli('publishers', 'add')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--company, --email, --first-name, --last-name, --invite or --password-stdin'),
    })
  })
})

describe('every command that writes', () => {
  it.each([
    ['users', 'add', '--type', 'superuser', ...personFlags('dry@run.test'), '--invite'],
    ['publishers', 'add', '--company', 'Dry', ...personFlags('dry@run.test'), '--invite'],
    ['users', 'deactivate', 'other@zebra.test'],
    ['users', 'reactivate', 'other@zebra.test'],
    ['users', 'reset-password', 'other@zebra.test'],
  ])('%s %s changes nothing with --dry-run', async (...argv) => {
    const before = await databaseChecksum(services.db)
    const dry = await cli(...argv, '--dry-run')
    expect(dry).toMatchObject({ exit: 0, stderr: '' })
    expect(dry.stdout).toMatch(/^(Would|✓ .* is already active)/)
    expect(await databaseChecksum(services.db)).toBe(before)
  })
})

describe('audit', () => {
  it('shows who did what: tabs when piped, a table on a terminal, JSON for programs', async () => {
    const piped = await cli('audit', '--action', 'add-publisher')
    const [cells] = piped.stdout.split('\n').map((line) => line.split('\t'))
    expect(cells).toEqual([
      expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      'The command line',
      'add-publisher',
      'Ann Lee',
      expect.any(String),
      'Command line',
    ])
    const table = await runCli(['audit', '--no-color', '--limit', '3'], { env, terminal: ['stdout'], columns: 100 })
    const lines = table.stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^WHEN \(UTC\) +WHO +ACTION/)
    expect(lines).toHaveLength(4)
    expect(table.stderr).toMatch(
      /^The latest 3 of \d+ events; more with --limit \(up to 1000\), or narrow with --from and --to\n$/,
    )
    const rows = JSON.parse((await cli('audit', '--user', 'p@quill.test', '--json')).stdout)
    expect(JSON.parse((await cli('audit', '--from', '01/01/2030', '--json')).stdout)).toEqual([])
    expect(rows.length).toBeGreaterThan(1)
    for (const { who } of rows) expect(who.email).toBe('p@quill.test')
  })

  it('filters by publisher and days, and shows a publisher only its own events with --as', async () => {
    const ofAgentsPublisher = await cli('audit', '--publisher', 'kite@sons.test')
    expect(ofAgentsPublisher.stdout.trimEnd().split('\n')).toHaveLength(1)
    expect((await cli('audit', '--to', '01/01/2020')).stdout).toBe('')
    const own = await cli('audit', '--as', 'p@quill.test', '--limit', '1000')
    expect(own.stdout).toContain('Petra Quill')
    expect(own.stdout).not.toMatch(/zebra|Kite/i)
    expect(await cli('audit', '--as', 'agent@agents.test')).toMatchObject({ exit: 4 })
    expect(await cli('audit', '--from', '31/02/2026')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('--from: Write the date as DD/MM/YYYY'),
    })
    expect(await cli('audit', '--action', 'log-im')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('unknown action "log-im", did you mean "log-in"?'),
    })
    expect(await cli('audit', '--limit', 'many')).toMatchObject({ exit: 2 })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { complaintReport, statusReport } from '#tests/support/delivery-reports.ts'
import { readReport } from './read-report.ts'

const to = 'bounces+5-0123456789abcdef@example.com'
const report = { to, recipient: 'ann@example.net', messageId: '<receipt.1.abc@example.com>', id: 'one@mx' }

describe('a delivery status report', () => {
  it('names which address of which email failed, and why', async () => {
    const date = new Date('2026-11-22T08:00:00Z')
    const [event, ...others] = (await readReport(statusReport({ ...report, date }))) ?? []
    expect(others).toEqual([])
    expect(event).toMatchObject({
      kind: 'hard',
      recipient: 'ann@example.net',
      status: '5.1.1',
      at: date,
      mail: { addresses: [to], messageIds: ['<receipt.1.abc@example.com>'] },
      answer: '550 5.1.1 <ann@example.net>: Recipient address rejected',
    })
  })

  it('has the same id however it arrives, and another with another Message-ID', async () => {
    const keys = []
    for (const id of ['one@mx', 'one@mx', 'two@mx'])
      keys.push((await readReport(Buffer.from(statusReport({ ...report, id }))))?.[0]?.key)
    expect(keys[0]).toBe(keys[1])
    expect(keys[2]).not.toBe(keys[0])
    expect((await readReport(statusReport(report)))?.[0]?.key).toBe(keys[0])
  })

  it.each(['delayed', 'relayed', 'expanded', ''])('%s: says nothing', async (action) => {
    expect(await readReport(statusReport({ ...report, action }))).toEqual([])
  })

  it('with several addresses reports on each', async () => {
    const twoRecipients = statusReport(report).replace(
      'Status: 5.1.1',
      'Status: 5.1.1\r\n\r\nFinal-Recipient: rfc822; bob@example.net\r\nAction: failed\r\nStatus: 5.2.2\r\nDiagnostic-Code: smtp; 552\r\n 5.2.2 full',
    )
    expect((await readReport(twoRecipients))?.map(({ recipient, kind, answer }) => [recipient, kind, answer])).toEqual([
      ['ann@example.net', 'hard', '5.1.1'],
      ['bob@example.net', 'soft', '552 5.2.2 full'],
    ])
  })

  it('is read when encoded or with other line endings', async () => {
    const plain = statusReport(report)
    const [, fields = ''] = /message\/delivery-status\r\n\r\n([\s\S]*?)\r\n--part/.exec(plain) ?? []
    const encoded = plain
      .replace('message/delivery-status\r\n', 'message/delivery-status\r\nContent-Transfer-Encoding: base64\r\n')
      .replace(fields, Buffer.from(fields).toString('base64'))
    for (const raw of [encoded, plain.replaceAll('\r\n', '\n')])
      expect((await readReport(raw))?.[0]).toMatchObject({ kind: 'hard', recipient: 'ann@example.net' })
  })

  it('in front of an email of 50 MB is read without the email', async () => {
    const raw = Buffer.from(statusReport({ ...report, returned: 'x'.repeat(50 * 1024 * 1024) }))
    expect((await readReport(raw))?.[0]).toMatchObject({ kind: 'hard', recipient: 'ann@example.net' })
  })
})

describe('a message that is not a delivery report', () => {
  const plainMessage = (headers: string[], body: string) =>
    [`To: ${to}`, 'Message-ID: <x@y>', ...headers, 'Content-Type: text/plain', '', body].join('\r\n')

  it.each<[string, string[], string]>([
    [
      'an out-of-office message',
      ['From: ann@example.net', 'Auto-Submitted: auto-replied'],
      'Back on 5.1.27, ring 550 5.1.1',
    ],
    [
      'an out-of-office message from a server',
      ['From: postmaster@example.net', 'Auto-Submitted: auto-replied'],
      '5.1.1',
    ],
    ['a question from a reader', ['From: ann@example.net'], 'Where is my issue? 5.1.1'],
    ['a notice of a delayed email', ['From: MAILER-DAEMON@mx.example.net'], 'We try again for four days: 4.4.1'],
  ])('%s says nothing', async (_, headers, body) => {
    expect(await readReport(plainMessage(headers, body))).toEqual([])
  })

  it('a plain-text bounce message from a mail server is understood', async () => {
    const qmail = plainMessage(
      ['From: MAILER-DAEMON@mx.example.net'],
      '<ann@example.net>:\n550 5.1.1 No such user here.\n',
    )
    expect(await readReport(qmail)).toMatchObject([
      { kind: 'hard', status: '5.1.1', recipient: null, mail: { addresses: [to] } },
    ])
  })
})

describe('a complaint', () => {
  it('names the email by its sender and Message-ID, and no address', async () => {
    const raw = complaintReport({ from: to, messageId: '<renewal.1.abc@example.com>' })
    expect(await readReport(raw)).toMatchObject([
      { kind: 'complaint', recipient: null, mail: { messageIds: ['<renewal.1.abc@example.com>'] } },
    ])
    expect((await readReport(raw))?.[0]?.mail.addresses).toContain(to)
  })

  it.each(['not-spam', 'auth-failure', 'other'])('of the type %s is not one', async (type) => {
    expect(await readReport(complaintReport({ from: to, type }))).toEqual([])
  })
})

it('broken reports never throw, whatever is cut out or inserted', async () => {
  const intact = statusReport(report)
  const length = { min: 0, max: intact.length }
  await fc.assert(
    fc.asyncProperty(
      fc.integer(length),
      fc.integer(length),
      fc.string({ unit: 'binary' }),
      async (cutStart, cutEnd, inserted) => {
        const broken = intact.slice(0, cutStart) + inserted + intact.slice(cutEnd)
        for (const event of (await readReport(broken)) ?? []) {
          expect(['hard', 'soft', 'blocked', 'complaint', 'delivered']).toContain(event.kind)
          expect(event.key.length).toBeLessThanOrEqual(120)
        }
      },
    ),
    { numRuns: 150 },
  )
})

it('a message crafted to be slow to parse is rejected', async () => {
  let nested = 'Content-Type: text/plain\r\n\r\nx'
  for (let n = 0; n < 200; n++)
    nested = `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n${nested}\r\n--b${n}--`
  expect(await readReport(nested)).toBeNull()
  expect(await readReport(`To: x@y.example\r\n${'X-A: b\r\n'.repeat(100_000)}\r\n`)).toBeNull()
  expect(await readReport('')).toEqual([])
})

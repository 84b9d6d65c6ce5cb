import { z } from 'zod'
import { formatMoment } from '../kernel/calendar.ts'
import { transferRuns } from '../transfers/list-transfers.query.ts'
import { TransferRuns } from '../transfers/transfer-runs.rows.ts'
import { selectTransfers } from '../transfers/transfers.rows.ts'
import { Users } from '../users/users.rows.ts'
import { mail } from './mail.ts'
import { fromProduct, productFrame } from './mail-frame.rules.ts'
import { greeting } from './mail-translator.ts'

/** The product's emails to a publisher's staff about file transfers. */
export const transferEmails = {
  /** A run failed, or one of its files did. */
  'transfer-failed': mail({
    kind: 'notice',
    about: z.object({ runId: z.number().int(), userId: z.number().int() }),
    key: ({ runId, userId }) => `transfer-failed:${runId}:${userId}`,
    async facts(ctx, { runId, userId }) {
      const run = await TransferRuns.find(ctx, { id: runId })
      const [transfer] = run ? await selectTransfers(ctx, 'x.id = :id', { id: run.transferId }) : []
      const user = await Users.find(ctx, { id: userId, isActive: true })
      if (!run || !transfer || !user) return null
      const [listedRun] = await transferRuns(ctx, { runId, limit: 1 })
      if (!listedRun) return null
      return {
        email: user.email,
        name: `${user.firstName} ${user.lastName}`.trim(),
        transferName: transfer.name,
        publicationName: transfer.publicationName,
        startedAt: run.startedAt,
        problem: listedRun.state === 'failed' ? listedRun.problem : null,
        files: listedRun.files
          .filter(({ state }) => state === 'failed')
          .map((file) => ({ name: file.name, problem: file.problem ?? '' })),
        path: `/managedata/transfers/${transfer.publicationId}/${transfer.id}`,
      }
    },
    recipient: ({ email }) => ({ to: email, ...fromProduct }),
    view: (facts, _, { appUrl, timeZone }, t) => ({
      ...productFrame(appUrl),
      greeting: greeting(t, facts.name),
      transferName: facts.transferName,
      ofPublication: facts.publicationName,
      rows: [
        { label: 'Publication', value: facts.publicationName },
        { label: 'Started', value: `${formatMoment(facts.startedAt, timeZone)} (${timeZone})` },
        ...(facts.problem ? [{ label: 'Problem', value: facts.problem }] : []),
        ...facts.files.map(({ name, problem }) => ({ label: name, value: problem })),
      ],
      link: { label: 'See the log', url: `${appUrl}${facts.path}` },
    }),
    sample: {
      about: { runId: 4, userId: 3 },
      facts: {
        email: 'ann@example.com',
        name: "Ann O'Brien",
        transferName: 'Readers from the CRM',
        publicationName: 'Harbour Light',
        startedAt: new Date('2026-11-24T02:30:00Z'),
        problem: 'The server closed the connection.',
        files: [{ name: 'readers.csv', problem: 'Its columns are not known' }],
        path: '/managedata/transfers/1/4',
      },
    },
  }),
}

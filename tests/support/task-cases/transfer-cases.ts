import { readFileSync } from 'node:fs'
import { checkTransfer } from '#core/transfers/check-transfer.ts'
import { runTransfer, runTransferHere } from '#core/transfers/run-transfer.ts'
import { addTransfer, confirmHostKey } from '#core/transfers/save-transfer.ts'
import { makeReader } from '../readers.ts'
import { type SftpServer, startSftpServer } from '../sftp-server.ts'
import {
  type CaseTarget,
  newest,
  numbers,
  readerFacts,
  readersBefore,
  readersFile,
  type TaskCase,
} from './task-case.ts'

/** Settings for a process whose files come from this machine. */
export const allowLoopback = { TRANSFERS_TO_LOOPBACK: '1', TRANSFER_SETTLE_SECONDS: '0' }

/** Files fetched from a server, and sent to one. */
export const transferCases: Record<string, TaskCase> = {
  'an import of files from a server': {
    kind: 'pull-readers',
    async prepare(_, target) {
      const server = await transferFor(target, 'import')
      server.put('one.csv', readFileSync(readersFile(target, 'new', 0, readersBefore / 2)))
      server.put('two.csv', readFileSync(readersFile(target, 'new', readersBefore / 2, readersBefore / 2)))
    },
    worker: {
      start: async (target) => runTransfer(target.ctx, { transferId: await newest(target, 'transfers') }),
      commits: 12,
    },
    inline: {
      start: async (target) => runTransferHere(target.ctx, { transferId: await newest(target, 'transfers') }),
      commits: 13,
    },
    async facts(target) {
      const files = await numbers(
        target.ctx,
        `SELECT count(*) AS files, count(DISTINCT f.sha256) AS distinct_files FROM transfer_files f JOIN transfers x ON x.id = f.transfer_id
         WHERE x.publication_id = :id AND f.state = 'imported'`,
        target.publicationId,
      )
      return { ...files, ...(await readerFacts(target)) }
    },
    expected: {
      files: 2,
      distinct_files: 2,
      readers: readersBefore,
      different: readersBefore,
      as_in_file: readersBefore,
      newest: 1,
    },
    next: async (target) => runTransferHere(target.ctx, { transferId: await newest(target, 'transfers') }),
  },
  'the sending of a mailing file to a server': {
    kind: 'push-mailing-file',
    async prepare(services, target) {
      await makeReader(services, target.publicationId, {
        fullName: 'Ann Lee',
        addressOne: '1 Quay',
        city: 'Ely',
        postCode: 'CB7 4AB',
      })
      await transferFor(target, 'mailing-file')
    },
    worker: {
      start: async (target) => runTransfer(target.ctx, { transferId: await newest(target, 'transfers') }),
      commits: 3,
    },
    inline: {
      start: async (target) => runTransferHere(target.ctx, { transferId: await newest(target, 'transfers') }),
      commits: 4,
    },
    // The file name contains the day, which may differ between the two processes: only the content is compared.
    facts: async (target) => ({
      sent: Object.values(servers.get(target.publicationId)?.files() ?? {}).some((text) => text.includes('Ann Lee'))
        ? 1
        : 0,
    }),
    expected: { sent: 1 },
    next: async (target) => runTransferHere(target.ctx, { transferId: await newest(target, 'transfers') }),
  },
}

/** They run in the process of the test; the killed process connects to them. */
const servers = new Map<number, SftpServer>()

async function transferFor({ ctx, publicationId }: CaseTarget, kind: 'import' | 'mailing-file'): Promise<SftpServer> {
  const server = await startSftpServer()
  servers.set(publicationId, server)
  const [row] = await ctx.db.query<{ publisher_id: number }>(`SELECT publisher_id FROM publications WHERE id = :id`, {
    id: publicationId,
  })
  const { id: transferId } = await addTransfer(ctx, {
    publicationId,
    kind,
    name: 'A server',
    host: '127.0.0.1',
    port: server.port,
    login: 'mailing',
    password: server.password,
    runAt: '02:30',
    alertUsers: [Number(row?.publisher_id)],
  })
  const check = await checkTransfer(ctx, { transferId })
  if (check.kind === 'host-key') await confirmHostKey(ctx, { transferId, hostKey: check.hostKey })
  return server
}

import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { DevMail, DevMailbox, OutgoingMail } from '#core/ports/mailer.ts'

const wellFormed = /^\d{13}-[\w-]{1,120}$/

/** Emails as files of one folder, named by time and message, so that a listing is in order without opening them. */
export function openDevMailbox(folder: string): DevMailbox & { keep(mail: OutgoingMail): Promise<void> } {
  async function read(id: string): Promise<DevMail | null> {
    if (!wellFormed.test(id)) return null
    const text = await readFile(join(folder, `${id}.json`), 'utf8').catch(() => null)
    return text === null ? null : { ...(JSON.parse(text) as DevMail), id }
  }

  return {
    read,
    async list(limit) {
      const names = await readdir(folder).catch(() => [])
      const ids = names.map((name) => name.replace(/\.json$/, '')).filter((id) => wellFormed.test(id))
      const emails = await Promise.all(ids.sort().reverse().slice(0, limit).map(read))
      return emails.filter((mail) => mail !== null)
    },
    async keep(mail) {
      await mkdir(folder, { recursive: true })
      const id = `${Date.now()}-${mail.messageId
        .replaceAll(/[^\w]+/g, '-')
        .replaceAll(/^-|-$/g, '')
        .slice(0, 100)}`
      const stored: DevMail = { ...mail, id, keptAt: new Date().toISOString() }
      // Written to a temporary file and renamed, so that no reader sees half an email.
      const part = join(folder, `${id}.part`)
      await writeFile(part, JSON.stringify(stored, null, 2))
      await rename(part, join(folder, `${id}.json`))
    },
  }
}

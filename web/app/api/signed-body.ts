import express, { type Request, type Response } from 'express'
import { AppError } from '#core/kernel/errors.ts'

/** Large, because a bounce report may include the original email. */
const limit = 1024 * 1024
const readText = express.text({ limit, type: () => true })

/** The raw body that the signature covers, with the headers by their lower-case names. */
export async function signedBody(
  req: Request,
  res: Response,
): Promise<{ body: string; headers: Record<string, string> }> {
  await new Promise<void>((resolve, reject) => {
    readText(req, res, (error?: { status?: number }) => {
      if (error?.status === 413) reject(new AppError('tooLarge', `The message is larger than ${limit / 1024} kB.`))
      else if (error) reject(error)
      else resolve()
    })
  })
  const headers = Object.entries(req.headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value])
  return {
    body: typeof req.body === 'string' ? req.body : '',
    headers: Object.fromEntries(headers.filter(([, value]) => value !== undefined)),
  }
}

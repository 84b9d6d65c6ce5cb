import { useNavigate } from '@remix-run/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { FieldErrors } from '#core/kernel/errors.ts'

export interface SendProblem {
  message: string
  hint?: string | undefined
  fields?: FieldErrors
  /** The address of the upload that blocks this one. */
  page?: string | undefined
}

interface Sending {
  sent: number
  total: number
}

/**
 * Uploads a file with progress in bytes, which forms do not report. The response is the next page's address, or an error. All choices are
 * kept, so that a failed upload can be retried with the same button.
 */
export function useSendFile(url: string) {
  const [sending, setSending] = useState<Sending | null>(null)
  const [problem, setProblem] = useState<SendProblem | null>(null)
  const request = useRef<XMLHttpRequest | null>(null)
  const navigate = useNavigate()
  useEffect(() => () => request.current?.abort(), [])

  const send = useCallback(
    (file: File, fields: Record<string, string> = {}) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.set(name, value)
      form.set('file', file)
      const sender = new XMLHttpRequest()
      request.current = sender
      setProblem(null)
      setSending({ sent: 0, total: file.size })
      const fail = (sendProblem: SendProblem) => {
        setSending(null)
        setProblem(sendProblem)
      }
      sender.upload.onprogress = ({ loaded, total }) => setSending({ sent: loaded, total })
      sender.onerror = () =>
        fail({
          message: 'The upload was interrupted',
          hint: 'Check your connection and press Upload again. Nothing was changed.',
        })
      sender.onload = () => {
        const body = parsedResponse(sender)
        if (body.to) navigate(body.to)
        else fail(body.problem ?? { message: 'Something went wrong on our side. Please try again.' })
      }
      sender.open('POST', url)
      sender.send(form)
    },
    [url, navigate],
  )
  const stop = useCallback(() => {
    request.current?.abort()
    setSending(null)
  }, [])
  return { sending, problem, send, stop, setProblem }
}

/** After a log-out the response is the log-in page: the page is reloaded, which leads there. */
function parsedResponse(sender: XMLHttpRequest): { to?: string; problem?: SendProblem } {
  try {
    return JSON.parse(sender.responseText) as { to?: string; problem?: SendProblem }
  } catch {
    if (new URL(sender.responseURL).pathname === '/login') window.location.reload()
    return {}
  }
}

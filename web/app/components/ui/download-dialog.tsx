import type { MouseEvent, ReactNode } from 'react'
import { toast } from 'sonner'
import { formatCount } from '#core/kernel/text-format.ts'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { FileSize } from './formats.tsx'
import { type DownloadView, useDownload } from './use-download.ts'

interface DownloadLinkProps {
  href: string
  /** 'Downloading Entire Database'. */
  dialogTitle: string
  /** What is downloaded: the publication's name. */
  about: string
  /** The accessible name, where the link's text is not enough. */
  label?: string
  className?: string
  children: ReactNode
}

/**
 * A link to a file that is generated while it is sent, with a progress dialog that can cancel it, closes itself at the end, and shows the
 * error if it fails. Without JavaScript the file is downloaded without the dialog. The address must respond with `sendDownload`.
 */
export function DownloadLink({ href, dialogTitle, about, label, className = 'link', children }: DownloadLinkProps) {
  const { view, start, close, cancel } = useDownload(href, (fileName) =>
    toast.success(fileName ? `${fileName} is in your browser’s downloads` : 'The file is in your browser’s downloads'),
  )
  const open = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    event.currentTarget.focus()
    start()
  }
  return (
    <>
      <a href={href} download {...(label ? { 'aria-label': label } : {})} className={className} onClick={open}>
        {children}
      </a>
      <Dialog
        title={dialogTitle}
        isOpen={view !== null}
        onClose={close}
        ignoresOutsideClick
        description={
          view?.phase === 'failed' ? about : `${about}: the download will appear in your browser’s downloads.`
        }
      >
        {view?.phase === 'failed' ? (
          <Failed reason={view.reason} onRetry={start} onClose={close} />
        ) : (
          view && <DownloadStatus view={view} title={dialogTitle} onCancel={cancel} />
        )}
      </Dialog>
    </>
  )
}

function DownloadStatus({ view, title, onCancel }: { view: DownloadView; title: string; onCancel: () => void }) {
  const { rows, rowsTotal } = view
  const progressProps = rowsTotal ? { value: Math.min(rows, rowsTotal), max: rowsTotal } : {}
  return (
    <>
      <progress aria-label={title} className="block h-2 w-full accent-primary" {...progressProps} />
      <p className="numeric mt-2 min-h-6 text-body text-ink-2">
        <DownloadProgress view={view} />
      </p>
      <p className="mt-2 text-table text-muted">You may close this window: the download continues.</p>
      <div className="mt-6 flex justify-end">
        <Button onClick={onCancel}>Cancel download</Button>
      </div>
    </>
  )
}

function DownloadProgress({ view: { phase, rows, rowsTotal, bytes } }: { view: DownloadView }) {
  if (phase === 'starting' || bytes === 0) return <>Getting the file ready…</>
  return (
    <>
      {rows > 0 &&
        (rowsTotal ? `${formatCount(rows)} of ${formatCount(rowsTotal)} rows, ` : `${formatCount(rows)} rows, `)}
      <FileSize bytes={bytes} />
    </>
  )
}

function Failed({ reason, onRetry, onClose }: { reason: string; onRetry: () => void; onClose: () => void }) {
  return (
    <>
      <Banner tone="danger" title="The download failed">
        {reason} Your browser may have kept a part of the file: do not use it.
      </Banner>
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>Close</Button>
        <Button kind="primary" onClick={onRetry}>
          Retry
        </Button>
      </div>
    </>
  )
}

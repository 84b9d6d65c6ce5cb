import { Form } from '@remix-run/react'
import { useId } from 'react'
import type { MarkedAddress } from '#core/bounces/reader-marks.query.ts'
import { disabledWhile, SaveFirst } from '../readers/save-first.tsx'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/formats.tsx'

interface MarkedAddressesProps {
  marks: readonly MarkedAddress[]
  timeZone: string
  /** Whether the viewer may clear the mark, so that emails are sent again. */
  mayClearMarks: boolean
  /** Whether the page has unsaved changes, which the button would lose. */
  isDirty?: boolean
}

/** A person's addresses that receive no email, or only notices, and why. */
export function MarkedAddresses({ marks, timeZone, mayClearMarks, isDirty = false }: MarkedAddressesProps) {
  const reasonId = useId()
  return marks.map((mark, index) => (
    <div key={mark.address} className="mb-4">
      <Banner tone="warning" title={`${mark.bouncedAt ? 'Emails bounce:' : 'Reported as spam by'} ${mark.address}`}>
        <p className="wrap-anywhere">
          {mark.bouncedAt ? (
            <>
              No emails have been sent there since <Moment at={mark.bouncedAt} timeZone={timeZone} />. The mail server’s
              response: “{mark.answer || mark.status || 'none'}”. Correct the address, and emails go to the new one
              automatically.
            </>
          ) : (
            mark.complainedAt && (
              <>
                Since <Moment at={mark.complainedAt} timeZone={timeZone} /> reminders and offers are not sent there;
                notices about orders, payments and renewals still are.
              </>
            )
          )}
        </p>
        {mayClearMarks && (
          <Form method="post" className="mt-2">
            <Button
              type="submit"
              kind="secondary"
              size="small"
              name="intent"
              value="try-address"
              {...disabledWhile(isDirty, `${reasonId}${index}`)}
            >
              {mark.bouncedAt ? 'Try this address again' : 'Allow reminders and offers again'}
            </Button>
            {isDirty && <SaveFirst id={`${reasonId}${index}`} />}
          </Form>
        )}
      </Banner>
    </div>
  ))
}

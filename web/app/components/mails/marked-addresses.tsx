import { Form } from '@remix-run/react'
import type { MarkedAddress } from '#core/bounces/reader-marks.query.ts'
import { Banner } from '../ui/banner.tsx'
import { Button } from '../ui/button.tsx'
import { Moment } from '../ui/formats.tsx'

interface MarkedAddressesProps {
  marks: readonly MarkedAddress[]
  timeZone: string
  /** Whether the viewer may clear the mark, so that emails are sent again. */
  hasButton: boolean
}

/** A person's addresses that receive no email, or only notices, and why. */
export function MarkedAddresses({ marks, timeZone, hasButton }: MarkedAddressesProps) {
  return marks.map((mark) => (
    <div key={mark.address} className="mb-4">
      <Banner tone="warning" title={`${mark.bouncedAt ? 'Emails bounce:' : 'Reported as spam by'} ${mark.address}`}>
        <p className="wrap-anywhere">
          {mark.bouncedAt ? (
            <>
              Since <Moment at={mark.bouncedAt} timeZone={timeZone} /> nothing is sent there. The mail server said: “
              {mark.answer || mark.status || 'nothing'}”. Correct the address, and emails go to the new one
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
        {hasButton && (
          <Form method="post" className="mt-2">
            <Button type="submit" kind="secondary" size="small" name="intent" value="try-address">
              {mark.bouncedAt ? 'Try this address again' : 'Send reminders and offers again'}
            </Button>
          </Form>
        )}
      </Banner>
    </div>
  ))
}

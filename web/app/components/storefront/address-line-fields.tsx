import { useT } from '#web/app/i18n/use-t.tsx'
import { Disclosure } from './disclosure.tsx'
import { type FormState, TextField } from './text-field.tsx'

/** Rarely used fields: collapsed until one has a value. */
export const extraLines = ['companyName', 'addressTwo', 'addressThree'] as const

interface AddressLineFieldsProps {
  form: FormState
  prefix: string
  needsCity: boolean
  hasExtras: boolean
}

/** Address lines and town, which every country has. */
export function AddressLineFields({ form, prefix, needsCity, hasExtras }: AddressLineFieldsProps) {
  const t = useT()
  const line = { form, maxLength: 200 }
  return (
    <>
      <div className="sm:col-span-2">
        <TextField
          {...line}
          name={`${prefix}.addressOne`}
          label={t('Address line 1')}
          isRequired
          autoComplete={`${prefix} address-line1`}
        />
        <Disclosure label={t('Add a company or more address lines')} isOpen={hasExtras}>
          <div className="grid gap-5 pt-2">
            <TextField
              {...line}
              name={`${prefix}.companyName`}
              label={t('Company')}
              autoComplete={`${prefix} organization`}
            />
            <TextField
              {...line}
              name={`${prefix}.addressTwo`}
              label={t('Address line 2')}
              autoComplete={`${prefix} address-line2`}
            />
            <TextField
              {...line}
              name={`${prefix}.addressThree`}
              label={t('Address line 3')}
              autoComplete={`${prefix} address-line3`}
            />
          </div>
        </Disclosure>
      </div>
      <TextField
        form={form}
        name={`${prefix}.city`}
        label={t('Town or city')}
        isRequired={needsCity}
        autoComplete={`${prefix} address-level2`}
        maxLength={100}
      />
    </>
  )
}

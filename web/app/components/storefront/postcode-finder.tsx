import { useEffect, useRef, useState } from 'react'
import { phrase } from '#web/app/i18n/phrase.ts'
import { useT } from '#web/app/i18n/use-t.tsx'
import { Button } from '../ui/button.tsx'
import { Field, fieldId } from '../ui/field.tsx'
import { Input, Select } from '../ui/inputs.tsx'
import { findAddresses, type LookUpResult } from './find-addresses.ts'
import type { FormState } from './text-field.tsx'

interface PostcodeFinderProps {
  form: FormState
  /** The name of the postcode field. */
  name: string
  /** For countries whose addresses are not looked up. */
  label?: string
  autoComplete: string
  /** Null where no addresses are looked up: then it is a field alone. The same element stays, so nobody who is typing in it is interrupted. */
  lookupPath: string | null
  onPick: (postCode: string, address: string) => void
  onFailure: () => void
  /** Set in forms where the postcode is optional. */
  isOptional?: boolean
  /** Whether it is as high as the fields of the back office instead of a storefront's. */
  isCompact?: boolean
}

/** A postcode and, in Great Britain, its look-up: type, find, choose. The field is the form's own postcode, whether or not addresses are found. */
export function PostcodeFinder({
  form,
  name,
  label,
  autoComplete,
  lookupPath,
  onPick,
  onFailure,
  isOptional = false,
  isCompact = false,
}: PostcodeFinderProps) {
  const t = useT()
  const height = isCompact ? '' : 'h-12!'
  const [lastResult, setResult] = useState<LookUpResult | null>(null)
  const result = lookupPath ? lastResult : null
  const [lookUpCount, setLookUpCount] = useState(0)
  const [isLoading, setLoading] = useState(false)
  const container = useRef<HTMLDivElement>(null)
  const request = useRef<AbortController>()
  useEffect(() => () => request.current?.abort(), [])
  const listName = `${name}.found`
  const error = form.errors[name]
  const found = result && 'found' in result ? result.found : null
  const problem = result && 'problem' in result ? result.problem : undefined

  async function find(): Promise<void> {
    const input = container.current?.querySelector('input')
    if (!input || !lookupPath) return
    request.current?.abort()
    const controller = new AbortController()
    request.current = controller
    setLoading(true)
    const newResult = input.value.trim()
      ? await findAddresses(lookupPath, input.value, controller.signal)
      : { problem: phrase('Enter a UK postcode, such as SW1A 1AA') }
    if (controller.signal.aborted) return
    setLoading(false)
    setResult(newResult)
    setLookUpCount((count) => count + 1)
    if ('problem' in newResult) onFailure()
  }

  // Focus the list when it appears: the next step is to choose.
  useEffect(() => {
    if (found) document.getElementById(fieldId(listName))?.focus()
  }, [found, listName])

  return (
    <div className="grid gap-5">
      <div ref={container} className="flex items-start gap-3">
        <div className="max-w-44 min-w-0 grow">
          <Field label={label ?? t('Postcode')} name={name} isRequired={!isOptional} error={error && t.phrase(error)}>
            {(control) => (
              <Input
                {...control}
                name={name}
                defaultValue={form.values[name]}
                autoComplete={autoComplete}
                autoCapitalize="characters"
                spellCheck={false}
                maxLength={20}
                className={height}
                onKeyDown={(event) => {
                  if (event.key !== 'Enter' || !lookupPath) return
                  // Enter looks up the postcode instead of submitting the order.
                  event.preventDefault()
                  void find()
                }}
              />
            )}
          </Field>
        </div>
        {lookupPath && (
          <Button
            size={isCompact ? 'medium' : 'large'}
            isPending={isLoading}
            onClick={() => void find()}
            className="address-find mt-6.5 shrink-0"
          >
            {t('Find address')}
          </Button>
        )}
      </div>
      {result && (
        <Field label={t('Addresses found')} name={listName} isUnmarked error={problem && t.phrase(problem)}>
          {(control) => (
            <Select
              // A new list has no selection, even of the same postcode: choosing the same address again fills it in again.
              key={lookUpCount}
              {...control}
              defaultValue=""
              onChange={({ target }) => {
                const address = found?.addresses[Number(target.value)]
                if (found && target.value !== '' && address) onPick(found.postCode, address)
              }}
              className={`${height} bg-surface!`}
            >
              <option value="">{found ? t('Choose an address') : t('Error')}</option>
              {found?.addresses.map((address, index) => (
                <option key={address} value={index}>
                  {singleLineAddress(address)}
                </option>
              ))}
            </Select>
          )}
        </Field>
      )}
      <p role="status" className="sr-only">
        {isLoading && t('Looking for addresses')}
        {found && !isLoading && t.count(found.addresses.length, '{count} address found', '{count} addresses found')}
        {problem && !isLoading && t.phrase(problem)}
      </p>
    </div>
  )
}

/** An address on one line, without empty parts. */
function singleLineAddress(address: string): string {
  return address
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(', ')
}

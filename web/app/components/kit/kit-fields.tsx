import { Section } from '../ui/facts.tsx'
import { Field, Fieldset } from '../ui/field.tsx'
import { Checkbox, DateBox, Input, MoneyInput, Password, Radio, Select, Textarea } from '../ui/inputs.tsx'

/** Every input twice: normal and with an error. */
export function KitFields() {
  return (
    <>
      <FieldSet title="Fields" prefix="plain" />
      <FieldSet title="Fields with errors" prefix="refused" isRefused />
    </>
  )
}

function FieldSet({ title, prefix, isRefused = false }: { title: string; prefix: string; isRefused?: boolean }) {
  const fault = (text: string) => (isRefused ? text : undefined)
  const prefixed = (name: string) => `${prefix}-${name}`
  return (
    <Section title={title}>
      <div className="grid gap-5 md:grid-cols-2">
        <Field label="Text" name={prefixed('text')} isRequired error={fault('Enter some text')}>
          {(control) => <Input {...control} />}
        </Field>
        <Field label="Choice" name={prefixed('choice')} error={fault('Choose a currency')}>
          {(control) => (
            <Select {...control}>
              <option>Pound</option>
              <option>Euro</option>
            </Select>
          )}
        </Field>
        <Field label="Password" name={prefixed('password')} error={fault('Enter at least 12 characters')}>
          {(control) => <Password {...control} autoComplete="off" />}
        </Field>
        <Field
          label="Price"
          name={prefixed('price')}
          hint="Such as 29.99"
          error={fault('Enter an amount such as 29.99')}
        >
          {(control) => <MoneyInput {...control} symbol="£" />}
        </Field>
        <Field label="Start" name={prefixed('start')} hint="DD/MM/YYYY" error={fault('31/02/2026 is not a valid date')}>
          {(control) => <DateBox {...control} defaultValue={isRefused ? '31/02/2026' : '01/02/2026'} />}
        </Field>
        <Field label="Note" name={prefixed('note')} error={fault('Enter a note')}>
          {(control) => <Textarea {...control} maxLength={200} defaultValue="Counted as it is typed." />}
        </Field>
        <Fieldset legend="Edition" name={prefixed('edition')} hint="One of them" error={fault('Choose an edition')}>
          <Radio label="Print" name={prefixed('edition')} value="print" defaultChecked={!isRefused} />
          <Radio label="Digital" name={prefixed('edition')} value="digital" />
        </Fieldset>
        <Fieldset legend="Consent" name={prefixed('consent')} error={fault('Tick the box to continue')}>
          <Checkbox label="Send me news by email" name={prefixed('news')} />
        </Fieldset>
        <Field label="Read-only" name={prefixed('disabled')}>
          {(control) => <Input {...control} disabled value="Not editable" />}
        </Field>
      </div>
    </Section>
  )
}

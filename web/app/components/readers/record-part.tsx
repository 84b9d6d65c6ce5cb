import { type ReaderFormState, ReaderLine, ReaderPart } from './reader-line.tsx'

/** What few records have. */
export function RecordPart({ form }: { form: ReaderFormState }) {
  return (
    <ReaderPart title="More about the reader">
      <div className="grid gap-5 sm:grid-cols-2">
        <ReaderLine form={form} name="jobTitle" maxLength={200} />
        <ReaderLine form={form} name="readerType" maxLength={100} />
        <ReaderLine form={form} name="fax" type="tel" maxLength={40} />
        <ReaderLine form={form} name="webAddress" maxLength={500} autoCapitalize="none" spellCheck={false} />
        <ReaderLine form={form} name="dataSourceOne" maxLength={200} />
        <ReaderLine form={form} name="dataSourceTwo" maxLength={200} />
      </div>
    </ReaderPart>
  )
}

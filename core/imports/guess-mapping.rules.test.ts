import { describe, expect, it } from 'vitest'
import { readerColumns } from '#core/reader-files/reader.columns.ts'
import { fileNameProblem } from './file-name.rules.ts'
import { guessMapping, mappingProblems } from './guess-mapping.rules.ts'

describe('guessMapping', () => {
  it('accepts the template as it is', () => {
    const header = readerColumns.map((column) => column.header)
    expect(guessMapping(header, [])).toEqual(header)
  })

  it('recognises common names of our columns, in any case and punctuation', () => {
    expect(
      guessMapping(['SURNAME', 'Fore-name', 'e-mail', 'Zip Code', 'Post Town', 'address_line_2', 'Expiry date'], []),
    ).toEqual(['LastName', 'FirstName', 'Email', 'PostCode', 'City', 'Address2', 'SubExpiry'])
  })

  it('maps a mistyped name to the nearest one', () => {
    expect(guessMapping(['LastNmae', 'Compnyname'], [])).toEqual(['LastName', 'CompanyName'])
  })

  it('guesses by the values when the name says nothing', () => {
    const rows = [
      ['ann@example.org', 'SW1A 1AA', 'France', 'x'],
      ['bob@example.org', 'm1 1ae', 'UK', 'y'],
      ['', 'EH1 1YZ', 'Scotland', 'z'],
      ['cy@example.org', 'BT1 5GS', 'DE', ''],
    ]
    expect(guessMapping(['Col1', 'Col2', 'Col3', 'Col4'], rows)).toEqual(['Email', 'PostCode', 'Country', ''])
  })

  it('never uses a reader column twice, and prefers an exact name to a synonym', () => {
    expect(guessMapping(['Mail', 'Email', 'E-Mail'], [])).toEqual(['', 'Email', ''])
  })

  it('ignores the extra columns of a rejected-rows file, and unknown names', () => {
    expect(guessMapping(['RejectedLine', '__proto__', 'constructor', '', 'Email'], [])).toEqual([
      '',
      '',
      '',
      '',
      'Email',
    ])
  })
})

describe('mappingProblems', () => {
  const header = ['a', 'b', '']
  it('accepts a map that identifies a reader', () => expect(mappingProblems(header, ['Email', '', ''])).toEqual({}))
  it('refuses two columns for one field', () =>
    expect(mappingProblems(header, ['Email', 'Email', ''])).toEqual({
      'column.1': 'Email is already taken by the column "a"',
    }))
  it('refuses an unknown column', () =>
    expect(mappingProblems(header, ['Email', 'toString', ''])).toEqual({
      'column.1': '"toString" is not a reader column',
    }))
  it('refuses a column without a name', () =>
    expect(mappingProblems(header, ['Email', '', 'City'])).toEqual({
      'column.2': 'A column without a name cannot be imported',
    }))
  it('refuses a map that identifies no reader', () =>
    expect(mappingProblems(header, ['City', '', ''])).toEqual({
      form: 'Choose at least one column as UniqueReference, FirstName, LastName, FullName or Email',
    }))
})

describe('fileNameProblem', () => {
  it.each(['readers.csv', 'READERS.CSV', 'my.readers.csv', 'C:\\fakepath\\readers.csv', 'Leser – März.csv'])(
    'accepts %s',
    (name) => expect(fileNameProblem(name)).toBeNull(),
  )
  it.each([
    'readers.xlsx',
    'readers',
    'csv',
    '.csv',
    '.hidden.csv',
    '',
    'readers.csv.exe',
    'folder.csv/readers',
    'a.csv ',
  ])('refuses "%s"', (name) => expect(fileNameProblem(name)).toBe('Invalid file type'))
})

/** The honorifics a form offers. A record may hold another one: files bring what they bring. */
export const readerTitles = [
  'Mr.', 'Mrs.', 'Miss', 'Ms.', 'Mx.', 'Master', 'Dr.', 'Prof', 'Sir', 'Dame', 'Lord', 'Lady', 'Hon.', 'Rt. Hon.', 'Baron', 'Baroness',
  'Viscount', 'Viscountess', 'Earl', 'Countess', 'Rev.', 'Canon', 'Father', 'Sister', 'Rabbi', 'Imam', 'Judge', 'Captain', 'Major', 'Colonel',
] as const // biome-ignore format: a list

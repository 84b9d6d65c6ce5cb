/** Readers who opted out of reminders about the end of their subscription, by record. A merge moves the rows to the survivor. */
export const reminderStops = `
CREATE TABLE reminder_stops (
  id {id},
  reader_id {ref} NOT NULL,
  publication_id {ref} NOT NULL REFERENCES publications(id) ON DELETE CASCADE,
  stopped_at {moment} NOT NULL
);
CREATE INDEX reminder_stops_reader ON reminder_stops (reader_id);
CREATE INDEX reminder_stops_publication ON reminder_stops (publication_id);
`

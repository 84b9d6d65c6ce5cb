/** Columns whose names did not say what they hold. A refund that was made at the provider is one that the provider reported. */
export const plainColumnNames = `
ALTER TABLE demo_plans RENAME COLUMN book TO state;
ALTER TABLE refunds RENAME COLUMN way TO method;
UPDATE refunds SET method = 'reported' WHERE method = 'told';
ALTER TABLE invoice_payments RENAME COLUMN way TO method;
ALTER TABLE uploads RENAME COLUMN left_out TO skipped_cells;
ALTER TABLE provider_reports RENAME COLUMN known TO already_read;
ALTER TABLE provider_reports RENAME COLUMN left_out TO ignored;
`

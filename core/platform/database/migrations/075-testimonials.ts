/** Publishers' statements about the product, shown on the landing page. */
export const testimonials = `
CREATE TABLE testimonials (
  id {id},
  quote VARCHAR(400) NOT NULL,
  person_name VARCHAR(100) NOT NULL,
  role VARCHAR(100) NOT NULL,
  company VARCHAR(100) NOT NULL,
  position {int} NOT NULL,
  /* Nobody said it; never shown in production. */
  is_example {flag} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL
);
`

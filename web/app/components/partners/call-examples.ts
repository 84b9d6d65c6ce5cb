/** Sample code for the subscriber check in the languages that partners use, with this installation’s URL; `key` in full or masked. */
export function callExamples(appUrl: string, key: string): { language: string; code: string }[] {
  const url = `${appUrl}/api/thirdparty/checksubscriber`
  return [
    {
      language: 'curl',
      code: `curl ${url} \\
  -H 'Content-Type: application/json' \\
  -d '{"key":"${key}","email":"reader@example.com","password":"their password"}'`,
    },
    {
      language: 'Node',
      code: `const response = await fetch('${url}', {
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ key: '${key}', email, password }),
})
const result = await response.json()
const mayRead = result.response === 'success'`,
    },
    {
      language: 'PHP',
      code: `$request = curl_init('${url}');
curl_setopt_array($request, [
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
  CURLOPT_POSTFIELDS => json_encode(['key' => '${key}', 'email' => $email, 'password' => $password]),
]);
$result = json_decode(curl_exec($request));
$mayRead = ($result->response ?? '') === 'success';`,
    },
  ]
}

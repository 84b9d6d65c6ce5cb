/** Sample code of the subscriber check in the languages partners use, with the real address; `key` in full or masked. */
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
const subscriber = await response.json()
const mayRead = subscriber.response === 'success'`,
    },
    {
      language: 'PHP',
      code: `$request = curl_init('${url}');
curl_setopt_array($request, [
  CURLOPT_RETURNTRANSFER => true,
  CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
  CURLOPT_POSTFIELDS => json_encode(['key' => '${key}', 'email' => $email, 'password' => $password]),
]);
$subscriber = json_decode(curl_exec($request));
$mayRead = ($subscriber->response ?? '') === 'success';`,
    },
  ]
}

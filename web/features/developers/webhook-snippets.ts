/** Example receivers of webhooks for /developers, with the endpoint's secret in `FLASHSHEET_WEBHOOK_SECRET`. */
export const webhookSnippets = {
  typescript: `import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { env } from 'node:process'

const key = Buffer.from(env.FLASHSHEET_WEBHOOK_SECRET!.replace('whsec_', ''), 'base64')

/** The event of a call. Throws unless Flashsheet signed this body within the last five minutes. */
function readWebhook(headers: IncomingHttpHeaders, body: Buffer) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300)) throw new Error('too old')
  const signed = Buffer.concat([Buffer.from(\`\${id}.\${timestamp}.\`), body])
  const ours = Buffer.from('v1,' + createHmac('sha256', key).update(signed).digest('base64'))
  const isOurs = (one: Buffer) => one.length === ours.length && timingSafeEqual(one, ours)
  if (!String(signatures).split(' ').some((one) => isOurs(Buffer.from(one)))) throw new Error('not signed')
  return JSON.parse(body.toString())
}

createServer(async (request, response) => {
  // The raw bytes: the signature of a body that was parsed and serialized again would differ.
  const body = Buffer.concat(await request.toArray())
  try {
    const { type, data } = readWebhook(request.headers, body)
    response.writeHead(204).end()
    // The same call may come twice with the same webhook-id. Answer first, then do what takes long.
    console.info(request.headers['webhook-id'], type, data)
  } catch {
    response.writeHead(400).end()
  }
}).listen(Number(env.PORT ?? 8080))`,

  python: `import base64, hashlib, hmac, json, os, time
from http.server import BaseHTTPRequestHandler, HTTPServer

key = base64.b64decode(os.environ['FLASHSHEET_WEBHOOK_SECRET'].removeprefix('whsec_'))

def read_webhook(headers, body):
    """The event of a call. Raises ValueError unless Flashsheet signed this body within the last five minutes."""
    id, timestamp = headers.get('webhook-id', ''), headers.get('webhook-timestamp', '')
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > 300:
        raise ValueError('too old')
    digest = hmac.new(key, f'{id}.{timestamp}.'.encode() + body, hashlib.sha256).digest()
    ours = b'v1,' + base64.b64encode(digest)
    if not any(hmac.compare_digest(ours, one.encode()) for one in headers.get('webhook-signature', '').split(' ')):
        raise ValueError('not signed')
    return json.loads(body)

class Webhooks(BaseHTTPRequestHandler):
    def do_POST(self):
        # The raw bytes: the signature of a body that was parsed and serialized again would differ.
        body = self.rfile.read(int(self.headers.get('content-length', 0)))
        try:
            event = read_webhook(self.headers, body)
        except ValueError:
            self.send_response(400)
            self.end_headers()
            return
        self.send_response(204)
        self.end_headers()
        # The same call may come twice with the same webhook-id. Do what takes long elsewhere, after the answer.
        print(self.headers['webhook-id'], event['type'], event['data'], flush=True)

HTTPServer(('', int(os.environ.get('PORT', 8080))), Webhooks).serve_forever()`,
} as const

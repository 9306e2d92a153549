/** Programs to copy from /developers. They run unchanged with a key in `FLASHSHEET_KEY`. `url` is the origin of this installation. */
export const snippets = {
  whoAmI: (url: string) => `export FLASHSHEET_URL=${url}
export FLASHSHEET_KEY=\${FLASHSHEET_KEY:-fs_live_…}   # your key

curl -sf -H "Authorization: Bearer $FLASHSHEET_KEY" $FLASHSHEET_URL/api/me`,

  post: (url: string) => `export FLASHSHEET_URL=${url}
api() { curl -sf -H "Authorization: Bearer $FLASHSHEET_KEY" "$@"; }
field() { grep -o "\\"$1\\":\\"[^\\"]*\\"" | head -1 | cut -d '"' -f 4; }

# A picture into the library, and a page to post to.
MEDIA=$(api -F files=@photo.jpg $FLASHSHEET_URL/api/media/upload | field _id)
ACCOUNTS=$(api $FLASHSHEET_URL/api/social-accounts)

# Tomorrow at this time. The same Idempotency-Key never makes a second post.
AT=$(date -u -d tomorrow +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -v+1d +%Y-%m-%dT%H:%M:%SZ)
POST=$(api -H 'Content-Type: application/json' -H "Idempotency-Key: $MEDIA" -d '{
  "mediaIds": ["'$MEDIA'"],
  "variants": [{
    "platform": "'$(echo "$ACCOUNTS" | field platform)'",
    "socialAccountId": "'$(echo "$ACCOUNTS" | field _id)'",
    "pageId": "'$(echo "$ACCOUNTS" | field pageId)'",
    "message": "Fresh flash"
  }],
  "scheduledAt": "'$AT'"
}' $FLASHSHEET_URL/api/posts/schedule | field _id)

# How it stands.
api $FLASHSHEET_URL/api/posts/$POST`,

  typescript: (url: string) => `import { readFile } from 'node:fs/promises'
import { env } from 'node:process'

const base = '${url}'
const headers = { authorization: \`Bearer \${env.FLASHSHEET_KEY}\` }

async function call(path: string, init: RequestInit = {}) {
  const answer = await fetch(base + path, { ...init, headers: { ...headers, ...init.headers } })
  if (!answer.ok) throw new Error((await answer.json()).message)
  return await answer.json()
}

const form = new FormData()
form.append('files', new Blob([await readFile('photo.jpg')], { type: 'image/jpeg' }), 'photo.jpg')
const [media] = await call('/api/media/upload', { method: 'POST', body: form })
const [account] = await call('/api/social-accounts')

const { _id } = await call('/api/posts/schedule', {
  method: 'POST',
  headers: { 'content-type': 'application/json', 'idempotency-key': media._id },
  body: JSON.stringify({
    mediaIds: [media._id],
    variants: [
      {
        platform: account.platform,
        socialAccountId: account._id,
        pageId: account.pages[0].pageId,
        message: 'Fresh flash',
      },
    ],
    scheduledAt: new Date(Date.now() + 86_400_000).toISOString(),
  }),
})
console.dir(await call(\`/api/posts/\${_id}\`))`,

  python: (url: string) => `import json, os, urllib.request, uuid
from datetime import datetime, timedelta, timezone

BASE = '${url}'

def call(path, body=None, **headers):
    headers['Authorization'] = 'Bearer ' + os.environ['FLASHSHEET_KEY']
    request = urllib.request.Request(BASE + path, body, {k.replace('_', '-'): v for k, v in headers.items()})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

def upload(name):
    boundary = uuid.uuid4().hex
    with open(name, 'rb') as file:
        head = f'--{boundary}\\r\\nContent-Disposition: form-data; name="files"; filename="{name}"\\r\\n'
        body = (head + 'Content-Type: image/jpeg\\r\\n\\r\\n').encode() + file.read()
    form = body + f'\\r\\n--{boundary}--\\r\\n'.encode()
    return call('/api/media/upload', form, Content_Type='multipart/form-data; boundary=' + boundary)[0]

media = upload('photo.jpg')
account = call('/api/social-accounts')[0]
post = {
    'mediaIds': [media['_id']],
    'variants': [{
        'platform': account['platform'],
        'socialAccountId': account['_id'],
        'pageId': account['pages'][0]['pageId'],
        'message': 'Fresh flash',
    }],
    'scheduledAt': (datetime.now(timezone.utc) + timedelta(days=1)).isoformat(timespec='seconds').replace('+00:00', 'Z'),
}
made = call('/api/posts/schedule', json.dumps(post).encode(), Content_Type='application/json', Idempotency_Key=media['_id'])
print(json.dumps(call('/api/posts/' + made['_id']), indent=2))`,
} as const

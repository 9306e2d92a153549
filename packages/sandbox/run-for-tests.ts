import { startSandbox } from './main.ts'

// Runs a sandbox in its own process, for tests that kill it: node run-for-tests.ts <folder> [port]
const [folder = '', port = '0'] = process.argv.slice(2)
const sandbox = await startSandbox({ port: Number(port), dataDir: folder, processingMs: 10 })
process.stdout.write(`${JSON.stringify({ url: sandbox.url, port: sandbox.port, smtpPort: sandbox.smtpPort })}\n`)

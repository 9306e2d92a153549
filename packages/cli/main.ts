#!/usr/bin/env node
import * as os from 'node:os'
import * as path from 'node:path'
import { runCli } from './run-cli.ts'

const { XDG_CONFIG_HOME } = process.env
const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // A reader such as `head` closes the pipe when it has enough.
  if (error.code !== 'EPIPE') throw error
  stop.abort()
})

process.exitCode = await runCli(process.argv.slice(2), {
  folder: path.join(XDG_CONFIG_HOME ?? path.join(os.homedir(), '.config'), 'flashsheet'),
  input: process.stdin,
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  isTerminal: process.stderr.isTTY,
  signal: stop.signal,
})

import { parseArgs } from 'node:util'
import { commands, type Options } from './commands.ts'
import { CommandFailed, exitCodes, misused, type Terminal } from './terminal.ts'

const usage = `flashsheet login [--url <address>]
flashsheet post <file …> --to instagram,facebook:<page> [--caption <text>] [--title <text>] [--at now|next-slot|<time>]
flashsheet posts [--limit <number>]
flashsheet retry <post>
flashsheet webhooks listen [--port <number>] [--secret <secret of the endpoint>]

--json answers everything as JSON.
Exit codes: 0 done, 1 refused, 2 misused, 3 not logged in, 4 not reachable, or in trouble.
`

const text = { type: 'string' } as const

/** Runs one command; returns its exit code. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  const json = args.includes('--json')
  try {
    const { positionals, values } = parse(args)
    const [name = '', ...commandArgs] = positionals
    if (values.help === true || name === '') {
      terminal.out(usage)
      return name === '' && values.help !== true ? exitCodes.usage : exitCodes.ok
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (!command) throw misused(`There is no command ${name}.\n\n${usage}`)
    const { json: _json, help: _help, ...options } = values
    const takes = new Set<string>(command.takes)
    // Refused, because an ignored second id or an ignored time would look like a success.
    const unknown = [
      ...commandArgs.slice(command.maxArgs),
      ...Object.keys(options)
        .filter((option) => !takes.has(option))
        .map((option) => `--${option}`),
    ]
    if (unknown.length > 0) throw misused(`${name} does not take ${unknown.join(' ')}.\n\n${usage}`)
    const outcome = await command.run(terminal, commandArgs, options satisfies Options, json)
    if (outcome) terminal.out(json ? `${JSON.stringify(outcome.data)}\n` : `${outcome.text}\n`)
    return exitCodes.ok
  } catch (error) {
    if (!(error instanceof CommandFailed)) throw error
    if (json) terminal.out(`${JSON.stringify({ error: error.details ?? { message: error.message } })}\n`)
    else terminal.err(`${error.message}\n`)
    return error.exitCode
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        url: text,
        to: text,
        caption: text,
        title: text,
        at: text,
        limit: text,
        port: text,
        secret: text,
      },
    })
  } catch (error) {
    throw misused(`${(error as Error).message}\n\n${usage}`)
  }
}

import { main } from '../api/main.ts'
import { buildWebWhenChanged } from './build-web.ts'

const role = process.env['ROLE'] ?? 'all'
if (role === 'all' || role === 'web') buildWebWhenChanged()
await main()

import { Access, day, hour, minute, remove } from './access.ts'

/** The rules of API keys and assistants (docs/product/rest.md, assistants.md). */
export class Programs extends Access {
  createKey(session: string | undefined, key: string, expiresAt: number | null): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    if (this.s.keys.filter((one) => one.user === user.key).length >= 20) return '409'
    this.s.keys.push({ key, user: user.key, expiresAt })
    return '201'
  }
  revokeKey(session: string | undefined, key: string): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    const found = this.s.keys.find((one) => one.key === key && one.user === user.key)
    remove(this.s.keys, (one) => one === found)
    return found ? '200' : '404'
  }
  /** What a key or an access token opens. */
  keyOpens(key: string): string {
    const found = this.s.keys.find((one) => one.key === key && (one.expiresAt ?? Infinity) > this.now)
    const user = this.user(found?.user ?? null)
    return user ? this.levelOf(user, 'verified') : '401'
  }
  tokenOpens(key: string): string {
    const found = this.s.tokens.find((one) => one.key === key && one.kind === 'access' && one.expiresAt > this.now)
    const user = this.user(this.s.grants.find((one) => one.key === found?.grant)?.user ?? null)
    return user ? this.levelOf(user, 'verified') : '401'
  }

  consent(session: string | undefined, client: string, code: string): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    if (!this.before.clients.some((one) => one.key === client)) return '400'
    if (this.s.grants.filter((one) => one.user === user.key).length >= 20) return '409'
    this.s.codes.push({ key: code, user: user.key, client, expiresAt: this.now + minute, isUsed: false, grant: null })
    return '200'
  }
  exchange(key: string, client: string, isVerifierRight: boolean, subject: string, grant: string): string {
    const code = this.s.codes.find((one) => one.key === key)
    if (!code) return '400'
    if (code.isUsed) {
      this.endGrants((one) => one.key === code.grant)
      return '400'
    }
    const isFull = this.s.grants.filter((one) => one.user === code.user).length >= 20
    const isValid = code.expiresAt > this.now && code.client === client && isVerifierRight
    // A refusal for want of a place leaves the code unused.
    code.isUsed = !(isValid && isFull)
    if (!isValid || isFull) return '400'
    code.grant = grant
    this.s.grants.push({ key: grant, user: code.user, client, at: this.now })
    const user = this.user(code.user)
    if (user) this.mail(user, subject)
    this.issue(grant, grant)
    return '200'
  }
  issue(grant: string, key: string): void {
    this.s.tokens.push(
      { key: `${key} access`, grant, kind: 'access', expiresAt: this.now + hour, usedAt: null },
      { key: `${key} refresh`, grant, kind: 'refresh', expiresAt: this.now + 30 * day, usedAt: null },
    )
  }
  refresh(key: string, client: string, fresh: string): string {
    const token = this.s.tokens.find((one) => one.key === key && one.kind === 'refresh')
    const grant = this.s.grants.find((one) => one.key === token?.grant)
    if (!token || !grant) return '400'
    if (token.usedAt !== null && this.now - token.usedAt > 30_000) {
      this.endGrants((one) => one === grant)
      return '400'
    }
    if (token.expiresAt <= this.now || grant.client !== client) return '400'
    token.usedAt ??= this.now
    this.issue(grant.key, fresh)
    return '200'
  }
  revokeToken(key: string, client: string): string {
    const grant = this.s.grants.find((one) => one.key === this.s.tokens.find((token) => token.key === key)?.grant)
    if (grant?.client === client) this.endGrants((one) => one === grant)
    return '200'
  }
  disconnect(session: string | undefined, key: string): string {
    const user = this.guard(session, 'verified')
    if (typeof user === 'string') return user
    const found = this.s.grants.find((one) => one.key === key && one.user === user.key)
    this.endGrants((one) => one === found)
    return found ? '200' : '404'
  }
}

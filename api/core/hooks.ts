import type { Tx } from '@flashsheet/db/client'
import type { System } from './context.ts'
import type { OwnerId } from './scope.ts'

/** Events of a slice; later slices handle them in the same transaction. */
export type HookEvents = {
  /** The artist's account at a network is about to be disconnected. */
  socialAccountDisconnecting: { owner: OwnerId; accountId: string }
  /** A disconnected account is about to be deleted; a hook throws while a target still posts with it. */
  socialAccountDeleting: { owner: OwnerId; accountId: string }
  /** A page is about to be removed: by the artist, or because the network no longer grants it. */
  socialPageRemoving: { owner: OwnerId; accountId: string; pageId: string; because: 'artist' | 'network' }
  /** The artist reconnected an account that needed it. */
  socialAccountRestored: { owner: OwnerId; accountId: string }
  /** A subscription is no longer active or past_due, or is so again. */
  subscriptionStopped: { owner: OwnerId }
  subscriptionResumed: { owner: OwnerId }
  /** Site and bookings are closed to the public, because the subscription ended or the plan changed. */
  studioClosed: { owner: OwnerId }
  /** Site and bookings are open to the public again. */
  studioOpened: { owner: OwnerId }
  /** The artist's address or name was changed. */
  emailChanged: { owner: OwnerId }
  nameChanged: { owner: OwnerId }
  /** The setting ADMIN_EMAIL has made the artist staff. */
  adminBySetting: { owner: OwnerId }
  /** The artist requested the deletion of the account; runs once, before anything is removed. */
  accountDeletionRequested: { owner: OwnerId }
  /** The grace period is over, or an admin gave none: access at other services is revoked. The artist can no longer log in. */
  accountClosing: { owner: OwnerId }
  /**
   * The artist's row is about to be deleted in this transaction, and by cascade all rows that reference it. A hook queues jobs for
   * what a cascade cannot delete (files), and throws RetryLater while work of the artist is still running.
   */
  accountPurging: { owner: OwnerId }
  /** The artist asks to delete media; a hook throws to refuse. */
  mediaDeleting: { owner: OwnerId; mediaIds: readonly string[] }
}

type Hook<F extends keyof HookEvents> = (system: System, tx: Tx, fact: HookEvents[F]) => Promise<void>
export type Hooks = ReturnType<typeof createHooks>

/** The registry of hooks; filled in `api/wiring.ts`. */
export function createHooks() {
  // `run` passes a hook only the event that it was registered for, so the cast there is safe.
  const registered = new Map<keyof HookEvents, Hook<never>[]>()
  return {
    on<F extends keyof HookEvents>(fact: F, hook: Hook<F>): void {
      registered.set(fact, [...(registered.get(fact) ?? []), hook])
    },
    /** Runs every hook of `name` in order, in the caller's transaction. */
    async run<F extends keyof HookEvents>(name: F, system: System, tx: Tx, fact: HookEvents[F]): Promise<void> {
      for (const hook of registered.get(name) ?? []) await (hook as Hook<F>)(system, tx, fact)
    },
  }
}

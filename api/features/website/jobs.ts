import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** Makes the public renditions of a new gallery entry. */
export const makeRenditionsQueue = defineQueue('website.make-forms', z.object({ galleryItemId: z.uuid() }))

/** Deletes the public renditions of an entry that was removed. */
export const removeRenditionsQueue = defineQueue(
  'website.remove-forms',
  z.object({ galleryItemId: z.uuid(), mediaId: z.uuid() }),
)

/** Updates since when sites are closed, and queues missing renditions again. */
export const reconcileClosedSitesQueue = defineQueue('website.settle-sites', z.object({}), { policy: 'singleton' })

/** Deletes pictures that no site uses, and the files of deleted ones. */
export const sweepImagesQueue = defineQueue('website.sweep-images', z.object({}), { policy: 'singleton' })

/** Measures the lightness of logos that were stored without it. */
export const measureLogosQueue = defineQueue('website.measure-logos', z.object({}), { policy: 'singleton' })

export async function enqueueMakeRenditions(system: System, tx: Tx, galleryItemId: string): Promise<void> {
  await system.jobs.send(tx, makeRenditionsQueue, { galleryItemId })
}

export async function enqueueRemoveRenditions(
  system: System,
  tx: Tx,
  entry: { galleryItemId: string; mediaId: string },
): Promise<void> {
  await system.jobs.send(tx, removeRenditionsQueue, entry)
}

export async function enqueueSweepImages(system: System, tx: Tx): Promise<void> {
  await system.jobs.send(tx, sweepImagesQueue, {})
}

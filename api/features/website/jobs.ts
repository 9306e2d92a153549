import type { Tx } from '@flashsheet/db/client'
import { z } from 'zod'
import type { System } from '../../core/context.ts'
import { defineQueue } from '../../core/jobs.ts'

/** Makes what the public gets of a new gallery entry. */
export const makeRenditionsQueue = defineQueue('website.make-forms', z.object({ galleryItemId: z.uuid() }))

/** Removes the public files of an entry that was taken out. */
export const removeRenditionsQueue = defineQueue(
  'website.remove-forms',
  z.object({ galleryItemId: z.uuid(), mediaId: z.uuid() }),
)

/** Keeps what depends on time: since when sites are closed. */
export const settleSitesQueue = defineQueue('website.settle-sites', z.object({}), { policy: 'singleton' })

/** Removes uploads no site shows, and the files of those that are gone with their artist. */
export const sweepImagesQueue = defineQueue('website.sweep-images', z.object({}), { policy: 'singleton' })

/** Measures logos that were stored before their lightness was. */
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

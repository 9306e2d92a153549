-- outside a transaction
-- Reads the table while others read and write it.
ALTER TABLE "sites" VALIDATE CONSTRAINT "sites_layout_words";--> statement-breakpoint
ALTER TABLE "sites" VALIDATE CONSTRAINT "sites_palette_words";

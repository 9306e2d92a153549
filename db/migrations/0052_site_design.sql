ALTER TABLE "sites" ADD COLUMN "layout" text DEFAULT 'gallery' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "palette" text;--> statement-breakpoint
ALTER TABLE "sites" ADD COLUMN "hidden_links" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_layout_words" CHECK ("layout" in ('gallery', 'portrait', 'flash')) NOT VALID;--> statement-breakpoint
ALTER TABLE "sites" ADD CONSTRAINT "sites_palette_words" CHECK ("palette" in ('bone', 'night', 'chalk', 'sailor', 'moss', 'rose')) NOT VALID;

ALTER TABLE "social_pages" ADD COLUMN "picture_source" text;--> statement-breakpoint
ALTER TABLE "social_pages" ADD COLUMN "picture_file" text;
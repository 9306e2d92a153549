ALTER TABLE "post_targets" ADD COLUMN "last_publish_ended_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "unanswered" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "silent_since" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "left_behind" text;--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "page_url" text;
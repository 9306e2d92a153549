ALTER TABLE "post_targets" ADD COLUMN "polls" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "first_publish_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "last_publish_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "ids_lapsed" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "look_again_at" timestamp with time zone;--> statement-breakpoint
CREATE INDEX "post_targets_look_again" ON "post_targets" USING btree ("look_again_at") WHERE "post_targets"."look_again_at" is not null;
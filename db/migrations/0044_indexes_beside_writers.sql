-- outside a transaction
-- What goes served the release before: until its processes have ended, their sweep reads more than it needs to. Alarms ring as before.
CREATE INDEX CONCURRENTLY IF NOT EXISTS "post_targets_open" ON "post_targets" USING btree ("due_at") WHERE "post_targets"."posted_at" is null and "post_targets"."failed_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "post_targets_open_user" ON "post_targets" USING btree ("user_id") WHERE "post_targets"."posted_at" is null and "post_targets"."failed_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "post_targets_failed_at" ON "post_targets" USING btree ("failed_at","platform") WHERE "post_targets"."failed_at" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "post_targets_posted_on" ON "post_targets" USING btree ("posted_at","platform") WHERE "post_targets"."posted_at" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "post_targets_tiktok_id" ON "post_targets" USING btree ("tiktok_publish_id") WHERE "post_targets"."tiktok_publish_id" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "post_targets_open_quota" ON "post_targets" USING btree ("quota_bucket","due_at") WHERE "post_targets"."quota_bucket" is not null and "post_targets"."posted_at" is null and "post_targets"."failed_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "quota_uses_line" ON "quota_uses" USING btree ("bucket_id","since","target_id") WHERE "quota_uses"."state" = 'waiting';
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "quota_uses_places" ON "quota_uses" USING btree ("bucket_id","place") WHERE "quota_uses"."state" = 'waiting' and "quota_uses"."place" is not null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "quota_uses_flying" ON "quota_uses" USING btree ("bucket_id") WHERE "quota_uses"."state" = 'taken' and "quota_uses"."drawn_at" is null;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "stripe_events_newest" ON "stripe_events" USING btree ("received_at");
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "post_targets_post";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "post_targets_due";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "post_targets_failed";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "post_targets_posted_at";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "post_targets_tiktok_publish";
--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "post_targets_planned";

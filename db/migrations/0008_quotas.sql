CREATE TABLE "quota_buckets" (
	"id" text PRIMARY KEY NOT NULL,
	"full_until" timestamp with time zone,
	"said_limit" integer,
	"said_used" integer,
	"said_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "quota_uses" (
	"id" uuid PRIMARY KEY NOT NULL,
	"bucket_id" text NOT NULL,
	"target_id" uuid,
	"state" text NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"drawn_at" timestamp with time zone,
	CONSTRAINT "quota_uses_waiting" CHECK ("quota_uses"."state" <> 'waiting' or "quota_uses"."drawn_at" is null),
	CONSTRAINT "quota_uses_done" CHECK ("quota_uses"."state" <> 'done' or "quota_uses"."drawn_at" is not null)
);
--> statement-breakpoint
ALTER TABLE "post_targets" ADD COLUMN "quota_bucket" text;--> statement-breakpoint
ALTER TABLE "quota_uses" ADD CONSTRAINT "quota_uses_bucket_id_quota_buckets_id_fk" FOREIGN KEY ("bucket_id") REFERENCES "public"."quota_buckets"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "quota_uses" ADD CONSTRAINT "quota_uses_target_id_post_targets_id_fk" FOREIGN KEY ("target_id") REFERENCES "public"."post_targets"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "quota_uses_open" ON "quota_uses" USING btree ("target_id") WHERE "quota_uses"."state" <> 'done';--> statement-breakpoint
CREATE INDEX "quota_uses_target" ON "quota_uses" USING btree ("target_id");--> statement-breakpoint
CREATE INDEX "quota_uses_drawn" ON "quota_uses" USING btree ("bucket_id","drawn_at");--> statement-breakpoint
CREATE INDEX "post_targets_planned" ON "post_targets" USING btree ("quota_bucket","due_at") WHERE "post_targets"."quota_bucket" is not null and "post_targets"."phase" = 'scheduled';--> statement-breakpoint
UPDATE "post_targets" SET "quota_bucket" = CASE "platform" WHEN 'youtube' THEN 'youtube' ELSE "platform" || ' ' || "page_id" END WHERE "platform" IN ('youtube', 'instagram', 'tiktok');

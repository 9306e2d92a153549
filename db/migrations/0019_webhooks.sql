CREATE TABLE "deletion_requests" (
	"code" text PRIMARY KEY NOT NULL,
	"key" text NOT NULL,
	"platform" text NOT NULL,
	"account_ids" uuid[] NOT NULL,
	"requested_at" timestamp with time zone NOT NULL,
	CONSTRAINT "deletion_requests_once" UNIQUE("key")
);
--> statement-breakpoint
ALTER TABLE "social_accounts" ADD COLUMN "app_user_id" text;--> statement-breakpoint
CREATE INDEX "post_targets_tiktok_publish" ON "post_targets" USING btree (("checkpoint" ->> 'publishId')) WHERE "post_targets"."platform" = 'tiktok';--> statement-breakpoint
CREATE INDEX "social_accounts_person" ON "social_accounts" USING btree ("platform","provider_user_id");--> statement-breakpoint
CREATE INDEX "social_accounts_app_person" ON "social_accounts" USING btree ("platform","app_user_id") WHERE "social_accounts"."app_user_id" is not null;
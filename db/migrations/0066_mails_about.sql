-- outside a transaction
ALTER TABLE "mails" ADD COLUMN IF NOT EXISTS "about" text;
--> statement-breakpoint
CREATE INDEX CONCURRENTLY IF NOT EXISTS "mails_unsent_about" ON "mails" USING btree ("to","about") WHERE "mails"."sent_at" is null and "mails"."about" is not null;
